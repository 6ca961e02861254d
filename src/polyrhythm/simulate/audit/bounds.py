"""No job whose device keeps to its costs takes longer than the analysis says.

The bounds of a device are void from the moment something happens on it that they are not made for: a stage
takes longer than planned, something is told late, a queue is left behind, a context is warmed up, a chunk is
wanted before the last one can have been played. They hold again for what is released after an instant at
which the device had nothing to do: no busy period that began before reaches beyond it. An episode begins at
such an instant, and so does a context that was switched to. When the power profile changes, what is proven
of all changes holds until such an instant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from polyrhythm.chunks import PlayerPlan
from polyrhythm.schedule import Mode, SchedulePlan
from polyrhythm.schedule.events import Command, Event, Finish, Launch, Renew, StageDone, Switched
from polyrhythm.simulate.audit.books import ContextBook, JobBook
from polyrhythm.simulate.audit.control import Control


class Limits(NamedTuple):
    """What is proven of a plan under a power profile, by module: the bound of a response in ns, and how close
    two releases may come. A module that is missing has no bound; those in `keep` are done by their deadlines,
    because they leave out steps."""

    bounds_ns: Mapping[str, int]
    periods_ns: Mapping[str, Fraction]
    keep: frozenset[str] = frozenset()


#: (plan, power profile; None: while profiles change) -> what is proven.
Proven = Callable[[SchedulePlan, str | None], Limits]


class Bounds(Control):
    """No job whose device keeps to its costs takes longer than the analysis says."""

    def __init__(
        self, plan: SchedulePlan, proven: Proven | None = None, player: PlayerPlan | None = None
    ) -> None:
        super().__init__(plan, player or PlayerPlan())
        self._proven = proven
        #: What it said last, and of what.
        self._known_limits: tuple[SchedulePlan, str | None, Limits] | None = None
        #: Device -> since when its bounds hold; one that is missing is void.
        self._sound_ns: dict[str, int] = {}
        #: Devices that have not rested since the profile changed; and the profile up to now.
        self._mixed: set[str] = set()
        self._known = plan.profile
        self._demanded_ns: dict[str, int] = {}
        #: Module -> the longest response that was judged and its bound under the same profile, in ns.
        self.worst: dict[str, tuple[int, int]] = {}
        self.judged = 0

    def _void(self, *devices: str) -> None:
        for device in devices or tuple(self._sound_ns):
            self._sound_ns.pop(device, None)
        if self.plan.mode is Mode.SEQUENTIAL:
            self._sound_ns.clear()

    def _unforeseen(self, event: Event, commands: list[Command]) -> None:
        """What of a step the bounds are not made for."""
        if self.profile != self._known:
            if {self.profile, self._known} <= self.plan.profiles.keys():
                self._mixed = set(self.k)
            else:
                self._void()
            self._known = self.profile
        for command in commands:
            if isinstance(command, Launch):
                if command.tick < 0:
                    self._void(command.device)
                elif command.splice is not None:
                    self._too_soon(command)
            elif isinstance(command, Renew):
                self._void(command.device)
            elif isinstance(command, Switched):
                self._demanded_ns.clear()
                if self._mixed:
                    self._void()
                    self._mixed.clear()

    def _begin(self, begins: bool) -> None:
        begun = self.begun_now
        super()._begin(begins)
        if self.begun_now and not begun:
            self._free(device for device in self.k if not self.flying[device])

    def _try_open(self, context: ContextBook) -> None:
        opened = context.open
        super()._try_open(context)
        if context.open and not opened:
            self._free(device for device in self.k if not self.flying[device])

    def _kept(self, job: JobBook, event: StageDone) -> None:
        """A stage has ended."""
        if event.took_ns > self._planned_ns(job, event.stage) or event.now_ns > event.ended_ns:
            self._void(job.plan.device)

    def _planned_ns(self, job: JobBook, stage: int) -> int:
        """What a stage may take: that of any profile, while one gives way to another."""
        plan, module = job.module.context.plan, job.module
        if job.plan.device not in self._mixed:
            return job.plan.costs_ns[stage]
        runs = [plan.module_under(profile, plan.modules[module.index]) for profile in plan.profiles]
        return max(m.costs_ns[stage] for m in (*runs, job.plan) if m is not None)

    def _limits(self, device: str) -> Limits:
        assert self._proven is not None
        profile, known = None if device in self._mixed else self.profile, self._known_limits
        if known is None or known[0] is not self.plan or known[1] != profile:
            known = self._known_limits = self.plan, profile, self._proven(self.plan, profile)
        return known[2]

    def _too_soon(self, launch: Launch) -> None:
        m = self.live.by_id[launch.module]
        if self._proven is None or not m.plan.on_demand:
            return
        release_ns = self.jobs[launch.job].release_ns
        before_ns = self._demanded_ns.get(launch.module)
        self._demanded_ns[launch.module] = release_ns
        period_ns = self._limits(launch.device).periods_ns.get(launch.module, 0)
        if before_ns is not None and release_ns - before_ns < period_ns:
            self._void(launch.device)

    def _within(self, job: JobBook, finish: Finish) -> None:
        """A job has ended well."""
        sound_ns = self._sound_ns.get(job.plan.device)
        if self._proven is None or sound_ns is None or job.release_ns < sound_ns:
            return
        limits = self._limits(job.plan.device)
        bound_ns = limits.bounds_ns.get(finish.module)
        if finish.module in limits.keep:
            bound_ns = finish.deadline_ns - finish.release_ns
        if bound_ns is None:
            return
        took_ns = self.now_ns - finish.release_ns
        assert took_ns <= bound_ns, f"{finish.module} took {took_ns} ns, its bound is {bound_ns} ns"
        self.judged += 1
        if finish.module not in self.worst or self.worst[finish.module][0] < took_ns:
            self.worst[finish.module] = took_ns, bound_ns

    def _sound(self) -> None:
        """Which devices have nothing to do."""
        if self._proven is None or (len(self._sound_ns) == len(self.k) and not self._mixed):
            return
        busy = {m.plan.device for m in self.modules if m.active is not None or m.pending}
        busy |= {device for device, flying in self.flying.items() if flying}
        self._free(device for device in self.k if device not in busy)

    def _free(self, devices: Iterable[str]) -> None:
        """These have nothing to do; in `sequential` that counts if none has."""
        free = dict.fromkeys(devices, self.now_ns)
        if not self.changing and (len(free) == len(self.k) or self.plan.mode is not Mode.SEQUENTIAL):
            self._sound_ns = free | self._sound_ns
            self._mixed.difference_update(free)
