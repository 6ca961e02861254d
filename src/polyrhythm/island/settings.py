"""From the manifest's `island:` section to the record that the island reads when it starts."""

from __future__ import annotations

import math
import zlib
from pathlib import Path

import numpy as np

from polyrhythm.island.layout import MAX_PATH_BYTES
from polyrhythm.island.ports import record
from polyrhythm.manifest.island import Island


def config_record(island: Island, root: Path | None = None) -> np.ndarray:
    """The record ``config``; `root` is the bundle's directory, where the network lies.

    Raises:
        ValueError: the path of the network is too long.
    """
    joints = list(island.joints.values())
    limits = [joint.position or (-math.inf, math.inf) for joint in joints]
    network = b"" if island.network is None else str(((root or Path()) / island.network).resolve()).encode()
    if len(network) >= MAX_PATH_BYTES:
        raise ValueError(f"the path of the network has {len(network)} bytes; {MAX_PATH_BYTES - 1} fit")
    times = ("extrapolate_ns", "decelerate_ns", "hold_ns", "stop_ns")
    made = record(
        "config",
        joints=len(joints),
        sensors=island.sensors,
        period_ns=island.period_ns,
        blind_ns=round(island.blind_ms * 1_000_000),
        core=-1 if island.core is None else island.core,
        priority=island.priority,
        position_low=[low for low, _ in limits],
        position_high=[high for _, high in limits],
        velocity=[joint.velocity for joint in joints],
        torque=[joint.torque for joint in joints],
        torque_rate=[joint.torque_rate for joint in joints],
        kp=[joint.kp for joint in joints],
        kd=[joint.kd for joint in joints],
        **dict(zip(times, island.ladder_ms.times_ns, strict=True)),
    )
    made["network"] = network
    made["check"] = zlib.crc32(made.tobytes()[:-8])
    return made
