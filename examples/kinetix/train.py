"""Train the heads of the benchmark from nothing: gains of the experts, demonstrations, flow heads.

    examples/kinetix/setup                                          # the environment, once
    .venv-kinetix/bin/python examples/kinetix/train.py              # all cases
    .venv-kinetix/bin/python examples/kinetix/train.py --case lunar_lander_on_off

Writes ``weights/CASE.safetensors`` (float16) and ``weights/CASE.json``: seeds, sizes, the gains found, the
expert's and the head's solve rate without delay, on episodes that the benchmark never sees.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("WANDB_MODE", "disabled")
os.environ.setdefault("NPROC", "1")  # one thread: the programs are many and small

import numpy as np
from cases import CASES, HERE, VALIDATION_SEED, Case


@dataclass(frozen=True)
class Plan:
    """Sizes and seeds of a training run."""

    seed: int = 0
    batch: int = 384
    generations: int = 8
    repeats: int = 4
    episodes: int = 768
    steps: int = 1500
    train_batch: int = 256


QUICK = Plan(batch=24, generations=1, episodes=24, steps=5, train_batch=16)


def train_case(
    case: Case, plan: Plan, out: Path, simulation: Any = None, found: Any = None
) -> dict[str, Any]:
    """Search, demonstrate, train and write one case; returns its record."""
    import delays
    import experts
    import learn
    from levels import LEVELS, World
    from safetensors.numpy import save_file

    began = time.monotonic()
    simulation = simulation or experts.Simulation(World(LEVELS[case.level]))
    record: dict[str, Any] = {"case": case.name, "plan": asdict(plan)}
    gains, record["search"] = found or experts.search(
        simulation, on_off=case.on_off, generations=plan.generations, seed=plan.seed, batch=plan.batch,
        repeats=plan.repeats,
    )  # fmt: skip
    record["gains"] = {
        name: round(float(g), 5) for name, g in zip(experts.LAWS[case.level].gains, gains, strict=True)
    }
    chunks = learn.demonstrate(
        simulation, gains, on_off=case.on_off, episodes=plan.episodes, batch=plan.batch,
        seed=plan.seed * 10_000,
    )  # fmt: skip
    record |= {"expert_solved_when_pushed": round(float(chunks["solved"]), 3), "chunks": len(chunks["mask"])}
    print(f"{case.name}: expert {record['expert_solved_when_pushed']}, {record['chunks']} chunks", flush=True)
    params, record["loss"] = learn.train(
        chunks, LEVELS[case.level].low, steps=plan.steps, batch=plan.train_batch, seed=plan.seed
    )
    stored = {name: a.astype(np.float16) for name, a in params.items()}
    record["parameters"] = int(sum(a.size for a in stored.values()))
    head = delays.Head({name: a.astype(np.float32) for name, a in stored.items()})
    cell = delays.play(simulation, head, ["naive"], 0, 1, VALIDATION_SEED, plan.batch)["naive"]
    record["head_solved_without_delay"] = round(float(cell.solved.mean()), 3)
    record["seconds"] = round(time.monotonic() - began)
    out.mkdir(parents=True, exist_ok=True)
    save_file(stored, out / f"{case.name}.safetensors")
    (out / f"{case.name}.json").write_text(json.dumps(record, indent=2) + "\n")
    print(f"{case.name}: head without delay {record['head_solved_without_delay']}", flush=True)
    return record


def main() -> None:
    """Parse the command line and train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--case", action="append", choices=sorted(CASES), help="only this case; may be repeated"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="every part at toy size, to see that it works")
    parser.add_argument("--out", type=Path, default=HERE / "weights")
    arguments = parser.parse_args()
    plan = QUICK if arguments.quick else Plan(seed=arguments.seed)
    for name in arguments.case or CASES:
        train_case(CASES[name], plan, arguments.out)


if __name__ == "__main__":
    main()
