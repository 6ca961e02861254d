"""Fuzz one kind of file, or all.

    python -m tests.fuzz.run manifest --count 100000 --jobs 2
    python -m tests.fuzz.run all --full --state out/fuzz/done.json --minutes 10

Every input is a function of the seed and its number. What goes wrong is written to ``out/fuzz``. A long run
may be cut into portions: `--state` names a file that says how far each target has come; the next portion
goes on there. Delete it to begin again.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from time import monotonic, process_time

from polyrhythm.bundle.atomic import write_atomically
from tests.fuzz.mutate import mutant
from tests.fuzz.targets import TARGETS, scratch

#: No input of a megabyte may take more of a processor; what else the machine does is not its fault.
MAX_SECONDS = 20.0
MAX_BYTES = 4 << 30
#: So many inputs of every target are read by nightly runs.
FULL = dict.fromkeys(TARGETS, 100_000) | {"manifest": 1_000_000}
#: So many are read between two looks at the clock.
CHUNK = 500


class Fault(AssertionError):
    """An input that did what none may do."""


def fuzz(name: str, count: int, seed: int, first: int = 0) -> float:
    """Read inputs `first` .. `first + count` of a target; returns the longest time of a processor in seconds.

    Raises:
        Fault: with the number of the input and where it was written.
    """
    target, folder, longest = TARGETS[name], scratch(), 0.0
    try:
        corpus = target.corpus(folder)
        for number in range(first, first + count):
            content = mutant(corpus, random.Random(f"{name} {seed} {number}"), target.text)
            began = process_time()
            try:
                target.read(content, folder)
            except Exception as error:
                raise _fault(
                    name, seed, number, content, "".join(traceback.format_exception(error))
                ) from None
            longest = max(longest, took := process_time() - began)
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


def portion(
    wanted: Mapping[str, int],
    seed: int,
    jobs: int,
    state: Path | None,
    over: Callable[[], bool],
    chunk: int = CHUNK,
) -> dict[str, int]:
    """Read inputs of the targets in turn, until there are as many as wanted or it is `over`.

    Args:
        state: where it is kept how many of the first inputs have been read; None: nowhere.

    Returns:
        How many of each target have been read, now and before.
    """
    known: dict[str, int] = json.loads(state.read_text()) if state is not None and state.is_file() else {}
    done = {name: known.get(f"{name} {seed}", 0) for name in wanted}
    with ProcessPoolExecutor(jobs, mp_context=get_context("forkserver")) as pool:
        while left := [name for name in wanted if done[name] < wanted[name]]:
            for name in left:
                if over():
                    return done
                began = monotonic()
                firsts = range(done[name], wanted[name], chunk)[:jobs]
                parts = [(name, min(chunk, wanted[name] - first), seed, first) for first in firsts]
                longest = max(pool.map(_job, parts))
                done[name] += sum(count for _, count, _, _ in parts)
                took = monotonic() - began
                print(f"{name}: {done[name]} of {wanted[name]}, {took:.0f} s, the longest {longest:.2f} s")
                if state is not None:
                    known |= {f"{name} {seed}": done[name]}
                    state.parent.mkdir(parents=True, exist_ok=True)
                    write_atomically(state, json.dumps(known, indent=1).encode())
    return done


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("target", choices=[*TARGETS, "all"])
    parser.add_argument("--count", type=int, default=10_000, help="inputs of each target")
    parser.add_argument("--full", action="store_true", help="a million manifests, 100,000 of each other")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--minutes", type=float, help="begin no chunk after so many")
    parser.add_argument("--state", type=Path, help="the file that says how far earlier portions came")
    options = parser.parse_args()
    names = TARGETS if options.target == "all" else (options.target,)
    wanted = {name: FULL[name] if options.full else options.count for name in names}
    ends = None if options.minutes is None else monotonic() + 60 * options.minutes
    began = monotonic()
    done = portion(
        wanted, options.seed, options.jobs, options.state, lambda: ends is not None and monotonic() >= ends
    )
    told = ", ".join(f"{name} {done[name]} of {wanted[name]}" for name in wanted)
    print(f"after {monotonic() - began:.0f} s: {told}")


if __name__ == "__main__":
    main()
