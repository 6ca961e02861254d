"""The conformance suite itself: a driver that does not keep what it promises or declares does not pass it."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np
import pytest

from polyrhythm.hal import Completion, Device, DeviceConfig, Executable, Fence, HalError, StageError
from polyrhythm.hal.api import NO_WAIT
from polyrhythm.hal.conformance import Bench, DriverConformance, Kit
from polyrhythm.hal.conformance.giving import Giving
from polyrhythm.hal.library import LibraryDevice, LibraryDriver, Run
from polyrhythm.hal.worker import WorkerQueue

from . import giving
from .test_library import DRIVER, NumpyProgram, kit  # noqa: F401

SUITE = DriverConformance()


def liar(
    device: type[LibraryDevice] = LibraryDevice, load: type[NumpyProgram] = NumpyProgram
) -> Callable[[str], Device]:
    """Opens devices of that kind."""
    driver: LibraryDriver = replace(DRIVER, load=load)
    return lambda name: device(driver, DeviceConfig(name, "cpu"))


@contextmanager
def found(match: str) -> Iterator[None]:
    """The suite finds fault in here."""
    with pytest.raises((AssertionError, pytest.fail.Exception), match=match):
        yield


class QueueOf(LibraryDevice):
    """Its queues are of a kind of their own, which `made` says."""

    made: Callable[..., WorkerQueue]

    def queue(self) -> WorkerQueue:
        queue = self.made(self.next_name(), (), self.token)
        self._queues.add(queue)
        return queue


class CountsByThread(WorkerQueue):
    """Each thread that submits has points of its own."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.counts = threading.local()

    def submit(self, *given: Any, **more: Any) -> Fence:
        super().submit(*given, **more)
        self.counts.value = getattr(self.counts, "value", 0) + 1
        return Fence(((self.timeline, self.counts.value),))


class LooksLate(WorkerQueue):
    """The fence of a submission is that of the last one by the time that `done` has been called."""

    def submit(self, *given: Any, done: Callable[[Completion], None] | None = None, **more: Any) -> Fence:
        told = threading.Event()

        def tell(completion: Completion) -> None:
            if done is not None:
                done(completion)
            told.set()

        super().submit(*given, done=tell, **more)
        if done is not None:
            told.wait()
        return Fence(((self.timeline, self._submitted),))


class StaysOpen(LibraryDevice):
    def close(self) -> None:
        pass


class Holds(NumpyProgram):
    """Other threads wait while it computes."""

    def bind(self, entry: str, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> Run:
        hold = ctypes.PyDLL(None).usleep

        def run(key: int) -> None:
            if entry == "grind":
                hold(2000)

        return run if entry == "grind" else super().bind(entry, inputs, outputs)


def test_fences_of_several_threads_that_are_the_same(kit: Kit) -> None:  # noqa: F811
    class Device_(QueueOf):
        made = CountsByThread

    with found("each has a point of its own"):
        SUITE.test_several_threads_may_submit(Bench(liar(Device_)("a"), kit))


def test_a_fence_that_is_of_a_later_submission(kit: Kit) -> None:  # noqa: F811
    class Device_(QueueOf):
        made = LooksLate

    with found(r", 2\)"):
        SUITE.test_a_fence_is_that_of_its_submission_also_if_done_submits(Bench(liar(Device_)("a"), kit))


def test_a_device_that_stays_open(kit: Kit) -> None:  # noqa: F811
    with found("DID NOT RAISE"):
        SUITE.test_a_device_that_was_closed_takes_no_more(liar(StaysOpen), kit)


def test_a_call_that_keeps_other_threads_waiting(kit: Kit) -> None:  # noqa: F811
    bench = Bench(liar(load=Holds)("a"), kit)
    with found("declare `non_blocking=False`"):
        SUITE.test_other_threads_go_on_while_a_call_runs(bench, kit)
    blocks = replace(kit, can=replace(kit.can, non_blocking=False))
    with pytest.raises(pytest.skip.Exception):
        SUITE.test_other_threads_go_on_while_a_call_runs(bench, blocks)


class OneThread(LibraryDevice):
    """Serves the thread that opened it."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.opened = threading.get_ident()

    def here(self) -> None:
        if threading.get_ident() != self.opened:
            raise HalError("my context is current in the thread that opened me")

    def load(self, *given: Any) -> Executable:
        self.here()
        return super().load(*given)

    def queue(self) -> WorkerQueue:
        self.here()
        return super().queue()


@pytest.mark.parametrize(
    "promise",
    [
        "test_another_thread_may_load_and_bind_while_a_queue_runs",
        "test_a_queue_is_made_and_left_behind_by_whichever_thread_there_is",
    ],
)
def test_a_device_for_one_thread(kit: Kit, promise: str) -> None:  # noqa: F811
    bench = Bench(liar(OneThread)("a"), kit)
    more = {"kit": kit} if "load" in promise else {}
    with pytest.raises((HalError, AssertionError), match="my context is current"):
        getattr(SUITE, promise)(bench, **more)


class EndsInSubmit(WorkerQueue):
    """Keeps whoever submits waiting until the call has ended, if it may begin."""

    def submit(self, *given: Any, wait: Fence = NO_WAIT, **more: Any) -> Fence:
        fence = super().submit(*given, wait=wait, **more)
        if wait.reached():
            with suppress(StageError):
                fence.wait()
        return fence


def test_submit_may_wait_for_the_call_if_that_is_declared(kit: Kit) -> None:  # noqa: F811
    class Device_(QueueOf):
        made = EndsInSubmit

    bench = Bench(liar(Device_)("a"), kit)
    SUITE.test_submit_returns_while_its_gate_is_closed(bench)
    with found("reached"):
        SUITE.test_submit_returns_while_the_device_is_busy(bench, kit)
    blocks = replace(kit, can=replace(kit.can, non_blocking=False))
    with pytest.raises(pytest.skip.Exception):
        SUITE.test_submit_returns_while_the_device_is_busy(bench, blocks)


def test_a_grain_that_is_none(kit: Kit) -> None:  # noqa: F811
    steps = replace(kit, can=replace(kit.can, grain="step"))
    with found("queues have no `cut_in`"):
        SUITE.test_a_call_is_left_between_two_kernels(Bench(liar()("a"), kit), steps)


class NoKernels(WorkerQueue):
    def cut_in(self, *given: Any, **more: Any) -> Fence:
        return self.submit(*given, **more)


def test_a_queue_that_only_says_that_it_gives_way(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    class Device_(QueueOf):
        made = NoKernels

    steps = replace(kit, can=replace(kit.can, grain="step"))
    bench = Bench(liar(Device_, Holds)("a"), kit)
    with found("calls have no `kernels_ns`"):
        SUITE.test_a_call_is_left_between_two_kernels(bench, steps)
    call = type(bench.add()[0])
    monkeypatch.setattr(call, "kernels_ns", lambda self: self.run(0) or [1, 1], raising=False)
    with found("'long' != 'short'"):
        SUITE.test_a_call_is_left_between_two_kernels(bench, steps)


PROMISES = [name for name in dir(Giving) if name.startswith("test_")]


def holds(promise: str, kind: type[giving.Gives], kit: Kit) -> None:  # noqa: F811
    """Ask whether queues of that kind keep a promise of those that give way."""
    steps = replace(kit, can=giving.CAN)
    bench = Bench(giving.StepDevice("a", kind), steps)
    asked = getattr(SUITE, promise)
    more = {"device_factory": lambda name: giving.StepDevice(name, kind)}
    try:
        asked(bench, kit=steps, **(more if "device_factory" in signature(asked).parameters else {}))
    finally:
        for queue in bench.device._queues:
            queue.close(timeout_ns=0)


@pytest.mark.parametrize("promise", PROMISES)
def test_a_queue_that_gives_way_keeps_every_promise(promise: str, kit: Kit) -> None:  # noqa: F811
    holds(promise, giving.Gives, kit)


BROKEN = {
    giving.NotIdle: "test_cutting_in_runs_on_an_idle_queue_and_not_on_a_closed_one",
    giving.FirstComesFirst: "test_each_that_cuts_in_is_left_in_its_turn",
    giving.NeverAway: "test_how_long_a_call_was_left_is_told",
    giving.GoesOn: "test_what_was_left_does_not_go_on_after_abandon",
    giving.Locked: "test_what_done_lets_cut_in_comes_before_what_was_left",
    giving.OneEach: "test_what_done_lets_cut_in_comes_before_what_was_left",
    giving.Beside: "test_nothing_starts_while_the_call_in_front_waits",
    giving.FailsAll: "test_what_fails_while_it_has_cut_in_harms_nobody_else",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_queue_that_breaks_a_promise_of_giving_way(
    kind: type[giving.Gives],
    kit: Kit,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("polyrhythm.hal.conformance.giving.PATIENCE_NS", 1_000_000_000)
    with pytest.raises((AssertionError, StageError, pytest.fail.Exception)):
        holds(BROKEN[kind], kind, kit)
