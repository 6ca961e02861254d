"""What is simulated: the plan of a bundle or a manifest, what its stages take, and what is proven of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil
from pathlib import Path

import numpy as np

from polyrhythm.analysis import Ledger
from polyrhythm.chunks import PlayerPlan
from polyrhythm.island import IslandError, NoCompilerError, VirtualIsland, config_record
from polyrhythm.manifest import Diagnostic, Island, Manifest
from polyrhythm.manifest.diagnostics import Location
from polyrhythm.manifest.power import PowerSource
from polyrhythm.runtime import CostChoice, CostFile, check, read_costs
from polyrhythm.runtime.island_policy import config_of
from polyrhythm.runtime.ledger import budgets_of, ledger_of
from polyrhythm.runtime.planning import sketch
from polyrhythm.runtime.power import Chooser
from polyrhythm.runtime.proof import DECLARED, prove_switches, prove_time
from polyrhythm.schedule import ModulePlan, SchedulePlan, Scheduler
from polyrhythm.schedule.events import Admit, Refused
from polyrhythm.schedule.grid import hyperperiod
from polyrhythm.simulate.audit import Limits
from polyrhythm.simulate.chance import Spread, planned
from polyrhythm.simulate.memory import Memory, Share


class PieceError(Exception):
    """What was asked for can't be simulated; `diagnostics` says why."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(d.render() for d in diagnostics))

    def __reduce__(self) -> tuple[type[PieceError], tuple[list[Diagnostic]]]:
        return PieceError, (list(self.diagnostics),)  # it may come from another process


@dataclass(frozen=True)
class Piece:
    """The numbers of a simulation.

    Attributes:
        plans: what contexts may be loaded with; the first plays first.
        shares: what contexts of each of them take of the memory.
        spreads: of each, module -> what its stages take under the plan's own costs; other profiles scale it.
            One that is missing takes what is planned.
        contexts: how many there are from the beginning.
        manifest: of what plays first, if there is one.
        source: of power.
        island: the configuration of the robot's island.
        notes: what the numbers do not say.
        steps: how many the chunks of its contexts are asked to have at most, in turn; none: nothing is asked.
        random_costs: what a stage takes is drawn for every tick; else it comes again with the plan's period.
    """

    name: str
    plans: tuple[SchedulePlan, ...]
    player: PlayerPlan
    shares: tuple[Share, ...]
    spreads: tuple[Mapping[str, tuple[Spread, ...]], ...] = ()
    contexts: int = 1
    manifest: Manifest | None = None
    source: PowerSource | None = None
    island: np.ndarray | None = None
    notes: tuple[str, ...] = ()
    steps: tuple[int | None, ...] = ()
    random_costs: bool = False
    _limits: dict[tuple[int, str | None], Limits] = field(default_factory=dict, compare=False)
    _periods: dict[tuple[int, str], tuple[Fraction, dict[str, int]]] = field(
        default_factory=dict, compare=False
    )

    @property
    def plan(self) -> SchedulePlan:
        """What plays first."""
        return self.plans[0]

    def memory(self) -> Memory:
        """The account of the bytes, of nothing yet."""
        return Memory(*self.shares)

    def chooser(self) -> Chooser | None:
        """What follows the power source; None if there is none."""
        return None if self.source is None else Chooser(self.source, self.plan.profiles, self.plan.profile)

    def spread(self, plan: SchedulePlan, module: ModulePlan, stage: int) -> tuple[Spread, int]:
        """What a stage takes as a module of a plan runs now, and the planned cost that this is for."""
        for known, spreads in zip(self.plans, self.spreads, strict=False):
            if known is plan and (found := spreads.get(module.id)) is not None:
                costs_ns = next(m.costs_ns for m in plan.modules if m.id == module.id)
                return found[stage], costs_ns[stage]
        return planned(module.costs_ns[stage]), module.costs_ns[stage]

    def period_ns(self, plan: SchedulePlan, profile: str) -> Fraction:
        """After so much time all grids of a plan under a profile stand to one another as before."""
        return self._period(plan, profile)[0]

    def ticks(self, plan: SchedulePlan, profile: str) -> Mapping[str, int]:
        """Module -> its ticks in that time (of one without a grid: as many as it would have)."""
        return self._period(plan, profile)[1]

    def _period(self, plan: SchedulePlan, profile: str) -> tuple[Fraction, dict[str, int]]:
        if (known := self._periods.get((id(plan), profile))) is not None:
            return known
        modules = [plan.module_under(profile, module) or module for module in plan.modules]
        periods_ns = [m.period_ns for m in modules if not m.on_demand]
        if plan.control is not None:
            periods_ns += [plan.control.period_ns, *plan.control.observations.values()]
        period_ns = hyperperiod(periods_ns)
        ticks = {m.id: ceil(period_ns / m.period_ns) for m in modules}
        found = self._periods[id(plan), profile] = period_ns, ticks
        return found

    def proven(self, plan: SchedulePlan, profile: str | None) -> Limits:
        """What the analysis says of a plan under a profile; None: while they change."""
        if (known := self._limits.get((id(plan), profile))) is not None:
            return known
        sources = {m.id: DECLARED for m in plan.modules}
        if profile is None:
            proof = prove_switches([plan.under(name) for name in plan.profiles], sources)
        else:
            proof = prove_time(plan.under(profile) if profile in plan.profiles else plan, sources)
        fewer = (name for name, m in proof.modules.items() if m.verdict.feasible and not m.worst.feasible)
        bounds = {name: m.worst.bound_ns for name, m in proof.modules.items()}
        found = self._limits[id(plan), profile] = Limits(
            {name: bound_ns for name, bound_ns in bounds.items() if bound_ns is not None},
            {name: m.plan.period_ns for name, m in proof.modules.items()},
            frozenset(fewer),
        )
        return found


def open_piece(path: Path, costs: CostChoice | None = None) -> Piece:
    """The piece at `path`: a bundle, a directory with one in `bundle/`, or a manifest alone.

    Raises:
        PieceError: it has errors, or modules of which nothing says what they take.
    """
    found = next((p for p in (path, path / "bundle") if (p / "bundle.lock").is_file()), None)
    if found is None:
        if costs is not None:
            raise PieceError([_no_bundle(path, costs.file)])
        return _of_manifest(path)
    checked = check(found, costs)
    if (plan := checked.plan) is None:
        raise PieceError(checked.diagnostics)
    ledger = ledger_of(plan)
    measured = {} if costs is None else _measured(plan.schedule, read_costs(costs.file))
    known = {m.id for m in plan.manifest.orchestration.modules if m.cost_ns is not None} | measured.keys()
    _refuse_unknown(found / "manifest.yaml", [m for m in plan.schedule.modules if m.id not in known])
    return Piece(
        plan.manifest.name or found.resolve().name,
        (plan.schedule,),
        plan.player,
        (_share(plan.manifest, ledger),),
        (measured,),
        plan.manifest.contexts,
        plan.manifest,
        _source(plan.manifest),
        _island(path, plan.manifest, lambda _: config_of(plan.bundle)),
    )


def beside(piece: Piece, other: Piece, path: Path) -> Piece:
    """A piece that contexts of `other`, which is at `path`, are swapped into as well.

    Raises:
        PieceError: the two can't take turns.
    """
    if (why := _unfit(piece, other)) is not None:
        raise PieceError([_no_turns(path, f"{other.name} can't take turns with {piece.name}: {why}")])
    return replace(
        piece,
        plans=piece.plans + other.plans,
        shares=piece.shares + other.shares,
        spreads=piece.spreads + other.spreads,
        notes=(*piece.notes, *(f"{other.name}: {note}" for note in other.notes)),
    )


def _unfit(live: Piece, new: Piece) -> str | None:
    """Why two pieces can't take turns: what the scheduler says, or another robot."""
    scheduler = Scheduler(live.plan, live.player.make(live.plan.control))
    for command in scheduler.handle(Admit(0, 1, new.plan)):
        if isinstance(command, Refused):
            return command.reason
    one, two = live.manifest, new.manifest
    if one is None or two is None:
        return None
    for part in ("use", "options", "action"):
        if getattr(one.robot, part, None) != getattr(two.robot, part, None):
            return f"another `robot.{part}`"
    return None if one.island == two.island else "another island"


def _of_manifest(path: Path) -> Piece:
    checked, drawn = sketch(path)
    if drawn is None or not checked.ok:
        raise PieceError(checked.diagnostics)
    _refuse_unknown(path, [m for m in drawn.schedule.modules if m.id not in drawn.sources])
    root = (path if path.is_dir() else path.parent).resolve()
    island, notes = drawn.manifest.island, []
    if any(m.chunk for m in drawn.schedule.modules):
        notes.append(
            "what goes to the robot was taken for single actions: that a chunk is longer only a bundle tells"
        )
    if island is not None and island.policy is not None:
        notes.append("the island follows its targets without its policy: only a bundle has that")
    return Piece(
        drawn.manifest.name or root.name,
        (drawn.schedule,),
        drawn.player,
        (_share(drawn.manifest, drawn.ledger),),
        ({},),
        drawn.manifest.contexts,
        drawn.manifest,
        _source(drawn.manifest),
        _island(path, drawn.manifest, lambda island: config_record(island, root)),
        tuple(notes),
    )


def _source(manifest: Manifest) -> PowerSource | None:
    return None if manifest.power is None else manifest.power.source


def _island(path: Path, manifest: Manifest, config: Callable[[Island], np.ndarray]) -> np.ndarray | None:
    """The configuration of its island, with which one has been made once."""
    if manifest.island is None:
        return None
    try:
        made = config(manifest.island)
        VirtualIsland(made).close()
    except (IslandError, NoCompilerError, ValueError) as error:
        raise PieceError([_no_island(path, str(error).partition("\n")[0])]) from None
    return made


def _share(manifest: Manifest, ledger: Ledger) -> Share:
    groups = {module: name for name, group in manifest.memory.groups.items() for module in group.modules}
    return Share(ledger, lambda machine: budgets_of(manifest, machine), groups)


def _measured(plan: SchedulePlan, file: CostFile) -> dict[str, tuple[Spread, ...]]:
    """What was measured with the other modules running: that is what runs here."""
    spreads = {}
    for module in plan.modules:
        if (measured := file.modules.get(module.id)) is None:
            continue
        by_stage = {
            stage.stage: Spread(m.p50_ns, m.p50_ns, m.p99_ns, stage.ns("max"))
            for stage in measured.stages
            for m in (stage.loaded,)
        }
        spreads[module.id] = tuple(
            by_stage.get(name, planned(cost_ns))
            for name, cost_ns in zip(module.stages, module.costs_ns, strict=True)
        )
    return spreads


def _refuse_unknown(path: Path, modules: list[ModulePlan]) -> None:
    if modules:
        raise PieceError([_no_costs(path, modules)])


def _no_costs(path: Path, modules: list[ModulePlan]) -> Diagnostic:
    names = ", ".join(m.id for m in modules)
    return Diagnostic(
        "PS001", "error", f"nothing says what {names} cost{'s' * (len(modules) == 1)}",
        Location(str(path)), names, "`cost_ms` for every module, or a cost file that knows it",
        "write `cost_ms` into the manifest, or measure with `polyrhythm profile` and give `--costs FILE`",
    )  # fmt: skip


def _no_island(path: Path, why: str) -> Diagnostic:
    return Diagnostic(
        "PS007", "error", f"the island can't be played here: {why}", Location(str(path)), None,
        "a C compiler called `cc`, and the files that `island:` names",
        "mend that, or take `island:` out for the simulation",
    )  # fmt: skip


def _no_turns(path: Path, what: str) -> Diagnostic:
    return Diagnostic(
        "PS009", "error", what, Location(str(path)), None,
        "a bundle or a manifest of the same robot, with devices and chunks as in what plays",
        "declare them as there, or leave `--with` out",
    )  # fmt: skip


def _no_bundle(path: Path, costs: Path) -> Diagnostic:
    return Diagnostic(
        "PS002", "error", "a cost file was given, and there is no bundle whose costs these could be",
        Location(str(path)), str(costs), "the directory of a bundle, or one with a bundle in `bundle/`",
        "build it with `polyrhythm build`, or leave `--costs` out: `cost_ms` counts then",
    )  # fmt: skip
