"""The manifest as frozen pydantic models: the one description that code, editors and the reference share.

Times in the text are milliseconds or Hz; the properties ending in ``_ns`` give integers of nanoseconds, and
`Module.period_ns` the exact period, a `Fraction`.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    WithJsonSchema,
)

from polyrhythm.manifest.artefact import Identified, WithArtefact
from polyrhythm.manifest.chunking import STEPS_SCHEMA, Rtc, Steps, as_steps
from polyrhythm.manifest.diagnostics import Path
from polyrhythm.manifest.island import ISLAND, Island, IslandPolicy
from polyrhythm.manifest.memory import Bytes, Memory
from polyrhythm.manifest.paging import KV
from polyrhythm.manifest.part import Part, one_or_many_schema
from polyrhythm.manifest.power import Power
from polyrhythm.manifest.resources import Budget, Threads
from polyrhythm.manifest.values import (
    MS_OR_ZERO,
    STAGE_NAME,
    Hertz,
    Milliseconds,
    MillisecondsOrZero,
    Name,
    Port,
    SinkEnd,
    SourceEnd,
    one_or_many,
    to_ns,
)

Mode = Literal["sequential", "pipelined", "parallel", "rtc", "pipelined_rtc", "split"]
OnOverrun = Literal["skip", "catch_up", "shift"]
OnStale = Literal["use", "skip", "hold", "stop"]
Dtype = Literal["f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8", "bool"]
#: Those of a robot's tensors, which are arrays of NumPy.
RobotDtype = Literal["f64", "f32", "f16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8", "bool"]

MODES: tuple[Mode, ...] = get_args(Mode)
RTC_MODES: tuple[Mode, ...] = ("rtc", "pipelined_rtc")
RUNNING_MODES: tuple[Mode, ...] = ("sequential", "pipelined", "parallel", *RTC_MODES)
ROBOT, RUNTIME = "robot", "runtime"
#: `control` is what the accounts of a run call the robot's side.
RESERVED_IDS = (ROBOT, RUNTIME, "control", ISLAND)
ROBOT_SINKS = ("action",)
#: What the runtime gives a module that makes chunks, see `Link.source`.
RUNTIME_SOURCES = ("noise", "dt", "previous", "weights", "beta")


MAX_MODULES, MAX_LINKS, MAX_DEVICES, MAX_OBSERVATIONS = 256, 512, 64, 256


def _plain(value: Any) -> Any:
    """An option as the adapter gets it: exact decimals become floats."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


class Observation(Part):
    """One named tensor that the robot gives."""

    dtype: RobotDtype = Field(description="Element type.", examples=["f32"])
    shape: tuple[Annotated[StrictInt, Field(ge=1)], ...] = Field(
        description="Shape of one sample; `[]` is a scalar.", examples=[[39]], max_length=8
    )
    rate_hz: Hertz | None = Field(
        default=None,
        description="How often the robot is observed; the control rate if absent, and never above it.",
        examples=[5],
    )


class Action(Part):
    """The tensor that the robot takes at every control tick."""

    dtype: RobotDtype = Field(description="Element type.", examples=["f32"])
    shape: tuple[Annotated[StrictInt, Field(ge=1)], ...] = Field(
        description="Shape of one action: a list of one number. A module may send a whole chunk of them.",
        examples=[[4]],
        min_length=1,
        max_length=1,
    )
    kind: Literal["position", "velocity"] = Field(
        default="position",
        description="Whether an action says where to be or how fast to move; `late: decelerate` asks.",
        examples=["velocity"],
    )


Cores = tuple[Annotated[StrictInt, Field(ge=0)], ...]


class Robot(Part):
    """The robot: which adapter drives it, at which rate, what it gives and what it takes."""

    use: Name = Field(description="Name of the robot adapter.", examples=["metaworld"])
    options: Annotated[dict[StrictStr, Any], AfterValidator(_plain)] = Field(
        default={}, description="Free options, handed to the adapter.", examples=[{"tasks": ["button-press"]}]
    )
    control_hz: Hertz = Field(description="Control rate: one action leaves at every tick.", examples=[80])
    cores: Cores = Field(
        default=(),
        description=(
            "Cores its thread is pinned to. It comes before those that compute, so keep a slow sensor away "
            "from a device that can't wait. Not pinned if absent."
        ),
        examples=[[1]],
    )
    observations: dict[Port, Observation] = Field(
        default={},
        description="Observations by name; a link takes one as `robot.NAME`.",
        max_length=MAX_OBSERVATIONS,
        examples=[{"proprio": {"dtype": "f32", "shape": [39]}}],
    )
    action: Action = Field(
        description="The action; a link gives it as `robot.action`.",
        examples=[{"dtype": "f32", "shape": [4]}],
    )

    @property
    def control_period_ns(self) -> Fraction:
        """Time between two control ticks, exact."""
        return 1_000_000_000 / self.control_hz

    def observation_hz(self, name: str) -> Fraction:
        """The rate at which observation `name` is taken. `KeyError` if there is none of that name."""
        return self.observations[name].rate_hz or self.control_hz


class Device(Part):
    """A place where stages run: one first-in first-out queue."""

    driver: Name = Field(default="iree", description="Name of the driver.", examples=["iree"])
    uri: StrictStr = Field(
        default="local-sync",
        description="What the driver opens, in its own words; the default is for `iree` and `static`.",
        examples=["local-task"],
    )
    cores: Cores = Field(
        default=(), description="Cores its threads are pinned to; not pinned if absent.", examples=[[1]]
    )
    in_flight: Annotated[StrictInt, Field(ge=1, le=64)] = Field(
        default=1, description="How many stages may be submitted at once.", examples=[1]
    )
    policy: Literal["fixed", "edf", "laxity"] = Field(
        default="fixed",
        description=(
            "Who goes first: by priority (`fixed`); the earliest deadline (`edf`); the least time to spare "
            "(`laxity`). Modules with a budget come last with the latter two."
        ),
        examples=["edf"],
    )
    threads: Threads | None = Field(
        default=None,
        description="Priority of its threads with the system; like all others if absent.",
        examples=[{"policy": "fifo", "priority": 20}],
    )


class Module(WithArtefact, Identified):
    """One compiled model of the bundle and the contract it runs under."""

    rate_hz: Hertz = Field(description="How often it runs; `1/3` is once in three seconds.", examples=[10])
    device: Name | None = Field(
        default=None, description="Where it runs; the first device if absent.", examples=["cpu"]
    )
    entry: (
        Annotated[
            tuple[Port, ...],
            Field(min_length=1),
            BeforeValidator(one_or_many),
            one_or_many_schema(STAGE_NAME),
        ]
        | None
    ) = Field(
        default=None,
        description="The function to call, or a list of stages run in order; the only one if absent.",
        examples=[["encode", "step", "step"]],
    )
    deadline_ms: Milliseconds | None = Field(
        default=None, description="Time from release to done; the period if absent.", examples=[40]
    )
    phase_ms: MillisecondsOrZero = Field(
        default=Fraction(0), description="Release of tick 0 after the start.", examples=[5]
    )
    on_overrun: OnOverrun = Field(
        default="skip",
        description=(
            "What becomes of a tick that comes while the module still works on an earlier one: `skip` lets "
            "only the newest wait, `catch_up` lets every one wait, `shift` moves it and all later ones."
        ),
        examples=["skip"],
    )
    class_: Name | None = Field(
        default=None,
        alias="class",
        description="Class that `qos` may give a priority to.",
        examples=["background"],
    )
    cost_ms: (
        Annotated[
            tuple[MillisecondsOrZero, ...],
            Field(min_length=1),
            BeforeValidator(one_or_many),
            one_or_many_schema(MS_OR_ZERO),
        ]
        | None
    ) = Field(
        default=None,
        description="Planned cost, one number per stage; used by `check` and by lockstep runs.",
        examples=[[4, 1.5, 1.5]],
    )
    bytes_: Bytes = Field(
        default=Bytes(),
        alias="bytes",
        description=(
            "Planned memory, by kind; for `check --plan`, and for what no file tells, such as pages of KV "
            "without `kv`. Where a file tells more than is planned, the bundle is refused."
        ),
        examples=[{"weights": "1.8 GiB", "kv": "256 MiB", "scratch": "64 MiB"}],
    )
    check_finite: StrictBool = Field(
        default=True,
        description=(
            "Whether outputs that a link reads are checked for NaN and infinity: the robot's chunk, and all "
            "others up to 64 KiB."
        ),
        examples=[True],
    )
    steps: Annotated[Steps, BeforeValidator(as_steps), WithJsonSchema(STEPS_SCHEMA)] | None = Field(
        default=None,
        description=(
            "Steps of a flow: how often the stage that takes `runtime.dt` is run. `5`, `[1, 5]`, or "
            "`{ full: 5, fast: 1 }`: fewer when time is short."
        ),
        examples=[{"full": 5, "fast": 1}],
    )
    rtc: Rtc | None = Field(
        default=None, description="Real-time chunking; absent: none.", examples=[{"buffer_depth": 2}]
    )
    kv: KV | None = Field(
        default=None,
        description=(
            "Paged keys and values, for a module that remembers what it saw; absent: it has none. With "
            "`kv: {}` all has its usual name."
        ),
        examples=[{"on_full": "slide", "keep_tokens": 16}],
    )
    max_failures: Annotated[StrictInt, Field(ge=1, le=1_000_000)] = Field(
        default=3, description="Failures in a row after which the module is taken out.", examples=[3]
    )
    budget: Budget | None = Field(
        default=None,
        description="Makes the module best effort: it may spend so much, and has no deadline to be proven.",
        examples=[{"ms": 5, "period_ms": 50}],
    )

    @property
    def stages(self) -> tuple[str, ...] | None:
        """The entry functions in order; None: the only entry of the artefact."""
        return self.entry

    @property
    def period_ns(self) -> Fraction:
        """Time between two releases, exact."""
        return 1_000_000_000 / self.rate_hz

    @property
    def deadline_ns(self) -> int:
        """Time from release to deadline; the period, rounded down, if none is declared."""
        return int(self.period_ns) if self.deadline_ms is None else to_ns(self.deadline_ms)

    @property
    def phase_ns(self) -> int:
        """Release of tick 0, counted from the start."""
        return to_ns(self.phase_ms)

    @property
    def cost_ns(self) -> tuple[int, ...] | None:
        """Planned cost of each stage; None if not declared."""
        return None if self.cost_ms is None else tuple(to_ns(cost) for cost in self.cost_ms)


class Link(Part):
    """A named tensor from one module's output to another's input."""

    source: SourceEnd = Field(
        alias="from",
        description=(
            "`module.output`, `robot.OBSERVATION`, or what the runtime gives a module that makes chunks: "
            "`runtime.noise` (f32, standard normal), `runtime.dt` (f32[], 1 over the number of steps), "
            "`runtime.previous` (the actions being played, from the chunk's first tick on), "
            "`runtime.weights` (f32[H], how much each is to be kept), `runtime.beta` (f32[])."
        ),
        examples=["vlm.hidden"],
    )
    sink: SinkEnd = Field(
        alias="to", description="`module.input` or `robot.action`; one link each.", examples=["dit.condition"]
    )
    max_age_ms: Milliseconds | None = Field(
        default=None,
        description="Age from which the tensor counts as stale; never if absent.",
        examples=[500],
    )
    on_stale: OnStale = Field(
        default="use",
        description="With a stale tensor: `use` it, `skip` the tick, `hold` or `stop` the robot.",
        examples=["hold"],
    )

    @property
    def max_age_ns(self) -> int | None:
        """Age from which the tensor counts as stale; None: never."""
        return None if self.max_age_ms is None else to_ns(self.max_age_ms)


#: What has code in the bundle.
Coded = Module | IslandPolicy

Qos = dict[Name, Annotated[StrictInt, Field(ge=0, le=1_000_000)]]
"""Priority by module id or class; 0 is the most urgent."""


class Orchestration(Part):
    """Which modules run, how often, what they hand each other, and who goes first."""

    mode: Mode = Field(
        default="pipelined",
        description=(
            "`sequential`: one module at a time, producers first; `pipelined`: all at once, inputs as they "
            "are at the release; `parallel`: all at once, inputs as they are at the start; `pipelined_rtc` "
            "and `rtc`: the same two with real-time chunking. `split` does not run yet."
        ),
        examples=["pipelined"],
    )
    modules: tuple[Module, ...] = Field(
        description="The modules.",
        min_length=1,
        max_length=MAX_MODULES,
        examples=[[{"id": "vlm", "vmfb": "vlm.vmfb", "rate_hz": 3}]],
    )
    links: tuple[Link, ...] = Field(
        default=(),
        description="The links; more may stand in `link.yaml` beside the manifest.",
        max_length=MAX_LINKS,
        examples=[[{"from": "vlm.hidden", "to": "dit.condition"}]],
    )
    qos: Qos = Field(
        default={},
        description="Priority by module id or class, 0 the most urgent; what is not named comes last.",
        examples=[{"dit": 0, "background": 2}],
    )

    def module(self, module_id: str) -> Module:
        """The module of that id. `KeyError` if there is none."""
        for module in self.modules:
            if module.id == module_id:
                return module
        raise KeyError(
            f"no module {module_id!r}: there are {', '.join(module.id for module in self.modules)}"
        )

    def priority(self, module: Module) -> int:
        """The priority of `module`: by its id, else by its class, else one behind everything named."""
        for name in (module.id, module.class_):
            if name is not None and name in self.qos:
                return self.qos[name]
        return max(self.qos.values(), default=-1) + 1


class Manifest(Part):
    """The whole declaration of a bundle."""

    version: Annotated[StrictInt, Field(ge=1, le=1)] = Field(
        default=1, description="Version of this format.", examples=[1]
    )
    name: StrictStr | None = Field(
        default=None, description="What the bundle is called.", examples=["dual system"]
    )
    robot: Robot | None = Field(
        default=None,
        description="The robot; absent: modules run without one.",
        examples=[{"use": "metaworld", "control_hz": 80, "action": {"dtype": "f32", "shape": [4]}}],
    )
    devices: dict[Name, Device] = Field(
        default={"cpu": Device()},
        description="Devices by name; if absent, one named `cpu` with all defaults.",
        min_length=1,
        max_length=MAX_DEVICES,
        examples=[{"cpu": {"uri": "local-task", "cores": [1]}}],
    )
    contexts: Annotated[StrictInt, Field(ge=1, le=64)] = Field(
        default=1,
        description=(
            "How many live instances of the state (slots, chunk buffers, KV) are kept ready to be switched "
            "to; they share the weights."
        ),
        examples=[3],
    )
    memory: Memory = Field(
        default=Memory(),
        description="What the bundle may occupy; nothing is refused for its size if absent.",
        examples=[{"total": "8 GiB", "process": "150 MiB"}],
    )
    power: Power | None = Field(
        default=None,
        description="Power profiles; absent: there are none.",
        examples=[{"profiles": {"normal": {}, "saver": {"rate_scale": {"vlm": 0.5}}}}],
    )
    island: Island | None = Field(
        default=None,
        description="The servo loop that turns the robot's actions into torques; absent: the robot does.",
        examples=[
            {"joints": {"knee": {"velocity": 20, "torque": 2.5, "torque_rate": 500, "kp": 20, "kd": 0.5}}}
        ],
    )
    orchestration: Orchestration = Field(
        description="Modules, links and priorities.",
        examples=[{"modules": [{"id": "vlm", "vmfb": "vlm.vmfb", "rate_hz": 3}]}],
    )

    @property
    def policy(self) -> IslandPolicy | None:
        """What the island runs in front of its PD, if that is a module of the bundle."""
        return None if self.island is None else self.island.policy

    @property
    def coded(self) -> tuple[tuple[Path, Coded], ...]:
        """Everything that has code in the bundle, and where it is declared: modules, the island's policy."""
        found: list[tuple[Path, Coded]] = [
            (("orchestration", "modules", index), module)
            for index, module in enumerate(self.orchestration.modules)
        ]
        if self.policy is not None:
            found.append((("island", "policy"), self.policy))
        return tuple(found)

    def device_of(self, module: Module) -> str:
        """The name of the device that `module` runs on."""
        return module.device or next(iter(self.devices))
