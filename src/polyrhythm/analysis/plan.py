"""The verdict on a `SchedulePlan`: every module, every chain of links, and the action chunks.

The bounds are for `polyrhythm.schedule.Scheduler` as it is: by each device's policy; releases on a grid that
is rounded down to whole ns; any phases. In `parallel` and `pipelined` each device is judged alone. In
`sequential` the whole machine is one first-come first-served queue of whole jobs. A module with a budget is a
server for the others, and has nothing to prove itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from polyrhythm.analysis.chains import Hop, end_to_end_ns, producers_first, worst_paths
from polyrhythm.analysis.chunks import ChunkVerdict, chunk_verdict, stride_ticks
from polyrhythm.analysis.edf import edf_bounds
from polyrhythm.analysis.response import Bound, response_time, response_times
from polyrhythm.analysis.tasks import Task, Time
from polyrhythm.schedule import Mode, ModulePlan, OnStale, Policy, SchedulePlan

ASSUMPTIONS: tuple[str, ...] = (
    "stage costs are not exceeded: measured maxima or declared numbers times a margin, no proven worst cases",
    "a stage costs what it says whatever runs on other devices, its dispatch included",
    "no stage fails to end, and nothing outside the plan uses its devices",
)
QUEUED = "no module has two jobs at once (in_flight > 1)"
SEQUENTIAL = (
    "sequential: one job at a time in the whole machine, first released first; priorities do not count"
)


@dataclass(frozen=True, slots=True)
class ModuleVerdict:
    """One module. `bound` has the whole sum; `refusal`: why there is no proof (then it is not feasible)."""

    module: str
    device: str
    bound: Bound
    refusal: str | None
    best_effort: bool = False  #: it has a budget, and no deadline to keep

    @property
    def bound_ns(self) -> int | None:
        """The worst response, rounded up to whole ns; None if there is no proof."""
        return None if self.refusal or self.bound.bound_ns is None else int(-(-self.bound.bound_ns // 1))

    @property
    def deadline_ns(self) -> int:
        """What it has to keep."""
        return int(self.bound.deadline_ns)

    @property
    def slack_ns(self) -> int | None:
        """Deadline less bound."""
        return None if self.bound_ns is None else self.deadline_ns - self.bound_ns

    @property
    def blocker(self) -> str | None:
        """The module that blocks longest, if any."""
        return None if self.bound.blocker is None else self.bound.blocker.name

    @property
    def blocker_ns(self) -> Time:
        """For how long it does."""
        return 0 if self.bound.blocker is None else self.bound.blocker.ns

    @property
    def feasible(self) -> bool:
        """Whether every job that has to is proven to be done by its deadline."""
        return self.best_effort or (self.refusal is None and self.bound.feasible)


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """The worst path of links from a source to a module nobody reads. `end_to_end_ns` bounds reaction time
    and data age; None if a hop is not proven to end within its period, or may be left out because one of its
    inputs is stale."""

    hops: tuple[str, ...]
    end_to_end_ns: Time | None


@dataclass(frozen=True, slots=True)
class Proof:
    """What is proven of a plan, and on what conditions."""

    modules: tuple[ModuleVerdict, ...]
    chains: tuple[ChainVerdict, ...]
    chunks: Mapping[str, ChunkVerdict | None]  #: by module, of those with a rate; None if there is no proof
    assumptions: tuple[str, ...]
    #: Module that may leave out a tick -> the port that may be stale then.
    left_out: Mapping[str, str]

    @property
    def feasible(self) -> bool:
        """Whether every module and every chunk fits."""
        chunks = self.chunks.values()
        return all(m.feasible for m in self.modules) and all(c is not None and c.feasible for c in chunks)


def task_of(
    module: ModulePlan, mode: Mode = Mode.PARALLEL, release_jitter_ns: int = 0, gives_way: bool = False
) -> Task:
    """A module as the analysis sees it; one with a budget as its server. `gives_way`: its device does.

    The scheduler's grid is rounded down to whole ns, so two releases can be closer than an exact period by
    less than 1 ns: that is jitter, beside the host's. In `sequential` a job is one piece, and equal deadlines
    make earliest deadline first what the scheduler does there: first released first; a deferred job was
    released early. A server's periods begin when its stages start, so it has no jitter.
    """
    jitter_ns = release_jitter_ns + (module.period_ns.denominator > 1)
    stages, deadline_ns, priority = module.costs_ns, module.deadline_ns, module.priority
    if mode is Mode.SEQUENTIAL:
        stages, deadline_ns, priority = (sum(module.costs_ns),), 0, 0
    piece_ns = None
    if gives_way and mode is not Mode.SEQUENTIAL:
        piece_ns = max(stages) if module.piece_ns is None else module.piece_ns
    if (budget := module.budget) is not None:
        longest = (max(stages),)
        return Task(
            module.id, Fraction(budget.period_ns), deadline_ns, longest, priority, budget_ns=budget.ns,
            piece_ns=piece_ns,
        )  # fmt: skip
    loop, optional = module.loop, range(0)
    if loop is not None and mode is not Mode.SEQUENTIAL:
        optional = range(loop.first, loop.first + loop.full - loop.fast)
    return Task(
        module.id, module.period_ns, deadline_ns, stages, priority, jitter_ns, optional=optional,
        piece_ns=piece_ns,
    )  # fmt: skip


def tasks_of(plan: SchedulePlan, modules: Sequence[ModulePlan], index: int) -> list[Task]:
    """Modules that share a queue, as ``modules[index]`` has to count them.

    By deadline all are equals. By laxity anybody may go first, and no bound is known that is better than to
    count everybody else as if they did.
    """
    tasks = [task_of(m, plan.mode, plan.release_jitter_ns, m.device in plan.gives_way) for m in modules]
    policy = plan.policy(modules[index].device)
    if plan.mode is Mode.SEQUENTIAL or policy is Policy.FIXED:
        return tasks
    behind = policy is Policy.LAXITY
    priorities = [2 if m.budget is not None else int(behind and i == index) for i, m in enumerate(modules)]
    return [replace(task, priority=p) for task, p in zip(tasks, priorities, strict=True)]


def prove(plan: SchedulePlan, *, ties: bool = True) -> Proof:
    """Judge a plan in its mode; costs are the plan's. `ties`: see `response_time`."""
    verdicts = _sequential(plan) if plan.mode is Mode.SEQUENTIAL else _by_device(plan, ties)
    assumptions: tuple[str, ...] = (*ASSUMPTIONS, _handed_over(plan.release_jitter_ns))
    if plan.mode is Mode.SEQUENTIAL:
        assumptions += (SEQUENTIAL,)
    elif any(depth > 1 for depth in plan.devices.values()):
        assumptions += (QUEUED,)
    ordered = tuple(verdicts[m.id] for m in plan.modules)
    ages_ns, left_out = _ages_ns(plan, verdicts)
    return Proof(ordered, _chains(plan, ages_ns), _chunks(plan, verdicts, ages_ns), assumptions, left_out)


def prove_links(
    plan: SchedulePlan, verdicts: Mapping[str, ModuleVerdict]
) -> tuple[dict[str, ChunkVerdict | None], dict[str, str]]:
    """`Proof.chunks` and `Proof.left_out` of a plan whose modules are judged already."""
    ages_ns, left_out = _ages_ns(plan, verdicts)
    return _chunks(plan, verdicts, ages_ns), left_out


def _handed_over(release_jitter_ns: int) -> str:
    if not release_jitter_ns:
        return "the host hands over every end of a stage, release and control instant at once"
    late = f"every release and control instant within {release_jitter_ns / 1e6:.3g} ms"
    return f"the host hands over every end of a stage at once, {late}"


def prove_one(plan: SchedulePlan, module: str, *, ties: bool = True) -> ModuleVerdict:
    """The verdict on one module alone, as `prove` gives it."""
    judged = next(m for m in plan.modules if m.id == module)
    if plan.mode is Mode.SEQUENTIAL or plan.devices[judged.device] > 1:
        return next(v for v in prove(replace(plan, control=None), ties=ties).modules if v.module == module)
    shares = [m for m in plan.modules if m.device == judged.device]
    index = shares.index(judged)
    if plan.policy(judged.device) is Policy.EDF:
        bound = _kept(tuple(tasks_of(plan, shares, index)), 1, ties, True)[index]
    else:
        bound = response_time(tasks_of(plan, shares, index), index, ties=ties)
    return _verdict(judged, bound, bound.refusal)


@lru_cache(maxsize=64)
def _kept(tasks: tuple[Task, ...], depth: int, ties: bool, edf: bool) -> list[Bound]:
    """Kept, because most power profiles leave most devices as they are."""
    return (edf_bounds if edf else response_times)(tasks, depth, ties=ties)


def _by_device(plan: SchedulePlan, ties: bool) -> dict[str, ModuleVerdict]:
    verdicts: dict[str, ModuleVerdict] = {}
    for device, depth in plan.devices.items():
        modules = [m for m in plan.modules if m.device == device]
        bounds = _bounds(plan, modules, depth, ties)
        fixed = plan.policy(device) is Policy.FIXED
        for module, bound in zip(modules, bounds, strict=True):
            refusal = bound.refusal
            first = [
                (m, b)
                for m, b in zip(modules, bounds, strict=True)
                if m.budget is None and (m.priority <= module.priority or not fixed)
            ]
            late = next((m.id for m, b in first if b.bound_ns is None or b.bound_ns > m.period_ns), None)
            if refusal is None and depth > 1 and late is not None:
                refusal = (
                    f"{late} may still work when its next job is due; no proof for in_flight {depth} then"
                )
            verdicts[module.id] = _verdict(module, bound, refusal)
    return verdicts


def _bounds(plan: SchedulePlan, modules: Sequence[ModulePlan], depth: int, ties: bool) -> list[Bound]:
    if not modules:
        return []
    match plan.policy(modules[0].device):
        case Policy.FIXED | Policy.EDF as policy:
            return _kept(tuple(tasks_of(plan, modules, 0)), depth, ties, policy is Policy.EDF)
        case Policy.LAXITY:
            every = range(len(modules))
            return [response_time(tasks_of(plan, modules, i), i, depth, ties=ties) for i in every]


def _verdict(module: ModulePlan, bound: Bound, refusal: str | None) -> ModuleVerdict:
    return ModuleVerdict(module.id, module.device, bound, refusal, module.budget is not None)


def _sequential(plan: SchedulePlan) -> dict[str, ModuleVerdict]:
    bounds = response_times([task_of(m, plan.mode, plan.release_jitter_ns) for m in plan.modules])
    return {
        m.id: _verdict(m, replace(b, deadline_ns=m.deadline_ns), b.refusal)
        for m, b in zip(plan.modules, bounds, strict=True)
    }


def _observation_gap_ns(plan: SchedulePlan, port: str) -> Time | None:
    """The longest time between two samples of a port: they are taken when control instants are heard of."""
    if plan.control is None or port not in plan.control.observations:
        return None
    control_ns, period_ns = plan.control.period_ns, plan.control.observations[port]
    return -(-period_ns // control_ns) * control_ns + 1 + plan.release_jitter_ns


def _gaps_ns(plan: SchedulePlan, ports: Iterable[str]) -> dict[str, Time]:
    """`_observation_gap_ns` of those that have one."""
    return {port: gap for port in ports if (gap := _observation_gap_ns(plan, port)) is not None}


def _chains(plan: SchedulePlan, ages_ns: Mapping[str, Time]) -> tuple[ChainVerdict, ...]:
    """The worst path from every source (a robot port, a module that reads no other) to every module whose
    outputs no module reads. Nothing ever comes through a loop of links."""
    producers = _producers(plan)
    read = {name for names in producers.values() for name in names}
    producers |= dict.fromkeys(read - producers.keys(), ())
    weight = {name: (int((ns := ages_ns.get(name)) is None), ns or 0) for name in producers}
    return tuple(
        ChainVerdict(path, None if unproven else total_ns)
        for sink in plan.modules
        if sink.id not in read
        for path, (unproven, total_ns) in worst_paths(sink.id, producers, weight)
        if len(path) > 1
    )


def _producers(plan: SchedulePlan) -> dict[str, tuple[str, ...]]:
    """Who gives a module its inputs: modules, and ports of the robot."""
    owner = {port: m.id for m in plan.modules for port in m.outputs}
    return {m.id: tuple(dict.fromkeys(owner.get(i.source, i.source) for i in m.inputs)) for m in plan.modules}


def _ages_ns(
    plan: SchedulePlan, verdicts: Mapping[str, ModuleVerdict]
) -> tuple[dict[str, Time], dict[str, str]]:
    """How old what a module or a port of the robot gives may be when somebody takes it, counted from when the
    module took its own inputs. Missing: that is not proven; it may take longer than its period, or leave a
    tick out because an input may be stale: then the second has its source."""
    owner = {port: m.id for m in plan.modules for port in m.outputs}
    sources = {i.source for m in plan.modules for i in m.inputs} - owner.keys()
    bounds = {m: bound for m in plan.modules if (bound := verdicts[m.id].bound_ns) is not None}
    every_ns = {m.id: _every_ns(plan, m, bound) for m, bound in bounds.items()}
    hops = {m.id: Hop(m.id, every_ns[m.id], bound) for m, bound in bounds.items() if bound <= every_ns[m.id]}
    ages_ns = _gaps_ns(plan, sources) | {name: end_to_end_ns([hop]) for name, hop in hops.items()}

    def stale(module: ModulePlan) -> Iterator[str]:
        for i in module.inputs:
            if (limit_ns := i.max_age_ns) is not None and i.on_stale is not OnStale.USE:
                age_ns = ages_ns.get(owner.get(i.source, i.source))
                if age_ns is None or age_ns > limit_ns:
                    yield i.source

    left_out: dict[str, str] = {}
    judged = [m for m in plan.modules if m.id in ages_ns]
    while found := {m.id: port for m in judged if m.id not in left_out for port in stale(m)}:
        left_out |= found
        for name in found:
            del ages_ns[name]
    return ages_ns, left_out


def _every_ns(plan: SchedulePlan, module: ModulePlan, bound_ns: int) -> Time:
    """The longest time between two releases of a module; on demand it comes once for every chunk that plays,
    and with one buffer only when the last one has been made and played."""
    if not module.on_demand or module.chunk is None or plan.control is None:
        return module.period_ns
    plays_ns = module.chunk[1] * plan.control.period_ns
    return plays_ns + bound_ns if plan.buffers == 1 else plays_ns


def _chunks(
    plan: SchedulePlan, verdicts: Mapping[str, ModuleVerdict], ages_ns: Mapping[str, Time]
) -> dict[str, ChunkVerdict | None]:
    """Row 0 is for the tick of the newest observation: its age at the release is delay as well. A module that
    reads none takes the tick that its inputs were made for. Nothing is proven of one that may leave out a
    tick: for how long no chunk comes then is not known."""
    found: dict[str, ChunkVerdict | None] = {}
    for module in plan.modules:
        if plan.control is None or module.chunk is None or module.on_demand:
            continue
        found[module.id] = None
        bound_ns, age_ns = verdicts[module.id].bound_ns, conditioned_ns(plan, module.id, ages_ns)
        if bound_ns is not None and age_ns is not None and module.id in ages_ns:
            looks = any(_observation_gap_ns(plan, i.source) is not None for i in module.inputs)
            seen_ns, behind_ns = (age_ns, 0) if looks else (0, age_ns)
            tick_ns = plan.control.period_ns
            stride = stride_ticks(module.period_ns, tick_ns)
            found[module.id] = chunk_verdict(bound_ns + seen_ns, tick_ns, stride, module.chunk[1], behind_ns)
    return found


def conditioned_ns(plan: SchedulePlan, module: str, ages_ns: Mapping[str, Time]) -> Time | None:
    """How long before a release of a module that control tick may be which its inputs are conditioned on: the
    tick of the newest observation; without any, the newest that its inputs were made for. None: not proven.

    Args:
        ages_ns: how old what a module gives may be when it is taken, since that module took its own inputs;
            what is missing is not known.
    """
    producers = _producers(plan)
    ports = {name for names in producers.values() for name in names} - producers.keys()
    ages_ns = _gaps_ns(plan, ports) | dict(ages_ns)
    found: dict[str, Time] = {}
    for name in producers_first(module, producers | dict.fromkeys(ports, ())):
        if name in ports or not producers[name]:  # an observation is of its own tick, as is what needs none
            found[name] = 0
            continue
        observed = [port for port in producers[name] if port in ports]
        since = [found[p] + ages_ns[p] for p in observed or producers[name] if p in found and p in ages_ns]
        if since:
            found[name] = min(since)
    return found.get(module)
