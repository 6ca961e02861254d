"""Threads and real time: plays a checked bundle.

`check` turns a bundle directory into a `Plan` or into diagnostics; a `Runtime` opens its devices and binds
its memory once; `Runtime.run` drives the scheduler, in real time or in lockstep, and tells listeners all.
"""

from polyrhythm.runtime.listener import EpisodeBegan, EpisodeOver, Listener, Moved, Note
from polyrhythm.runtime.outcome import ModuleOutcome, Outcome
from polyrhythm.runtime.plan import Checked, Plan, check
from polyrhythm.runtime.play import RunError, Runtime, play

__all__ = [
    "Checked",
    "EpisodeBegan",
    "EpisodeOver",
    "Listener",
    "ModuleOutcome",
    "Moved",
    "Note",
    "Outcome",
    "Plan",
    "RunError",
    "Runtime",
    "check",
    "play",
]
