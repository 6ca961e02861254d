"""Train the dual-system example from nothing: demonstrations, System 2, System 1, corrections, evaluation.

    python examples/dual_system/train.py                 # the real thing, 40-60 minutes on two cores
    python examples/dual_system/train.py --quick         # every part at toy size, to see that it works

Writes ``vlm.safetensors`` and ``dit.safetensors`` (float32) and ``training.json`` (seeds, sizes, losses,
success table) to the output directory. Needs ``pip install 'polyrhythm[train]'``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ALLOCATOR = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": "100000000000",
    "MALLOC_TOP_PAD_": "268435456",
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}
"""XLA allocates and frees large buffers at every step. Unless malloc keeps them (and in huge pages), the
kernel clears the same pages again and again, which costs a third of the time."""


@dataclass(frozen=True)
class Plan:
    """Sizes and seeds of one training run. Seeds of training and evaluation never meet."""

    seed: int = 0
    demonstrations: int = 200
    vlm_steps: int = 900
    vlm_deep_steps: int = 300
    vlm_batch: int = 32
    dit_steps: int = 2000
    dit_batch: int = 192
    corrections: int = 60
    correction_rounds: int = 1
    correction_steps: int = 800
    evaluations: int = 50
    demonstration_seed: int = 10_000
    correction_seed: int = 20_000
    evaluation_seed: int = 500_000


QUICK = Plan(
    demonstrations=4,
    vlm_steps=4,
    vlm_deep_steps=2,
    vlm_batch=8,
    dit_steps=10,
    dit_batch=32,
    corrections=1,
    correction_rounds=1,
    correction_steps=5,
    evaluations=1,
)


def main() -> None:
    """Parse the command line and train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="every part at toy size, under two minutes")
    parser.add_argument(
        "--out", type=Path, default=Path(__file__).parent / "weights", help="output directory"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes that simulate (default 2)")
    arguments = parser.parse_args()
    if sys.platform == "linux" and not ALLOCATOR.keys() <= os.environ.keys():
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ALLOCATOR})
    train(QUICK if arguments.quick else Plan(), arguments.out, arguments.workers)


def train(plan: Plan, out: Path, workers: int) -> dict[str, Any]:
    """Run all parts of `plan`, write the results to `out`, return what ``training.json`` holds."""
    import data
    import evaluate
    import learn
    import model
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    record: dict[str, Any] = {"plan": asdict(plan), "seconds": {}, "losses": {}}
    clock = _Clock(record["seconds"])
    with Progress(*Progress.get_default_columns(), TextColumn("took"), TimeElapsedColumn()) as progress:
        episodes = data.collect(plan.demonstrations, plan.demonstration_seed, workers, progress)
        samples = data.cut(episodes)
        clock("demonstrations")
        trained, record["losses"]["vlm"] = learn.train_vlm(
            samples, plan.vlm_steps, plan.vlm_batch, plan.seed, progress
        )
        trained["vlm"] = model.deepen(trained["vlm"], plan.seed + 3)
        trained, record["losses"]["vlm"] = learn.train_vlm(
            samples, plan.vlm_deep_steps, plan.vlm_batch, plan.seed + 1, progress, trained
        )
        vlm = trained["vlm"]
        record["object_error_cm"] = learn.describe_error_cm(
            trained, samples, min(600, len(samples.images)), 0
        )
        clock("system 2")
        hidden = learn.encode_all(vlm, samples.images, samples.instruction)
        dit, loss = learn.train_dit(samples, hidden, plan.dit_steps, plan.dit_batch, plan.seed, progress)
        clock("system 1")
        for i in range(plan.correction_rounds):
            seed = plan.correction_seed + i * plan.corrections
            episodes += evaluate.correct(vlm, dit, plan.corrections, seed, workers, progress)
            samples, hidden = learn.extend(vlm, episodes, hidden)
            dit, loss = learn.train_dit(
                samples, hidden, plan.correction_steps, plan.dit_batch, plan.seed + i + 1, progress, dit
            )
        record["losses"]["dit"] = loss
        clock("corrections")
        outcomes = evaluate.evaluate(vlm, dit, plan.evaluations, plan.evaluation_seed, workers, progress)
        clock("evaluation")
    record["success"] = evaluate.success_table(outcomes)
    record["sizes"] = _sizes(episodes, samples, vlm, dit)
    write(out, vlm, dit, record)
    return record


def write(out: Path, vlm: dict[str, Any], dit: dict[str, Any], record: dict[str, Any]) -> None:
    """Write both sets of weights and the record of how they came about."""
    from safetensors.numpy import save_file

    out.mkdir(parents=True, exist_ok=True)
    for name, params in (("vlm", vlm), ("dit", dit)):
        save_file(params, out / f"{name}.safetensors")
    (out / "training.json").write_text(json.dumps(record, indent=2) + "\n")


def _sizes(episodes: list[Any], samples: Any, vlm: dict[str, Any], dit: dict[str, Any]) -> dict[str, int]:
    return {
        "episodes": len(episodes),
        "images": len(samples.images),
        "chunks": len(samples.tick),
        "vlm_parameters": sum(int(a.size) for a in vlm.values()),
        "dit_parameters": sum(int(a.size) for a in dit.values()),
    }


class _Clock:
    """Notes how long each part took, in seconds."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds = seconds
        self._since = time.monotonic()

    def __call__(self, part: str) -> None:
        now = time.monotonic()
        self._seconds[part] = round(now - self._since, 1)
        self._since = now


if __name__ == "__main__":
    main()
