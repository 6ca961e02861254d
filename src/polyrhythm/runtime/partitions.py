"""Who has which cores: devices with cores of their own are partitions, and nobody takes time from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from polyrhythm.hal.api import HalError
from polyrhythm.hal.cores import online_cores
from polyrhythm.hal.worker import require_cores
from polyrhythm.manifest.diagnostics import Path
from polyrhythm.manifest.schema import Device, Manifest, Robot

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker


#: What Linux leaves to threads that are first in first out, of every core and second.
LEFT = Fraction(19, 20)


def workers(device: Device) -> int:
    """How many threads compute for a device, as far as is known: 0 for other people's drivers."""
    match device.driver, device.uri.partition("-")[0], device.uri:
        case "iree", "local", uri if uri.startswith("local-task"):
            return max(1, len(device.cores))
        case "static", _, "local-pair":
            return 2
        case (("iree" | "static"), "local", _) | ("dsa", _, _):
            return 1
        case _, _, uri if uri.partition("?")[0] == "cpu":  # libraries (`polyrhythm.hal.library`)
            return max(1, len(device.cores))
    return 0


def partitions(devices: Mapping[str, Device]) -> list[str]:
    """Devices on whose cores no other device can compute."""
    found = []
    for name, device in devices.items():
        others = [d for other, d in devices.items() if other != name and workers(d)]
        if device.cores and all(d.cores and not set(d.cores) & set(device.cores) for d in others):
            found.append(name)
    return found


def assumptions(devices: Mapping[str, Device]) -> Iterator[str]:
    """What the proof may count on."""
    if alone := partitions(devices):
        told = ", ".join(f"{name} ({_cores(devices[name])})" for name in alone)
        yield f"partitions: {told}; no other device of the plan computes on their cores"


def robot_shares(manifest: Manifest) -> Iterator[str]:
    """What the proof has to assume of the robot's thread, which comes before those that compute."""
    robot, devices = manifest.robot, manifest.devices.items()
    if robot is None:
        return
    if not robot.cores:
        yield "the robot takes no time from the devices' cores"
    elif shared := [name for name, d in devices if not d.cores or set(d.cores) & set(robot.cores)]:
        yield f"the robot ({_cores(robot)}) takes no time from the cores of {', '.join(shared)}"


def pinned_cores(manifest: Manifest) -> dict[Path, tuple[int, ...]]:
    """By place in the manifest, what threads are pinned to."""
    found: dict[Path, Device | Robot] = {("devices", name): d for name, d in manifest.devices.items()}
    if manifest.robot is not None:
        found["robot",] = manifest.robot
    return {(*path, "cores"): it.cores for path, it in found.items() if it.cores}


def check_cores(checker: Checker) -> None:
    """Say which devices get into each other's way."""
    devices, here = checker.manifest.devices, online_cores()
    for path, cores in pinned_cores(checker.manifest).items():
        if not set(cores).issubset(here):
            continue
        try:
            require_cores(cores)
        except HalError as problem:
            checker.say(
                "PC041", path, f"this process may not use all of them: {problem}",
                _told(cores), "cores that this process is allowed to use",
                "start it with more cores (`taskset`, the container), or name others", severity="note",
            )  # fmt: skip
    named = list(devices)
    for position, name in enumerate(named):
        mine = set(devices[name].cores)
        shared = [other for other in named[:position] if mine & set(devices[other].cores)]
        if shared and workers(devices[name]):
            common = sorted(mine & set(devices[shared[0]].cores))
            checker.say(
                "PC040", ("devices", name, "cores"),
                f"{shared[0]} computes on core {', '.join(map(str, common))} too: neither is a partition, "
                "and each slows the other down", _cores(devices[name]), "cores that no other device has",
                "give each device cores of its own, or put their modules on one device: one queue, one bound",
                severity="note",
            )  # fmt: skip
    if (total := sum(map(workers, devices.values()))) > len(here):
        told = ", ".join(f"{name} {workers(d)}" for name, d in devices.items() if workers(d))
        checker.say(
            "PC042", ("devices", named[-1]),
            f"{total} threads compute on {len(here)} core{'s' * (len(here) > 1)}: {told}", total,
            f"at most {len(here)}",
            "use fewer devices, or fewer cores for each", severity="note",
        )  # fmt: skip


def check_ranked(checker: Checker, shares: Mapping[str, Fraction | int]) -> None:
    """Say where Linux will stop threads that are first in first out: its fair server (before 6.12 the limit
    of real-time threads) lets others have 50 ms of every second of a core.

    Args:
        shares: of its time that each device is asked for.
    """
    ranked = {
        name: device
        for name, device in checker.manifest.devices.items()
        if name in shares and device.threads is not None and device.threads.policy == "fifo"
    }
    for core in sorted({core for device in ranked.values() for core in device.cores}):
        parts = {n: shares[n] / len(d.cores) for n, d in ranked.items() if core in d.cores}
        if LEFT < (total := sum(parts.values())) <= 1:
            checker.say(
                "PC156", ("devices", next(iter(parts)), "threads"),
                f"{' and '.join(parts)} take {float(total):.1%} of core {core}, first in first out: Linux "
                "stops them for up to 50 ms of a second when anybody else has work for that core",
                f"{float(total):.1%}", f"at most {float(LEFT):.0%}",
                "lower rates, use another core as well, or leave `threads` out", severity="note",
            )  # fmt: skip


def _cores(pinned: Device | Robot) -> str:
    return _told(pinned.cores)


def _told(cores: Sequence[int]) -> str:
    return f"core{'s' * (len(cores) > 1)} {', '.join(map(str, cores))}"
