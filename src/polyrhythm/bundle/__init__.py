"""Bundles: directories that hold a manifest, compiled models, weights, and a lock over all of them.

    bundle = open_bundle("examples/dual_system/bundle")
    bundle.manifest.orchestration.modules          # what is declared
    bundle.module("vlm.vmfb").entries["encode"]    # what a compiled entry takes and gives
    bundle.artefacts                               # machine code that runs here

Opening verifies everything first: the digest of every file, that nothing is missing, foreign or outside of
the directory, and that the machine code is for this CPU. What is wrong comes as one `BundleError` with all
diagnostics.

A portable bundle holds each module as text (StableHLO), small enough for git;
`polyrhythm.compile.prepare` makes the machine code for the machine at hand, once, and keeps it in a cache.
This room only looks it up there: it never needs a compiler, nor IREE. The artefacts of other runtimes
(`LockedModule.format`) are in the bundle as they are.
"""

from polyrhythm.bundle.codes import CODES, BundleError
from polyrhythm.bundle.cpu import Cpu, host
from polyrhythm.bundle.lock import (
    IREE,
    LOCK_FILE,
    Lock,
    LockedEntry,
    LockedError,
    LockedFile,
    LockedGate,
    LockedMachineCode,
    LockedModule,
    LockedParameters,
    LockedPlan,
    LockedTensor,
    read_lock,
    write_lock,
)
from polyrhythm.bundle.open import Bundle, open_bundle, relock
from polyrhythm.bundle.signature import DTYPE_BYTES, Entry, Tensor
from polyrhythm.bundle.static_code import StaticCode

__all__ = [
    "CODES",
    "DTYPE_BYTES",
    "IREE",
    "LOCK_FILE",
    "Bundle",
    "BundleError",
    "Cpu",
    "Entry",
    "Lock",
    "LockedEntry",
    "LockedError",
    "LockedFile",
    "LockedGate",
    "LockedMachineCode",
    "LockedModule",
    "LockedParameters",
    "LockedPlan",
    "LockedTensor",
    "StaticCode",
    "Tensor",
    "host",
    "open_bundle",
    "read_lock",
    "relock",
    "write_lock",
]
