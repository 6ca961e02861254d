"""Static plans against IREE's virtual machine: what a dispatch costs beside its kernel, and the same bits.

A chain of 200 small dispatches and the flow head of `examples/flow_policy`, each run by the C runner, by the
VM on ``local-sync`` and by the VM on ``local-task``, in turns on one core, in one process. A chain of 200
kernels that do nothing tells what the runner itself costs; what is left of the real chain is the kernels' own
time.

A timer raises the preemption flag at instants all over a run, which ends with the step that is under way.
Kernels that write down when they end tell what is added to that.

Then every entry of every module of every example, on inputs drawn at random: the plan's outputs have to be
those of the VM, byte for byte. A quick run leaves out the examples that have no bundle in the repository.
Who is left out, and what can't be planned, is told with the reason.
"""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import iree.runtime as rt
import numpy as np
from example_bundles import bundles
from measure import Figure, arguments, cores, finish, pinned, quantile

from polyrhythm.bundle import Bundle, Entry, Tensor, open_bundle
from polyrhythm.bundle.machine_code import compiler_version
from polyrhythm.compile import plan_file, prepare
from polyrhythm.compile.iree_compiler import compile_source
from polyrhythm.compile.machine import compile_here, plan_here
from polyrhythm.compile.static_plan import plan_source
from polyrhythm.hal import DeviceConfig, driver, native
from polyrhythm.hal.binding import address, in_place
from polyrhythm.hal.drivers import static
from polyrhythm.hal.drivers.static_native import Plan, PlanModule, library
from polyrhythm.memory import Arena, footprint

LENGTH, WIDTH = 200, 16
SPINS, SPIN_US = 20, 20.0
EMPTY, CHAIN, HEAD = "200 empty kernels", "chain of 200", "flow head"
VM = ("local-sync", "local-task")


def chain() -> str:
    """`LENGTH` products of a vector with a matrix, one after the other."""
    lines = [
        f"""  %e{i} = tensor.empty() : tensor<{WIDTH}xf32>
  %f{i} = linalg.fill ins(%zero : f32) outs(%e{i} : tensor<{WIDTH}xf32>) -> tensor<{WIDTH}xf32>
  %x{i + 1} = linalg.matvec ins(%w, %x{i} : tensor<{WIDTH}x{WIDTH}xf32>, tensor<{WIDTH}xf32>)
                            outs(%f{i} : tensor<{WIDTH}xf32>) -> tensor<{WIDTH}xf32>"""
        for i in range(LENGTH)
    ]
    return "\n".join(
        [
            f"func.func @chain(%x0: tensor<{WIDTH}xf32>, %w: tensor<{WIDTH}x{WIDTH}xf32>,",
            f"    %out: tensor<{WIDTH}xf32> {{iree.abi.output = 0 : index}},",
            f"    %scratch: !hal.buffer {{iree.abi.transients}}) -> tensor<{WIDTH}xf32> {{",
            "  %zero = arith.constant 0.0 : f32",
            *lines,
            f"  return %x{LENGTH} : tensor<{WIDTH}xf32>\n}}",
        ]
    )


def probe_library() -> Path:
    return native.compile_c([Path(__file__).with_name("static_probe.c"), *native.RUNNER], name="probe")


@cache
def probe() -> ctypes.CDLL:
    """The part that is written in C; the runner's own functions are in it as well."""
    found = ctypes.CDLL(str(probe_library()))
    found.probe_runs.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
    found.probe_preemption.argtypes = (
        ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p,
    )  # fmt: skip
    return found


def probed(function: Any, plan: Plan, *values: int, n: int) -> np.ndarray:
    """What a function of the probe writes down, u64 ``[n]``."""
    found = np.zeros(n, np.uint64)
    if code := function(plan.handle, n, *values, address(found)):
        raise SystemExit(f"a run failed with {code}")
    return found


@dataclass
class Bound:
    """One entry with memory of its own, on one device."""

    executable: Any
    call: Any
    inputs: Mapping[str, np.ndarray]
    outputs: Mapping[str, np.ndarray]

    @classmethod
    def of(cls, device: Any, executable: Any, entry: Entry) -> Bound:
        entry = executable.entries[entry.name]
        arena = Arena(footprint([*entry.inputs, *entry.outputs, max(64, entry.scratch_bytes)]), entry.name)
        inputs = {t.name: arena.take("bench", "input", t) for t in entry.inputs}
        shared = in_place(entry)
        outputs = {
            t.name: inputs[entry.inputs[shared[i]].name] if i in shared else arena.take("bench", "output", t)
            for i, t in enumerate(entry.outputs)
        }
        scratch = (
            device.buffer(arena.take("bench", "s", entry.scratch_bytes)) if entry.scratch_bytes else None
        )
        sources, sinks = (list(map(device.buffer, group.values())) for group in (inputs, outputs))
        return cls(executable, executable.bind(entry.name, sources, sinks, scratch), inputs, outputs)

    @property
    def plan(self) -> Plan:
        found: Plan = self.call.plan
        return found

    def vm(self) -> Callable[[], None]:
        """The bare invocation of the virtual machine."""
        invoke, (function, given, results) = self.executable.invoke(-1), self.call.bare
        vm_list = rt.VmVariantList
        return lambda: invoke(function, given, vm_list(results))


# -- overhead ------------------------------------------------------------------------------------------------


def artificial(place: Path) -> tuple[Plan, Plan, np.ndarray]:
    """`LENGTH` kernels that do nothing, `SPINS` that take `SPIN_US`, and where these write when they end."""
    kernels = probe_library().read_bytes()
    b = plan_file.Binding
    state = [b(0, 64, plan_file.STATE), b(64, 64, plan_file.STATE), b(128, 64, plan_file.STATE)]
    nothing = plan_file.PlanStep(plan_file.DISPATCH, state, 0, (1, 1, 1), (1, 2))
    output = [b(0, 8, plan_file.OUTPUT)]
    spin = plan_file.PlanStep(plan_file.DISPATCH, output, 1, (1, 1, 1), (int(SPIN_US * 1000),))
    ended = plan_file.PlanTensor("ended_ns", "u64[1]", 8)
    content = plan_file.PlanFile(
        compiler_version(), os.uname().machine, [], kernels, [("probe", 0, len(kernels))],
        [(0, "nothing"), (0, "spin")], [],
        [
            plan_file.PlanEntry(""),
            plan_file.PlanEntry("nothing", steps=[nothing] * LENGTH),
            plan_file.PlanEntry("spin", outputs=[ended], steps=[spin] * SPINS),
        ], 192, b"",
    )  # fmt: skip
    path = place / "artificial.plan"
    path.write_bytes(plan_file.dumps(content))
    path.with_suffix(".so").write_bytes(kernels)
    module = PlanModule(path)
    spinning, clock = Plan(module, "spin"), Arena(64).take("bench", "clock", Tensor("ended_ns", "u64", (1,)))
    spinning.bind([], [clock], None)
    return Plan(module, "nothing"), spinning, clock


def chain_bound(place: Path) -> dict[str, Bound]:
    entry = Entry(
        "chain",
        (Tensor("x", "f32", (WIDTH,)), Tensor("w", "f32", (WIDTH, WIDTH))),
        (Tensor("y", "f32", (WIDTH,)),),
    )
    made = plan_source(chain(), where="chain", entries=[entry])
    path = place / "chain.plan"
    path.write_bytes(made.plan)
    path.with_suffix(".so").write_bytes(made.library)
    theirs = compile_source(chain(), where="chain")
    module = place / "chain.vmfb"
    module.write_bytes(theirs.content)
    found = {}
    for name in ("static", *VM):
        device = driver("iree").open(DeviceConfig(name, name)) if name in VM else static_device()
        nbytes = (theirs if name in VM else made).scratch_bytes["chain"]
        executable = device.load(module if name in VM else path, [replace(entry, scratch_bytes=nbytes)])
        found[name] = bound = Bound.of(device, executable, entry)
        rng = np.random.default_rng(0)
        bound.inputs["x"][:] = rng.random(WIDTH)
        bound.inputs["w"][:] = rng.random((WIDTH, WIDTH)) / WIDTH
    return found


def static_device() -> Any:
    return static.driver.open(DeviceConfig("static", "local-sync"))


def times_us(run: Callable[[], None], n: int) -> list[float]:
    found = []
    for _ in range(n):
        begun = time.perf_counter_ns()
        run()
        found.append((time.perf_counter_ns() - begun) / 1e3)
    return found


def race(bound: Mapping[str, Bound], rounds: int, n: int) -> dict[str, float]:
    """Microseconds of a run, by who runs it: the best round's median, since a neighbour can only add."""
    loops: dict[str, Callable[[int], Sequence[float]]] = {
        "C": lambda count: probed(probe().probe_runs, bound["static"].plan, n=count) / 1e3,
        "Python": lambda count: times_us(bound["static"].plan.run, count),
    }
    for uri in VM:
        run = bound[uri].vm()
        loops[uri] = lambda count, run=run: times_us(run, count)  # type: ignore[misc]
    found: dict[str, list[float]] = {name: [] for name in loops}
    for _ in range(rounds):
        for name, loop in loops.items():
            loop(max(3, n // 10))
            found[name].append(quantile(sorted(loop(n)), 0.5))
    return {name: min(values) for name, values in found.items()}


def overhead(quick: bool) -> Iterator[Figure]:
    rounds, n = (12, 200) if quick else (60, 500)
    with tempfile.TemporaryDirectory() as name, pinned(cores()[1]):
        place = Path(name)
        empty, spinning, clock = artificial(place)
        idle = [quantile(sorted(probed(probe().probe_runs, empty, n=n)), 0.5) for _ in range(rounds)]
        per_dispatch_ns = min(idle) / LENGTH
        bound = chain_bound(place)
        us = race(bound, rounds, n)
        kernels_us = us["C"] - per_dispatch_ns * LENGTH / 1e3
        for who, value in us.items():
            yield Figure(f"{CHAIN}, {who}", value, "us")
        yield Figure(f"{CHAIN}, kernels alone", kernels_us, "us")
        yield Figure(f"{EMPTY}: a dispatch beyond its kernel", per_dispatch_ns, "ns", 25)
        ours_us = us["Python"] - kernels_us
        for uri in VM:
            ratio = (us[uri] - kernels_us) / ours_us
            yield Figure(f"{CHAIN}: overhead of {uri} over the plan's", ratio, "x", 6, at_least=True)
        # The last step is left out: after it there is nothing to give way from.
        most_ns = int((SPINS - 1) * SPIN_US * 1000)
        beyond = probed(probe().probe_preemption, spinning, most_ns, address(clock), n=10 * n) / 1e3
        waits = sorted(beyond[beyond > 0])
        if len(waits) < n:
            raise SystemExit("the machine is too busy to measure preemption")
        yield Figure("from the end of the running step to the return, p50", quantile(waits, 0.5), "us")
        yield Figure("from the end of the running step to the return, p99", quantile(waits, 0.99), "us", 1)


# -- the same bits, and giving way ---------------------------------------------------------------------------


@dataclass
class Twin:
    """An entry of an example on the VM and as a plan."""

    name: str
    entry: Entry
    vm: Bound
    plan: Bound
    #: The same on the VM with a worker thread.
    task: Callable[[], Bound]


def twins(name: str, bundle: Bundle, refused: list[str]) -> Iterator[Twin]:
    """Every entry that has a plan; those that have none are added to `refused`, with the reason."""
    prepare(bundle)
    bundle = open_bundle(bundle.root)
    vm, planned = driver("iree").open(DeviceConfig("vm", "local-sync")), static_device()
    for artefact, module in bundle.modules.items():
        locked = module
        if locked.source is None:
            refused.append(f"{name} {artefact}: no plan: it has no portable source")
            print(refused[-1], file=sys.stderr)
            continue
        text = (bundle.root / locked.source).read_text()
        code = plan_here(text, where=locked.source)
        if artefact not in bundle.run_as_code:  # runs as a plan only, so `prepare` makes no machine code
            made = compile_here(text, where=locked.source)
            bundle.artefacts[artefact] = made.path
            locked = locked.with_code(made.compiled.scratch_bytes, None)
        weights = [bundle.root / file for file in locked.parameters.files]
        arenas = [
            replace(e, scratch_bytes=code.scratch_bytes.get(e.name, e.scratch_bytes))
            for e in locked.entries.values()
        ]
        entries = list(locked.entries.values())
        packed = [bundle.packed[artefact]] if artefact in bundle.packed else weights
        given = (bundle.artefacts[artefact], entries, packed)
        theirs = vm.load(*given)
        ours = planned.load(code.path, arenas, weights)
        for entry in locked.entries.values():
            if entry.name in code.refused:
                refused.append(f"{name} {entry.name}: no plan: {code.refused[entry.name]}")
                print(refused[-1], file=sys.stderr)
                continue

            def task(entry: Entry = entry, given: Any = given) -> Bound:
                device = driver("iree").open(DeviceConfig("task", "local-task"))
                return Bound.of(device, device.load(*given), entry)

            pair = Bound.of(vm, theirs, entry), Bound.of(planned, ours, entry)
            yield Twin(f"{name} {entry.name}", entry, *pair, task)


def draw(twin: Twin, rng: np.random.Generator, denormal: bool) -> None:
    """The same inputs for both: numbers of all sizes, and small indices."""
    for tensor in twin.entry.inputs:
        if tensor.dtype.startswith("f"):
            scale = 1e-39 if denormal else 10.0 ** rng.integers(-3, 2)
            value = rng.standard_normal(tensor.shape) * scale
        else:
            value = rng.integers(1, 8, tensor.shape)
        for bound in (twin.vm, twin.plan):
            bound.inputs[tensor.name][...] = value


def differences(twin: Twin, rounds: int) -> int:
    """How many of so many draws gave other bytes."""
    rng, found = np.random.default_rng(0), 0
    run = twin.vm.vm()
    for index in range(rounds):
        draw(twin, rng, denormal=index % 20 == 19)
        run()
        twin.plan.plan.run()
        found += any(
            twin.vm.outputs[name].tobytes() != twin.plan.outputs[name].tobytes() for name in twin.vm.outputs
        )
    return found


def giving_way(twin: Twin, n: int) -> Iterator[Figure]:
    """How long the flag waits in a real plan, beside its longest step."""
    plan = twin.plan.plan
    with pinned(cores()[1]):
        steps_us = np.array([plan.steps_ns() for _ in range(max(50, n // 10))]) / 1e3
        longest_us = float(np.percentile(steps_us, 99, axis=0).max())
        whole_us = float(np.median(steps_us.sum(axis=1)))
        wait_us = probed(probe().probe_preemption, plan, int(whole_us * 900), 0, n=n) / 1e3
    waits = sorted(wait_us[wait_us > 0])
    if len(waits) >= n // 20:
        yield Figure(f"{HEAD}: longest step, p99", longest_us, "us")
        yield Figure(f"{HEAD}: wait of the flag, p50", quantile(waits, 0.5), "us")
        yield Figure(f"{HEAD}: wait of the flag, p99", quantile(waits, 0.99), "us")


def main() -> int:
    args = arguments(__doc__ or "")
    library()
    figures = list(overhead(args.quick))
    rounds = 50 if args.quick else 1000
    compared, wrong, refused = 0, 0, list[str]()
    with tempfile.TemporaryDirectory() as name:
        for example, bundle in bundles(Path(name), args.quick):
            for twin in twins(example, bundle, refused):
                found = differences(twin, rounds)
                if found:
                    print(f"{twin.name}: {found} of {rounds} differ", file=sys.stderr)
                compared, wrong = compared + 1, wrong + found
                if twin.name == "flow_policy step":
                    racers = {"static": twin.plan, "local-sync": twin.vm, "local-task": twin.task()}
                    with pinned(cores()[1]):
                        us = race(racers, 5 if args.quick else 20, 20)
                    figures += [Figure(f"{HEAD}, {who}", value, "us") for who, value in us.items()]
                    figures += giving_way(twin, 400 if args.quick else 4000)
    figures.append(Figure("entries of examples compared", compared, "", 1, at_least=True))
    figures.append(Figure("entries that cannot be planned", len(refused), ""))
    figures.append(Figure(f"draws of {rounds} for each entry with other bytes", wrong, "", 0))
    return finish(figures, args.json)


if __name__ == "__main__":
    sys.exit(main())
