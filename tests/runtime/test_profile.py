"""Cost files: measured on real modules, and used only where they hold."""

from __future__ import annotations

import json
import re
import shutil
from fractions import Fraction
from math import ceil
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import open_bundle, relock
from polyrhythm.compile import build
from polyrhythm.manifest import Diagnostic, render_all
from polyrhythm.runtime import CostChoice, CostFile, RunError, check, read_costs, write_costs
from polyrhythm.runtime.costs import CostsError, Machine, Measured, Setup, packages
from polyrhythm.runtime.profiling import WARM_JOBS, Lateness, Timing, profile
from polyrhythm.schedule import Loop, Overrun
from polyrhythm.schedule.events import Finish, Isolate, Launch, StageDone, Wake
from polyrhythm.simulate import terse
from polyrhythm.simulate.harness import Harness
from tests.runtime.said import rendered


@pytest.fixture(scope="module")
def measured(bundle: Path) -> CostFile:
    """A short but real measurement."""
    return profile(open_bundle(bundle), 0.3)


@pytest.fixture
def calm(measured: CostFile) -> CostFile:
    """The same with costs that no busy machine has touched: 1 ms alone, 2 ms with the others."""

    def stage(found):
        alone, loaded = (Measured(samples=9, p50_ns=1, p99_ns=2, max_ns=ns) for ns in (10**6, 2 * 10**6))
        return found.model_copy(update={"alone": alone, "loaded": loaded})

    modules = {
        name: module.model_copy(update={"stages": tuple(map(stage, module.stages))})
        for name, module in measured.modules.items()
    }
    release = Measured(samples=9, p50_ns=1, p99_ns=2, max_ns=10**5)
    return measured.model_copy(update={"modules": modules, "release": release})


def test_every_stage_is_measured_alone_and_with_the_others(measured: CostFile) -> None:
    stages = {name: [s.stage for s in module.stages] for name, module in measured.modules.items()}
    assert stages == {"seer": ["see"], "grinder": ["grind"], "mover": ["start", "finish"]}
    for module in measured.modules.values():
        for stage in module.stages:
            for found in (stage.alone, stage.loaded):
                assert found.samples >= 1
                assert 0 < found.p50_ns <= found.p99_ns <= found.max_ns
    assert measured.machine == Machine.here()
    assert measured.packages == packages()
    assert measured.devices["fast"] == Setup(driver="iree", uri="local-sync", cores=())


def test_a_file_is_read_as_it_was_written(measured: CostFile, tmp_path: Path) -> None:
    write_costs(measured, tmp_path / "deep" / "costs.json")
    assert read_costs(tmp_path / "deep" / "costs.json") == measured


def test_measured_costs_go_before_written_ones(bundle: Path, calm: CostFile, tmp_path: Path) -> None:
    path = tmp_path / "costs.json"
    write_costs(calm, path)
    checked = check(bundle, CostChoice(path, Fraction(3, 2)))
    assert checked.plan is not None and checked.diagnostics == []
    assert checked.proof is not None and checked.proof.complete
    assert {name: m.costs_ns for name, m in checked.proof.modules.items()} == {
        "seer": (3_000_000,), "grinder": (3_000_000,), "mover": (3_000_000, 3_000_000),
    }  # fmt: skip
    assert checked.plan.module("mover").costs_ns == (3_000_000, 3_000_000)
    assert "measured maxima times 1.5 (costs.json, " in checked.proof.assumptions[0]


def test_the_margin_is_rounded_up(bundle: Path, measured: CostFile, tmp_path: Path) -> None:
    path, margin = tmp_path / "costs.json", Fraction(10, 9)
    write_costs(measured, path)
    checked = check(bundle, CostChoice(path, margin))
    assert checked.proof is not None
    for name, module in measured.modules.items():
        wanted = tuple(ceil(stage.ns("max") * margin) for stage in module.stages)
        assert checked.proof.modules[name].costs_ns == wanted


def test_a_module_that_was_not_measured_has_the_manifests_costs(
    bundle: Path, calm: CostFile, tmp_path: Path
) -> None:
    path = tmp_path / "costs.json"
    modules = {name: module for name, module in calm.modules.items() if name != "seer"}
    write_costs(calm.model_copy(update={"modules": modules}), path)
    proof = check(bundle, CostChoice(path)).proof
    assert proof is not None and proof.complete
    assert proof.modules["seer"].costs_ns == (30_000_000,)
    assert proof.modules["mover"].costs_ns == (2_400_000, 2_400_000)


def _module(file: CostFile, name: str, **changes: object) -> CostFile:
    return file.model_copy(
        update={"modules": file.modules | {name: file.modules[name].model_copy(update=changes)}}
    )


def _told(found: list[Diagnostic], place: Path) -> str:
    """As it is on every machine."""
    text = render_all(found).replace(str(place), "TMP").replace(str(Machine.here()), "THIS MACHINE")
    text = text.replace(packages()["iree-base-runtime"], "THIS VERSION")
    text = re.sub(r"\((?!0{16})[0-9a-f]{16}\)", "(DIGEST)", text)
    return re.sub("(recursion depth exceeded).*", r"\1", text)


#: What makes a file stale.
STALE = {
    "code": lambda f: _module(f, "seer", digest="0" * 64),
    "machine code": lambda f: _module(f, "seer", code="0" * 64),
    "stages": lambda f: _module(f, "mover", stages=f.modules["mover"].stages[:1]),
    "device": lambda f: f.model_copy(
        update={"devices": f.devices | {"fast": Setup(driver="iree", uri="local-sync", cores=(1,))}}
    ),
    "IREE": lambda f: f.model_copy(update={"packages": {**f.packages, "iree-base-runtime": "2.0"}}),
}


@pytest.mark.parametrize("name", STALE)
def test_a_stale_file_is_refused(
    bundle: Path, calm: CostFile, tmp_path: Path, name: str, snapshot: SnapshotAssertion
) -> None:
    path = tmp_path / "costs.json"
    write_costs(STALE[name](calm), path)
    checked = check(bundle, CostChoice(path))
    assert checked.plan is None
    assert _told(checked.diagnostics, tmp_path) == snapshot
    assert check(bundle, CostChoice(path, foreign=True)).diagnostics == checked.diagnostics


def test_code_for_another_cpu_of_the_same_source_makes_a_file_stale(
    bundle: Path, calm: CostFile, tmp_path: Path
) -> None:
    """The bundle is built anew from the same description; the file is of what was compiled for this CPU."""
    path, root = tmp_path / "costs.json", tmp_path / "bundle"
    write_costs(calm, path)
    build(Path(__file__).parent / "policy.py", root, target_cpu="x86-64-v2")
    told = check(root, CostChoice(path)).diagnostics
    assert {d.code for d in told} == {"PC020"} and len(told) == 3
    assert all("other machine code, of the same source" in d.message for d in told)


def test_another_machine_has_other_code(bundle: Path, calm: CostFile, tmp_path: Path) -> None:
    path = tmp_path / "costs.json"
    elsewhere = calm.machine.model_copy(update={"cores": 4096})
    write_costs(_module(calm, "seer", code="0" * 64).model_copy(update={"machine": elsewhere}), path)
    assert {d.code for d in check(bundle, CostChoice(path, foreign=True)).diagnostics} == {"PC021"}
    write_costs(_module(calm, "seer", code=None), path)
    assert check(bundle, CostChoice(path)).diagnostics == [], "earlier files do not say"


def test_another_manifest_does_not_make_a_file_stale(bundle: Path, calm: CostFile, tmp_path: Path) -> None:
    """What was measured are modules on devices; rates and deadlines are not part of it."""
    root, path = tmp_path / "bundle", tmp_path / "costs.json"
    shutil.copytree(bundle, root)
    text = (root / "manifest.yaml").read_text()
    (root / "manifest.yaml").write_text(text.replace("rate_hz: 25", "rate_hz: 20"))
    relock(root)
    write_costs(calm, path)
    assert check(root, CostChoice(path)).diagnostics == []


@pytest.mark.parametrize(
    ("before", "now", "allowed"),
    [
        ("", "", True),
        ("", "threads: { policy: other, nice: 0 }", True),
        ("", "threads: { policy: fifo, priority: 20 }", False),
        ("SCHED_FIFO 10", "threads: { policy: fifo, priority: 20 }", False),
        ("SCHED_FIFO 20", "threads: { policy: fifo, priority: 20 }", True),
        ("SCHED_FIFO 20", "", False),
        ("nice -5", "threads: { policy: other, nice: -5 }", True),
    ],
)
def test_threads_of_another_priority_make_a_file_stale(
    bundle: Path, calm: CostFile, tmp_path: Path, before: str, now: str, allowed: bool
) -> None:
    """Whoever comes before other programs takes less of a busy machine's time."""
    root, path = tmp_path / "bundle", tmp_path / "costs.json"
    shutil.copytree(bundle, root)
    text = (root / "manifest.yaml").read_text()
    assert text.count("fast: {}") == 1
    (root / "manifest.yaml").write_text(text.replace("fast: {}", f"fast: {{ {now} }}"))
    relock(root)
    fast = calm.devices["fast"].model_copy(update={"threads": before})
    write_costs(calm.model_copy(update={"devices": calm.devices | {"fast": fast}}), path)
    told = [d for d in check(root, CostChoice(path)).diagnostics if d.is_error]
    assert {d.code for d in told} == (set() if allowed else {"PC020"})
    assert allowed or all(before in str(d.value) for d in told)


@pytest.mark.parametrize(
    "change", [{"cpu": "f" * 16}, {"cores": 4096}, {"governor": "a governor"}, {"processor": "Abacus"}]
)
def test_a_foreign_file_is_refused_or_flagged(
    bundle: Path, calm: CostFile, tmp_path: Path, change: dict[str, object]
) -> None:
    path = tmp_path / "costs.json"
    write_costs(calm.model_copy(update={"machine": calm.machine.model_copy(update=change)}), path)
    refused = check(bundle, CostChoice(path))
    assert refused.plan is None
    assert [(d.code, d.severity) for d in refused.diagnostics] == [("PC021", "error")]
    assert "--foreign-costs" in refused.diagnostics[0].mend
    flagged = check(bundle, CostChoice(path, foreign=True))
    assert flagged.plan is not None and flagged.proof is not None and flagged.proof.complete
    assert [(d.code, d.severity) for d in flagged.diagnostics] == [("PC021", "note")]


def test_what_is_told_of_a_foreign_file(
    bundle: Path, calm: CostFile, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    path = tmp_path / "costs.json"
    elsewhere = Machine(processor="Abacus", cpu="f" * 16, cores=4096, governor="performance")
    write_costs(calm.model_copy(update={"machine": elsewhere}), path)
    for foreign in (False, True):
        told = check(bundle, CostChoice(path, foreign=foreign)).diagnostics
        assert _told(told, tmp_path) == snapshot


@pytest.mark.parametrize(
    "content",
    {
        "absent": None,
        "cut off": b"{",
        "another thing": b"[]",
        "deep": b"[" * 100_000,
        "older": b'{"format": "polyrhythm.costs", "version": 1}',
        "damaged": b'{"format": "polyrhythm.costs", "version": 2}',
    }.items(),
    ids=lambda given: given[0],
)
def test_what_is_no_cost_file(
    bundle: Path, tmp_path: Path, content: tuple[str, bytes | None], snapshot: SnapshotAssertion
) -> None:
    path = tmp_path / "costs.json"
    if content[1] is not None:
        path.write_bytes(content[1])
    with pytest.raises(CostsError) as caught:
        read_costs(path)
    assert _told(list(caught.value.diagnostics), tmp_path) == snapshot
    assert [d.code for d in check(bundle, CostChoice(path)).diagnostics] == ["PC019"]


@pytest.mark.parametrize("value", [-1, 1.5, "7", None])
def test_numbers_in_it_are_looked_at(calm: CostFile, tmp_path: Path, value: object) -> None:
    data = calm.model_dump(mode="json")
    data["modules"]["seer"]["stages"][0]["alone"]["max_ns"] = value
    (tmp_path / "costs.json").write_text(json.dumps(data))
    with pytest.raises(CostsError, match=r"modules\.seer\.stages\.0\.alone\.max_ns"):
        read_costs(tmp_path / "costs.json")


def test_too_short_a_measurement_is_no_measurement(bundle: Path) -> None:
    with pytest.raises(RunError, match="--seconds"):
        profile(open_bundle(bundle), 1e-6)


# -- what is counted ----------------------------------------------------------------------------------------


def _launch(job: int, stage: int, skipped: int = 0) -> Launch:
    return Launch(job, "dit", job, stage, "cpu", (), (), skipped)


def test_steps_are_one_stage_and_the_first_jobs_are_not_counted() -> None:
    """A stage takes from its launch to the news of its end, which launches the next."""
    timing = Timing({"dit": Loop(first=1, full=3, fast=1)}, {"dit": 3})
    now_ns = 0
    for job in range(WARM_JOBS + 1):
        timing.step(Wake(now_ns), [_launch(job, 0)])
        for stage in range(5):
            now_ns += 10 + stage
            more = [_launch(job, stage + 1)] if stage < 4 else []
            timing.step(StageDone(now_ns, job, stage, now_ns - 5, now_ns - 1, None), more)
    assert timing.took == {"dit": [[10], [11, 12, 13], [14]]}


@pytest.mark.parametrize("first", [0, 1])
def test_jobs_that_leave_out_their_first_steps_are_counted(first: int) -> None:
    """Ten steps of 15 ms are due after 100: after the first job, which does not know, four are left out."""
    stages = ("prefix",) * first + ("step",) * 10
    head = terse.module(
        "head", 1000, stages=stages, costs_ns=(0,) * len(stages), loop=Loop(first, 10, 2),
        deadline_ns=100 * terse.MS, on_overrun=Overrun.SHIFT,
    )  # fmt: skip
    timing = Timing({"head": head.loop}, {"head": first + 1})
    harness = Harness(
        terse.plan_of(head),
        lambda launch: terse.MS if launch.stage < first else 15 * terse.MS,
        watch=[lambda _, step: timing.step(step.event, step.commands)],
    )
    harness.start().run(1000 * terse.MS)
    begun = [c for _, c in harness.all(Launch) if c.stage == first + c.skipped]
    assert len(begun) > WARM_JOBS + 3 and begun[-1].skipped > 0
    ended = len(harness.all(Finish)) - WARM_JOBS
    assert [len(took) for took in timing.took["head"][:first]] == [ended + 1] * first
    assert len(timing.took["head"][first]) >= 6 * ended and set(timing.took["head"][first]) == {15 * terse.MS}


def test_what_fails_is_not_counted() -> None:
    timing = Timing({"dit": None}, {"dit": 1})
    for job in range(WARM_JOBS + 1):
        timing.step(Wake(job), [_launch(job, 0)])
        timing.step(StageDone(job + 1, job, 0, job, job, "broken"), [])
    assert timing.took == {"dit": [[]]}
    timing.step(Wake(9), [Isolate("dit", "three failures")])
    assert timing.failed == "dit failed while it was measured: three failures"


def test_quantiles_are_by_nearest_rank() -> None:
    found = Measured.of(list(range(100, 0, -1)))
    assert (found.samples, found.p50_ns, found.p99_ns, found.max_ns) == (100, 50, 99, 100)
    assert [found.ns(at) for at in ("p99", "p999", "max")] == [99, 100, 100]
    assert Measured.of([7]) == Measured(samples=1, p50_ns=7, p99_ns=7, p999_ns=7, max_ns=7)


def test_a_release_is_heard_of_with_the_next_event() -> None:
    lateness = Lateness()
    lateness.step(Wake(100), [])
    lateness.step(Wake(205), [])
    lateness.step(
        StageDone(250, 0, 0, 210, 240), [Finish(0, "dit", 0, 200, 300), Finish(1, "vlm", 0, 100, 300)]
    )
    assert lateness.late_ns == [5, 0]


def test_how_late_releases_are_heard_of_goes_into_the_proof(
    bundle: Path, calm: CostFile, tmp_path: Path
) -> None:
    path, release = tmp_path / "costs.json", Measured(samples=9, p50_ns=1, p99_ns=2, max_ns=200_000)
    write_costs(calm.model_copy(update={"release": release}), path)
    proof = check(bundle, CostChoice(path, Fraction(3, 2))).proof
    assert proof is not None
    assert proof.schedule.release_jitter_ns == 300_000
    assert proof.modules["mover"].worst.bound_ns == 6_000_000 + 300_000


@pytest.mark.parametrize(
    ("grind", "start", "at", "code"),
    [
        ((200, 1_000, 250_000, 300_000), (9_000, 9_000, 9_000, 9_000), "max", "PC010"),
        ((200, 300, 250_000, 250_000), (9_000, 9_000, 9_000, 9_000), "p999", "PC010"),
        ((200, 300, 400, 700), (300, 400, 500, 65_000), "max", "PC009"),
        ((200, 300, 400, 30_000), (9_000, 9_000, 9_000, 9_000), "max", "PC018"),
        ((29_000, 29_000, 29_000, 30_000), (9_000, 9_000, 9_000, 9_000), "max", "PC018"),
    ],
    ids=["a device", "at a quantile", "a deadline", "a blocker", "none"],
)
def test_costs_far_from_their_medians_are_doubted_before_anything_is_cut(
    bundle: Path, calm: CostFile, tmp_path: Path, snapshot: SnapshotAssertion, grind, start, at, code
) -> None:
    """Microseconds: median, 99 %, 99.9 %, maximum; everybody on one device."""
    root = tmp_path / "bundle"
    shutil.copytree(bundle, root)
    file = root / "manifest.yaml"
    file.write_text(file.read_text().replace("device: slow", "device: fast"))
    relock(root)

    def spread(us: tuple[int, ...]) -> Measured:
        p50, p99, p999, most = (1000 * t for t in us)
        return Measured(samples=9, p50_ns=p50, p99_ns=p99, p999_ns=p999, max_ns=most)

    took = {"seer": (100,) * 4, "grinder": grind, "mover": start}
    fast = calm.devices["fast"]
    modules = {
        name: module.model_copy(
            update={
                "device": "fast",
                "stages": tuple(
                    s.model_copy(update={"alone": spread(took[name]), "loaded": spread(took[name])})
                    for s in module.stages
                ),
            }
        )
        for name, module in calm.modules.items()
    }
    path = tmp_path / "costs.json"
    write_costs(calm.model_copy(update={"modules": modules, "devices": {"fast": fast}}), path)
    checked = check(root, CostChoice(path, Fraction(1), at=at))
    found = [d for d in checked.diagnostics if d.code == code]
    assert found and rendered(found, root) == snapshot
