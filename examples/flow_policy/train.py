"""Train the flow policy from nothing: demonstrations of two tasks, then prefix and action expert together.

    python examples/flow_policy/train.py             # the real thing, about 10 minutes on two cores
    python examples/flow_policy/train.py --quick     # every part at toy size, to see that it works
    python examples/flow_policy/train.py --start examples/flow_policy/bundle/policy.safetensors    # go on

Writes ``policy.safetensors`` (float32) and ``training.json`` (seeds, sizes, losses) to the output directory.
Needs ``pip install 'polyrhythm[train]'``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import demonstrations  # first: it makes the dual-system example's modules importable
import flow_model as model
import jax
import jax.numpy as jnp
import numpy as np
from learn import Trainer
from rich.progress import Progress, TextColumn, TimeElapsedColumn

DRAWS = 2
"""Points of the flow that every chunk is trained on at a step: the prefix is the same for all of them."""

MAX_DECIDED = 10
"""Half of the draws begin with 1..10 ticks that are already decided: up to the longest delay that can be."""

PRECISION_M = 0.02
"""Position errors of this size count 1 in what the prefix has to say; beyond it the loss grows linearly."""


@dataclass(frozen=True)
class Plan:
    """Sizes and seeds of one training run."""

    size: str = "small"
    seed: int = 0
    demonstrations: int = 300
    demonstration_seed: int = 10_000
    steps: int = 900
    batch: int = 32
    peak_rate: float = 1.5e-3


QUICK = Plan(size="tiny", demonstrations=2, steps=10, batch=8)


def loss(
    params: dict[str, Any],
    images: jax.Array,
    instruction: jax.Array,
    pose: jax.Array,
    proprio: jax.Array,
    actions: jax.Array,
    mask: jax.Array,
    noise: jax.Array,
    t: jax.Array,
    decided: jax.Array,
    *,
    size: model.Size,
    fixed: model.Params,
) -> jax.Array:
    """Flow matching, and what is where.

    At ``x = (1-t) noise + t actions`` the velocity is ``actions - noise``.

    noise f32 ``[n, DRAWS, HORIZON, 4]``, t f32 ``[n, DRAWS]``; the first `decided` i32 ``[n, DRAWS]`` ticks
    are given as they are, at time 1, and not counted: so the expert learns to continue actions that are
    executed while it thinks (arXiv 2512.05964). The pose is said by a head on the prefix that is thrown
    away.
    """
    policy = {**params["policy"], **fixed}
    kv, tokens = jax.vmap(lambda *inputs: model.read(policy, size, *inputs))(
        images.astype(jnp.float32), instruction
    )
    error = (_say(params["head"], size, tokens) - pose) / PRECISION_M
    said = (jnp.sqrt(1.0 + error * error) - 1.0).mean()
    given = jnp.arange(model.HORIZON) < decided[..., None]
    target = model.normalised(policy, actions)

    def draw(kv: Any, proprio: Any, target: Any, noise: Any, t: Any, given: Any) -> jax.Array:
        time = jnp.where(given, 1.0, t)
        x = (1.0 - time[:, None]) * noise + time[:, None] * target
        return ((model.velocity(policy, size, kv, proprio, x, time) - (target - noise)) ** 2).mean(axis=-1)

    draws = jax.vmap(jax.vmap(draw, (None, None, None, 0, 0, 0)))
    errors = draws(kv, proprio, target, noise, t, given)
    counted = mask[:, None] * ~given
    return (errors * counted).sum() / counted.sum() + 0.1 * said


def _say(head: dict[str, jax.Array], size: model.Size, tokens: jax.Array) -> jax.Array:
    """Hand and object position f32 ``[n, 6]``: each looks for its place among the image tokens."""
    seen = tokens[:, : size.patches]
    where = jax.nn.softmax(seen @ head["look"], axis=1)
    return jnp.einsum("npk,npd->nkd", where, seen).reshape(len(tokens), -1) @ head["say"] + head["mean"]


def batches(
    samples: demonstrations.Samples, count: int, rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, ...]]:
    """Random chunks, each with an image of random age."""
    while True:
        pick = rng.integers(len(samples.tick), size=count)
        image = demonstrations.images_of(samples, pick, rng)
        yield (
            samples.images[image],
            samples.instruction[image],
            samples.pose[image],
            samples.proprio[pick],
            samples.actions[pick],
            samples.mask[pick],
            rng.standard_normal((count, DRAWS, model.HORIZON, model.ACTION), np.float32),
            rng.random((count, DRAWS), np.float32),
            np.maximum(rng.integers(-MAX_DECIDED, MAX_DECIDED, size=(count, DRAWS)) + 1, 0),
        )


def fit(
    samples: demonstrations.Samples,
    plan: Plan,
    progress: Progress,
    start: dict[str, np.ndarray] | None = None,
) -> tuple[dict[str, np.ndarray], float, dict[str, Any]]:
    """Train; returns the parameters, the final loss, and the head that is not part of the policy.

    `start` continues from earlier parameters.
    """
    size, rng = model.SIZES[plan.size], np.random.default_rng([plan.seed, 1])
    params = dict(start) if start is not None else model.init(size, plan.seed)
    if start is None:
        motion = np.asarray(model.motion(samples.proprio))
        params["empty"] = samples.images.max(axis=0).astype(np.float32)
        params["motion_mean"], params["motion_std"] = motion.mean(axis=0), motion.std(axis=0) + 1e-5
        params["action_mean"] = samples.actions[:, 0].mean(axis=0)
        params["action_std"] = samples.actions[:, 0].std(axis=0) + 1e-3
    fixed = {name: params.pop(name) for name in model.NORMALISATION}
    head = {
        "look": rng.standard_normal((size.prefix, 2), np.float32) * np.float32(size.prefix**-0.5),
        "say": rng.standard_normal((2 * size.prefix, 6), np.float32) * np.float32(0.01),
        "mean": samples.pose.mean(axis=0),
    }
    trainer = Trainer(
        {"policy": params, "head": head}, partial(loss, size=size, fixed=fixed), plan.steps, plan.peak_rate
    )
    final = trainer.run(batches(samples, plan.batch, rng), plan.steps, "policy", progress)
    trained = trainer.average()
    return {**trained["policy"], **fixed}, final, trained["head"]


def pose_error_cm(
    params: dict[str, Any],
    head: dict[str, Any],
    size: model.Size,
    samples: demonstrations.Samples,
    count: int,
) -> dict[str, float]:
    """Mean distance in centimetres of what the head says of `count` random images it was trained on."""
    pick = np.random.default_rng(0).integers(len(samples.images), size=count)
    params = jax.tree.map(jnp.asarray, params)
    read = jax.jit(jax.vmap(lambda *inputs: model.read(params, size, *inputs)[1]))
    said = _say(head, size, read(samples.images[pick].astype(np.float32), samples.instruction[pick]))
    error = np.asarray(said) - samples.pose[pick]
    return {
        name: round(float(np.linalg.norm(error[:, part], axis=1).mean()) * 100.0, 2)
        for name, part in (("hand", slice(0, 3)), ("object", slice(3, 6)))
    }


def train(
    plan: Plan, out: Path, workers: int, cache: Path | None = None, start: Path | None = None
) -> dict[str, Any]:
    """Run all parts of `plan`, write the results to `out`, return what ``training.json`` holds.

    `cache` keeps the demonstrations: they are read from it if it is there, and written to it if not.
    `start` is a file of earlier weights to continue from.
    """
    from safetensors.numpy import load_file, save_file

    began = time.monotonic()
    with Progress(*Progress.get_default_columns(), TextColumn("took"), TimeElapsedColumn()) as progress:
        if cache is not None and cache.exists():
            samples = demonstrations.Samples.load(cache)
        else:
            samples = demonstrations.collect(plan.demonstrations, plan.demonstration_seed, workers, progress)
            if cache is not None:
                samples.save(cache)
        params, final, head = fit(samples, plan, progress, load_file(start) if start else None)
    record = {
        "plan": asdict(plan),
        "continued": start is not None,
        "seconds": round(time.monotonic() - began),
        "loss": round(final, 4),
        "pose_error_cm": pose_error_cm(params, head, model.SIZES[plan.size], samples, 256),
        "images": len(samples.images),
        "chunks": len(samples.tick),
        "parameters": sum(int(array.size) for array in params.values()),
    }
    out.mkdir(parents=True, exist_ok=True)
    save_file(params, out / "policy.safetensors")
    (out / "training.json").write_text(json.dumps(record, indent=2) + "\n")
    return record


def main() -> None:
    """Parse the command line and train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="every part at toy size, under a minute")
    parser.add_argument(
        "--out", type=Path, default=Path(__file__).parent / "weights", help="output directory"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes that simulate (default 2)")
    parser.add_argument("--cache", type=Path, help="keep the demonstrations in this .npz file")
    parser.add_argument("--start", type=Path, help="continue from these weights")
    given = parser.parse_args()
    plan = QUICK if given.quick else Plan()
    record = train(plan, given.out, given.workers, given.cache, given.start)
    print(json.dumps(record, indent=2))


if __name__ == "__main__":
    main()
