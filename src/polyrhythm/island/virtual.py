"""The island's step in this process, by the caller's clock: the same C, for lockstep runs and for tests."""

from __future__ import annotations

import ctypes
import zlib
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from polyrhythm.hal import native
from polyrhythm.island.build import NoCompilerError, library
from polyrhythm.island.counts import counts_of
from polyrhythm.island.ports import record

_WHY_BYTES = 1024


class RefusedError(ValueError):
    """The island does not take this configuration or network; the message says why."""


class VirtualIsland:
    """One island without a process.

    Args:
        config: a record ``config``, see `polyrhythm.island.settings`.

    Raises:
        RefusedError: the configuration or the network cannot be.
        NoCompilerError: the step cannot be compiled here.
    """

    def __init__(self, config: np.ndarray) -> None:
        self._c = _load()
        self.config = config
        self.counts = record("counts")
        self._ports = {name: record(name) for name in ("target", "state", "command")}
        self._memory = ctypes.create_string_buffer(self._c.pr_island_size())
        self._policy, self._closed = _Policy(), False
        self.restart()
        why = ctypes.create_string_buffer(_WHY_BYTES)
        if self._c.pr_policy_open(_address(config), ctypes.byref(self._policy), why, _WHY_BYTES):
            raise RefusedError(why.value.decode(errors="replace"))
        self.restart()

    def restart(self) -> None:
        """Begin anew, with empty ports; what has been counted stays."""
        for port in self._ports.values():
            port[...] = np.zeros((), port.dtype)
        why, policy, config = ctypes.create_string_buffer(_WHY_BYTES), self._policy, self.config
        if self._c.pr_island_init(self._memory, _address(config), ctypes.byref(policy), why, _WHY_BYTES):
            raise RefusedError(f"the island's configuration cannot be used: {why.value.decode()}")

    def send(self, name: str, stamp_ns: int, **fields: Any) -> None:
        """Put a message (``target`` or ``state``) into its port, as `Ports.write` does."""
        before = self._ports[name]
        made = record(name, **fields)
        made["seq"] = made["last"] = before["seq"] + 1
        made["stamp_ns"] = stamp_ns
        made["check"] = zlib.crc32(made.tobytes()[8:-16])
        before[...] = made

    def read_counts(self) -> dict[str, Any]:
        """Everything that it has counted, see `counts_of`."""
        return counts_of(self.counts)

    def port(self, name: str) -> np.ndarray:
        """The port's memory itself, to be looked at, or to be corrupted."""
        return self._ports[name]

    def step(self, now_ns: int, until_ns: int = 0) -> np.ndarray:
        """One period that begins at `now_ns`; returns its command, valid until the next step.

        Args:
            until_ns: of the real monotonic clock, the end of the policy's part of the period. Virtual time
                has none: a run that is to be repeated does not depend on what a policy takes.
        """
        if self._closed:  # the policy's memory is gone
            raise ValueError("a closed island takes no step")
        target, state, command = (_address(self._ports[name]) for name in ("target", "state", "command"))
        counts = _address(self.counts)
        self._c.pr_island_look(self._memory, target, state, now_ns, counts)
        self._c.pr_island_step(self._memory, now_ns, until_ns, command, counts)
        self.counts["heartbeat"] += 1
        return self._ports["command"]

    def close(self) -> None:
        """Give the policy's memory back; may be called twice."""
        self._closed = True
        self._c.pr_policy_close(ctypes.byref(self._policy))

    def __del__(self) -> None:
        if hasattr(self, "_policy"):
            self.close()


def run_network(path: str, inputs: Sequence[np.ndarray], outputs: int) -> list[np.ndarray]:
    """What the network of a file gives for each of `inputs`, f32. Raises `RefusedError`."""
    c, why = _load(), ctypes.create_string_buffer(_WHY_BYTES)
    network = c.pr_network_open(path.encode(), len(inputs[0]), outputs, why, _WHY_BYTES)
    if not network:
        raise RefusedError(f"{path}: {why.value.decode()}")
    results = []
    try:
        for x in inputs:
            given, out = np.ascontiguousarray(x, np.float32), np.zeros(outputs, np.float32)
            if c.pr_network_run(network, _address(given), _address(out), 0):
                raise RefusedError(f"{path}: an input is not finite")
            results.append(out)
    finally:
        c.pr_network_close(network)
    return results


def time_bin(ns: int) -> int:
    """The histogram bin that the island puts `ns` into."""
    found: int = _load().pr_bin(ns)
    return found


class _Policy(ctypes.Structure):
    _fields_ = (("self", ctypes.c_void_p), ("run", ctypes.c_void_p), ("close", ctypes.c_void_p))


def _address(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


@cache
def _load() -> ctypes.CDLL:
    try:
        c = native.load(library)
    except OSError as problem:
        raise NoCompilerError(
            f"the island's step can't be loaded: {problem}; if nothing may be executed where it lies, "
            "set XDG_CACHE_HOME to another place"
        ) from None
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    c.pr_island_size.restype = size
    c.pr_island_size.argtypes = []
    c.pr_island_init.argtypes = [pointer, pointer, pointer, pointer, size]
    c.pr_island_look.argtypes = [pointer, pointer, pointer, ctypes.c_int64, pointer]
    c.pr_island_step.argtypes = [pointer, ctypes.c_int64, ctypes.c_int64, pointer, pointer]
    c.pr_policy_open.argtypes = [pointer, pointer, pointer, size]
    c.pr_policy_close.argtypes = [pointer]
    c.pr_network_open.argtypes = [ctypes.c_char_p, size, size, pointer, size]
    c.pr_network_open.restype = pointer
    c.pr_network_run.argtypes = [pointer, pointer, pointer, ctypes.c_int64]
    c.pr_network_close.argtypes = [pointer]
    c.pr_bin.argtypes = [ctypes.c_uint64]
    c.pr_bin.restype = ctypes.c_uint64
    return c
