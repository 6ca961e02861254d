"""Every drop has the reason that it names."""

from __future__ import annotations

from polyrhythm.schedule import OnStale
from polyrhythm.schedule.events import Drop, Event, Sampled
from polyrhythm.simulate.audit.books import ModuleBook
from polyrhythm.simulate.audit.fences import Fences

#: What becomes of an observation that nobody waits for any more.
UNSEEN = {"old_epoch", "stopped", "switched"}


class Reasons(Fences):
    """Every drop has the reason that it names."""

    def _unanswered(self, drop: Drop) -> None:
        """A control instant passes without an answer."""
        new = self._due() - self.due_before
        if drop.reason == "robot_busy":
            assert self.acting is not None and drop.times == 1 and new > 0, "the robot is not busy"
        else:
            assert drop.reason == "host_late" and drop.times == new - 1, "the host is not late"

    def _unasked(self, drop: Drop, event: Event) -> None:
        assert isinstance(event, Sampled) and (drop.what, drop.context) == (event.port, event.context)
        asked = self.asked.get((event.context, event.port))
        assert asked is None or asked[0] != event.slot, "it was asked for"

    def _not_seen(self, drop: Drop, event: Event) -> None:
        """An observation is not asked for, or is of no use."""
        if drop.reason == "sensor_late":
            assert (drop.context, drop.what) in self.asked, "nothing is asked of the sensor"
        elif drop.reason == "no_free_slot":
            for index, slot in enumerate(self.live.slots[drop.what]):
                taken = slot.writer is not None or slot.readers or self.live.newest[drop.what] == index
                assert taken, f"{drop.what}[{index}] is free"
        elif drop.reason in UNSEEN:
            assert isinstance(event, Sampled) and (drop.what, drop.context) == (event.port, event.context)

    def _unfit(self, m: ModuleBook, drop: Drop) -> None:
        """The first input that a job can't run on is the one that is named."""
        for link in m.plan.inputs:
            newest = m.context.newest[link.source]
            if newest is None:
                assert (drop.reason, drop.detail) == ("absent", link.source), f"{link.source} is absent"
                return
            age_ns = self.now_ns - m.context.slots[link.source][newest].stamp_ns
            if link.max_age_ns is not None and age_ns > link.max_age_ns and link.on_stale is not OnStale.USE:
                assert (drop.reason, drop.detail) == ("stale", link.source), f"{link.source} is stale"
                stops = link.on_stale is OnStale.STOP and m.context.to_blame(m, link, self.now_ns)
                self.went_stale |= stops
                return
        raise AssertionError(f"every input of {m.plan.id} is fit")

    def _given_up(self, m: ModuleBook, drop: Drop) -> None:
        """A job that was begun has failed, or was left behind with its queue."""
        job = m.active
        if drop.reason == "failed":
            failed = job is not None and job is self.ended_job and job.error
            assert failed or job in self.unclear, "it has not failed"
        elif drop.reason == "hung":
            assert self.renewed and job is self.renewed[0], "it does not hang"
        elif drop.reason == "device_renewed":
            assert job in self.renewed and job is not self.renewed[0], "its queue was not left behind"
