"""A power profile holds from the next release of each module on, and every tick it drops is counted."""

from __future__ import annotations

from fractions import Fraction

from polyrhythm.schedule.events import EpisodeEnd, Event, SetProfile, Stop
from polyrhythm.simulate.audit.contexts import Contexts


class Profiles(Contexts):
    """A power profile holds from the next release of each module on, and every tick it drops is counted."""

    def _profile_set(self, name: str) -> None:
        assert name == self.profile and self.profile_due_ns is not None
        assert not self.live.open or self.now_ns >= self.profile_due_ns, "not in force yet"
        self.profile_due_ns = None

    def _profile_event(self, event: Event) -> None:
        """Before these nothing stays uncounted of what a profile drops."""
        asked = event.name if isinstance(event, SetProfile) and event.name != self.profile else None
        if asked is not None or isinstance(event, (EpisodeEnd, Stop)):
            for m in self.modules:
                m.forgone += m.forgo(self.now_ns)
        if asked is not None:
            self._set_profile(asked)

    def _set_profile(self, name: str) -> None:
        """In force when the last module that goes on has come to its next release: after one tick at most of
        the slowest of them."""
        due_ns, slowest_ns = self.now_ns, Fraction(0)
        for m, planned in zip(self.modules, self.plan.modules, strict=True):
            before, after = None if m.suspended else m.plan, self.plan.module_under(name, planned)
            ticks = self.live.open and m.spacing_ns is not None and not m.isolated and not m.plan.on_demand
            if after not in (None, before) and ticks:
                due_ns = max(due_ns, m.next_ns)
                slowest_ns = max(slowest_ns, m.paced_ns)
        assert due_ns <= self.now_ns + slowest_ns + 1
        self.profile, self.profile_due_ns = name, due_ns
        for context in self.contexts.values():
            before_ticks = self._chunk_ticks(context)
            self._run_under(context)
            if (chunk_ticks := self._chunk_ticks(context)) != before_ticks:
                self.chunks.repace(context.number, chunk_ticks, context.plan.control)

    def _profile_account(self) -> None:
        due_ns = self.profile_due_ns
        overdue = due_ns is not None and (not self.live.open or due_ns <= self.now_ns)
        assert not overdue, "a profile is in force, and nobody says so"
