"""The contexts of a trial: loaded, warmed up, switched to and let go, as the runtime does it with threads."""

from __future__ import annotations

from collections import Counter
from itertools import count

from polyrhythm.memory import BudgetError
from polyrhythm.schedule import SchedulePlan, Scheduler
from polyrhythm.schedule.events import (
    Admit,
    Drained,
    Event,
    LimitSteps,
    Ready,
    Refused,
    Retire,
    Switch,
    Switched,
)
from polyrhythm.simulate.harness import Harness, Step
from polyrhythm.simulate.memory import Memory


class Cast:
    """Who is there, and who is about to play.

    Args:
        plans: what contexts are loaded with; the first context has the first of them.
        memory: what they are reserved from.
        harness: is told what is asked of contexts.
        first: how many there are when it begins.
        steps: how many their chunks are asked to have at most, in turn; none: nothing is asked.
    """

    def __init__(
        self,
        plans: tuple[SchedulePlan, ...],
        memory: Memory,
        harness: Harness,
        first: int,
        steps: tuple[int | None, ...] = (),
    ) -> None:
        self.ready: list[int] = []  #: may be switched to
        self.told: Counter[str] = Counter()  #: what came of it all
        self._plans, self._memory, self._harness = plans, memory, harness
        self._steps = steps
        self._numbers = count()
        self._swaps: set[int] = set()  # are to play as soon as they can, and the one before is let go
        self._live = next(self._numbers)
        memory.load(self._live)
        self._limit(self._live)
        for _ in range(first - 1):
            self.load(0)

    @property
    def there(self) -> int:
        """How many contexts hold memory."""
        return len(self._memory)

    def load(self, plan: int, *, then_play: bool = False, fails_at: int | None = None) -> int | None:
        """One more context, of the plan of that number; None if the profile or a budget has no room for it.

        Args:
            then_play: swap it in.
            fails_at: see `Memory.load`.
        """
        chosen, number = self._plans[plan % len(self._plans)], next(self._numbers)
        scheduler = self._harness.scheduler
        profile = scheduler.plan.profiles.get(scheduler.profiles.name)
        if profile is not None and profile.contexts is not None and self.there >= profile.contexts:
            self.told["no more in this profile"] += 1
            return None
        try:
            self._memory.load(number, plan % len(self._plans), fails_at=fails_at)
        except BudgetError:
            self.told["no memory"] += 1
            return None
        if then_play:
            self._swaps.add(number)
        self._ask(Admit(0, number, chosen))
        self._limit(number)
        return number

    def switch(self, number: int, in_ns: int = 0) -> None:
        """Have a context play, be it ready or not."""
        self._ask(Switch(0, number), in_ns)

    def retire(self, number: int) -> None:
        """Let a context go."""
        self._ask(Retire(0, number))

    def follow(self, scheduler: Scheduler, step: Step) -> None:
        """A watcher: goes on with what was begun."""
        for command in step.commands:
            if not isinstance(command, (Ready, Switched, Refused, Drained)):
                continue
            match command:
                case Ready(number):
                    self.ready.append(number)
                    if number in self._swaps:
                        self.switch(number)
                case Switched(number):
                    before, self._live = self._live, number
                    self.ready = [n for n in (*self.ready, before) if n != number]
                    self.told["switched"] += 1
                    if number in self._swaps:
                        self._swaps.discard(number)
                        self.retire(before)
                case Refused(number):
                    self.told["refused"] += 1
                    if number not in scheduler.contexts.decks and isinstance(step.event, Admit):
                        self._memory.free(number)
                case Drained(number):
                    self.ready = [n for n in self.ready if n != number]
                    self._swaps.discard(number)
                    self._memory.free(number)

    def _limit(self, number: int) -> None:
        if self._steps:
            self._ask(LimitSteps(0, self._steps[number % len(self._steps)], number))

    def _ask(self, event: Event, in_ns: int = 0) -> None:
        at_ns = self._harness.clock.now_ns() + in_ns
        self._harness.at(at_ns, event._replace(now_ns=at_ns))
