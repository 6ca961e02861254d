"""Every fence ends: a stage that came to the head of its queue is reported, or given up when it hangs. The
scheduler wakes up for that, and for the budgets that come back.
"""

from __future__ import annotations

from polyrhythm.schedule import Mode
from polyrhythm.schedule.events import Wake
from polyrhythm.schedule.lanes import NEVER_NS
from polyrhythm.schedule.scheduler import HOST_AWAY_NS
from polyrhythm.simulate.audit.bounds import Bounds
from polyrhythm.simulate.harness import Step


class Fences(Bounds):
    """Every fence ends: a stage that came to the head of its queue is reported, or given up when it hangs."""

    def _excuse(self, step: Step) -> None:
        """A host that stood still blames no stage for that."""
        if step.overdue_ns > HOST_AWAY_NS:
            self.heads = {device: (head, self.now_ns) for device, (head, _) in self.heads.items()}

    def _fences(self, step: Step) -> None:
        wakes_ns = self._budgets_come_ns() if self.budgets and step.phase == "running" else NEVER_NS
        for device, flying in self.flying.items():
            head = (flying[0], flying[0].done) if flying else None
            known = self.heads.get(device)
            if head is None:
                self.heads.pop(device, None)
            elif known is None or known[0] != head:
                if known is not None and device in self.gives_way:
                    self.left[device, *known[0]] = known[1], self.now_ns
                since_ns, left_ns = self.left.pop((device, *head), (self.now_ns, self.now_ns))
                known = self.heads[device] = head, since_ns + self.now_ns - left_ns
            elif isinstance(step.event, Wake):
                in_time = self.now_ns - known[1] < head[0].hang_ns
                assert in_time, f"{head[0].plan.id} hangs, and nobody gives it up"
            if head is not None and known is not None:
                wakes_ns = min(wakes_ns, known[1] + head[0].hang_ns)
            if self.left and len(flying) < 2:
                self.left = {left: at for left, at in self.left.items() if left[0] != device}
        self.wakes_ns = wakes_ns

    def _budgets_come_ns(self) -> int:
        """When a stage may be launched that waits for its budget alone."""
        wakes_ns = NEVER_NS
        if self.plan.mode is Mode.SEQUENTIAL and any(self.flying.values()):
            return wakes_ns
        for m in self.modules:
            job = m.active
            if job is None or m.plan.budget is None or not job.has_stage or self._waits(job):
                continue
            if self._room_for(job):
                wakes_ns = min(wakes_ns, self._book(job).comes_ns(self.now_ns))
        return wakes_ns
