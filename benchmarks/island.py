"""The island under load: from due to command, beside what the same machine gives a loop that does nothing.

In turns, under one load that never pauses (computing on every core, allocation and garbage collection, disk):
the island at 1 kHz with the balancer's network, and `cyclictest` (Debian's rt-tests) with the same priority,
core, period and locked memory; without it, a bare loop of our own. ``--minutes N`` in all; ``--quick``: 20 s.

Two targets: the ratio of the 99.9 % quantiles, and no period missed, if the island may have SCHED_FIFO. A
virtual machine whose host takes its cores away misses periods whatever runs on it: what the bare loop missed
in as many rounds stands beside.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from time import perf_counter, sleep

import numpy as np
from measure import Figure, cores, finish, parser, quantile

from polyrhythm.island import (
    Layer,
    LiveIsland,
    RobotSide,
    config_record,
    counts_of,
    ports_path,
    write_network,
)
from polyrhythm.island.build import bare_loop
from polyrhythm.island.counts import quantiles_us
from polyrhythm.island.layout import bin_edges_ns
from polyrhythm.island.virtual import run_network
from polyrhythm.manifest import load_or_raise

BUNDLE = Path(__file__).parent.parent / "examples" / "three_rates" / "bundle"
PRIORITY = 80
QUANTILES = ("p50", "p99", "p99_9", "max")
#: The specification's prior: ten million parameters.
PRIOR = (132, 2240, 2240, 2240, 32)


def compute() -> None:
    """System 2, saturating."""
    a = np.random.default_rng(0).normal(size=(512, 512)).astype(np.float32)
    while True:
        a = a @ a
        a /= np.abs(a).max()


def allocate() -> None:
    """Big arrays and circular garbage."""
    import gc

    while True:
        held = [np.ones(1 << 20) for _ in range(8)]
        for _ in range(20_000):
            ring: list[object] = []
            ring.append(ring)
        gc.collect()
        del held


def write() -> None:
    """Files, written through."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        while True:
            with (Path(folder) / "file").open("wb") as file:
                file.write(os.urandom(4 << 20))
                file.flush()
                os.fsync(file.fileno())


@contextmanager
def load() -> Iterator[None]:
    """Everything that a runtime may do wrong, at once, at normal priority."""
    work: list[Callable[[], None]] = [compute] * len(os.sched_getaffinity(0)) + [allocate, write]
    context = multiprocessing.get_context("spawn")
    running = [context.Process(target=target, daemon=True) for target in work]
    for process in running:
        process.start()
    sleep(2)
    try:
        yield
    finally:
        for process in running:
            process.kill()


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
        return int((self.bins * (bin_edges_ns()[:-1] // 1_000_000)).sum())

    def quantiles(self) -> dict[str, float]:
        """In microseconds."""
        found = None if self.bins is None else quantiles_us(self.bins, self.max_ns)
        assert found is not None
        return found


def island_round(core: int, seconds: float, response: Histogram, missed: list[int], lost: set[str]) -> None:
    """The island with a robot that stands still, its loop as it is on the balancer."""
    section = load_or_raise(BUNDLE).island
    assert section is not None
    section = section.model_copy(update={"core": core, "priority": PRIORITY})
    island = LiveIsland.open(ports_path("benchmark"), config_record(section, BUNDLE))
    try:
        side, end = RobotSide(island.ports), perf_counter() + seconds
        while perf_counter() < end:
            side.send((0.0, 0.0), (0.0, 0.0), [0.0] * 7)
            island.target((0.0, 0.0), (0.0, 0.0))
            sleep(0.005)
        counts = island.ports.read_record("counts")
        response.add(counts["response"], int(counts["response_max_ns"]))
        missed.append(int(counts["missed"]))
        lost.update(counts_of(counts)["lost"])
    finally:
        island.stop()


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


def prior_us(folder: Path) -> float:
    """Median time of the ten-million-parameter network with int8 weights, without load."""
    rng = np.random.default_rng(0)
    layers = [
        Layer(rng.normal(0, cols**-0.5, (rows, cols)).astype(np.float32), np.zeros(rows, np.float32), "tanh")
        for cols, rows in pairwise(PRIOR)
    ]
    write_network(folder / "prior.net", layers, int8=True)
    inputs = [rng.normal(size=PRIOR[0]).astype(np.float32) for _ in range(400)]
    runs = []
    for many in (1, 1, len(inputs)):  # the first may compile
        began = perf_counter()
        run_network(str(folder / "prior.net"), inputs[:many], PRIOR[-1])
        runs.append(perf_counter() - began)
    return 1e6 * (runs[2] - runs[1]) / (len(inputs) - 1)


def main() -> int:
    """Measure in turns."""
    arguments = parser("The island under load, beside cyclictest.")
    arguments.add_argument("--minutes", type=float, default=1.0, help="how long to measure in all")
    options = arguments.parse_args()
    core, seconds = cores()[1], 20.0 if options.quick else 60 * options.minutes
    has_cyclictest = shutil.which("cyclictest") is not None
    turn_s = 3.0 if options.quick else 10.0
    rounds = max(1, round(seconds / turn_s / (3 if has_cyclictest else 2)))
    response, bare, cyclic = Histogram(), Histogram(), list[int]()
    missed: list[int] = []
    lost: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        prior = prior_us(Path(folder))
    with load():
        for _ in range(rounds):
            island_round(core, turn_s, response, missed, lost)
            bare_round(core, turn_s, bare)
            if has_cyclictest:
                cyclictest_round(core, turn_s, cyclic)
    ours, theirs = response.quantiles(), bare.quantiles()
    figures = [Figure(f"island, due to command, {q.replace('_', '.')}", ours[q], "us") for q in QUANTILES]
    figures += [Figure(f"bare loop, wake-up, {q.replace('_', '.')}", theirs[q], "us") for q in QUANTILES]
    reference, name = theirs["p99_9"], "the bare loop"
    if cyclic:
        shares = {"p50": 0.5, "p99": 0.99, "p99_9": 0.999, "max": 1.0}
        found = {q: float(quantile(cyclic, share)) for q, share in shares.items()}
        figures += [Figure(f"cyclictest, {q.replace('_', '.')}", found[q], "us") for q in QUANTILES]
        reference, name = found["p99_9"], "cyclictest"
    figures.append(Figure("periods that the bare loop missed", bare.missed, ""))
    figures.append(Figure("network of 10 million parameters, int8, alone", prior, "us"))
    for right in sorted(lost):
        print(f"without {right}", file=sys.stderr)
    fifo = "fifo" not in lost
    figures.append(Figure("periods missed", sum(missed), f"in {len(missed)} rounds", 0.0 if fifo else None))
    figures.append(Figure(f"p99.9, island over {name}", ours["p99_9"] / reference, "x", 1.5))
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
