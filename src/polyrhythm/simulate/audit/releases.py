"""Ticks come on their grids, or when a chunk is wanted; what waits is bounded by the overrun policy."""

from __future__ import annotations

from polyrhythm.schedule import CATCH_UP_LIMIT, OnStale, Overrun
from polyrhythm.simulate.audit.account import Account
from polyrhythm.simulate.audit.books import ModuleBook


class Releases(Account):
    """Ticks come on their grids, or when a chunk is wanted; what waits is bounded by the overrun policy."""

    def _grids(self, begins: bool) -> None:
        """Let every grid instant up to now happen, once per step."""
        if self.released_now:
            return
        self.released_now = True
        self._begin(begins)
        self._try_open(self.live)
        for m in self.modules if self.live.open else ():
            if m.plan.on_demand or m.suspended:
                continue
            shifts = m.shifts
            while m.next_ns <= self.now_ns and not m.isolated and not (shifts and m.active):
                m.pending.append(m.next)
                m.release()
                if shifts:
                    m.activate()
                    if self.live.latches and not self._could_latch(m):
                        m.active = None  # its drop has been seen or will be
                        m.shift(max(0, self.now_ns - m.next_ns))
            self._trim(m)
            m.activate()

    def _begin(self, begins: bool) -> None:
        """An episode begins, with the context that is live then, once per step."""
        if not begins or self.begun_now:
            return
        self.begun_now = True
        calm = not self.asked and self.acting is None and self._devices_rest
        assert calm, "an episode begins before all is calm"
        for port in () if self.plan.control is None else self.plan.control.observations:
            assert self.looked.get(port) == 1, f"{port} is looked at once before an episode begins"
        self.origin_ns, self.instants_seen = self.now_ns, 0
        self._look_from(self.now_ns, 1)
        self.answered = 0
        for context in self.contexts.values():
            assert not any(m.active for m in context.modules), "an episode begins with nothing under way"
        for m in self.modules:
            m.begin(self.now_ns, 0)
        self.live.open, self.live.resumed_ns = True, None

    def _demands(self) -> None:
        """Release what is made on demand: at a control instant, after its answer, if a buffer is free."""
        if self.demanded_now or self.plan.control is None:
            return
        self.demanded_now = True
        due = self._due()
        came, self.instants_seen = due > self.instants_seen, due
        for m in self.modules if came and self.live.open else ():
            wants = m.plan.on_demand and not m.isolated and not m.suspended and m.active is None
            if wants and self.chunks.has_room(self.cursor):
                assert not m.pending
                m.released += 1
                m.active = m.job(m.next, self.now_ns)
                m.count_from(m.next + 1)

    def _could_latch(self, m: ModuleBook) -> bool:
        return all(
            m.context.newest[link.source] is not None
            and (
                link.on_stale is OnStale.USE
                or link.max_age_ns is None
                or self.now_ns - m.context.newest_slot(link.source).stamp_ns <= link.max_age_ns
            )
            for link in m.plan.inputs
        )

    def _trim(self, m: ModuleBook) -> None:
        if len(m.pending) > 1 and m.plan.on_overrun is not Overrun.SHIFT:
            m.pending = m.pending[-1 if m.plan.on_overrun is Overrun.SKIP else -CATCH_UP_LIMIT :]

    def _ended(self, m: ModuleBook, running: bool) -> None:
        job, m.active = m.active, None
        assert job is not None
        if job.id is not None:
            del self.jobs[job.id]
            assert job.first is not None
            for read in job.first.reads:
                m.context.slots[read.port][read.slot].readers.remove(job.id)
            for port, slot in job.first.writes:
                if m.context.slots[port][slot].writer == job.id:
                    m.context.slots[port][slot].writer = None
        if running and m.shifts and not m.isolated and not m.suspended and m.next_ns <= self.now_ns:
            m.shift(self.now_ns - m.next_ns)
            m.pending.append(m.next)
            m.release()
        if running:
            m.activate(self.cursor if m.context.latches else None)
