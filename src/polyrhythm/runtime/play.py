"""`play`: a checked bundle, from opened devices to the last account."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from polyrhythm.bundle.signature import Tensor
from polyrhythm.hal.api import Device, DeviceConfig, Executable
from polyrhythm.hal.registry import driver
from polyrhythm.manifest import nearest
from polyrhythm.manifest.chunking import Rtc
from polyrhythm.manifest.schema import RUNNING_MODES, Action, Observation
from polyrhythm.robots import Robot, TensorSpec, load_robot
from polyrhythm.runtime.engine import Engine
from polyrhythm.runtime.episodes import episodes as episodes_of
from polyrhythm.runtime.ledger import budgets_of, ledger_of, planned_account, release, reserve
from polyrhythm.runtime.listener import Listener
from polyrhythm.runtime.lockstep import Lockstep
from polyrhythm.runtime.outcome import Outcome
from polyrhythm.runtime.plan import Plan
from polyrhythm.runtime.power import PowerWatch
from polyrhythm.runtime.ranks import deliver_of, permitted
from polyrhythm.runtime.realtime import RealTime
from polyrhythm.runtime.storage import Storage

_log = logging.getLogger(__name__)

#: What `Runtime.retune` changes.
KNOBS = ("schedule", "beta", "overlap_end")
#: How long the end of a run waits for a queue that still works.
CLOSE_GRACE_NS = 5_000_000_000


class RunError(Exception):
    """The run can't begin; the message says why and how to mend it."""


class Runtime:
    """Open devices, loaded modules and bound memory of one plan: what stays from run to run.

    A context manager; `close` may be called twice. One run at a time.

    Args:
        plan: the checked bundle, with machine code for this machine (`polyrhythm.compile.prepare` makes it).

    Attributes:
        notes: what was asked for and could not be had; every run goes without it, and its outcome says so.

    Raises:
        RunError: machine code is missing.
        HalError: a device can't be opened, or a module can't be loaded.
        BudgetError: the manifest's budgets do not allow it.
    """

    def __init__(self, plan: Plan) -> None:
        if missing := plan.bundle.missing_artefacts:
            raise RunError(
                f"no machine code for this CPU yet: {', '.join(missing)}; "
                "`polyrhythm run` compiles it at first use, `polyrhythm.compile.prepare(bundle)` from Python"
            )
        self.plan = plan
        self._stack = ExitStack()
        self._loop: Lockstep | RealTime | None = None
        self._profile = plan.schedule.profile
        self._engine: Engine | None = None
        self._rtc = plan.rtc
        self._stop_asked: str | None = None
        self._spoilt = False
        #: What this runtime's memory is drawn from.
        self.budgets = budgets_of(plan.manifest)
        ledger = ledger_of(plan)
        try:
            reserve(self.budgets, ledger)
            self._stack.callback(release, self.budgets, ledger)
            granted, self.notes = permitted(plan.devices)
            self._priority = deliver_of(granted)
            for note in self.notes:
                _log.warning("note: %s", note)
            self._devices = {name: self._open(*granted[name]) for name in granted}
            self._executables = self._load()
            self.storage = Storage(plan, self._devices, self._executables, self.budgets)
            self._stack.callback(self._give_back)
        except BaseException:
            self._stack.close()
            raise
        # From now on nothing is reserved or given back: what `check` has shown is what lives.
        assert self.budgets.account() == planned_account(ledger.with_contexts(1))

    def run(
        self,
        robot: Robot | None = None,
        *,
        episodes: int | None = None,
        seconds: float | None = None,
        tasks: Sequence[str] = (),
        seed: int = 0,
        lockstep: bool = False,
        listeners: Iterable[Listener] = (),
    ) -> Outcome:
        """Play.

        Args:
            robot: the robot of the manifest, if it has one; closed by whoever made it.
            episodes: of each task; None with `seconds`: as many as fit; None alone: one.
            seconds: of the run's clock; ends in the middle of an episode.
            tasks: in turn; empty: all that the robot knows.
            seed: of episodes and noise.
            lockstep: virtual time, as fast as it goes, the same result every run.
            listeners: see `polyrhythm.runtime.listener`.

        Raises:
            RunError: the robot is not the one that the manifest describes, the mode does not run yet, or
                something of the last run still hangs and has this runtime's memory in its hands.
        """
        self._refuse(robot, seconds, episodes)
        if episodes is None and seconds is None:
            episodes = 1
        names = tuple(tasks) or (robot.spec.tasks if robot is not None else ())
        priority = self._priority
        loop: Lockstep | RealTime = Lockstep(self.plan, robot) if lockstep else RealTime(robot, priority)
        engine = Engine(
            self.plan, self.storage, self._devices, episodes_of(names, episodes, seed),
            submit=loop.submit, ask=loop.ask, seconds=seconds, seed=seed, listeners=listeners,
        )  # fmt: skip
        engine.outcome.notes += self.notes
        self._loop, self._engine = loop, engine
        if self._rtc is not None:
            engine.retune(self._rtc)
        if self._stop_asked is not None:
            loop.stop(self._stop_asked)
        if self._profile != self.plan.schedule.profile:
            loop.set_profile(self._profile)
        try:
            with self._watch(lockstep, loop.set_profile) as watch:
                outcome = loop.run(engine)
            outcome.unreadable = 0 if watch is None else watch.unreadable
            return outcome
        finally:
            self._loop = self._stop_asked = self._engine = None
            robot_ended, queues_ended = loop.close(), engine.close(CLOSE_GRACE_NS)
            self._spoilt = not (robot_ended and queues_ended)

    def stop(self, reason: str = "interrupted") -> None:
        """End the present run, or the next one, cleanly; safe from any thread and from signal handlers."""
        self._stop_asked = reason
        if (loop := self._loop) is not None:
            loop.stop(reason)

    def set_profile(self, name: str) -> None:
        """Change to a power profile of the manifest, now and for later runs; nothing under way is lost, and
        each module goes over to its new rate at its next release. Safe from any thread.

        Raises:
            RunError: there is no such profile.
        """
        known = self.plan.schedule.profiles
        if name not in known:
            guess = nearest(name, known)
            raise RunError(
                f"no power profile is called {name!r}; there are {', '.join(known) or 'none'}"
                + (f" (did you mean {guess}?)" if guess else "")
            )
        self._profile = name
        if (loop := self._loop) is not None:
            loop.set_profile(name)

    def retune(self, **changes: Any) -> Rtc:
        """Guide chunks differently from the next one on, now and in later runs; nothing is compiled.

        Args:
            changes: `schedule`, `beta`, `overlap_end`, as in the manifest. Safe from any thread.

        Raises:
            RunError: the plan makes no chunks in real time, there is no such knob, or a value does not fit.
        """
        if self._rtc is None:
            raise RunError("nothing to tune: the manifest's mode is not one with real-time chunking")
        if unknown := changes.keys() - set(KNOBS):
            raise RunError(f"{sorted(unknown)[0]!r} can't be changed in a run; {', '.join(KNOBS)} can")
        try:
            self._rtc = Rtc.model_validate({**self._rtc.model_dump(), **changes})
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise RunError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
        if (engine := self._engine) is not None:
            engine.retune(self._rtc)
        return self._rtc

    def close(self) -> None:
        """Close the devices."""
        self._stack.close()

    def __enter__(self) -> Runtime:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _give_back(self) -> None:
        if not self._spoilt:  # what hangs has the memory in its hands
            self.storage.close()

    def _watch(self, lockstep: bool, ask: Callable[[str], None]) -> AbstractContextManager[PowerWatch | None]:
        power = self.plan.manifest.power
        if lockstep or power is None or power.source is None:
            return nullcontext()
        return PowerWatch(power.source, power.profiles, self._profile, ask)

    def _open(self, driver_name: str, config: DeviceConfig) -> Device:
        device = driver(driver_name).open(config)
        self._stack.callback(device.close)
        return device

    def _load(self) -> dict[str, Executable]:
        """Load every module; modules with the same artefact on the same device share an executable."""
        loaded: dict[tuple[str, str, tuple[Path, ...]], Executable] = {}
        executables = {}
        for module in self.plan.manifest.orchestration.modules:
            device, weights = self.plan.module(module.id).device, self.plan.parameters[module.id]
            key = (device, module.vmfb, weights)
            if key not in loaded:
                bundle = self.plan.bundle
                entries = tuple(bundle.module(module.vmfb).entries.values())
                loaded[key] = self._devices[device].load(bundle.artefacts[module.vmfb], entries, weights)
            executables[module.id] = loaded[key]
        return executables

    def _refuse(self, robot: Robot | None, seconds: float | None, episodes: int | None) -> None:
        if self._spoilt:
            raise RunError("a stage or the robot never came back from the last run: make a new Runtime")
        manifest = self.plan.manifest
        if (mode := manifest.orchestration.mode) not in RUNNING_MODES:
            raise RunError(f"mode {mode} does not run yet; modes that do: {', '.join(RUNNING_MODES)}")
        if robot is None:
            if manifest.robot is not None:
                raise RunError(f"the manifest's robot ({manifest.robot.use}) is missing")
            if seconds is None:
                raise RunError("a bundle without a robot has no episodes: say for how many seconds to run")
            return
        if manifest.robot is None:
            raise RunError("the manifest has no robot")
        if problems := list(_mismatches(robot, self.plan)):
            raise RunError("the robot is not as the manifest says:\n  " + "\n  ".join(problems))


def _mismatches(robot: Robot, plan: Plan) -> Iterator[str]:
    declared, spec = plan.manifest.robot, robot.spec
    assert declared is not None
    if float(declared.control_hz) != spec.control_hz:
        yield f"control_hz: {float(declared.control_hz):g} in the manifest, {spec.control_hz:g} in the robot"
    for name, want in declared.observations.items():
        have = spec.observations.get(name)
        if have is None:
            yield f"observation {name}: the robot has {', '.join(spec.observations)}"
        else:
            yield from _differs(f"observation {name}", want, have)
    yield from _differs("action", declared.action, spec.action)


def _differs(what: str, want: Observation | Action, have: TensorSpec) -> Iterator[str]:
    if (want.dtype, want.shape) != (have.dtype, have.shape):
        wanted, had = Tensor("", want.dtype, want.shape), Tensor("", have.dtype, have.shape)
        yield f"{what}: {wanted} in the manifest, {had} in the robot"


def play(plan: Plan, *, tasks: Sequence[str] = (), profile: str | None = None, **options: Any) -> Outcome:
    """Open everything that `plan` names, run once (see `Runtime.run`), close. SIGINT and SIGTERM end the run
    cleanly when this is called from the main thread. `profile`: the power profile to begin with.

    Raises:
        RunError, HalError: nothing was started.
    """
    declared = plan.manifest.robot
    with ExitStack() as stack:
        robot = None
        if declared is not None:
            try:
                robot = load_robot(declared.use, declared.options, control_hz=float(declared.control_hz))
            except Exception as error:  # adapters are other people's code
                raise RunError(f"robot {declared.use!r} can't be made: {error}") from error
            stack.callback(robot.close)
            if unknown := [task for task in tasks if task not in robot.spec.tasks]:
                raise RunError(f"no task is called {unknown[0]!r}; there are {', '.join(robot.spec.tasks)}")
        runtime = stack.enter_context(Runtime(plan))
        if profile is not None:
            runtime.set_profile(profile)
        stack.enter_context(stopping_on_signals(runtime.stop))
        return runtime.run(robot, tasks=tasks, **options)


@contextmanager
def stopping_on_signals(stop: Callable[[str], None]) -> Iterator[None]:
    """SIGINT and SIGTERM call `stop`."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        number: signal.signal(number, lambda number, _frame: stop("interrupted"))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
