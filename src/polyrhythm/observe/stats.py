"""Streaming statistics of a run: what each module, link and port did, in memory that does not grow.

`Stats` is fed in the midst of the run, a few microseconds an event, by one thread at a time. `Stats.snapshot`
may be taken from any thread meanwhile; taken after the run it is exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from polyrhythm.observe.spread import Spread
from polyrhythm.observe.stages import PerContext, Steps, stage_labels
from polyrhythm.observe.tempo import Tempo
from polyrhythm.observe.views import ControlView, ModuleView, Snapshot
from polyrhythm.runtime.listener import EpisodeBegan, EpisodeOver, Note
from polyrhythm.schedule import WARM_TICK
from polyrhythm.schedule.events import (
    Act,
    Acted,
    Admit,
    Command,
    Decelerate,
    Defer,
    Drained,
    Drop,
    EpisodeEnd,
    Event,
    Finish,
    Halt,
    Hold,
    Isolate,
    Launch,
    Observe,
    Publish,
    Sampled,
    SetProfile,
    StageDone,
    Start,
    Switched,
)
from polyrhythm.schedule.grid import NS_PER_S, Grid
from polyrhythm.schedule.plan import ModulePlan, SchedulePlan

#: The name under which the robot's input stands among the links.
ROBOT_INPUT = "robot.action"
CONTROL = "control"


def link_name(source: str, sink: str) -> str:
    """How a link is called in tables, traces and summaries."""
    return f"{source} -> {sink}"


class ModuleStats:
    """Running counts of one module; `plan` is that of the context which plays, if it has the module."""

    def __init__(self, plan: ModulePlan) -> None:
        self.plan = plan
        self.launched = 0
        self.finished = 0
        self.late = 0
        self.deferred = 0
        self.isolated: str | None = None
        self.suspended = False  # by the power profile
        self.drops: Counter[str] = Counter()
        self.response = Spread()
        self.stages = {label: Spread() for label in stage_labels(plan)}
        self.steps = Steps()
        self.tempo = Tempo(2 * int(plan.period_ns) + plan.deadline_ns + plan.phase_ns)


class ControlStats:
    """Running counts of the robot's side."""

    def __init__(self, period_ns: int) -> None:
        self.acts = 0
        self.holds: Counter[str] = Counter()
        self.drops: Counter[str] = Counter()
        self.jitter = Spread()
        self.robot = Spread()
        self.tempo = Tempo(2 * period_ns)


@dataclass(slots=True)
class _Part:
    """A module of one context: its plan as it runs, the spread of every stage, what its links are called."""

    plan: ModulePlan
    spreads: tuple[Spread, ...]
    links: dict[str, str]


@dataclass(slots=True)
class _Port:
    published: int = 0
    #: (context, slot) -> stamp of what it holds
    stamps: dict[tuple[int, int], int] = field(default_factory=dict)
    asked_ns: int = 0
    sampling: Spread = field(default_factory=Spread)
    drops: Counter[str] = field(default_factory=Counter)


class Stats:
    """A `Listener` that counts. What it holds is made from the plan, and from those of contexts that are
    admitted later: modules and ports of one name are counted together, whichever context they are of."""

    def __init__(self, plan: SchedulePlan) -> None:
        self.plan = plan
        self.now_ns = 0
        self.modules: dict[str, ModuleStats] = {}
        self.ages: dict[str, Spread] = {}
        self.ports: dict[str, _Port] = {}
        self.control = None if plan.control is None else ControlStats(int(plan.control.period_ns))
        self.episodes: list[EpisodeOver] = []
        self._plans: dict[int | None, SchedulePlan] = {}
        self._parts: PerContext[_Part] = PerContext()
        self._live: int | None = None
        self._profile = plan.profile
        self._jobs: dict[int, tuple[int, str]] = {}
        self._job_of: dict[tuple[int, str], int] = {}
        self._began_ns: int | None = None
        self._add(None, plan)
        self._ran_ns = 0
        self._grid: Grid | None = None
        self._answered_ns = 0
        self._tick = 0
        self._episode: EpisodeBegan | None = None
        self._halted: str | None = None
        self._on: dict[type, Callable[[Any], None]] = {
            Admit: self._admit, Start: self._start, StageDone: self._stage_done,
            Acted: self._acted, Sampled: self._sampled,
            EpisodeEnd: self._end, Launch: self._launch, Publish: self._publish, Finish: self._finish,
            Drop: self._drop, Observe: self._observe, Act: self._act, Hold: self._hold,
            Decelerate: self._hold, Isolate: self._isolate, Halt: self._halt, Drained: self._drained,
            Defer: self._defer,
            SetProfile: self._set_profile, Switched: self._switched,
        }  # fmt: skip

    # -- listener -----------------------------------------------------------------------------------------

    def step(self, event: Event, commands: list[Command]) -> None:
        """Count an event and its commands."""
        self.now_ns = event.now_ns
        on = self._on
        if (handler := on.get(type(event))) is not None:
            handler(event)
        for command in commands:
            if (handler := on.get(type(command))) is not None:
                handler(command)

    def note(self, note: Note) -> None:
        """Keep which episode is played and how episodes ended."""
        if type(note) is EpisodeBegan:
            self._episode = note
        elif type(note) is EpisodeOver:
            self._episode = None
            self.episodes.append(note)

    # -- events -------------------------------------------------------------------------------------------

    def _admit(self, event: Admit) -> None:
        self._add(event.context, event.plan)

    def _add(self, context: int | None, plan: SchedulePlan) -> None:
        """Make room for what a plan names and no plan before did."""
        ages, modules, ports = dict(self.ages), dict(self.modules), dict(self.ports)
        for module in plan.modules:
            if (stats := modules.get(module.id)) is None:
                stats = modules[module.id] = ModuleStats(module)
            labels = stage_labels(module)
            stats.stages = stats.stages | {name: Spread() for name in labels if name not in stats.stages}
            links = {i.name: link_name(i.source, f"{module.id}.{i.name}") for i in module.inputs}
            spreads = tuple(stats.stages[label] for label in labels)
            self._parts.put(context, module.id, _Part(module, spreads, links))
            for link in links.values():
                ages.setdefault(link, Spread())
        for module in plan.modules:
            if module.chunk is not None and plan.control is not None:
                ages.setdefault(link_name(module.chunk[0], ROBOT_INPUT), Spread())
        for port in plan.ports:
            ports.setdefault(port, _Port())
        # Whole new ones, because another thread may be going through the old.
        self.ages, self.modules, self.ports = ages, modules, ports
        self._plans[context] = plan
        self._ask()

    def _start(self, event: Start) -> None:
        if self.control is None:
            self._begin(event.now_ns)

    def _begin(self, now_ns: int) -> None:
        """The grids start. With a robot this is when the first control tick of an episode is answered."""
        self._began_ns = now_ns
        self._pace()
        if self.control is not None and self.plan.control is not None:
            self.control.tempo.begin(now_ns)
            self._grid = Grid(self.plan.control.period_ns, now_ns)

    def _end(self, event: object) -> None:
        if self._began_ns is None:
            return
        self._ran_ns += self.now_ns - self._began_ns
        self._began_ns = None
        for module in self.modules.values():
            module.tempo.end(self.now_ns)
        if self.control is not None:
            self.control.tempo.end(self.now_ns)

    def _stage_done(self, event: StageDone) -> None:
        job = self._jobs.get(event.job)
        if job is not None and event.error is None:
            self._parts.get(*job).spreads[event.stage].add(event.took_ns)

    def _acted(self, event: Acted) -> None:
        assert self.control is not None
        self.control.robot.add(event.now_ns - self._answered_ns)

    def _sampled(self, event: Sampled) -> None:
        port = self.ports[event.port]
        port.sampling.add(event.now_ns - port.asked_ns)

    def _set_profile(self, event: SetProfile) -> None:
        self._profile = event.name
        self._ask()

    def _switched(self, command: Switched) -> None:
        self._live = command.context if command.context in self._plans else None
        self._ask()

    def _ask(self) -> None:
        """What is asked of a module is what the profile makes of it, first of all where it plays."""
        for context in sorted(self._plans, key=lambda context: context == self._live):
            plan = self._plans[context]
            for module in plan.modules:
                under = plan.module_under(self._profile, module)
                stats, part = self.modules[module.id], self._parts.of(context, module.id)
                stats.suspended, stats.plan = under is None, under or module
                part.plan = stats.plan
        self._pace()

    def _pace(self) -> None:
        """What does not play, or is dropped by the profile, misses no rate."""
        if self._began_ns is None:
            return
        live = {module.id for module in self._plans[self._live].modules}
        for name, module in self.modules.items():
            if name in live and not module.suspended:
                module.tempo.begin(self.now_ns)
            else:
                module.tempo.end(self.now_ns)

    # -- commands -----------------------------------------------------------------------------------------

    def _launch(self, command: Launch) -> None:
        if command.tick == WARM_TICK:
            return
        module, part = self.modules[command.module], self._parts.get(command.context, command.module)
        if (loop := part.plan.loop) is not None and command.stage == loop.first + loop.full - 1:
            module.steps.last_step(loop.full - command.skipped)
        last_job = self._job_of.get((command.context, command.module), -1)
        if command.job == last_job:
            return  # not its first stage
        module.launched += 1
        self._jobs.pop(last_job, None)  # a module has one job at a time
        self._jobs[command.job] = command.context, command.module
        self._job_of[command.context, command.module] = command.job
        for read in command.reads:
            self.ages[part.links[read.input]].add(read.age_ns)

    def _publish(self, command: Publish) -> None:
        port = self.ports[command.port]
        port.published += 1
        port.stamps[command.context, command.slot] = command.stamp_ns

    def _finish(self, command: Finish) -> None:
        module = self.modules[command.module]
        module.finished += 1
        module.late += self.now_ns > command.deadline_ns
        module.response.add(self.now_ns - command.release_ns)
        if self._parts.get(command.context, command.module).plan.loop is not None:
            module.steps.finished()
        module.tempo.beat(command.release_ns)

    def _defer(self, command: Defer) -> None:
        self.modules[command.module].deferred += 1

    def _drop(self, command: Drop) -> None:
        if (module := self.modules.get(command.what)) is not None:
            module.drops[command.reason] += command.times
        elif command.what == CONTROL and self.control is not None:
            self.control.drops[command.reason] += command.times
        else:
            self.ports[command.what].drops[command.reason] += command.times

    def _observe(self, command: Observe) -> None:
        self.ports[command.port].asked_ns = self.now_ns

    def _act(self, command: Act) -> None:
        self._answer(command.tick).acts += 1
        stamp_ns = self.ports[command.port].stamps.get((command.context, command.slot))
        if stamp_ns is not None:
            self.ages[link_name(command.port, ROBOT_INPUT)].add(self.now_ns - stamp_ns)

    def _hold(self, command: Hold | Decelerate) -> None:
        self._answer(command.tick).holds[command.reason] += 1

    def _answer(self, tick: int) -> ControlStats:
        assert self.control is not None
        if self._began_ns is None:
            self._begin(self.now_ns)
        assert self._grid is not None
        instant_ns = self._grid.at(self._grid.last_at_or_before(self.now_ns))
        self.control.jitter.add(self.now_ns - instant_ns)
        self.control.tempo.beat(instant_ns)
        self._answered_ns, self._tick = self.now_ns, tick
        return self.control

    def _drained(self, command: Drained) -> None:
        """Contexts come and go; what is remembered of one goes with it."""
        for port in self.ports.values():
            port.stamps = {at: ns for at, ns in port.stamps.items() if at[0] != command.context}
        for module in self.modules:
            self._jobs.pop(self._job_of.pop((command.context, module), -1), None)
        self._plans.pop(command.context, None)
        self._parts.forget(command.context)

    def _isolate(self, command: Isolate) -> None:
        self.modules[command.module].isolated = command.reason

    def _halt(self, command: Halt) -> None:
        self._halted = command.reason
        self._end(command)

    # -- out ----------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Everything up to now; from any thread."""
        now_ns, began_ns = self.now_ns, self._began_ns
        return Snapshot(
            now_ns=now_ns,
            running_ns=self._ran_ns + (0 if began_ns is None else now_ns - began_ns),
            episode=self._episode,
            tick=self._tick,
            finished_episodes=tuple(self.episodes),
            profile=self._profile,
            modules={name: _module_view(module, now_ns) for name, module in self.modules.items()},
            ages={name: spread.quantiles() for name, spread in self.ages.items()},
            published={name: port.published for name, port in self.ports.items()},
            port_drops={name: dict(port.drops) for name, port in self.ports.items() if port.drops},
            sampling={
                name: port.sampling.quantiles() for name, port in self.ports.items() if port.sampling.count
            },
            control=None if self.control is None else self._control_view(self.control, now_ns),
            halted=self._halted,
        )

    def _control_view(self, control: ControlStats, now_ns: int) -> ControlView:
        assert self.plan.control is not None
        return ControlView(
            asked_hz=float(NS_PER_S / self.plan.control.period_ns),
            got_hz=control.tempo.hz(now_ns),
            acts=control.acts,
            holds=dict(control.holds),
            drops=dict(control.drops),
            jitter=control.jitter.quantiles(),
            robot=control.robot.quantiles(),
        )


def _module_view(module: ModuleStats, now_ns: int) -> ModuleView:
    return ModuleView(
        asked_hz=0.0 if module.suspended else float(NS_PER_S / module.plan.period_ns),
        got_hz=module.tempo.hz(now_ns),
        launched=module.launched,
        finished=module.finished,
        late=module.late,
        deferred=module.deferred,
        isolated=module.isolated,
        drops=dict(module.drops),
        response=module.response.quantiles(),
        stages={label: spread.quantiles() for label, spread in module.stages.items()},
        steps=module.steps.view(module.plan.loop),
    )
