"""The loop on the monotonic clock.

Whoever has news takes it to the engine, under one lock: a device's thread its completion, the robot's thread
what came of a request. So an idle device's next stage is chosen and submitted by the thread that has just
finished the last one, and no time goes into waking another. A device that has its next stage already (an
in-flight depth above one) goes on with that, and the main thread hears of the last one: by itself, if it
expected it then, because to wake a thread takes a device as long as many a small stage. One that left a stage
for a more urgent one brings the news of that before it goes on: the next stage of the urgent job comes first
again. Otherwise the main thread keeps the time: it waits for the next instant of the plan.
"""

from __future__ import annotations

import gc
import sys
from collections import deque
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Lock, get_ident
from time import monotonic_ns

from polyrhythm.hal.api import Call, Completion, Queue, giving_way
from polyrhythm.hal.blame import blaming
from polyrhythm.hal.priority import Priority, ranked
from polyrhythm.robots import Robot
from polyrhythm.runtime.engine import COMPLETE, Engine, News
from polyrhythm.runtime.hands import Done, Hands, Request, ThreadedHands
from polyrhythm.runtime.outcome import Outcome
from polyrhythm.runtime.power import ProfileChange
from polyrhythm.runtime.punctual import Punctual, sharp_timers
from polyrhythm.schedule.events import Launch, Stop, Wake

#: How long a stopping run waits for what is in flight.
DRAIN_NS = 5_000_000_000
#: A thread that wants the interpreter gets it after this long, instead of Python's 5 ms.
SWITCH_INTERVAL_S = 0.000_2
#: The main thread looks so long after the instant at which a device's next stage should have ended; news that
#: come so long before it looks anyway wake nobody.
_LOOK_NS, _SOON_NS = 150_000, 400_000
#: With nothing planned the main thread looks around this often.
IDLE_NS = 1_000_000_000


class RealTime:
    """One run in real time. `submit` and `ask` are what the engine is given; `priority` is that of the
    threads that keep the time and move the robot, `robot_cores` what the latter is pinned to."""

    def __init__(
        self, robot: Robot | None, priority: Priority | None = None, robot_cores: Sequence[int] = ()
    ) -> None:
        self._priority = priority
        self._lock = Lock()
        self._inside = 0  #: The thread that gives the engine its news, if it is not the main one.
        self._engine: Engine | None = None
        #: What the engine has not been given yet, in order of arrival.
        self._news: deque[Completion | Done | News] = deque()
        #: By the `id` of a queue, which its line keeps alive: a driver's queue need not be hashable.
        self._lines: dict[int, _Line] = {}
        #: When the main thread will look next; what wakes it before: a reason to stop, an exception, None.
        self._wakes_ns = 0
        self._alarm: SimpleQueue[str | BaseException | None] = SimpleQueue()
        self._hands = (
            None
            if robot is None
            else ThreadedHands(Hands(robot, monotonic_ns), self._arrived, priority, robot_cores)
        )

    def submit(self, launch: Launch, call: Call, queue: Queue) -> None:
        """Enqueue; the queue's thread will bring the completion."""
        line = self._lines.get(id(queue))
        if line is None:
            line = self._lines[id(queue)] = _Line(launch.device, queue, self._arrived)
        line.sent += 1
        with line.blaming:
            if launch.cuts_in:
                giving_way(queue).cut_in(call, token=launch, done=line)
            else:
                queue.submit(call, token=launch, done=line)

    def ask(self, request: Request) -> None:
        """Enqueue for the robot; its thread will bring what came of it."""
        assert self._hands is not None
        self._hands.do(request)

    def tell(self, news: News) -> None:
        """Have the engine told something, by the main thread, at once; safe from any thread."""
        self._news.append(news)
        self._alarm.put(None)

    def stop(self, reason: str) -> None:
        """End the run; safe from any thread and from a signal handler."""
        self._alarm.put(reason)

    def set_profile(self, change: ProfileChange) -> None:
        """Change to a power profile; safe from any thread, which does not wait."""
        self.tell(lambda engine, now_ns: engine.set_profile(now_ns, change))

    def run(self, engine: Engine) -> Outcome:
        """Play until everything is done."""
        self._engine = engine
        with _quiet_interpreter, ranked(self._priority), sharp_timers():
            with self._lock:
                self._tell(engine)
                engine.begin(monotonic_ns())
            self._keep_time(engine)
        return engine.account(monotonic_ns())

    def close(self) -> bool:
        """Let the robot's thread end; False if it hangs. What still comes is not heard."""
        with self._lock:
            self._engine = None
        return self._hands is None or self._hands.close()

    def within(self) -> bool:
        """Whether the caller is in a thread that the main one waits for."""
        return get_ident() == self._inside or (self._hands is not None and self._hands.within())

    def _arrived(self, news: Completion | Done, urgent: bool = True) -> None:
        """In the thread that brings the news: the engine's own, if a driver completes in `submit`.

        Whatever goes wrong ends the run (memory may be out, and then this news would be missed for ever).
        """
        try:
            if type(news) is Completion and (engine := self._engine) is not None:
                news = engine.take(news)
            self._news.append(news)
            if urgent:
                self._deliver()
            elif self._wakes_ns - monotonic_ns() > _SOON_NS:  # after `append`: see `_keep_time`
                self._alarm.put(None)
        except BaseException as error:
            self._alarm.put(error)

    def _deliver(self) -> None:
        """Give the engine all news, unless somebody is with it: they look again when they have left.

        Once an instant of the plan has come, what is still new is left to the main thread: a driver that
        completes in `submit` has news for ever.
        """
        while self._news and self._lock.acquire(blocking=False):
            try:
                self._inside = get_ident()
                engine = self._engine
                if engine is None or engine.broken:
                    return  # the run is over; this comes from something that hung, or too late
                self._tell(engine)
                if engine.scheduler.next_ns() < self._wakes_ns or engine.over:
                    self._alarm.put(None)
                if monotonic_ns() >= self._wakes_ns:
                    return
            except BaseException as error:
                self._alarm.put(error)  # under the lock: who keeps the time may find that the run is over
                return
            finally:
                self._inside = 0
                self._lock.release()

    def _tell(self, engine: Engine) -> None:
        """Oldest first, what there is now; under the lock."""
        for _ in range(len(self._news)):
            item = self._news.popleft()
            if type(item) is Completion:
                engine.stage_done(monotonic_ns(), item)
            elif type(item) is Done:
                engine.robot_done(monotonic_ns(), item)
            else:
                item(engine, monotonic_ns())  # type: ignore[operator]

    def _keep_time(self, engine: Engine) -> None:
        stopped_ns: int | None = None
        alarm: str | BaseException | None = None
        alarms = Punctual(self._alarm)
        while True:
            with self._lock:
                while engine.broken and not isinstance(alarm, BaseException):
                    alarm = self._alarm.get()  # the thread in which it broke says why
                if isinstance(alarm, BaseException):
                    raise alarm
                self._tell(engine)
                now_ns, ends_ns = monotonic_ns(), engine.ends_ns
                if alarm is not None:
                    engine.handle(Stop(now_ns, alarm))
                elif ends_ns is not None and ends_ns <= now_ns:
                    engine.handle(Stop(now_ns, COMPLETE))
                else:
                    engine.handle(Wake(now_ns))
                if stopped_ns is None and engine.scheduler.phase == "stopped":
                    stopped_ns = now_ns
                if engine.over or (stopped_ns is not None and now_ns - stopped_ns > DRAIN_NS):
                    self._raise_what_came()
                    return
                looks_ns = [line.ends_ns + _LOOK_NS for line in self._lines.values() if line.ends_ns > now_ns]
                limits = (engine.scheduler.wakeup_ns(), engine.ends_ns, now_ns + IDLE_NS, *looks_ns)
                self._wakes_ns = min(at_ns for at_ns in limits if at_ns is not None)
            self._deliver()  # also what came while the last `_wakes_ns` was in force, and woke nobody
            if engine.scheduler.phase in ("ended", "draining"):
                gc.collect()  # between episodes nothing is due
            try:
                alarm = alarms.get(self._wakes_ns)
            except Empty:
                alarm = None

    def _raise_what_came(self) -> None:
        """What went wrong in another thread, if nobody has looked since."""
        while not self._alarm.empty():
            alarm = self._alarm.get()
            if isinstance(alarm, BaseException):
                raise alarm


class _Line:
    """Where one queue's completions go; `sent` is counted under the lock, `got` by the queue's thread.

    `ends_ns` is when the stage ends that the queue went on with, if it takes as long as the last one.
    """

    __slots__ = ("_arrived", "_queue", "blaming", "ends_ns", "got", "sent")

    def __init__(self, device: str, queue: Queue, arrived: Callable[[Completion, bool], None]) -> None:
        self._queue = queue
        self.blaming = blaming("device", device)
        self.sent = 0
        self.got = 0
        self.ends_ns = 0
        self._arrived = arrived

    def __call__(self, completion: Completion) -> None:
        self.got += 1
        urgent = self.got == self.sent or completion.token.cuts_in
        self.ends_ns = 0 if urgent else 2 * completion.ended_ns - completion.started_ns
        self._arrived(completion, urgent)


class _Quiet:
    """No garbage collection and quick thread switches, in the whole process, while anybody plays."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._playing = 0
        self._interval_s, self._collecting = 0.0, False

    def __enter__(self) -> None:
        with self._lock:
            self._playing += 1
            if self._playing == 1:
                self._interval_s, self._collecting = sys.getswitchinterval(), gc.isenabled()
                sys.setswitchinterval(SWITCH_INTERVAL_S)
                gc.collect()
                gc.freeze()
                gc.disable()

    def __exit__(self, *exc: object) -> None:
        with self._lock:
            self._playing -= 1
            if self._playing == 0:
                if self._collecting:
                    gc.enable()
                gc.unfreeze()
                sys.setswitchinterval(self._interval_s)


_quiet_interpreter = _Quiet()
