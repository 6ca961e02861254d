"""Plays a plan with the real scheduler on a virtual clock, without models or a robot, and tells listeners."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count

import numpy as np

from polyrhythm.chunks import ChunkPlayer, Motion
from polyrhythm.runtime.listener import EpisodeBegan, EpisodeOver, Listener, Moved
from polyrhythm.runtime.outcome import ModuleOutcome, Outcome
from polyrhythm.schedule import (
    ControlPlan,
    InputPlan,
    Loop,
    Mode,
    ModulePlan,
    Overrun,
    SchedulePlan,
    Scheduler,
)
from polyrhythm.schedule.events import (
    Act,
    Acted,
    Decelerate,
    EpisodeEnd,
    Event,
    Halt,
    Hold,
    Launch,
    Observe,
    Sampled,
    StageDone,
    Start,
    Stop,
    Wake,
)

MS = 1_000_000


def dual_plan(**changes: object) -> SchedulePlan:
    """A slow `vlm` (two stages, 3 Hz) and a fast `dit` (20 Hz) drive a robot at 80 Hz."""
    vlm = ModulePlan(
        "vlm", "cpu", Fraction(10**9, 3), 300 * MS, priority=1, stages=("encode", "decode"),
        costs_ns=(20 * MS, 10 * MS), inputs=(InputPlan("depth", "robot.depth"),), outputs=("vlm.hidden",),
    )  # fmt: skip
    dit = ModulePlan(
        "dit", "cpu", Fraction(50 * MS), 50 * MS, rank=1, stages=("step", "step"), costs_ns=(2 * MS, 3 * MS),
        inputs=(InputPlan("proprio", "robot.proprio"), InputPlan("condition", "vlm.hidden", 500 * MS)),
        outputs=("dit.actions",), chunk=("dit.actions", 16), on_overrun=Overrun.SKIP,
    )  # fmt: skip
    parts = {
        "mode": Mode.PIPELINED,
        "modules": (vlm, dit),
        "devices": {"cpu": 1},
        "ports": {"robot.depth": 3, "robot.proprio": 3, "vlm.hidden": 3, "dit.actions": 4},
        "control": ControlPlan(
            Fraction(12_500_000), {"robot.depth": Fraction(200 * MS), "robot.proprio": Fraction(12_500_000)}
        ),
    }
    return SchedulePlan(**(parts | changes))  # type: ignore[arg-type]


def flow_plan(deadline_ms: int = 50) -> SchedulePlan:
    """`dual_plan` with a flow in the place of `dit`: at most 5 steps of 9 ms, at least 2."""
    plan = dual_plan()
    vlm, dit = plan.modules
    flow = replace(
        dit, stages=("start", *["step"] * 5, "finish"), costs_ns=(2 * MS, *[9 * MS] * 5, MS),
        loop=Loop(1, 5, 2), deadline_ns=deadline_ms * MS,
    )  # fmt: skip
    return replace(plan, modules=(vlm, flow))


def solo_plan() -> SchedulePlan:
    """One module without a robot."""
    module = ModulePlan("pulse", "cpu", Fraction(10 * MS), 10 * MS, costs_ns=(4 * MS,))
    return SchedulePlan(Mode.PIPELINED, (module,), {"cpu": 1}, {})


class Play:
    """One run: `ticks` control ticks an episode, the tasks in turn; `error` may fail a stage."""

    def __init__(
        self,
        plan: SchedulePlan,
        listeners: Sequence[Listener],
        *,
        tasks: Iterable[str] = ("push",),
        ticks: int = 80,
        until_ms: int | None = None,
        success: Callable[[str], bool | None] = lambda task: True,
        error: Callable[[Launch], str | None] = lambda launch: None,
        start_ns: int = 0,
        act_ns: int = 1 * MS,
        look_ns: int = 0,
    ) -> None:
        self.plan, self.listeners, self.tasks, self.ticks = plan, listeners, list(tasks), ticks
        self.success, self.error, self.act_ns, self.look_ns = success, error, act_ns, look_ns
        self.scheduler = Scheduler(plan, ChunkPlayer())
        self.outcome = Outcome()
        self.motion = Motion(2, (0.3, 10.0))
        self.now_ns = start_ns
        self.ends_ns = None if until_ms is None else start_ns + until_ms * MS
        self._coming: list[tuple[int, int, Event]] = []
        self._order = count()
        self._costs = {m.id: m.costs_ns for m in plan.modules}
        self._free_ns = dict.fromkeys(plan.devices, 0)
        self._number, self._held, self._running = 0, 0, False

    def run(self) -> Outcome:
        """Play to the end and draw up the account as the runtime does."""
        start_ns = self.now_ns
        self.handle(Start(self.now_ns))
        while not (self.scheduler.phase == "stopped" and self.scheduler.drained):
            self._turn()
        self.outcome.ran_ns = self.now_ns - start_ns
        for (what, reason), times in sorted(self.scheduler.drops.items()):
            self.outcome.drops.setdefault(what, {})[reason] = times
        for m in self.scheduler.modules:
            self.outcome.modules[m.plan.id] = ModuleOutcome(
                m.released, m.finished, m.late, m.stale_used, m.shifted,
                len(m.pending) + (m.active is not None), m.isolated, self.outcome.drops.pop(m.plan.id, {}),
            )  # fmt: skip
        chunks = [m for m in self.scheduler.modules if m.plan.chunk is not None]
        self.outcome.undriven = next((m.plan.id for m in chunks if m.isolated), None)
        self.outcome.boundaries = self.motion.account
        self.outcome.superseded = self.scheduler.contexts.superseded()
        return self.outcome

    def handle(self, event: Event) -> None:
        """One event through the scheduler, to listeners, and its commands carried out."""
        commands = self.scheduler.handle(event)
        for listener in self.listeners:
            listener.step(event, commands)
        if not self._running and self.scheduler.phase == "running":
            self._running = True
            if self.plan.control is not None:
                began = EpisodeBegan(event.now_ns, self._number, self.tasks[self._number], 7)
                self._note(began)
        for command in commands:
            self._carry_out(command)

    def _carry_out(self, command: object) -> None:
        match command:
            case Launch():
                started = max(self.now_ns, self._free_ns[command.device])
                ended = started + self._costs[command.module][command.stage]
                self._free_ns[command.device] = ended
                error = self.error(command)
                self._push(StageDone(ended, command.job, command.stage, started, ended, error))
            case Observe(port, slot):
                self._push(Sampled(self.now_ns + self.look_ns, port, slot, self.now_ns))
            case Act(tick, _, slot, row):
                # Within a chunk nothing changes; from chunk to chunk as much as ticks lie between them.
                action = np.array([0.1, 0.05], np.float32) * (tick - row)
                self.motion.act(action, slot, tick - row)
                self._push(Acted(self.now_ns + self.act_ns, tick))
            case Hold(tick) | Decelerate(tick):
                self.motion.hold()
                self._held += 1
                self._push(Acted(self.now_ns + self.act_ns, tick))
            case Halt(reason):
                self.outcome.reason = reason

    def _turn(self) -> None:
        wake_ns = self.scheduler.wakeup_ns()
        due = [t for t in (self._coming[0][0] if self._coming else None, wake_ns) if t is not None]
        at_ns = min(due)
        if self.ends_ns is not None and self.scheduler.phase != "stopped" and at_ns >= self.ends_ns:
            self.now_ns = self.ends_ns
            self.handle(Stop(self.now_ns, "complete"))
            return
        self.now_ns = at_ns
        if not self._coming or self._coming[0][0] > at_ns:
            self.handle(Wake(at_ns))
            return
        event = heapq.heappop(self._coming)[2]
        if isinstance(event, Acted):
            self._acted(event)
        else:
            self.handle(event)

    def _acted(self, event: Acted) -> None:
        tick = event.tick
        self._note(Moved(self.now_ns, tick, (0.0,) * 4, {"hand_x": tick / 10, "hand_y": 0.5, "hand_z": 0.1}))
        ended = tick + 1 >= self.ticks and self.scheduler.phase == "running"
        if ended:
            self.handle(EpisodeEnd(self.now_ns))
        self.handle(event)
        if ended:
            task = self.tasks[self._number]
            over = EpisodeOver(self.now_ns, self._number, task, 7, self.success(task), tick + 1, self._held)
            self.outcome.episodes.append(over)
            self._note(over)
            self._number, self._held, self._running = self._number + 1, 0, False
            self.motion.reset()
            if self._number < len(self.tasks):
                self.handle(Start(self.now_ns))
            else:
                self.handle(Stop(self.now_ns, "complete"))

    def _note(self, note: EpisodeBegan | EpisodeOver | Moved) -> None:
        for listener in self.listeners:
            listener.note(note)

    def _push(self, event: Event) -> None:
        heapq.heappush(self._coming, (event.now_ns, next(self._order), event))
