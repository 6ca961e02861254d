"""The sans-I/O scheduler: `Scheduler.handle(event) -> [Command]`.

A plan (numbers only) goes in once; events go in one by one, each with its instant; commands come out. The
same object runs on the robot, in lockstep and in tests, so that every scheduling bug is a list of events.
"""

from polyrhythm.schedule.clocks import VirtualClock
from polyrhythm.schedule.grid import NS_PER_S, Grid
from polyrhythm.schedule.jobs import Tally
from polyrhythm.schedule.lanes import WARM_TICK
from polyrhythm.schedule.plan import (
    CATCH_UP_LIMIT,
    Budget,
    ControlPlan,
    InputPlan,
    Late,
    Loop,
    Mode,
    ModulePlan,
    OnStale,
    Overrun,
    Policy,
    Profile,
    SchedulePlan,
)
from polyrhythm.schedule.playback import ChunkRef, Playback, Splice
from polyrhythm.schedule.scheduler import Scheduler
from polyrhythm.schedule.slots import Freshness, InvariantError, SlotRing, Version

__all__ = [
    "CATCH_UP_LIMIT", "NS_PER_S", "WARM_TICK", "Budget", "ChunkRef", "ControlPlan", "Freshness", "Grid",
    "InputPlan", "InvariantError", "Late", "Loop", "Mode", "ModulePlan", "OnStale", "Overrun", "Playback",
    "Policy", "Profile", "SchedulePlan", "Scheduler", "SlotRing", "Splice", "Tally", "Version",
    "VirtualClock",
]  # fmt: skip
