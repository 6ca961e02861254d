"""The body's process: a millisecond of physics every millisecond, torques from the island.

It ends when no island plays on its ports any more. A machine that puts this process aside stops the world and
not the robot alone: of a delay at most `MAX_BEHIND_NS` is caught up with, the rest never happens.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
from pathlib import Path
from time import monotonic_ns, sleep

from polyrhythm.island import Ports, PortsError, RobotSide
from polyrhythm.island.layout import FALLEN
from polyrhythm.robots.balancer.body import PHYSICS_NS, Body

MAX_BEHIND_NS = 5 * PHYSICS_NS
_LOOK_PERIODS = 200
_PR_SET_TIMERSLACK = 29


def serve(path: Path, *, seed: int = 0, core: int | None = None, priority: int = 70) -> int:
    """Stand on the island at `path` until it ends.

    Args:
        seed: of the first standing up.
        core: to run on; any if None.
        priority: SCHED_FIFO priority, if that is allowed; 0: none is asked for.

    Returns:
        How often the island fell silent.
    """
    _take_rights(core, priority)
    side, body = RobotSide(Ports.attach(path)), Body()
    body.reset(seed)
    requests, answered = side.ports, 0
    if (old := requests.read("request")) is not None:
        answered = int(old["seq"])
    gc.collect()
    gc.freeze()
    gc.disable()
    due_ns, period = monotonic_ns(), 0
    while True:
        flags = FALLEN if body.fallen else 0
        side.send(body.position, body.velocity, body.sensors(), flags=flags, answered=answered)
        due_ns += PHYSICS_NS
        now_ns = monotonic_ns()
        if now_ns < due_ns:
            sleep((due_ns - now_ns) / 1e9)
        elif now_ns - due_ns > MAX_BEHIND_NS:
            due_ns = now_ns - MAX_BEHIND_NS
        body.step(side.torque())
        period += 1
        if period % _LOOK_PERIODS == 0:
            try:
                asked = requests.read("request")
                if not requests.played:
                    return side.deaths
            except PortsError:
                return side.deaths
            if asked is not None and int(asked["seq"]) != answered:
                answered = int(asked["seq"])
                body.reset(int(asked["seed"]))


def _take_rights(core: int | None, priority: int) -> None:
    """As far as they are granted; a simulator without them is only less even."""
    with contextlib.suppress(OSError):
        if core is not None:
            os.sched_setaffinity(0, {core})
    with contextlib.suppress(OSError):
        if priority > 0:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
    ctypes.CDLL(None).prctl(_PR_SET_TIMERSLACK, ctypes.c_ulong(1))
