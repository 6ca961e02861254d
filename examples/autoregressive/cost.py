"""What a decode step costs with a small and with a large pool: the same, because it writes one row in place.

    python examples/autoregressive/cost.py

Both are run in turns, so that whatever else the machine does meets both. Prints the ratio of the medians
beside its target; the exit code is 1 if it is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter_ns

import numpy as np

from polyrhythm.compile import build
from polyrhythm.memory import KVShape

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

TARGET = 1.1
MEGABYTES = (1, 64)
_POLICY = """\
import sys
sys.path.insert(0, {here!r})
import model
model.PAGES = {pages}
import policy as original
policy = original.policy
"""


def main() -> int:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=400, help="decode steps of each pool")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as place:
        steps = [_System(megabytes, Path(place)) for megabytes in MEGABYTES]
        costs: list[list[int]] = [[] for _ in steps]
        for _ in range(rounds):
            for step, cost in zip(steps, costs, strict=True):
                cost.append(step.decode())
        medians = [median(cost) for cost in costs]
        for step, cost, p50 in zip(steps, costs, medians, strict=True):
            size = f"pool of {step.nbytes / 2**20:6.1f} MiB"
            print(f"{size}: p50 {p50 / 1e3:7.1f} us, least {min(cost) / 1e3:7.1f} us")
            step.system.close()
    ratio = medians[1] / medians[0]
    print(f"ratio {ratio:.3f}   target <= {TARGET}   {'ok' if ratio <= TARGET else 'MISSED'}")
    return ratio > TARGET


class _System:
    """A System 2 with a pool of that size, its context half full."""

    def __init__(self, megabytes: int, place: Path) -> None:
        for name in ("model", "system2", "policy"):
            sys.modules.pop(name, None)
        import model

        shape = KVShape(model.LAYERS, model.PAGE_TOKENS, model.HEADS, model.HEAD_DIM)
        model.PAGES = megabytes * 2**20 // shape.page_bytes
        from system2 import System2

        directory = place / f"policy{megabytes}"
        directory.mkdir()
        (directory / "policy.py").write_text(_POLICY.format(here=str(HERE), pages=model.PAGES))
        (directory / "manifest.yaml").write_text((HERE / "manifest.yaml").read_text())
        saved = {name: sys.modules.pop(name) for name in ("model", "system2")}
        bundle = build(directory / "policy.py", directory / "bundle", portable=True).root
        sys.modules.update(saved)
        self.system = System2(bundle)
        self.nbytes = self.system.kv.array.nbytes
        self._context = self.system.begin("a", np.arange(16, dtype=np.int32))
        while self._context.length < model.TABLE * model.PAGE_TOKENS // 2:
            self.system.tick(self._context, np.full((64, 64), 0.5, np.float32))

    def decode(self) -> int:
        """Nanoseconds of one decode step, which is then undone: every round does the same."""
        lease = self.system.kv.step(self._context, [1])
        begun = perf_counter_ns()
        self.system.launch("think", lease)
        spent = perf_counter_ns() - begun
        lease.failed()
        return spent


if __name__ == "__main__":
    sys.exit(main())
