"""Why something is dropped, and what has to go on."""

from tests.simulate.mutants.planting import Mutant

MUTANTS = (
    # -- reasons ---------------------------------------------------------------------------------------------
    Mutant(
        "what ends well is dropped as failed",
        "schedule.work",
        "            self._finish(job)\n\n    def _watch",
        '            self._end(job, "failed")\n\n    def _watch',
    ),
    Mutant(
        "a job that hangs is told to be left behind",
        "schedule.work",
        '"hung" if job is hung else "device_renewed"',
        '"device_renewed"',
    ),
    Mutant(
        "what stands behind a hung stage is told to hang",
        "schedule.work",
        '"hung" if job is hung else "device_renewed"',
        '"hung"',
    ),
    Mutant(
        "a robot that is free is taken for busy",
        "schedule.control",
        "        if self.acting is None:\n            self._serve",
        "        if self.acting is None and last % 5 == 3:\n"
        '            out.append(Drop("control", "robot_busy"))\n'
        "        elif self.acting is None:\n            self._serve",
    ),
    Mutant(
        "a robot that is busy is told as a late host",
        "schedule.control",
        'out.append(Drop("control", "robot_busy"))',
        'out.append(Drop("control", "host_late"))',
    ),
    Mutant(
        "a slot that is free is not taken",
        "schedule.control",
        "slot = self._live.rings[port].acquire()",
        "slot = self._live.rings[port].acquire() if self.cursor % 5 else None",
    ),
    Mutant(
        "a sensor is late that was not asked",
        "schedule.control",
        "if (self._live.context, sight.port) in self._writing:",
        "if (self._live.context, sight.port) in self._writing or self.cursor % 5 == 3:",
    ),
    Mutant(
        "an observation that is of use is thrown away",
        "schedule.scheduler",
        'elif deck is self.contexts.live and self.phase in ("running", "priming"):',
        'elif deck is self.contexts.live and self.phase in ("running", "priming") and tick % 5 != 3:',
    ),
    Mutant(
        "an observation of the last episode is told to be of the last context",
        "schedule.scheduler",
        'reason = self._void_reason if over else "switched"',
        'reason = "switched"',
    ),
    Mutant(
        "what a stop gives up is told to be of the last episode",
        "schedule.scheduler",
        'return "stopped" if self.phase == "stopped" else "old_epoch"',
        'return "old_epoch"',
    ),
    Mutant(
        "what a switch gives up is told to be retired",
        "schedule.scheduler",
        'self._close(contexts.live, "switched")',
        'self._close(contexts.live, "retired")',
        "turns",
    ),
    Mutant(
        "what is stale is told to be absent",
        "schedule.work",
        "        if freshness is Freshness.ABSENT:",
        "        if freshness is Freshness.ABSENT or link.plan.on_stale is OnStale.SKIP:",
    ),
    Mutant(
        "an input that is there is told to be absent",
        "schedule.work",
        "        if freshness is Freshness.FRESH:",
        "        if freshness is Freshness.FRESH and link.ring.published % 5:",
    ),
    Mutant(
        "an input that is stale does not stop the run",
        "schedule.work",
        '            self._halt = f"link {link.label} is stale"',
        "            pass",
    ),
    Mutant(
        "what fails once is taken out as if it hung",
        "schedule.work",
        "        if module.consecutive_failures >= module.plan.max_failures:\n"
        "            self._isolate(module, ",
        '        if True:\n            self._isolate(module, "hung" or ',
    ),
    Mutant(
        "what waits behind a failure is dropped as isolated",
        "schedule.work",
        '        self._end(job, "failed", message)',
        '        self._drop_pending(module, "isolated")\n        self._end(job, "failed", message)',
    ),
    Mutant(
        "an observation that nobody asked for is not counted",
        "schedule.scheduler",
        '            self._out.append(Drop(port, "unasked", context=event.context))',
        "            pass",
    ),
    # -- what has to go on -----------------------------------------------------------------------------------
    Mutant(
        "no episode begins",
        "schedule.scheduler",
        'if self.phase == "priming" and self._calm:',
        'if self.phase == "never" and self._calm:',
    ),
    Mutant(
        "no second episode begins",
        "schedule.scheduler",
        'if self.phase in ("idle", "ended"):\n            self.phase = "draining"',
        'if self.phase == "idle":\n            self.phase = "draining"',
    ),
    Mutant(
        "an episode begins with its first observation alone",
        "schedule.control",
        "        for port in self._plan.observations:\n            self._observe(port, out)",
        "        for port in list(self._plan.observations)[:1]:\n            self._observe(port, out)",
    ),
    Mutant(
        "an episode begins before its observations are there",
        "schedule.scheduler",
        'if self.phase == "priming" and self._calm:',
        'if self.phase == "priming" and self._devices_rest:',
    ),
    Mutant(
        "an observation of the last episode is of use while it drains",
        "schedule.scheduler",
        'elif deck is self.contexts.live and self.phase in ("running", "priming"):',
        'elif deck is self.contexts.live and self.phase in ("running", "priming", "draining"):',
    ),
    Mutant(
        "a module that fails again and again goes on",
        "schedule.work",
        "        if module.consecutive_failures >= module.plan.max_failures:",
        "        if False:",
    ),
    Mutant(
        "a module that hung goes on",
        "schedule.work",
        '            self._isolate(hung.module, "hung")',
        "            pass",
    ),
    Mutant(
        "nothing is warmed up",
        "schedule.scheduler",
        "        if self.contexts.warming:\n            self._warm()",
        "        if False:\n            self._warm()",
        "contexts",
    ),
    Mutant(
        "nobody wakes up for a budget",
        "schedule.scheduler",
        "            if self._budgets.any:",
        "            if False:",
    ),
    Mutant(
        "nobody wakes up in time for a stage that hangs",
        "schedule.scheduler",
        "            due_ns = min(due_ns, lane.hangs_at_ns)",
        "            due_ns = min(due_ns, lane.hangs_at_ns + 40_000_000)",
    ),
)
