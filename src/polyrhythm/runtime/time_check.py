"""`check` for time: is every module done by its deadline, and every chunk before the last one runs out?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from polyrhythm.analysis import ChunkVerdict, boundary_stall_ns, stride_ticks
from polyrhythm.bundle.signature import Tensor
from polyrhythm.manifest.chunking import Rtc
from polyrhythm.manifest.schema import RTC_MODES, Manifest, Module
from polyrhythm.runtime.island_policy import told as policy_told
from polyrhythm.runtime.partitions import assumptions, robot_shares
from polyrhythm.runtime.proof import (
    DECLARED,
    ModuleProof,
    TimeProof,
    advise,
    capped,
    doubtful,
    ms,
    prove_time,
)
from polyrhythm.runtime.step_advice import cost_helps, most_steps
from polyrhythm.schedule import ModulePlan, SchedulePlan

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker

#: What is wrong with the time of a bundle that is sound otherwise: it can be planned and judged all the same.
TIME_CODES = frozenset({"PC009", "PC010", "PC015", "PC016", "PC018", "PC019", "PC020", "PC021", "PC134"})

#: What bounds stand on when contexts take turns.
TURNS = (
    "no context is being warmed up, as the others are when a run begins: a stage of one may block once "
    "(PC035); a switch changes no bound, but ages hold again only one end-to-end time after it: what a "
    "context made before it was away is old"
)


def check_time(
    checker: Checker,
    schedule: SchedulePlan,
    ports: Mapping[str, Tensor],
    measured: Mapping[str, str],
    margins: Mapping[str, Fraction] | None = None,
) -> TimeProof:
    """Prove what can be proven, and say what does not fit.

    Args:
        checker: of a bundle that can be planned.
        schedule, ports: of its plan.
        measured: module -> where its measured costs come from; the others have the manifest's, or none.
        margins: module -> what its measured costs were multiplied by.
    """
    whole = whole_chunks(schedule, ports)
    proof = prove_here(checker, schedule, cost_sources(checker, measured), whole, margins or {})
    judge(checker, schedule, proof, whole)
    return proof


def prove_here(
    checker: Checker,
    schedule: SchedulePlan,
    sources: Mapping[str, str],
    whole: Iterable[str],
    margins: Mapping[str, Fraction],
) -> TimeProof:
    """`prove_time`, with the partitions that it may count on."""
    proof = replace(prove_time(schedule, sources, whole, margins), outliers=checker.outliers)
    manifest = checker.manifest
    if not proof.assumptions:
        return replace(proof, assumptions=tuple(policy_told(checker)))
    turns = (TURNS,) if manifest.contexts > 1 else ()
    before = (*assumptions(manifest.devices), *policy_told(checker), *turns)
    return replace(proof, assumptions=(*before, *proof.assumptions, *robot_shares(manifest)))


def cost_sources(checker: Checker, measured: Mapping[str, str]) -> dict[str, str]:
    """Module -> where its costs come from; those without any are missing."""
    modules = checker.manifest.orchestration.modules
    return {m.id: DECLARED for m in modules if m.cost_ns is not None} | dict(measured)


def whole_chunks(schedule: SchedulePlan, ports: Mapping[str, Tensor]) -> list[str]:
    """The modules whose output to the robot is a chunk, not a single action."""
    return [m.id for m in schedule.modules if m.chunk is not None and len(ports[m.chunk[0]].shape) == 2]


def judge(
    checker: Checker, schedule: SchedulePlan, proof: TimeProof, whole: Iterable[str], profile: str = ""
) -> None:
    """Say what does not fit: in a power profile, or without one."""
    told = set() if profile else {(d.code, d.where.path) for d in checker.diagnostics}
    found = [(checker.manifest.orchestration.module(m.id), m) for m in schedule.modules]
    crowded = {
        plan.device
        for module, plan in found
        if ("PC010", checker.bundle.locate((*checker.path(module), "rate_hz")).path) in told
    }
    for module, plan in found:
        costly = ("PC009", checker.bundle.locate(checker.cost_path(module)).path) in told
        # What is made on demand has no rate to keep; when it is too slow the robot stalls, and PC016 tells.
        if not plan.on_demand and not costly and plan.device not in crowded:
            _deadline(checker, module, proof, profile)
    if checker.manifest.robot is not None and checker.manifest.orchestration.mode in RTC_MODES:
        whole = set(whole)
        for module, plan in found:
            if module.id in whole:
                _chunks(checker, module, plan, proof, profile)
            elif module.id in proof.chunks:
                _may_not_come(checker, module, proof, profile, whole=False)


def _place(profile: str, path: tuple[str | int, ...]) -> tuple[tuple[str | int, ...], str]:
    """Where to say it, and how to begin: what a profile is to blame for stands at the profile."""
    return (("power", "profiles", profile), f"under `{profile}` ") if profile else (path, "")


def _deadline(checker: Checker, module: Module, proof: TimeProof, profile: str) -> None:
    judged = proof.modules.get(module.id)
    if judged is None or judged.verdict.feasible:
        return
    path, under = _place(profile, checker.path(module))
    verdict, advice = judged.verdict, advise(proof, module.id).text
    if verdict.bound_ns is None:
        message = f"{under}{module.id} is not proven to be in time: {verdict.refusal}"
    else:
        message = (
            f"{under}{module.id} may take {ms(verdict.bound_ns)} ms, due after {ms(verdict.deadline_ns)} ms"
        )
        if judged.full is not None:
            message += ", with as few steps as it may take"
        if verdict.blocker is not None:
            message += f": blocked by {verdict.blocker} for {ms(verdict.blocker_ns)} ms"
    general = "lower `rate_hz`, raise `deadline_ms`, or move a module to another device"
    option = f" --profile {profile}" if profile else ""
    checker.say(
        "PC018", path, message, None if verdict.bound_ns is None else verdict.bound_ns / 1e6,
        f"at most {ms(verdict.deadline_ns)} ms; `polyrhythm check --explain {module.id}{option}` shows the "
        "sum",
        "; ".join((*advice, general)) if verdict.bound_ns is not None else "; ".join(advice) or general,
    )  # fmt: skip


def _chunks(checker: Checker, module: Module, plan: ModulePlan, proof: TimeProof, profile: str) -> None:
    """Whether the next chunk is proven to be there before the last one ends. It is judged by its cost where
    it has no bound, which is told already, or where costs of what it is made of are not known."""
    robot, rtc = checker.manifest.robot, module.rtc or Rtc()
    cost_ns = sum(capped(plan).costs_ns)
    if robot is None or plan.chunk is None or not cost_ns:
        return
    judged, verdict = proof.modules.get(module.id), proof.chunks.get(module.id)
    bound_ns = cost_ns if judged is None else max(cost_ns, judged.worst.bound_ns or 0)
    horizon, tick_ns = plan.chunk[1], robot.control_period_ns
    path, under = _place(profile, checker.cost_path(module))
    if rtc.swap == "boundary":
        _stall(checker, path, under, rtc, bound_ns, horizon * tick_ns)
        return
    stride = stride_ticks(plan.period_ns, tick_ns)
    delay = max(ceil(bound_ns / tick_ns), 0 if verdict is None else verdict.delay)
    behind = 0 if verdict is None else verdict.behind
    rest = horizon - behind - stride
    chunk = f"{under}a chunk of {horizon} ticks, a new one every {stride}"
    aged = f" - {behind} (the age of what it is made of)" if behind else ""
    if rest < 0:
        path, under = _place(profile, (*checker.path(module), "rate_hz"))
        checker.say(
            "PC015", path, f"{chunk}: it has been played before the next one is begun", stride,
            f"stride <= horizon - delay{aged}, so at most {horizon - behind} ticks less what making it takes",
            "raise `rate_hz`, or build longer chunks",
        )  # fmt: skip
    elif not ChunkVerdict(delay, stride, horizon, behind).feasible:
        made = ceil(bound_ns / tick_ns)
        # An observation may have been taken just before a tick: then a tick less is left for the making.
        looks = delay > made
        most: int = max(0, min(stride, rest) - (delay - (bound_ns // tick_ns + 1) if looks else 0))
        limit = f"{'less than' if looks else 'at most'} {most} ticks ({ms(most * tick_ns)} ms)"
        seen = ""
        if verdict is not None:
            seen = f", {delay + behind} from the observation that its first action is for"
        mends = [
            *(_cheaper(judged, proof, profile) if most else ()),
            "change `rate_hz`, observe more often, or build longer chunks",
        ]
        if not most or (verdict is None and len(mends) == 1):
            limit = "no time at all"
        checker.say(
            "PC015", path, f"{chunk}: making it takes {made} ticks ({ms(bound_ns)} ms) at worst{seen}",
            bound_ns / 1e6,
            f"delay <= stride <= horizon - delay{aged}, so {limit} for the making",
            "; ".join((*doubtful(checker.outliers, [module.id]), ", ".join(mends))),
        )  # fmt: skip
    elif verdict is None:
        _may_not_come(checker, module, proof, profile, whole=True)


def _cheaper(judged: ModuleProof | None, proof: TimeProof, profile: str) -> Iterator[str]:
    """What of a chunk that takes too long can be made shorter, and does help."""
    if judged is None:
        yield "make it cheaper"
        return
    name, blocker = judged.plan.id, judged.worst.blocker
    if cost_helps(proof, name, name) is not False:
        if (steps := most_steps(proof, name, name, whole=True)) is not None:
            yield _fewer(name, steps, profile)
        yield "make it cheaper"
    if blocker is not None and cost_helps(proof, blocker, name):
        yield f"cut {blocker}, which blocks it, into smaller stages"


def _may_not_come(checker: Checker, module: Module, proof: TimeProof, profile: str, *, whole: bool) -> None:
    """Say why it is not known for how long the robot is given nothing new, unless that was told already, or
    where costs are not known."""
    judged, made_of = proof.modules.get(module.id), _made_of(checker.manifest, module.id)
    refused = judged is not None and judged.verdict.bound_ns is None and not judged.verdict.feasible
    if judged is None or refused or made_of & proof.unknown.keys():
        return
    found = [proof.modules[name] for name in sorted(made_of & proof.modules.keys())]
    spare = [m.plan.id for m in found if m.verdict.best_effort]
    slow = [m for m in found if not m.verdict.best_effort and _beyond_period(m)]
    left_out = {name: port for name, port in proof.left_out.items() if name in made_of}
    why = [f"{name} leaves out ticks while {port} is stale" for name, port in left_out.items()]
    mends = []
    if not spare and not slow:
        mends = ["raise `max_age_ms`, say `on_stale: use`, or raise the rate of what is read"]
    elif left_out:  # what has no bound has no age: no limit of it helps
        mends = ["say `on_stale: use`"]
    if spare:
        why.append(f"{', '.join(spare)} has a `budget`, so nobody knows when it is done")
        mends.append(f"take the `budget` of {', '.join(spare)} away")
    why += [_why_slow(m) for m in slow]
    mends += [_quicker(m, most_steps(proof, m.plan.id, module.id, whole), profile) for m in slow]
    path, under = _place(profile, checker.cost_path(module))
    what = "a chunk" if whole else "an action"
    checker.say(
        "PC015", path,
        f"{under}{module.id} is not proven to give {what} at every tick, of inputs of a known age: "
        + "; ".join(why), None,
        "jobs that end within their periods, and inputs that are never older than `max_age_ms`",
        "; ".join((*doubtful(checker.outliers, (m.plan.id for m in slow)), ", or ".join(mends))),
    )  # fmt: skip


def _beyond_period(judged: ModuleProof) -> bool:
    bound_ns = judged.worst.bound_ns
    return bound_ns is None or bound_ns > judged.plan.period_ns


def _why_slow(judged: ModuleProof) -> str:
    plan, worst = judged.plan, judged.worst
    steps = "" if plan.loop is None else f" with all {plan.loop.full} steps"
    if worst.bound_ns is None:
        return f"{plan.id}{steps} has no bound: {worst.refusal}"
    return (
        f"{plan.id}{steps} may take {ms(worst.bound_ns)} ms, and is due again after {ms(plan.period_ns)} ms"
    )


def _quicker(judged: ModuleProof, steps: int | None, profile: str) -> str:
    name = judged.plan.id
    if steps is None:
        return f"lower the `rate_hz` of {name}, or make it cheaper"
    return f"{_fewer(name, steps, profile)}, or lower its `rate_hz`"


def _fewer(name: str, steps: int, profile: str) -> str:
    """How to say that a module takes so many steps at most: always, or under a profile."""
    return f"say `steps: {{ {name}: {steps} }}`" if profile else f"lower `steps.full` of {name} to {steps}"


def _made_of(manifest: Manifest, module: str) -> set[str]:
    """The module, and whoever what it gives is made of."""
    found = {module}
    while more := {k.source.owner for k in manifest.orchestration.links if k.sink.owner in found} - found:
        found |= more
    return found


def _stall(
    checker: Checker, path: tuple[str | int, ...], under: str, rtc: Rtc, made_ns: int, plays_ns: Fraction
) -> None:
    stall_ns = boundary_stall_ns(plays_ns, made_ns, rtc.buffer_depth)
    if not stall_ns:
        return
    buffers = "one buffer" if rtc.buffer_depth == 1 else f"{rtc.buffer_depth} buffers"
    checker.say(
        "PC016", path,
        f"{under}the robot stalls for {float(stall_ns) / 1e6:g} ms at every boundary: making a chunk takes "
        f"{made_ns / 1e6:g} ms, playing it {float(plays_ns) / 1e6:g} ms, with {buffers}",
        made_ns / 1e6,
        "no stall: at least two buffers, and chunks that are made faster than they are played",
        "add a buffer" if rtc.buffer_depth == 1 else "make chunks longer, or faster",
        severity="note",
    )  # fmt: skip
