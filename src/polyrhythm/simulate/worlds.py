"""Random worlds: how a plan is played, what fails, and which contexts come and go."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from polyrhythm.schedule import SchedulePlan
from polyrhythm.schedule.events import (
    Admit,
    EpisodeEnd,
    Launch,
    LimitSteps,
    Retire,
    SetProfile,
    Start,
    Stop,
    Switch,
)
from polyrhythm.simulate.audit import Auditor
from polyrhythm.simulate.harness import Fate, Harness, Reply
from polyrhythm.simulate.plans import coin
from polyrhythm.simulate.terse import MS


@dataclass(frozen=True)
class Scene:
    """Something is asked of a context."""

    at_ns: int
    kind: type[Admit | Switch | Retire]
    context: int
    plan: int  #: which of the plans, for `Admit`
    warm: bool

    def event(self, plans: list[SchedulePlan], now_ns: int) -> Admit | Switch | Retire:
        if self.kind is Admit:
            return Admit(now_ns, self.context, plans[self.plan % len(plans)], self.warm)
        return Switch(now_ns, self.context) if self.kind is Switch else Retire(now_ns, self.context)


@dataclass(frozen=True)
class World:
    """How a plan is played: everything random comes from `seed`, so that a run can be repeated."""

    seed: int
    load: float  #: stage costs as a share of the period, on average
    fails: float  #: share of stages that fail
    hangs: float  #: share of stages that never end
    repeats: float  #: share of completions, and of observations, reported twice
    act_ms: float
    sample_ms: float
    stalls: tuple[tuple[int, int], ...]
    episodes: tuple[int, ...]  #: instants at which the episode ends and the next starts
    stop_ns: int
    switches: tuple[tuple[int, int], ...] = ()  #: instants at which a power profile is asked for, and which

    def cost(self, plans: list[SchedulePlan]) -> Callable[[Launch], Fate]:
        """The cost function of this world."""
        rng = random.Random(self.seed)
        modules = [m for plan in plans for m in plan.modules]
        mean = {m.id: float(m.period_ns) * self.load / len(m.stages) for m in modules}

        def fate(launch: Launch) -> Fate:
            cost_ns = int(mean[launch.module] * rng.choice([0, 0.2, 0.5, 1, 1, 3]))
            if rng.random() < self.hangs:
                return Fate(None)
            error = "boom" if rng.random() < self.fails else None
            return Fate(cost_ns, error, (rng.randrange(20 * MS),) if rng.random() < self.repeats else ())

        return fate

    def play(self, *plans: SchedulePlan, scenes: Iterable[Scene] = ()) -> Harness:
        """Play the first plan to the stop and long enough after it, under audit; other contexts come, play
        and go as `scenes` say."""
        plan = plans[0]
        auditor = Auditor(plan)
        rng, more = random.Random(self.seed + 1), random.Random(self.seed + 2)

        def sampled(port: str) -> Reply:
            takes_ns = int(rng.random() * self.sample_ms * MS)
            return Reply(takes_ns, again_ns=(more.randrange(20 * MS),) * (more.random() < self.repeats))

        harness = Harness(
            plan,
            self.cost(list(plans)),
            act_ns=lambda tick: int(rng.random() * self.act_ms * MS),
            sample_ns=sampled,
            stalls=self.stalls,
            watch=[auditor.audit],
        ).start()
        for at_ns in self.episodes:
            harness.at(at_ns, EpisodeEnd)
            harness.at(at_ns + rng.choice([0, MS, 30 * MS]), Start)
        for scene in scenes:
            harness.at(scene.at_ns, partial(scene.event, list(plans)))
        for event in self._limits(plans):
            harness.at(event.now_ns, event)
        names = sorted(plan.profiles)
        for at_ns, which in self.switches:
            harness.at(at_ns, partial(SetProfile, name=names[which % len(names)]))
        harness.at(self.stop_ns, lambda t: Stop(t, "enough"))
        slowest_ns = max(m.hang_ns for p in plans for m in p.modules)
        harness.run(self.stop_ns + 4 * (slowest_ns + 500 * MS))
        auditor.drained(harness.scheduler)
        return harness

    def _limits(self, plans: Iterable[SchedulePlan]) -> Iterator[LimitSteps]:
        """Where chunks are made in steps, contexts 0 and 1 are asked for fewer of them now and then."""
        if not any(m.loop is not None and m.chunk is not None for plan in plans for m in plan.modules):
            return
        rng = random.Random(self.seed + 3)
        for _ in range(rng.choice([0, 1, 3])):
            most = rng.choice([None, 0, 1, 2, 4])
            yield LimitSteps(rng.randint(0, self.stop_ns), most, rng.randint(0, 1))


def random_scenes(rng: Random, length_ms: int = 150) -> list[Scene]:
    """Contexts 1 to 3 come and go; all four are switched to and fro, in time or not."""
    kinds: list[type[Admit | Switch | Retire]] = [Admit, Admit, Switch, Switch, Switch, Retire]
    return [
        Scene(
            rng.randint(0, length_ms) * MS, rng.choice(kinds), rng.randint(0, 3), rng.randint(0, 3), coin(rng)
        )
        for _ in range(rng.randint(2, 14))
    ]


def to_and_fro(rng: Random, length_ms: int = 150) -> list[Scene]:
    """Contexts 0 and 1 take turns, for shorter and longer."""
    times = sorted(rng.randint(1, length_ms) * MS for _ in range(rng.randint(2, 8)))
    turns = [Scene(at_ns, Switch, 1 - turn % 2, 0, True) for turn, at_ns in enumerate(times)]
    return [Scene(0, Admit, 1, 0, True), *turns]


def hasty(rng: Random, scenes: Iterable[Scene]) -> list[Scene]:
    """The same, and now and then what is switched to is let go at once."""
    return [
        scene
        for first in scenes
        for scene in (first, replace(first, at_ns=first.at_ns + rng.randint(0, 8) * MS, kind=Retire))
        if scene is first or (first.kind is Switch and coin(rng))
    ]


def random_world(rng: Random, faults: bool = True) -> World:
    """Costs from idle to hopeless overload, with all faults or none."""
    hangs = rng.choice([0, 0, 0, 0.02]) if faults else 0
    length_ms = 1300 if hangs else 150
    stalls: tuple[tuple[int, int], ...] = ()
    if faults:
        stalls = rng.choice([(), (), ((100, 130),), ((40, 41), (50, 250)), ((90, 5090),)])
    return World(
        seed=rng.randint(0, 10**6),
        load=rng.choice([0.05, 0.2, 0.5, 1.2]),
        fails=rng.choice([0, 0.03, 0.3]) if faults else 0,
        hangs=hangs,
        repeats=rng.choice([0, 0.2]) if faults else 0,
        act_ms=rng.choice([0, 3, 30]),
        sample_ms=rng.choice([0, 2, 40]),
        stalls=tuple((a * MS, b * MS) for a, b in stalls),
        episodes=tuple(sorted(rng.randint(0, length_ms * MS) for _ in range(rng.randint(0, 3)))),
        stop_ns=rng.randint(0, length_ms * MS) if coin(rng) else length_ms * MS,
    )


def switching(rng: Random, faults: bool = True) -> World:
    """A world in which the power profile changes up to six times, now and then twice at once."""
    world = random_world(rng, faults)
    often = [0, 20 * MS, 50 * MS, 100 * MS]
    switches = tuple(
        (rng.randint(0, world.stop_ns) if coin(rng) else rng.choice(often), rng.randint(0, 11))
        for _ in range(rng.randint(0, 6))
    )
    return replace(world, switches=switches)
