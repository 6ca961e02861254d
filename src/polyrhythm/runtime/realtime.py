"""The loop on the monotonic clock: wait for the next instant or the next report, whichever is first."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from time import monotonic_ns

from polyrhythm.hal.api import Call, Completion, Queue
from polyrhythm.robots import Robot
from polyrhythm.runtime.engine import COMPLETE, Engine
from polyrhythm.runtime.hands import Done, Hands, Request, ThreadedHands
from polyrhythm.runtime.outcome import Outcome
from polyrhythm.schedule.events import Launch, Stop, Wake

#: How long a stopping run waits for what is in flight.
DRAIN_NS = 5_000_000_000
#: A thread that wants the interpreter gets it after this long, instead of Python's 5 ms.
SWITCH_INTERVAL_S = 0.000_2


class RealTime:
    """Owns the inbox that device threads and the robot's thread report to."""

    def __init__(self, robot: Robot | None) -> None:
        self._inbox: SimpleQueue[Completion | Done | str] = SimpleQueue()
        self._hands = None if robot is None else ThreadedHands(Hands(robot, monotonic_ns), self._inbox.put)

    def submit(self, launch: Launch, call: Call, queue: Queue) -> None:
        """Enqueue; the completion comes through the inbox."""
        queue.submit(call, token=(launch.job, launch.stage), done=self._inbox.put)

    def ask(self, request: Request) -> None:
        """Enqueue for the robot; what came of it comes through the inbox."""
        assert self._hands is not None
        self._hands.do(request)

    def stop(self, reason: str) -> None:
        """End the run; safe from any thread and from a signal handler."""
        self._inbox.put(reason)

    def run(self, engine: Engine) -> Outcome:
        """Play until everything is done."""
        with _quiet_interpreter():
            engine.begin(monotonic_ns())
            stopped_ns: int | None = None
            while not engine.over:
                if engine.scheduler.phase == "stopped":
                    stopped_ns = stopped_ns or monotonic_ns()
                    if monotonic_ns() - stopped_ns > DRAIN_NS:
                        break
                self._turn(engine, stopped_ns)
        if self._hands is not None:
            self._hands.close()
        return engine.close(monotonic_ns(), DRAIN_NS)

    def _turn(self, engine: Engine, stopped_ns: int | None) -> None:
        due = [
            engine.scheduler.wakeup_ns(),
            engine.ends_ns if stopped_ns is None else stopped_ns + DRAIN_NS,
        ]
        instants = [at for at in due if at is not None]
        timeout_s = max(0, min(instants) - monotonic_ns()) / 1e9 if instants else None
        try:
            item = self._inbox.get(timeout=timeout_s)
        except Empty:
            now_ns = monotonic_ns()
            ends_ns = engine.ends_ns
            if stopped_ns is None and ends_ns is not None and ends_ns <= now_ns:
                engine.handle(Stop(now_ns, COMPLETE))
            else:
                engine.handle(Wake(now_ns))
            return
        now_ns = monotonic_ns()
        if type(item) is Completion:
            engine.stage_done(now_ns, item)
        elif type(item) is Done:
            engine.robot_done(now_ns, item)
        else:
            engine.handle(Stop(now_ns, str(item)))


@contextmanager
def _quiet_interpreter() -> Iterator[None]:
    """No garbage collection and quick thread switches while the piece plays."""
    interval_s, collecting = sys.getswitchinterval(), gc.isenabled()
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
        gc.unfreeze()
        sys.setswitchinterval(interval_s)
