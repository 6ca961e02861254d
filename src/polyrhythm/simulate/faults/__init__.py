"""Seeded faults, by name: what goes wrong on devices, at the robot, and with contexts, memory and power."""

from polyrhythm.simulate.faults import machine, robot, stages
from polyrhythm.simulate.faults.registry import FAULTS, Fault, Injection, MissedError, fault, schedule

__all__ = ["FAULTS", "Fault", "Injection", "MissedError", "fault", "machine", "robot", "schedule", "stages"]
