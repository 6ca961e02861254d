"""The dual system in real time: does every module get the rate it asked for, and is every drop explained?

Runs `examples/dual_system` for a minute (`--quick`: 20 s) and compares rates asked and got.
"""

from __future__ import annotations

import sys
from pathlib import Path

from measure import Figure, arguments, finish

from polyrhythm.bundle import open_bundle
from polyrhythm.compile import prepare
from polyrhythm.observe import Stats
from polyrhythm.runtime import check, play

BUNDLE = Path(__file__).parent.parent / "examples" / "dual_system" / "bundle"


def main() -> int:
    """Run and compare."""
    options = arguments("Rates of the dual system in real time.")
    prepare(open_bundle(BUNDLE))
    plan = check(BUNDLE).plan
    if plan is None:
        raise SystemExit(f"{BUNDLE} does not pass `polyrhythm check`")
    stats = Stats(plan.schedule)
    outcome = play(plan, seconds=20 if options.quick else 60, listeners=[stats])
    if outcome.reason != "complete":
        raise SystemExit(outcome.reason)
    seen = stats.snapshot()
    rates = {"control": (seen.control.asked_hz, seen.control.got_hz)}
    rates |= {name: (module.asked_hz, module.got_hz) for name, module in seen.modules.items()}
    figures = []
    for name, (asked_hz, got) in rates.items():
        got_hz = got or 0.0
        figures.append(Figure(f"{name}, rate got", got_hz, f"Hz of {asked_hz:g} asked"))
        figures.append(Figure(f"{name}, off by", 100 * abs(got_hz / asked_hz - 1), "%", 1.0))
    unexplained = sum(
        abs(m.released - m.finished - sum(m.drops.values()) - m.under_way) for m in outcome.modules.values()
    )
    figures.append(Figure("drops without a reason", unexplained, "", 0.0))
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
