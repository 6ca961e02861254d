"""Power profiles from the manifest to the run: their proof, what switches them, both kinds of time."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from polyrhythm.manifest import PowerSource, render_all
from polyrhythm.runtime import (
    Checked,
    Plan,
    ProfileChange,
    RunError,
    Runtime,
    check,
    check_plan,
    partitions,
)
from polyrhythm.runtime.planning import sketch
from polyrhythm.runtime.power import Chooser, PowerWatch
from polyrhythm.runtime.proof import DECLARED, prove_switches, prove_time
from polyrhythm.schedule import Loop, Profile
from polyrhythm.schedule.events import Finish, ProfileSet, SetProfile, StageDone
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import module, plan_of
from tests.cli.bundles import MANIFEST, make_bundle
from tests.runtime.robot import Diary

MS = 1_000_000
SAVER = "{ rate_hz: { vlm: 5 }, rate_scale: { head: 0.5 }, cost_scale: { cpu: 1.6 } }"
#: `head` drives a robot; `vlm` may be left out of that.
ROBOT = """\
robot:
  use: gymnasium
  control_hz: 50
  action: { dtype: f32, shape: [4] }
"""
TO_ROBOT = "  - { from: head.actions, to: robot.action }\n"


def powered(profiles: str, text: str = MANIFEST, more: str = "") -> str:
    return f"power:\n  profiles: {profiles}\n{more}{text}"


@pytest.fixture
def checked(tmp_path: Path) -> Callable[[str], Checked]:
    return lambda text: check(make_bundle(tmp_path / "bundle", text))


def told(checked: Checked, tmp_path: Path) -> str:
    return render_all(checked.diagnostics).replace(f"{(tmp_path / 'bundle').resolve()}/", "")


# -- the proof ----------------------------------------------------------------------------------------------


def test_every_profile_is_proven(checked) -> None:
    """16 ms of vlm block head for 40 ms that it has; in the change it has 20."""
    found = checked(
        powered(f"{{ normal: {{}}, saver: {SAVER} }}", MANIFEST.replace("cost_ms: 15", "cost_ms: 10"))
    )
    assert found.plan is not None and found.power is not None
    plan, power = found.plan.schedule, found.power
    assert plan.profile == "normal" and plan.profiles["normal"].modules == {}
    saver = {m.id: m for m in plan.under("saver").modules}
    assert [(m.period_ns, m.deadline_ns) for m in saver.values()] == [
        (200 * MS, 200 * MS),
        (40 * MS, 40 * MS),
    ]
    assert [m.costs_ns for m in saver.values()] == [(16 * MS,), (1_600_000, 3_200_000)]
    assert power.profiles["normal"] is found.proof
    bounds = {name: m.verdict.bound_ns for name, m in power.profiles["saver"].modules.items()}
    assert bounds == {"vlm": 20_800_000, "head": 20_800_000}
    assert power.all_switches is False and power.loose == {("normal", "saver"): ("head",)}


def test_profiles_that_fit_together_may_change_in_any_order(checked) -> None:
    slower = "{ rate_scale: { vlm: 0.5, head: 0.5 } }"
    found = checked(
        powered(f"{{ normal: {{}}, saver: {slower} }}", MANIFEST.replace("cost_ms: 15", "cost_ms: 5"))
    )
    assert found.power is not None and found.diagnostics == []
    assert found.power.all_switches and found.power.loose == {}


@pytest.mark.parametrize("deadline_ms", [200, 5])
@pytest.mark.parametrize(
    ("saver", "late"),
    [
        ("rate_scale: { vlm: 0.5, other: 0.5 }, cost_scale: { cpu: 1.6 }", ["vlm", "other"]),
        ("rate_scale: { vlm: 0.5 }", []),
    ],
)
def test_what_is_made_on_demand_keeps_no_change_from_being_tried(
    deadline_ms: int, saver: str, late: list[str], checked
) -> None:
    """Its deadline is nothing that it has to keep: it is not late, and silences nobody who is."""
    head = f"rtc: {{ swap: boundary }}\n    deadline_ms: {deadline_ms}\n    cost_ms: [1, 2]"
    text = (
        MANIFEST.replace(
            "orchestration:", "orchestration:\n  mode: rtc\n  qos: { vlm: 0, other: 1, head: 2 }"
        )
        .replace("rate_hz: 10\n    cost_ms: 15", "rate_hz: 100\n    cost_ms: 4")
        .replace("cost_ms: [1, 2]", head)
        .replace("  links:", "  - { id: other, vmfb: vlm.vmfb, rate_hz: 50, cost_ms: 6 }\n  links:")
    )
    found = checked(ROBOT + powered(f"{{ normal: {{}}, saver: {{ {saver} }} }}", text + TO_ROBOT))
    assert found.plan is not None and found.power is not None
    assert all(proof.punctual for proof in found.power.profiles.values())
    assert [d.code for d in found.diagnostics if d.code == "PC052"] == ["PC052"] * bool(late)
    assert list(found.power.loose.values()) == ([tuple(late)] if late else [])
    assert found.power.all_switches == (not late)


#: 10 steps of 10 ms until the next release; under `saver` 6 of them are in time.
STEPS = """\
devices: { cpu: { driver: "null", uri: immediate } }
power:
  start: normal
  profiles: { normal: {}, saver: { cost_scale: { cpu: 1.6 } } }
orchestration:
  modules:
  - { id: head, vmfb: head.vmfb, rate_hz: 10, cost_ms: 10, steps: { full: 10, fast: 2 } }
"""
TOO_MANY = "it fits with 2 steps only, and costs or deadlines may change once it has chosen more"


@pytest.mark.parametrize(
    ("saver", "late_ms"),
    [
        ("cost_scale: { cpu: 1.6 }", [154]),  # 10 of 10 ms, of which 9 take 16
        ("rate_hz: { head: 20 }, cost_scale: { cpu: 1.6 }", [154]),
        ("rate_hz: { head: 5 }", []),
        ("steps: fast", []),
    ],
)
def test_who_has_chosen_its_steps_may_be_late_when_they_get_dearer(
    saver: str, late_ms: list[float], tmp_path: Path
) -> None:
    """How many a job takes is fixed at its first step; every profile fits by itself, with few of them."""
    (tmp_path / "manifest.yaml").write_text(STEPS.replace("cost_scale: { cpu: 1.6 }", saver))
    found, drawn = sketch(tmp_path)
    assert found.ok and found.power is not None and drawn is not None
    assert [d.code for d in found.diagnostics] == ["PC052"] * len(late_ms)
    assert found.power.all_switches == (not late_ms)
    assert all(TOO_MANY in d.message for d in found.diagnostics)
    harness = Harness(drawn.schedule).start()
    harness.at(5 * MS, lambda now_ns: SetProfile(now_ns, "saver"))
    harness.run(999 * MS)
    assert [at_ns / MS for at_ns, c in harness.all(Finish) if at_ns > c.deadline_ns] == late_ms


def test_who_has_chosen_its_steps_may_leave_no_time_to_the_next_that_is_due_sooner() -> None:
    """Until 200 ms it takes 19 steps; the next job is due then as well, and takes 4 at least."""
    steps = {"stages": ("step",) * 19, "costs_ns": (10 * MS,) * 19, "loop": Loop(0, 19, 4)}
    long, short = (module("head", 10, deadline_ns=d * MS, **steps) for d in (200, 100))
    plan = replace(plan_of(long), profiles={"long": Profile(), "short": Profile({"head": short})})
    plans = [plan.under(name) for name in plan.profiles]
    sources = {"head": DECLARED}
    assert all(prove_time(each, sources).complete for each in plans)
    assert not prove_switches(plans, sources).complete
    harness = Harness(replace(plan, profile="long")).start()
    harness.at(50 * MS, lambda now_ns: SetProfile(now_ns, "short"))
    harness.run(400 * MS)
    late = [(at_ns / MS, c.deadline_ns / MS) for at_ns, c in harness.all(Finish) if at_ns > c.deadline_ns]
    assert late[0] == (230, 200)


def test_a_manifest_alone_is_judged_under_every_profile(checked, tmp_path: Path) -> None:
    text = powered(f"{{ normal: {{}}, saver: {SAVER} }}", MANIFEST.replace("cost_ms: 15", "cost_ms: 10"))
    whole, alone = checked(text), check_plan(tmp_path / "bundle")
    assert whole.power is not None and alone.power is not None
    assert alone.power.loose == whole.power.loose and alone.ok
    for name, proof in whole.power.profiles.items():
        bounds = {m: found.verdict.bound_ns for m, found in proof.modules.items()}
        assert {m: f.verdict.bound_ns for m, f in alone.power.profiles[name].modules.items()} == bounds


BESIDE = (
    MANIFEST.replace("orchestration:", "orchestration:\n  mode: rtc\n  qos: { beside: 0, vlm: 1, head: 2 }")
    .replace("rate_hz: 50", "rate_hz: 10")
    .replace("  links:", "  - { id: beside, vmfb: vlm.vmfb, rate_hz: 10, cost_ms: 40 }\n  links:")
)
MESSAGES = {
    "PC018": powered("{ normal: {}, hot: { cost_scale: { cpu: 1.6 } } }"),
    "PC018 no bound": powered("{ normal: {}, hot: { cost_scale: { cpu: 6 } } }"),
    "PC050 what the robot needs": ROBOT
    + powered("{ normal: {}, saver: { drop: vlm } }", MANIFEST + TO_ROBOT),
    "PC050 on_stale": powered(
        "{ normal: {}, saver: { drop: vlm } }", MANIFEST + "    on_stale: stop\n"
    ),
    "PC051": powered("{ normal: {}, saver: { drop: [vlm] } }"),
    "PC052": powered(f"{{ normal: {{}}, saver: {SAVER} }}", MANIFEST.replace("cost_ms: 15", "cost_ms: 10")),
    # `beside` delays everybody until it is dropped, and then all have time for lower rates.
    "PC052 chunks": ROBOT
    + powered("{ normal: {}, saver: { drop: beside, rate_hz: { head: 50/7 } } }", BESIDE + TO_ROBOT),
    "PC052 links": ROBOT
    + powered(
        "{ normal: {}, saver: { drop: beside, rate_hz: { vlm: 8 } } }",
        BESIDE.replace("max_age_ms: 250", "max_age_ms: 160\n    on_stale: hold") + TO_ROBOT,
    ),
}  # fmt: skip


def test_what_a_third_profile_lacks_anyway_hides_no_pair(checked) -> None:
    """Under `slow` the link is always stale."""
    text = MESSAGES["PC052 links"].replace("saver: {", "slow: { rate_hz: { vlm: 1 } }, saver: {")
    found = checked(text)
    assert [d.code for d in found.diagnostics] == ["PC015", "PC052"]
    assert found.power is not None and found.power.loose == {("normal", "saver"): ("head",)}


@pytest.mark.parametrize("case", MESSAGES)
def test_message(case: str, checked, tmp_path: Path, snapshot) -> None:
    found = checked(MESSAGES[case])
    assert {d.code for d in found.diagnostics} == {case[:5]}
    assert (found.plan is None) == any(d.is_error for d in found.diagnostics)
    assert told(found, tmp_path) == snapshot


def test_chunks_are_judged_under_every_profile(checked, tmp_path: Path, snapshot) -> None:
    """16 ticks in a chunk, a new one after 17 under `saver`."""
    text = MANIFEST.replace("orchestration:", "orchestration:\n  mode: rtc").replace(
        "rate_hz: 50", "rate_hz: 10"
    )
    found = checked(ROBOT + powered("{ normal: {}, saver: { rate_hz: { head: 50/17 } } }", text + TO_ROBOT))
    assert [d.code for d in found.diagnostics] == ["PC015"]
    assert told(found, tmp_path) == snapshot


def test_stages_are_advised_as_a_build_measures_them(checked) -> None:
    """24 ms of vlm, where 15.2 ms are left for head: 9.5 ms without the scale."""
    (found,) = checked(
        MESSAGES["PC018"].replace("  links:", "  qos: { head: 0, vlm: 1 }\n  links:")
    ).diagnostics
    assert "stages of at most 15.2 ms" in found.mend and "--max-stage-ms vlm=9.5`" in found.mend


def test_a_profile_stands_on_the_same_partitions(checked, monkeypatch, online) -> None:
    online("0-3")
    monkeypatch.setattr(partitions, "require_cores", lambda cores: None)
    text = MANIFEST.replace('driver: "null", uri: immediate', "cores: [0]")
    power = checked(powered(f"{{ normal: {{}}, saver: {SAVER} }}", text)).power
    assert power is not None
    assert power.profiles["saver"].assumptions[0].startswith("partitions: cpu (core 0)")


@pytest.mark.parametrize(("first", "ticks"), [("cool", 1), ("hot", 2)])
def test_a_run_begins_with_the_delay_of_its_profile(first: str, ticks: int, checked) -> None:
    text = MANIFEST.replace("orchestration:", "orchestration:\n  mode: rtc").replace(
        "rate_hz: 50", "rate_hz: 10"
    )
    profiles = f"{{ cool: {{}}, hot: {{ cost_scale: {{ cpu: 8 }} }} }}\n  start: {first}"
    plan = checked(ROBOT + powered(profiles, text.replace("cost_ms: 15", "cost_ms: 1") + TO_ROBOT)).plan
    assert plan is not None and plan.player.planned_ticks == ticks


# -- the source ---------------------------------------------------------------------------------------------


def source(kind: str, *levels: tuple[str, float, float], path: str = "/none") -> PowerSource:
    return PowerSource.model_validate(
        {
            "kind": kind,
            "path": path,
            "levels": [{"profile": p, "at": at, "back": back} for p, at, back in levels],
        }
    )


@pytest.mark.parametrize(
    ("made", "readings"),
    [
        (
            source("thermal", ("saver", 80, 75), ("cool", 90, 85)),
            [("79999", "normal"), ("80000", "saver"), ("75000", "saver"), ("74999\n", "normal"),
             ("95000", "cool"), ("85000", "cool"), ("84000", "saver"), ("20000", "normal")],
        ),
        (
            source("battery", ("saver", 30, 40), ("last", 10, 15)),
            [("100", "normal"), ("30", "saver"), ("40", "saver"), ("41", "normal"), ("9", "last"),
             ("16", "saver"), ("80", "normal")],
        ),
        (
            source("file", ("saver", 2, 1)),
            [("0", "normal"), ("2.5", "saver"), (" cool \n", "cool"), ("1", "saver"), ("0.5", "normal")],
        ),
    ],
    ids=["thermal", "battery", "file"],
)  # fmt: skip
def test_readings_choose_with_hysteresis(made: PowerSource, readings: list[tuple[str, str]]) -> None:
    chooser = Chooser(made, ("normal", "saver", "cool", "last"), "normal")
    assert [chooser.choose(text) for text, _ in readings] == [profile for _, profile in readings]


def test_what_makes_no_sense_is_counted_and_keeps_the_profile(tmp_path: Path) -> None:
    path, asked = tmp_path / "profile", []
    watch = PowerWatch(
        source("file", ("saver", 2, 1), path=str(path)), ("normal", "saver"), "normal", asked.append
    )
    watch.look()
    for content in (b"saver", b"", b"savers", b"nan", b"\xff\xfe", b"9" * 10_000, b"normal", b"normal"):
        path.write_bytes(content)
        watch.look()
    path.unlink()
    os.mkfifo(path)
    watch.look()
    assert asked == ["saver", "normal"]
    assert watch.unreadable == 1 + 4 + 1


def test_a_number_means_nothing_to_a_file_without_levels(tmp_path: Path) -> None:
    path, asked = tmp_path / "profile", []
    made = PowerSource.model_validate({"kind": "file", "path": str(path)})
    watch = PowerWatch(made, ("normal", "saver"), "normal", asked.append)
    for content in ("saver", "85", "0"):
        path.write_text(content)
        watch.look()
    assert (asked, watch.unreadable) == (["saver"], 2)


# -- runs ---------------------------------------------------------------------------------------------------


class Conductor:
    """Calls `act` at every event; keeps what was asked for and what came into force."""

    def __init__(self, act: Callable[[object, int], None]) -> None:
        self.act, self.heard, self.jobs = act, [], 0

    def step(self, event, commands) -> None:
        self.jobs += sum(isinstance(c, Finish) for c in commands)
        self.heard += [(event.now_ns, c.name) for c in commands if isinstance(c, ProfileSet)]
        self.act(event, self.jobs)

    def note(self, note) -> None:
        pass


def test_a_file_switches_a_run(tmp_path: Path) -> None:
    """Real time, real files: there and back, then the end."""
    path = tmp_path / "profile"
    told_source = f"  source: {{ kind: file, path: {path}, every_ms: 10 }}\n"
    root = make_bundle(
        tmp_path / "bundle", powered("{ normal: {}, saver: { drop: vlm, steps: fast } }", more=told_source)
    )
    plan = check(root).plan
    assert plan is not None
    with Runtime(plan) as runtime:

        def act(event, jobs: int) -> None:
            heard = [name for _, name in conductor.heard]
            wanted = {(): "normal" if jobs < 3 else "saver", ("saver",): "normal"}.get(tuple(heard))
            if wanted is None:
                runtime.stop("seen enough")
            elif not path.exists() or path.read_text() != wanted:
                (tmp_path / "next").write_text(wanted)
                (tmp_path / "next").replace(path)

        conductor = Conductor(act)
        outcome = runtime.run(seconds=60, listeners=[conductor])
    assert outcome.reason == "seen enough"
    assert [name for _, name in conductor.heard] == ["saver", "normal"]
    assert (outcome.profile, outcome.profile_changes) == ("normal", 2)
    for m in outcome.modules.values():
        assert m.released == m.finished + sum(m.drops.values()) + m.under_way
    assert runtime.plan.schedule.profile == "normal"


def test_lockstep_switches_at_the_same_instant_every_time(tmp_path: Path) -> None:
    text = powered(f"{{ normal: {{}}, saver: {SAVER}, off: {{ drop: vlm }} }}")
    plan = check(make_bundle(tmp_path / "bundle", text.replace("cost_ms: 15", "cost_ms: 10"))).plan
    assert plan is not None
    heard, outcomes = [], []
    for _ in range(2):
        with Runtime(plan) as runtime:
            runtime.set_profile("off")

            def act(event, jobs: int, ask=runtime.set_profile) -> None:
                if not isinstance(event, SetProfile):
                    now_ms = event.now_ns / MS
                    ask("off" if now_ms < 300 else "saver" if now_ms < 600 else "normal")

            conductor = Conductor(act)
            outcomes.append(runtime.run(seconds=1, lockstep=True, listeners=[conductor]))
            heard.append(conductor.heard)
    assert heard[0] == heard[1] and outcomes[0] == outcomes[1]
    assert [name for _, name in heard[0]] == ["off", "saver", "normal"]
    assert outcomes[0].modules["vlm"].drops == {"profile": 4}, "at 0, 100, 200 and 300 ms"


def test_a_change_tells_when_it_is_in_force(plan: Plan) -> None:
    """`seer` has ticks at 0, 200 and 400 ms; the robot one every 10 ms."""
    seer = next(m for m in plan.schedule.modules if m.id == "seer")
    profiles = {
        "normal": {},
        "slow": {"seer": replace(seer, period_ns=2 * seer.period_ns)},
        "off": {"seer": None},
    }
    schedule = replace(
        plan.schedule, profiles={name: Profile(m) for name, m in profiles.items()}, profile="normal"
    )
    asked = [(0, "normal"), (130, "slow"), (150, "slow"), (250, "slow"), (260, "normal"), (270, "off")]
    changes: list[ProfileChange] = []

    def act(event, jobs: int) -> None:
        while len(changes) < len(asked) and event.now_ns >= asked[len(changes)][0] * MS:
            changes.append(runtime.set_profile(asked[len(changes)][1]))

    with Runtime(replace(plan, schedule=schedule)) as runtime:
        before = runtime.set_profile("normal")
        assert before.over and before.problem == "no run goes on; the next one begins with it"
        runtime.run(Diary(length=30), lockstep=True, listeners=[Conductor(act)])
        found = [(c.name, c.at_ns, c.tick, c.problem) for c in changes]
        assert all(change.wait(0) for change in changes)
    late = "off was asked for before it was in force"
    assert found == [
        ("normal", 0, 0, ""), ("slow", 200 * MS, 21, ""), ("slow", 200 * MS, 21, ""),
        ("slow", 250 * MS, 26, ""), ("normal", None, None, late), ("off", 270 * MS, 28, ""),
    ]  # fmt: skip


def test_a_profile_stays_for_later_runs(tmp_path: Path) -> None:
    plan = check(make_bundle(tmp_path / "bundle", powered("{ normal: {}, off: { drop: vlm } }"))).plan
    assert plan is not None
    with Runtime(plan) as runtime:
        with pytest.raises(RunError, match=r"'of'; there are normal, off \(did you mean off\?\)"):
            runtime.set_profile("of")
        assert runtime.run(seconds=0.5, lockstep=True).modules["vlm"].drops == {}
        runtime.set_profile("off")
        for _ in range(2):
            outcome = runtime.run(seconds=0.5, lockstep=True)
            assert outcome.modules["vlm"].drops == {"profile": outcome.modules["vlm"].released}
            assert outcome.modules["vlm"].released > 0


def test_after_a_swap_a_run_begins_with_the_other_bundles_profile(tmp_path: Path) -> None:
    """Nothing, `off` or what was asked for: whatever the bundle that plays has."""
    plain = check(make_bundle(tmp_path / "plain", MANIFEST)).plan
    text = powered("{ normal: {}, off: { drop: vlm } }").replace("power:", "power:\n  start: off")
    other = check(make_bundle(tmp_path / "other", text)).plan
    assert plain is not None and other is not None and other.schedule.profile == "off"
    with Runtime(plain) as runtime:
        profiles = [runtime.run(seconds=0.5, lockstep=True).profile]
        for asked in ("", "normal"):
            if asked:
                runtime.set_profile(asked)
            else:
                assert runtime.swap(other).wait("live", timeout_s=20) == "live"
            outcome = runtime.run(seconds=0.5, lockstep=True)
            profiles.append(outcome.profile)
            assert bool(outcome.modules["vlm"].drops) == (not asked)
        assert runtime.swap(plain).wait("live", timeout_s=20) == "live"
        profiles.append(runtime.run(seconds=0.5, lockstep=True).profile)
    assert profiles == ["", "off", "normal", ""]


def test_what_is_swapped_in_meanwhile_runs_under_the_profile_in_force(tmp_path: Path) -> None:
    """Also in virtual time, where its stages take what they take under that."""
    plain = check(make_bundle(tmp_path / "plain", MANIFEST)).plan
    text = powered("{ slow: { cost_scale: { cpu: 1.3 } }, normal: {} }").replace("cost_ms: 15", "cost_ms: 10")
    other = check(make_bundle(tmp_path / "other", text)).plan
    assert plain is not None and other is not None
    with Runtime(plain) as runtime:
        context = runtime.load(other)
        assert context.wait("loaded", timeout_s=20) == "loaded"

        def act(event, jobs: int) -> None:
            if isinstance(event, StageDone):
                stages.add((event.ended_ns - event.started_ns) // 1000)
                if context.state == "ready":
                    runtime.switch(context)

        stages: set[int] = set()
        outcome = runtime.run(seconds=1, lockstep=True, listeners=[Conductor(act)])
        assert runtime.live is context and outcome.profile == ""
    assert 10_000 in stages and 13_000 not in stages


def test_a_profile_allows_so_many_contexts(tmp_path: Path, snapshot) -> None:
    text = powered("{ normal: {}, saver: { contexts: 1 } }").replace("power:", "contexts: 2\npower:")
    plan = check(make_bundle(tmp_path / "bundle", text)).plan
    assert plan is not None
    with Runtime(plan) as runtime:
        runtime.set_profile("saver")
        with pytest.raises(RunError) as refused:
            runtime.switch(1)
        assert str(refused.value) == snapshot
        assert runtime.retire(1).wait_freed(20)
        assert runtime.switch(0).state == "live"
        for load in (runtime.load, runtime.swap):
            context = load(plan)
            assert context.wait("loaded", timeout_s=20) == "failed" and context.reason == snapshot
        assert list(runtime.contexts) == [0]
        runtime.set_profile("normal")
        assert runtime.swap(plan).wait("live", timeout_s=20) == "live"


def test_a_profile_in_force_allows_so_many_contexts(tmp_path: Path) -> None:
    text = powered("{ saver: { contexts: 1 }, normal: {} }").replace("power:", "contexts: 2\npower:")
    plan = check(make_bundle(tmp_path / "bundle", text)).plan
    assert plan is not None
    with Runtime(plan) as runtime:
        refused: list[str] = []

        def act(event, jobs: int) -> None:
            if runtime.contexts[1].state == "ready":
                try:
                    runtime.switch(1)
                except RunError as error:
                    refused.append(str(error))
                    runtime.set_profile("normal")

        runtime.run(seconds=0.5, lockstep=True, listeners=[Conductor(act)])
        assert refused and "power profile saver allows contexts: 1" in refused[0]
        assert runtime.live.number == 1
