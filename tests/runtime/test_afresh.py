"""A job that has failed before its last stage: what its module keeps is zero when the next one begins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from polyrhythm.bundle import LockedEntry, LockedMachineCode, LockedModule, host
from polyrhythm.bundle.lock import LockedTensor
from polyrhythm.hal.api import Call, Completion, Queue
from polyrhythm.runtime import Runtime, check
from polyrhythm.runtime.engine import Engine
from polyrhythm.schedule.events import Launch, Wake
from tests.cli.bundles import make_bundle

MS = 1_000_000
STAGES = ("one", "two", "three")
#: `counter` keeps something from stage to stage and from tick to tick.
MANIFEST = """\
devices:
  cpu: {{ driver: "null", uri: "sleep_ns:0", in_flight: {in_flight} }}
orchestration:
  modules:
  - {{ id: counter, vmfb: counter.vmfb, entry: [one, two, three], rate_hz: 10, cost_ms: [1, 1, 1] }}
"""


def modules() -> dict[str, LockedModule]:
    seen = LockedTensor(name="seen", dtype="f32", shape=[4])
    entries = {name: LockedEntry(inputs=[seen], outputs=[seen], consumed=["seen"]) for name in STAGES}
    code = LockedMachineCode(arch=host().arch, cpu="generic")
    return {
        name: LockedModule(machine_code=code, loaded_bytes=0, entries=entries)
        for name in ("counter.vmfb", "hog.vmfb")
    }


class World:
    """An engine on virtual time, and a device whose stages end when `end` says so; each counts."""

    def __init__(self, runtime: Runtime) -> None:
        self.now_ns = 0
        self.keeps = runtime.storage.own["counter", "seen"]
        self.flying: list[Launch] = []
        self.kept: list[float] = []  # when a job begins
        self.engine = Engine(
            runtime.live, runtime.devices, iter(()), submit=self.submit, ask=print, seconds=1
        )  # fmt: skip
        self.engine.begin(0)

    def submit(self, launch: Launch, call: Call, queue: Queue) -> None:
        self.flying.append(launch)
        if launch.module == "counter" and launch.stage == 0:
            self.kept.append(float(self.keeps[0]))

    def end(self, stage: int, error: str | None = None) -> None:
        launch = self.flying.pop(0)
        assert launch.stage == stage
        self.keeps += 1
        completion = self.engine.take(Completion(launch, self.now_ns, self.now_ns, error))
        self.engine.stage_done(self.now_ns, completion)

    def later(self) -> None:
        self.now_ns += 100 * MS
        self.engine.handle(Wake(self.now_ns))


@contextmanager
def playing(root: Path, text: str) -> Iterator[World]:
    """A world, its bundle written to `root`."""
    checked = check(make_bundle(root, text, modules()))
    assert checked.plan is not None, checked.diagnostics
    with Runtime(checked.plan) as runtime:
        yield World(runtime)


@pytest.mark.parametrize("in_flight", [1, 2])
def test_it_begins_afresh_once_nothing_of_the_job_runs(tmp_path, in_flight) -> None:
    with playing(tmp_path / "bundle", MANIFEST.format(in_flight=in_flight)) as world:
        for stage in range(3):
            world.end(stage)
        world.later()
        world.end(0, "out of order")
        assert world.keeps[0] == 4, "the next stage may run"
        if in_flight == 2:
            world.end(1)
        assert not world.flying
        world.later()
        for stage in range(3):
            world.end(stage)
        world.later()
        for stage in range(2):
            world.end(stage)
        world.end(2, "out of order")
        world.later()
        assert world.kept == [0, 3, 0, 3, 0]


def test_a_job_that_never_began_has_touched_nothing(tmp_path) -> None:
    with playing(tmp_path / "bundle", MANIFEST.format(in_flight=1)) as world:
        for stage in range(3):
            world.end(stage)
        sequences = world.engine.live.storage.sequences
        begin, sequences.begin = sequences.begin, lambda launch: "its sequence is full"
        world.later()
        assert not world.flying
        sequences.begin = begin
        world.later()
        assert world.kept == [0, 3]


def test_a_job_that_was_given_up_is_not_cleaned_up_after(tmp_path) -> None:
    """Its queue was left behind, and says so of every stage that was in it: another may run by then."""
    with playing(tmp_path / "bundle", MANIFEST.format(in_flight=1)) as world:
        for stage in range(2):
            world.end(stage)
        while world.engine.scheduler.in_flight(world.flying[0].job):
            world.later()
        world.end(2, "counter hung on this queue")
        assert world.keeps[0] == 3


def test_nor_is_it_kept_where_its_queue_was_left_behind(tmp_path) -> None:
    """Two stages of the job have ended; the third stands behind one that hangs, and goes with the queue."""
    hog = "  - { id: hog, vmfb: hog.vmfb, entry: one, rate_hz: 1, phase_ms: 100, cost_ms: 1 }\n"
    text = MANIFEST.format(in_flight=2).replace("  modules:\n", "  qos: { hog: 0 }\n  modules:\n") + hog
    with playing(tmp_path / "bundle", text) as world:
        world.later()
        world.end(0)
        world.end(1)
        assert [launch.module for launch in world.flying] == ["hog", "counter"] and world.keeps[0] == 2
        while len(world.flying) == 2:
            world.later()
        assert world.kept == [0, 0]
