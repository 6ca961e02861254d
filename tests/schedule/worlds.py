"""Random plans and random worlds for them, as hypothesis strategies."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from hypothesis import strategies as st

from polyrhythm.schedule import (
    Budget,
    ControlPlan,
    InputPlan,
    Late,
    Loop,
    Mode,
    ModulePlan,
    OnStale,
    Overrun,
    Policy,
    Profile,
    SchedulePlan,
)
from polyrhythm.schedule.events import Admit, EpisodeEnd, Launch, Retire, SetProfile, Start, Stop, Switch
from tests.schedule.auditor import Auditor
from tests.schedule.harness import MS, Fate, Harness, S, module, plan_of, reads

OBSERVED = {"robot.a": Fraction(10**9, 50), "robot.b": Fraction(10**9, 30)}
RATES = [
    Fraction(20),
    Fraction(30),
    Fraction(50),
    Fraction(100),
    Fraction(200),
    Fraction(1000, 7),
    Fraction(37),
]


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
        return self.kind(now_ns, self.context)


@dataclass(frozen=True)
class World:
    """How a plan is played: everything random comes from `seed`, so that a run can be repeated."""

    seed: int
    load: float  #: stage costs as a share of the period, on average
    fails: float  #: share of stages that fail
    hangs: float  #: share of stages that never end
    repeats: float  #: share of completions reported twice
    act_ms: float
    sample_ms: float
    stalls: tuple[tuple[int, int], ...]
    episodes: tuple[int, ...]  #: instants at which the episode ends and the next starts
    stop_ns: int
    switches: tuple[tuple[int, int], ...] = ()  #: instants at which a power profile is asked for, and which

    def cost(self, plans: list[SchedulePlan]):
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
        rng = random.Random(self.seed + 1)
        harness = Harness(
            plan,
            self.cost(list(plans)),
            act_ns=lambda tick: int(rng.random() * self.act_ms * MS),
            sample_ns=lambda port: int(rng.random() * self.sample_ms * MS),
            stalls=self.stalls,
            watch=[auditor.audit],
        ).start()
        for at_ns in self.episodes:
            harness.at(at_ns, EpisodeEnd)
            harness.at(at_ns + rng.choice([0, MS, 30 * MS]), Start)
        for scene in scenes:
            harness.at(scene.at_ns, partial(scene.event, list(plans)))
        names = sorted(plan.profiles)
        for at_ns, which in self.switches:
            harness.at(at_ns, partial(SetProfile, name=names[which % len(names)]))
        harness.at(self.stop_ns, lambda t: Stop(t, "enough"))
        slowest_ns = max(m.hang_ns for p in plans for m in p.modules)
        harness.run(self.stop_ns + 4 * (slowest_ns + 500 * MS))
        auditor.drained(harness.scheduler)
        return harness


@st.composite
def scenes(draw: st.DrawFn, length_ms: int = 150) -> list[Scene]:
    """Contexts 1 to 3 come and go; all four are switched to and fro, in time or not."""
    kinds = st.sampled_from([Admit, Admit, Switch, Switch, Switch, Retire])
    one = st.builds(
        Scene, st.integers(0, length_ms).map(lambda ms: ms * MS), kinds, st.integers(0, 3), st.integers(0, 3),
        st.booleans(),
    )  # fmt: skip
    return draw(st.lists(one, min_size=2, max_size=14))


@st.composite
def takes_turns(draw: st.DrawFn, plan: SchedulePlan) -> SchedulePlan:
    """A plan that can take turns with `plan`, but for the modules another one; now and then it can't."""
    if draw(st.booleans()):
        return plan
    other = draw(plans() if plan.buffers is None else chunk_plans())
    if draw(st.integers(0, 9)) == 0:
        return other
    k = next(iter(plan.devices.values()))
    control = None
    if plan.control is not None:
        observed = {port: period for port, period in OBSERVED.items() if port in other.ports}
        control = ControlPlan(plan.control.period_ns, observed, draw(st.sampled_from(list(Late))))
    return replace(other, devices=dict.fromkeys(other.devices, k), control=control)


@st.composite
def plans(draw: st.DrawFn) -> SchedulePlan:
    """1 to 8 modules on 1 to 3 devices, randomly linked (chains, diamonds, now and then a cycle)."""
    names = [f"m{i}" for i in range(draw(st.integers(1, 8)))]
    devices = [f"d{i}" for i in range(draw(st.integers(1, 3)))]
    robot = draw(st.booleans())
    observations = {"robot.a": 50, "robot.b": 30} if robot else {}
    chunker = draw(st.integers(0, len(names) - 1)) if robot else -1
    modules: list[ModulePlan] = []
    for i, name in enumerate(names):
        earlier = [f"{n}.out" for n in names[:i]] + list(observations)
        if draw(st.integers(0, 9)) == 0:
            earlier = [f"{n}.out" for n in names]
        sources = draw(st.lists(st.sampled_from(earlier), max_size=3)) if earlier else []
        rate = draw(st.sampled_from(RATES))
        loop = draw(loops()) if draw(st.integers(0, 2)) == 0 else None
        stages = draw(st.integers(1, 4)) if loop is None else loop.first + loop.full + draw(st.integers(0, 2))
        planned_ns = draw(st.sampled_from([0, MS, 4 * MS]))
        inputs: tuple[InputPlan, ...] = ()
        for source in sources:
            max_age = draw(st.sampled_from([None, None, 10 * MS, 60 * MS]))
            on_stale = draw(st.sampled_from([OnStale.USE, OnStale.USE, OnStale.SKIP, OnStale.HOLD]))
            inputs += reads(source, max_age_ns=max_age, on_stale=on_stale)
        modules.append(
            module(
                name,
                rate,
                device=draw(st.sampled_from(devices)),
                deadline_ns=draw(st.sampled_from([5, 20, 40])) * MS,
                priority=draw(st.integers(0, 2)),
                rank=i,
                phase_ns=draw(st.sampled_from([0, 0, MS, 7 * MS + 1])),
                on_overrun=draw(st.sampled_from(list(Overrun))),
                stages=tuple(f"s{j}" for j in range(stages)),
                costs_ns=(planned_ns,) * stages,
                loop=loop,
                on_demand=i == chunker and draw(st.booleans()),
                inputs=inputs,
                outputs=(f"{name}.out",),
                chunk=(f"{name}.out", draw(st.integers(1, 12))) if i == chunker else None,
                max_failures=draw(st.integers(1, 4)),
                budget=draw(st.sampled_from([None, None, None, Budget(3 * MS, 20 * MS), Budget(MS, 5 * MS)])),
            )
        )
    return plan_of(
        *modules,
        mode=draw(st.sampled_from(list(Mode))),
        k=draw(st.integers(1, 3)),
        control_hz=draw(st.sampled_from([50, 80, Fraction(250, 3)])) if robot else None,
        observations=observations,
        late=draw(st.sampled_from([Late.HOLD, Late.HOLD, Late.DECELERATE, Late.STOP])),
        buffers=draw(st.sampled_from([1, 2, 2, 3])),
        policies={device: draw(st.sampled_from(list(Policy))) for device in devices},
    )


def loops() -> st.SearchStrategy[Loop]:
    """Up to two stages, then one to five steps of which some may be left out."""
    return st.integers(1, 5).flatmap(
        lambda full: st.builds(Loop, st.integers(0, 2), st.just(full), st.integers(1, full))
    )


@st.composite
def worlds(draw: st.DrawFn, faults: bool = True) -> World:
    """Costs from idle to hopeless overload, with all faults or none."""
    hangs = draw(st.sampled_from([0, 0, 0, 0.02])) if faults else 0
    length_ms = 1300 if hangs else 150
    stalls = (
        draw(st.sampled_from([(), (), ((100, 130),), ((40, 41), (50, 250)), ((90, 5090),)])) if faults else ()
    )
    return World(
        seed=draw(st.integers(0, 10**6)),
        load=draw(st.sampled_from([0.05, 0.2, 0.5, 1.2])),
        fails=draw(st.sampled_from([0, 0.03, 0.3])) if faults else 0,
        hangs=hangs,
        repeats=draw(st.sampled_from([0, 0.2])) if faults else 0,
        act_ms=draw(st.sampled_from([0, 3, 30])),
        sample_ms=draw(st.sampled_from([0, 2, 40])),
        stalls=tuple((a * MS, b * MS) for a, b in stalls),
        episodes=tuple(sorted(draw(st.lists(st.integers(0, length_ms * MS), max_size=3)))),
        stop_ns=draw(st.integers(0, length_ms * MS)) if draw(st.booleans()) else length_ms * MS,
    )


@st.composite
def chunk_plans(draw: st.DrawFn) -> SchedulePlan:
    """One module that makes chunks, with a loop, fast enough to be felt at the robot; one beside it."""
    loop = draw(loops())
    stages = loop.first + loop.full + draw(st.integers(0, 2))
    head = module(
        "head",
        draw(st.sampled_from([20, 50, 100])),
        deadline_ns=draw(st.sampled_from([3, 10, 30])) * MS,
        on_overrun=draw(st.sampled_from(list(Overrun))),
        stages=tuple(f"s{j}" for j in range(stages)),
        costs_ns=(draw(st.sampled_from([0, MS // 2, 2 * MS])),) * stages,
        inputs=reads("robot.a"),
        outputs=("head.out",),
        chunk=("head.out", draw(st.integers(2, 20))),
        loop=loop,
        on_demand=draw(st.booleans()),
        max_failures=9,
    )
    beside = module("beside", 50, priority=draw(st.integers(0, 1)), inputs=reads("head.out"), rank=1)
    return plan_of(
        *((head, beside) if draw(st.booleans()) else (head,)),
        mode=draw(st.sampled_from(list(Mode))),
        k=draw(st.integers(1, 3)),
        control_hz=draw(st.sampled_from([50, 200, 500, Fraction(1000, 3)])),
        observations={"robot.a": draw(st.sampled_from([20, 50]))},
        late=draw(st.sampled_from(list(Late))),
        buffers=draw(st.integers(1, 3)),
    )


@st.composite
def powered(draw: st.DrawFn, base: st.SearchStrategy[SchedulePlan]) -> SchedulePlan:
    """A plan with two to four power profiles: other rates, deadlines, costs and steps, modules dropped."""
    plan = draw(base)
    profiles = {
        name: Profile({m.id: draw(under_power(m)) for m in plan.modules if draw(st.booleans())})
        for name in ("a", "b", "c", "d")[: draw(st.integers(2, 4))]
    }
    return replace(plan, profiles=profiles, profile=draw(st.sampled_from(sorted(profiles))))


@st.composite
def under_power(draw: st.DrawFn, module: ModulePlan) -> ModulePlan | None:
    """What a profile may make of a module; what drives the robot stays."""
    if module.chunk is None and draw(st.integers(0, 2)) == 0:
        return None
    scale = draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(3, 2), Fraction(7, 3)]))
    loop = module.loop
    if loop is not None and draw(st.booleans()):
        loop = replace(loop, most=draw(st.integers(loop.fast, loop.full)))
    return replace(
        module,
        period_ns=S / draw(st.sampled_from(RATES)),
        deadline_ns=draw(st.sampled_from([module.deadline_ns, 10 * MS])),
        costs_ns=tuple(int(cost_ns * scale) for cost_ns in module.costs_ns),
        loop=loop,
    )


@st.composite
def switching(draw: st.DrawFn, faults: bool = True) -> World:
    """A world in which the power profile changes up to six times, now and then twice at once."""
    world = draw(worlds(faults=faults))
    instants = st.one_of(st.integers(0, world.stop_ns), st.sampled_from([0, 20 * MS, 50 * MS, 100 * MS]))
    switches = draw(st.lists(st.tuples(instants, st.integers(0, 11)), max_size=6))
    return replace(world, switches=tuple(switches))
