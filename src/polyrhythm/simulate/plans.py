"""Random plans: graphs of modules, makers of chunks, power profiles. The same chance makes the same plan."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

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
from polyrhythm.simulate.terse import MS, S, module, plan_of, reads

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


def random_plan(rng: Random) -> SchedulePlan:
    """1 to 8 modules on 1 to 3 devices, randomly linked (chains, diamonds, now and then a cycle)."""
    names = [f"m{i}" for i in range(rng.randint(1, 8))]
    devices = [f"d{i}" for i in range(rng.randint(1, 3))]
    robot = coin(rng)
    observations: dict[str, Fraction | int] = {"robot.a": 50, "robot.b": 30} if robot else {}
    chunker = rng.randrange(len(names)) if robot else -1
    modules = [_module(rng, i, names, devices, list(observations), i == chunker) for i in range(len(names))]
    plan = plan_of(
        *modules,
        mode=rng.choice(list(Mode)),
        k=rng.randint(1, 3),
        control_hz=rng.choice([Fraction(50), Fraction(80), Fraction(250, 3)]) if robot else None,
        observations=observations,
        late=rng.choice([Late.HOLD, Late.HOLD, Late.DECELERATE, Late.STOP]),
        buffers=rng.choice([1, 2, 2, 3]),
        policies={device: rng.choice(list(Policy)) for device in devices},
    )
    return _giving_way(plan)


def _giving_way(plan: SchedulePlan) -> SchedulePlan:
    """Half of the devices that hold one stage leave it for a more urgent one."""
    if any(k > 1 for k in plan.devices.values()):
        return plan
    rng = Random(repr(plan.modules))  # one of its own: all other plans are what they were
    modules = plan.modules
    if coin(rng):
        modules = tuple(replace(m, piece_ns=max(m.costs_ns) // 3) for m in modules)
    return replace(plan, modules=modules, gives_way=tuple(d for d in plan.devices if coin(rng)))


def giving_way(plan: SchedulePlan) -> SchedulePlan:
    """The same on devices that leave the one stage that they hold for a job with less time to spare."""
    devices = dict.fromkeys(plan.devices, 1)
    return replace(
        plan,
        devices=devices,
        gives_way=tuple(devices),
        policies=dict.fromkeys(devices, Policy.LAXITY),
    )


def _module(
    rng: Random, i: int, names: list[str], devices: list[str], observations: list[str], chunks: bool
) -> ModulePlan:
    name = names[i]
    earlier = [f"{n}.out" for n in names[:i]] + observations
    if one_in(rng, 10):
        earlier = [f"{n}.out" for n in names]
    sources = [rng.choice(earlier) for _ in range(rng.randint(0, 3))] if earlier else []
    loop = random_loop(rng) if one_in(rng, 3) else None
    stages = rng.randint(1, 4) if loop is None else loop.first + loop.full + rng.randint(0, 2)
    planned_ns = rng.choice([0, MS, 4 * MS])
    inputs: tuple[InputPlan, ...] = ()
    for source in sources:
        max_age = rng.choice([None, None, 10 * MS, 60 * MS])
        on_stale = rng.choice([OnStale.USE, OnStale.USE, OnStale.SKIP, OnStale.HOLD, OnStale.STOP])
        inputs += reads(source, max_age_ns=max_age, on_stale=on_stale)
    return module(
        name,
        rng.choice(RATES),
        device=rng.choice(devices),
        deadline_ns=rng.choice([5, 20, 40]) * MS,
        priority=rng.randint(0, 2),
        rank=i,
        phase_ns=rng.choice([0, 0, MS, 7 * MS + 1]),
        on_overrun=rng.choice(list(Overrun)),
        stages=tuple(f"s{j}" for j in range(stages)),
        costs_ns=(planned_ns,) * stages,
        loop=loop,
        on_demand=chunks and coin(rng),
        inputs=inputs,
        outputs=(f"{name}.out",),
        chunk=(f"{name}.out", rng.randint(1, 12)) if chunks else None,
        max_failures=rng.randint(1, 4),
        budget=rng.choice([None, None, None, Budget(3 * MS, 20 * MS), Budget(MS, 5 * MS)]),
    )


def random_chunk_plan(rng: Random) -> SchedulePlan:
    """One module that makes chunks, with a loop, fast enough to be felt at the robot; one beside it."""
    loop = random_loop(rng)
    stages = loop.first + loop.full + rng.randint(0, 2)
    head = module(
        "head",
        rng.choice([20, 50, 100]),
        deadline_ns=rng.choice([3, 10, 30]) * MS,
        on_overrun=rng.choice(list(Overrun)),
        stages=tuple(f"s{j}" for j in range(stages)),
        costs_ns=(rng.choice([0, MS // 2, 2 * MS]),) * stages,
        inputs=reads("robot.a"),
        outputs=("head.out",),
        chunk=("head.out", rng.randint(2, 20)),
        loop=loop,
        on_demand=coin(rng),
        max_failures=9,
    )
    beside = module("beside", 50, priority=rng.randint(0, 1), inputs=reads("head.out"), rank=1)
    plan = plan_of(
        *((head, beside) if coin(rng) else (head,)),
        mode=rng.choice(list(Mode)),
        k=rng.randint(1, 3),
        control_hz=rng.choice([Fraction(50), Fraction(200), Fraction(500), Fraction(1000, 3)]),
        observations={"robot.a": rng.choice([20, 50])},
        late=rng.choice(list(Late)),
        buffers=rng.randint(1, 3),
    )
    return _giving_way(plan)


def random_loop(rng: Random) -> Loop:
    """Up to two stages, then one to five steps of which some may be left out."""
    full = rng.randint(1, 5)
    return Loop(rng.randint(0, 2), full, rng.randint(1, full))


def taking_turns(rng: Random, plan: SchedulePlan) -> SchedulePlan:
    """A plan that can take turns with `plan`, but for the modules another one; now and then it can't."""
    if coin(rng):
        return plan
    other = random_plan(rng) if plan.buffers is None else random_chunk_plan(rng)
    if one_in(rng, 10):
        return other
    k = next(iter(plan.devices.values()))
    control = None
    if plan.control is not None:
        observed = {port: period for port, period in OBSERVED.items() if port in other.ports}
        control = ControlPlan(plan.control.period_ns, observed, rng.choice(list(Late)))
    gives_way = tuple(d for d in other.devices if d in plan.gives_way)
    return replace(other, devices=dict.fromkeys(other.devices, k), control=control, gives_way=gives_way)


def powered(rng: Random, plan: SchedulePlan) -> SchedulePlan:
    """A plan with two to four power profiles: other rates, deadlines, costs and steps, modules dropped."""
    profiles = {
        name: Profile({m.id: _under_power(rng, m) for m in plan.modules if coin(rng)})
        for name in ("a", "b", "c", "d")[: rng.randint(2, 4)]
    }
    return replace(plan, profiles=profiles, profile=rng.choice(sorted(profiles)))


def _under_power(rng: Random, module: ModulePlan) -> ModulePlan | None:
    """What a profile may make of a module; what drives the robot stays."""
    if module.chunk is None and one_in(rng, 3):
        return None
    scale = rng.choice([Fraction(1), Fraction(1, 2), Fraction(3, 2), Fraction(7, 3)])
    loop = module.loop
    if loop is not None and coin(rng):
        loop = replace(loop, most=rng.randint(loop.fast, loop.full))
    return replace(
        module,
        period_ns=S / rng.choice(RATES),
        deadline_ns=rng.choice([module.deadline_ns, 10 * MS]),
        costs_ns=tuple(int(cost_ns * scale) for cost_ns in module.costs_ns),
        loop=loop,
    )


def coin(rng: Random) -> bool:
    """True half of the time."""
    return one_in(rng, 2)


def one_in(rng: Random, times: int) -> bool:
    """True once in so many times."""
    return rng.randrange(times) == 0
