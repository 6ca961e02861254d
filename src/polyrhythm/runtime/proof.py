"""The proof of time of a checked bundle: `polyrhythm.analysis` on its plan, and what came of it as advice.

A module without costs has no bound, nor has any other on its device: a stage of unknown length blocks them.
A module that may leave out steps (`steps: {full, fast}`) has to fit with `fast`; everybody else counts it
with all its steps, because it leaves out none for others. Chains and chunks are judged with all steps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from polyrhythm.analysis import (
    ChainVerdict,
    ChunkVerdict,
    ModuleVerdict,
    StageAdvice,
    Task,
    changing_links,
    envelope,
    largest_cost_ns,
    prove,
    prove_one,
    stage_advice,
    tasks_of,
)
from polyrhythm.analysis.advice import largest
from polyrhythm.runtime.horizons import spaced_ns
from polyrhythm.schedule import Loop, Mode, ModulePlan, Overrun, Policy, SchedulePlan

DECLARED = "written in the manifest (`cost_ms`), for no particular machine"


@dataclass(frozen=True)
class ModuleProof:
    """One module. `verdict` is what has to hold; `full` the same with all steps, if it may leave out some."""

    plan: ModulePlan
    verdict: ModuleVerdict
    full: ModuleVerdict | None
    source: str

    @property
    def costs_ns(self) -> tuple[int, ...]:
        """The stages that `verdict` counts as the module's own."""
        return self.plan.costs_ns if self.full is None else _fast(self.plan).costs_ns

    @property
    def worst(self) -> ModuleVerdict:
        """The larger of the bounds."""
        return self.full or self.verdict


@dataclass(frozen=True)
class TimeProof:
    """What is proven of a bundle's time, and on what conditions.

    Attributes:
        schedule: the modules whose costs are known, as they were judged.
        modules: by id; those in `unknown` are not among them.
        unknown: module -> why it has no bound.
        chains, chunks: see `polyrhythm.analysis`; chunks by module, of those that give whole chunks at a
            rate; None: not proven to be in time. A single action lasts until the next one, so whoever gives
            those is among them only if that is not proven to come.
        assumptions: what all of it stands on.
        margins: module -> what its costs were multiplied by: the measured ones, and all in a power profile.
        left_out: see `polyrhythm.analysis.Proof`.
        outliers: see `polyrhythm.runtime.costs.Costs`.
    """

    schedule: SchedulePlan
    modules: Mapping[str, ModuleProof]
    unknown: Mapping[str, str]
    chains: tuple[ChainVerdict, ...]
    chunks: Mapping[str, ChunkVerdict | None]
    assumptions: tuple[str, ...]
    margins: Mapping[str, Fraction] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    outliers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def punctual(self) -> bool:
        """Whether every module that has a deadline to keep is proven to meet it."""
        return not self.unknown and not self.late

    @property
    def late(self) -> tuple[str, ...]:
        """The modules that are not proven to meet their deadlines. What is made on demand has none to keep:
        when it is too slow, the robot waits."""
        return tuple(n for n, m in self.modules.items() if not (m.verdict.feasible or m.plan.on_demand))

    @property
    def complete(self) -> bool:
        """Whether that is proven, and of every chunk that it is there before the last one runs out."""
        return self.punctual and all(c is not None and c.feasible for c in self.chunks.values())


def prove_time(
    plan: SchedulePlan,
    sources: Mapping[str, str],
    whole_chunks: Iterable[str] = (),
    margins: Mapping[str, Fraction] | None = None,
    *,
    ties: bool = True,
    changing: Collection[str] = (),
) -> TimeProof:
    """Judge a plan.

    Args:
        sources: module -> where its costs come from; a module that is missing has none.
        whole_chunks: modules whose output to the robot is a chunk, not a single action.
        margins: module -> what its costs were multiplied by, after they were measured or written.
        ties: see `polyrhythm.analysis.response_time`.
        changing: modules whose costs (or long deadlines) may change while jobs are under way.
    """
    unknown = _unknown(plan, sources)
    known = (m for m in plan.modules if m.id not in unknown)
    judged = replace(plan, modules=tuple(_spaced(plan, capped(m)) for m in known))
    found = prove(judged, ties=ties)
    modules = {}
    for module, verdict in zip(judged.modules, found.modules, strict=True):
        fast, full = verdict, None
        if module.loop is not None and module.loop.fast < module.loop.full and not verdict.best_effort:
            fast, full = _fewest(judged, module, verdict, ties, changing), verdict
        modules[module.id] = ModuleProof(module, fast, full, sources[module.id])
    whole = set(whole_chunks)
    chunks = {name: verdict for name, verdict in found.chunks.items() if name in whole or verdict is None}
    assumptions = (*_conditions(judged, modules), *found.assumptions) if modules else ()
    return TimeProof(
        judged, modules, unknown, found.chains, chunks, assumptions, margins or {}, found.left_out
    )


def prove_switches(
    plans: Sequence[SchedulePlan], sources: Mapping[str, str], whole_chunks: Iterable[str] = ()
) -> TimeProof:
    """Judge all changes between plans at once, as often and in whatever order they come. A single action has
    to last until the next one then, too: it may be made for the plan with the shorter period."""
    spaced = [
        replace(
            plan,
            modules=tuple(replace(m, period_ns=_spaced(plan, capped(m)).period_ns) for m in plan.modules),
        )
        for plan in plans
    ]
    proof = prove_time(envelope(spaced), sources, ties=False, changing=_changing(plans))
    verdicts = {name: module.worst for name, module in proof.modules.items()}
    found, left_out = changing_links(plans, verdicts)
    whole, chunks = set(whole_chunks), {}
    for name, each in found.items():
        short = [v for v in each if v is None or (not v.feasible if name in whole else v.spare < 0)]
        if short or name in whole:
            chunks[name] = (short or each)[0]
    return replace(proof, chunks=chunks, left_out=left_out)


def _changing(plans: Sequence[SchedulePlan]) -> set[str]:
    """The modules with other costs in one plan than in another, or, where a job may last beyond the next
    release, with another deadline."""
    found: dict[str, set[tuple[int, ...]]] = {}
    for module in (module for plan in plans for module in plan.modules):
        beyond_ns = module.deadline_ns if module.deadline_ns > module.period_ns else 0
        found.setdefault(module.id, set()).add((beyond_ns, *module.costs_ns))
    return {name for name, numbers in found.items() if len(numbers) > 1}


def capped(module: ModulePlan) -> ModulePlan:
    """A module whose loop has a limit, as one that has no more steps than that."""
    loop = module.loop
    if loop is None or loop.limit == loop.full:
        return module
    return replace(_with(module, loop.limit), loop=Loop(loop.first, loop.limit, loop.fast))


# -- advice -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Advice:
    """What would help a module, or how much room it leaves.

    `stages`: for everyone who blocks it, the largest stage with which it still fits, and what is left of its
    bound as those stages shrink. `equals`: blockers of its own priority. `largest_cost_ns`: with which own
    cost the whole device fits; None if it fits already, or with none. `text`: all of it in words.
    """

    stages: tuple[StageAdvice, ...] = ()
    equals: tuple[str, ...] = ()
    largest_cost_ns: int | None = None
    text: tuple[str, ...] = ()


def advise(proof: TimeProof, name: str) -> Advice:
    """How finely others have to be cut for this module to fit, and where cutting stops helping."""
    judged, verdict = proof.modules[name], proof.modules[name].verdict
    if verdict.best_effort:
        return Advice()
    delayed = judged.full is not None and verdict.refusal is not None and verdict.bound.refusal is None
    steps = _always(proof.schedule, judged.plan) if delayed else None
    fewer = () if steps is None else (f"with `steps: {{ full: {steps} }}` it always fits",)
    if proof.schedule.mode is Mode.SEQUENTIAL:
        words = "one job at a time: cutting into stages does not help, another `mode` does"
        return Advice(text=() if verdict.feasible else (*fewer, words))
    tasks, own = _tasks(proof.schedule, judged)
    depth = proof.schedule.devices[verdict.device]
    index = {task.name: i for i, task in enumerate(tasks)}
    if verdict.bound.refusal is not None:
        told = doubtful(proof.outliers, (task.name for task in tasks))
        return Advice(
            text=(
                *told,
                "lower rates, make a module cheaper, or move one to another device",
            )
        )
    if fewer:
        alone = "or give it a device of its own, or the first place in `qos`, with one stage in flight"
        return Advice(text=(*fewer, alone))
    blockers = [b.name for b in verdict.bound.blocked]
    below = [b for b in blockers if tasks[index[b]].priority > tasks[own].priority]
    stages = tuple(stage_advice(tasks, own, index[b], depth) for b in below)
    equals = tuple(b for b in blockers if b != name and tasks[index[b]].priority == tasks[own].priority)
    lines = [_stage_words(proof, a, tasks[index[a.name]], verdict) for a in stages]
    cost_ns = None
    if not verdict.feasible:
        lines = [*doubtful(proof.outliers, [name]), *lines]
        whole = [m.id for m in proof.schedule.modules if m.id in blockers and m.piece_ns is None]
        if verdict.bound.gives_way and whole:
            names = ", ".join(whole)
            lines.append(
                f"{verdict.device} leaves {names} between two kernels, and how long those take is not known: "
                "measure them with `polyrhythm profile`"
            )
        if proof.schedule.policy(verdict.device) is Policy.FIXED:
            lines += [f"give {b} a later priority in `qos`: equals go by their deadlines" for b in equals]
        # By laxity, and for others than itself if it may leave out steps, the tasks are not these.
        if judged.full is None and proof.schedule.policy(verdict.device) is not Policy.LAXITY:
            cost_ns = largest_cost_ns(tasks, own, depth)
        if cost_ns is not None and cost_ns < tasks[own].cost_ns:
            lines.append(f"it fits if it costs at most {ms(cost_ns)} ms instead of {ms(tasks[own].cost_ns)}")
    return Advice(stages, equals, cost_ns, tuple(lines))


def doubtful(outliers: Mapping[str, Mapping[str, str]], modules: Iterable[str]) -> Iterator[str]:
    """For each of the modules, what speaks most against its measured costs, if anything does."""
    for name in modules:
        if words := next(iter(outliers.get(name, {}).values()), None):
            yield f"{name}: {words}"


def _always(plan: SchedulePlan, module: ModulePlan) -> int | None:
    """With how many steps a module that fits with few only, and can be delayed, always fits."""
    loop = module.loop
    assert loop is not None
    return largest(lambda steps: _alone(plan, module, steps).feasible, loop.fast, loop.full - 1)


def _stage_words(proof: TimeProof, found: StageAdvice, cut: Task, verdict: ModuleVerdict) -> str:
    """How finely `cut` has to be cut, or may be left, and what is left of the bound however fine it is."""
    longest, limit = ms(max(cut.stages_ns)), "no bound"
    if found.limit_ns is not None:
        limit = f"a bound of {ms(found.limit_ns)} ms"
    if found.largest_stage_ns is None:
        return f"cutting {found.name} does not help: however fine, {limit} is left"
    enough = sum(cut.stages_ns) if verdict.feasible else max(cut.stages_ns)
    if found.largest_stage_ns >= enough:
        return f"{found.name} need not be cut; however fine, {limit} is left"
    if not verdict.feasible:
        plan, odd = proof.modules[found.name].plan, proof.outliers.get(found.name, {})
        long = {s for s, ns in zip(plan.stages, plan.costs_ns, strict=True) if ns > found.largest_stage_ns}
        if doubted := next((words for stage, words in odd.items() if stage in long), None):
            return f"{found.name}: {doubted}"
        size = f"cut {found.name} into stages of at most {ms(found.largest_stage_ns)} ms"
        how = _how_to_cut(proof, found.name, found.largest_stage_ns)
        return f"{size} (the longest takes {longest}): {how}; however fine, {limit} is left"
    size = f"stages of {found.name} may take up to {ms(found.largest_stage_ns)} ms"
    return f"{size} (the longest takes {longest}); however fine, {limit} is left"


def _how_to_cut(proof: TimeProof, name: str, largest_ns: int) -> str:
    """The command that cuts a module, and how many stages that makes of it."""
    plan, margin = proof.modules[name].plan, proof.margins.get(name, Fraction(1))
    loop = range(0) if plan.loop is None else range(plan.loop.first, plan.loop.first + plan.loop.full)
    steps = [cost for i, cost in enumerate(plan.costs_ns) if i in loop]
    others = [cost for i, cost in enumerate(plan.costs_ns) if i not in loop]
    words = []
    if max(others, default=0) > largest_ns > 0:
        count = len(steps) + sum(max(1, -(-cost // largest_ns)) for cost in others)
        # A build measures without all that.
        limit_ms = ms(Fraction(largest_ns) / margin // 10_000 * 10_000 or 1000)
        words.append(
            f"`polyrhythm build BUNDLE --out CUT --max-stage-ms {name}={limit_ms}` makes about {count} of it"
        )
    if max(steps, default=0) > largest_ns:
        words.append(f"its step takes {ms(max(steps))} ms, is one stage and cannot be cut")
    return ", and ".join(words)


def ms(value_ns: Fraction | int) -> str:
    """Milliseconds, rounded to the microsecond, without trailing zeros."""
    micros = round(Fraction(value_ns) / 1000)
    text = f"{abs(micros) // 1000}.{abs(micros) % 1000:03d}".rstrip("0").rstrip(".")
    return f"-{text}" if micros < 0 else text


# -- the analysis' input ------------------------------------------------------------------------------------


def _unknown(plan: SchedulePlan, sources: Mapping[str, str]) -> dict[str, str]:
    """Modules without a bound: they, or others that share their queue, have no costs."""
    unknown = {}
    for module in plan.modules:
        shares = [m.id for m in plan.modules if plan.mode is Mode.SEQUENTIAL or m.device == module.device]
        if module.id not in sources:
            unknown[module.id] = "its costs are not known"
        elif lacking := [name for name in shares if name not in sources]:
            unknown[module.id] = f"the costs of {', '.join(lacking)} are not known, which share its queue"
    return unknown


def _spaced(plan: SchedulePlan, module: ModulePlan) -> ModulePlan:
    """A module released by the playback comes, whatever its rate, at the last action of a chunk; with one
    buffer that chunk was made before. If the robot had to wait for it, it comes at its first action already.

    What it is planned to cost keeps it from coming sooner only if it costs that: one that costs no more than
    a chunk plays comes as often as chunks end, and leaves the device to nobody if it costs no less.
    """
    if not module.on_demand or module.chunk is None or plan.control is None:
        return module
    made_ns = sum(module.costs_ns) if plan.buffers == 1 else 0
    return replace(module, period_ns=spaced_ns(module.chunk[1], plan.control.period_ns, made_ns))


def _with(module: ModulePlan, steps: int) -> ModulePlan:
    """With so many steps, never more or fewer."""
    loop, costs, stages = module.loop, module.costs_ns, module.stages
    assert loop is not None
    gone = range(loop.first, loop.first + loop.full - steps)
    kept = [i for i in range(len(costs)) if i not in gone]
    return replace(
        module, costs_ns=tuple(costs[i] for i in kept), stages=tuple(stages[i] for i in kept), loop=None
    )


def _fast(module: ModulePlan) -> ModulePlan:
    assert module.loop is not None
    return _with(module, module.loop.fast)


def _alone(plan: SchedulePlan, module: ModulePlan, steps: int, ties: bool = True) -> ModuleVerdict:
    """The verdict on `module` with so many steps, everybody else as planned."""
    modules = tuple(_with(m, steps) if m.id == module.id else m for m in _neighbours(plan, module))
    return prove_one(replace(plan, modules=modules), module.id, ties=ties)


def _fewest(
    plan: SchedulePlan, module: ModulePlan, full: ModuleVerdict, ties: bool, changing: Collection[str]
) -> ModuleVerdict:
    """The verdict on `module` with its fewest steps.

    How many it takes is fixed at its first step, by the time that is left then. What delays it after that is
    not foreseen, nor what it does to its own next job; so that it would fit with fewer steps may prove
    nothing.
    """
    assert module.loop is not None
    verdict = _alone(plan, module, module.loop.fast, ties)
    if full.feasible or not verdict.feasible:
        return verdict
    why = _takes_more(plan, module, verdict, full, changing)
    if why is None:
        return verdict
    return replace(verdict, refusal=f"it fits with {module.loop.fast} steps only, and {why}")


def _takes_more(
    plan: SchedulePlan,
    module: ModulePlan,
    fast: ModuleVerdict,
    full: ModuleVerdict,
    changing: Collection[str],
) -> str | None:
    """Why a module that fits with its fewest steps may be late once a job has chosen more; None if not."""
    shares = list(_neighbours(plan, module))
    others = [m for m in shares if m.id != module.id]
    if any(m.id in changing for m in shares):
        return "costs or deadlines may change once it has chosen more"
    if plan.mode is not Mode.SEQUENTIAL:
        anybody = plan.policy(module.device) is not Policy.FIXED or plan.devices[module.device] > 1
        delayed = any(m.priority <= module.priority or anybody for m in others)
        return "others may delay it once it has chosen more" if delayed else None
    # Whoever comes while a job takes its time goes before the next one. Those with a budget take no more than
    # ever, however long they have waited; others no more than if all jobs before had taken all steps.
    served = all(m.budget is not None for m in others) and (fast.bound_ns or 0) <= module.period_ns
    saved_ns = full.bound.cost_ns - fast.bound.cost_ns
    if served or (full.bound_ns is not None and full.bound_ns - saved_ns <= module.deadline_ns):
        return None
    return "its last job may take the time of the next one"


def _neighbours(plan: SchedulePlan, module: ModulePlan) -> Iterator[ModulePlan]:
    """The modules in the same queue, `module` among them."""
    for other in plan.modules:
        if plan.mode is Mode.SEQUENTIAL or other.device == module.device:
            yield other


def _tasks(plan: SchedulePlan, judged: ModuleProof) -> tuple[list[Task], int]:
    """The device as the analysis sees it, the module with the steps that have to fit."""
    chosen = list(_neighbours(plan, judged.plan))
    own = next(i for i, m in enumerate(chosen) if m.id == judged.plan.id)
    if judged.full is not None:
        chosen[own] = _fast(chosen[own])
    return tasks_of(plan, chosen, own), own


# -- what it stands on --------------------------------------------------------------------------------------


def _conditions(plan: SchedulePlan, modules: Mapping[str, ModuleProof]) -> Iterator[str]:
    """Where the numbers come from, and what the plan adds to the analysis' own assumptions."""
    by_source: dict[str, list[str]] = {}
    for name, module in modules.items():
        by_source.setdefault(module.source, []).append(name)
    for source, names in by_source.items():
        yield f"costs of {', '.join(names)}: {source}"
    if plan.mode is not Mode.SEQUENTIAL:
        depths = ", ".join(f"{name} {plan.devices[name]}" for name in {m.device: 0 for m in plan.modules})
        yield f"stages in flight at most: {depths}"
        yield from _policies(plan)
        yield from _left(plan)
    for m in plan.modules:
        if m.budget is not None:
            piece = "stage" if plan.mode is not Mode.SEQUENTIAL else "job"
            yield (
                f"{m.id}: best effort; what starts in {ms(m.budget.period_ns)} ms takes {ms(m.budget.ns)} ms "
                f"and one {piece} at most"
            )
    if loose := [name for name, m in modules.items() if m.full is not None]:
        yield (
            f"{', '.join(loose)}: leaves out steps, down to `fast`, when short of time; decided at its first "
            "step, by the time that is left then and by planned costs, or what its last few stages took if "
            "that was longer; who delays it after that is not foreseen"
        )
    if asked := [m.id for m in plan.modules if m.on_demand]:
        yield (
            f"{', '.join(asked)}: once for every chunk played; sooner after a job that failed, and while "
            "buffers fill, when an episode begins and, with more than two, after the robot has stalled"
        )
    if moved := [m.id for m in plan.modules if m.on_overrun is Overrun.SHIFT]:
        yield f"{', '.join(moved)}: counted from the shifted release (`on_overrun: shift`)"


def _left(plan: SchedulePlan) -> Iterator[str]:
    """How soon devices leave a stage for a more urgent one."""
    for device in plan.gives_way:
        shares = [m for m in plan.modules if m.device == device]
        known = [f"{m.id} after {ms(m.piece_ns)} ms" for m in shares if m.piece_ns is not None]
        others = [m.id for m in shares if m.piece_ns is None]
        after = ["measured: " + ", ".join(known) + " at most"] if known else []
        after += [f"{', '.join(others)} at the end of a stage at the latest"] if others else []
        if len(shares) > 1:
            yield f"{device} leaves a stage for a more urgent one; {'; '.join(after)}"


def _policies(plan: SchedulePlan) -> Iterator[str]:
    for device in {m.device: 0 for m in plan.modules}:
        match plan.policy(device):
            case Policy.EDF:
                yield f"policy of {device}: edf, the earliest deadline goes first"
            case Policy.LAXITY:
                yield (
                    f"policy of {device}: laxity, anybody may go first; its bounds hold for any order, none "
                    "sharper is known"
                )
            case Policy.FIXED:
                pass
