"""The robot as the runtime sees it: requests in, what came of them out; inline or in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from queue import SimpleQueue
from traceback import walk_tb
from types import FrameType
from typing import NamedTuple

import numpy as np

from polyrhythm.hal.priority import Priority, plain, ranked
from polyrhythm.hal.worker import pin
from polyrhythm.manifest.diagnostics import printable
from polyrhythm.robots import Robot, StepResult

#: How long the end of a run waits for a robot that still works.
CLOSE_GRACE_S = 5.0


class Reset(NamedTuple):
    """Begin an episode."""

    task: str
    seed: int


class Look(NamedTuple):
    """Write an observation into `out`, which is a slot of `context`."""

    port: str
    slot: int
    out: np.ndarray
    context: int = 0


class Move(NamedTuple):
    """Execute one control tick; hold if there is no action."""

    tick: int
    action: np.ndarray | None


Request = Reset | Look | Move


class Done(NamedTuple):
    """A request was carried out between two instants of the clock; `error` says why not.

    `result` and `telemetry` are there after a `Move` that went well.
    """

    request: Request
    started_ns: int
    error: str | None = None
    result: StepResult | None = None
    telemetry: Mapping[str, float] = {}


class Hands:
    """Carries requests out, one after the other, in the caller's thread."""

    def __init__(self, robot: Robot, now_ns: Callable[[], int]) -> None:
        self._robot = robot
        self.now_ns = now_ns

    def do(self, request: Request) -> Done:
        """Carry out one request. An exception of the robot becomes `Done.error`; what is meant for the whole
        program (`KeyboardInterrupt`, `SystemExit`) is raised."""
        started_ns = self.now_ns()
        try:
            match request:
                case Reset(task, seed):
                    self._robot.reset(task=task, seed=seed)
                case Look(port, _, out, _):
                    observe: Callable[[str, np.ndarray], object] = self._robot.observe
                    returned = observe(port.removeprefix("robot."), out)
                    if returned is not None and returned is not out:
                        what = type(returned).__name__
                        problem = f"`observe` returned a {what}: it has to write into `out`"
                        return Done(request, started_ns, problem)
                case Move(_, action):
                    name = "hold" if action is None else "act"
                    result = self._robot.hold() if action is None else self._robot.act(action)
                    _require(StepResult, name, result, "a polyrhythm.robots.StepResult")
                    telemetry = self._robot.telemetry()
                    _require(Mapping, "telemetry", telemetry, "a dict of numbers by name")
                    return Done(request, started_ns, None, result, telemetry)
        except Exception as error:
            return Done(request, started_ns, failure(error))
        return Done(request, started_ns)


def _require(kind: type, name: str, given: object, wanted: str) -> None:
    """Raise `TypeError` unless the robot's method gave back what it has to."""
    if not isinstance(given, kind):
        had = "None" if given is None else f"something of type {type(given).__name__}"
        raise TypeError(f"`{name}` gave back {had}; it has to be {wanted}")


def plainly(error: BaseException) -> str:
    """What an adapter's exception says, in one line and with nothing that could disturb a terminal."""
    try:
        text = str(error)
    except Exception:  # adapters are other people's code
        text = "it can't say why"
    return printable(" ".join(text.split()))


def failure(error: BaseException) -> str:
    """The same, after the kind of exception that it is, and its place: ``(arm.py:27 in observe)``."""
    return f"{type(error).__name__}: {plainly(error)}{_place(error)}"


def _place(error: BaseException) -> str:
    """The last line that was reached of the first package that is neither Polyrhythm nor what imports it."""
    came = [(_package(frame), frame.f_code, line) for frame, line in walk_tb(error.__traceback__)]
    came = [step for step in came if step[0] not in ("polyrhythm", "importlib")]
    if not came or isinstance(error, SyntaxError):  # which says it itself
        return ""
    _, code, line = [step for step in came if step[0] == came[0][0]][-1]
    within = "" if code.co_name == "<module>" else f" in {code.co_name}"
    return printable(f" ({Path(code.co_filename).name}:{line}{within})")


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def let_go(robot: Robot, *, hangs: bool) -> str | None:
    """Close a robot; what went wrong, or None.

    One that `hangs` in a request is left as it is: `close` may wait for what that request holds, for ever,
    and adapters need not bear two threads.
    """
    if hangs:
        return "the robot never came back from its last request, so it was not closed"
    try:
        robot.close()
    except Exception as error:  # adapters are other people's code
        return f"the robot did not close: {failure(error)}"
    return None


class ThreadedHands:
    """The same in a thread, so that a slow robot holds up nobody; results go to `report`.

    `cores` are what the thread is pinned to, if any. It has its `priority` in an episode, and none to begin
    one: nobody waits for that, and Linux stops ranked threads that have kept a core for a second, for 50 ms
    that may fall into the first ticks. `close` leaves the thread behind if the robot hangs.
    """

    def __init__(
        self,
        hands: Hands,
        report: Callable[[Done], None],
        priority: Priority | None = None,
        cores: Sequence[int] = (),
    ) -> None:
        self._requests: SimpleQueue[Request | None] = SimpleQueue()
        self._hands = hands
        self._report = report
        self._priority = priority
        self._thread = threading.Thread(target=self._serve, name="robot", daemon=True)
        self._thread.start()
        pin(self._thread, cores)

    def do(self, request: Request) -> None:
        """Enqueue a request."""
        self._requests.put(request)

    def close(self) -> bool:
        """Finish what was asked for and stop; False if the robot did not come back in time."""
        self._requests.put(None)
        self._thread.join(CLOSE_GRACE_S)
        return not self._thread.is_alive()

    def within(self) -> bool:
        """Whether the caller is in the robot's thread."""
        return threading.current_thread() is self._thread

    def _serve(self) -> None:
        with ranked(self._priority):
            while (request := self._requests.get()) is not None:
                asked_ns = self._hands.now_ns()
                try:
                    with ranked(plain()) if isinstance(request, Reset) else nullcontext():
                        done = self._hands.do(request)
                except BaseException as error:  # it would end this thread, and nobody would hear of it
                    done = Done(request, asked_ns, failure(error))
                self._report(done)
