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


class TooLongError(ValueError):
    """A text that the record has no room for. `allowed` and `mend` say what would be right, and how."""

    def __init__(self, what: str, nbytes: int, allowed: str, mend: str) -> None:
        super().__init__(f"{what} has {nbytes} bytes: the island has no room for it")
        self.allowed, self.mend = allowed, mend


def config_record(
    island: Island, root: Path | None = None, policy: tuple[StaticCode, str] | None = None
) -> np.ndarray:
    """The record ``config``.

    Args:
        root: the bundle's directory, where the network lies.
        policy: the plan of the policy, and its entry.

    Raises:
        TooLongError: a path is, or the name of the entry.
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
        made["network"] = _path("the path of the network", files[0])
    if policy is not None:
        plan, entry = policy
        files = [plan.path, plan.library]
        made["policy_plan"] = _path("the path of the policy's plan", plan.path)
        made["policy_library"] = _path("the path of the policy's kernels", plan.library)
        made["policy_entry"] = _entry(entry)
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


def _path(what: str, path: Path) -> bytes:
    mend = "move the bundle (or XDG_CACHE_HOME) to a shorter path"
    return _text(what, str(path), MAX_PATH_BYTES, "a path", mend)


def _entry(name: str) -> bytes:
    return _text("the name of the policy's entry", name, MAX_ENTRY_BYTES, "a name", "give it a shorter one")


def _text(what: str, text: str, room: int, kind: str, mend: str) -> bytes:
    found = text.encode()
    if len(found) >= room:
        raise TooLongError(what, len(found), f"{kind} of at most {room - 1} bytes", mend)
    return found
