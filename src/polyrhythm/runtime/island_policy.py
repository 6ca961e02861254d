"""The island's policy: can it be planned, does it fit the island, and has it the time that it takes?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from polyrhythm.bundle import Bundle
from polyrhythm.bundle.signature import Entry
from polyrhythm.hal.cores import cores_text, online_cores
from polyrhythm.island import IslandError, config_record
from polyrhythm.manifest import Island, IslandPolicy, nearest
from polyrhythm.runtime.proof import ms

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker

#: Code -> what it is about.
CODES = {
    "PC130": "a policy of the island without a source to plan",
    "PC131": "an entry that the island's policy does not have",
    "PC132": "a policy that does not fit the island's joints and sensors",
    "PC133": "a policy of the island that cannot be planned statically",
    "PC134": "a policy that takes more than its part of the island's period",
    "PC135": "a policy that the island cannot run",
    "PC136": "a device on the core of the island's policy",
    "PC140": "no such core for the policy's second thread",
}
PATH = ("island", "policy")


def gives(island: Island) -> dict[str, int]:
    """What a policy may take, f32, by name, and how many numbers that is."""
    joints = len(island.joints)
    found = dict.fromkeys(("error", "target_velocity", "position", "velocity"), joints)
    if island.sensors:
        found["sensors"] = island.sensors
    return found | {"observation": 4 * joints + island.sensors}


def entry_of(bundle: Bundle) -> Entry | None:
    """The entry that the island calls; None if that cannot be said."""
    policy = bundle.manifest.policy
    if policy is None or policy.artefact not in bundle.modules:
        return None
    entries = bundle.module(policy.artefact).entries
    if policy.entry is not None:
        return entries.get(policy.entry)
    return next(iter(entries.values())) if len(entries) == 1 else None


def config_of(bundle: Bundle) -> np.ndarray:
    """The record ``config`` of the bundle's island.

    Raises:
        IslandError: its policy has no plan for this machine yet.
        BundleError: its policy or its network has changed since the bundle was verified.
        TooLongError: a path is, or the name of its entry.
    """
    island, entry = bundle.manifest.island, entry_of(bundle)
    assert island is not None
    if island.policy is None:
        if island.network in bundle.lock.files:
            bundle.digest(bundle.root / island.network)
        return config_record(island, bundle.root)
    if bundle.policy is None or entry is None:
        raise IslandError(
            f"the island's policy has no plan for this CPU yet: {island.policy.artefact}; "
            "`polyrhythm run` makes it at first use, `polyrhythm.compile.prepare(bundle)` from Python"
        )
    bundle.code_digests(island.policy)
    return config_record(island, bundle.root, (bundle.policy, entry.name))


def check_policy(checker: Checker, island: Island) -> None:
    """What is wrong with the policy itself; its time is judged by `check_policy_time`."""
    policy, bundle = island.policy, checker.bundle
    if policy is None or policy.artefact not in bundle.modules:  # opening the bundle has spoken of it
        return
    if bundle.module(policy.artefact).source is None:
        checker.say(
            "PC130", (*PATH, policy.artefact_key),
            f"the island runs static plans, and {policy.artefact} has no portable source to make one from",
            policy.artefact, "a module with a source in the bundle",
            "build the bundle with `polyrhythm build`",
        )  # fmt: skip
        return
    entry, entries = entry_of(bundle), bundle.module(policy.artefact).entries
    if entry is None:
        near = nearest(policy.entry or "", entries)
        checker.say(
            "PC131", (*PATH, "entry") if policy.entry else PATH,
            f"{policy.artefact} has no entry {policy.entry!r}" if policy.entry
            else f"{policy.artefact} has {len(entries)} entries and `entry` names none",
            policy.entry, ", ".join(entries),
            f"did you mean `{near}`?" if near else f"add `entry: {next(iter(entries), '...')}`",
        )  # fmt: skip
        return
    _check_signature(checker, island, entry)
    _check_cores(checker, island, policy)
    if bundle.policy is not None and (why := bundle.policy.refused.get(entry.name)):
        checker.say(
            "PC133", PATH, f"{entry.name} of {policy.artefact} cannot be planned statically: {why}",
            entry.name, "a function that decides nothing while it runs",
            "compute without conditions and loops that depend on the data",
        )  # fmt: skip


def _check_cores(checker: Checker, island: Island, policy: IslandPolicy) -> None:
    if policy.second_core is not None and policy.second_core not in online_cores():
        checker.say(
            "PC140", (*PATH, "second_core"),
            f"this machine has no core {policy.second_core} for the second thread of the island's policy",
            policy.second_core, f"{cores_text()}, but for the island's own",
            "name a core that exists, or leave `second_core` out",
        )  # fmt: skip
    cores = {("island", "core"): island.core, (*PATH, "second_core"): policy.second_core}
    for (name, device), (path, core) in product(checker.manifest.devices.items(), cores.items()):
        if core in device.cores:
            checker.say(
                "PC136", path,
                f"{name} computes on core {core} too, where the policy may take "
                f"{ms(island.budget_ns)} ms of every {ms(island.period_ns)} ms: no proof counts that",
                core, "a core that no device has",
                "name another core here, or in the device's `cores`", severity="note",
            )  # fmt: skip


def _check_signature(checker: Checker, island: Island, entry: Entry) -> None:
    known, joints = gives(island), len(island.joints)
    listed = ", ".join(f"{name} f32[{count}]" for name, count in known.items())
    for tensor in entry.inputs:
        count = known.get(tensor.name)
        if count is None or tensor.dtype != "f32" or tensor.nbytes != 4 * count:
            near = nearest(tensor.name, known)
            checker.say(
                "PC132", PATH, f"{entry.name} takes {tensor.name} {tensor}, and the island has no such thing",
                tensor.name, listed,
                f"did you mean `{near}`?" if count is None and near else "take what the island gives",
            )  # fmt: skip
    gave = [tensor for tensor in entry.outputs if tensor.dtype == "f32" and tensor.nbytes == 4 * joints]
    if len(entry.outputs) != 1 or not gave:
        checker.say(
            "PC132", PATH,
            f"{entry.name} gives {', '.join(f'{t.name} {t}' for t in entry.outputs)}, and the island takes "
            "what to add to the position targets",
            len(entry.outputs), f"one output, f32[{joints}]", "give one number for each joint",
        )  # fmt: skip


def check_policy_time(checker: Checker) -> None:
    """Whether the policy's part of a period is enough for it."""
    island = checker.manifest.island
    if island is None or island.policy is None or (cost := checker.known_ns(island.policy)) is None:
        return
    measured = checker.is_measured(island.policy)
    if sum(cost) > island.budget_ns:
        period = ms(island.period_ns)
        checker.say(
            "PC134", PATH if measured else (*PATH, "cost_ms"),
            f"the island's policy takes {ms(sum(cost))} ms{', as measured' if measured else ''}; it has "
            f"{ms(island.budget_ns)} ms of every period of {period} ms",
            sum(cost) / 1e6, f"at most {ms(island.budget_ns)}",
            "make it smaller (int8 weights, for example), give it more with `budget_ms` (less than "
            f"{period}), or lower the island's `rate_hz`",
        )  # fmt: skip


def told(checker: Checker) -> Iterator[str]:
    """What a proof of time stands on."""
    island = checker.manifest.island
    if island is None or island.policy is None:
        return
    cost, part = (
        checker.known_ns(island.policy),
        f"{ms(island.budget_ns)} ms of every {ms(island.period_ns)} ms",
    )
    if cost is None:
        yield f"island: nothing says what its policy takes; it is given up after its {part}"
    else:
        how = "as measured, with the margin" if checker.is_measured(island.policy) else "as declared"
        yield f"island: its policy takes {ms(sum(cost))} ms, {how}, and has {part}"
