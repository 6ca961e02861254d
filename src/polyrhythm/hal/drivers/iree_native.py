"""IREE's native objects: instance, drivers, devices, modules, parameters; whoever holds them owns them."""

from __future__ import annotations

import os
import re
import threading
import time
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import iree.runtime as rt
import numpy as np
from iree.runtime import _binding

from polyrhythm.hal.api import DeviceConfig, HalError
from polyrhythm.hal.worker import first_line, when_left_behind

_USAGE = rt.BufferUsage.DEFAULT | rt.BufferUsage.MAPPING
_MEMORY = (
    rt.MemoryType.DEVICE_LOCAL | rt.MemoryType.HOST_VISIBLE,
    rt.MemoryType.HOST_LOCAL | rt.MemoryType.DEVICE_VISIBLE,
)

# One VM instance for the process: several race when they register types (iree#24615).
instance = rt.VmInstance()
#: What IREE's statuses become in Python.
ERRORS = (RuntimeError, ValueError, LookupError, OSError, MemoryError)
_STATUS = re.compile(r"^[^:]*: \S+:\d+: ([A-Z_]+); (.*)$")
# What a hung call holds is not a mistake in the bindings.
when_left_behind.append(_binding.disable_leak_checker)
_flags_lock = threading.Lock()
_TASKS = Path("/proc/self/task")


class Core:
    """A device's native objects; whoever holds one of their children holds this."""

    __slots__ = ("name", "native", "token", "uri")

    def __init__(self, config: DeviceConfig) -> None:
        self.name, self.uri = config.name, config.uri
        #: Stands for the device where holding it would keep it alive.
        self.token = object()
        driver, device = _open_native(config)
        self.native = (instance, driver, device, rt.create_hal_module(instance, device))

    @property
    def device(self) -> Any:
        return self.native[2]

    @property
    def module(self) -> Any:
        return self.native[3]

    def view(self, array: np.ndarray) -> Any:
        """Import host memory, without a copy."""
        raw = array.reshape(-1).view(np.uint8)
        why = ""
        for memory in _MEMORY:
            try:
                return self.device.allocator.import_host_allocation(
                    raw, memory_type=memory, allowed_usage=_USAGE
                )
            except ERRORS as problem:
                why = reason(problem)  # only its text: an error kept here would keep this frame, and `array`
        raise HalError(f"device {self.name!r} can't view host memory: {why}")


class Parameters:
    """Parameter files, mapped once for everybody in the process who names the same unchanged files."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.index = rt.ParameterIndex()
        for file in files:
            try:
                self.index.load(str(file), mmap=True)
            except ERRORS as problem:
                raise HalError(f"parameter file {file} can't be mapped: {reason(problem)}") from problem


_mapped: weakref.WeakValueDictionary[tuple[object, ...], Parameters] = weakref.WeakValueDictionary()


def map_parameters(files: Sequence[Path]) -> Parameters | None:
    """The index of these files, shared with whoever holds it already."""
    if not files:
        return None
    try:
        found = [(file.resolve(), file.stat()) for file in files]
    except OSError as problem:
        raise HalError(f"parameter file {problem.filename} can't be read: {problem.strerror}") from problem
    key = tuple((path, stat.st_ino, stat.st_size, stat.st_mtime_ns) for path, stat in found)
    known = _mapped.get(key)
    if known is None:
        known = _mapped[key] = Parameters(files)
    return known


def read_module(artefact: Path) -> Any:
    """A module that contexts can be made of."""
    # Copied, not mapped: mapping wants a writable file, and one that changes under a mapping kills us.
    try:
        code = artefact.read_bytes()
    except OSError as problem:
        raise HalError(f"{artefact} can't be read: {problem.strerror}") from problem
    try:
        return rt.VmModule.copy_buffer(instance, code)
    except ERRORS as problem:
        raise HalError(f"{artefact} is not an IREE module (.vmfb): {reason(problem)}") from problem


def reason(problem: BaseException) -> str:
    """IREE's message without the place in its own source that comes first: ``text (CODE)``."""
    text = first_line(problem)
    match = _STATUS.match(text)
    return f"{match[2]} ({match[1]})" if match and match[2] else text


def available() -> tuple[str, ...]:
    """URIs that open here."""
    found: list[str] = []
    for name in rt.HalDriver.query():
        try:
            devices = _binding.create_hal_driver(name).query_available_devices()
        except ERRORS:
            continue  # compiled in, but its vendor's library is not installed
        found += [f"{name}://{device['path']}" if device["path"] else name for device in devices]
    return tuple(found)


def load_hint(problem: Exception) -> str:
    text = reason(problem)
    if "io_parameters" in text:
        return f"it needs parameter files, none were given ({text})"
    return text


def _open_native(config: DeviceConfig) -> tuple[Any, Any]:
    """An uncached driver with one device: devices of one driver would share its workers."""
    scheme, _, path = config.uri.partition("://")
    local = scheme == "local-task"
    with _flags_lock:
        before = set(_TASKS.iterdir())
        try:
            if local:
                rt.flags.parse_flags(f"--task_topology_group_count={len(config.cores) or 1}")
            driver = _binding.create_hal_driver(scheme)
            device = driver.create_device_by_uri(config.uri) if path else driver.create_default_device()
        except ERRORS as problem:
            known = ", ".join(available())
            raise HalError(
                f"device {config.name!r}: {config.uri!r} does not open here; there are: {known} "
                f"({reason(problem)})"
            ) from problem
        finally:
            if local:
                rt.flags.parse_flags("--task_topology_group_count=0")
        if config.cores or config.ranks is not None:
            _place_new_threads(before, config)
    return driver, device


def _place_new_threads(before: set[Path], config: DeviceConfig) -> None:
    """Pin and rank IREE's own threads: it makes them like any other, and they name themselves once they have
    started."""
    deadline_ns = time.monotonic_ns() + 1_000_000_000
    for thread in set(_TASKS.iterdir()) - before:
        comm = thread / "comm"
        try:
            while not comm.read_text().startswith("iree-") and time.monotonic_ns() < deadline_ns:
                time.sleep(0.0002)
            if comm.read_text().startswith("iree-"):
                if config.cores:
                    os.sched_setaffinity(int(thread.name), config.cores)
                if config.ranks is not None:
                    config.ranks.compute.apply(int(thread.name))
        except PermissionError:
            continue  # the right was there when it was tried
        except (FileNotFoundError, ProcessLookupError):
            continue  # somebody's short-lived thread
