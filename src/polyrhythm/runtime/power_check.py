"""`check` for power profiles: each is proven like the bundle itself, and so is changing between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

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
            other, in either direction; a pair that is missing is proven.
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
    late = dict(_loose(plans, proofs, sources))
    for pair, modules in late.items():
        if modules:
            _tell(checker, pair, modules)
    loose = {pair: tuple(m for m, _ in modules) for pair, modules in late.items() if modules}
    contexts = {name: profile.contexts for name, profile in schedule.profiles.items()}
    sound = all(proof.punctual for proof in proofs.values())
    return PowerProof(proofs, dropped, contexts, sound and not late, loose)


def _margins(checker: Checker, profile: str, schedule: SchedulePlan, plain: TimeProof) -> dict[str, Fraction]:
    """What costs are multiplied by in a profile: a build measures without it."""
    power = checker.manifest.power
    assert power is not None
    scale = power.profiles[profile].cost_scale
    return {
        m.id: plain.margins.get(m.id, Fraction(1)) * Fraction(scale.get(m.device, 1))
        for m in schedule.modules
    }


def _loose(
    plans: Mapping[str, SchedulePlan], proofs: Mapping[str, TimeProof], sources: Mapping[str, str]
) -> Iterator[tuple[tuple[str, str], list[tuple[str, str]]]]:
    """The pairs, with modules that may be late while one gives way to the other, and why: all pairs, or none
    if nobody can be late whatever happens. Profiles that do not hold themselves are left out."""
    sound = {name: plan for name, plan in plans.items() if proofs[name].punctual}
    distinct = {plan.modules: name for name, plan in reversed(sound.items())}
    if len(distinct) < 2 or not _late(prove_switches(list(sound.values()), sources)):
        return
    for pair in combinations(sorted(distinct.values(), key=list(plans).index), 2):
        yield (pair[0], pair[1]), _late(prove_switches([plans[name] for name in pair], sources))


def _late(proof: TimeProof) -> list[tuple[str, str]]:
    found = []
    for name in proof.late:
        verdict = proof.modules[name].verdict
        if verdict.bound_ns is not None:
            found.append((name, f"{ms(verdict.bound_ns)} ms, due after {ms(verdict.deadline_ns)} ms"))
        else:
            found.append((name, f"{verdict.refusal}"))
    return found


def _tell(checker: Checker, pair: tuple[str, str], late: list[tuple[str, str]]) -> None:
    (name, why), more = late[0], [module for module, _ in late[1:]]
    others = f"; nor are {', '.join(more)}" if more else ""
    checker.say(
        "PC052", ("power", "profiles", pair[1]),
        f"while `{pair[0]}` and `{pair[1]}` give way to each other {name} is not proven to be in time ({why})"
        + others,
        name, "what fits with the shorter period, the shorter deadline and the larger cost of both",
        "bring rates and costs of the two closer together, or put up with ticks that are late once",
        severity="note",
    )  # fmt: skip
