"""From the manifest's `island:` section to the record that the island reads when it starts."""

from __future__ import annotations

import hashlib
import math
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from polyrhythm.bundle.files import digest
from polyrhythm.bundle.static_code import StaticCode
from polyrhythm.island.build import identity
from polyrhythm.island.layout import MAX_ENTRY_BYTES, MAX_PATH_BYTES
from polyrhythm.island.ports import header_record, record
from polyrhythm.manifest.island import Island


def config_record(
    island: Island, root: Path | None = None, policy: tuple[StaticCode, str] | None = None
) -> np.ndarray:
    """The record ``config``.

    Args:
        root: the bundle's directory, where the network lies.
        policy: the plan of the policy, and its entry.

    Raises:
        ValueError: a path is too long.
    """
    joints = list(island.joints.values())
    limits = [joint.position or (-math.inf, math.inf) for joint in joints]
    second = None if island.policy is None else island.policy.second_core
    times = ("extrapolate_ns", "decelerate_ns", "hold_ns", "stop_ns")
    made = record(
        "config",
        joints=len(joints),
        sensors=island.sensors,
        period_ns=island.period_ns,
        blind_ns=round(island.blind_ms * 1_000_000),
        core=-1 if island.core is None else island.core,
        priority=island.priority,
        policy_second=-1 if second is None else second,
        position_low=[low for low, _ in limits],
        position_high=[high for _, high in limits],
        velocity=[joint.velocity for joint in joints],
        torque=[joint.torque for joint in joints],
        torque_rate=[joint.torque_rate for joint in joints],
        kp=[joint.kp for joint in joints],
        kd=[joint.kd for joint in joints],
        **dict(zip(times, island.ladder_ms.times_ns, strict=True)),
    )
    files: list[Path] = []
    if island.network is not None:
        files = [((root or Path()) / island.network).resolve()]
        made["network"] = _text("the path of the network", files[0])
    if policy is not None:
        plan, entry = policy
        files = [plan.path, plan.library]
        made["policy_plan"] = _text("the path of the policy's plan", plan.path)
        made["policy_library"] = _text("the path of the policy's kernels", plan.library)
        made["policy_entry"] = _text("the name of the policy's entry", entry, MAX_ENTRY_BYTES)
        made["policy_budget_ns"] = island.budget_ns
    made["made_from"] = _made_from(files)
    return signed(made)


def _made_from(files: Sequence[Path]) -> bytes:
    """A digest of the program and of what is in its files: paths stay when a bundle is built anew."""
    found = hashlib.sha256(identity().encode())
    for file in files:
        with suppress(OSError):  # the island says that it cannot be read
            found.update(digest(file).encode())
    return found.hexdigest().encode()


def settings_file(config: np.ndarray) -> bytes:
    """What a settings file holds, for an island started by hand: `config` behind the header of its ports."""
    return header_record().tobytes() + config.tobytes()


def signed(config: np.ndarray) -> np.ndarray:
    """The record with the checksum of what it says; it is changed, and returned."""
    config["check"] = zlib.crc32(config.tobytes()[:-8])
    return config


def _text(what: str, value: Path | str, room: int = MAX_PATH_BYTES) -> bytes:
    found = str(value).encode()
    if len(found) >= room:
        raise ValueError(f"{what} has {len(found)} bytes; {room - 1} fit")
    return found
