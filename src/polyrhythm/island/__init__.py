"""The island: a servo loop in a process of its own, with no Python on its path and nothing that could wait.

The runtime sends it targets, a robot sends it the state of its joints, and at every period it sends
torques: by a PD, within limits of position, velocity, torque and its change, behind a small network if
there is one. When targets stop coming it goes down a ladder: use, extrapolate, decelerate, hold, stop, by
the age of the last one. It outlives the runtime, and whoever runs it next takes over without a jump.

The step itself (`native/pr_island.c`) is a pure function of ports and time. The process gives it the
monotonic clock; `VirtualIsland` gives it any, in lockstep runs and in tests. The two sides of the shared
memory agree by `layout`, from which the C header is made.
"""

from polyrhythm.island.build import NoCompilerError
from polyrhythm.island.counts import LOST_WORDS, counts_of
from polyrhythm.island.layout import RUNGS
from polyrhythm.island.live import IslandError, LiveIsland, TakenError
from polyrhythm.island.network import Layer, write_network
from polyrhythm.island.ports import ForeignPortsError, Ports, PortsError, ports_path
from polyrhythm.island.robot_side import RobotSide
from polyrhythm.island.settings import config_record
from polyrhythm.island.supervisor import Report, Supervisor
from polyrhythm.island.virtual import RefusedError, VirtualIsland

__all__ = [
    "LOST_WORDS",
    "RUNGS",
    "ForeignPortsError",
    "IslandError",
    "Layer",
    "LiveIsland",
    "NoCompilerError",
    "Ports",
    "PortsError",
    "RefusedError",
    "Report",
    "RobotSide",
    "Supervisor",
    "TakenError",
    "VirtualIsland",
    "config_record",
    "counts_of",
    "ports_path",
    "write_network",
]
