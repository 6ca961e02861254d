"""Is this machine fit to play? Cores, rights, drivers, compiler, extras, and two measurements.

Nothing is changed for good: rights are tried in a thread that ends, and measurements take about a second.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from queue import Empty, SimpleQueue
from time import get_clock_info, monotonic_ns, perf_counter_ns
from typing import Any

import numpy as np

from polyrhythm.bundle.cpu import processor
from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import Completion, DeviceConfig, HalError, available, driver, driver_names
from polyrhythm.hal.priority import Priority, ranked, refusal
from polyrhythm.island import NoCompilerError
from polyrhythm.island.build import compiler_version
from polyrhythm.observe.spread import Spread

SCHEMA = 1
_CPUS = Path("/sys/devices/system/cpu")
PACKAGES = ("polyrhythm", "iree-base-runtime", "iree-base-compiler")
#: Extra -> the distributions that it brings.
EXTRAS = {
    "compile": ("iree-base-compiler",),
    "observe": ("perfetto", "plotly"),
    "metaworld": ("metaworld", "mujoco", "gymnasium"),
    "jax": ("jax", "safetensors"),
    "onnxruntime": ("onnxruntime",),
    "onnx": ("onnx", "onnxruntime"),
    "balancer": ("mujoco",),
}
WAKE_PERIOD_NS = 1_000_000
_RAISED = (Priority(True, 50), Priority(False, -10))


@dataclass(frozen=True)
class Tiny:
    """A compiled module of one small entry on float32, to measure what a call costs beside the work."""

    artefact: Path
    entry: Entry


def examine(tiny: Tiny | None = None, *, wakes: int = 1000, calls: int = 2000) -> dict[str, Any]:
    """Everything that `polyrhythm doctor` tells, ready for `json.dumps`; measurements lie under ``times``."""
    found: dict[str, Any] = {
        "schema": SCHEMA,
        "python": platform.python_version(),
        "cores": cores(),
        "rights": rights(),
        "drivers": {name: _available(name) for name in driver_names()},
        "packages": {
            name: _version(name) for name in ("polyrhythm", "iree-base-runtime", "iree-base-compiler")
        },
        "c_compiler": _c_compiler(),
        "extras": {name: all(_version(part) for part in parts) for name, parts in EXTRAS.items()},
        "clock_resolution_ns": round(get_clock_info("monotonic").resolution * 1e9),
        "timer_slack_ns": _number(Path("/proc/self/timerslack_ns")),
        "switch_interval_us": sys.getswitchinterval() * 1e6,
        "times": {
            "wake_us": _us(wake_jitter(wakes)),
            "wake_raised_us": raised_wakes(wakes),
            "invoke_us": None if tiny is None else _us(invoke_overhead(tiny, calls)),
        },
    }
    return found | {"advice": advice(found)}


# -- cores --------------------------------------------------------------------------------------------


def cores() -> dict[str, Any]:
    """The processor, its cores, those this process may use, and which share one physical core."""
    usable = sorted(os.sched_getaffinity(0))
    return {
        "processor": processor(),
        "here": os.cpu_count(),
        "usable": usable,
        "siblings": siblings(usable),
        "virtual": _virtual(),
    }


def siblings(usable: Sequence[int]) -> list[list[int]]:
    """Groups of usable cores that are threads of one physical core, where Linux tells."""
    groups = set()
    for core in usable:
        try:
            text = (_CPUS / f"cpu{core}" / "topology" / "thread_siblings_list").read_text()
        except OSError:
            continue
        group = tuple(c for c in _core_list(text) if c in usable)
        if len(group) > 1:
            groups.add(group)
    return [list(group) for group in sorted(groups)]


def _core_list(text: str) -> list[int]:
    """``0-2,4`` as numbers."""
    found: list[int] = []
    for part in filter(None, text.strip().split(",")):
        low, _, high = part.partition("-")
        found += range(int(low), int(high or low) + 1)
    return found


def _virtual() -> bool:
    try:
        return " hypervisor" in Path("/proc/cpuinfo").read_text()
    except OSError:
        return False


# -- rights -------------------------------------------------------------------------------------------


def rights() -> dict[str, Any]:
    """What a thread of this process may do: run first in first out, raise its priority, lock memory."""
    soft, _ = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    return {
        "fifo": _may(_try_fifo),
        "nice": _may(_try_nice),
        "lock": _may(_try_lock),
        "lock_limit_bytes": None if soft == resource.RLIM_INFINITY else soft,
    }


def _may(attempt: Callable[[], None]) -> bool:
    """Whether `attempt` works, tried in a thread of its own: what it changes ends with that thread."""
    granted = []

    def run() -> None:
        try:
            attempt()
        except OSError:
            return
        granted.append(True)

    thread = threading.Thread(target=run, name="doctor")
    thread.start()
    thread.join()
    return bool(granted)


def _try_fifo() -> None:
    before, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    os.sched_setscheduler(0, before, parameters)


def _try_nice() -> None:
    thread = threading.get_native_id()
    before = os.getpriority(os.PRIO_PROCESS, thread)
    os.setpriority(os.PRIO_PROCESS, thread, before - 1)
    os.setpriority(os.PRIO_PROCESS, thread, before)


def _try_lock() -> None:
    block = np.zeros(1 << 20, np.uint8)
    libc = ctypes.CDLL(None, use_errno=True)
    address, size = ctypes.c_void_p(block.ctypes.data), ctypes.c_size_t(block.nbytes)
    if libc.mlock(address, size):
        raise OSError(ctypes.get_errno(), "mlock")
    libc.munlock(address, size)


# -- measurements -------------------------------------------------------------------------------------


def wake_jitter(wakes: int = 1000, period_ns: int = WAKE_PERIOD_NS) -> Spread:
    """How late a thread wakes that waits for instants on a grid, in the way the runtime waits."""
    spread, nobody = Spread(), SimpleQueue[None]()
    origin_ns = monotonic_ns()
    for k in range(1, wakes + 1):
        due_ns = origin_ns + k * period_ns
        while (left_ns := due_ns - monotonic_ns()) > 0:
            try:
                nobody.get(timeout=left_ns / 1e9)
            except Empty:
                continue
        spread.add(monotonic_ns() - due_ns)
    return spread


def raised_wakes(wakes: int = 1000) -> dict[str, Any] | None:
    """The same in a thread with the highest kind of priority that this process may give; None: with none."""
    best = next((p for p in _RAISED if refusal(p) is None), None)
    if best is None:
        return None
    found: list[Spread] = []

    def run() -> None:
        with ranked(best):
            found.append(wake_jitter(wakes))

    thread = threading.Thread(target=run, name="doctor")
    thread.start()
    thread.join()
    measured = _us(found[0])
    return None if measured is None else {"priority": str(best), **measured}


def invoke_overhead(tiny: Tiny, calls: int = 2000) -> Spread:
    """From submitting a tiny call to being told that it ended, through the hal and its thread."""
    device = driver("iree").open(DeviceConfig("doctor", "local-sync"))
    try:
        executable = device.load(tiny.artefact, [tiny.entry])
        queue, told = device.queue(), SimpleQueue[Completion]()
        inputs = [device.buffer(_tensor(t)) for t in tiny.entry.inputs]
        outputs = [device.buffer(_tensor(t)) for t in tiny.entry.outputs]
        scratch = device.buffer(_zeros(tiny.entry.scratch_bytes)) if tiny.entry.scratch_bytes else None
        call = executable.bind(tiny.entry.name, inputs, outputs, scratch)
        spread = Spread()
        for turn in range(calls + calls // 10):
            began_ns = perf_counter_ns()
            queue.submit(call, done=told.put)
            completion = told.get()
            if turn >= calls // 10:
                spread.add(perf_counter_ns() - began_ns)
            if completion.error is not None:
                raise HalError(f"the tiny module failed: {completion.error}")
        return spread
    finally:
        device.close()


def _tensor(tensor: Tensor) -> np.ndarray:
    return _zeros(tensor.nbytes).view(np.float32).reshape(tensor.shape)


def _zeros(nbytes: int) -> np.ndarray:
    """64-byte aligned zeros."""
    raw = np.zeros(nbytes + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + nbytes]


# -- what to do about it ------------------------------------------------------------------------------


def advice(found: dict[str, Any]) -> list[str]:
    """What is missing, what that costs, and how to mend it; empty if all is well."""
    lines, may, cpu = [], found["rights"], found["cores"]
    if not may["fifo"]:
        lines.append(
            "no right to SCHED_FIFO: any busy process may delay a control tick by milliseconds; "
            "grant `rtprio 99` in /etc/security/limits.conf, or CAP_SYS_NICE"
        )
    if not may["nice"]:
        lines.append("no right to raise priority: grant `nice -20` in limits.conf, or CAP_SYS_NICE")
    if not may["lock"]:
        lines.append(
            "no right to lock memory: a page that was swapped out costs a tick; "
            "grant `memlock unlimited` in limits.conf, or CAP_IPC_LOCK"
        )
    if len(cpu["usable"]) < 2:
        lines.append("one usable core: models and the control tick share it")
    if cpu["siblings"]:
        lines.append(
            f"cores {cpu['siblings']} share a physical core: give two devices cores of different groups"
        )
    if cpu["virtual"] and not cpu["siblings"]:
        lines.append("a virtual machine: cores may share a physical core and be taken away")
    if found["packages"]["iree-base-compiler"] is None:
        lines.append(
            "no IREE compiler: only bundles built for this CPU run; pip install 'polyrhythm[compile]'"
        )
    if found["c_compiler"] is None:
        lines.append("no C compiler: an island is compiled at first use; apt install gcc libc6-dev")
    if (slack_ns := found["timer_slack_ns"]) is not None and slack_ns > 1000:
        lines.append(f"timer slack is {slack_ns // 1000} us: every wait may end that much later; "
                     "threads under SCHED_FIFO have none")  # fmt: skip
    wake = found["times"]["wake_us"]
    if wake is not None and wake["p99"] > 1000:
        lines.append(f"waits end {wake['p99']:.0f} us late (p99): something else keeps the cores busy")
    return lines


def _c_compiler() -> str | None:
    try:
        return compiler_version()
    except NoCompilerError:
        return None


def _available(name: str) -> dict[str, Any]:
    found: dict[str, Any] = {"uris": [], "formats": [], "lacks": [], "error": None}
    try:
        one = driver(name)
        found |= {"formats": list(one.formats), "lacks": list(one.capabilities.lacks)}
        found["uris"] = list(available(name))
    except HalError as error:
        found["error"] = str(error)
    return found


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def _us(spread: Spread) -> dict[str, float] | None:
    found = spread.quantiles()
    if found is None:
        return None
    return {"p50": found.p50_ns / 1e3, "p99": found.p99_ns / 1e3, "max": found.max_ns / 1e3}
