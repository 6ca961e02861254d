"""Thread priorities of a plan: what is asked for, and what of it this process may do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from polyrhythm.hal.api import DeviceConfig
from polyrhythm.hal.priority import NORMAL, Priority, Ranks, refusal
from polyrhythm.manifest.schema import Device, Manifest

Devices = Mapping[str, tuple[str, DeviceConfig]]


def ranks_of(manifest: Manifest) -> dict[str, Ranks]:
    """By device; empty if the manifest ranks nobody: then all threads are equals, and a less urgent one can
    keep nobody waiting.

    Whoever keeps the time, moves the robot or hands over news comes before all who compute.
    """
    asked = {name: asked_of(device) for name, device in manifest.devices.items()}
    if not any(device.threads for device in manifest.devices.values()):
        return {}
    most = max(asked.values(), key=lambda priority: priority.urgency)
    deliver = most.above if most.urgency > NORMAL.urgency else NORMAL
    return {name: Ranks(priority, deliver) for name, priority in asked.items()}


def permitted(devices: Devices) -> tuple[Devices, tuple[str, ...]]:
    """The same devices without the ranks that this process may not give, and a note about each of those."""
    deliver = deliver_of(devices)
    if deliver is None:
        return devices, ()
    if deliver != NORMAL and (reason := refusal(deliver)) is not None:
        plain = {name: (driver, replace(config, ranks=None)) for name, (driver, config) in devices.items()}
        lost = "no thread gets a priority; computing devices and other programs may delay the control tick"
        return plain, (f"threads: {reason}: {lost}",)
    granted: dict[str, tuple[str, DeviceConfig]] = {}
    notes = []
    for name, (driver, config) in devices.items():
        assert config.ranks is not None
        compute = config.ranks.compute
        # The thread that computes may be the one that hands over news: then it has to come back.
        path = (compute,) if pooled(config) and not deliver.fifo else (compute, deliver)
        reason = None if compute == deliver else refusal(*path)
        if reason is not None:
            lost = "it computes like any other thread"
            if not pooled(config) and refusal(compute) is None:
                lost += "; with `uri: local-task`, whose workers hand over no news, it could be ranked"
            notes.append(f"threads of {name}: {reason}: {lost}")
            compute = NORMAL
        granted[name] = (driver, replace(config, ranks=Ranks(compute, deliver)))
    return granted, tuple(notes)


def deliver_of(devices: Devices) -> Priority | None:
    """What the run's own threads get; None: nobody is ranked."""
    return next((config.ranks.deliver for _, config in devices.values() if config.ranks), None)


def pooled(config: DeviceConfig) -> bool:
    """Whether workers compute, and not the thread that hands over news."""
    return config.uri.startswith("local-task")


def asked_of(device: Device) -> Priority:
    """What those who compute for a device are to get."""
    threads = device.threads
    if threads is None:
        return NORMAL
    if threads.policy == "fifo":
        return Priority(True, threads.priority or 1)
    return Priority(False, threads.nice or 0)
