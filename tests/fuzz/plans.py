"""Mutants of plan files through the loader of static plans, under sanitizers; what was done is kept:

    python -m tests.fuzz.plans --count 1000000               # mutants 0 to 999,999, on from where it stopped
    python -m tests.fuzz.plans --first 500000 --count 10000  # some of them, once more

Every mutant is a function of the seed and its number. How far it came is in ``out/fuzz``, for each loader and
each set of plans that mutants are made of.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from pathlib import Path
from time import monotonic

from polyrhythm.bundle.atomic import write_atomically
from tests.hal.mutants import fuzz, program, write_plans

OUT = Path("out/fuzz")
#: Of a portion, on a machine that does other things too.
MAX_SECONDS = 1800.0


def progress_file(made: Path, plans: list[Path], seed: int) -> Path:
    """Where it is written down how far these mutants came; the program's name has its sources' digest."""
    digest = hashlib.sha256(made.name.encode())
    for plan in plans:
        digest.update(plan.read_bytes())
    return OUT / f"plans-{seed}-{digest.hexdigest()[:12]}.json"


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=10_000, help="how many mutants")
    parser.add_argument("--first", type=int, help="the number of the first; whatever has been done")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--portion", type=int, default=10_000, help="mutants of a process")
    options = parser.parse_args()
    made = program()
    with tempfile.TemporaryDirectory() as folder:
        plans = write_plans(Path(folder))
        file = progress_file(made, plans, options.seed)
        OUT.mkdir(parents=True, exist_ok=True)
        done = {"done": 0, "accepted": 0}
        if options.first is None and file.is_file():
            done = json.loads(file.read_text())
        first = options.first or 0
        while (ahead := options.count - done["done"]) > 0:
            began, at, count = monotonic(), first + done["done"], min(options.portion, ahead)
            accepted = fuzz(made, plans, options.seed, at, count, MAX_SECONDS)
            done = {"done": done["done"] + count, "accepted": done["accepted"] + accepted}
            if options.first is None:
                write_atomically(file, json.dumps(done).encode())
            print(
                f"plans: {first + done['done']} of {first + options.count}, {done['accepted']} accepted, "
                f"{count} in {monotonic() - began:.1f} s",
                flush=True,
            )
    print(f"plans: no harm by mutants {first} to {first + options.count} of seed {options.seed}")


if __name__ == "__main__":
    main()
