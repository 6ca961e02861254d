"""A slot is never written while somebody reads it, plays it, or sees it as the newest."""

from __future__ import annotations

from polyrhythm.schedule import OnStale
from polyrhythm.schedule.events import Event, Launch, Publish, Sampled
from polyrhythm.simulate.audit.account import Made
from polyrhythm.simulate.audit.books import ContextBook, JobBook, ModuleBook
from polyrhythm.simulate.audit.releases import Releases


class Slots(Releases):
    """A slot is never written while somebody reads it, plays it, or sees it as the newest."""

    def _writable(self, context: ContextBook, port: str, slot: int) -> None:
        held = context.slots[port][slot]
        assert held.writer is None, f"two writers of {port}[{slot}]"
        assert not held.readers, f"{port}[{slot}] is written while read"
        assert context.newest[port] != slot, f"the newest of {port} is overwritten"
        holds = self.chunks.holds((context.number, port), slot)
        assert not holds, "a chunk that plays or waits is overwritten"

    def _take_slots(self, launch: Launch, m: ModuleBook) -> None:
        assert [(r.input, r.port) for r in launch.reads] == [(i.name, i.source) for i in m.plan.inputs]
        job = self.jobs[launch.job]
        if not self.live.latches:
            self._judged(m)
            job.taken_ns = self.now_ns
        if job.cursor is None:
            job.cursor = self.cursor
        for i, link in enumerate(m.plan.inputs):
            read = launch.reads[i]
            slot = m.context.slots[read.port][read.slot]
            assert slot.seq == read.seq and slot.writer is None, "the content read is not what was latched"
            slot.readers.append(launch.job)
            if not self.live.latches:
                assert m.context.newest[read.port] == read.slot, "not the newest"
                assert read.age_ns == self.now_ns - slot.stamp_ns
            assert read.age_ns >= 0
            taken_ns = slot.stamp_ns + read.age_ns
            assert job.taken_ns in (None, taken_ns), "inputs are taken together"
            job.taken_ns = taken_ns
            if link.max_age_ns is not None and read.age_ns > link.max_age_ns:
                assert link.on_stale is OnStale.USE
            elif self.waits:
                self.waits.discard(f"{link.source} -> {m.plan.id}")
        assert [port for port, _ in launch.writes] == list(m.plan.outputs)
        for port, index in launch.writes:
            self._writable(m.context, port, index)
            m.context.slots[port][index].writer = launch.job

    def _judged(self, m: ModuleBook) -> None:
        """The inputs of a job are looked at, in order, up to the first that it can't run on."""
        for link in m.plan.inputs:
            label, newest = f"{link.source} -> {m.plan.id}", m.context.newest[link.source]
            if newest is None:
                return
            age_ns = self.now_ns - m.context.slots[link.source][newest].stamp_ns
            if link.max_age_ns is None or age_ns <= link.max_age_ns:
                self.waits.discard(label)
            elif link.on_stale is not OnStale.USE:
                if link.on_stale is OnStale.HOLD and m.context.to_blame(m, link, self.now_ns):
                    self.waits.add(label)
                return

    def _latched(self) -> None:
        """What is released on the grid takes its inputs after the answer of the same step."""
        for m in self.modules:
            if m.active is not None and m.active.cursor is None:
                m.active.cursor = self.cursor

    def _start_tick(self, job: JobBook) -> int:
        """The control tick that a job is conditioned on: that of its newest observation, else the newest that
        its inputs are conditioned on, else the one that was next when it began."""
        assert job.first is not None and job.cursor is not None
        slots, reads = job.module.context.slots, job.first.reads
        seen = [slots[r.port][r.slot].tick for r in reads if r.port.startswith("robot.")]
        return max(seen or [slots[r.port][r.slot].tick for r in reads], default=job.cursor)

    def _publish(self, publish: Publish, event: Event) -> None:
        port, index, number = publish.port, publish.slot, publish.context
        seq, stamp_ns, tick = publish.seq, publish.stamp_ns, publish.tick
        assert number == self.live.number, "only the context that is live is heard"
        context = self.live
        slot = context.slots[port][index]
        assert seq == context.seqs[port]
        context.seqs[port] += 1
        if (number, port) in self.asked:
            assert isinstance(event, Sampled) and self.asked.pop((number, port)) == (index, tick)
            assert self.phase in {"priming", "running"}, "an observation of an episode that is over"
            assert slot.writer == "robot" and stamp_ns == event.stamp_ns
        else:
            job = self.ready_to_publish
            assert job is not None and slot.writer == job.id and job.first is not None and not job.void
            assert job.taken_ns in (None, stamp_ns), "an output is as new as its inputs"
            assert tick == self._start_tick(job), "an output is for the tick of its inputs"
        slot.seq, slot.stamp_ns, slot.tick, slot.writer = seq, stamp_ns, tick, None
        context.newest[port] = index
        if port in context.awaits:
            context.awaits.remove(port)
            self._try_open(context)
        if (maker := context.makers.get(port)) is not None and self.plan.control is not None:
            assert maker.plan.chunk is not None
            # A single action holds until the next one is due: for how long, the power profile says.
            horizon = maker.plan.chunk[1]
            until = self.cursor + self.chunks.ahead(self.cursor) + horizon
            self.made[number, index] = Made(stamp_ns, self.cursor, until, self.now_ns, self.slowed_ns)
            self.chunks.published((number, port), index, tick, horizon, self.cursor)
