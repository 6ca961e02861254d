"""The contexts of a runtime: made at the start, loaded beside those that play, switched to, let go."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from weakref import WeakValueDictionary

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal.api import Device, DeviceConfig, Executable
from polyrhythm.hal.blame import blaming
from polyrhythm.hal.priority import NORMAL, Priority, Ranks, plain, settle
from polyrhythm.hal.registry import open_device
from polyrhythm.manifest import render_all
from polyrhythm.memory import Budgets, Machine
from polyrhythm.robots import RobotSpec
from polyrhythm.runtime.admission import misfits, unfit
from polyrhythm.runtime.context import OVER, Context, State
from polyrhythm.runtime.engine import Engine, News
from polyrhythm.runtime.gate import CLOSED
from polyrhythm.runtime.ledger import budgets_of, ledger_of, planned_account, release, reserve
from polyrhythm.runtime.loading import LoadError, verified
from polyrhythm.runtime.outcome import RunError
from polyrhythm.runtime.paged import Pools
from polyrhythm.runtime.plan import Plan
from polyrhythm.runtime.ranks import deliver_of, permitted
from polyrhythm.runtime.storage import Storage
from polyrhythm.runtime.warm_check import warm_up_notes

_log = logging.getLogger(__name__)

#: (digests of the machine code, its entries, digests of the weights): what contexts share on a device.
Code = tuple[tuple[str, ...], tuple[Entry, ...], tuple[str, ...]]
#: How long `Contexts.close` waits for a thread that is loading.
JOIN_S = 10.0


class _Shared:
    """An executable as contexts share it, while one of them has it: a driver's takes no weak references."""

    def __init__(self, executable: Executable) -> None:
        self.entries, self.bind = executable.entries, executable.bind


class Contexts:
    """All contexts of one runtime, the devices that they run on, and the code that they share.

    Args:
        profile: tells the power profile in force.

    Attributes:
        by_number: those that hold memory or are about to.
        devices: open devices by name; once something is loaded there they stay open as long as the runtime.
        opened: what each was asked to be.
        notes: what the first bundle asked for and could not have; every run goes without it.
        priority: what the threads get that keep the time and the robot; None: nothing of their own.
        spoilt: something of the last run hangs and has memory in its hands: nothing is freed any more.
    """

    def __init__(self, profile: Callable[[], str]) -> None:
        self._profile = profile
        self.by_number: dict[int, Context] = {}
        self.devices: dict[str, Device] = {}
        self.opened: dict[str, tuple[str, DeviceConfig]] = {}
        self._loaded: dict[str, WeakValueDictionary[Code, _Shared]] = {}  # by device
        self._numbers = count()
        self._lock = threading.RLock()
        #: Held by whoever reserves or frees memory, or opens devices: for long, so never by the thread that
        #: keeps the time.
        self._memory = threading.Lock()
        self._machine: Machine | None = None
        self._to_free: SimpleQueue[Context | None] = SimpleQueue()
        self._janitor: threading.Thread | None = None
        self._engine: Engine | None = None
        self._tell: Callable[[News], None] | None = None
        self._robot: RobotSpec | None = None  # of the run
        self._loaders: set[subprocess.Popen[bytes]] = set()
        self._threads: set[threading.Thread] = set()
        self._closed = False
        self.notes: tuple[str, ...] = ()
        self.priority: Priority | None = None
        self.spoilt = False
        self._live: Context | None = None
        self._wanted: Context | None = None  # what was asked last to play

    @property
    def live(self) -> Context:
        """The context that plays, or would."""
        engine = self._engine  # once: the run may end just now
        found = self._live if engine is None else engine.live
        assert found is not None
        return found

    @property
    def there(self) -> dict[int, Context]:
        """Those that hold memory or are about to, as they are now."""
        with self._lock:
            return dict(self.by_number)

    @property
    def loaders(self) -> tuple[subprocess.Popen[bytes], ...]:
        """The processes that are verifying bundles now."""
        return tuple(loader for loader in tuple(self._loaders) if loader.returncode is None)

    # -- making -------------------------------------------------------------------------------------------

    def first(self, plan: Plan) -> None:
        """The contexts of the bundle that the runtime starts with."""
        budgets = budgets_of(plan.manifest)
        self._machine = budgets.machine
        for _ in range(plan.manifest.contexts):
            context = self._new()
            pools = None if self._live is None else self._live.storage.pools
            with self._memory:
                self._bind(context, plan, budgets, pools)
            self._live = self._live or context
        granted, self.notes = permitted(plan.devices)
        self.priority = deliver_of(granted)
        for note in self.notes:
            _log.warning("note: %s", note)
        # From now on nothing is reserved or given back by these: what `check` has shown is what lives.
        assert budgets.account() == planned_account(ledger_of(plan))
        self.live.become("live")

    def load(self, bundle: Plan | Path | str, *, then_play: bool = False) -> Context:
        """Begin to load a bundle; returns its context at once. See `Runtime.load`, `Runtime.swap`."""
        context = self._new()
        if refusal := self._beyond(context):
            context.become("failed", refusal)
            self._gone(context)
            return context
        thread = threading.Thread(
            target=self._load,
            args=(context, bundle, then_play, plain()),
            name=f"load-{context.number}",
            daemon=True,
        )
        self._threads.add(thread)
        thread.start()
        return context

    def _load(self, context: Context, bundle: Plan | Path | str, then_play: bool, own: Priority) -> None:
        settle(own)
        try:
            plan = bundle if isinstance(bundle, Plan) else verified(bundle, self._started)
            if missing := plan.bundle.missing:
                raise LoadError(f"no machine code for this CPU: {', '.join(missing)}")
            with self._memory:  # what it is held against stays as it is until it is bound
                self._judge(context, plan)
                self._bind(context, plan, budgets_of(plan.manifest, self._machine))
            del plan, bundle
            if context.leaving:
                self._gone(context)  # retired meanwhile, when it had nothing to give back
                return
            self._admit(context)
            if then_play:
                self._play(context)
        except Exception as error:
            context.become(
                "failed", "the runtime was closed before it was loaded" if self._closed else str(error)
            )
            self._gone(context)
        finally:
            self._threads.discard(threading.current_thread())
            with self._lock:
                self._loaders = set(self.loaders)

    def _judge(self, context: Context, plan: Plan) -> None:
        """Hold it against what is resident, while the caller holds `_memory`.

        Raises:
            LoadError: it does not fit beside that, or the power profile has changed.
        """
        if refusal := self._beyond(context):
            raise LoadError(refusal)
        live = self.live.plan
        resident = [c.ledger for c in self.there.values() if not c.freed]
        if found := misfits(live, plan, self.opened, resident, self._robot):
            raise LoadError(render_all(found))
        for note in warm_up_notes(live, plan):
            _log.warning("%s", note.render())

    def _beyond(self, new: Context | None = None) -> str:
        """Why the power profile in force forbids a context beside those that came before it, or (None) any
        switch; empty if it does not."""
        profile = self._profile()
        found = self.live.plan.schedule.profiles.get(profile)
        there = sum(new is None or number < new.number for number in self.there)
        makes = there + (new is not None)
        if found is None or found.contexts is None or makes <= found.contexts:
            return ""
        return (
            f"power profile {profile} allows contexts: {found.contexts}, there are {there}"
            f"{f' and this makes {makes}' if makes > there else ''}: retire one first, or change the profile"
        )

    def _started(self, loader: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._loaders.add(loader)
            if self._closed:
                loader.kill()

    def _play(self, context: Context) -> None:
        """Swap: when it is ready it goes live, and what played before is let go; if refused, it is let go."""
        if context.reach("ready", "loaded", "live") in OVER:
            return
        with self._lock:
            if context.after is None:  # it may have been switched to meanwhile
                self._switch_now(context)
        context.goes_live()
        with self._lock:
            after = context.after
            if after is None and not context.asked:
                self.retire(context)
            before = None if after is None else self.by_number.get(after)
            # It may have been switched back to meanwhile.
            if before is not None and before not in (self._wanted, self.live):
                self.retire(before)

    def _new(self) -> Context:
        with self._lock:
            if self._closed:
                raise RunError(CLOSED)
            number = next(self._numbers)
            context = self.by_number[number] = Context(number)
            return context

    def _bind(self, context: Context, plan: Plan, budgets: Budgets, pools: Pools | None = None) -> None:
        """Load it, while the caller holds `_memory`; `pools` are those of the contexts of the same bundle.

        If it fails, nothing of it is left: no memory reserved, no device open that was not open before.
        """
        with ExitStack() as undo:
            ledger = ledger_of(plan)
            reserve(budgets, ledger)
            undo.callback(release, budgets, ledger)
            for name, (driver_name, config) in permitted(plan.devices)[0].items():
                if name not in self.devices:
                    ranks = config.ranks
                    if ranks is None and self.priority is not None:  # its news are those of the run too
                        ranks = Ranks(NORMAL, self.priority)
                    self.devices[name] = open_device(driver_name, replace(config, ranks=ranks))
                    self.opened[name], self._loaded[name] = plan.devices[name], WeakValueDictionary()
                    undo.callback(self._close, name)
            name = f"context {context.number}"
            seat = context.number if pools is not None else 0
            storage = Storage(plan, self.devices, self._code(plan), budgets, name, pools, seat)
            undo.pop_all()
            context.ledger = ledger
            context.bind(plan, storage, budgets, lambda: release(budgets, ledger))

    def _close(self, device: str) -> None:
        """Close a device and forget it, with what has been loaded on it."""
        del self.opened[device], self._loaded[device]
        with blaming("device", device):
            self.devices.pop(device).close()

    def _code(self, plan: Plan) -> dict[str, Executable]:
        """Every module loaded; the same code with the same entries and weights on a device is loaded once.

        Raises:
            BundleError: files have changed since the bundle was checked.
        """
        executables = dict[str, Executable]()
        for module in plan.manifest.orchestration.modules:
            device, weights = plan.module(module.id).device, plan.parameters[module.id]
            artefacts = plan.bundle.artefacts_of(module)
            # What comes of loading depends on the entries: their names, and the order of their tensors.
            entries = tuple(plan.bundle.running(module).entries.values())
            digests = tuple(map(plan.bundle.digest, weights))
            key = plan.bundle.code_digests(module), entries, digests
            executable = self._loaded[device].get(key)
            if executable is None:
                with blaming("device", device):
                    executable = _Shared(self.devices[device].load(artefacts[0], entries, weights))
                self._loaded[device][key] = executable
            executables[module.id] = executable
        return executables

    # -- while a run goes on ------------------------------------------------------------------------------

    def attach(
        self, make: Callable[[Context], Engine], tell: Callable[[News], None], robot: RobotSpec | None
    ) -> Engine:
        """A run begins: `make` its engine, around the context that plays.

        What is asked of contexts goes to it from now on, after those that are here have been admitted.
        """
        with self._lock:
            engine = make(self.live)
            engine.freed, engine.readied = self._gone, self._readied
            self._engine, self._tell, self._robot = engine, tell, robot
            for context in tuple(self.by_number.values()):
                if context is not engine.live:
                    self._admit(context, ("loaded", "ready"))
            return engine

    def detach(self, *, spoilt: bool = False) -> None:
        """The run is over, and the contexts are `spoilt` or not. What it was asked and did not get round to
        is refused, or done now."""
        with self._lock:
            self.spoilt = spoilt
            self._live = self.live
            self._live.leaving = False  # if it was asked to go, the run has not come to that
            self._engine = self._tell = self._robot = None
            for context in tuple(self.by_number.values()):
                if context.state == "warming":
                    context.become("loaded")
                if (context.leaving or context.state == "failed") and context is not self._live:
                    self._gone(context)
            wanted, self._wanted = self._wanted, None
            if wanted is not None and wanted.asked:
                self._switch_now(wanted)

    def switch(self, context: Context) -> None:
        """Let a context play as soon as it can: one that is loading or warming up once it has, unless another
        one is asked for before.

        Raises:
            RunError: the power profile allows fewer than there are.
        """
        with self._lock:
            if refusal := self._beyond():
                raise RunError(refusal)
            last, self._wanted = self._wanted, context
            if last is not None and last is not context and last.state not in ("live", *OVER):
                last.refused("another switch came first")
            context.refused("")
            if self._tell is not None:
                if not context.coming:
                    self._flip_to(context)
            elif context.state in ("ready", "loaded"):
                last, self._live = self.live, context
                last.become("ready" if last.warm else "loaded")
                context.after = last.number
                context.become("live")

    def _switch_now(self, context: Context) -> None:
        """Switch to a context that was to play and could not yet; if that is refused by now, it knows why."""
        try:
            self.switch(context)
        except RunError as refusal:
            if self._wanted is context:
                self._wanted = None
            context.refused(str(refusal))

    def _readied(self, context: Context) -> None:
        """A context is warm: if it was switched to before, that is done now."""
        with self._lock:
            if context is self._wanted:
                self._switch_now(context)

    def _flip_to(self, context: Context) -> None:
        """Have the run switch to it, unless another switch is asked for before the run hears of it."""

        def flip(engine: Engine, now_ns: int) -> None:
            with self._lock:
                if context is self._wanted:
                    engine.switch(now_ns, context)

        if self._tell is not None:
            self._tell(flip)

    def retire(self, context: Context) -> None:
        """Let a context go, unless it plays or is leaving."""
        with self._lock:
            if context.leaving:
                return
            if self._tell is not None:
                context.leaving = True
                self._tell(lambda engine, now_ns: engine.retire(now_ns, context))
            elif context is not self._live:
                context.leaving = True
                self._gone(context)

    def _admit(self, context: Context, states: tuple[State, ...] = ("loaded",)) -> None:
        """Have a context take part in the run, if there is one; in another state it does already."""
        with self._lock:
            if self._tell is None and context is self._wanted:
                self._switch_now(context)  # it was asked to play while it was loading
            if self._tell is None or context.leaving or context.state not in states:
                return
            if found := unfit(self._robot, context.plan):  # it was loaded when no robot was there
                context.become("failed", render_all(found))
                self._gone(context)
                return
            context.become("warming")
            self._tell(lambda engine, now_ns: engine.admit(now_ns, context))

    def _gone(self, context: Context) -> None:
        """A context is not needed any more, and nothing of it is in flight, unless all are `spoilt`: then it
        stays in the account. Another thread frees its memory, which takes time."""
        with self._lock:
            context.become("retired")
            if self.spoilt and not context.freed:
                return
            self.by_number.pop(context.number, None)
            if self._janitor is None:
                self._janitor = threading.Thread(
                    target=self._free, args=(plain(),), name="janitor", daemon=True
                )
                self._janitor.start()
            self._to_free.put(context)

    def _free(self, own: Priority) -> None:
        settle(own)
        while (context := self._to_free.get()) is not None:
            with self._memory:
                context.free()
            del context

    def close(self) -> None:
        """Kill loaders, wait for what is being loaded, free everything, close the devices."""
        with self._lock:
            self._closed = True
        for loader in self.loaders:
            loader.kill()
        for thread in tuple(self._threads):
            thread.join(JOIN_S)
        self._to_free.put(None)
        if self._janitor is not None:
            self._janitor.join(JOIN_S)
        while self.by_number:
            with self._lock:
                context = self.by_number.popitem()[1]
            context.become("retired")
            if not self.spoilt:
                context.free()
        with ExitStack() as closing:
            for device in self.devices:
                closing.callback(self._close, device)
