"""Ten minutes of the dual system in real time: is any chunk boundary felt?

Runs `examples/dual_system`, whose manifest says `pipelined_rtc`, for ten minutes (`--quick`: 30 s), as many
episodes as fit, and follows the stream of events and commands on its own:

* once an episode has had its first action, no control tick is without one;
* every control tick is answered once and executed once, in order, also the last;
* the actions that the robot was given change from one chunk to the next by no more than `max_step`.

Beside the targets stands what it took: chunks, the steps made for them, and the account of the run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from measure import Figure, arguments, finish

from polyrhythm.bundle import open_bundle
from polyrhythm.compile import prepare
from polyrhythm.observe import Snapshot, Stats
from polyrhythm.runtime import EpisodeOver, Moved, Note, Plan, check, play
from polyrhythm.schedule.events import Act, Acted, Command, Decelerate, Event, Hold

BUNDLE = Path(__file__).parent.parent / "examples" / "dual_system" / "bundle"
SECONDS, QUICK_SECONDS = 600, 30


class Follower:
    """A listener: counts what must not be, and the boundaries at which it might have been.

    Attributes:
        stalls: times that an episode ran out of actions after its first; `stalled_ticks` in all.
        disorder: ticks answered or executed twice, never, or out of turn.
        largest_step: from the last action before a boundary to the first behind it, by dimension.

    Args:
        size: numbers of an action.
    """

    def __init__(self, size: int) -> None:
        self.boundaries = self.stalls = self.stalled_ticks = self.disorder = 0
        self.answered = self.executed = 0
        self.largest_step = np.zeros(size)
        self._next_answered = self._next_executed = 0
        self._chunk: tuple[int, int] | None = None
        self._stalled = False
        self._crossed: set[int] = set()
        self._last: np.ndarray | None = None

    def step(self, event: Event, commands: list[Command]) -> None:
        """See `polyrhythm.runtime.Listener`."""
        if type(event) is Acted:
            self._in_turn(event.tick, self._next_executed)
            self._next_executed = event.tick + 1
            self.executed += 1
        for command in commands:
            if isinstance(command, Act | Hold | Decelerate):
                self._in_turn(command.tick, self._next_answered)
                # The robot has executed every tick before this one.
                self._in_turn(command.tick, self._next_executed)
                self._next_answered = command.tick + 1
                self.answered += 1
                self._answer(command)

    def note(self, note: Note) -> None:
        """The robot has moved, or an episode is over."""
        match note:
            case Moved(tick=tick, action=action):
                self._moved(tick, action)
            case EpisodeOver(ticks=ticks):
                self._in_turn(ticks, self._next_answered)
                self._in_turn(ticks, self._next_executed)
                self._forget()

    def _forget(self) -> None:
        self._next_answered = self._next_executed = 0
        self._chunk = self._last = None
        self._stalled = False
        self._crossed.clear()

    def _in_turn(self, tick: int, due: int) -> None:
        self.disorder += tick != due

    def _answer(self, command: Act | Hold | Decelerate) -> None:
        if isinstance(command, Act):
            chunk = command.slot, command.tick - command.row
            if self._chunk not in (None, chunk):
                self.boundaries += 1
                self._crossed.add(command.tick)
            self._chunk, self._stalled = chunk, False
        elif self._chunk is not None:
            self.stalls += not self._stalled
            self.stalled_ticks += 1
            self._stalled = True

    def _moved(self, tick: int, action: tuple[float, ...] | None) -> None:
        moved = None if action is None else np.array(action)
        if tick in self._crossed and moved is not None and self._last is not None:
            self.largest_step = np.maximum(self.largest_step, np.abs(moved - self._last))
        self._crossed.discard(tick)
        self._last = self._last if moved is None else moved


def limits(plan: Plan) -> list[float]:
    """`max_step` by dimension."""
    robot = plan.manifest.robot
    if plan.rtc is None or plan.rtc.max_step is None or robot is None:
        raise SystemExit(f"{BUNDLE}: this needs a robot, real-time chunking and a `max_step`")
    size = robot.action.shape[0]
    return [float(step) for step in plan.rtc.max_step * (size if len(plan.rtc.max_step) == 1 else 1)]


def _rate(view: Snapshot) -> Iterator[Figure]:
    if view.control is not None:
        asked_hz, got_hz = view.control.asked_hz, view.control.got_hz or 0.0
        yield Figure("control, rate got", got_hz, f"Hz of {asked_hz:g} asked")


def _steps(view: Snapshot) -> Iterator[Figure]:
    for name, module in view.modules.items():
        if (steps := module.steps) is not None:
            yield Figure(f"{name}: steps of a chunk, mean", steps.mean, f"of {steps.full}")
            yield Figure(f"{name}: steps of a chunk, least", steps.least, f"of {steps.full}")


def main() -> int:
    """Run and follow."""
    options = arguments("The dual system in real time: stalls, ticks and steps at chunk boundaries.")
    prepare(open_bundle(BUNDLE))
    plan = check(BUNDLE).plan
    if plan is None:
        raise SystemExit(f"{BUNDLE} does not pass `polyrhythm check`")
    allowed = limits(plan)
    seen, stats = Follower(len(allowed)), Stats(plan.schedule)
    seconds = QUICK_SECONDS if options.quick else SECONDS
    outcome = play(plan, seconds=seconds, listeners=[seen, stats])
    if outcome.reason != "complete":
        raise SystemExit(outcome.reason)
    account, view = outcome.boundaries, stats.snapshot()
    figures = [
        Figure("run", outcome.ran_ns / 1e9, "s"),
        Figure("episodes", len(outcome.episodes), ""),
        Figure("of these succeeded", sum(bool(e.success) for e in outcome.episodes), ""),
        Figure("control ticks", seen.answered, ""),
        # Without these the others would be met by a robot that holds still.
        Figure("modules taken out", sum(m.isolated for m in outcome.modules.values()), "", 0.0),
        Figure("chunk boundaries", seen.boundaries, "", 1.0, at_least=True),
        *_rate(view),
        *_steps(view),
        Figure("actions pulled back to max_step at a boundary", sum(account.limited), ""),
        Figure("boundary stalls", seen.stalls, "", 0.0),
        Figure("control ticks in them", seen.stalled_ticks, "", 0.0),
        Figure("ticks answered or executed twice, never or out of turn", seen.disorder, "", 0.0),
        # The run ends in the middle of an episode: the last answer may still be with the robot.
        Figure("ticks answered and not executed", max(0, seen.answered - seen.executed - 1), "", 0.0),
    ]
    for dimension, (step, limit) in enumerate(zip(seen.largest_step, allowed, strict=True)):
        # Actions are f32: the limit itself may come out a rounding above it.
        figures.append(
            Figure(f"largest step at a boundary, dimension {dimension}", step, "", limit * 1.000001)
        )
    differs = abs(account.count - seen.boundaries) + abs(account.stalled_ticks - seen.stalled_ticks)
    figures.append(Figure("boundaries and stalled ticks that the account of the run lacks", differs, "", 0.0))
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
