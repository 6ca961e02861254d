"""`profile`: what every stage of a bundle takes on this machine, in the real runtime, on the real clock.

The modules run without robot and without each other's links, their inputs uniform numbers from 0 to 1 (zeros
for integers). Each runs alone first, one job right after the other; then all of them do, every device as
busy as it gets, modules that share one in turn; and at last at their own rates, to see how late the host
hears of a release. Where a device gives way, every kernel is measured by itself. The island's policy runs in
an island's process of its own. What a stage takes is counted from the instant it is launched to the instant
the scheduler hears of its end, so dispatch, threads and interpreter are part of it. Where a device's own
model says what a stage takes, that counts instead.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from math import inf
from time import monotonic_ns, sleep

import numpy as np

from polyrhythm.bundle import Bundle
from polyrhythm.hal.api import Call, leavable
from polyrhythm.hal.library import placed
from polyrhythm.manifest import Manifest
from polyrhythm.runtime.check import Checker
from polyrhythm.runtime.costs import (
    CostFile,
    Machine,
    Measured,
    ModuleCosts,
    Setup,
    StageCosts,
    code_digest,
    module_digest,
    packages,
    stage_names,
)
from polyrhythm.runtime.island_costs import timing
from polyrhythm.runtime.listener import Listener, Note
from polyrhythm.runtime.outcome import RunError
from polyrhythm.runtime.plan import Plan, gives_way, make_plan
from polyrhythm.runtime.play import Runtime
from polyrhythm.runtime.signals import stopping_on_signals
from polyrhythm.schedule import Loop, Mode, Overrun
from polyrhythm.schedule.events import Command, Event, Finish, Isolate, Launch, StageDone

#: Jobs of every module that are not counted: caches, pages and threads get warm.
WARM_JOBS = 3
#: How often every kernel is measured, at least and at most, where a device gives way between two of them.
FEWEST_ROUNDS, MOST_ROUNDS = 3, 1000
#: Releases come this often, or when the last job ends: jobs that take longer follow one upon the other.
_SPACING_NS = Fraction(1_000_000)
#: Busy threads are let rest this often and long. Those with FIFO rights would be made to by Linux, which
#: takes their core for 50 ms of every second (`sched_rt_runtime_us`), and that would be counted as a stage's.
_TURN_S, _REST_S = 0.4, 0.05

Took = dict[str, list[list[int]]]
#: What models say: module -> stage -> ns.
Modelled = dict[str, dict[int, int]]


class Timing:
    """A `Listener` that measures stages: module -> stage as the manifest names it -> ns.

    `modelled_ns` is what counts instead.
    """

    def __init__(
        self, loops: dict[str, Loop | None], stages: dict[str, int], modelled_ns: Modelled | None = None
    ) -> None:
        self.took: Took = {name: [[] for _ in range(count)] for name, count in stages.items()}
        self.failed: str | None = None
        self._modelled_ns = modelled_ns or {}
        self._loops = loops
        self._launched: dict[tuple[int, int], tuple[str, int]] = {}
        self._jobs = dict.fromkeys(stages, 0)

    def step(self, event: Event, commands: list[Command]) -> None:
        """Take note of ends, and of what is launched."""
        if type(event) is StageDone and (begun := self._launched.pop((event.job, event.stage), None)):
            module, launched_ns = begun
            if event.error is None and self._jobs[module] > WARM_JOBS:
                took_ns = self._modelled_ns.get(module, {}).get(event.stage, event.now_ns - launched_ns)
                self.took[module][self._named(module, event.stage)].append(took_ns)
        for command in commands:
            if type(command) is Launch:
                self._launched[command.job, command.stage] = command.module, event.now_ns
                self._jobs[command.module] += self._begins(command)
            elif type(command) is Isolate:
                self.failed = f"{command.module} failed while it was measured: {command.reason}"

    def note(self, note: Note) -> None:
        """There are no episodes."""

    def _begins(self, launch: Launch) -> bool:
        """Whether it is the first stage of a job; what that leaves out of a loop comes before it."""
        loop = self._loops[launch.module]
        return launch.stage == (launch.skipped if loop is not None and loop.first == 0 else 0)

    def _named(self, module: str, stage: int) -> int:
        """Steps of a loop are one stage."""
        loop = self._loops[module]
        if loop is None or stage < loop.first:
            return stage
        return max(loop.first, stage - loop.full + 1)


class Lateness:
    """A `Listener` that measures, for every job that ends, how long after its release the scheduler had its
    next event: with that one it heard of the release."""

    def __init__(self) -> None:
        self.late_ns: list[int] = []
        self._events_ns: list[int] = []

    def step(self, event: Event, commands: list[Command]) -> None:
        """Look back when a job ends."""
        self._events_ns.append(event.now_ns)
        for command in commands:
            if type(command) is Finish:
                self.late_ns.append(self.of(command.release_ns))

    def of(self, release_ns: int) -> int:
        """How late the scheduler heard of a release."""
        return self._events_ns[bisect_left(self._events_ns, release_ns)] - release_ns

    def note(self, note: Note) -> None:
        """There are no episodes."""


def profile(bundle: Bundle, seconds: float = 5.0, told: Callable[[str], None] = lambda _: None) -> CostFile:
    """Measure every stage of a bundle that `check` has found no error in.

    Args:
        bundle: with machine code for this machine.
        seconds: of each measurement: every module alone, all together, all at their rates.
        told: gets a line before each measurement.

    Raises:
        RunError: a module fails, or `seconds` is too short for a single job of one.
        HalError: a device can't be opened.
        KeyboardInterrupt: a signal asked for the end.
    """
    modules = bundle.manifest.orchestration.modules
    modelled_ns = _modelled(bundle)
    alone: Took = {}
    for module in modules:
        told(f"{module.id} alone, {seconds:g} s")
        alone |= _measure(bundle, (module.id,), seconds, modelled_ns)
    policy = bundle.manifest.policy
    told(f"all together, {seconds:g} s")
    with ExitStack() as stack:
        beside = None if policy is None else stack.enter_context(timing(bundle))
        loaded = _measure(bundle, tuple(m.id for m in modules), seconds, modelled_ns)
    told(f"all at their rates, {seconds:g} s")
    late_ns = _releases(bundle, seconds)
    pieces = _pieces(bundle, seconds, told)
    island: dict[str, ModuleCosts] = {}
    if policy is not None and beside is not None:
        told(f"the island's policy alone, {seconds:g} s")
        with timing(bundle) as by_itself:
            by_itself.wait(seconds)
        (name,) = stage_names(bundle, policy)
        stage = StageCosts(stage=name, alone=by_itself.found[0], loaded=beside.found[0])
        island[policy.id] = ModuleCosts(
            artefact=policy.artefact, digest=module_digest(bundle, policy), code=code_digest(bundle, policy),
            device=policy.id, threads=policy.threads, stages=(stage,),
        )  # fmt: skip
    return CostFile(
        bundle=bundle.manifest.name or bundle.root.name,
        taken=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=seconds,
        machine=Machine.here(),
        packages=packages(bundle),
        devices={name: Setup.of(device) for name, device in bundle.manifest.devices.items()},
        release=Measured.of(late_ns),
        modules={
            module.id: ModuleCosts(
                artefact=module.artefact,
                digest=module_digest(bundle, module),
                code=code_digest(bundle, module),
                device=bundle.manifest.device_of(module),
                stages=tuple(
                    StageCosts(
                        stage=name, alone=Measured.of(by_itself), loaded=Measured.of(with_others), piece=piece
                    )
                    for name, by_itself, with_others, piece in zip(
                        stage_names(bundle, module),
                        alone[module.id],
                        loaded[module.id],
                        pieces[module.id],
                        strict=True,
                    )
                ),
            )
            for module in modules
        }
        | island,
    )


def _modelled(bundle: Bundle) -> Modelled:
    """What models say of the stages of all modules, in the bundle as it runs.

    Not of modules on their own: who reads what a stage gives decides whether it stays in its device.
    """
    checker = Checker(bundle)
    checker.run()
    found: Modelled = {m.id: {} for m in bundle.manifest.orchestration.modules}
    with Runtime(make_plan(bundle, checker)) as runtime:
        for module, stages in found.items():
            for context in runtime.contexts.values():
                for stage, ns in context.storage.modelled_ns(module).items():
                    stages[stage] = max(stages.get(stage, 0), ns)
    return found


def _pieces(bundle: Bundle, seconds: float, told: Callable[[str], None]) -> dict[str, list[Measured | None]]:
    """Of each stage of each module, the longest kernel, where its device gives way between two of them. In
    this thread, on the device's cores, with nothing beside it, and for `seconds` at most (but for the fewest
    rounds). Not with the device's priority: who never rests is made to (see `_TURN_S`)."""
    modules = bundle.manifest.orchestration.modules
    found: dict[str, list[Measured | None]] = {m.id: [None] * len(stage_names(bundle, m)) for m in modules}
    leave = gives_way(bundle.manifest)
    giving = [m for m in modules if bundle.manifest.device_of(m) in leave]
    if not giving:
        return found
    told(f"the kernels of {', '.join(m.id for m in giving)}, {seconds:g} s")
    plan = _separate(bundle, (m.id for m in giving))
    share_ns = round(seconds * 1e9) // sum(len(found[m.id]) for m in giving)
    with Runtime(plan) as runtime:
        _fill(plan, runtime)
        for module in giving:
            _, config = plan.devices[bundle.manifest.device_of(module)]
            loop = plan.module(module.id).loop
            for index in range(len(found[module.id])):
                stage = index if loop is None or index <= loop.first else index + loop.full - 1
                call = runtime.storage.any_call(module.id, stage)
                with placed(replace(config, ranks=None)):
                    found[module.id][index] = Measured.of(_longest_ns(call, share_ns))
    return found


def _longest_ns(call: Call, for_ns: int) -> list[int]:
    """What the longest kernel of a call took, again and again."""
    took_ns: list[int] = []
    until_ns = monotonic_ns() + for_ns
    while len(took_ns) < FEWEST_ROUNDS or (len(took_ns) < MOST_ROUNDS and monotonic_ns() < until_ns):
        took_ns.append(max(leavable(call).kernels_ns(), default=0))
    return took_ns


def _measure(bundle: Bundle, chosen: tuple[str, ...], seconds: float, modelled_ns: Modelled) -> Took:
    plan = _busy(bundle, chosen)
    stages = {m.id: len(stage_names(bundle, m)) for m in plan.manifest.orchestration.modules}
    timing = Timing({m.id: m.loop for m in plan.schedule.modules}, stages, modelled_ns)
    _run(plan, seconds, timing, _TURN_S)
    if timing.failed is not None:
        raise RunError(timing.failed)
    for module, took in timing.took.items():
        if not all(took):
            raise RunError(
                f"{module} did not end {WARM_JOBS + 1} jobs within {seconds:g} s: "
                "measure for longer (--seconds)"
            )
    return timing.took


def _releases(bundle: Bundle, seconds: float) -> list[int]:
    """How late the scheduler heard of releases, in ns."""
    lateness = Lateness()
    _run(_separate(bundle, (m.id for m in bundle.manifest.orchestration.modules)), seconds, lateness)
    if not lateness.late_ns:
        raise RunError(f"no job ended within {seconds:g} s: measure for longer (--seconds)")
    return lateness.late_ns


def _run(plan: Plan, seconds: float, listener: Listener, turn_s: float = inf) -> None:
    """In turns of `turn_s` with rests between, longer ones if no job ends in that time."""
    with Runtime(plan) as runtime, stopping_on_signals(runtime.stop):
        _fill(plan, runtime)
        left_s = seconds
        while left_s > 0:
            took_s = min(turn_s, left_s)
            outcome = runtime.run(seconds=took_s, listeners=[listener])
            if outcome.reason == "interrupted":
                raise KeyboardInterrupt
            if outcome.reason != "complete":
                raise RunError(f"the measurement was ended: {outcome.reason}")
            left_s -= took_s
            if left_s > 0:
                sleep(_REST_S)
            if not all(module.finished for module in outcome.modules.values()):
                turn_s *= 2


def _separate(bundle: Bundle, chosen: Iterable[str]) -> Plan:
    """The plan of some modules of a bundle, without robot and without links between them."""
    alone = replace(bundle, manifest=_without_others(bundle.manifest, set(chosen)))
    checker = Checker(alone)
    checker.run()
    return make_plan(alone, checker)


def _busy(bundle: Bundle, chosen: Iterable[str]) -> Plan:
    """The same, each running one job after the other, in turn on each device."""
    plan = _separate(bundle, chosen)
    deadline_ns = max(m.deadline_ns for m in plan.schedule.modules)
    modules = tuple(
        # With one priority and one deadline whoever has waited longest is next.
        replace(
            m,
            period_ns=_SPACING_NS,
            phase_ns=0,
            on_overrun=Overrun.SHIFT,
            priority=0,
            deadline_ns=deadline_ns,
        )
        for m in plan.schedule.modules
    )
    devices = {name: plan.devices[name] for name in {m.device: 0 for m in modules}}
    schedule = replace(
        plan.schedule,
        mode=Mode.PARALLEL,
        modules=modules,
        devices={name: plan.schedule.devices[name] for name in devices},
        gives_way=(),
    )
    return replace(plan, schedule=schedule, devices=devices)


def _without_others(manifest: Manifest, names: set[str]) -> Manifest:
    orchestration = manifest.orchestration
    kept = tuple(m for m in orchestration.modules if m.id in names)
    links = tuple(
        link for link in orchestration.links if link.source.owner == "runtime" and link.sink.owner in names
    )
    orchestration = orchestration.model_copy(update={"modules": kept, "links": links, "mode": "parallel"})
    return manifest.model_copy(update={"robot": None, "orchestration": orchestration})


def _fill(plan: Plan, runtime: Runtime) -> None:
    """Give every input numbers that no model minds."""
    random = np.random.default_rng(0)
    for module, wiring in plan.wiring.items():
        for name in wiring.inputs:
            array = runtime.storage.own.get((module, name))
            if array is not None and array.dtype.kind == "f":
                array[...] = random.random(array.shape)
