"""Random pieces for the swarm: plans, profiles, contexts and budgets made up, and what goes wrong in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from random import Random

import numpy as np

from polyrhythm.analysis import Ledger
from polyrhythm.analysis.ledger import RUNTIME, Line
from polyrhythm.chunks import PlayerPlan
from polyrhythm.island import RUNGS, NoCompilerError, config_record
from polyrhythm.island.build import library
from polyrhythm.manifest import Island
from polyrhythm.manifest.island import ISLAND
from polyrhythm.manifest.power import Level, PowerSource
from polyrhythm.memory import Budgets, Machine
from polyrhythm.schedule import SchedulePlan
from polyrhythm.simulate.chance import source
from polyrhythm.simulate.faults import FAULTS
from polyrhythm.simulate.manifests import random_manifest
from polyrhythm.simulate.memory import Share
from polyrhythm.simulate.piece import Piece
from polyrhythm.simulate.plans import coin, one_in, powered, random_chunk_plan, random_plan, taking_turns


@dataclass(frozen=True)
class Scenario:
    """A piece, how long it is played, and how many times as often as usual each kind of fault strikes."""

    piece: Piece
    length_ns: int
    scale: Mapping[str, float]


#: As frequent as the island's death: drawn by itself it would make another scenario of every seed.
STALL = "island-stall"


def random_scenario(seed: int) -> Scenario:
    """The scenario of a seed: a manifest that `check` accepts, or a plan that no manifest would ask for."""
    rng, second = source(seed, "scenario"), source(seed, "second")
    if one_in(rng, 3):
        piece = random_manifest(rng, second)
    else:
        piece, second = _outlandish(rng, f"scenario {seed}"), rng
    # Scenarios are short, most of them very: another one shows more than more of the same. So faults come in
    # quick succession; half of them in each.
    scale = {name: 10 ** rng.uniform(0, 2) for name in FAULTS if name != STALL and coin(rng)}
    if "island" in scale:
        scale[STALL] = scale["island"]
    length_ns = round(10 ** rng.uniform(8.5, 9.8))
    first, *others = piece.plans
    plans = (_paced(rng, first), *(_paced(second, plan) for plan in others))
    piece = replace(piece, plans=plans, random_costs=coin(rng))
    if one_in(groups := source(seed, "groups"), 3):
        piece = replace(piece, shares=tuple(_grouped(groups, piece.shares)))
    if coin(steps := source(seed, "steps")):
        piece = replace(piece, steps=tuple(steps.choices([None, 0, 1, 2, 4], k=3)))
    if piece.plan.control is not None:
        piece = replace(piece, island=_island(source(seed, "island")))
    return Scenario(piece, length_ns, scale)


def _paced(rng: Random, plan: SchedulePlan) -> SchedulePlan:
    """A plan that counts what chunks take in its own way."""
    if plan.control is None:
        return plan
    window, share = rng.choice([1, 5, 50]), rng.choice([0.5, 0.95, 1.0])
    return replace(plan, control=replace(plan.control, delay_window=window, delay_quantile=share))


def _outlandish(rng: Random, name: str) -> Piece:
    plan = random_chunk_plan(rng) if one_in(rng, 3) else random_plan(rng)
    if coin(rng):
        plan = powered(rng, plan)
    others = tuple(taking_turns(rng, plan) for _ in range(rng.randint(0, 2)))
    total = None if coin(rng) else _ledger(plan).with_contexts(rng.randint(2, 4)).total
    plans = (plan, *others)
    return Piece(
        name,
        plans,
        PlayerPlan(plan.buffers or 0),
        tuple(Share(_ledger(p), lambda machine: Budgets(total, {}, machine)) for p in plans),
        contexts=rng.randint(1, 2),
        source=_source(sorted(plan.profiles)) if plan.profiles else None,
    )


def _ledger(plan: SchedulePlan) -> Ledger:
    lines = [Line("world", (m.id,), "weights", m.id, 1 << 20, m.id) for m in plan.modules]
    lines += [Line("world", (m.id,), "code", m.id, 1 << 12, m.id) for m in plan.modules]
    lines += [
        Line("world", (port.partition(".")[0],), "slot", port, 64 * slots)
        for port, slots in plan.ports.items()
    ]
    lines.append(Line("world", (RUNTIME,), "process", "declared", len(plan.modules) << 10, "process"))
    return Ledger(tuple(lines))


def _grouped(rng: Random, shares: Iterable[Share]) -> Iterator[Share]:
    """Two groups of modules have budgets of their own, with room for one context of the first plan."""
    least = 1.0
    for share in shares:
        owners = {line.owners[0] for line in share.ledger.lines} - {RUNTIME, ISLAND, "robot"}
        groups = {owner: rng.choice(["a", "b"]) for owner in sorted(owners) if coin(rng)}
        budgets: dict[str, tuple[list[str], int]] = {}
        for name in sorted(set(groups.values())):
            needs = sum(li.nbytes for li in share.ledger.lines if groups.get(li.owners[0]) == name)
            budgets[name] = [m for m in groups if groups[m] == name], ceil(needs * rng.uniform(least, 1.5))
        yield Share(share.ledger, partial(_budgets, share, budgets), groups)
        least = 0.5


def _budgets(share: Share, groups: Mapping[str, tuple[list[str], int]], machine: Machine | None) -> Budgets:
    """Those of a load, and its groups."""
    made = share.budgets(machine)
    return Budgets(made.total, groups, made.machine)


def _island(rng: Random) -> np.ndarray | None:
    """The configuration of a robot's island; None where none can be compiled."""
    try:
        library()
    except NoCompilerError:
        return None
    joint = {
        "position": [-rng.uniform(0, 2), rng.uniform(0, 2)], "velocity": 10 ** rng.uniform(-1, 2),
        "torque": 10 ** rng.uniform(-1, 2), "torque_rate": 10 ** rng.uniform(0, 4),
        "kp": rng.choice([0, 1, 50]), "kd": rng.choice([0, 0.1, 5]),
    }  # fmt: skip
    if coin(rng):
        del joint["position"]
    times = sorted(rng.sample(range(1, 300), 4))
    declared = {
        "rate_hz": rng.choice([200, 500, 1000, 2000]),
        "joints": {f"j{i}": joint for i in range(rng.randint(1, 3))},
        "ladder_ms": dict(zip(RUNGS[1:], times, strict=True)),
    }
    return config_record(Island.model_validate(declared))


def _source(profiles: list[str]) -> PowerSource:
    levels = tuple(Level(profile=name, at=70 + 10 * i, back=65 + 10 * i) for i, name in enumerate(profiles))
    return PowerSource(kind="thermal", path="/sys/class/thermal/thermal_zone0/temp", levels=levels)
