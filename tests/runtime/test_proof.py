"""The proof of time that `check` gives, on real bundles whose costs are written or were measured."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from rich.console import Console

from polyrhythm.bundle import relock
from polyrhythm.manifest import render_all
from polyrhythm.observe.proofs import describe_proof, render_proof
from polyrhythm.runtime import Checked, Runtime, check
from polyrhythm.runtime.planning import sketch
from polyrhythm.runtime.proof import DECLARED, advise, ms, prove_time
from polyrhythm.schedule import Loop, Mode, Overrun
from polyrhythm.schedule.events import Finish
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import module, plan_of
from tests.runtime.robot import Diary
from tests.runtime.said import rendered

MS = 1_000_000
DUAL = Path(__file__).parents[2] / "examples" / "dual_system" / "bundle"

#: The modules of `policy.py` on one device, one launched stage at a time: the page's own example.
CROWDED = """\
robot:
  use: gymnasium
  control_hz: 100
  observations:
    scene: { dtype: f32, shape: [4], rate_hz: 20 }
    clock: { dtype: f32, shape: [1] }
  action: { dtype: f32, shape: [2] }
orchestration:
  mode: parallel
  modules:
  - { id: seer, vmfb: seer.vmfb, rate_hz: 25, cost_ms: 5 }
  - { id: grinder, vmfb: grinder.vmfb, rate_hz: 2, cost_ms: 150 }
  - { id: mover, vmfb: mover.vmfb, entry: [start, finish], rate_hz: 50, cost_ms: [2, 4] }
  links:
  - { from: robot.scene, to: seer.scene }
  - { from: robot.scene, to: grinder.scene }
  - { from: seer.seen, to: mover.seen }
  - { from: robot.clock, to: mover.clock }
  - { from: runtime.noise, to: mover.noise }
  - { from: mover.chunk, to: robot.action }
  qos: { mover: 0, seer: 1, grinder: 2 }
"""

#: Without real-time chunking: whether chunks fit is not asked for.
PLAIN = (
    ("mode: pipelined_rtc", "mode: parallel"),
    ("    rtc: { inpaint: guided, schedule: exp, beta: 2, late: decelerate, max_step: 0.7 }\n", ""),
)


@pytest.fixture
def edited(tmp_path: Path) -> Callable[..., Checked]:
    """Check a copy of a bundle with another manifest, or with some of its text replaced."""

    def run(source: Path, text: str | None = None, *changes: tuple[str, str]) -> Checked:
        root = tmp_path / "bundle"
        shutil.copytree(source, root)
        manifest = root / "manifest.yaml"
        found = manifest.read_text() if text is None else text
        for old, new in changes:
            assert old in found, old
            found = found.replace(old, new)
        manifest.write_text(found)
        relock(root)
        return check(root)

    return run


def codes(checked: Checked) -> list[str]:
    return [d.code for d in checked.diagnostics]


def bounds_ms(checked: Checked) -> dict[str, float | None]:
    assert checked.proof is not None
    return {
        name: None if (ns := m.verdict.bound_ns) is None else ns / MS
        for name, m in checked.proof.modules.items()
    }


def test_a_bundle_that_fits(bundle: Path) -> None:
    """On `slow` each waits for one stage of the other; a chunk is late by its bound and the clock's age."""
    checked = check(bundle)
    proof = checked.proof
    assert proof is not None and checked.plan is not None
    assert proof.complete and not proof.unknown
    assert bounds_ms(checked) == {"seer": 35, "grinder": 35, "mover": 10}
    assert (proof.chunks["mover"].delay, proof.chunks["mover"].stride) == (3, 4)
    assert ("robot.scene", "seer", "mover") in {chain.hops for chain in proof.chains}
    assert f"costs of seer, grinder, mover: {DECLARED}" in proof.assumptions


def test_what_may_be_late_is_an_error_at_the_modules_line(bundle, edited, tmp_path, snapshot) -> None:
    checked = edited(bundle, CROWDED)
    assert checked.plan is None
    assert codes(checked) == ["PC018", "PC018"]
    assert rendered(checked.diagnostics, tmp_path / "bundle") == snapshot


def test_advice_holds(bundle, edited) -> None:
    """14 + 6 are the 20 ms that there are; however finely it is cut, one stage of seer still blocks."""
    checked = edited(bundle, CROWDED)
    proof = checked.proof
    assert proof is not None
    (found,) = advise(proof, "mover").stages
    assert (found.name, found.largest_stage_ns, found.limit_ns) == ("grinder", 14 * MS, 11 * MS)
    assert advise(proof, "mover").largest_cost_ns is None


def test_what_needs_too_much_is_told_once(bundle, edited) -> None:
    checked = edited(bundle, CROWDED, ("cost_ms: 150", "cost_ms: 501"))
    assert codes(checked) == ["PC009", "PC010"]
    assert checked.proof is not None
    assert checked.proof.modules["grinder"].verdict.bound_ns is None


def test_a_module_without_costs_takes_the_bounds_of_its_device_along(bundle, edited) -> None:
    checked = edited(bundle, None, ("cost_ms: 5 }", "}"))
    proof = checked.proof
    assert proof is not None and checked.plan is not None and codes(checked) == []
    assert bounds_ms(checked) == {"mover": 10}
    assert proof.unknown == {
        "seer": "the costs of grinder are not known, which share its queue",
        "grinder": "its costs are not known",
    }
    assert not proof.complete
    by_hops = {chain.hops: chain.end_to_end_ns for chain in proof.chains}
    assert by_hops["seer.seen", "mover"] is None


def test_in_sequential_mode_everybody_shares_one_queue(bundle, edited) -> None:
    checked = edited(bundle, None, ("mode: parallel", "mode: sequential"))
    assert codes(checked) == ["PC018"]
    assert bounds_ms(checked)["mover"] == 45
    checked_proof = checked.proof
    assert checked_proof is not None
    assert "does not help" in advise(checked_proof, "mover").text[0]


def test_a_module_with_steps_to_leave_out_has_to_fit_with_the_fewest(edited) -> None:
    """22 ms and 5 or 2 steps of 5, due after 45: late with all, in time with two."""
    dear = ("cost_ms: [1, 2, 1]", "deadline_ms: 45\n    cost_ms: [11, 5, 11]")
    checked = edited(DUAL, None, dear, *PLAIN)
    proof = checked.proof
    assert proof is not None and codes(checked) == []
    dit = proof.modules["dit"]
    assert (dit.verdict.bound_ns, dit.costs_ns) == (32 * MS, (11 * MS, 5 * MS, 5 * MS, 11 * MS))
    assert dit.full is not None and dit.full.slack_ns == -2 * MS
    assert dit.worst is dit.full


def test_others_count_it_with_all_its_steps(edited) -> None:
    """One device: vlm waits for 12 ms of dit in every 50, not for 6; dit for one stage of vlm."""
    one = (("device: slow", "device: fast"), ("cost_ms: 60", "cost_ms: 39"))
    checked = edited(DUAL, None, *one, *PLAIN)
    assert checked.proof is not None
    assert checked.proof.modules["vlm"].verdict.bound_ns == (39 + 12) * MS + 1
    assert checked.proof.modules["dit"].verdict.bound_ns == (39 + 6) * MS


def test_fewer_steps_prove_nothing_if_others_come_after_the_choice(edited, snapshot) -> None:
    """vlm, more urgent, comes when dit has decided for five steps; such a run does miss deadlines."""
    checked = edited(
        DUAL, None, *PLAIN, ("device: slow", "device: fast"), ("cost_ms: 60", "cost_ms: 20"),
        ("[1, 2, 1]", "[1, 9, 1]"), ("{ dit: 0, vlm: 1 }", "{ dit: 1, vlm: 0 }"),
    )  # fmt: skip
    assert codes(checked) == ["PC018"]
    (told,) = checked.diagnostics
    assert (told.message, told.mend) == snapshot
    assert checked.proof is not None
    dit = checked.proof.modules["dit"].verdict
    assert dit.bound.bound_ns == 40 * MS and dit.bound_ns is None and not dit.feasible


SEQUENTIAL = """\
devices: { cpu: { driver: "null", uri: immediate } }
orchestration:
  mode: sequential
  modules:
  - { id: head, vmfb: head.vmfb, rate_hz: 10, deadline_ms: 200, cost_ms: 10, steps: { full: 19, fast: 4 } }
"""
ASIDE = "  - { id: aside, vmfb: aside.vmfb, rate_hz: 1, phase_ms: 50, "
SERVED = "budget: { ms: 10, period_ms: 1000 } }\n"


@pytest.mark.parametrize(
    ("full", "more", "late"),
    [
        # It takes 19 steps until 190 ms. aside, which came at 50, goes on until 265; 4 more are late at 305.
        (19, f"{ASIDE} cost_ms: 75, {SERVED}", [(305, 300)]),
        (19, f"{ASIDE} cost_ms: 49, {SERVED}", []),  # 10 + 49 + 40 ms are the time of one job
        (8, f"{ASIDE} cost_ms: 140, deadline_ms: 400 }}\n", []),  # 220 ms with all steps, due after 200
        (19, "", []),
    ],
    ids=["late", "in time", "behind all steps", "alone"],
)
def test_in_sequential_a_job_that_takes_the_time_it_has_leaves_less_to_the_next(
    full: int, more: str, late: list[tuple[int, int]], tmp_path: Path
) -> None:
    (tmp_path / "manifest.yaml").write_text(SEQUENTIAL.replace("19", str(full)) + more)
    checked, drawn = sketch(tmp_path)
    assert checked.proof is not None and drawn is not None
    head = checked.proof.modules["head"]
    assert head.full is not None and not head.full.feasible
    assert head.verdict.feasible == (not late)
    harness = Harness(drawn.schedule).start()
    harness.run(5000 * MS)
    ended = [(at / MS, c.deadline_ns / MS) for at, c in harness.all(Finish) if c.module == "head"]
    assert [(at, due) for at, due in ended if at > due][:1] == late


def test_in_sequential_the_time_it_has_may_be_too_much_though_it_ends_before_its_next_release() -> None:
    """A job of twice, of up to 20 ms, waits for a job of head that takes its time, and head for that one."""
    twice = module("twice", 40, stages=("s",) * 10, costs_ns=(2 * MS,) * 10, deadline_ns=50 * MS,
                   loop=Loop(0, 10, 2), phase_ns=5 * MS)  # fmt: skip
    head = module("head", "100/3", stages=("s",) * 4, costs_ns=(2 * MS,) * 4, loop=Loop(0, 4, 1),
                  phase_ns=14 * MS, on_overrun=Overrun.CATCH_UP)  # fmt: skip
    plan = plan_of(twice, head, mode=Mode.SEQUENTIAL)
    proof = prove_time(plan, dict.fromkeys(("twice", "head"), DECLARED))
    assert not proof.modules["head"].verdict.feasible
    harness = Harness(plan).start().run(3000 * MS)
    assert any(c.module == "head" and at > c.deadline_ns for at, c in harness.all(Finish))


def test_the_next_job_that_may_be_late_is_told(tmp_path: Path, snapshot) -> None:
    (tmp_path / "manifest.yaml").write_text(f"{SEQUENTIAL}{ASIDE} cost_ms: 75, {SERVED}")
    (told,) = [d for d in sketch(tmp_path)[0].diagnostics if d.is_error]
    assert (told.code, told.message, told.mend) == snapshot


def test_advice_for_a_module_with_steps_that_somebody_else_keeps_from_a_proof() -> None:
    """Two stages in flight: `long` may have two jobs at once, so nothing is proven, however few steps."""
    flow = module("flow", 2, stages=("a", "b", "b"), costs_ns=(MS, MS, MS), loop=Loop(1, 2, 1), priority=1)
    long = module("long", 20, 40, deadline_ns=400 * MS, priority=0)
    block = module("block", 1, 30, deadline_ns=900 * MS, priority=2)
    proof = prove_time(plan_of(flow, long, block, k=2), dict.fromkeys(("flow", "long", "block"), DECLARED))
    assert "long may still work" in (proof.modules["flow"].verdict.refusal or "")
    assert not any("it always fits" in line for line in advise(proof, "flow").text)


def test_who_may_have_two_jobs_at_once_is_told_how_not_to(tmp_path: Path, snapshot) -> None:
    """Due after 50 ms, but with two stages in flight its next job must not come before it is done, in 20."""
    text = """\
devices: { npu: { driver: "null", in_flight: 2 } }
orchestration:
  qos: { a: 0, b: 1 }
  modules:
  - { id: a, vmfb: a.vmfb, rate_hz: 50, deadline_ms: 50, cost_ms: 12 }
  - { id: b, vmfb: b.vmfb, rate_hz: 10, entry: [x, y], cost_ms: [9, 9] }
"""
    (tmp_path / "manifest.yaml").write_text(text)
    found = sketch(tmp_path)[0]
    assert [(d.code, d.mend) for d in found.diagnostics if d.is_error] == snapshot
    cut = text.replace("[x, y], cost_ms: [9, 9]", "[x, y, z, u, v], cost_ms: [4, 4, 4, 4, 2]")
    (tmp_path / "manifest.yaml").write_text(cut)
    assert sketch(tmp_path)[0].ok


def test_a_module_on_demand_may_come_again_at_the_very_instant_at_which_it_is_done() -> None:
    """It can be wanted every 40 ms, as the last of three ticks leaves, and leaves nothing to others."""
    head = module("head", 10, 40, outputs=("head.out",), chunk=("head.out", 3), on_demand=True)
    rest = module("rest", 1, 1, priority=1)
    plan = plan_of(head, rest, control_hz=50, observations={})
    proof = prove_time(plan, dict.fromkeys(("head", "rest"), DECLARED))
    assert "need 100.1% of the device" in (proof.modules["rest"].verdict.refusal or "")


def test_chunks_are_judged_by_the_bound(edited, tmp_path, snapshot) -> None:
    """By its cost a chunk takes one tick; behind a stage of vlm and with the age of what it saw, six."""
    checked = edited(DUAL, None, ("device: slow", "device: fast"), ("cost_ms: 60", "cost_ms: 38"))
    assert codes(checked) == ["PC015"]
    assert rendered(checked.diagnostics, tmp_path / "bundle") == snapshot


@pytest.mark.parametrize(
    "change",
    [
        ("max_age_ms: 1000", "max_age_ms: 300"),  # older than that for a while three times a second
        (
            "depth: { dtype: f32, shape: [64, 64], rate_hz: 10 }",
            "depth: { dtype: f32, shape: [64, 64], rate_hz: 3 }",
        ),
    ],
    ids=["its own input", "an input of what it is made of"],
)
def test_chunks_that_may_not_come_are_refused(edited, tmp_path, snapshot, change) -> None:
    """Each is made in time, and the next may be left out all the same."""
    checked = edited(DUAL, None, change)
    assert codes(checked) == ["PC015"] and checked.plan is None
    assert rendered(checked.diagnostics, tmp_path / "bundle") == snapshot
    proof = checked.proof
    assert proof is not None and proof.chunks == {"dit": None}
    assert proof.punctual and not proof.complete


#: With its fewest steps it fits, and yet no chunk is proven to come.
SLOW = {
    "no bound": (("rate_hz: 20", "rate_hz: 60"), ("cost_ms: [1, 2, 1]", "cost_ms: [1, 4, 1]")),
    "beyond its period": (
        ("rate_hz: 20", "rate_hz: 50"),
        ("device: slow", "device: fast"),
        ("cost_ms: 60", "cost_ms: 5"),
        ("cost_ms: [1, 2, 1]", "cost_ms: [1, 3, 1]"),
    ),
    "under a profile": (
        (
            "orchestration:\n",
            "power: { profiles: { all: {}, hot: { rate_hz: { dit: 50 }, cost_scale: { fast: 2 } } } }\n"
            "orchestration:\n",
        ),
        ("cost_ms: [1, 2, 1]", "cost_ms: [0.5, 2, 0.5]"),
    ),
    "no number of steps": (("rate_hz: 20", "rate_hz: 80"), ("cost_ms: [1, 2, 1]", "cost_ms: [1, 3, 1]")),
}


@pytest.mark.parametrize("name", SLOW)
def test_who_takes_too_long_with_all_steps_is_told_how_many_it_may_take(
    edited, tmp_path, snapshot, name
) -> None:
    checked = edited(DUAL, None, *SLOW[name])
    assert rendered(checked.diagnostics, tmp_path / "bundle") == snapshot


@pytest.mark.parametrize(("steps", "found"), [(2, []), (3, ["PC015"])])
def test_the_number_of_steps_that_is_advised_is_the_most(edited, steps, found) -> None:
    checked = edited(DUAL, None, *SLOW["no bound"], ("full: 5", f"full: {steps}"))
    assert codes(checked) == found


def test_a_stricter_manifest_is_not_let_through(edited) -> None:
    """What is made of observations that may be too old has no age; without an age a chunk has no proof."""
    crowded = (("device: slow", "device: fast"), ("cost_ms: 60", "cost_ms: 38"))
    checked = edited(DUAL, None, *crowded, ("depth, max_age_ms: 250", "depth, max_age_ms: 40"))
    assert codes(checked) == ["PC015"]


@pytest.mark.parametrize("module", ["dit", "vlm"])
def test_what_is_only_nice_to_have_proves_no_chunks(edited, tmp_path, snapshot, module) -> None:
    """A budget has no bound; no limit of an age mends that."""
    cost = {"dit": "    cost_ms: [1, 2, 1]\n", "vlm": "    cost_ms: 60\n"}[module]
    changes = [(cost, f"{cost}    budget: {{ ms: 5, period_ms: 50 }}\n")]
    if module == "vlm":
        changes += [("max_age_ms: 1000", "max_age_ms: 86400000")]
    checked = edited(DUAL, None, *changes)
    found = [d for d in checked.diagnostics if d.code == "PC015"]
    assert rendered(found, tmp_path / "bundle") == snapshot


def beside(cost_ms: str, max_age_ms: str) -> list[tuple[str, str]]:
    """A module that nobody reads, on a device of its own."""
    log = "  - { id: log, vmfb: vlm.vmfb, parameters: vlm.safetensors, rate_hz: 5, device: other" + cost_ms
    links = f"  - {{ from: robot.depth, to: log.depth{max_age_ms} }}\n" + (
        "  - { from: robot.instruction, to: log.instruction }\n"
    )
    return [
        ("devices:\n", "devices:\n  other: { driver: iree, uri: local-sync }\n"),
        ("  links:\n", f"{log} }}\n  links:\n{links}"),
        ("vlm: 1 }", "vlm: 1, log: 2 }"),
    ]


def test_who_no_chunk_is_made_of_is_not_blamed(edited) -> None:
    checked = edited(
        DUAL,
        None,
        ("    cost_ms: [1, 2, 1]\n", "    cost_ms: [1, 2, 1]\n    budget: { ms: 5, period_ms: 50 }\n"),
        *beside(", cost_ms: 1", ", max_age_ms: 40, on_stale: skip"),
    )
    assert checked.proof is not None and checked.proof.left_out == {"log": "robot.depth"}
    (found,) = [d for d in checked.diagnostics if d.code == "PC015"]
    assert "dit has a `budget`" in found.message and "log" not in found.message


def test_who_no_chunk_is_made_of_is_no_excuse(edited) -> None:
    checked = edited(DUAL, None, ("max_age_ms: 1000", "max_age_ms: 300"), *beside("", ""))
    assert checked.proof is not None and set(checked.proof.unknown) == {"log"}
    assert "PC015" in codes(checked)


def test_chunks_are_not_refused_for_costs_that_nobody_knows(edited) -> None:
    checked = edited(DUAL, None, ("    cost_ms: 60\n", ""))
    assert codes(checked) == [] and checked.proof is not None
    assert checked.proof.chunks == {"dit": None} and not checked.proof.complete


def test_chunks_without_proof_are_seen_in_the_table(edited) -> None:
    found = describe_proof(edited(DUAL, None, ("max_age_ms: 1000", "max_age_ms: 300")).proof)
    assert found is not None and not found["complete"] and not found["chunks"]["dit"]["fits"]
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(render_proof(found))
    assert "not proven" in next(
        line for line in console.export_text().splitlines() if line.startswith(" dit  ") and "not" in line
    )


@pytest.mark.parametrize(
    ("value_ns", "text"),
    [
        (0, "0"),
        (1, "0"),
        (10_050_000, "10.05"),
        (-12_345_678, "-12.346"),
        (Fraction(1, 3) * 10**9, "333.333"),
    ],
)
def test_milliseconds(value_ns: Fraction | int, text: str) -> None:
    assert ms(value_ns) == text


# -- the run never contradicts it ---------------------------------------------------------------------------


class Worst:
    """The longest response of every module."""

    def __init__(self) -> None:
        self.ns: dict[str, int] = {}

    def step(self, event, commands) -> None:
        for command in commands:
            if isinstance(command, Finish):
                response_ns = event.now_ns - command.release_ns
                self.ns[command.module] = max(self.ns.get(command.module, 0), response_ns)

    def note(self, note) -> None:
        pass


@pytest.mark.parametrize("phase_ms", [0, 1, 7, 19])
@pytest.mark.parametrize("mode", ["parallel", "pipelined", "sequential"])
def test_no_response_exceeds_its_bound(bundle, edited, phase_ms: int, mode: str) -> None:
    """The real modules, on virtual time, where costs are exact; `grinder` blocks at every phase in turn."""
    slow = ("rate_hz: 2, cost_ms: 150", f"rate_hz: 13, cost_ms: 6.5, phase_ms: {phase_ms}")
    checked = edited(bundle, CROWDED, slow, ("mode: parallel", f"mode: {mode}"))
    assert checked.plan is not None and checked.proof is not None, render_all(checked.diagnostics)
    worst = Worst()
    with Runtime(checked.plan) as runtime:
        outcome = runtime.run(Diary(length=10**6), seconds=3, lockstep=True, listeners=[worst])
    assert outcome.reason == "complete" and not any(m.late for m in outcome.modules.values())
    bounds_ns = {name: module.verdict.bound_ns for name, module in checked.proof.modules.items()}
    assert worst.ns.keys() == bounds_ns.keys()
    assert all(worst.ns[name] <= bound_ns for name, bound_ns in bounds_ns.items() if bound_ns is not None)
    if mode == "parallel":
        assert worst.ns["mover"] > 0.8 * (bounds_ns["mover"] or 0)


# -- the cut that is proposed --------------------------------------------------------------------------------


def _advice(proof, margins=None, **changes) -> str:
    """What helps `mover` against `grinder`, whose plan is changed."""
    modules = tuple(replace(m, **changes) if m.id == "grinder" else m for m in proof.schedule.modules)
    schedule = replace(proof.schedule, modules=modules)
    again = prove_time(schedule, dict.fromkeys(proof.modules, DECLARED), margins=margins)
    return next(line for line in advise(again, "mover").text if "grinder" in line)


def test_the_command_is_without_the_margin_of_measured_costs(bundle, edited) -> None:
    proof = edited(bundle, CROWDED).proof
    assert "--max-stage-ms grinder=14` makes about 11 of it" in _advice(proof)
    line = _advice(proof, {"grinder": Fraction(6, 5)})
    assert "at most 14 ms" in line
    assert "--max-stage-ms grinder=11.66` makes about 11 of it" in line


def test_a_step_that_is_too_long_cannot_be_cut(bundle, edited) -> None:
    proof = edited(bundle, CROWDED).proof
    changes = {"stages": ("a", "b", "b", "c"), "costs_ns": (70 * MS, 35 * MS, 35 * MS, 10 * MS)}
    line = _advice(proof, **changes, loop=Loop(1, 2, 2))
    assert "grinder=14` makes about 8 of it, and its step takes 35 ms, is one stage and cannot be cut" in line
    line = _advice(proof, stages=("b", "b"), costs_ns=(75 * MS, 75 * MS), loop=Loop(0, 2, 2))
    assert "polyrhythm build" not in line
