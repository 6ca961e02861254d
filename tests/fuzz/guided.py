"""Fuzz one kind of file, led by coverage: ``pip install 'polyrhythm[fuzz]'``, then

    python -m tests.fuzz.guided manifest -runs=100000

Arguments after the target are libFuzzer's.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["polyrhythm"]):
    from tests.fuzz.targets import TARGETS, scratch


def main() -> None:
    """Never returns."""
    name, *arguments = sys.argv[1:]
    target, folder = TARGETS[name], scratch()
    corpus = folder / "corpus"
    corpus.mkdir()
    for number, content in enumerate(target.corpus(folder)):
        (corpus / str(number)).write_bytes(content)
    atheris.Setup(
        [sys.argv[0], "-max_len=65536", *arguments, str(corpus)],
        lambda content: target.read(content, folder),
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main()
