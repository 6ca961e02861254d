"""A stage that outlives its queue, and perhaps its episode: what it leaves is not kept."""

from __future__ import annotations

import threading
from dataclasses import replace
from queue import SimpleQueue

import pytest

from polyrhythm.bundle import LockedEntry, LockedMachineCode, LockedModule, host
from polyrhythm.bundle.lock import LockedTensor
from polyrhythm.hal.api import Call, Completion, Queue
from polyrhythm.robots import StepResult
from polyrhythm.runtime import Runtime, check
from polyrhythm.runtime.engine import Engine
from polyrhythm.runtime.episodes import episodes
from polyrhythm.runtime.hands import Done, Move, Request
from polyrhythm.schedule.events import Launch, Wake
from tests.cli.bundles import make_bundle

MS = 1_000_000
WAIT_S = 60.0
#: `counter` keeps something from tick to tick, takes long, and is left for `reflex` 5 ms after it has begun.
MANIFEST = """\
robot:
  use: gymnasium
  control_hz: 50
  action: { dtype: f32, shape: [4] }
devices:
  cpu: { driver: "null", uri: "sleep_ns:0" }
orchestration:
  qos: { reflex: 0, counter: 1 }
  modules:
  - { id: counter, vmfb: counter.vmfb, rate_hz: 2, cost_ms: 15, max_failures: 9 }
  - { id: reflex, vmfb: reflex.vmfb, rate_hz: 50, phase_ms: 5, cost_ms: 1 }
  links:
  - { from: reflex.action, to: robot.action }
"""


def modules() -> dict[str, LockedModule]:
    seen, thought, action = (
        LockedTensor(name=name, dtype="f32", shape=[4]) for name in ("seen", "thought", "action")
    )
    entries = {
        "counter.vmfb": LockedEntry(inputs=[seen], outputs=[thought, seen], consumed=["seen"]),
        "reflex.vmfb": LockedEntry(inputs=[], outputs=[action]),
    }
    code = LockedMachineCode(arch=host().arch, cpu="generic")
    return {
        name: LockedModule(machine_code=code, loaded_bytes=0, entries={"main": entry})
        for name, entry in entries.items()
    }


class Held:
    """A call that counts in what its module keeps, when it may."""

    def __init__(self, call: Call, keeps) -> None:
        self.owner, self.entry, self.keeps = call.owner, call.entry, keeps
        self.began, self.may = threading.Event(), threading.Event()

    def run(self, key: int) -> None:
        self.began.set()
        assert self.may.wait(WAIT_S)
        self.keeps += 1


class World:
    """An engine on virtual time. The first call of `counter` is held, in a real queue, and the call that cuts
    in on it never ends; others end at once. The robot takes its ticks at once; its episode is over when
    `ends` says so."""

    def __init__(self, runtime: Runtime) -> None:
        self.now_ns, self.ends = 0, False
        self.asked: list[Request] = []
        self.launched: list[Launch] = []
        self.ended: list[Launch] = []
        self.completions: SimpleQueue[Completion] = SimpleQueue()  # of the one that is held
        self.held: Held | None = None
        self.keeps = runtime.storage.own["counter", "seen"]
        self.kept: list[float] = []  # at each launch of `counter`
        self.engine = Engine(
            runtime.live, runtime.devices, episodes(("left",), 2, 0), submit=self.submit,
            ask=self.asked.append,
        )  # fmt: skip

    def submit(self, launch: Launch, call: Call, queue: Queue) -> None:
        self.launched.append(launch)
        if launch.module == "counter":
            self.kept.append(float(self.keeps[0]))
        if self.held is None:
            self.held = Held(call, self.keeps)
            queue.submit(self.held, token=launch, done=self.completions.put)
            assert self.held.began.wait(WAIT_S)
        elif not launch.cuts_in:
            self.ended.append(launch)

    def answer(self) -> None:
        while self.ended or self.asked:
            if self.ended:
                self.stage_done(Completion(self.ended.pop(0), self.now_ns, self.now_ns, None))
                continue
            request = self.asked.pop(0)
            move = type(request) is Move
            result = StepResult(success=self.ends, done=self.ends) if move else None
            self.ends = self.ends and not move
            self.engine.robot_done(self.now_ns, Done(request, self.now_ns, None, result))

    def stage_done(self, completion: Completion) -> None:
        """As the loops do it."""
        self.engine.stage_done(self.now_ns, self.engine.take(completion))

    def play(self, to_ns: int) -> None:
        while (at_ns := self.engine.scheduler.wakeup_ns()) is not None and at_ns <= to_ns:
            self.now_ns = at_ns
            self.engine.handle(Wake(at_ns))
            self.answer()
        self.now_ns = to_ns


@pytest.mark.parametrize("ends", [True, False], ids=["in the next episode", "in the same one"])
def test_what_it_leaves_is_not_kept(tmp_path, ends) -> None:
    checked = check(make_bundle(tmp_path / "bundle", MANIFEST, modules()))
    assert checked.plan is not None, checked.diagnostics
    plan = replace(checked.plan, schedule=replace(checked.plan.schedule, gives_way=("cpu",)))
    with Runtime(plan) as runtime:
        world = World(runtime)
        world.engine.begin(0)
        world.answer()
        world.play(1000 * MS)
        assert [(launch.module, launch.cuts_in) for launch in world.launched] == [
            ("counter", False), ("reflex", True),
        ]  # fmt: skip
        world.play(1060 * MS)  # nobody knows which of them hangs: both have failed, and both go on
        assert len(world.launched) > 2 and world.held is not None
        world.ends = ends
        world.play(1200 * MS)
        assert len(world.engine.outcome.episodes) == ends and world.kept == [0]
        world.held.may.set()
        completion = world.completions.get(timeout=WAIT_S)
        assert world.keeps[0] == 1 and completion.token == world.launched[0]
        world.stage_done(completion)
        world.play(2500 * MS)
        assert len(world.kept) > 1 and set(world.kept) == {0}
