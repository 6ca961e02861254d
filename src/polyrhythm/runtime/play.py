"""`play`: a checked bundle, from opened devices to the last account."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from pathlib import Path
from typing import Any

from polyrhythm.hal import Device, HalError
from polyrhythm.hal.worker import require_cores
from polyrhythm.island import IslandError, NoCompilerError, PortsError, RefusedError
from polyrhythm.manifest import nearest
from polyrhythm.memory import Budgets
from polyrhythm.robots import Robot, load_robot
from polyrhythm.runtime.context import Context
from polyrhythm.runtime.contexts import Contexts
from polyrhythm.runtime.engine import Engine
from polyrhythm.runtime.episodes import episodes as episodes_of
from polyrhythm.runtime.gate import Gate
from polyrhythm.runtime.hands import failure, let_go
from polyrhythm.runtime.island import playing
from polyrhythm.runtime.listener import Listener
from polyrhythm.runtime.lockstep import Lockstep
from polyrhythm.runtime.outcome import Outcome, RunError
from polyrhythm.runtime.plan import Plan
from polyrhythm.runtime.power import PowerWatch, ProfileChange
from polyrhythm.runtime.realtime import RealTime
from polyrhythm.runtime.refusal import refuse_arguments, refuse_robot
from polyrhythm.runtime.remote import Remote
from polyrhythm.runtime.signals import stopping_on_signals
from polyrhythm.runtime.storage import Storage
from polyrhythm.runtime.swap import SwapAt, Swapping
from polyrhythm.runtime.tuning import Tuning

_log = logging.getLogger(__name__)

#: How long the end of a run waits for a queue that still works.
CLOSE_GRACE_NS = 5_000_000_000


class Runtime:
    """Open devices, loaded modules and bound memory of one plan: what stays from run to run.

    There are as many contexts as the manifest says, numbered from 0, and 0 plays. Others can be switched to,
    and other bundles loaded and swapped in, between runs and in the midst of one.

    A context manager; `close` may be called twice. One run at a time; after `close` all that could begin
    something is a `RunError`.

    Attributes:
        robot_hangs: the robot of the last run never came back from its last request: don't close it, which
            may wait for ever.

    Args:
        plan: the checked bundle, with machine code for this machine (`polyrhythm.compile.prepare` makes it).

    Raises:
        RunError: machine code is missing.
        BundleError: code or weights have changed since the bundle was checked.
        HalError: a device can't be opened, or a module can't be loaded.
        BudgetError: the manifest's budgets do not allow it.
    """

    def __init__(self, plan: Plan) -> None:
        if missing := plan.bundle.missing:
            raise RunError(
                f"no machine code for this CPU yet: {', '.join(missing)}; "
                "`polyrhythm run` compiles it at first use, `polyrhythm.compile.prepare(bundle)` from Python"
            )
        self.robot_hangs = False
        self._gate = Gate()
        self._contexts = Contexts(lambda: self.profile)
        self._loop: Lockstep | RealTime | None = None
        self._asked: str | None = None  # the power profile
        self._changes: list[ProfileChange] = []
        self._changing = threading.Lock()
        self._engine: Engine | None = None
        self._tuned: dict[int, Tuning] = {}  # by context; those that have gone leave it with the next one
        self._tuning = threading.Lock()  # from the look at what was to what is told
        self._stop_asked: str | None = None
        try:
            self._contexts.first(plan)
        except BaseException:
            self._contexts.close()
            raise

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
            robot: the robot of the manifest, if it has one; closed by whoever made it, but not if it hangs.
            episodes: of each task, from 1; None with `seconds`: as many as fit; None alone: one.
            seconds: of the run's clock, above 0; ends in the middle of an episode.
            tasks: in turn, of those that the robot knows; empty: all of them.
            seed: of episodes and noise, from 0 and below 2**63.
            lockstep: virtual time, as fast as it goes, the same result every run.
            listeners: see `polyrhythm.runtime.listener`.

        Raises:
            RunError: a run goes on already, the runtime is closed, the robot is not the one that the manifest
                describes, an argument is not as above, the mode does not run yet, or something of the last
                run still hangs and has this runtime's memory in its hands.
        """
        with self._gate.run():
            return self._run(robot, episodes, seconds, tasks, seed, lockstep, listeners)

    def _run(
        self,
        robot: Robot | None,
        episodes: int | None,
        seconds: float | None,
        tasks: Sequence[str],
        seed: int,
        lockstep: bool,
        listeners: Iterable[Listener],
    ) -> Outcome:
        if self._contexts.spoilt:
            raise RunError("a stage or the robot never came back from the last run: make a new Runtime")
        refuse_robot(robot, self.plan.manifest)
        refuse_arguments(robot, tasks, episodes, seconds, seed)
        seed, seconds = int(seed), None if seconds is None else float(seconds)  # they may be NumPy's
        if episodes is None and seconds is None:
            episodes = 1
        names = tuple(tasks) or (robot.spec.tasks if robot is not None else ())
        contexts = self._contexts
        loop: Lockstep | RealTime = (
            Lockstep(contexts.by_number, robot)
            if lockstep
            else RealTime(robot, contexts.priority, self._robot_cores())
        )

        def begin_with(live: Context) -> Engine:
            return Engine(
                live, contexts.devices, episodes_of(names, episodes, seed),
                submit=loop.submit, ask=loop.ask, seconds=seconds, seed=seed, listeners=listeners,
            )  # fmt: skip

        engine: Engine | None = None
        ended_by: str | None = None
        try:
            engine = contexts.attach(begin_with, loop.tell, None if robot is None else robot.spec)
            self._begin(loop, engine)
            plan = engine.live.plan
            with self._watch(plan, lockstep, lambda name: loop.set_profile(ProfileChange(name))) as watch:
                outcome = loop.run(engine)
            outcome.unreadable = 0 if watch is None else watch.unreadable
            return outcome
        except BaseException as error:
            ended_by = type(error).__name__
            raise
        finally:
            self._loop = self._stop_asked = self._engine = None
            self._give_up("the run was over before it was in force")
            self._part(loop, engine, ended_by)

    def _part(self, loop: Lockstep | RealTime, engine: Engine | None, ended_by: str | None) -> None:
        """A run is over, by this exception if by any: whatever else is raised, all of this happens."""
        queues_ended = False
        try:
            self.robot_hangs = not loop.close()
            queues_ended = engine is None or engine.close(CLOSE_GRACE_NS)
        except BaseException as error:
            ended_by = type(error).__name__
            raise
        finally:
            self._contexts.detach(spoilt=self.robot_hangs or not queues_ended)
            if engine is not None:
                engine.farewell(ended_by)

    def _begin(self, loop: Lockstep | RealTime, engine: Engine) -> None:
        """What was asked for before the run holds in it."""
        engine.outcome.notes += self._contexts.notes
        self._loop, self._engine = loop, engine
        with self._tuning:
            for number, tuning in self._tuned.items():
                self._tune(loop, number, tuning)
        if self._stop_asked is not None:
            loop.stop(self._stop_asked)
        plan = engine.live.plan
        if (profile := self._profile(plan)) != plan.schedule.profile:
            loop.set_profile(ProfileChange(profile))

    def stop(self, reason: str = "interrupted") -> None:
        """End the present run, or the next one, cleanly; safe from any thread and from signal handlers."""
        self._stop_asked = reason
        if (loop := self._loop) is not None:
            loop.stop(reason)

    def set_profile(self, name: str) -> ProfileChange:
        """Change to a power profile of the manifest, now and for later runs; nothing under way is lost, and
        each module goes over to its new rate at its next release. Safe from any thread.

        Returns at once; `ProfileChange.wait` waits until the profile is wholly in force.

        Raises:
            RunError: there is no such profile, or the runtime is closed.
        """
        self._gate.require_open()
        known = self.plan.schedule.profiles
        if name not in known:
            guess = nearest(name, known)
            raise RunError(
                f"no power profile is called {name!r}; there are {', '.join(known) or 'none'}"
                + (f" (did you mean {guess}?)" if guess else "")
            )
        self._asked, change = name, ProfileChange(name)
        with self._changing:  # before the look at the run, which fails what it finds here when it is over
            self._changes = [*(c for c in self._changes if not c.over), change]
        if (loop := self._loop) is not None:
            loop.set_profile(change)
        else:
            self._give_up("no run goes on; the next one begins with it")
        return change

    def _give_up(self, problem: str) -> None:
        with self._changing:
            for change in self._changes:
                change.fail(problem)

    @property
    def profile(self) -> str:
        """The power profile asked for last, or begun with; empty if there are none."""
        engine = self._engine
        return self._profile(self.plan) if engine is None else engine.scheduler.profiles.name

    @property
    def profile_settled(self) -> bool:
        """Whether it is wholly in force; between runs it is."""
        engine = self._engine
        return engine is None or engine.scheduler.profiles.settled

    def retune(self, /, **changes: Any) -> Tuning:
        """Make the chunks of the context that plays differently from the next one on, now and in later runs;
        nothing is compiled. Safe from any thread. Returns how they are made then.

        Args:
            changes: `schedule`, `beta`, `overlap_end`, `delay`, as in the manifest's `rtc`; `steps`: how many
                a chunk gets at most, within the manifest's `steps`, None for all of them.

        Raises:
            RunError: the plan makes no chunks in real time, there is no such knob, a value does not fit, or
                the runtime is closed.
        """
        self._gate.require_open()
        live = self._contexts.live
        if live.plan.rtc is None:
            raise RunError("nothing to tune: the manifest's mode is not one with real-time chunking")
        with self._tuning:
            before = self._tuned.get(live.number, Tuning(live.plan.rtc))
            try:
                tuning = before.changed(live.plan, changes)
            except ValueError as error:
                raise RunError(str(error)) from None
            there = self._contexts.there
            self._tuned = {n: kept for n, kept in self._tuned.items() if n in there} | {live.number: tuning}
            if (loop := self._loop) is not None:
                self._tune(loop, live.number, tuning)
        return tuning

    @staticmethod
    def _tune(loop: Lockstep | RealTime, context: int, tuning: Tuning) -> None:
        loop.tell(lambda engine, now_ns: engine.retune(now_ns, context, tuning))

    # -- contexts -----------------------------------------------------------------------------------------

    @property
    def plan(self) -> Plan:
        """The plan of the context that plays, or would."""
        return self._contexts.live.plan

    @property
    def devices(self) -> Mapping[str, Device]:
        """Open devices by name; those that model something have more to tell than the protocol asks."""
        return self._contexts.devices

    @property
    def storage(self) -> Storage:
        """The memory of the context that plays, or would."""
        return self._contexts.live.storage

    @property
    def budgets(self) -> Budgets:
        """What the memory of the context that plays, or would, is drawn from."""
        budgets = self._contexts.live.budgets
        assert budgets is not None
        return budgets

    @property
    def notes(self) -> tuple[str, ...]:
        """What was asked for and could not be had; every run goes without it, and its outcome says so."""
        return self._contexts.notes

    @property
    def live(self) -> Context:
        """The context that plays, or would."""
        return self._contexts.live

    @property
    def contexts(self) -> dict[int, Context]:
        """All contexts there are, by number."""
        return self._contexts.there

    def switch(self, context: Context | int) -> Context:
        """Let another context play: from the next control instant on, in a run; safe from any thread. One
        that is loading or warming up plays once it is ready, unless another is switched to before.

        Returns it; `Context.wait("live")` waits for the flip. What modules keep and what was published last
        in the context that played stays as it is, for the return.

        Raises:
            RunError: there is no such context, the power profile allows fewer than there are, or the runtime
                is closed.
        """
        found = self._find(context)
        self._contexts.switch(found)
        return found

    def load(self, bundle: Plan | Path | str) -> Context:
        """Load another bundle beside those that are there, without disturbing a run; safe from any thread.

        Returns its context at once, ``loading``. A process of its own verifies it and makes machine code if
        there is none; a `Plan` (of `check`) is taken as it is. Then it is held against what is resident,
        loaded, and each of its stages run once when devices have nothing else to do: ``ready``. Whatever goes
        wrong, what plays goes on, the context is ``failed``, says why, and holds nothing.

        Raises:
            RunError: the runtime is closed.
        """
        self._gate.require_open()
        return self._contexts.load(bundle)

    def swap(self, bundle: Plan | Path | str) -> Context:
        """Load another bundle; once it is ready let it play, and retire what played before. If another switch
        or the end of the run comes when it is ready and has not played yet, retire the new one.

        Returns its context at once; `Context.wait("live")` waits for the flip.

        Raises:
            RunError: the runtime is closed.
        """
        self._gate.require_open()
        return self._contexts.load(bundle, then_play=True)

    @property
    def loaders(self) -> tuple[subprocess.Popen[bytes], ...]:
        """The processes that are verifying bundles now."""
        return self._contexts.loaders

    def retire(self, context: Context | int) -> Context:
        """Let a context go that does not play; `Context.wait_freed` waits until it holds no memory.

        Raises:
            RunError: there is no such context, it plays, or the runtime is closed.
        """
        found = self._find(context)
        if found is self._contexts.live:
            raise RunError(f"context {found.number} plays: switch to another one first")
        self._contexts.retire(found)
        return found

    def _find(self, context: Context | int) -> Context:
        self._gate.require_open()
        number = context if isinstance(context, int) else context.number
        there = self._contexts.there
        if (found := there.get(number)) is None:
            raise RunError(f"there is no context {number}; there are {', '.join(map(str, there))}")
        return found

    def close(self) -> None:
        """Free all contexts and close the devices. A run that goes on is stopped, and waited for; safe from
        any thread that is not in the midst of it.

        Raises:
            RunError: called from within a run, by a listener or the robot, or the run does not end; nothing
                was freed.
        """
        loop = self._loop
        with self._gate.closing(lambda: loop is not None and loop.within(), self.stop):
            self._contexts.close()

    def __enter__(self) -> Runtime:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _profile(self, plan: Plan) -> str:
        """What a run that begins with this plan begins with."""
        asked = self._asked
        return asked if asked is not None and asked in plan.schedule.profiles else plan.schedule.profile

    def _watch(
        self, plan: Plan, lockstep: bool, ask: Callable[[str], object]
    ) -> AbstractContextManager[PowerWatch | None]:
        power = plan.manifest.power
        if lockstep or power is None or power.source is None:
            return nullcontext()
        return PowerWatch(power.source, power.profiles, self._profile(plan), ask)

    def _robot_cores(self) -> tuple[int, ...]:
        """What the robot's thread is pinned to."""
        robot = self.plan.manifest.robot
        cores = () if robot is None else robot.cores
        try:
            require_cores(cores)
        except HalError as problem:
            raise RunError(f"robot.cores: {problem}") from problem
        return cores


def play(
    plan: Plan,
    *,
    tasks: Sequence[str] = (),
    profile: str | None = None,
    swap: SwapAt | None = None,
    reachable: bool = False,
    **options: Any,
) -> Outcome:
    """Open everything that `plan` names, run once (see `Runtime.run`), close. SIGINT and SIGTERM end the run
    cleanly when this is called from the main thread. `profile`: the power profile to begin with.

    Args:
        swap: what to swap in meanwhile; not with ``lockstep``, where the same run is to be the same always.
        reachable: let other programs of this user steer it (`polyrhythm.runtime.remote`); for the same
            reason not with ``lockstep``.

    Raises:
        RunError, BundleError, HalError: nothing was started.
    """
    declared, lockstep = plan.manifest.robot, bool(options.get("lockstep"))
    asked: list[str] = []
    runtime: Runtime | None = None
    outcome: Outcome | None = None

    def stop(reason: str) -> None:
        asked.append(reason)
        if runtime is not None:
            runtime.stop(reason)

    def part_from(robot: Robot) -> None:
        if (problem := let_go(robot, hangs=runtime is not None and runtime.robot_hangs)) is None:
            return
        if outcome is None:
            _log.warning("note: %s", problem)
        else:
            outcome.notes.append(problem)

    with ExitStack() as stack:
        stack.enter_context(stopping_on_signals(stop))
        robot = None
        try:
            island = stack.enter_context(playing(plan.bundle, lockstep=lockstep))
        except (IslandError, NoCompilerError, PortsError, RefusedError) as error:
            raise RunError(str(error)) from error
        if declared is not None:
            try:
                robot = load_robot(
                    declared.use, declared.options, control_hz=float(declared.control_hz), island=island,
                    declared=declared,
                )  # fmt: skip
            except Exception as error:  # adapters are other people's code
                raise RunError(f"robot {declared.use!r} can't be made: {failure(error)}") from error
            stack.callback(part_from, robot)
        runtime, swapping = stack.enter_context(Runtime(plan)), None
        if profile is not None:
            runtime.set_profile(profile)
        if asked:  # while it was not there yet
            runtime.stop(asked[0])
        if swap is not None:
            if lockstep:
                raise RunError("a bundle is swapped in while time goes on: not in lockstep")
            try:
                swapping = Swapping(swap, runtime.swap)
            except ValueError as error:
                raise RunError(str(error)) from None
            stack.callback(swapping.call_off)
        remote = stack.enter_context(Remote(runtime)) if reachable and not lockstep else None
        outcome = runtime.run(robot, tasks=tasks, **options)
        if remote is not None and remote.problem:
            outcome.notes.append(remote.problem)
        if swapping is not None:
            swapping.call_off()
            outcome.swap = swapping.outcome()
        if island is not None:
            with suppress(PortsError):  # they were cut short; the run has ended for that reason
                outcome.island = island.read_counts()
        return outcome
