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
from dataclasses import asdict
from pathlib import Path
from typing import Any

os.environ.setdefault("WANDB_MODE", "disabled")
os.environ.setdefault("NPROC", "1")  # one thread: the programs are many and small

import numpy as np
import plot
import tables
from cases import CASES, EVALUATION_SEED, HERE, Case

DELAYS = (3, 4, 2, 1, 0)
WITHOUT_DELAY = ("naive", "identity", "vjp")
"""Without delay nothing is given and nobody waits: the other methods are ``naive`` by construction."""


def run_case(
    case: Case, rows: list[tables.Row], cells: Sequence[tuple[int, int]], episodes: int,
    simulation: Any = None,
) -> Iterator[tables.Row]:  # fmt: skip
    """Rows for those of `cells` (delay, stride) that `rows` lacks."""
    import delays
    from experts import Simulation
    from levels import LEVELS, World
    from safetensors.numpy import load_file

    def lacking(method: str, delay: int, stride: int) -> bool:
        found = tables.find(rows, case.name, method, delay, stride)
        return found is None or found["episodes"] < episodes

    wanted = [(d, s, m) for d, s in cells if (m := [m for m in tables.METHODS if lacking(m, d, s)])]
    if not wanted:
        return
    head = delays.Head({name: a.astype(np.float32) for name, a in load_file(case.weights).items()})
    simulation = simulation or Simulation(World(LEVELS[case.level]))
    for delay, stride, methods in wanted:
        played = [m if delay > 0 or m in WITHOUT_DELAY else "naive" for m in methods]
        once = list(dict.fromkeys(played))
        found = delays.play(simulation, head, once, delay, stride, EVALUATION_SEED, episodes)
        for method, same in zip(methods, played, strict=True):
            yield tables.row(case.name, method, delay, stride, **asdict(found[same]))


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
