"""Devices, queues, fences: the only room that touches IREE and its like.

`api` is the contract, in prose and protocols. A driver keeps it: ``hal/drivers/iree.py`` for everything
that IREE runs on, ``hal/drivers/static.py`` for static plans, which do without it, ``hal/drivers/null.py``
for nothing; others register in the entry-point group ``polyrhythm.drivers``. All pass the conformance suite,
which comes with Polyrhythm (`polyrhythm.hal.conformance`). `driver(name)` finds one.

The idea is that of timelines: a queue is a counter that rises by one for each submission, a fence is a set of
values that such counters must have reached, and everything else (chains, gates, failures that travel to
whoever depends on them) follows from waiting on fences. `timeline` and `worker` are ready-made parts for
drivers whose device runs a call synchronously: a timeline in plain Python and a queue with its own thread.

The memory behind every buffer is the caller's; a call is bound to it once and then costs nothing to submit.
"""

from __future__ import annotations

from polyrhythm.hal.api import (
    Buffer,
    Call,
    Capabilities,
    Completion,
    Device,
    DeviceConfig,
    Driver,
    Executable,
    Fence,
    GivingQueue,
    HalError,
    LeavableCall,
    ModelledCall,
    Queue,
    StageError,
    Timeline,
    modelled,
    private_buffer,
)
from polyrhythm.hal.registry import available, driver, driver_names, open_device

__all__ = [
    "Buffer",
    "Call",
    "Capabilities",
    "Completion",
    "Device",
    "DeviceConfig",
    "Driver",
    "Executable",
    "Fence",
    "GivingQueue",
    "HalError",
    "LeavableCall",
    "ModelledCall",
    "Queue",
    "StageError",
    "Timeline",
    "available",
    "driver",
    "driver_names",
    "modelled",
    "open_device",
    "private_buffer",
]
