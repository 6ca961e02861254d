"""What devices hold, and who of a context waits for them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from polyrhythm.schedule.policy import Order
from polyrhythm.schedule.slots import InvariantError

if TYPE_CHECKING:
    from polyrhythm.schedule.jobs import Job

#: An instant that never comes, in 146 years.
NEVER_NS: Final = 2**62 - 1
#: The tick of a job that only warms its module up: none.
WARM_TICK: Final = -1
#: Comes after every job that is released: what only warms its module up.
LEAST_URGENT: Final[tuple[int, ...]] = (NEVER_NS,)


@dataclass(slots=True, eq=False)
class Flight:
    """A launched stage. `since_ns` is when it came to the head of its lane, later by as long as it was left
    for others: now since `left_ns`; `urgency` its key when it was launched."""

    job: Job
    stage: int
    since_ns: int
    urgency: tuple[int, ...] = ()
    left_ns: int = NEVER_NS

    @property
    def hangs_at_ns(self) -> int:
        """When it is taken for hung."""
        return self.since_ns + self.job.hang_ns


@dataclass(slots=True, eq=False)
class Lane:
    """One device: it works off the stages that it holds, at most `depth` and of whatever context, first in
    first out. One that `gives_way` holds one, and those that it left for more urgent ones: the last to come
    goes first."""

    device: str
    depth: int
    gives_way: bool = False
    flying: list[Flight] = field(default_factory=list)

    @property
    def has_room(self) -> bool:
        """Whether one more stage may be launched, behind all that it holds."""
        return len(self.flying) < self.depth

    def gives_way_to(self, urgency: tuple[int, ...]) -> bool:
        """Whether a stage of this urgency may cut in."""
        return self.gives_way and len(self.flying) > 0 and urgency < self.flying[0].urgency

    @property
    def busy_ns(self) -> int:
        """How long a stage that is launched now may have to wait for those that it holds."""
        if self.gives_way:  # whoever cut in may not have begun: another one's kernel goes on
            return max([flight.job.module.leaves_ns(flight.stage) for flight in self.flying], default=0)
        return sum([flight.job.module.slowest_ns(flight.stage) for flight in self.flying])

    @property
    def hangs_at_ns(self) -> int:
        """When the stage at its head is taken for hung."""
        return self.flying[0].hangs_at_ns if self.flying else NEVER_NS

    def flies(self, module: str) -> bool:
        """Whether it holds a stage of a tick of the module of this name."""
        return any(
            flight.job.module.plan.id == module and flight.job.tick != WARM_TICK for flight in self.flying
        )

    def excuse(self, now_ns: int) -> None:
        """Give the stage at its head its time again."""
        if self.flying:
            self.flying[0].since_ns = now_ns

    def take(self, job: Job, stage: int, now_ns: int, urgency: tuple[int, ...]) -> bool:
        """One more stage; whether it cuts in."""
        flight = Flight(job, stage, now_ns, urgency)
        if self.has_room:
            self.flying.append(flight)
            return False
        if not self.gives_way_to(urgency):
            raise InvariantError(f"{self.device}: more than {self.depth} stages in flight")
        self.flying[0].left_ns = now_ns
        self.flying.insert(0, flight)
        return True

    def land(self, job: Job, now_ns: int) -> None:
        """The first stage that it holds of a job has ended."""
        flying = self.flying
        if flying[0].job is job:
            flying.pop(0)
            if flying and self.gives_way:
                back = flying[0]
                back.since_ns, back.left_ns = back.since_ns + now_ns - back.left_ns, NEVER_NS
            elif flying:
                flying[0].since_ns = now_ns
        else:
            flying.remove(next(flight for flight in flying if flight.job is job))


@dataclass(slots=True, eq=False)
class Queue:
    """The jobs of one context that are released on one device and have not ended."""

    lane: Lane
    order: Order
    jobs: list[Job] = field(default_factory=list)
