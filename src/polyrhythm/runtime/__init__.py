"""Threads and real time: plays a checked bundle.

`check` turns a bundle directory into a `Plan` or into diagnostics; a `Runtime` opens its devices and binds
its memory once; `Runtime.run` drives the scheduler, in real time or in lockstep, and tells listeners all.
`Checked.proof` bounds every module's response before anything runs; `profiling.profile` measures what stages
cost here.
"""

from polyrhythm.runtime.costs import CostChoice, CostFile, CostsError, read_costs, write_costs
from polyrhythm.runtime.listener import EpisodeBegan, EpisodeOver, Listener, Moved, Note
from polyrhythm.runtime.outcome import ModuleOutcome, Outcome
from polyrhythm.runtime.plan import Checked, Plan, check
from polyrhythm.runtime.play import RunError, Runtime, play
from polyrhythm.runtime.power_check import PowerProof
from polyrhythm.runtime.proof import TimeProof

__all__ = [
    "Checked",
    "CostChoice",
    "CostFile",
    "CostsError",
    "EpisodeBegan",
    "EpisodeOver",
    "Listener",
    "ModuleOutcome",
    "Moved",
    "Note",
    "Outcome",
    "Plan",
    "PowerProof",
    "RunError",
    "Runtime",
    "TimeProof",
    "check",
    "play",
    "read_costs",
    "write_costs",
]
