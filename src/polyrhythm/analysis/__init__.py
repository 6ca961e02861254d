"""Proof before start: what the numbers of a plan guarantee. Pure arithmetic, no clocks, no devices."""

from polyrhythm.analysis.advice import StageAdvice, largest_cost_ns, stage_advice
from polyrhythm.analysis.chains import Device, Holistic, Hop, end_to_end_ns, holistic
from polyrhythm.analysis.chunks import ChunkVerdict, boundary_stall_ns, chunk_verdict
from polyrhythm.analysis.edf import EdfVerdict, edf_test
from polyrhythm.analysis.envelope import envelope
from polyrhythm.analysis.plan import ChainVerdict, ModuleVerdict, Proof, prove, prove_one, task_of
from polyrhythm.analysis.response import Blocked, Bound, Interference, Task, response_time, response_times

__all__ = [
    "Blocked", "Bound", "ChainVerdict", "ChunkVerdict", "Device", "EdfVerdict", "Holistic", "Hop",
    "Interference", "ModuleVerdict", "Proof", "StageAdvice", "Task", "boundary_stall_ns", "chunk_verdict",
    "edf_test", "end_to_end_ns", "envelope", "holistic", "largest_cost_ns", "prove", "prove_one",
    "response_time", "response_times", "stage_advice", "task_of",
]  # fmt: skip
