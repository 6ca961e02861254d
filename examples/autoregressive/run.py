"""Plays ticks with two contexts that share an instruction, and says what a tick costs and what memory does.

python examples/autoregressive/run.py --ticks 1000
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import quantiles
from time import perf_counter_ns

import numpy as np

from polyrhythm.compile import build

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import model  # noqa: E402
from system2 import System2  # noqa: E402


def main() -> None:
    """Build the bundle (or take the one given), play, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ticks", type=int, default=1000, help="ticks of System 2, both contexts together")
    parser.add_argument("--bundle", type=Path, help="a bundle made from policy.py; by default built now")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        bundle = arguments.bundle or build(HERE / "policy.py", Path(place) / "bundle", portable=True).root
        with System2(bundle) as system:
            play(system, arguments.ticks)


def play(system: System2, ticks: int) -> None:
    """Alternate between the two contexts, on depth images of a blob that moves."""
    words = np.arange(model.WORDS, dtype=np.int32)
    contexts = [system.begin(name, words) for name in ("left", "right")]
    shared = len(set(contexts[0].pages) & set(contexts[1].pages))
    print(f"{shared} pages hold the instruction for both; pool {system.kv.array.nbytes / 1e6:.1f} MB")
    costs, first = [], resident()
    for tick in range(ticks):
        if tick == ticks // 10:
            first = resident()
        depth = image(tick)
        begun = perf_counter_ns()
        system.tick(contexts[tick % 2], depth)
        costs.append(perf_counter_ns() - begun)
    cuts = quantiles(costs, n=100)
    print(f"a tick: p50 {cuts[49] / 1e6:.2f} ms, p99 {cuts[98] / 1e6:.2f} ms ({ticks} ticks)")
    print(f"pages: {system.kv.usage()}; arena {system.arena.used} of {system.arena.nbytes} bytes taken")
    print(f"resident memory: {first / 1e6:.1f} MB after a tenth, {resident() / 1e6:.1f} MB at the end")


def image(tick: int) -> np.ndarray:
    """A depth image f32 ``[64, 64]`` with something near that goes round."""
    y, x = np.mgrid[: model.IMAGE, : model.IMAGE].astype(np.float32)
    angle = tick / 7
    away = (x - 32 - 20 * np.cos(angle)) ** 2 + (y - 32 - 20 * np.sin(angle)) ** 2
    return (0.9 - 0.6 * np.exp(-away / 100)).astype(np.float32)


def resident() -> int:
    """Bytes of this process in memory."""
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096


if __name__ == "__main__":
    main()
