"""Every drop has the reason that it names."""

from __future__ import annotations

from polyrhythm.schedule import OnStale
from polyrhythm.schedule.events import Command, Drop, Event, Isolate, Sampled, Switched
from polyrhythm.simulate.audit.books import ModuleBook
from polyrhythm.simulate.audit.fences import Fences

#: Why a context's waiting and unlaunched ticks are given up all at once.
CLOSES = {"old_epoch", "stopped", "switched", "retired"}


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
        elif drop.reason == "missed":
            assert self.plan.control is not None and drop.context == self.live.number
            due = self.live.looks[drop.what].instants(self.looks_ns, self.now_ns)
            missed = due - 1 - self.looked[drop.what]
            assert drop.times == missed, f"{drop.what} is looked at now, and was missed {missed} times"
        elif drop.reason != "wholly_late":  # that is a chunk
            assert isinstance(event, Sampled) and (drop.what, drop.context) == (event.port, event.context)
            asked = self.asked.get((event.context, event.port))
            assert asked is not None and asked[0] == event.slot, "it was not asked for"
            live = drop.context == self.live.number
            assert not live or self.phase not in {"priming", "running"}, "it is of use"
            due_reason = {"stopped": "stopped", "running": "switched"}.get(self.phase, "old_epoch")
            assert drop.reason == due_reason, f"the reason is {due_reason}"

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

    def _given_up(self, m: ModuleBook, drop: Drop, commands: list[Command]) -> None:
        """A job that was begun has failed, or was left behind with its queue; or its context has closed."""
        job = m.active
        if drop.reason == "failed":
            assert self._fails(m), "it has not failed"
        elif drop.reason == "hung":
            assert job in self.hung, "it does not hang"
        elif drop.reason == "device_renewed":
            assert job in self.renewed and job not in self.hung, "its queue was not left behind"
        elif drop.reason == "isolated":
            outs = [c.module for c in commands if isinstance(c, Isolate) and c.context == drop.context]
            assert m.plan.id in outs, "it goes on"
        elif drop.reason in CLOSES:
            reason = self._closing(commands) if job is None or not job.void else job.void
            assert drop.reason == reason, f"the reason is {reason or 'none'}"
        else:
            assert drop.reason in {"absent", "stale", "overrun", "profile"}, "no reason"

    def _closing(self, commands: list[Command]) -> str:
        """Why the live context gives up in this step what nobody has told it to."""
        switches = [c for c in commands if isinstance(c, Switched) and c.context != self.live.number]
        return "switched" if switches else "stopped" if self.stops else ""

    def _fails(self, m: ModuleBook) -> bool:
        job = m.active
        return job is not None and (job.error if job is self.ended_job else job in self.unclear)

    def _taken_out(self, m: ModuleBook, reason: str) -> None:
        """A module is isolated."""
        if reason == "hung":
            assert m.active in self.hung, "it does not hang"
        else:
            assert self._fails(m) and m.failures + 1 == m.plan.max_failures, "it has not failed so often"
