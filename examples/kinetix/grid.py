"""Chunks under delay: the grid that `polyrhythm bench chunks` runs.

    .venv-kinetix/bin/python examples/kinetix/grid.py --quick

For every case, delay d in 0..4, stride s from ``max(1, d)`` to ``8 - d`` and method: the solve rate with its
95 % interval, boundary jump, jerk and length of episodes. Writes ``chunks.json``, ``chunks.md`` and
``chunks.svg``. What is already in ``chunks.json`` is kept, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("WANDB_MODE", "disabled")
os.environ.setdefault("NPROC", "1")  # one thread: the programs are many and small

import numpy as np
import plot
import tables
from cases import CASES, EVALUATION_SEED, HERE, Case

DELAYS = (3, 4, 2, 1, 0)
GROUPS = (("naive", "identity", "vjp"), ("sync", "hard", "trained"))
"""Methods that share a batch. Without delay the second group is the first one's ``naive``."""


def run_case(
    case: Case, rows: list[tables.Row], cells: Sequence[tuple[int, int]], episodes: int,
    simulation: Any = None, share: int = 128,
) -> Iterator[tables.Row]:  # fmt: skip
    """Rows for those of `cells` (delay, stride) that `rows` lacks, `share` episodes of a method at a time."""
    import delays
    from experts import Simulation
    from levels import LEVELS, World
    from safetensors.numpy import load_file

    def lacking(delay: int, stride: int, group: Sequence[str]) -> bool:
        found = [tables.find(rows, case.name, method, delay, stride) for method in group]
        return any(r is None or r["episodes"] < episodes for r in found)

    wanted = [(d, s, g) for d, s in cells for g in GROUPS if lacking(d, s, g) and (d > 0 or g is GROUPS[0])]
    if not wanted:
        return
    head = delays.Head({name: a.astype(np.float32) for name, a in load_file(case.weights).items()})
    simulation = simulation or Simulation(World(LEVELS[case.level]), share * len(GROUPS[0]))
    for delay, stride, group in wanted:
        parts = [
            delays.play(simulation, head, group, delay, stride, EVALUATION_SEED + i * share)
            for i in range(-(-episodes // share))
        ]
        for method in group:
            whole = {
                name: np.concatenate([getattr(part[method], name) for part in parts])
                for name in ("solved", "ticks", "jump", "jerk")
            }
            yield tables.row(case.name, method, delay, stride, **whole)
            if (
                delay == 0 and method == "naive"
            ):  # nothing is given and nobody waits: the same by construction
                for same in GROUPS[1]:
                    yield tables.row(case.name, same, delay, stride, **whole)


def write(rows: Sequence[tables.Row], out: Path) -> None:
    """Table for machines, table for people, picture."""
    out.mkdir(parents=True, exist_ok=True)
    order = {name: i for i, name in enumerate([*CASES, *tables.METHODS])}
    rows = sorted(rows, key=lambda r: (order[r["case"]], r["delay"], r["stride"], order[r["method"]]))
    (out / "chunks.json").write_text("[\n" + ",\n".join(json.dumps(r) for r in rows) + "\n]\n")
    (out / "chunks.md").write_text(tables.markdown(rows))
    plot.draw(rows, out / "chunks.svg")


def main() -> None:
    """Parse the command line and run the grid."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="only stride max(1, d), and 128 episodes a cell")
    parser.add_argument("--episodes", type=int, help="episodes a cell (256; with --quick 128)")
    parser.add_argument(
        "--case", action="append", choices=sorted(CASES), help="only this case; may be repeated"
    )
    parser.add_argument("--out", type=Path, default=HERE / "results", help="where table and plot go")
    arguments = parser.parse_args()
    episodes = arguments.episodes or (128 if arguments.quick else 256)
    file = arguments.out / "chunks.json"
    rows: list[tables.Row] = json.loads(file.read_text()) if file.exists() else []
    cells = [(d, s) for d in DELAYS for s in tables.strides(d, 8, first_only=True)]
    if not arguments.quick:
        cells += [(d, s) for d in DELAYS for s in tables.strides(d, 8, first_only=False)[1:]]
    for name in arguments.case or CASES:
        for row in run_case(CASES[name], rows, cells, episodes):
            key = ("case", "method", "delay", "stride")
            rows = [r for r in rows if any(r[k] != row[k] for k in key)] + [row]
            print(json.dumps(row), flush=True)
            write(rows, arguments.out)
    print(tables.markdown(rows))
    for title, found in (
        ("guided beats naive", tables.verdicts(rows)),
        ("sync is worst", tables.sync_is_worst(rows)),
    ):
        for text, holds in found:
            print(f"{title}: {'yes' if holds else 'no '}  {text}")


if __name__ == "__main__":
    main()
