"""Chunks from real compiled flows: joined without a seam, with as many steps as there is time for."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.bundle import LockedEntry, LockedMachineCode, LockedModule, host
from polyrhythm.bundle.lock import LockedTensor
from polyrhythm.robots import TensorSpec
from polyrhythm.runtime import Runtime, check
from polyrhythm.runtime.plan import Checked
from polyrhythm.schedule.events import Hold
from tests.cli.bundles import make_bundle
from tests.runtime.flow import MANIFEST, Flown, checked, compiled, opened, slowed
from tests.runtime.said import rendered
from tests.runtime.test_contexts import At

BOTH = pytest.mark.parametrize("lockstep", [True, False], ids=["lockstep", "real time"])
MODULE = "    rate_hz: 20\n    cost_ms: [1, 2, 1]\n"
STEPS = "    steps: { full: 5, fast: 1 }\n"
DT = "  - { from: runtime.dt, to: head.dt }\n"
BETA = ("to: head.dt }\n", "to: head.dt }\n  - { from: runtime.beta, to: head.beta }\n")


@pytest.fixture(scope="module")
def flow(tmp_path_factory) -> Path:
    return compiled(tmp_path_factory.getbasetemp() / "flow")


def mode(name: str) -> tuple[str, str]:
    return "mode: rtc", f"mode: {name}"


def rtc(text: str) -> tuple[str, str]:
    return "    rate_hz: 20\n", f"    rate_hz: 20\n    rtc: {{ {text} }}\n"


def guided(method: str) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("[start, step, finish]", f"[start, step_{method}, finish]"), BETA


def flown(flow, tmp_path, *changes, length=120, **options):
    """The robot after one run, and the outcome."""
    robot = Flown(length)
    with opened(flow, tmp_path, *changes) as runtime:
        outcome = runtime.run(robot, **{"episodes": 1, "lockstep": True} | options)
    assert outcome.reason == "complete"
    return robot, outcome


# -- joined --------------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("name", ["rtc", "pipelined_rtc"])
def test_a_chunk_continues_what_is_executed_tick_by_tick(flow, tmp_path, name, lockstep):
    """Cases 11 and 12: chunk after chunk, what it was told to continue is what is executed."""
    robot, outcome = flown(flow, tmp_path, mode(name), length=80, lockstep=lockstep)
    assert [tick for tick, _ in robot.entries] == list(range(80))
    assert all(action[0] == tick and action[1] == 0 for tick, action in robot.moves)
    assert outcome.boundaries.count >= 3
    assert max(action[4] for _, action in robot.moves) > 1, "something was continued"
    if lockstep:  # else it depends on what else the machine does
        assert [tick for tick, _ in robot.moves] == list(range(robot.moves[0][0], 80)), "no boundary is felt"
        assert outcome.boundaries.count >= 10 and outcome.boundaries.stalled_ticks == 0
        assert all(action[4] > 1 for tick, action in robot.moves if tick > 30)


@pytest.mark.parametrize("name", ["sequential", "pipelined", "parallel"])
def test_without_real_time_chunking_the_newest_chunk_plays(flow, tmp_path, name):
    robot, outcome = flown(flow, tmp_path, mode(name))
    assert len(robot.moves) > 100 and outcome.modules["head"].finished > 15
    assert all(action[0] == tick and action[4] == 0 for tick, action in robot.moves)


@BOTH
def test_buffered_chunks_play_whole_and_are_told_to_continue_nothing(flow, tmp_path, lockstep):
    robot, outcome = flown(flow, tmp_path, rtc("swap: boundary"), length=90, lockstep=lockstep)
    rows = [action[0] for _, action in robot.moves]
    assert len(rows) >= (80 if lockstep else 36)
    for begin in range(0, len(rows), 12):
        chunk = rows[begin : begin + 12]
        assert chunk == [chunk[0] + i for i in range(len(chunk))]
    assert all(action[4] == 0 for _, action in robot.moves)
    assert outcome.boundaries.count == (len(rows) - 1) // 12
    assert outcome.boundaries.stalled_ticks == 0 or not lockstep


def test_a_new_episode_continues_nothing_of_the_last(flow, tmp_path):
    class Twice(Flown):
        firsts = ()

        def act(self, action):
            if all(taken is None for _, taken in self.entries):
                self.firsts = (*self.firsts, tuple(action.tolist()))
            return super().act(action)

    robot = Twice(60)
    with opened(flow, tmp_path) as runtime:
        runtime.run(robot, episodes=3, lockstep=True)
    assert len(robot.firsts) == 3
    assert all(action[4] == 0 for action in robot.firsts)
    assert len({action[3] for action in robot.firsts}) == 3, "each with noise of its own"


@pytest.mark.parametrize("method", ["identity", "vjp"])
def test_guided_chunks_are_nearer_to_what_is_played(flow, tmp_path, method):
    """The flow makes something else of fresh noise each time, and less so if guided."""
    gaps = []
    for changes in ((), guided(method)):
        robot, _ = flown(flow, tmp_path, *changes, rtc("overlap_end: 7, schedule: ones"), length=400)
        late = [action for tick, action in robot.moves if tick > 30]
        assert all(action[4] >= 6 and action[1] == 0 for action in late)
        gaps.append(np.mean([action[5] for action in late]))
    assert gaps[1] < 0.5 * gaps[0], gaps


@pytest.mark.parametrize("method", ["identity", "hard"])
def test_inpaint_none_turns_guidance_off(flow, tmp_path, method):
    robot, _ = flown(flow, tmp_path, *guided(method), rtc("inpaint: none"))
    assert len(robot.moves) > 100 and all(action[4] == 0 for _, action in robot.moves)


def test_what_knows_given_ticks_only_is_given_whole_ticks(flow, tmp_path):
    """`hard` with the schedule `exp`: every weight is 0 or 1, and those ticks are hit."""
    robot, _ = flown(flow, tmp_path, *guided("hard"), rtc("inpaint: hard, schedule: exp"), length=200)
    late = [action for tick, action in robot.moves if tick > 30]
    assert {action[4] for action in late} <= {1.0, 2.0, 3.0}
    assert max(action[5] for action in late) < 1e-4


# -- as many steps as fit ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("deadline", "n"), [("", 5), (" deadline_ms: 8.5", 3), (" deadline_ms: 4.5", 1)])
def test_the_module_is_fed_one_over_the_steps_taken(flow, tmp_path, deadline, n):
    """1 ms before the steps, 2 ms each, 1 ms after: (n - 1) / 2n is what the velocity t adds up to."""
    changes = [(MODULE, MODULE + f"   {deadline}\n")] if deadline else []
    robot, _ = flown(flow, tmp_path, *changes)
    assert len(robot.moves) > 100
    for _, action in robot.moves:
        assert action[2] == pytest.approx((n - 1) / (2 * n), abs=1e-6)


def test_two_steps_of_five_are_two_steps_bit_for_bit(flow, tmp_path):
    """Fewer steps are the same machine code on the same tensors as a manifest that names just those."""
    short = (MODULE, MODULE + "    deadline_ms: 6.5\n")
    few, _ = flown(flow, tmp_path, short)
    unrolled, _ = flown(
        flow, tmp_path, (STEPS, ""), (DT, ""), ("[start, step, finish]", "[start_half, step, step, finish]"),
        ("cost_ms: [1, 2, 1]\n", "cost_ms: [1, 2, 2, 1]\n    deadline_ms: 6.5\n"),
    )  # fmt: skip
    # (The sum of weights is another: the delay that is expected at first is planned with all steps.)
    assert [(tick, action[:4]) for tick, action in few.moves] == [
        (tick, action[:4]) for tick, action in unrolled.moves
    ]
    assert len({action[3] for _, action in few.moves}) > 80


def test_a_loop_may_be_the_first_stage(flow, tmp_path):
    """Its noise is new for every job, however many steps are left out."""
    heading = ("entry: [start, step, finish]\n", "entry: [jump, land]\n")
    links = MANIFEST[MANIFEST.index("  - { from: runtime.noise") : MANIFEST.index("  - { from: head.chunk")]
    change = links, "  - { from: runtime.noise, to: head.x }\n" + DT
    made = {}
    for deadline in (50, 2):
        timing = (MODULE, f"    rate_hz: 20\n    cost_ms: [2, 1]\n    deadline_ms: {deadline}\n")
        if deadline == 2:
            timing = (timing[0], timing[1].replace("[2, 1]", "[1.5, 0.5]"))
        robot, _ = flown(flow, tmp_path, heading, change, timing)
        assert all(action[0] == tick for tick, action in robot.moves)
        made[deadline] = [action[3] for _, action in robot.moves]
        assert len(set(made[deadline])) == len(made[deadline]), "no chunk is made of the noise of another"
    assert made[50] != made[2]


# -- told before, measured after -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("buffers", "cost_ms", "stall_ms"), [(2, 76, 0), (3, 76, 0), (2, 144, 24), (3, 144, 24), (1, 76, 76)]
)
def test_what_check_says_of_stalls_is_what_happens(flow, tmp_path, snapshot, buffers, cost_ms, stall_ms):
    """A chunk plays for 120 ms."""
    timing = f"rate_hz: 5\n    rtc: {{ swap: boundary, buffer_depth: {buffers} }}\n    cost_ms: "
    changes = ("steps: { full: 5, fast: 1 }", "steps: 1"), ("rate_hz: 20\n    cost_ms: ", timing)
    costly = checked(flow, tmp_path, *changes, ("[1, 2, 1]", f"[2, {cost_ms - 4}, 2]"))
    said = [d for d in costly.diagnostics if d.code == "PC016"]
    assert len(said) == (stall_ms > 0)
    if said:
        assert not said[0].is_error
        assert f"stalls for {stall_ms} ms at every boundary" in said[0].message
        assert rendered(said, tmp_path / "bundle") == snapshot
    with opened(flow, tmp_path, *changes, cost_ms=cost_ms) as runtime:
        account = runtime.run(Flown(600), episodes=1, lockstep=True).boundaries
    assert account.count > 20
    if not stall_ms:
        assert account.stalled_ticks == 0
    else:
        assert stall_ms - 10 <= account.stalled_ticks * 10 / account.count <= stall_ms + 10
        assert account.longest_stall_ticks * 10 <= stall_ms + 10


@pytest.mark.parametrize("late", ["hold", "decelerate", "stop"])
def test_when_chunks_run_out(flow, tmp_path, late):
    """Chunks of 120 ms that take 200."""
    options = f"rate_hz: 20\n    rtc: {{ swap: boundary, late: {late}, decelerate_ms: 50 }}\n"
    changes = ("rate_hz: 20\n", options), ("shape: [6] }\n", "shape: [6], kind: velocity }\n")
    robot = Flown(100)
    with opened(flow, tmp_path, *changes, cost_ms=200) as runtime:
        outcome = runtime.run(robot, episodes=1, lockstep=True)
    first = robot.moves[0][0]
    if late == "stop":
        assert outcome.reason == "the action chunks ran out (late: stop)"
        assert len(robot.entries) == first + 12 + 1
        return
    assert outcome.reason == "complete"
    gap = [action for _, action in robot.entries[first + 12 : first + 20]]
    if late == "hold":
        assert gap == [None] * 8
    else:
        last = np.array(robot.entries[first + 11][1])
        np.testing.assert_allclose(gap[:5], [last * (4 - i) / 5 for i in range(5)], atol=1e-5)
        assert gap[5:] == [None] * 3
    assert outcome.boundaries.longest_stall_ticks == 8


def test_no_action_steps_beyond_the_limit(flow, tmp_path):
    robot, outcome = flown(flow, tmp_path, rtc("max_step: [1, 1, 1, 0.05, 100, 100]"), length=300)
    made = [action[3] for _, action in robot.moves]
    assert max(abs(b - a) for a, b in pairwise(made)) <= 0.05 * (1 + 1e-5)
    account = outcome.boundaries
    assert account.limited[3] > 0 and account.limited_inside[3] > 0
    assert account.limited[0] == account.limited_inside[0] == 0
    assert account.largest_step[3] == pytest.approx(0.05)


def test_another_context_brings_its_own_limit(flow, tmp_path):
    """Only the other bundle allows 0.05 in one number."""
    (tmp_path / "other").mkdir()
    other = checked(flow, tmp_path / "other", rtc("max_step: [1, 1, 1, 0.05, 100, 100]")).plan
    robot = Flown(300)
    with opened(flow, tmp_path) as runtime:
        spare = runtime.load(other)
        assert spare.wait("loaded", timeout_s=20) == "loaded"
        watch = At((150, lambda: runtime.switch(spare)))
        outcome = runtime.run(robot, episodes=1, lockstep=True, listeners=[watch])
        assert runtime.live is spare
    made = [(tick, action[3]) for tick, action in robot.moves]
    steps = [(tick, abs(b - a)) for (_, a), (tick, b) in pairwise(made)]
    assert max(step for tick, step in steps if tick < 150) > 0.1
    assert max(step for tick, step in steps if tick > 151) <= 0.05 * (1 + 1e-5)
    assert outcome.boundaries.count > 20


def test_a_robot_that_holds_is_not_set_in_motion_by_another_context(flow, tmp_path):
    """Chunks of 120 ms that take 200; in the pause a context with `late: decelerate` takes over."""
    (tmp_path / "other").mkdir()
    late = "swap: boundary, decelerate_ms: 100, late: "
    other = checked(flow, tmp_path / "other", rtc(late + "decelerate")).plan
    robot = Flown(100)
    with opened(flow, tmp_path, rtc(late + "hold"), cost_ms=200) as runtime:
        spare = runtime.load(other)
        assert spare.wait("loaded", timeout_s=20) == "loaded"
        watch = At((76, lambda: runtime.switch(spare)), answer=Hold)
        runtime.run(robot, episodes=1, lockstep=True, listeners=[watch])
    moved = [action is not None for _, action in robot.entries]
    assert moved[72:] == [True] * 2 + [False] * 10 + [True] * 16


def test_chunks_that_come_wholly_late_are_counted_and_nothing_breaks(flow, tmp_path):
    robot = Flown(200)
    with opened(flow, tmp_path, cost_ms=140) as runtime:
        outcome = runtime.run(robot, episodes=1, lockstep=True)
    assert outcome.reason == "complete"
    assert outcome.drops["head.chunk"]["wholly_late"] > 5


# -- what check refuses --------------------------------------------------------------------------------------

REFUSED = {
    "PC013 no steps": [(STEPS, "")],
    "PC013 no dt": [(DT, "")],
    "PC013 two stages": [
        ("[start, step, finish]", "[start, step, step, finish]"), ("[1, 2, 1]", "[1, 2, 2, 1]"),
    ],
    "PC014 no guided stage": [rtc("inpaint: guided")],
    "PC014 another method": [*guided("identity"), rtc("inpaint: trained")],
    "PC014 the other jacobian": [*guided("identity"), rtc("inpaint: guided, jacobian: vjp")],
    "PC014 a mode without": [*guided("identity"), rtc("inpaint: guided"), mode("parallel")],
    "PC015 too slow": [("[1, 2, 1]", "[1, 12, 1]"), ("rate_hz: 20\n", "rate_hz: 20\n    deadline_ms: 200\n")],
    "PC015 too seldom": [("rate_hz: 20\n", "rate_hz: 5\n")],
    "PC015 now and then nine ticks": [("rate_hz: 20\n", "rate_hz: 11.9\n"), ("[1, 2, 1]", "[1, 3.6, 1]")],
    "PC017": [rtc("max_step: [1, 2]")],
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_check_refuses(flow, tmp_path, snapshot, name):
    result = checked(flow, tmp_path, *REFUSED[name])
    assert result.plan is None
    assert name.split()[0] in {d.code for d in result.diagnostics if d.is_error}
    assert rendered(result.diagnostics, tmp_path / "bundle") == snapshot


SINGLE = """\
robot:
  use: gymnasium
  control_hz: 100
  action: { dtype: f32, shape: [6] }
devices:
  cpu: { driver: "null", uri: immediate }
orchestration:
  modules:
  - { id: pilot, vmfb: pilot.vmfb, rate_hz: 20, cost_ms: 1 }
  links:
  - { from: runtime.INPUT, to: pilot.last }
  - { from: pilot.action, to: robot.action }
"""


def piloted(root: Path, text: str, *tensors: LockedTensor) -> Checked:
    """What `check` says of a bundle whose one module has these inputs, and the last of them as its output."""
    pilot = LockedModule(
        machine_code=LockedMachineCode(arch=host().arch, cpu="generic"),
        loaded_bytes=0,
        entries={"main": LockedEntry(inputs=list(tensors[:-1]), outputs=[tensors[-1]])},
    )
    return check(make_bundle(root, text, {"pilot.vmfb": pilot}))


@pytest.mark.parametrize("name", ["previous", "weights"])
def test_single_actions_continue_nothing(tmp_path, snapshot, name):
    """Whatever the shape of the input: there is nothing to line up."""
    last, action = (LockedTensor(name=name, dtype="f32", shape=[6]) for name in ("last", "action"))
    result = piloted(tmp_path / "bundle", SINGLE.replace("INPUT", name), last, action)
    assert result.plan is None
    assert rendered([d for d in result.diagnostics if d.is_error], tmp_path / "bundle") == snapshot


class Steered(Flown):
    """A diary for one whole number."""

    spec = replace(Flown.spec, action=TensorSpec("u8", (1,)))


def test_whole_numbers_fade_to_the_end_of_their_type(tmp_path):
    """Chunks of 30 ms that take 200."""
    text = SINGLE.replace("  - { from: runtime.INPUT, to: pilot.last }\n", "")
    text = text.replace("f32, shape: [6]", "u8, shape: [1]").replace("modules:", "mode: rtc\n  modules:")
    rtc = "rtc: { swap: boundary, late: decelerate, decelerate_ms: 50 }"
    text = text.replace("cost_ms: 1", f"cost_ms: 1, {rtc}")
    action = LockedTensor(name="action", dtype="u8", shape=[3, 1])
    plan, robot = slowed(piloted(tmp_path / "bundle", text, action).plan, 200), Steered(60)
    with Runtime(plan) as runtime:
        for chunk in runtime.storage.links["pilot.action"].arrays:
            chunk[:, 0] = 61, 35, 9  # a null device leaves it as it is
        runtime.run(robot, episodes=1, lockstep=True)
    first = robot.moves[0][0]
    told = [None if action is None else action[0] for _, action in robot.entries[first : first + 9]]
    assert told == [61, 35, 9, 0, 0, 0, 0, 0, None]


@pytest.mark.parametrize(
    "changes",
    [
        [*guided("identity"), rtc("inpaint: guided")],
        [*guided("vjp"), rtc("inpaint: guided, jacobian: vjp")],
        [*guided("hard"), rtc("inpaint: hard")],
        [*guided("hard"), rtc("inpaint: none")],
        [*guided("identity"), mode("pipelined_rtc")],
        [rtc("inpaint: none"), mode("parallel")],
        [rtc("max_step: 0.1")],
    ],
)
def test_check_has_nothing_against(flow, tmp_path, changes):
    assert not [d for d in checked(flow, tmp_path, *changes).diagnostics if d.is_error]


@pytest.mark.parametrize(
    "changes",
    [
        [rtc("schedule: ones, overlap_end: 3, beta: 30")],
        [*guided("hard"), rtc("schedule: exp, beta: 3")],
        [*guided("identity"), rtc("swap: boundary, overlap_end: 3")],
    ],
)
def test_numbers_that_change_nothing_are_noted(flow, tmp_path, snapshot, changes):
    result = checked(flow, tmp_path, *changes)
    assert result.plan is not None
    assert rendered([d for d in result.diagnostics if d.code == "PC014"], tmp_path / "bundle") == snapshot


@pytest.mark.parametrize(
    ("order", "read", "idle"),
    [
        ("start, step, finish", "chunk", []),
        ("start, finish, step", "chunk", ["step"]),
        ("start, step, finish", "x", ["finish"]),
    ],
)
def test_a_stage_that_nothing_comes_of_is_noted(flow, tmp_path, snapshot, order, read, idle):
    """The steps read each other, but nobody reads the last one."""
    text = "entry: [start, step, finish]", f"entry: [{order}]"
    result = checked(flow, tmp_path, text, ("head.chunk", f"head.{read}"))
    found = [d for d in result.diagnostics if d.code == "PC025"]
    assert [d.value for d in found] == idle
    assert rendered(found, tmp_path / "bundle") == snapshot
