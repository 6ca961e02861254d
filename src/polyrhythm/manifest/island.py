"""The island's section: joints with their limits and gains, the ladder, where and how its process runs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Annotated

from pydantic import AfterValidator, Field, PlainValidator, StrictInt, WithJsonSchema

from polyrhythm.manifest.artefact import WithArtefact
from polyrhythm.manifest.part import Part
from polyrhythm.manifest.values import (
    MAX_NUMBER,
    AboveZero,
    BundlePath,
    Hertz,
    Milliseconds,
    Name,
    Port,
    exact,
    fault,
    kind_of,
    to_ns,
)

MAX_JOINTS, MAX_SENSORS = 32, 64
MAX_ISLAND_HZ = 10_000
#: The owner of what is the island's.
ISLAND = "island"


def _number(low: int) -> Callable[[object], float]:
    allowed = f"a number from {low} to {MAX_NUMBER}"

    def validate(value: object) -> float:
        number = exact(value)
        if number is None:
            raise fault("PM022", f"{kind_of(value)} does not fit", allowed, "write a number")
        if not low <= number <= MAX_NUMBER:
            raise fault("PM024", "the number is outside its range", allowed, "write a number within it")
        return float(number)

    return validate


def _not_too_fast(hz: Fraction) -> Fraction:
    if not 1 <= hz <= MAX_ISLAND_HZ:
        raise fault("PM024", "the rate is outside its range", f"from 1 to {MAX_ISLAND_HZ}", "write `1000`")
    return hz


def _schema(low: int) -> WithJsonSchema:
    return WithJsonSchema({"type": "number", "minimum": low, "maximum": MAX_NUMBER})


Gain = Annotated[float, PlainValidator(_number(0)), _schema(0)]
Position = Annotated[float, PlainValidator(_number(-MAX_NUMBER)), _schema(-MAX_NUMBER)]


class Joint(Part):
    """One joint: what may never be exceeded, and how stiffly it follows its target."""

    position: Annotated[tuple[Position, ...], Field(min_length=2, max_length=2)] | None = Field(
        default=None, description="Lowest and highest position, rad or m; none if absent.", examples=[[-1, 1]]
    )
    velocity: AboveZero = Field(
        description="Largest velocity, also of a target that jumps; rad/s or m/s.", examples=[20]
    )
    torque: AboveZero = Field(description="Largest torque, N m or N.", examples=[2.5])
    torque_rate: AboveZero = Field(
        description="Largest change of the torque in a second, N m/s or N/s.", examples=[500]
    )
    kp: Gain = Field(description="Torque for each unit of position error.", examples=[20])
    kd: Gain = Field(description="Torque for each unit of velocity error.", examples=[0.5])


class Ladder(Part):
    """From which age of its target on the island does what; a fresh target is used as it is."""

    extrapolate: Milliseconds = Field(
        default=Fraction(50), description="Goes on along the target's velocity, and counts it.", examples=[50]
    )
    decelerate: Milliseconds = Field(
        default=Fraction(100), description="That velocity begins to fade.", examples=[100]
    )
    hold: Milliseconds = Field(
        default=Fraction(300), description="It has faded: stands where it is, stiff.", examples=[300]
    )
    stop: Milliseconds = Field(
        default=Fraction(5000), description="Lets go: no position is held, motion is damped.", examples=[5000]
    )

    @property
    def times_ns(self) -> tuple[int, int, int, int]:
        """The four ages, in order."""
        return (
            to_ns(self.extrapolate),
            to_ns(self.decelerate),
            to_ns(self.hold),
            to_ns(self.stop),
        )


class IslandPolicy(WithArtefact):
    """A module of the bundle that the island runs in every period, as a static plan, in front of its PD."""

    entry: Port | None = Field(
        default=None, description="The function to call; the only one if absent.", examples=["act"]
    )
    budget_ms: Milliseconds | None = Field(
        default=None,
        description=(
            "Its part of every period, from when the period is due; three quarters of it if absent. At the "
            "end of that time it is given up, and the PD goes on alone."
        ),
        examples=[0.7],
    )
    cost_ms: Milliseconds | None = Field(
        default=None, description="What it takes, for `check`; it has to fit into its part.", examples=[0.5]
    )
    second_core: Annotated[StrictInt, Field(ge=0, le=1023)] | None = Field(
        default=None,
        description=(
            "Core of a second thread, which shares the work of the island's own and needs its `core` as "
            "well; absent: there is one thread."
        ),
        examples=[2],
    )

    @property
    def id(self) -> str:
        """What it is called where modules are called by their ids; no module has this one."""
        return ISLAND

    @property
    def stages(self) -> tuple[str, ...] | None:
        """The entry as `Module.stages`."""
        return None if self.entry is None else (self.entry,)

    @property
    def threads(self) -> int:
        """How many threads it runs on."""
        return 1 if self.second_core is None else 2

    @property
    def cost_ns(self) -> tuple[int, ...] | None:
        """The planned cost as `Module.cost_ns`."""
        return None if self.cost_ms is None else (to_ns(self.cost_ms),)


class Island(Part):
    """The servo loop: a process of its own that turns the robot's actions into torques."""

    rate_hz: Annotated[Hertz, AfterValidator(_not_too_fast)] = Field(
        default=Fraction(1000), description="Periods a second, 1 to 10000.", examples=[1000]
    )
    joints: dict[Name, Joint] = Field(
        description="The joints by name, in the order of the robot's action.",
        min_length=1,
        max_length=MAX_JOINTS,
        examples=[{"knee": {"velocity": 20, "torque": 2.5, "torque_rate": 500, "kp": 20, "kd": 0.5}}],
    )
    ladder_ms: Ladder = Field(
        default=Ladder(),
        description="What it does when no new target comes, by the age of the last one.",
        examples=[{"extrapolate": 50, "decelerate": 100, "hold": 300, "stop": 5000}],
    )
    blind_ms: Milliseconds = Field(
        default=Fraction(20),
        description="Age of the joints' state from which it sends no torque.",
        examples=[20],
    )
    sensors: Annotated[StrictInt, Field(ge=0, le=MAX_SENSORS)] = Field(
        default=0, description="Numbers that the robot sends beside its joints.", examples=[4]
    )
    network: BundlePath | None = Field(
        default=None,
        description="A network in front of the PD, made by `polyrhythm.island.network`; none if absent.",
        examples=["balance.net"],
    )
    policy: IslandPolicy | None = Field(
        default=None,
        description="A module of the bundle in front of the PD, instead of a network; none if absent.",
        examples=[{"vmfb": "prior.vmfb", "parameters": "prior.safetensors", "budget_ms": 0.7}],
    )
    core: Annotated[StrictInt, Field(ge=0, le=1023)] | None = Field(
        default=None, description="Core it runs on; any if absent.", examples=[1]
    )
    priority: Annotated[StrictInt, Field(ge=0, le=99)] = Field(
        default=80, description="SCHED_FIFO priority; 0: none is asked for.", examples=[80]
    )
    ports: Name = Field(
        default="island", description="Name of its shared memory on this machine.", examples=["island"]
    )

    @property
    def period_ns(self) -> int:
        """Time between two periods, rounded to the nanosecond."""
        return round(1_000_000_000 / self.rate_hz)

    @property
    def budget_ns(self) -> int:
        """The policy's part of a period."""
        declared = None if self.policy is None else self.policy.budget_ms
        return self.period_ns * 3 // 4 if declared is None else to_ns(declared)
