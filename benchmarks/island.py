"""The island under load: from due to command, beside what the same machine gives a loop that does nothing.

In turns, under one load that never pauses (in the process that sends the targets: a runtime whose System 2
saturates every core, allocation and garbage collection, disk): the island at 1 kHz with the balancer's
network; the same with the policy of `examples/prior`, ten million int8 parameters, with one thread and with
two, and before that without load; a bare loop of our own with the same priority, core, period and locked
memory; and `cyclictest` (Debian's rt-tests) where there is one. ``--minutes N`` in all; ``--quick``: 20 s.

Two targets: the ratio of the 99.9 % quantiles, and no period missed, if the island may have SCHED_FIFO. A
virtual machine whose host takes its cores away misses periods whatever runs on it: what bare loop and
`cyclictest` missed in as many rounds, and the time that the host took, stand beside.

The first run builds the policy's bundle, which takes a minute.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Event
from time import perf_counter, sleep

import numpy as np
from measure import Figure, HostTime, cores, finish, parser, planned, quantile

from polyrhythm.bundle import Bundle, open_bundle
from polyrhythm.compile import build, prepare
from polyrhythm.island import LiveIsland, RobotSide, counts_of, ports_path
from polyrhythm.island.build import bare_loop
from polyrhythm.island.counts import quantiles_us
from polyrhythm.island.layout import bin_edges_ns
from polyrhythm.island.settings import signed
from polyrhythm.runtime import Plan, Runtime
from polyrhythm.runtime.island_policy import config_of

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
PRIORITY = 80
PERIOD_NS = 1_000_000
QUANTILES = ("p50", "p99", "p99_9", "max")
MANIFEST = """
devices:
{devices}
orchestration:
  mode: parallel
  modules:
{modules}
  links:
{links}
"""
#: What System 2 looks at, and what it computes of that.
SYSTEM_2 = """
func.func @see(%storage: tensor<512x512xf32> {iree.abi.output = 0 : index},
               %scratch: !hal.buffer {iree.abi.transients}) -> tensor<512x512xf32> {
  %seen = arith.constant dense<0.001> : tensor<512x512xf32>
  return %seen : tensor<512x512xf32>
}
func.func @think(%x: tensor<512x512xf32>, %storage: tensor<512x512xf32> {iree.abi.output = 0 : index},
                 %scratch: !hal.buffer {iree.abi.transients}) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x512xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %y = linalg.matmul ins(%x, %x : tensor<512x512xf32>, tensor<512x512xf32>)
                     outs(%filled : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %y : tensor<512x512xf32>
}
"""


def thinking() -> Plan:
    """System 2 on every core that there is, asked for more than it can do."""
    cores = sorted(os.sched_getaffinity(0))
    devices = [f"  cpu{core}: {{ driver: iree, uri: local-sync, cores: [{core}] }}" for core in cores]
    modules = [
        f"  - {{ id: think{core}, vmfb: s2.vmfb, entry: think, rate_hz: 1000, device: cpu{core} }}"
        for core in cores
    ]
    links = [f"  - {{ from: see.output0, to: think{core}.input0 }}" for core in cores]
    first = f"  - {{ id: see, vmfb: s2.vmfb, entry: see, rate_hz: 1, device: cpu{cores[0]} }}"
    text = MANIFEST.format(
        devices="\n".join(devices), modules="\n".join([first, *modules]), links="\n".join(links)
    )
    return planned(SYSTEM_2, "s2.vmfb", text)


def allocate(over: Event) -> None:
    """Big arrays and circular garbage."""
    while not over.is_set():
        held = [np.ones(1 << 20) for _ in range(8)]
        for _ in range(20_000):
            ring: list[object] = []
            ring.append(ring)
        gc.collect()
        del held


def write(over: Event) -> None:
    """Files, written through."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        while not over.is_set():
            with (Path(folder) / "file").open("wb") as file:
                file.write(os.urandom(4 << 20))
                file.flush()
                os.fsync(file.fileno())


@contextmanager
def load() -> Iterator[None]:
    """Everything that a runtime may do wrong, at once, in the process that hosts it and sends the targets."""
    over = Event()
    with Runtime(thinking()) as runtime, ThreadPoolExecutor(3) as threads:
        running = [
            threads.submit(runtime.run, seconds=86_400),
            *(threads.submit(work, over) for work in (allocate, write)),
        ]
        try:
            sleep(2)
            yield
        finally:
            over.set()
            runtime.stop()
        outcome, *_ = [each.result() for each in running]
    for name, module in outcome.modules.items():
        if not module.finished:
            raise SystemExit(f"there was no load: {name} has not run")


class Histogram:
    """Bins of the island's kind, over several rounds."""

    def __init__(self) -> None:
        self.bins: np.ndarray | None = None
        self.max_ns = 0

    def add(self, bins: np.ndarray, max_ns: int) -> None:
        """Add a round."""
        self.bins = bins.astype(np.int64) if self.bins is None else self.bins + bins.astype(np.int64)
        self.max_ns = max(self.max_ns, max_ns)

    @property
    def missed(self) -> int:
        """How many periods of a millisecond went by unseen."""
        assert self.bins is not None
        return int((self.bins * (bin_edges_ns()[:-1] // PERIOD_NS)).sum())

    def quantiles(self) -> dict[str, float]:
        """In microseconds."""
        found = None if self.bins is None else quantiles_us(self.bins, self.max_ns)
        assert found is not None
        return found


@dataclass
class Played:
    """What an island has counted, over several rounds."""

    response: Histogram = field(default_factory=Histogram)
    execution: Histogram = field(default_factory=Histogram)
    missed: int = 0
    runs: int = 0
    late: int = 0
    dropped: int = 0
    lost: set[str] = field(default_factory=set)

    def round(self, bundle: Bundle, core: int, seconds: float, second: int = -1) -> None:
        """The bundle's island with a robot that stands still, its loop as it is on the balancer."""
        config = config_of(bundle)
        config["core"], config["priority"], config["policy_second"] = core, PRIORITY, second
        config["blind_ns"] = 1 << 50  # whoever sends the state shares its core with the load
        island = LiveIsland.open(ports_path("benchmark"), signed(config))
        try:
            side, end = RobotSide(island.ports), perf_counter() + seconds
            while perf_counter() < end:
                side.send((0.0, 0.0), (0.0, 0.0), [0.0] * 7)
                island.target((0.0, 0.0), (0.0, 0.0))
                sleep(0.005)
            counts = island.ports.read_record("counts")
        finally:
            island.stop()
        self.response.add(counts["response"], int(counts["response_max_ns"]))
        self.execution.add(counts["execution"], int(counts["execution_max_ns"]))
        told = counts_of(counts)
        self.missed += told["missed"]
        self.runs += told["policy"]["runs"]
        self.late += told["policy"]["late"]
        self.dropped += told["policy"]["dropped"]
        self.lost.update(told["lost"])


def prior() -> Bundle:
    """The bundle of `examples/prior`, built where there is none of these sources yet."""
    made_from = [*sorted((EXAMPLES / "prior").glob("*.*")), *sorted((EXAMPLES / "three_rates").glob("*.*"))]
    digest = sha256(b"".join(path.read_bytes() for path in made_from)).hexdigest()[:12]
    place = ROOT / "out" / f"prior-{digest}"
    if not place.exists():
        print(f"building {place}", file=sys.stderr)
        place.parent.mkdir(exist_ok=True)
        build(EXAMPLES / "prior" / "policy.py", place, portable=True)
    if (bundle := open_bundle(place)).missing:
        prepare(bundle)
    return open_bundle(place)


def bare_round(core: int, seconds: float, found: Histogram) -> None:
    """Our own loop that does nothing."""
    command = [str(bare_loop()), "1000000", str(round(seconds)), str(core), str(PRIORITY)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    found.add(np.array(said[1:], np.int64), int(said[0]))


def cyclictest_round(core: int, seconds: float, found: list[int]) -> None:
    """Latencies of `cyclictest` in whole microseconds, a count for each."""
    command = [
        "cyclictest", "-q", "-m", "-t1", "-i1000", f"-a{core}", f"-p{PRIORITY}", f"-D{round(seconds)}",
        "-h100000",
    ]  # fmt: skip
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for at, times in re.findall(r"^(\d+)\s+(\d+)$", said, re.M):
        found += [int(at)] * int(times)


def quantile_figures(name: str, found: dict[str, float]) -> list[Figure]:
    """One for each quantile, in microseconds."""
    return [Figure(f"{name}, {q.replace('_', '.')}", found[q], "us") for q in QUANTILES]


def prior_figures(name: str, alone: Played, loaded: Played) -> Iterator[Figure]:
    """What the policy of ten million parameters takes, and what became of its runs."""
    for how, played in (("before the load", alone), ("loaded", loaded)):
        yield from quantile_figures(f"{name}, a period's work, {how}", played.execution.quantiles())
        whole = f"of {played.runs + played.dropped}"
        yield Figure(f"{name}, given up, {how}", played.dropped, whole)
        yield Figure(f"{name}, periods missed, {how}", played.missed, whole)


def main() -> int:
    """Measure in turns."""
    arguments = parser("The island under load, beside cyclictest.")
    arguments.add_argument("--minutes", type=float, default=1.0, help="how long to measure in all")
    options = arguments.parse_args()
    (other, core), seconds = cores(), 20.0 if options.quick else 60 * options.minutes
    has_cyclictest = shutil.which("cyclictest") is not None
    turn_s = 2.0 if options.quick else 10.0
    rounds = max(1, round(seconds / turn_s / (5 if has_cyclictest else 4)))
    plain, large, alone, pair, pair_alone = (Played() for _ in range(5))
    second = -1 if other == core else other
    bare, cyclic = Histogram(), list[int]()
    bundle = open_bundle(EXAMPLES / "three_rates" / "bundle")
    policy = prior()
    alone.round(policy, core, turn_s)
    pair_alone.round(policy, core, turn_s, second)
    host = HostTime()
    with load():
        for _ in range(rounds):
            plain.round(bundle, core, turn_s)
            bare_round(core, turn_s, bare)
            large.round(policy, core, turn_s)
            pair.round(policy, core, turn_s, second)
            if has_cyclictest:
                cyclictest_round(core, turn_s, cyclic)
    taken = host.figure()
    ours, theirs = plain.response.quantiles(), bare.quantiles()
    figures = quantile_figures("island, due to command", ours) + quantile_figures(
        "bare loop, wake-up", theirs
    )
    reference, name = theirs["p99_9"], "the bare loop"
    if cyclic:
        shares = {"p50": 0.5, "p99": 0.99, "p99_9": 0.999, "max": 1.0}
        found = {q: float(quantile(cyclic, share)) for q, share in shares.items()}
        figures += quantile_figures("cyclictest", found)
        reference, name = found["p99_9"], "cyclictest"
        passed = sum(at * 1000 // PERIOD_NS for at in cyclic)
        figures.append(Figure("periods missed, cyclictest", passed, f"in {rounds} rounds"))
    figures += prior_figures("10 M parameters", alone, large)
    if second >= 0:
        figures += prior_figures("10 M parameters, two threads", pair_alone, pair)
    figures.append(taken)
    figures.append(Figure("periods missed, bare loop", bare.missed, f"in {rounds} rounds"))
    for right in sorted(plain.lost | large.lost | pair.lost):
        print(f"without {right}", file=sys.stderr)
    fifo = "fifo" not in plain.lost
    figures.append(
        Figure("periods missed, island", plain.missed, f"in {rounds} rounds", 0.0 if fifo else None)
    )
    figures.append(Figure(f"p99.9, island over {name}", ours["p99_9"] / reference, "x", 1.5))
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
