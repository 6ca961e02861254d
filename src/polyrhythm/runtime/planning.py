"""`check --plan`: a manifest alone, judged by the numbers written in it, for what is not there yet.

Costs are `cost_ms`, bytes are `modules[].bytes`; drivers, cores and robots need not exist on this machine.
What only built modules tell is not guessed but listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from polyrhythm.analysis.ledger import Ledger, Line
from polyrhythm.analysis.ledger import ledger_of as as_ledger
from polyrhythm.bundle import Bundle, Lock
from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.chunks import PlayerPlan
from polyrhythm.manifest import Loaded, Manifest, load
from polyrhythm.manifest.schema import Module
from polyrhythm.memory import layout
from polyrhythm.runtime.check import Checker
from polyrhythm.runtime.drop_check import check_drops
from polyrhythm.runtime.effort_check import check_policies
from polyrhythm.runtime.horizons import horizon, rtc_of, with_ages
from polyrhythm.runtime.island_policy import check_policy_time
from polyrhythm.runtime.ledger import Lines, pages_of
from polyrhythm.runtime.memory_check import check_memory
from polyrhythm.runtime.plan import (
    Checked,
    control_plan,
    depth,
    module_plan,
    player_of,
    ranks,
    schedule_plan,
)
from polyrhythm.runtime.power_check import check_profiles
from polyrhythm.runtime.rate_check import check_rates
from polyrhythm.runtime.time_check import check_time, cost_sources
from polyrhythm.schedule import Loop, ModulePlan, SchedulePlan


def check_plan(path: Path | str) -> Checked:
    """Judge the manifest at `path` (a file, or a directory that holds one); never raises for what it says.

    The `plan` of the verdict is None: nothing can be run.
    """
    return sketch(path)[0]


@dataclass(frozen=True)
class Sketch:
    """A manifest alone as the numbers of a plan. Whether the robot is given whole chunks is not known: it is
    taken to be given single actions, each of which holds until the next one is due."""

    manifest: Manifest
    schedule: SchedulePlan
    player: PlayerPlan
    ledger: Ledger
    sources: Mapping[str, str]  #: of costs; modules without any are missing


def sketch(path: Path | str) -> tuple[Checked, Sketch | None]:
    """The verdict of `check_plan`, and the numbers it judges; None if there is no manifest."""
    loaded = load(path)
    found = list(loaded.diagnostics)
    if loaded.manifest is None:
        return Checked(None, found), None
    file, manifest = Path(path), loaded.manifest
    checker = _checker(loaded, manifest, (file if file.is_dir() else file.parent).resolve())
    check_policies(checker)
    check_rates(checker)
    check_policy_time(checker)
    check_drops(checker)
    schedule = _schedule(checker)
    proof = check_time(checker, schedule, {}, {})
    power = check_profiles(checker, schedule, {}, {}, proof)
    ledger = _ledger(checker)
    memory = check_memory(checker, ledger, list(_unknown(manifest)))
    played = _schedule(checker, actions=True)
    player = player_of(played, rtc_of(manifest))
    drawn = Sketch(manifest, played, player, ledger, cost_sources(checker, {}))
    return Checked(None, found + checker.diagnostics, proof, memory, power), drawn


def _checker(loaded: Loaded, manifest: Manifest, root: Path) -> Checker:
    """A checker for a bundle without files: its stages have names and nothing else."""
    checker = Checker(Bundle(root, Lock(files={}, modules={}), loaded, manifest, (), {}, {}))
    for module in manifest.orchestration.modules:
        entries = tuple(Entry(name, (), ()) for name in module.stages or ("main",))
        if module.steps is not None:
            first, full = _step(module), module.steps.full
            checker.loops[module.id] = Loop(first, full, module.steps.fast or full)
            entries = entries[:first] + full * entries[first : first + 1] + entries[first + 1 :]
        checker.stages[module.id] = entries
    return checker


def _step(module: Module) -> int:
    """Which stage the step of a flow is taken for: the costliest, which is never too little."""
    costs = module.cost_ns or (0,)
    return costs.index(max(costs))


def _schedule(checker: Checker, *, actions: bool = False) -> SchedulePlan:
    """The plan as far as it is known; with `actions`, what goes to the robot taken for single actions."""
    manifest = checker.manifest
    links, robot, rtc = manifest.orchestration.links, manifest.robot, rtc_of(manifest)
    rank = ranks([m.id for m in manifest.orchestration.modules], links)
    linked = dict.fromkeys(str(li.source) for li in links if li.source.owner != "runtime")
    sends = {li.source.owner: str(li.source) for li in links if li.sink.owner == "robot"}

    def planned(module: Module) -> ModulePlan:
        stages = tuple(entry.name for entry in checker.stages[module.id])
        outputs = tuple(port for port in linked if port.startswith(f"{module.id}."))
        chunk = None
        if actions and (port := sends.get(module.id)) is not None:
            single = Tensor(port, "f32", (1,))
            chunk = port, horizon(manifest, module, single)
        made = module_plan(checker, module, links, rank[module.id], stages, outputs, chunk)
        on_demand = module.id in sends and rtc is not None and rtc.swap == "boundary"
        return replace(made, on_demand=on_demand)

    control = None
    if robot is not None:
        observed = [port for port in linked if port.startswith("robot.")]
        periods = {p: 1_000_000_000 / robot.observation_hz(p.removeprefix("robot.")) for p in observed}
        control = control_plan(robot.control_period_ns, periods, rtc)
    slots = {port: depth(port, links, rtc) for port in linked}
    return with_ages(schedule_plan(manifest, planned, slots, control), sends)


def _ledger(checker: Checker) -> Ledger:
    """Declared bytes, and the slots of the robot's observations: their shapes are known."""
    manifest, root = checker.manifest, checker.bundle.root
    lines = Lines(manifest, root)
    found: list[Line] = [*lines.process(), *lines.ports()]
    for module in manifest.orchestration.modules:
        # The same files are the same weights, also for two modules.
        files = [str(root / file) for file in module.parameters] or [f"{root} {module.id}"]
        loaded = " ".join([manifest.device_of(module), module.artefact, *files])
        keys = {"weights": " ".join(files), "code": loaded, "packed": f"{loaded} packed"}
        if module.kv is not None:
            keys["kv"] = pages_of(module)
        names = {"weights": ", ".join(module.parameters), "code": module.artefact}
        for kind, nbytes in module.bytes_.declared.items():
            name = names.get(kind) or "declared"
            found.append(lines.line(module.id, kind, name, nbytes, keys.get(kind), declared=True))
    for port in dict.fromkeys(str(link.source) for link in manifest.orchestration.links):
        owner, _, name = port.partition(".")
        if owner == "robot" and manifest.robot is not None:
            spec = manifest.robot.observations[name]
            slots = depth(port, manifest.orchestration.links, rtc_of(manifest))
            item = ("robot", "slot", Tensor(name, spec.dtype, spec.shape))
            nbytes = sum(row.reserved for row in layout([item] * slots))
            found.append(lines.line("robot", "slot", port, nbytes))
    return as_ledger(found)


def _unknown(manifest: Manifest) -> Iterator[str]:
    """What only built modules tell."""
    links = manifest.orchestration.links
    for module in manifest.orchestration.modules:
        declared = module.bytes_.declared
        expected = ["weights", "scratch"] + ["kv"] * (module.kv is not None)
        mine = [link for link in links if link.source.owner == module.id]
        if any(link.sink.owner != "robot" for link in mine):
            expected.append("slot")
        if any(link.sink.owner == "robot" for link in mine):
            expected.append("chunk")
        if missing := [kind for kind in expected if kind not in declared]:
            yield f"{module.id}: `bytes` says nothing of {', '.join(missing)}"
        if module.steps is not None and len(module.stages or ()) > 1:
            step = (module.stages or ())[_step(module)]
            yield f"{module.id}: which stage is the step of its flow; `{step}`, the costliest, was taken"
    island = manifest.island
    if island is not None and (island.network is not None or island.policy is not None):
        yield f"what the island's {'network' if island.policy is None else 'policy'} takes"
    if any(link.sink.owner == "robot" for link in links):
        yield "how many actions a chunk has, and so whether the next one is in time"
    if links:
        yield "whether the tensors at the two ends of links fit"
    yield "whether the files, drivers, cores and robot adapter that it names are there"
