"""Power profiles: what a switch does to ticks, jobs and chunks, by tables and in random worlds."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import cycle
from math import floor
from pathlib import Path

import pytest
from hypothesis import given, seed
from hypothesis import strategies as st

from polyrhythm.chunks import PlayerPlan
from polyrhythm.schedule import Grid, Loop, Mode, ModulePlan, Overrun, Profile, SchedulePlan
from polyrhythm.schedule.events import (
    EpisodeEnd,
    Finish,
    Launch,
    ProfileSet,
    Publish,
    SetProfile,
    Start,
)
from polyrhythm.simulate.audit import Auditor
from polyrhythm.simulate.audit.bounds import Proven
from polyrhythm.simulate.harness import Harness, replayed
from polyrhythm.simulate.piece import Piece
from polyrhythm.simulate.terse import MS, S, module, plan_of
from polyrhythm.simulate.worlds import World
from tests.schedule.strategies import (
    chunk_plans,
    giving_way_plans,
    plans,
    powered,
    scenes,
    switching,
    takes_turns,
)
from tests.schedule.test_chunks import head as chunk_maker
from tests.schedule.test_chunks import robot
from tests.schedule.test_properties import played

PAGE = Path(__file__).parents[2] / "docs" / "concepts" / "power.md"


def under(plan: SchedulePlan, **profiles: dict[str, ModulePlan | None]) -> SchedulePlan:
    """The plan with a profile that changes nothing, and others."""
    found = {"normal": Profile()} | {name: Profile(modules) for name, modules in profiles.items()}
    return replace(plan, profiles=found, profile="normal")


def audited(plan: SchedulePlan, cost: Callable[[Launch], int] | None = None) -> Harness:
    return Harness(plan, cost, watch=[Auditor(plan).audit])


def ask(harness: Harness, at_ms: int, name: str) -> None:
    harness.at(at_ms * MS, partial(SetProfile, name=name))


def released_ms(harness: Harness, name: str) -> list[float]:
    """When the ticks were released that ended well."""
    return [c.release_ns / MS for _, c in harness.all(Finish) if isinstance(c, Finish) and c.module == name]


def in_force(harness: Harness) -> list[tuple[float, str]]:
    return [(at_ns / MS, c.name) for at_ns, c in harness.all(ProfileSet) if isinstance(c, ProfileSet)]


def rows_of(name: str) -> list[dict[str, str]]:
    """The table below a heading of the page."""
    section = PAGE.read_text().split(f"### `{name}`\n")[1]
    lines = re.findall(r"^\|(.*)\|$", section.split("\n#")[0], re.MULTILINE)
    header, _, *body = [[cell.strip() for cell in line.split("|")] for line in lines]
    return [dict(zip(header, row, strict=True)) for row in body]


@pytest.mark.parametrize("mode", list(Mode))
def test_the_tables_are_what_happens(mode: Mode) -> None:
    eyes, hobby = module("eyes", 100, 1), module("hobby", 50, 1, device="e", rank=1)
    plan = under(plan_of(eyes, hobby, mode=mode), saver={"eyes": module("eyes", 40, 1), "hobby": None})
    harness = audited(plan).start()
    ask(harness, 34, "saver")
    ask(harness, 101, "normal")
    harness.run(129 * MS)
    for name, period_ms in (("eyes", None), ("hobby", "20")):
        rows = rows_of(name)
        runs = [row for row in rows if row["fate"] == "runs"]
        assert [float(row["released"]) for row in runs] == released_ms(harness, name)
        assert [int(row["tick"]) for row in rows] == list(range(len(rows)))
        assert harness.scheduler.drops[name, "profile"] == len(rows) - len(runs)
        nexts = [*rows[1:], {"released": "135" if period_ms is None else "140"}]
        for row, following in zip(rows, nexts, strict=True):
            assert int(row["period"]) == int(following["released"]) - int(row["released"])
    assert in_force(harness) == [(40, "saver"), (120, "normal")]


def test_what_waits_is_dropped_and_what_is_under_way_ends() -> None:
    """Two stages of 15 ms on a grid of 10 ms: at 22 ms the second runs, and a tick waits."""
    slow = module("slow", 100, stages=("a", "b"), costs_ns=(15 * MS, 15 * MS))
    harness = audited(under(plan_of(slow), off={"slow": None})).start()
    ask(harness, 22, "off")
    harness.run(25 * MS)
    assert harness.scheduler.drops == {("slow", "overrun"): 1, ("slow", "profile"): 1}
    assert in_force(harness) == [(22, "off")]
    harness.run(S)
    assert released_ms(harness, "slow") == [0]
    assert [at_ns / MS for at_ns, _ in harness.all(Finish)] == [30]
    assert harness.scheduler.wakeup_ns() is None, "nobody wakes up for what does not run"
    assert harness.scheduler.modules[0].unexplained == 0


def test_ticks_that_did_not_happen_are_counted_when_somebody_looks() -> None:
    harness = audited(under(plan_of(module("m", 100)), off={"m": None})).start()
    ask(harness, 15, "off")
    harness.run(105 * MS)
    assert harness.scheduler.drops == {}
    ask(harness, 105, "normal")
    harness.run(109 * MS)
    assert harness.scheduler.drops == {("m", "profile"): 9}
    ask(harness, 115, "off")
    harness.at(148 * MS, EpisodeEnd)
    harness.run(S)
    assert harness.scheduler.drops == {("m", "profile"): 9 + 3}
    assert released_ms(harness, "m") == [0, 10, 110]


def test_ticks_that_caught_up_keep_their_release() -> None:
    """At 45 ms four ticks wait; the new grid does not move them."""
    late = module("m", 100, on_overrun=Overrun.CATCH_UP)
    plan = under(plan_of(late), slow={"m": replace(late, period_ns=Fraction(100 * MS))})
    harness = audited(plan, lambda launch: 50 * MS if launch.tick == 0 else MS).start()
    ask(harness, 45, "slow")
    harness.run(200 * MS)
    assert released_ms(harness, "m") == [0, 10, 20, 30, 40, 50, 150]


@pytest.mark.parametrize("mode", [Mode.PARALLEL, Mode.SEQUENTIAL])
def test_fewer_steps_begin_with_the_next_first_step(mode: Mode) -> None:
    """A stage, then up to five steps of which one is enough; at 22 ms job 1 takes its second step."""
    flow = module("flow", 50, stages=("a", *"steps"), costs_ns=(MS,) * 6, loop=Loop(1, 5, 1))
    few = replace(flow, loop=replace(flow.loop, most=2))
    harness = audited(under(plan_of(flow, mode=mode), few={"flow": few})).start()
    ask(harness, 22, "few")
    harness.run(79 * MS)
    taken = [sum(c.job == job for _, c in harness.all(Launch) if isinstance(c, Launch)) for job in range(4)]
    assert taken == [6, 6, 3, 3]
    ask(harness, 80, "normal")
    harness.run(119 * MS)
    taken = [sum(c.job == job for _, c in harness.all(Launch) if isinstance(c, Launch)) for job in (4, 5)]
    assert taken == [6, 6], "the switch comes before the release of its own instant"


def test_other_costs_are_expected_at_once() -> None:
    """Four steps of 2 ms fit 10 ms; at twice the cost two do, and nobody has to be late to learn that."""
    flow = module("flow", 50, deadline_ns=10 * MS, stages=tuple("steps"), costs_ns=(2 * MS,) * 5,
                  loop=Loop(0, 5, 1))  # fmt: skip
    hot = replace(flow, costs_ns=(4 * MS,) * 5)
    harness = audited(under(plan_of(flow), hot={"flow": hot})).start()
    ask(harness, 30, "hot")
    harness.run(119 * MS)
    steps = [c.skipped for _, c in harness.all(Launch) if isinstance(c, Launch) and c.stage == 4]
    assert steps == [0, 0, 3, 3, 3, 3]
    assert harness.scheduler.modules[0].late == 0


def test_chunks_are_planned_to_take_what_the_profile_says() -> None:
    """One tick is measured; from the switch on, and in a run that begins under the profile, it is four."""
    maker = replace(chunk_maker(10, 8, 30), on_demand=False)
    plan = under(robot(maker), hot={"head": replace(maker, costs_ns=(38 * MS,))})

    def delays(harness: Harness, from_ms: int) -> list[int]:
        found = [(at_ns, c.splice) for at_ns, c in harness.all(Launch) if isinstance(c, Launch)]
        return [splice.delay for at_ns, splice in found if splice is not None and at_ns >= from_ms * MS]

    switched = Harness(plan)
    ask(switched, 350, "hot")
    assert delays(switched.start().run(S), 0)[1:] == [1, 1, 1, 4, 4, 4, 4, 4, 4, 4]
    begun = Harness(plan)
    begun.give(SetProfile(0, "hot"))
    assert delays(begun.start().run(S), 0)[0] == 4


def test_the_last_to_be_asked_for_wins_and_asking_again_changes_nothing() -> None:
    m = module("m", 100)
    plan = under(plan_of(m), a={"m": module("m", 50)}, b={"m": module("m", 20)})
    harness = audited(plan).start()
    for at_ms, name in ((12, "a"), (13, "b"), (14, "b"), (71, "b")):
        ask(harness, at_ms, name)
    harness.run(160 * MS)
    assert released_ms(harness, "m") == [0, 10, 20, 70, 120]
    assert in_force(harness) == [(20, "b")]


def test_a_profile_is_in_force_with_the_first_release_under_it_whatever_was_asked_for_before() -> None:
    """`least` says of vlm what `saver`, asked for just before, has said already."""
    vlm, slow = module("vlm", 10), module("vlm", 5)
    plan = under(plan_of(vlm, module("hobby", 100)), saver={"vlm": slow}, least={"vlm": slow, "hobby": None})
    harness = audited(plan).start()
    ask(harness, 12, "saver")
    ask(harness, 13, "least")
    harness.run(S)
    assert in_force(harness) == [(100, "least")]


def test_where_a_grid_waits_for_a_job_so_does_the_profile() -> None:
    slow = module("m", 10, on_overrun=Overrun.SHIFT)
    plan = under(plan_of(slow), saver={"m": replace(slow, period_ns=2 * slow.period_ns)})
    harness = audited(plan, lambda launch: (0 if launch.tick else 700) * MS).start()
    ask(harness, 250, "saver")
    harness.run(S)
    assert in_force(harness) == [(700, "saver")] and released_ms(harness, "m") == [0, 700, 900]


def test_an_episode_begins_with_the_profile_of_the_last() -> None:
    plan = under(plan_of(module("m", 100), module("n", 100)), a={"m": module("m", 50), "n": None})
    harness = audited(plan).start()
    ask(harness, 12, "a")
    harness.at(15 * MS, EpisodeEnd)
    harness.at(31 * MS, Start)
    harness.run(80 * MS)
    assert in_force(harness) == [(15, "a")], "between episodes it is in force at once"
    assert released_ms(harness, "m") == [0, 10, 31, 51, 71]
    assert released_ms(harness, "n") == [0, 10]


def test_a_run_may_begin_under_any_profile() -> None:
    plan = replace(under(plan_of(module("m", 100)), off={"m": None}), profile="off")
    harness = audited(plan).start().run(45 * MS)
    assert harness.all(Launch) == []
    ask(harness, 45, "normal")
    harness.run(59 * MS)
    assert released_ms(harness, "m") == [50]
    assert harness.scheduler.drops == {("m", "profile"): 5}


def test_grids_that_change_stay_exact() -> None:
    """Against sums of fractions, over changes among periods that are no whole numbers."""
    rng = random.Random(1)
    periods = [Fraction(10**9, 3), Fraction(10**9, 7), Fraction(5), Fraction(10**9), Fraction(10**10, 13)]
    for _ in range(300):
        grid = Grid(rng.choice(periods), rng.randrange(100))
        exact, k = Fraction(grid.anchor_ns), 0
        for _ in range(20):
            for _ in range(rng.randrange(1, 5)):
                exact, k = exact + grid.period_ns, k + 1
                assert grid.at(k) == floor(exact)
                assert grid.last_at_or_before(grid.at(k)) == k == grid.last_at_or_before(grid.at(k) - 1) + 1
            grid = grid.changed(k, rng.choice(periods))
            assert grid.at(k) == floor(exact)


# -- random worlds ------------------------------------------------------------------------------------------


def play(plan: SchedulePlan, world: World) -> None:
    """Under audit; and no chunk is lost: each that was made is handed on, none is dropped by a profile."""
    harness = world.play(plan)
    for m in plan.modules:
        if m.chunk is not None:
            made = sum(c.module == m.id for _, c in harness.all(Finish) if isinstance(c, Finish))
            given = sum(c.port == m.chunk[0] for _, c in harness.all(Publish) if isinstance(c, Publish))
            assert made == given
            assert harness.scheduler.drops[m.id, "profile"] == 0


@played(80)
@given(powered(plans()), switching())
def test_every_rule_holds_whatever_profile(plan: SchedulePlan, world: World) -> None:
    play(plan, world)


@played(80)
@given(powered(giving_way_plans()), switching())
def test_nobody_cuts_in_on_its_own_stages_whatever_they_cost_now(plan: SchedulePlan, world: World) -> None:
    play(plan, world)


@played(40)
@given(powered(chunk_plans()), switching())
def test_no_chunk_is_lost_whatever_profile(plan: SchedulePlan, world: World) -> None:
    play(plan, world)


@played(40)
@given(powered(plans()), switching(), scenes(), st.data())
def test_every_rule_holds_while_contexts_take_turns(plan, world, scene, data) -> None:
    """The profile holds for all of them; those that know none of its name run as they were planned."""
    others = [data.draw(takes_turns(plan)) for _ in range(data.draw(st.integers(1, 2)))]
    world.play(plan, *others, scenes=scene)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(40))
def test_ten_thousand_worlds(part: int) -> None:
    """250 in each part, from a seed of its own."""
    for made, count in ((plans(), 150), (chunk_plans(), 100)):

        @seed(part)
        @played(count, derandomize=False)
        @given(powered(made), switching())
        def each(plan: SchedulePlan, world: World) -> None:
            play(plan, world)

        each()


@played(10)
@given(powered(plans()), switching())
def test_the_same_switches_give_the_same_commands(plan: SchedulePlan, world: World) -> None:
    log = world.play(plan).log
    assert replayed(plan, log) == [step.commands for step in log]


# -- what is proven of changes ------------------------------------------------------------------------------


def changing(plan: SchedulePlan, proven: Proven) -> tuple[Harness, Auditor]:
    """The profile changes every 37 ms, for 3 s."""
    auditor = Auditor(plan, proven)
    harness = Harness(plan, watch=[auditor.audit]).start()
    for turn, name in zip(range(80), cycle([*plan.profiles][::-1])):
        ask(harness, 37 * (turn + 1), name)
    return harness.run(3 * S), auditor


def test_bounds_are_judged_while_profiles_change() -> None:
    """The next change comes before the last one is in force, and every response is held to what is proven of
    changes."""
    quick, slow = module("quick", 50, 4), module("slow", 8, 20, priority=1, deadline_ns=80 * MS)
    dear = {"quick": replace(quick, costs_ns=(6 * MS,)), "slow": replace(slow, period_ns=S / Fraction(4))}
    plan = under(plan_of(quick, slow), saver=dear, least={"slow": None})
    harness, auditor = changing(plan, Piece("", (plan,), PlayerPlan(), ()).proven)
    assert auditor.judged == len(harness.all(Finish)) > 150
    assert auditor.worst["quick"][1] == 26 * MS, "behind a stage of slow, at the larger cost"


def test_who_is_late_in_a_change_that_was_called_proven_is_noticed() -> None:
    head = module("head", 10, stages=("step",) * 10, costs_ns=(10 * MS,) * 10, loop=Loop(0, 10, 2))
    plan = under(plan_of(head), saver={"head": replace(head, costs_ns=(16 * MS,) * 10)})
    proven = Piece("", (plan,), PlayerPlan(), ()).proven
    changing(plan, proven)
    with pytest.raises(AssertionError, match="its bound is 100000000 ns"):
        changing(plan, lambda plan, profile: proven(plan, profile)._replace(keep=frozenset({"head"})))
