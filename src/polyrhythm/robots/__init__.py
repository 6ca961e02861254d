"""Robots: where observations come from and where actions go.

A robot is anything that satisfies :class:`Robot`: it writes named observations into memory that the caller
owns, and it takes one action at every control tick. Simulators and hardware look the same from here.
`load_robot` finds a robot by name in the entry-point group ``polyrhythm.robots``; adapters import their
simulator only when a robot is made, so this package needs NumPy alone.
"""

from polyrhythm.robots.api import (
    Robot,
    RobotSpec,
    StepResult,
    TensorSpec,
    UnknownRobotError,
    UnknownTaskError,
    load_robot,
    robot_names,
)

__all__ = [
    "Robot",
    "RobotSpec",
    "StepResult",
    "TensorSpec",
    "UnknownRobotError",
    "UnknownTaskError",
    "load_robot",
    "robot_names",
]
