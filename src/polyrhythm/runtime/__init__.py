"""Threads and real time: plays a checked bundle.

`check` turns a bundle directory into a `Plan` or into diagnostics; a `Runtime` opens its devices and binds
its memory once; `Runtime.run` drives the scheduler, in real time or in lockstep, and tells listeners all.
`Checked.proof` bounds every module's response before anything runs, `Checked.memory` accounts for every byte;
`check_plan` judges a manifest without a bundle, `check_together` several bundles in one machine;
`profiling.profile` measures what stages cost here.
"""

from polyrhythm.runtime.context import Context
from polyrhythm.runtime.costs import CostChoice, CostFile, CostsError, read_costs, write_costs
from polyrhythm.runtime.listener import EpisodeBegan, EpisodeOver, Listener, Moved, Note, RunOver
from polyrhythm.runtime.memory_check import MemoryProof, check_together
from polyrhythm.runtime.outcome import ModuleOutcome, Outcome, RunError
from polyrhythm.runtime.plan import Checked, Plan, check
from polyrhythm.runtime.planning import check_plan
from polyrhythm.runtime.play import Runtime, play
from polyrhythm.runtime.power import ProfileChange
from polyrhythm.runtime.power_check import PowerProof
from polyrhythm.runtime.proof import TimeProof
from polyrhythm.runtime.swap import SwapAt
from polyrhythm.runtime.tuning import Tuning

__all__ = [
    "Checked",
    "Context",
    "CostChoice",
    "CostFile",
    "CostsError",
    "EpisodeBegan",
    "EpisodeOver",
    "Listener",
    "MemoryProof",
    "ModuleOutcome",
    "Moved",
    "Note",
    "Outcome",
    "Plan",
    "PowerProof",
    "ProfileChange",
    "RunError",
    "RunOver",
    "Runtime",
    "SwapAt",
    "TimeProof",
    "Tuning",
    "check",
    "check_plan",
    "check_together",
    "play",
    "read_costs",
    "write_costs",
]
