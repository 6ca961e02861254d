"""Modules on a simulated accelerator: virtual time is the model's, and so are the costs to prove with."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrhythm.bundle import open_bundle
from polyrhythm.bundle.static_code import store
from polyrhythm.compile import prepare
from polyrhythm.hal.drivers.dsa import DsaDevice
from polyrhythm.hal.dsa import Span, WorkEntry, WorkStep
from polyrhythm.hal.dsa.work import dumps
from polyrhythm.manifest import render_all
from polyrhythm.runtime import Note, Runtime, check
from polyrhythm.runtime.profiling import profile
from polyrhythm.schedule.events import Command, Event, Finish, Launch, StageDone
from tests.runtime.flow import Flown, compiled, varied

SLOW = "cores=1,dram_gbps=0.01,launch_ns=20000"
ON_IT = ("    rate_hz: 20\n", "    rate_hz: 20\n    device: npu\n")


def npu(uri: str = SLOW, driver: str = "dsa") -> tuple[str, str]:
    return "orchestration:\n", f'devices: {{ npu: {{ driver: {driver}, uri: "{uri}" }} }}\norchestration:\n'


@pytest.fixture(scope="module")
def flow(tmp_path_factory) -> Path:
    return compiled(tmp_path_factory.getbasetemp() / "flow")


class Watch:
    """How long stages took, by index, and how often."""

    def __init__(self) -> None:
        self.took_ns: dict[int, set[int]] = {}
        self._began: dict[tuple[int, int], int] = {}
        self.jobs = 0

    def step(self, event: Event, commands: list[Command]) -> None:
        if type(event) is StageDone:
            begun = self._began.pop((event.job, event.stage))
            self.took_ns.setdefault(event.stage, set()).add(event.now_ns - begun)
        for command in commands:
            if type(command) is Launch:
                self._began[command.job, command.stage] = event.now_ns
            self.jobs += type(command) is Finish

    def note(self, note: Note) -> None:
        pass


def opened(flow: Path, root: Path, *changes: tuple[str, str]) -> Runtime:
    root.mkdir(exist_ok=True)
    bundle = varied(flow, root, *changes)
    prepare(open_bundle(bundle))
    result = check(bundle)
    assert result.plan is not None, render_all(result.diagnostics)
    return Runtime(result.plan)


def test_virtual_time_is_the_models_and_numbers_are_the_plans(flow, tmp_path):
    """The same run as on static plans that are said to cost what the model says."""
    with opened(flow, tmp_path / "dsa", npu(), ON_IT) as runtime:
        modelled_ns = runtime.storage.modelled_ns("head")
    costs = [modelled_ns[stage] / 1e6 for stage in (0, 1, 6)]
    cost = ("cost_ms: [1, 2, 1]", f"cost_ms: {costs}")
    robot, again, watch = Flown(length=60), Flown(length=60), Watch()
    with opened(flow, tmp_path / "dsa", npu(), ON_IT, cost) as runtime:
        device = runtime.devices["npu"]
        assert isinstance(device, DsaDevice)
        assert runtime.run(robot, episodes=1, lockstep=True, listeners=[watch]).reason == "complete"
        account = device.account()
        runtime.run(again, episodes=1, lockstep=True)
    assert len(robot.moves) > 40 and again.moves == robot.moves
    assert {stage: {ns} for stage, ns in modelled_ns.items()} == watch.took_ns
    assert account["step"].calls == 5 * account["start"].calls >= 5 * watch.jobs
    with opened(flow, tmp_path / "static", npu("local-sync", "static"), ON_IT, cost) as runtime:
        runtime.run(again, episodes=1, lockstep=True)
    assert again.moves == robot.moves


def test_the_model_goes_before_what_the_manifest_says(flow, tmp_path):
    watch = Watch()
    with opened(flow, tmp_path, npu("dram_gbps=0.001"), ON_IT) as runtime:
        modelled_ns = runtime.storage.modelled_ns("head")
        runtime.run(Flown(length=30), episodes=1, lockstep=True, listeners=[watch])
    assert watch.took_ns[0] == {modelled_ns[0]} and modelled_ns[0] != 1_000_000


def test_what_stages_hand_to_each_other_stays_in_sram(flow, tmp_path):
    with opened(flow, tmp_path, npu(), ON_IT) as runtime:
        runtime.run(Flown(length=20), episodes=1, lockstep=True)
        account = runtime.devices["npu"].account()
    moved = {name for entry in account.values() for name in entry.traffic}
    assert moved and not moved & {"input.x", "output.x", "input.t", "output.t"}


def test_a_profile_has_the_models_figures(flow, tmp_path):
    with opened(flow, tmp_path, npu(), ON_IT) as runtime:
        modelled_ns = runtime.storage.modelled_ns("head")
        plan = runtime.plan
    stages = profile(plan.bundle, 1.0).modules["head"].stages
    for stage, index in zip(stages, (0, 1, 6), strict=True):
        # Alone and with others, always the same: it is a model.
        for took in (stage.alone, stage.loaded):
            assert took.p50_ns == took.max_ns == modelled_ns[index]


def said(result, root: Path) -> str:
    return render_all(result.diagnostics).replace(f"{(root / 'bundle').resolve()}/", "")


@pytest.mark.parametrize(
    "uri", ["local-sync", "corse=2", "cores=0", "sram_kib=64,work_kib=65", "dram_gbps=x"]
)
def test_a_uri_that_describes_no_accelerator(flow, tmp_path, snapshot, uri):
    result = check(varied(flow, tmp_path, npu(uri), ON_IT))
    assert result.plan is None
    assert [d.code for d in result.diagnostics if d.is_error] == ["PC120"]
    assert said(result, tmp_path) == snapshot


def test_a_stage_that_needs_more_sram_than_there_is(flow, tmp_path, monkeypatch, snapshot):
    bundle = varied(flow, tmp_path, npu("sram_kib=64"), ON_IT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    known = open_bundle(bundle).lock.files["head.mlir"].sha256
    table, rows = Span("weight.table", 0, 65536), [Span("output.x", 0, 4), Span("output.x", 128, 132)]
    steps = (WorkStep("look_up", 0, (table,), tuple(rows)),)
    work = dumps([WorkEntry("step", {"weight.table": 65536, "output.x": 256}, steps)])
    able = {"start": 0, "step": 0, "finish": 0}
    store(known, b"plan", b"kernels", work, scratch_bytes=able, refused={}, state_bytes=0)
    result = check(bundle)
    assert [d.code for d in result.diagnostics if d.is_error] == ["PC121"]
    assert said(result, tmp_path) == snapshot
