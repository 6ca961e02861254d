"""What a stage costs beside its own work.

Bare `VmContext.invoke` and the same stage through a hal queue alternate in short rounds in one process, on
the same core. A round's overhead is the difference of the quantiles; the figure is the median over rounds.

Three ways to keep a queue going:

``from done``
    the completion callback submits the next stage. No change of threads, and what the targets are for.
``fed``
    the queue holds all stages from the start: the gap between two stages that were both submitted in time.
``event loop``
    another thread takes the completion from a queue of its own and submits. Two wake-ups of threads for
    every stage, which the operating system sets the price of: the same figure for bare threads stands beside.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import pbkdf2_hmac
from itertools import cycle, pairwise
from queue import SimpleQueue
from statistics import fmean, median
from time import monotonic_ns, sleep
from typing import Any

import iree.runtime as rt
from measure import Figure, arguments, compiled, cores, finish, over_rounds, pinned
from through_scheduler import scheduled, tick_overhead

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import Call, Completion, Device, DeviceConfig, Fence, Queue, driver
from polyrhythm.memory import Arena

#: A stage of next to no work, and one of about a millisecond.
SOURCE = """
module @stages {
func.func @tiny(%a: tensor<4xf32>, %b: tensor<4xf32>,
                %storage: tensor<4xf32> {iree.abi.output = 0 : index},
                %scratch: !hal.buffer {iree.abi.transients}) -> tensor<4xf32> {
  %sum = arith.addf %a, %b : tensor<4xf32>
  return %sum : tensor<4xf32>
}
func.func @work(%a: tensor<SIZExf32>, %b: tensor<SIZExf32>,
                %storage: tensor<SIZExf32> {iree.abi.output = 0 : index},
                %scratch: !hal.buffer {iree.abi.transients}) -> tensor<SIZExf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<SIZExf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<SIZExf32>) -> tensor<SIZExf32>
  %product = linalg.matmul ins(%a, %b : tensor<SIZExf32>, tensor<SIZExf32>)
                           outs(%init : tensor<SIZExf32>) -> tensor<SIZExf32>
  return %product : tensor<SIZExf32>
}
}
"""
SIZE = 320


@dataclass
class Setup:
    """A device on its core with both stages bound, and the same stages bare.

    The larger one is bound twice, to memory of its own each time, and everybody runs the two in turns: they
    stand for two modules, which do not find each other's numbers in the cache.
    """

    host_core: int
    device_core: int
    device: Device
    queue: Queue
    calls: dict[str, Iterator[Call]]
    bare: dict[str, Callable[[], None]] = field(default_factory=dict)


def set_up(uri: str = "local-sync") -> Setup:
    """Compile, load and bind."""
    host, core = cores()
    device = driver("iree").open(DeviceConfig("bench", uri, (core,)))
    shapes = {"tiny": (4,), "work": (SIZE, SIZE)}
    entries = [
        Entry(name, (Tensor("a", "f32", shape), Tensor("b", "f32", shape)), (Tensor("y", "f32", shape),))
        for name, shape in shapes.items()
    ]
    executable = device.load(compiled(SOURCE.replace("SIZE", f"{SIZE}x{SIZE}")), entries)
    arena = Arena(1 << 23)
    calls: dict[str, list[Call]] = {"tiny": [], "work": []}
    for entry in (*entries, entries[-1]):
        views = [
            device.buffer(arena.take(entry.name, "io", tensor)) for tensor in (*entry.inputs, *entry.outputs)
        ]
        calls[entry.name].append(executable.bind(entry.name, views[:2], views[2:], None))
    setup = Setup(host, core, device, device.queue(), {name: cycle(bound) for name, bound in calls.items()})
    for name, bound in calls.items():
        for call in bound:
            setup.queue.submit(call).wait()
        setup.bare[name] = in_turns([bare_invoke(executable, call) for call in bound])
    return setup


def in_turns(stages: list[Callable[[], None]]) -> Callable[[], None]:
    """One that runs the next of them each time."""
    if len(stages) == 1:
        return stages[0]
    turns = cycle(stages)

    def run() -> None:
        next(turns)()

    return run


def bare_invoke(executable: Any, call: Any) -> Callable[[], None]:
    """The stage as plain IREE: an argument list made before, a result list for each call."""
    invoke, (function, arguments, results) = executable.invoke(-1), call.bare
    vm_list = rt.VmVariantList
    return lambda: invoke(function, arguments, vm_list(results))


def bare_ns(setup: Setup, name: str, count: int) -> list[int]:
    """Time from the end of one bare invocation to the end of the next."""
    call, times = setup.bare[name], [0] * (count + 1)
    with pinned(setup.device_core):
        for index in range(count + 1):
            call()
            times[index] = monotonic_ns()
    return [after - before for before, after in pairwise(times)]


def fed_ns(setup: Setup, name: str, count: int) -> list[int]:
    """Time between the ends of stages that were all submitted before the first began."""
    ends: list[Completion] = []
    gate, calls = setup.device.timeline(), setup.calls[name]
    setup.queue.submit(next(calls), wait=Fence(((gate, 1),)), done=ends.append)
    for _ in range(count):
        setup.queue.submit(next(calls), done=ends.append)
    last = setup.queue.submit(next(calls))
    gate.signal(1)
    last.wait()
    return periods(ends)


def from_done_ns(setup: Setup, name: str, count: int, in_flight: int = 1) -> list[int]:
    """Time between the ends of stages, each submitted by the completion of an earlier one."""
    ends: list[Completion] = []
    finished = threading.Event()
    submit, calls = setup.queue.submit, setup.calls[name]

    def done(completion: Completion) -> None:
        ends.append(completion)
        if len(ends) <= count:
            submit(next(calls), done=done)
        elif len(ends) == count + in_flight:
            finished.set()

    for _ in range(in_flight):
        submit(next(calls), done=done)
    finished.wait()
    return periods(ends[: count + 1])


def event_loop_ns(setup: Setup, name: str, count: int, in_flight: int = 1) -> list[int]:
    """Time between the ends of stages, each submitted by this thread when it has heard of an earlier one."""
    told: SimpleQueue[Completion] = SimpleQueue()
    submit, calls, ends = setup.queue.submit, setup.calls[name], list[Completion]()
    with pinned(setup.host_core):
        for _ in range(in_flight):
            submit(next(calls), done=told.put)
        for _ in range(count):
            ends.append(told.get())
            submit(next(calls), done=told.put)
        for _ in range(in_flight):
            ends.append(told.get())
    return periods(ends[: count + 1])


def paced_bare_ns(setup: Setup, count: int) -> list[int]:
    """The tiny stage invoked bare by a thread that sleeps 5 ms in between."""
    call, times = setup.bare["tiny"], []
    with pinned(setup.device_core):
        for _ in range(count):
            sleep(0.005)
            start = monotonic_ns()
            call()
            times.append(monotonic_ns() - start)
    return times


def thread_hop_ns(setup: Setup, count: int) -> list[int]:
    """There and back between two bare threads: what two wake-ups cost without any hal."""
    there: SimpleQueue[int | None] = SimpleQueue()
    back: SimpleQueue[int] = SimpleQueue()

    def echo() -> None:
        with pinned(setup.device_core):
            while (value := there.get()) is not None:
                back.put(value)

    thread = threading.Thread(target=echo)
    thread.start()
    times = []
    with pinned(setup.host_core):
        for index in range(count):
            start = monotonic_ns()
            there.put(index)
            back.get()
            times.append(monotonic_ns() - start)
    there.put(None)
    thread.join()
    return times


def submit_ns(setup: Setup, count: int) -> list[int]:
    """What `submit` costs its caller while the device is busy."""
    gate, call, times = setup.device.timeline(), next(setup.calls["tiny"]), []
    fence = setup.queue.submit(call, wait=Fence(((gate, 1),)))
    with pinned(setup.host_core):
        for _ in range(count):
            start = monotonic_ns()
            fence = setup.queue.submit(call)
            times.append(monotonic_ns() - start)
    gate.signal(1)
    fence.wait()
    return times


def periods(ends: list[Completion]) -> list[int]:
    """Time from each end to the next; a failed stage fails the benchmark."""
    failed = [completion.error for completion in ends if completion.error is not None]
    if failed:
        raise SystemExit(failed[0])
    return [after.ended_ns - before.ended_ns for before, after in pairwise(ends)]


def hal_overhead(setup: Setup, rounds: int, count: int) -> list[Figure]:
    """Overhead for each stage of next to no work."""
    modes = {"from done": from_done_ns, "fed": fed_ns, "event loop": event_loop_ns}
    bare: list[list[int]] = []
    differences: dict[tuple[str, float], list[list[float]]] = {(m, q): [] for m in modes for q in (0.5, 0.99)}
    for _ in range(rounds):
        bare.append(bare_ns(setup, "tiny", count))
        for mode, measure in modes.items():
            through = measure(setup, "tiny", count)
            for q in (0.5, 0.99):
                difference = over_rounds([through], q) - over_rounds([bare[-1]], q)
                differences[mode, q].append([difference])
    targets = {("from done", 0.5): 5.0, ("from done", 0.99): 15.0}
    figures = [Figure("bare invoke p50", over_rounds(bare, 0.5) / 1e3, "us")]
    for (mode, q), values in differences.items():
        name = f"hal overhead per stage, {mode}, p{q * 100:.0f}"
        figures.append(Figure(name, over_rounds(values, 0.5) / 1e3, "us", targets.get((mode, q))))
    hops = [thread_hop_ns(setup, count) for _ in range(rounds)]
    figures.append(Figure("two bare threads, there and back, p50", over_rounds(hops, 0.5) / 1e3, "us"))
    paced = [paced_bare_ns(setup, 100) for _ in range(3)]
    figures.append(Figure("bare invoke, paced at 200 a second, p50", over_rounds(paced, 0.5) / 1e3, "us"))
    submits = [submit_ns(setup, count) for _ in range(rounds)]
    figures.append(Figure("submit returns after, device busy, p50", over_rounds(submits, 0.5) / 1e3, "us"))
    return figures


def telling_ns(setup: Setup, count: int) -> list[int]:
    """As `bare_ns` with the larger stage, but another thread on the other core is told of every end.

    What any runtime that decides outside the device's thread pays at least: a wake-up for each stage.
    """
    told: SimpleQueue[int | None] = SimpleQueue()
    call, times = setup.bare["work"], list[int]()

    def listen() -> None:
        with pinned(setup.host_core):
            while told.get() is not None:
                pass

    thread = threading.Thread(target=listen)
    thread.start()
    with pinned(setup.device_core):
        for _ in range(count + 1):
            call()
            times.append(monotonic_ns())
            told.put(times[-1])
    told.put(None)
    thread.join()
    return [after - before for before, after in pairwise(times)]


def beside_ns(setup: Setup, count: int) -> list[int]:
    """As `bare_ns` with the larger stage, while another thread computes on the other core, outside Python.

    Cores that share what computes (two threads of one, as a virtual machine's often are) slow each other:
    so much of every moment that a runtime works beside the device is lost to the device.
    """
    over = threading.Event()

    def compute() -> None:
        with pinned(setup.host_core):
            while not over.is_set():
                pbkdf2_hmac("sha256", b"work", b"beside", 5_000)

    thread = threading.Thread(target=compute)
    thread.start()
    times = bare_ns(setup, "work", count)
    over.set()
    thread.join()
    return times


def throughput(setup: Setup, source: str, rounds: int) -> list[Figure]:
    """Rate of a stage of about a millisecond with two in flight, against the bare loop's.

    The speed of a shared machine moves by far more than what is looked for, so every short run stands between
    two of the bare loop and is compared with these; the figure is the median of the ratios.
    """

    def bare() -> float:
        return fmean(bare_ns(setup, "work", 40))

    runs: dict[str, Callable[[], list[int]]] = {
        "through the scheduler": scheduled(source),
        "from done": lambda: from_done_ns(setup, "work", 80, in_flight=2),
        "event loop": lambda: event_loop_ns(setup, "work", 80, in_flight=2),
        "telling": lambda: telling_ns(setup, 80),
        "beside": lambda: beside_ns(setup, 80),
    }
    shares: dict[str, list[float]] = {name: [] for name in runs}
    bares = [bare()]
    for _ in range(rounds):
        for name, run in runs.items():
            period_ns = fmean(run())
            bares.append(bare())
            shares[name].append(100 * (bares[-2] + bares[-1]) / 2 / period_ns)
    share = {name: median(values) for name, values in shares.items()}
    unit = "% of bare"
    return [
        Figure("bare stage, mean", median(bares) / 1e6, "ms"),
        Figure("throughput, bare loop that tells another thread", share["telling"], unit),
        Figure("throughput, bare loop while the other core computes", share["beside"], unit),
        Figure("throughput, event loop, 2 in flight", share["event loop"], unit),
        Figure("throughput, from done, 2 in flight", share["from done"], unit, 98.0, True),
        Figure(
            "throughput through the scheduler, 2 in flight", share["through the scheduler"], unit, 98.0, True
        ),
    ]


def main() -> int:
    """Run all."""
    options = arguments("Overhead of a stage over a bare invocation.")
    setup = set_up()
    figures = hal_overhead(setup, 10 if options.quick else 40, 500)
    by_name = {figure.name: figure.value for figure in figures}
    source = SOURCE.replace("SIZE", f"{SIZE}x{SIZE}")
    figures += tick_overhead(source, by_name["bare invoke p50"], 3 if options.quick else 10)
    figures += throughput(setup, source, 20 if options.quick else 100)
    setup.device.close()
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
