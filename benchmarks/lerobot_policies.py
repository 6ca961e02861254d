"""A small policy of every LeRobot kind, imported: entries, distance from LeRobot, times.

Random weights, made offline. For each kind: what the import took, how far the outputs of its entries are
from PyTorch's (`max_rel` of the gate), how far a whole chunk is from LeRobot's for the same noise, and what a
chunk takes on one core here and there (the bundle's stages against `predict_action_chunk`). Needs the
environment that `make test-lerobot` makes: `.venv-lerobot/bin/python benchmarks/lerobot_policies.py`.
"""

from __future__ import annotations

import os
import sys
import tempfile
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
from measure import Figure, arguments, finish

#: Kinds that `--quick` leaves out.
_SLOW = ("diffusion", "pi0", "pi05", "smolvla")
_ROUNDS = 30


def main() -> int:
    """The table, and the distances as figures."""
    options = arguments(__doc__ or "")
    try:
        import torch

        from tests.compile.imports import lerobot_policies as made
        from tests.compile.imports import test_lerobot as parity
    except ImportError as error:
        print(f"skipped: {error.name} is not installed (see `make test-lerobot`)", file=sys.stderr)
        return 0
    torch.set_num_threads(1)
    figures = []
    show = partial(print, file=sys.stderr if options.json else sys.stdout, flush=True)
    show(f"{'kind':<10} {'entries':<67} {'import':>8} {'gate':>8} {'chunk':>8} {'ours':>9} {'LeRobot':>9}")
    for kind in made.KINDS:
        if options.quick and kind in _SLOW:
            continue
        row = measure(kind, made, parity)
        entries = ", ".join(row["entries"])
        show(
            f"{kind:<10} {entries:<67} {row['import_s']:>6.0f} s {row['gate']:>8.1e} {row['chunk']:>8.1e} "
            f"{row['ours_ms']:>6.2f} ms {row['lerobot_ms']:>6.2f} ms"
        )
        figures += [
            Figure(f"{kind}: largest max_rel of an output, 1e-4", row["gate"] * 1e4, "", 1.0),
            Figure(f"{kind}: largest difference of a chunk, 1e-4", row["chunk"] * 1e4, "", 1.0),
        ]
    return finish(figures, options.json)


def measure(kind: str, made: Any, parity: Any) -> dict[str, Any]:
    """One row."""
    from polyrhythm.bundle import open_bundle
    from polyrhythm.compile.imports.lerobot import import_lerobot
    from tests.compile.imports.player import Player

    with tempfile.TemporaryDirectory(prefix="polyrhythm-bench-") as directory, made.small():
        root = Path(directory)
        policy = made.save(kind, root / "policy")
        begun = perf_counter()
        report = import_lerobot(root / "policy", root / "bundle")
        took = perf_counter() - begun
        bundle = open_bundle(root / "bundle")
        player = Player(bundle)
        given = parity.inputs(kind, policy, bundle)
        order, count = parity.stages(bundle)
        given["dt"] = np.float32(1 / count)
        noise = given.get("noise", np.zeros(()))
        ours, theirs = player.play(order, given)["actions"], parity.original(kind, policy, noise)
        row = {
            "entries": bundle.module("policy.vmfb").entries,
            "import_s": took,
            "gate": max(e.max_rel for gate in report.gates.values() for e in gate.outputs.values()),
            "chunk": float(np.abs(ours[: len(theirs)] - theirs).max()),
            "ours_ms": _median_ms(lambda: player.play(order, given)),
            "lerobot_ms": _median_ms(lambda: parity.original(kind, policy, noise)),
        }
        player.close()
    return row


def _median_ms(call: Any) -> float:
    found = []
    for _ in range(_ROUNDS):
        begun = perf_counter()
        call()
        found.append((perf_counter() - begun) * 1e3)
    return float(np.median(found))


if __name__ == "__main__":
    sys.exit(main())
