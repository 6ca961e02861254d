"""Proof before start: what the numbers of a plan guarantee. Pure arithmetic, no clocks, no devices."""

from polyrhythm.analysis.advice import StageAdvice, largest_cost_ns, stage_advice
from polyrhythm.analysis.chains import Device, Holistic, Hop, end_to_end_ns, holistic
from polyrhythm.analysis.chunks import ChunkVerdict, boundary_stall_ns, chunk_verdict, stride_ticks
from polyrhythm.analysis.edf import EdfVerdict, edf_bounds, edf_test
from polyrhythm.analysis.envelope import changing_links, envelope
from polyrhythm.analysis.ledger import (
    KINDS,
    Ledger,
    Line,
    Refusal,
    admit,
    contexts_that_fit,
    overlap,
    refusal,
)
from polyrhythm.analysis.plan import (
    ChainVerdict,
    ModuleVerdict,
    Proof,
    conditioned_ns,
    prove,
    prove_one,
    task_of,
    tasks_of,
)
from polyrhythm.analysis.response import Blocked, Bound, Interference, response_time, response_times
from polyrhythm.analysis.tasks import Task

__all__ = [
    "KINDS", "Blocked", "Bound", "ChainVerdict", "ChunkVerdict", "Device", "EdfVerdict", "Holistic", "Hop",
    "Interference", "Ledger", "Line", "ModuleVerdict", "Proof", "Refusal", "StageAdvice", "Task", "admit",
    "boundary_stall_ns", "changing_links", "chunk_verdict", "conditioned_ns", "contexts_that_fit",
    "edf_bounds", "edf_test", "end_to_end_ns", "envelope", "holistic", "largest_cost_ns", "overlap", "prove",
    "prove_one", "refusal", "response_time", "response_times", "stage_advice", "stride_ticks", "task_of",
    "tasks_of",
]  # fmt: skip
