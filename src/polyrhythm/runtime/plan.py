"""The plan: a checked bundle as the numbers, wiring and memory that a run needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from polyrhythm.bundle import Bundle, BundleError, open_bundle
from polyrhythm.bundle.signature import Tensor
from polyrhythm.chunks import PlayerPlan
from polyrhythm.hal.api import DeviceConfig, HalError
from polyrhythm.hal.registry import leaves_calls
from polyrhythm.manifest import Diagnostic
from polyrhythm.manifest.chunking import Rtc
from polyrhythm.manifest.schema import RUNNING_MODES, Link, Manifest, Module
from polyrhythm.runtime.binding import Wiring, links_of, wirings
from polyrhythm.runtime.check import Checker
from polyrhythm.runtime.costs import CostChoice, Costs, choose
from polyrhythm.runtime.horizons import horizon, rtc_of, with_ages
from polyrhythm.runtime.ledger import ledger_of
from polyrhythm.runtime.memory_check import MemoryProof, check_memory
from polyrhythm.runtime.paged import Paging, paging_of
from polyrhythm.runtime.power_check import PowerProof, check_profiles
from polyrhythm.runtime.profiles import profiles_of
from polyrhythm.runtime.proof import TimeProof
from polyrhythm.runtime.ranks import ranks_of
from polyrhythm.runtime.time_check import TIME_CODES, check_time, whole_chunks
from polyrhythm.runtime.warm_check import warm_up_notes
from polyrhythm.schedule import (
    Budget,
    ControlPlan,
    InputPlan,
    Late,
    Mode,
    ModulePlan,
    OnStale,
    Overrun,
    Policy,
    SchedulePlan,
)


@dataclass(frozen=True)
class Plan:
    """What runs where, with what priority, in which memory.

    Attributes:
        ports: tensor of every port (``module.output``, ``robot.observation``) that somebody reads.
        wiring: module id -> its stages.
        parameters: module id -> weight files.
        rtc: how the chunks that drive the robot are joined; None: the newest plays, without guidance.
        paged: paged KV of the modules that have it.
    """

    bundle: Bundle
    schedule: SchedulePlan
    ports: dict[str, Tensor]
    wiring: dict[str, Wiring]
    parameters: dict[str, tuple[Path, ...]]
    devices: dict[str, tuple[str, DeviceConfig]]
    links: tuple[Link, ...]
    rtc: Rtc | None
    paged: dict[str, Paging] = field(default_factory=dict)

    @property
    def manifest(self) -> Manifest:
        """The declaration that this plan resolves."""
        return self.bundle.manifest

    @property
    def player(self) -> PlayerPlan:
        """What decides which chunk answers a control tick."""
        return player_of(self.schedule, self.rtc)

    def module(self, module: str) -> ModulePlan:
        """A module's numbers."""
        return next(m for m in self.schedule.modules if m.id == module)


@dataclass(frozen=True)
class Checked:
    """The verdict on a bundle: `plan` is None if some diagnostic is an error, or if there is only a manifest.

    `proof` is what can be said about its time, `memory` about its bytes; None if the bundle is too broken to
    say anything. `power` is the same as `proof` for every power profile; None if there are none.
    """

    plan: Plan | None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    proof: TimeProof | None = None
    memory: MemoryProof | None = None
    power: PowerProof | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not any(diagnostic.is_error for diagnostic in self.diagnostics)


def check(path: Path | str, costs: CostChoice | None = None) -> Checked:
    """Open a bundle and check it whole; never raises for what a user can get wrong.

    Args:
        costs: a cost file to take costs from; the manifest's `cost_ms` where it says nothing.
    """
    try:
        bundle = open_bundle(path)
        found = list(bundle.diagnostics)
    except BundleError as error:
        bundle, found = error.bundle, list(error.diagnostics)
        if bundle is None:
            return Checked(None, found)
    chosen = Costs()
    if costs is not None and not any(d.is_error for d in found):
        chosen, said = choose(bundle, costs)
        found += said
    checker = Checker(bundle, chosen.ns, chosen.pieces_ns, chosen.outliers)
    checker.run()
    if any(d.is_error and d.code not in TIME_CODES for d in found + checker.diagnostics):
        return Checked(None, found + checker.diagnostics)
    plan = make_plan(bundle, checker, chosen.release_jitter_ns)
    proof = check_time(checker, plan.schedule, plan.ports, chosen.sources, chosen.margins)
    power = check_profiles(checker, plan.schedule, plan.ports, chosen.sources, proof)
    memory = check_memory(checker, ledger_of(plan), _not_known(plan))
    found += checker.diagnostics
    if plan.manifest.contexts > 1:  # the others are warmed up while the first one plays
        found += warm_up_notes(plan, plan)
    return Checked(None if any(d.is_error for d in found) else plan, found, proof, memory, power)


def _not_known(plan: Plan) -> list[str]:
    """What of the ledger is known once there is machine code for this machine."""
    missing = plan.bundle.missing
    return [
        f"{name}: machine code is made at first use; its size is not counted, others are those of the builder"
        if name in missing
        else f"{name}: what is allocated when it is loaded"
        for name, module in plan.bundle.modules.items()
        if name in missing or (module.loaded_bytes is None and name in plan.bundle.run_as_code)
    ]


def make_plan(bundle: Bundle, checker: Checker, release_jitter_ns: int = 0) -> Plan:
    """Resolve a bundle that `checker` found no error in."""
    manifest = bundle.manifest
    links = links_of(manifest)
    paged = {
        module.id: paging
        for module in manifest.orchestration.modules
        if (paging := paging_of(module, checker.stages[module.id], manifest.contexts)) is not None
    }
    told = [paging.port for paging in paged.values()]
    wiring = wirings(manifest, checker.stages, checker.loops)
    ports = _ports(manifest, links, wiring, told)
    rtc, threads = rtc_of(manifest), ranks_of(manifest)
    rank = ranks(list(wiring), links)

    def planned(module: Module) -> ModulePlan:
        return _planned(checker, module, wiring[module.id], ports, links, rank[module.id])

    slots = {port: depth(port, links, rtc) for port in ports}
    schedule = schedule_plan(manifest, planned, slots, _control(manifest, ports, rtc), release_jitter_ns)
    whole = whole_chunks(schedule, ports)
    return Plan(
        bundle=bundle,
        schedule=with_ages(schedule, {m.id for m in schedule.modules} - set(whole)),
        ports=ports,
        wiring=wiring,
        parameters={m.id: bundle.parameters(m) for m in manifest.orchestration.modules},
        devices={
            name: (device.driver, DeviceConfig(name, device.uri, device.cores, threads.get(name)))
            for name, device in manifest.devices.items()
        },
        links=links,
        rtc=rtc,
        paged=paged,
    )


def schedule_plan(
    manifest: Manifest,
    planned: Callable[[Module], ModulePlan],
    ports: Mapping[str, int],
    control: ControlPlan | None,
    release_jitter_ns: int = 0,
) -> SchedulePlan:
    """What the scheduler decides with, from the numbers of each module and the slots of each port."""
    orchestration, power = manifest.orchestration, manifest.power
    modules = tuple(map(planned, orchestration.modules))
    return SchedulePlan(
        # A mode that does not run yet (`play` refuses it) is planned like the default.
        mode=Mode(mode if (mode := orchestration.mode) in RUNNING_MODES else "pipelined"),
        modules=modules,
        devices={name: device.in_flight for name, device in manifest.devices.items()},
        ports=ports,
        control=control,
        release_jitter_ns=release_jitter_ns,
        policies={name: Policy(device.policy) for name, device in manifest.devices.items()},
        gives_way=gives_way(manifest),
        profiles={} if power is None else profiles_of(manifest, power, modules, planned),
        profile="" if power is None else power.first,
    )


def gives_way(manifest: Manifest) -> tuple[str, ...]:
    """The devices that leave a stage for a more urgent one: their driver can, and they hold one at a time."""
    found = []
    for name, device in manifest.devices.items():
        with suppress(HalError):  # an unknown driver: `check` says so
            if device.in_flight == 1 and leaves_calls(device.driver):
                found.append(name)
    return tuple(found)


def player_of(schedule: SchedulePlan, rtc: Rtc | None) -> PlayerPlan:
    """What decides which chunk of a plan answers a control tick."""
    if rtc is None or schedule.control is None:
        return PlayerPlan()
    if rtc.swap == "boundary":
        return PlayerPlan(rtc.buffer_depth)
    module = next(m for m in schedule.modules if m.chunk is not None)
    module = schedule.module_under(schedule.profile, module) or module
    planned = math.ceil(sum(module.costs_ns) / schedule.control.period_ns)
    return PlayerPlan(0, planned)


def _ports(
    manifest: Manifest, links: tuple[Link, ...], wiring: dict[str, Wiring], told: Sequence[str]
) -> dict[str, Tensor]:
    ports = {}
    for link in links:
        owner, name = link.source.owner, link.source.port
        if owner == "robot" and manifest.robot is not None:
            spec = manifest.robot.observations[name]
            ports[str(link.source)] = Tensor(name, spec.dtype, spec.shape)
        elif owner in wiring:
            ports[str(link.source)] = wiring[owner].outputs[name]
    for port in told:
        owner, _, name = port.partition(".")
        ports[port] = wiring[owner].outputs[name]
    return ports


def depth(port: str, links: tuple[Link, ...], rtc: Rtc | None) -> int:
    """One slot for each reader, one that is newest, one to write; for chunks, one plays and others wait."""
    readers = [link.sink.owner for link in links if str(link.source) == port]
    waiting = rtc.buffer_depth - 2 if rtc is not None and "robot" in readers else 0
    return 2 + len(readers) + waiting


def ranks(modules: list[str], links: tuple[Link, ...]) -> dict[str, int]:
    """Producers before consumers; modules on a cycle of links share the rank at which it is entered."""
    rank = dict.fromkeys(modules, 0)
    edges = [
        (link.source.owner, link.sink.owner)
        for link in links
        if link.source.owner in rank and link.sink.owner in rank
    ]
    for _ in modules:
        for source, sink in edges:
            if source != sink:
                rank[sink] = min(max(rank[sink], rank[source] + 1), len(modules))
    return rank


def _planned(
    checker: Checker,
    module: Module,
    wiring: Wiring,
    ports: dict[str, Tensor],
    links: tuple[Link, ...],
    rank: int,
) -> ModulePlan:
    manifest = checker.manifest
    outputs = tuple(port for name in wiring.outputs if (port := f"{module.id}.{name}") in ports)
    chunk = next(
        (
            (str(link.source), horizon(manifest, module, ports[str(link.source)]))
            for link in links
            if link.sink.owner == "robot" and link.source.owner == module.id
        ),
        None,
    )
    stages = tuple(stage.entry.name for stage in wiring.stages)
    return module_plan(checker, module, links, rank, stages, outputs, chunk)


def module_plan(
    checker: Checker,
    module: Module,
    links: Sequence[Link],
    rank: int,
    stages: tuple[str, ...],
    outputs: tuple[str, ...],
    chunk: tuple[str, int] | None = None,
) -> ModulePlan:
    """A module's numbers.

    Args:
        stages, outputs: the names of its stages; its linked ports.
        chunk: the port that drives the robot, and its horizon in control ticks, where they are known.
    """
    manifest, rtc = checker.manifest, rtc_of(checker.manifest)
    return ModulePlan(
        id=module.id,
        device=manifest.device_of(module),
        period_ns=module.period_ns,
        deadline_ns=module.deadline_ns,
        priority=manifest.orchestration.priority(module),
        rank=rank,
        phase_ns=module.phase_ns,
        on_overrun=Overrun(module.on_overrun),
        stages=stages,
        costs_ns=checker.costs_ns(module),
        inputs=input_plans(module, links),
        outputs=outputs,
        chunk=chunk,
        loop=checker.loops.get(module.id),
        on_demand=chunk is not None and rtc is not None and rtc.swap == "boundary",
        max_failures=module.max_failures,
        budget=None if (b := module.budget) is None else Budget(b.ns, b.period_ns),
        piece_ns=checker.pieces_ns.get(module.id),
    )


def input_plans(module: Module, links: Sequence[Link]) -> tuple[InputPlan, ...]:
    """The inputs that links feed, in their order."""
    return tuple(
        InputPlan(link.sink.port, str(link.source), link.max_age_ns, OnStale(link.on_stale))
        for link in links
        if link.sink.owner == module.id and link.source.owner != "runtime"
    )


def _control(manifest: Manifest, ports: dict[str, Tensor], rtc: Rtc | None) -> ControlPlan | None:
    robot = manifest.robot
    if robot is None:
        return None
    periods = {
        port: 1_000_000_000 / robot.observation_hz(port.removeprefix("robot."))
        for port in ports
        if port.startswith("robot.")
    }
    # The robot looks in this order: what is wanted often is not kept waiting by what is wanted seldom.
    observations = dict(sorted(periods.items(), key=lambda item: item[1]))
    return control_plan(robot.control_period_ns, observations, rtc)


def control_plan(period_ns: Fraction, observations: Mapping[str, Fraction], rtc: Rtc | None) -> ControlPlan:
    """The robot's side of a plan: how often it moves and looks, and how what it is given is joined."""
    if rtc is None:
        return ControlPlan(period_ns, observations)
    late, share = Late(rtc.late), float(rtc.delay_quantile)
    return ControlPlan(period_ns, observations, late, rtc.delay_window, share)
