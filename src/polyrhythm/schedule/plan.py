"""What the scheduler is told: the checked, resolved numbers of one bundle. No tensors, no paths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import Final


class Mode(Enum):
    """How modules share the machine.

    ============= ============================================== ===================================
    mode          what may run at the same time                  when a job takes its inputs
    ============= ============================================== ===================================
    sequential    one job in the whole machine, producers first  when it starts
    pipelined     whatever the devices hold                      when it is released (on the grid)
    parallel      whatever the devices hold                      when its first stage is launched
    pipelined_rtc as `pipelined`, with real-time chunking
    rtc           as `parallel`, with real-time chunking
    ============= ============================================== ===================================

    `pipelined` gives links whose age depends on the grid alone; `parallel` gives the newest value.
    """

    SEQUENTIAL = "sequential"
    PIPELINED = "pipelined"
    PARALLEL = "parallel"
    PIPELINED_RTC = "pipelined_rtc"
    RTC = "rtc"

    @property
    def latches_at_release(self) -> bool:
        """Whether a job takes its inputs on the grid, not when it starts."""
        return self in (Mode.PIPELINED, Mode.PIPELINED_RTC)


class Overrun(Enum):
    """What becomes of a release that comes while the module still works on an earlier one.

    Worked tick tables: ``docs/concepts/overrun.md``.
    """

    SKIP = "skip"  #: at most one release waits, the newest; older ones are dropped and counted
    CATCH_UP = "catch_up"  #: every release waits its turn, up to `CATCH_UP_LIMIT`
    SHIFT = "shift"  #: the release happens when the job ends, and the grid moves there


class OnStale(Enum):
    """What a consumer does with an input older than the link's `max_age_ns`."""

    USE = "use"
    SKIP = "skip"
    HOLD = "hold"
    STOP = "stop"


class Late(Enum):
    """What the robot does when the chunks have run out."""

    HOLD = "hold"  #: its own safe thing
    DECELERATE = "decelerate"  #: the last motion, fading; then `HOLD`
    STOP = "stop"  #: the run ends


class Policy(Enum):
    """Which of a device's ready jobs gets the next stage; decided anew at every stage."""

    FIXED = "fixed"  #: by priority, then by deadline
    EDF = "edf"  #: by deadline, then by priority
    LAXITY = "laxity"  #: by deadline less what is left to do by the plan, then by priority


@dataclass(frozen=True, slots=True)
class Budget:
    """A best-effort module may spend `ns` in every `period_ns`; see `polyrhythm.schedule.budget`."""

    ns: int
    period_ns: int


#: Releases that may wait under `catch_up`; the oldest beyond that is dropped and counted.
CATCH_UP_LIMIT: Final = 64


@dataclass(frozen=True, slots=True)
class InputPlan:
    """One input port of a module and the port that feeds it."""

    name: str
    source: str
    max_age_ns: int | None = None
    on_stale: OnStale = OnStale.USE


@dataclass(frozen=True, slots=True)
class Loop:
    """Stages ``first .. first + full - 1`` of a module are one step, taken again and again.

    A job runs the last n of them, `fast` <= n <= `full`: as many as its slack allows, and `most` at most.
    """

    first: int
    full: int
    fast: int
    most: int | None = None

    @property
    def limit(self) -> int:
        """The largest number of steps."""
        return self.full if self.most is None else self.most


@dataclass(frozen=True, slots=True)
class ModulePlan:
    """One module. `outputs` are port names (``module.port``) that somebody reads; `rank` orders producers
    before consumers; `chunk` names the output that drives the robot and its horizon in control ticks.
    With `on_demand` it has no grid: it is released whenever the playback has room for a chunk.
    With a `budget` it is best effort, and nobody counts on its deadline. `piece_ns`: where its device gives
    way, how long it may take until it does; None: a whole stage."""

    id: str
    device: str
    period_ns: Fraction
    deadline_ns: int
    priority: int = 0
    rank: int = 0
    phase_ns: int = 0
    on_overrun: Overrun = Overrun.SKIP
    stages: tuple[str, ...] = ("main",)
    costs_ns: tuple[int, ...] = (0,)
    inputs: tuple[InputPlan, ...] = ()
    outputs: tuple[str, ...] = ()
    chunk: tuple[str, int] | None = None
    loop: Loop | None = None
    on_demand: bool = False
    max_failures: int = 3
    budget: Budget | None = None
    piece_ns: int | None = None

    @property
    def hang_ns(self) -> int:
        """A stage that has not ended this long after its launch is taken for hung."""
        return 2 * self.deadline_ns + 1_000_000_000


@dataclass(frozen=True, slots=True)
class ControlPlan:
    """The robot's side: the control grid, and the observation ports (``robot.name``) with their periods.

    How many ticks the making of a chunk takes is estimated from the last `delay_window`, so that
    `delay_quantile` of them took no longer.
    """

    period_ns: Fraction
    observations: Mapping[str, Fraction] = field(default_factory=dict)
    late: Late = Late.HOLD
    delay_window: int = 50
    delay_quantile: float = 0.95


@dataclass(frozen=True, slots=True)
class Profile:
    """A power profile. `modules`: by id, what runs otherwise than the plan says (period, deadline, costs,
    steps); None: dropped. `contexts`: how many may be live; None: all that there are."""

    modules: Mapping[str, ModulePlan | None] = field(default_factory=dict)
    contexts: int | None = None


@dataclass(frozen=True, slots=True)
class SchedulePlan:
    """Everything that the scheduler decides with. `devices` maps a device to its in-flight depth K,
    `ports` every linked port to the number of its slots; a device without a policy has `Policy.FIXED`.
    `release_jitter_ns`, for the analysis: how late the scheduler may hear of a release or a control instant.
    `profile` names the one of `profiles` that it starts with; it is empty if there are none. Devices that
    `gives_way` names hold one stage, and leave it for a more urgent one (there is none in `sequential`)."""

    mode: Mode
    modules: tuple[ModulePlan, ...]
    devices: Mapping[str, int]
    ports: Mapping[str, int]
    control: ControlPlan | None = None
    release_jitter_ns: int = 0
    policies: Mapping[str, Policy] = field(default_factory=dict)
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    profile: str = ""
    gives_way: tuple[str, ...] = ()

    def module_under(self, profile: str, module: ModulePlan) -> ModulePlan | None:
        """A module of this plan as it runs under a profile; None: not at all."""
        found = self.profiles.get(profile)
        return module if found is None else found.modules.get(module.id, module)

    def under(self, profile: str) -> SchedulePlan:
        """The plan that is in force under a profile: without what that drops, and without profiles."""
        kept = [m for module in self.modules if (m := self.module_under(profile, module)) is not None]
        gone = {port for m in self.modules for port in m.outputs} - {p for m in kept for p in m.outputs}
        modules = tuple(replace(m, inputs=tuple(i for i in m.inputs if i.source not in gone)) for m in kept)
        return replace(self, modules=modules, profiles={}, profile="")

    @property
    def buffers(self) -> int | None:
        """How many chunks made on demand are held; None if a chunk takes over as it comes."""
        for module in self.modules:
            if module.on_demand and module.chunk is not None:
                port = module.chunk[0]
                readers = sum(link.source == port for m in self.modules for link in m.inputs)
                return self.ports[port] - 1 - readers
        return None

    def policy(self, device: str) -> Policy:
        """Who goes first on a device."""
        return self.policies.get(device, Policy.FIXED)
