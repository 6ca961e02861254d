"""A device of static plans that two modules share: the one that takes long is left for the urgent one."""

from __future__ import annotations

import io
import os
import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import open_bundle, relock
from polyrhythm.compile import build, prepare
from polyrhythm.hal.api import Call
from polyrhythm.manifest import render_all
from polyrhythm.observe.proofs import explain
from polyrhythm.runtime import Runtime, check, profiling
from polyrhythm.runtime.costs import (
    CostChoice,
    CostFile,
    Machine,
    Measured,
    ModuleCosts,
    Setup,
    StageCosts,
    module_digest,
    packages,
    stage_names,
    write_costs,
)
from polyrhythm.runtime.plan import Plan
from polyrhythm.runtime.profiling import profile
from polyrhythm.schedule.events import Command, Event, Finish, Launch, Publish, StageDone

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def shared(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("giving") / "bundle"
    build(HERE / "giving_way.py", out)
    prepare(open_bundle(out))
    return out


@pytest.fixture(scope="module")
def plan(shared) -> Plan:
    result = check(shared)
    assert result.plan is not None, render_all(result.diagnostics)
    return result.plan


class Seen:
    """Who was launched and done, in order, and what the long module gave: the bytes of every version."""

    def __init__(self, runtime: Runtime) -> None:
        self.order: list[tuple[str, str]] = []
        self.spans_ns: dict[int, tuple[int, int]] = {}  # of what is done, by its place in the order
        self.cuts = 0
        self.away_ns = 0
        self.thoughts: list[bytes] = []
        self._links = runtime.storage.links
        self._module: dict[int, str] = {}

    def step(self, event: Event, commands: list[Command]) -> None:
        if type(event) is StageDone:
            self.spans_ns[len(self.order)] = event.started_ns, event.ended_ns
            self.order.append(("done", self._module[event.job]))
            self.away_ns += event.away_ns
        for command in commands:
            if type(command) is Launch:
                self._module[command.job] = command.module
                self.order.append(("cut in" if command.cuts_in else "launched", command.module))
                self.cuts += command.cuts_in
            elif type(command) is Publish and command.port == "thinker.y":
                self.thoughts.append(self._links["thinker.y"].array(command.slot).tobytes())
            elif type(command) is Finish:
                self.order.append(("finished", command.module))

    def note(self, note: object) -> None:
        """There are no episodes."""


def played(plan: Plan, **options: object) -> Seen:
    with Runtime(plan) as runtime:
        x = runtime.storage.own["thinker", "x"]
        x[...] = np.random.default_rng(1).standard_normal(x.shape) / 8
        seen = Seen(runtime)
        assert runtime.run(listeners=[seen], **options).reason == "complete"  # type: ignore[arg-type]
    return seen


def test_only_devices_whose_driver_can_give_way(plan: Plan) -> None:
    assert plan.schedule.gives_way == ("shared",)


def test_the_urgent_one_is_done_first_and_the_bits_are_the_same(plan: Plan) -> None:
    """In real time, on real kernels: whoever cut in is done before the one that it cut in on, unless that was
    at its last kernel and had ended before; and that gives what it gives on a device of its own."""
    seen = played(plan, seconds=2.5)
    assert seen.cuts > 0 and seen.away_ns > 0
    cut_in = [i for i, step in enumerate(seen.order) if step == ("cut in", "reflex")]
    for i in cut_in:
        first, other = (seen.order.index(("done", name), i) for name in ("reflex", "thinker"))
        assert first < other or seen.spans_ns[other][1] <= seen.spans_ns[first][0]
    held = replace(plan, schedule=replace(plan.schedule, gives_way=()))
    alone = played(held, seconds=1.0, lockstep=True)
    assert alone.cuts == 0 and len(seen.thoughts) >= 2
    assert set(seen.thoughts) == set(alone.thoughts) and len(set(seen.thoughts)) == 1


def test_virtual_time_gives_way_too(plan: Plan) -> None:
    """15 ms of the long one, from 0, 500, 1000, 1500 ms on; the other one comes at 5 ms and every 20 after
    that, but has nothing to read before the first has ended."""
    seen = played(plan, seconds=2.0, lockstep=True)
    assert seen.cuts == 3 and seen.away_ns == 3_000_000
    assert seen.order == played(plan, seconds=2.0, lockstep=True).order


@pytest.mark.slow
def test_every_kernel_is_measured(shared: Path) -> None:
    found = profile(open_bundle(shared), 4.0)
    (think,), (react,) = (found.modules[name].stages for name in ("thinker", "reflex"))
    assert think.piece is not None and 0 < think.piece.p50_ns < think.alone.p50_ns
    assert react.piece is not None and react.piece.samples >= 3


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core")
def test_kernels_are_measured_on_the_cores_of_their_device(shared: Path, tmp_path: Path, monkeypatch) -> None:
    root, before, seen = tmp_path / "bundle", os.sched_getaffinity(0), []
    shutil.copytree(shared, root)
    text, core = (root / "manifest.yaml").read_text(), max(before)
    (root / "manifest.yaml").write_text(text.replace("driver: static", f"driver: static, cores: [{core}]"))
    measure = profiling._longest_ns

    def watched(call: Call, for_ns: int) -> list[int]:
        seen.append(os.sched_getaffinity(0))
        return measure(call, for_ns)

    monkeypatch.setattr(profiling, "_longest_ns", watched)
    found = profiling._pieces(relock(root), 0.01, lambda _: None)
    assert seen == [{core}, {core}] and os.sched_getaffinity(0) == before
    assert all(piece is not None and piece.p50_ns > 0 for (piece,) in found.values())


@pytest.mark.parametrize(
    ("loaded", "piece_ns"),
    [
        ((10, 20), 18),
        ((15, 30), 27),  # half as long again, as a rule and at worst
        ((15, 20), 20),  # no longer than the stage ever was
        ((10, 30), 27),
        ((5, 10), 18),
    ],
)
def test_a_kernel_takes_longer_beside_others_as_its_stage_does(
    loaded: tuple[int, int], piece_ns: int
) -> None:
    alone, beside, piece = (
        Measured(samples=9, p50_ns=p50_ns, p99_ns=max_ns, max_ns=max_ns)
        for p50_ns, max_ns in ((10, 20), loaded, (3, 18))
    )
    stage = StageCosts(stage="think", alone=alone, loaded=beside, piece=piece)
    assert stage.piece_ns("max") == piece_ns
    assert stage.model_copy(update={"piece": None}).piece_ns("max") is None


def costs_of(shared: Path, **ns: tuple[int, int]) -> CostFile:
    """What `profile` would have found: for each module its cost and its longest kernel."""
    bundle, modules = open_bundle(shared), {}
    for module in bundle.manifest.orchestration.modules:
        whole, piece = (Measured.of([value]) for value in ns[module.id])
        (name,) = stage_names(bundle, module)
        modules[module.id] = ModuleCosts(
            artefact=module.artefact, digest=module_digest(bundle, module), device="shared",
            stages=(StageCosts(stage=name, alone=whole, loaded=whole, piece=piece),),
        )  # fmt: skip
    return CostFile(
        bundle="giving way", taken="2026-01-01", seconds=1, machine=Machine.here(), packages=packages(bundle),
        devices={name: Setup.of(device) for name, device in bundle.manifest.devices.items()},
        release=Measured.of([0]), modules=modules,
    )  # fmt: skip


def test_a_kernel_that_was_measured_is_what_blocks(shared: Path, tmp_path: Path) -> None:
    """15 and 1 ms, in kernels of 2 and 0.5 ms at most."""
    found = costs_of(shared, thinker=(15_000_000, 2_000_000), reflex=(1_000_000, 500_000))
    write_costs(found, tmp_path / "costs.json")
    proof = check(shared, CostChoice(tmp_path / "costs.json", Fraction(1))).proof
    assert proof is not None
    verdicts = {name: proof.modules[name].verdict for name in ("thinker", "reflex")}
    assert {name: v.blocker_ns for name, v in verdicts.items()} == {"thinker": 0, "reflex": 2_000_000}
    assert {name: v.bound_ns for name, v in verdicts.items()} == {"thinker": 16_000_000, "reflex": 3_000_000}
    left = "measured: thinker after 2 ms, reflex after 0.5 ms at most"
    assert f"shared leaves a stage for a more urgent one; {left}" in proof.assumptions


def test_without_a_measurement_a_whole_stage_counts(shared: Path, snapshot: SnapshotAssertion) -> None:
    proof = check(shared).proof
    assert proof is not None
    assert proof.modules["reflex"].verdict.blocker_ns == 15_000_000
    console = Console(width=110, record=True, file=io.StringIO())
    console.print(explain(proof, "reflex"))
    assert console.export_text() == snapshot
