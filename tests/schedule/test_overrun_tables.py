"""The tick tables of ``docs/concepts/overrun.md`` are what the scheduler does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from polyrhythm.schedule import CATCH_UP_LIMIT, Mode, Overrun
from polyrhythm.schedule.events import Drop, Finish, Launch, Wake
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of

PAGE = Path(__file__).parents[2] / "docs" / "concepts" / "overrun.md"


def rows_of(policy: Overrun) -> list[dict[str, str]]:
    """The table below the heading of a policy."""
    section = PAGE.read_text().split(f"### `{policy.value}`\n")[1]
    lines = re.findall(r"^\|(.*)\|$", section.split("\n#")[0], re.MULTILINE)
    header, _, *body = [[cell.strip() for cell in line.split("|")] for line in lines]
    return [dict(zip(header, row, strict=True)) for row in body]


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("policy", list(Overrun))
def test_the_table_is_what_happens(policy: Overrun, mode: Mode) -> None:
    rows = rows_of(policy)
    plan = plan_of(module("m", 100, on_overrun=policy), mode=mode)
    harness = Harness(plan, lambda launch: (25 if launch.job == 1 else 4) * MS)
    harness.start().run(59 * MS)
    started = {c.tick: at for at, c in harness.all(Launch) if isinstance(c, Launch)}
    ended = {c.tick: (at, c) for at, c in harness.all(Finish) if isinstance(c, Finish)}
    seen = [
        {
            "tick": str(tick),
            "released": f"{finish.release_ns / MS:g}",
            "starts": f"{started[tick] / MS:g}",
            "done": f"{at / MS:g}",
            "deadline": f"{finish.deadline_ns / MS:g}",
            "fate": "late" if at > finish.deadline_ns else "in time",
        }
        for tick, (at, finish) in sorted(ended.items())
    ]
    assert [row for row in rows if row["fate"] != "dropped"] == seen
    dropped = [int(row["tick"]) for row in rows if row["fate"] == "dropped"]
    assert sum(harness.scheduler.drops.values()) == len(dropped)
    assert not set(dropped) & set(started)
    assert [int(row["tick"]) for row in rows] == list(range(len(rows)))


def test_catch_up_lets_64_wait_and_drops_the_oldest() -> None:
    assert CATCH_UP_LIMIT == 64
    harness = Harness(plan_of(module("m", 1000, on_overrun=Overrun.CATCH_UP)), lambda launch: 100 * MS)
    harness.start().run(99 * MS)
    state = harness.scheduler.modules[0]
    assert list(state.pending) == list(range(36, 100))
    assert harness.scheduler.drops == {("m", "overrun"): 35}
    harness.run(S)
    assert len(state.pending) == 64 and not state.unexplained


@pytest.mark.parametrize("policy", list(Overrun))
def test_a_host_that_comes_five_seconds_late(policy: Overrun) -> None:
    plan = plan_of(module("m", 100, 1, on_overrun=policy))
    harness = Harness(plan, stalls=[(11 * MS, 5 * S + 15 * MS)]).start().run(10 * S)
    state = harness.scheduler.modules[0]
    assert not state.isolated and not state.unexplained
    # At 5.015 s the ticks 2 to 501 have passed.
    counted = {
        Overrun.SKIP: {("m", "overrun"): 499},
        Overrun.CATCH_UP: {("m", "overrun"): 500 - 64},
        Overrun.SHIFT: {},
    }
    assert harness.scheduler.drops == counted[policy]


def test_shift_stays_still_once_it_is_isolated() -> None:
    plan = plan_of(module("m", 100, on_overrun=Overrun.SHIFT, max_failures=1, deadline_ns=MS))
    harness = Harness(plan, lambda launch: 2 * S).start().run(5 * S)
    assert harness.scheduler.drops == {("m", "hung"): 1}
    assert harness.scheduler.wakeup_ns() is None
    assert harness.give(Wake(6 * S)) == []
    assert not any(isinstance(c, Drop) for c in harness.log[-1].commands)
