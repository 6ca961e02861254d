"""Every control instant is answered once, in order, by the chunk that plays."""

from __future__ import annotations

from polyrhythm.schedule import Late
from polyrhythm.schedule.events import NO_ACTION, Act, Decelerate, Hold
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
        self._held(answer.reason if isinstance(answer, Hold) and answer.reason != NO_ACTION else "")
        if isinstance(answer, Act):
            assert self.chunks.playing is not None
            where, slot, first, horizon = self.chunks.playing
            assert where == (answer.context, answer.port)
            assert (answer.slot, first + answer.row) == (slot, answer.tick)
            assert 0 <= answer.row < horizon
            self._aged(answer)
            self.chunks.played = True
        elif isinstance(answer, Decelerate) or answer.reason == NO_ACTION:
            assert not self.chunks.reaches(answer.tick)
            slows = self.chunks.played and self.plan.control.late is Late.DECELERATE
            assert slows == isinstance(answer, Decelerate)
            self.ran_out = self.chunks.played and self.plan.control.late is Late.STOP
        self.acting, self.acting_ns = answer.tick, self.now_ns
        self.cursor += 1
        self.answered += 1

    def _held(self, reason: str) -> None:
        """Why the robot is held, or "": for links that wait for what is fresh."""
        if not (reason or self.waits):
            return
        links = reason.removeprefix("stale: ").split(", ") if reason else []
        assert not links or reason == f"stale: {', '.join(sorted(links))}"
        # Where inputs are taken on the grid a job that has begun may have found fresh ones: its launch tells.
        least = self.waits
        if self.live.latches:
            least = {link for link in least if self.live.by_id[link.rpartition(" -> ")[2]].active is None}
        assert least <= set(links) <= self.waits, "a link that waits for what is fresh holds the robot"

    def _acted(self, tick: int, now_ns: int) -> None:
        """The robot has executed an answer: slower than declared, if that took longer than a period."""
        if tick == self.acting:
            assert self.live.ticks is not None
            self.acting = None
            self.slowed_ns += max(0, now_ns - self.acting_ns - self.live.ticks.least_ns)

    def _aged(self, answer: Act) -> None:
        """No action is older than the chunks before its own, and its own: in ticks, and in time.

        Ticks alone would hide the age that an action has when the loop is slower than declared; it is allowed
        what the world has slowed the loop by, and no more.
        """
        assert self.live.ticks is not None
        made = self.made[answer.context, answer.slot]
        assert answer.tick < made.until, "an action that is older than any chunk that may be held"
        most_ns = (answer.tick - made.cursor + 1) * self.live.ticks.most_ns
        most_ns += self.slowed_ns - made.slowed_ns
        age_ns = self.now_ns - made.came_ns
        assert age_ns <= most_ns, f"an action {age_ns} ns after its chunk came, which may be {most_ns} ns"
        self.oldest_ns = max(self.oldest_ns, self.now_ns - made.stamp_ns)

    def _control_account(self) -> None:
        if self.plan.control is not None:
            waiting = self._due() - self.answered
            assert waiting in (0, 1), "every control instant is answered or counted, but for one that waits"
            assert not waiting or self.acting is not None, "an answer waits for nothing but the robot"
            for port, rate in self.live.looks.items() if self.answered_now else ():
                due = rate.instants(self.looks_ns, self.now_ns)
                assert self.looked[port] == due, f"{port} is looked at when it is due, or a drop says why not"
