"""What can go on does: episodes begin, what fails too often is taken out, what is cold is warmed up."""

from __future__ import annotations

from polyrhythm.schedule import Mode
from polyrhythm.schedule.events import EpisodeEnd, Start
from polyrhythm.simulate.audit.reasons import Reasons
from polyrhythm.simulate.harness import Step


class Progress(Reasons):
    """What can go on does: episodes begin, what fails too often is taken out, what is cold is warmed up."""

    def _goes_on(self, step: Step) -> None:
        before = self.playing
        if isinstance(step.event, Start) and not before:
            self.starts = True
        elif isinstance(step.event, EpisodeEnd) and before:
            self.playing = False
        if self.stops:
            self.starts = self.playing = False
        elif self.starts and (step.phase == "running" or self._calm):
            self.starts, self.playing = False, True
        assert self.playing == (step.phase == "running"), "an episode begins when all is calm"
        stops = self.went_stale or self.ran_out
        assert self.halted or not stops, "the manifest says to stop then"
        for job in self.hung:
            assert job.module.isolated, f"{job.plan.id} hung, and goes on"
        for job in (*self.unclear, *([] if self.ended_job is None else [self.ended_job])):
            m = job.module
            assert m.failures < m.plan.max_failures or m.isolated, f"{m.plan.id} fails, and goes on"
        self._warms_up()

    @property
    def _calm(self) -> bool:
        """Nothing of an episode is in flight."""
        return not self.asked and self.acting is None and self._devices_rest

    def _warms_up(self) -> None:
        """The first context that is cold is warmed up where there is room."""
        context = next((c for c in self.contexts.values() if not c.ready and not c.leaving), None)
        if context is None:
            return
        assert not context.spoiled, f"context {context.number} can't be warmed up, and stays"
        if self.stops:
            return
        job = context.warming
        if job is None:
            assert context.cold, "a context is warm, and nobody says so"
        elif job.launched > job.done:
            return
        device = (context.cold[0] if job is None else job.module).plan.device
        taken = len(self.flying[device]) >= self.k[device]
        if self.plan.mode is Mode.SEQUENTIAL:
            taken = taken or any(self.flying.values())
        assert taken, f"{device} could warm context {context.number} up, and does not"
