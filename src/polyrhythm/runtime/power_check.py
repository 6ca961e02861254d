"""`check` for power profiles: each is proven like the bundle itself, and so is changing between them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, groupby
from typing import TYPE_CHECKING, NamedTuple

from polyrhythm.analysis import ChunkVerdict
from polyrhythm.bundle.signature import Tensor
from polyrhythm.runtime.proof import TimeProof, ms, prove_switches
from polyrhythm.runtime.time_check import cost_sources, judge, prove_here, whole_chunks
from polyrhythm.schedule import SchedulePlan

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker


@dataclass(frozen=True)
class PowerProof:
    """What is proven of every profile.

    Attributes:
        profiles: by name.
        dropped: by profile: the modules that do not run in it.
        contexts: by profile: how many may be live; None: all.
        all_switches: whether every change is proven, as often and in whatever order they come.
        loose: (profile, profile) -> the modules that are not proven to be in time while one gives way to the
            other, in either direction, or to leave out no tick, or to give chunks that last until the next; a
            pair that is missing is proven.
    """

    profiles: Mapping[str, TimeProof]
    dropped: Mapping[str, tuple[str, ...]]
    contexts: Mapping[str, int | None]
    all_switches: bool
    loose: Mapping[tuple[str, str], tuple[str, ...]]


def check_profiles(
    checker: Checker,
    schedule: SchedulePlan,
    ports: Mapping[str, Tensor],
    measured: Mapping[str, str],
    plain: TimeProof,
) -> PowerProof | None:
    """Prove every profile of a plan, and say what does not fit; None if it has none.

    Args:
        plain: of the plan without profiles; one that changes nothing shares it.
    """
    if not schedule.profiles:
        return None
    sources = cost_sources(checker, measured)
    whole = whole_chunks(schedule, ports)
    plans = {name: schedule.under(name) for name in schedule.profiles}
    shared = [(schedule.modules, plain)]
    proofs: dict[str, TimeProof] = {}
    for name, plan in plans.items():
        found = next((proof for modules, proof in shared if modules == plan.modules), None)
        if found is None:
            found = prove_here(checker, plan, sources, whole, _margins(checker, name, plan, plain))
            shared.append((plan.modules, found))
            judge(checker, plan, found, whole, name)
        proofs[name] = found
    dropped = {
        name: tuple(m.id for m in schedule.modules if schedule.module_under(name, m) is None)
        for name in plans
    }
    tried = dict(_loose(plans, proofs, sources, whole))
    for pair, lacks in tried.items():
        if lacks:
            _tell(checker, pair, lacks)
    loose = {
        pair: tuple(dict.fromkeys(lack.module for lack in lacks)) for pair, lacks in tried.items() if lacks
    }
    contexts = {name: profile.contexts for name, profile in schedule.profiles.items()}
    sound = all(proof.punctual for proof in proofs.values())
    return PowerProof(proofs, dropped, contexts, sound and not tried, loose)


def _margins(checker: Checker, profile: str, schedule: SchedulePlan, plain: TimeProof) -> dict[str, Fraction]:
    """What costs are multiplied by in a profile: a build measures without it."""
    power = checker.manifest.power
    assert power is not None
    scale = power.profiles[profile].cost_scale
    return {
        m.id: plain.margins.get(m.id, Fraction(1)) * Fraction(scale.get(m.device, 1))
        for m in schedule.modules
    }


class _Lack(NamedTuple):
    """What is not proven of a module while one profile gives way to another, and what would help."""

    module: str
    text: str
    mend: str


def _loose(
    plans: Mapping[str, SchedulePlan],
    proofs: Mapping[str, TimeProof],
    sources: Mapping[str, str],
    whole: Sequence[str],
) -> Iterator[tuple[tuple[str, str], list[_Lack]]]:
    """The pairs, with what is not proven while one gives way to the other: all pairs, or none if nothing is
    amiss whatever happens. Profiles that do not hold themselves are left out."""
    sound = {name: plan for name, plan in plans.items() if proofs[name].punctual}
    distinct = {plan.modules: name for name, plan in reversed(sound.items())}

    def lacking(names: Collection[str]) -> list[_Lack]:
        proof = prove_switches([sound[name] for name in names], sources, whole)
        return list(_lacks(proof, [proofs[name] for name in names]))

    if len(distinct) < 2 or not lacking(distinct.values()):
        return
    for pair in combinations(sorted(distinct.values(), key=list(plans).index), 2):
        yield (pair[0], pair[1]), lacking(pair)


def _lacks(proof: TimeProof, ends: Sequence[TimeProof]) -> Iterator[_Lack]:
    """What a proof of changes lacks, if it is proven of two of the profiles that are changed between: else it
    is told of them."""
    for name in proof.late:
        verdict = proof.modules[name].verdict
        why = verdict.refusal
        if verdict.bound_ns is not None:
            why = f"{ms(verdict.bound_ns)} ms, due after {ms(verdict.deadline_ns)} ms"
        yield _Lack(
            name,
            f"{name} is not proven to be in time ({why})",
            "bring rates and costs of the two closer together",
        )
    for name, port in proof.left_out.items():
        if sum(name not in end.left_out for end in ends) > 1:
            yield _Lack(name, f"{name} may leave out ticks while {port} is stale", "raise `max_age_ms`")
    for name, chunk in proof.chunks.items():
        if _lasts(chunk) or (chunk is None and name in {*proof.late, *proof.left_out}):
            continue
        if sum(name not in end.chunks or _lasts(end.chunks[name]) for end in ends) > 1:
            yield _Lack(name, _runs_out(name, chunk), "bring rates closer together, or build longer chunks")


def _lasts(chunk: ChunkVerdict | None) -> bool:
    return chunk is not None and chunk.feasible


def _runs_out(module: str, chunk: ChunkVerdict | None) -> str:
    if chunk is None:
        return f"{module} is not proven to give the robot something at every tick"
    numbers = f"{chunk.horizon} ticks, {chunk.delay + chunk.behind} late, a new one after {chunk.stride}"
    return f"what {module} gives the robot may run out ({numbers})"


def _tell(checker: Checker, pair: tuple[str, str], lacks: Sequence[_Lack]) -> None:
    groups = [list(group) for _, group in groupby(lacks, lambda lack: lack.mend)]
    told = [
        first.text + (f"; the same goes for {', '.join(lack.module for lack in more)}" if more else "")
        for first, *more in groups
    ]
    mends = ", ".join(group[0].mend for group in groups)
    checker.say(
        "PC052", ("power", "profiles", pair[1]),
        f"while `{pair[0]}` and `{pair[1]}` give way to each other " + "; ".join(told),
        lacks[0].module,
        "what fits with the shorter period, the shorter deadline and the larger cost of both; ages and "
        "chunks with the longer period, too",
        f"{mends}, or put up with it once in a change",
        severity="note",
    )  # fmt: skip
