"""Fuzz one kind of file, or all.

    python -m tests.fuzz.run manifest --count 1000000 --jobs 2

Every input is a function of the seed and its number. What goes wrong is written to ``out/fuzz``.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import traceback
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path
from time import monotonic

from tests.fuzz.mutate import mutant
from tests.fuzz.targets import TARGETS, scratch

#: No input of a megabyte may take longer, on a machine that does other things too.
MAX_SECONDS = 20.0
MAX_BYTES = 4 << 30


class Fault(AssertionError):
    """An input that did what none may do."""


def fuzz(name: str, count: int, seed: int, first: int = 0) -> float:
    """Read inputs `first` .. `first + count` of a target; returns the longest time in seconds.

    Raises:
        Fault: with the number of the input and where it was written.
    """
    target, folder, longest = TARGETS[name], scratch(), 0.0
    try:
        corpus = target.corpus(folder)
        for number in range(first, first + count):
            content = mutant(corpus, random.Random(f"{name} {seed} {number}"), target.text)
            began = monotonic()
            try:
                target.read(content, folder)
            except Exception as error:
                raise _fault(
                    name, seed, number, content, "".join(traceback.format_exception(error))
                ) from None
            longest = max(longest, took := monotonic() - began)
            if took > MAX_SECONDS:
                raise _fault(name, seed, number, content, f"took {took:.1f} s")
    finally:
        shutil.rmtree(folder)
    return longest


def _fault(name: str, seed: int, number: int, content: bytes, what: str) -> Fault:
    out = Path("out/fuzz")
    out.mkdir(parents=True, exist_ok=True)
    file = out / f"{name}-{sha256(content).hexdigest()[:12]}"
    file.write_bytes(content)
    return Fault(f"{name}, seed {seed}, input {number}, kept in {file}: {what}")


def _job(arguments: tuple[str, int, int, int]) -> float:
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    name, count, seed, first = arguments
    return fuzz(name, count, seed, first)


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("target", choices=[*TARGETS, "all"])
    parser.add_argument("--count", type=int, default=10_000, help="inputs of each target")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    for name in TARGETS if options.target == "all" else (options.target,):
        share = -(-options.count // options.jobs)
        jobs = [(name, share, options.seed, i * share) for i in range(options.jobs)]
        began = monotonic()
        with ProcessPoolExecutor(options.jobs) as pool:
            longest = max(pool.map(_job, jobs))
        took = monotonic() - began
        print(f"{name}: {share * options.jobs} inputs in {took:.0f} s, the longest {longest:.2f} s")


if __name__ == "__main__":
    main()
