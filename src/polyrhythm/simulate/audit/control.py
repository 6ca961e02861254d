"""Every control instant is answered once, in order, by the chunk that plays."""

from __future__ import annotations

from polyrhythm.schedule import Late
from polyrhythm.schedule.events import Act, Decelerate, Hold
from polyrhythm.simulate.audit.profiles import Profiles


class Control(Profiles):
    """Every control instant is answered once, in order, by the chunk that plays."""

    def _answer(self, answer: Act | Hold | Decelerate, begins: bool) -> None:
        self._grids(begins)
        assert not self.halted and self.acting is None, "an answer while the robot executes one"
        assert answer.tick == self.cursor, "control ticks are consecutive"
        assert self.plan.control is not None
        self.answered_now = True
        self.chunks.turn_over(answer.tick)
        if not self.live.latches:
            stale = f"stale: {', '.join(sorted(self.waits))}" if self.waits else None
            held = isinstance(answer, Hold) and answer.reason != "no_action"
            assert held == (stale is not None), "a link that waits for what is fresh holds the robot"
            assert not isinstance(answer, Hold) or not held or answer.reason == stale
        if isinstance(answer, Act):
            assert self.chunks.playing is not None
            where, slot, first, horizon = self.chunks.playing
            assert where == (answer.context, answer.port)
            assert (answer.slot, first + answer.row) == (slot, answer.tick)
            assert 0 <= answer.row < horizon
            self._aged(answer, horizon)
            self.chunks.played = True
        elif isinstance(answer, Decelerate) or answer.reason == "no_action":
            assert not self.chunks.reaches(answer.tick)
            slows = self.chunks.played and self.plan.control.late is Late.DECELERATE
            assert slows == isinstance(answer, Decelerate)
            self.ran_out = self.chunks.played and self.plan.control.late is Late.STOP
        self.acting = answer.tick
        self.cursor += 1
        self.answered += 1

    def _aged(self, answer: Act, horizon: int) -> None:
        """No action is older than all chunks that are held, played one after the other."""
        stamp_ns, cursor = self.made[answer.context, answer.slot]
        ticks = horizon * (self.chunks.buffers or 1)
        assert answer.tick < cursor + ticks, "an action that is older than any chunk that may be held"
        self.oldest_ns = max(self.oldest_ns, self.now_ns - stamp_ns)

    def _control_account(self) -> None:
        if self.plan.control is not None:
            waiting = self._due() - self.answered
            assert waiting in (0, 1), "every control instant is answered or counted, but for one that waits"
            assert not waiting or self.acting is not None, "an answer waits for nothing but the robot"
            for port, period_ns in self.plan.control.observations.items() if self.answered_now else ():
                due = self._instants(self.looks_ns, period_ns)
                assert self.looked[port] == due, f"{port} is looked at when it is due, or a drop says why not"
