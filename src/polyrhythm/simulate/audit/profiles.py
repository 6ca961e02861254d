"""A power profile holds from the next release of each module on, and every tick it drops is counted."""

from __future__ import annotations

from polyrhythm.schedule.events import EpisodeEnd, Event, SetProfile, Stop
from polyrhythm.simulate.audit.contexts import Contexts


class Profiles(Contexts):
    """A power profile holds from the next release of each module on, and every tick it drops is counted."""

    def _profile_set(self, name: str) -> None:
        assert name == self.profile and self.changing
        assert self._in_force, "not in force yet"
        self.changing = False

    def _profile_event(self, event: Event) -> None:
        """Before these nothing stays uncounted of what a profile drops."""
        asked = event.name if isinstance(event, SetProfile) and event.name != self.profile else None
        if asked is not None or isinstance(event, (EpisodeEnd, Stop)):
            for m in self.modules:
                m.forgone += m.forgo(self.now_ns)
        if asked is not None:
            self._set_profile(asked)

    def _set_profile(self, name: str) -> None:
        self.profile, self.changing = name, True
        for context in self.contexts.values():
            before_ticks = self._chunk_ticks(context)
            self._run_under(context)
            if (chunk_ticks := self._chunk_ticks(context)) != before_ticks:
                self.chunks.repace(context.number, chunk_ticks, context.plan.control)

    @property
    def _in_force(self) -> bool:
        """Every module that goes on has come to its first release under the profile, or had none before."""
        on_grids = [m for m in self.modules if not (m.plan.on_demand or m.isolated or m.suspended)]
        return not self.live.open or all(m.spacing_ns is None or m.paced == m.plan for m in on_grids)

    def _profile_account(self) -> None:
        assert not (self.changing and self._in_force), "a profile is in force, and nobody says so"
