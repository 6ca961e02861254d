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


@dataclass(slots=True, eq=False)
class Flight:
    """A launched stage. `since_ns` is when it came to the head of its lane."""

    job: Job
    stage: int
    since_ns: int

    @property
    def hangs_at_ns(self) -> int:
        """When it is taken for hung."""
        return self.since_ns + self.job.hang_ns


@dataclass(slots=True, eq=False)
class Lane:
    """One device: it works off the stages that it holds, at most `depth` and of whatever context, first in
    first out."""

    device: str
    depth: int
    flying: list[Flight] = field(default_factory=list)

    @property
    def has_room(self) -> bool:
        """Whether one more stage may be launched."""
        return len(self.flying) < self.depth

    @property
    def hangs_at_ns(self) -> int:
        """When the stage at its head is taken for hung."""
        return self.flying[0].hangs_at_ns if self.flying else NEVER_NS

    def flies(self, module: str) -> bool:
        """Whether it holds a stage of the module of this name."""
        return any(flight.job.module.plan.id == module for flight in self.flying)

    def take(self, job: Job, stage: int, now_ns: int) -> None:
        """One more stage."""
        if not self.has_room:
            raise InvariantError(f"{self.device}: more than {self.depth} stages in flight")
        self.flying.append(Flight(job, stage, now_ns))

    def land(self, job: Job, now_ns: int) -> None:
        """The first stage that it holds of a job has ended."""
        flying = self.flying
        if flying[0].job is job:
            del flying[0]
            if flying:
                flying[0].since_ns = now_ns
        else:
            flying.remove(next(flight for flight in flying if flight.job is job))


@dataclass(slots=True, eq=False)
class Queue:
    """The jobs of one context that are released on one device and have not ended."""

    lane: Lane
    order: Order
    jobs: list[Job] = field(default_factory=list)
