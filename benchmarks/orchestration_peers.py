"""The candidates B and C of `orchestration`, and how all three are measured.

They run the models through the same hal, without scheduler: all stages of a job are enqueued at once, and
the last is waited for. In C messages are datagrams of fixed size over ``SOCK_SEQPACKET``, read into memory of
that size.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import socket
import struct
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from time import monotonic_ns, sleep
from typing import Any

import numpy as np
from measure import cores, pinned, quantile

S1, S2 = "dit", "vlm"
S1_NS, S2_NS = 50_000_000, 333_333_333
STEPS = 5
WARM_NS = 1_000_000_000
READY_S = 60.0
_PR_SET_TIMERSLACK = 29


@dataclass
class Ticks:
    """What System 1 did: (release, end, when System 2 took the picture that it knows), in ns.

    `look` is to be called now and then; `broken` is True from the middle of the run on.
    """

    seconds: float
    began_ns: int = 0
    broken_ns: int = 0
    rows: list[tuple[int, int, int]] = field(default_factory=list)
    measure: Callable[[], dict[str, Any]] | None = None
    memory: dict[str, Any] = field(default_factory=dict)

    @property
    def broken(self) -> bool:
        """Whether System 2 is to be broken by now."""
        return self.broken_ns > 0

    def look(self, now_ns: int) -> bool:
        """Keep the times; True at the instant at which System 2 is to break."""
        if not self.began_ns:
            self.began_ns = now_ns
        if self.broken or now_ns - self.began_ns < self.seconds * 5e8:
            return False
        if self.measure is not None:
            self.memory = self.measure()
        self.broken_ns = monotonic_ns()
        return True

    def over(self, now_ns: int) -> bool:
        """Whether the time is up."""
        return now_ns - self.began_ns >= self.seconds * 1e9

    def add(self, release_ns: int, ended_ns: int, stamp_ns: int) -> None:
        """One chunk is with the controller."""
        self.rows.append((release_ns, ended_ns, stamp_ns))

    def report(self) -> dict[str, Any]:
        """Figures before and after the break."""
        end_ns = self.began_ns + int(self.seconds * 1e9)
        before = self.figures(self.began_ns + WARM_NS, self.broken_ns - S1_NS)
        return {
            "before": before,
            "after": self.figures(self.broken_ns, end_ns - S1_NS),
            "memory": self.memory,
        }

    def figures(self, from_ns: int, until_ns: int) -> dict[str, Any]:
        """Of the chunks released in a span."""
        rows = [row for row in self.rows if from_ns <= row[0] < until_ns]
        wanted = (until_ns - from_ns) // S1_NS
        late = sum(ended - release > S1_NS for release, ended, _ in rows)
        ends = [ended for _, ended, _ in rows]
        offs = [abs(b - a - S1_NS) for a, b in pairwise(ends)]
        return {
            "ticks": wanted,
            "chunks": len(rows),
            "misses": late + max(0, wanted - len(rows)),
            "response_ms": spread([ended - release for release, ended, _ in rows]),
            "age_ms": spread([ended - stamp for _, ended, stamp in rows]),
            "jitter_ms": spread(offs),
        }


def spread(values_ns: Sequence[int]) -> dict[str, float] | None:
    """p50, p99 and maximum in ms."""
    if not values_ns:
        return None
    found = {"p50": quantile(values_ns, 0.5), "p99": quantile(values_ns, 0.99), "max": max(values_ns)}
    return {name: value / 1e6 for name, value in found.items()}


def memory_mb(pids: Sequence[int] = ()) -> dict[str, Any]:
    """Of this process and others: RSS, and PSS, in which what is shared counts once."""
    sums = {"Rss": 0, "Pss": 0}
    everyone = (os.getpid(), *pids)
    for pid in everyone:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            name = line.partition(":")[0]
            if name in sums:
                sums[name] += int(line.split()[1])
    return {"processes": len(everyone), "rss_mb": sums["Rss"] / 1024, "pss_mb": sums["Pss"] / 1024}


class Model:
    """One module of the bundle with its weights, on a core, its job as a list of calls over named arrays."""

    def __init__(self, root: Path, name: str, core: int) -> None:
        from polyrhythm.bundle import open_bundle
        from polyrhythm.hal import DeviceConfig, driver
        from polyrhythm.memory import Arena, footprint

        bundle = open_bundle(root)
        declared = bundle.manifest.orchestration.module(name)
        entries = bundle.module(declared.artefact).entries
        stages = [entries[stage] for stage in declared.stages or tuple(entries)]
        self.device = driver("iree").open(DeviceConfig(name, "local-sync", (core,)))
        executable = self.device.load(
            bundle.artefacts[declared.artefact], list(entries.values()), bundle.parameters(declared)
        )
        tensors = {t.name: t for stage in stages for t in (*stage.inputs, *stage.outputs)}
        # A step reads x and t in one place and writes them in the other.
        keys = {key: t for n, t in tensors.items() for key in ((n, n + "'") if n in ("x", "t") else (n,))}
        scratch = max(stage.scratch_bytes for stage in stages)
        arena = Arena(footprint([*keys.values(), scratch]), name)
        self.arrays = {key: arena.take(name, "tensor", tensor) for key, tensor in keys.items()}
        buffers = {key: self.device.buffer(array) for key, array in self.arrays.items()}
        room = self.device.buffer(arena.take(name, "scratch", scratch)) if scratch else None
        self.queue, self.calls, odd = self.device.queue(), [], False
        for stage in stages:
            step = stage.name.startswith("step")
            for _ in range(STEPS if step else 1):
                ins = [buffers.get(t.name + "'" * odd, buffers[t.name]) for t in stage.inputs]
                odd ^= step
                outs = [buffers.get(t.name + "'" * odd, buffers[t.name]) for t in stage.outputs]
                self.calls.append(
                    executable.bind(stage.name, ins, outs, room if stage.scratch_bytes else None)
                )
        rng = np.random.default_rng(0)
        for array in self.arrays.values():
            if array.dtype == np.float32:
                array[...] = rng.random(array.shape, np.float32)
        if "dt" in self.arrays:
            self.arrays["dt"][...] = 1 / STEPS
        self.run()

    def run(self) -> None:
        """One job."""
        for call in self.calls:
            fence = self.queue.submit(call)
        fence.wait()

    def __getitem__(self, name: str) -> np.ndarray:
        return self.arrays[name]


def sharp_timers() -> None:
    """As `polyrhythm.runtime.realtime` does."""
    ctypes.CDLL(None).prctl(_PR_SET_TIMERSLACK, ctypes.c_ulong(1))


class Grid:
    """Releases of one model; those that have passed meanwhile are skipped."""

    def __init__(self, began_ns: int, period_ns: int) -> None:
        self.next_ns, self._period_ns = began_ns, period_ns

    def due(self, now_ns: int) -> int | None:
        """The newest release that has come, or None."""
        if now_ns < self.next_ns:
            return None
        count = (now_ns - self.next_ns) // self._period_ns
        release_ns = self.next_ns + count * self._period_ns
        self.next_ns = release_ns + self._period_ns
        return release_ns


def serial(root: Path, fault: str, seconds: float) -> Ticks:
    """B."""
    assert fault == "hangs"
    core = cores()[0]
    with pinned(core):
        sharp_timers()
        fast, slow, ticks = Model(root, S1, core), Model(root, S2, core), Ticks(seconds)
        ticks.measure, began_ns, stamp_ns = memory_mb, monotonic_ns(), 0
        first, second = Grid(began_ns, S1_NS), Grid(began_ns, S2_NS)
        slow.run()
        while not ticks.over(now_ns := monotonic_ns()) or not ticks.began_ns:
            ticks.look(now_ns)
            if (release_ns := first.due(now_ns)) is not None:
                fast["hidden"][...] = slow["hidden"]
                fast.run()
                ticks.add(release_ns, monotonic_ns(), stamp_ns or now_ns)
            elif second.due(now_ns) is not None:
                stamp_ns = now_ns
                if ticks.broken:  # it never comes back
                    sleep(max(0.0, seconds - (now_ns - began_ns) / 1e9))
                    continue
                slow.run()
            else:
                sleep(max(0, min(first.next_ns, second.next_ns) - monotonic_ns()) / 1e9)
    return ticks


# -- C ------------------------------------------------------------------------------------------------------

_STAMP = struct.Struct("<q")
_TICK = struct.Struct("<qq")


def _pair() -> tuple[socket.socket, socket.socket]:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def _frame(head: struct.Struct, *arrays: np.ndarray) -> bytearray:
    """Memory for one message."""
    return bytearray(head.size + sum(array.nbytes for array in arrays))


def _pack(frame: bytearray, head: struct.Struct, numbers: Sequence[int], *arrays: np.ndarray) -> bytearray:
    head.pack_into(frame, 0, *numbers)
    at = head.size
    for array in arrays:
        frame[at : at + array.nbytes] = memoryview(array).cast("B")
        at += array.nbytes
    return frame


def _unpack(frame: bytearray, head: struct.Struct, *arrays: np.ndarray) -> tuple[Any, ...]:
    at = head.size
    for array in arrays:
        memoryview(array).cast("B")[:] = frame[at : at + array.nbytes]
        at += array.nbytes
    return head.unpack_from(frame)


def serve_slow(root: Path, pictures: socket.socket, to_fast: socket.socket) -> None:
    """The process of System 2: a picture in, what it means out."""
    model = Model(root, S2, cores()[1])
    frame, answer = _frame(_STAMP, model["depth"]), _frame(_STAMP, model["hidden"])
    pictures.send(b"ready")
    while pictures.recv_into(frame) == len(frame):
        (stamp_ns,) = _unpack(frame, _STAMP, model["depth"])
        model.run()
        to_fast.send(_pack(answer, _STAMP, (stamp_ns,), model["hidden"]))


def serve_fast(root: Path, orders: socket.socket, from_slow: socket.socket) -> None:
    """The process of System 1: it takes the newest that System 2 has sent, and makes a chunk when told to."""
    model = Model(root, S1, cores()[0])
    news, order = _frame(_STAMP, model["hidden"]), _frame(_STAMP, model["proprio"])
    answer, stamp_ns, sources = _frame(_TICK, model["actions"]), 0, [orders, from_slow]
    orders.send(b"ready")
    while True:
        readable = select.select(sources, [], [])[0]
        while from_slow in readable:
            if from_slow.recv_into(news) != len(news):  # System 2 is gone
                sources, readable = [orders], [s for s in readable if s is orders]
                break
            (stamp_ns,) = _unpack(news, _STAMP, model["hidden"])
            readable = select.select(sources, [], [], 0)[0]
        if orders in readable:
            if orders.recv_into(order) != len(order):
                return
            (release_ns,) = _unpack(order, _STAMP, model["proprio"])
            model.run()
            orders.send(_pack(answer, _TICK, (release_ns, stamp_ns), model["actions"]))


def processes(root: Path, fault: str, seconds: float) -> Ticks:
    """C, seen from the controller."""
    spawn = get_context("spawn")
    (order, orders), (picture, pictures), (to_fast, from_slow) = _pair(), _pair(), _pair()
    with pinned(cores()[1]):
        fast = spawn.Process(target=serve_fast, args=(root, orders, from_slow), daemon=True)
        slow = spawn.Process(target=serve_slow, args=(root, pictures, to_fast), daemon=True)
        for process in (fast, slow):
            process.start()
        for end in (orders, from_slow, pictures, to_fast):
            end.close()
        try:
            for end in (order, picture):
                end.settimeout(READY_S)
                assert end.recv(5) == b"ready"
            sharp_timers()
            return _control(order, picture, (fast.pid or 0, slow.pid or 0), fault, seconds)
        finally:
            if slow.pid is not None and slow.is_alive():
                os.kill(slow.pid, signal.SIGCONT)
            for process in (fast, slow):
                process.kill()
                process.join()


def _control(
    order: socket.socket, picture: socket.socket, pids: tuple[int, int], fault: str, seconds: float
) -> Ticks:
    """The loop of the controller."""
    ticks = Ticks(seconds, measure=lambda: memory_mb(pids))
    depth, proprio = np.random.default_rng(0).random((64, 64), np.float32), np.full(8, 0.5, np.float32)
    actions = np.zeros((16, 4), np.float32)
    ask, show, answer = _frame(_STAMP, proprio), _frame(_STAMP, depth), _frame(_TICK, actions)
    order.setblocking(False)
    picture.setblocking(False)
    began_ns, busy = monotonic_ns(), False
    first, second = Grid(began_ns, S1_NS), Grid(began_ns, S2_NS)
    while not ticks.over(now_ns := monotonic_ns()) or not ticks.began_ns:
        if ticks.look(now_ns):
            os.kill(pids[1], {"killed": signal.SIGKILL, "hangs": signal.SIGSTOP}[fault])
        if second.due(now_ns) is not None:
            with suppress(
                BlockingIOError, BrokenPipeError, ConnectionResetError
            ):  # gone, or it does not read
                picture.send(_pack(show, _STAMP, (now_ns,), depth))
        if (release_ns := first.due(now_ns)) is not None and not busy:
            order.send(_pack(ask, _STAMP, (release_ns,), proprio))
            busy = True
        until_ns = min(first.next_ns, second.next_ns)
        if select.select([order], [], [], max(0, until_ns - monotonic_ns()) / 1e9)[0]:
            assert order.recv_into(answer) == len(answer), "System 1 is gone"
            release_ns, stamp_ns = _unpack(answer, _TICK, actions)
            busy = False
            ended_ns = monotonic_ns()
            if stamp_ns:
                ticks.add(release_ns, ended_ns, stamp_ns)
    return ticks
