"""How much sooner than the robot the simulation is, on one core.

Both examples' plans, as `check` makes them, through the scheduler on the virtual clock. Four ways, in a
process of its own each: the rooms compiled or as they are, with every rule checked after every event or only
those that the scheduler checks itself.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ("three_rates", "dual_system")
#: x real time, compiled.
TARGET = 3600
S = 1_000_000_000


def play(example: str, wall_s: float, audited: bool) -> tuple[int, int, float]:
    """(simulated ns, events, s it took) of about `wall_s`."""
    from polyrhythm.runtime import check
    from polyrhythm.simulate.harness import Harness

    plan = check(ROOT / "examples" / example / "bundle").plan
    assert plan is not None, "the example has errors"
    harness = Harness(plan.schedule, playback=plan.player.make(), keep=False)
    return harness, None


def main() -> int:
    """Measure and judge."""
    return 0


if __name__ == "__main__":
    sys.exit(main())
