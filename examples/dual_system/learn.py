"""Training of both models: System 2 on what it should say about an image, then System 1 on its `hidden`.

Pose is privileged information. It is used as a training target of a linear head on `hidden`, which is then
thrown away; neither model gets it as an input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import data
import jax
import jax.numpy as jnp
import model
import numpy as np
import optax
from rich.progress import Progress

from polyrhythm.robots.metaworld import CAMERA

Arrays = dict[str, np.ndarray]

PRECISION_M = 0.02
"""Position errors of this size count 1 in System 2's loss; beyond it the loss grows linearly."""

AGE_TICKS = (4, 34)
"""How old the image behind `hidden` may be when System 1 starts a chunk (see `evaluate.Timing`)."""


MAX_DECIDED = 6
"""Half of the chunks that System 1 is trained on begin with 1..6 ticks that are already decided."""


class Trainer:
    """Adam with warm-up, cosine decay and an average of the weights over the last steps."""

    def __init__(self, params: Any, loss: Callable[..., jax.Array], steps: int, peak_rate: float) -> None:
        schedule = optax.warmup_cosine_decay_schedule(
            0.0, peak_rate, min(100, steps // 5), steps, peak_rate / 50
        )
        self._optimiser = optax.chain(
            optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=1e-4)
        )
        self._params = jax.tree.map(jnp.asarray, params)
        self._average = self._params
        self._state = self._optimiser.init(self._params)
        self._done = 0

        def update(params: Any, average: Any, state: Any, keep: jax.Array, *batch: jax.Array) -> Any:
            value, gradient = jax.value_and_grad(loss)(params, *batch)
            change, state = self._optimiser.update(gradient, state, params)
            params = optax.apply_updates(params, change)
            average = jax.tree.map(lambda a, p: keep * a + (1.0 - keep) * p, average, params)
            return params, average, state, value

        self._update = jax.jit(update, donate_argnums=(0, 2))
        self._average = jax.tree.map(jnp.copy, self._params)

    def run(
        self, batches: Iterator[tuple[np.ndarray, ...]], steps: int, name: str, progress: Progress
    ) -> float:
        """Take `steps` steps; returns the mean loss of the last tenth of them."""
        bar = progress.add_task(name, total=steps)
        recent: list[float] = []
        for _ in range(steps):
            keep = jnp.float32(min(0.998, self._done / (self._done + 10.0)))
            self._params, self._average, self._state, value = self._update(
                self._params, self._average, self._state, keep, *next(batches)
            )
            self._done += 1
            recent.append(float(value))
            progress.update(bar, advance=1, description=f"{name}, loss {np.mean(recent[-50:]):.4f}")
        return float(np.mean(recent[-max(1, steps // 10) :]))

    def average(self) -> Any:
        """The averaged parameters as NumPy arrays."""
        return jax.tree.map(np.asarray, self._average)


# --- System 2 -------------------------------------------------------------------------------------


def _describe(head: dict[str, jax.Array], hidden: jax.Array) -> jax.Array:
    return hidden.reshape(-1) @ head["w"] + head["b"]


def _image_token(point_m: jax.Array) -> jax.Array:
    """The image token i32 ``[n]`` that a point f32 ``[n, 3]`` (metres) of the world is projected to."""
    position = np.array(CAMERA["position_m"])
    forward = np.array(CAMERA["lookat_m"]) - position
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    ray = point_m - position.astype(np.float32)
    reach = ray @ forward.astype(np.float32) * np.tan(np.radians(CAMERA["fov_deg"]) / 2.0)
    side = model.IMAGE // 4
    across = (ray @ right.astype(np.float32) / reach + 1.0) * (side / 2)
    down = (1.0 - ray @ np.cross(right, forward).astype(np.float32) / reach) * (side / 2)
    column, row = (jnp.clip(jnp.floor(x), 0, side - 1).astype(jnp.int32) for x in (across, down))
    return row * side + column


def _vlm_loss(
    params: dict[str, Any], images: jax.Array, instruction: jax.Array, targets: jax.Array, fixed: Any
) -> jax.Array:
    vlm = {**params["vlm"], **fixed}
    images = images.astype(jnp.float32)
    hidden = jax.vmap(model.encode, (None, 0, 0))(vlm, images, instruction)
    scores = jax.vmap(lambda image: model.spot_scores(vlm, model.see(vlm, image)))(images)
    where = jax.nn.log_softmax(scores)[jnp.arange(len(images)), _image_token(targets[:, 3:6])]
    said = jax.vmap(_describe, (None, 0))(params["head"], hidden)
    error = (said[:, :6] - targets[:, :6]) / PRECISION_M
    position = (jnp.sqrt(1.0 + error * error) - 1.0) * jnp.repeat(jnp.array([0.5, 2.0]), 3)
    return position.mean() - 0.3 * where.mean() + 10.0 * ((said[:, 6:] - targets[:, 6:]) ** 2).mean()


def _image_batches(
    samples: data.Samples, size: int, rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, ...]]:
    """Random images with their instructions and targets."""
    while True:
        pick = rng.integers(len(samples.images), size=size)
        yield samples.images[pick], samples.instruction[pick], samples.targets[pick]


def train_vlm(
    samples: data.Samples,
    steps: int,
    batch: int,
    seed: int,
    progress: Progress,
    start: Any = None,
) -> tuple[dict[str, Any], float]:
    """Train System 2; returns ``{"vlm": parameters, "head": discarded head}`` and the final loss.

    `start` continues from an earlier result.
    """
    rng = np.random.default_rng([seed, 2])
    head = {
        "w": (
            rng.normal(size=(model.HIDDEN_TOKENS * model.HIDDEN_WIDTH, samples.targets.shape[1])) * 0.01
        ).astype(np.float32),
        "b": samples.targets.mean(axis=0),
    }
    params = dict(start or {"vlm": model.init_vlm(seed), "head": head})
    background = {model.BACKGROUND: samples.images.max(axis=0).astype(np.float32)}
    params["vlm"] = {name: value for name, value in params["vlm"].items() if name not in background}
    loss_at = partial(_vlm_loss, fixed=background)
    trainer = Trainer(params, loss_at, steps, 2e-3 if start is None else 1.5e-3)
    loss = trainer.run(_image_batches(samples, batch, rng), steps, "System 2", progress)
    trained = trainer.average()
    return {**trained, "vlm": {**trained["vlm"], **background}}, loss


def describe_error_cm(
    params: dict[str, Any], samples: data.Samples, count: int, seed: int
) -> dict[str, float]:
    """Mean distance in centimetres of the head's object position on `count` random images, by task."""
    pick = np.random.default_rng(seed).integers(len(samples.images), size=count)
    hidden = encode_all(params["vlm"], samples.images[pick], samples.instruction[pick])
    said = hidden.reshape(count, -1) @ params["head"]["w"] + params["head"]["b"]
    distance = np.linalg.norm(said[:, 3:6] - samples.targets[pick, 3:6], axis=-1) * 100.0
    task = samples.targets[pick, 6:].argmax(axis=1)
    return {name: float(distance[task == i].mean()) for i, name in enumerate(data.TASKS)}


def encode_all(vlm: Arrays, images: np.ndarray, instruction: np.ndarray, batch: int = 32) -> np.ndarray:
    """`hidden` of many images, f32 ``[n, 8, 64]``."""
    run = jax.jit(jax.vmap(model.encode, (None, 0, 0)))
    params = jax.tree.map(jnp.asarray, vlm)
    out = np.zeros((len(images), model.HIDDEN_TOKENS, model.HIDDEN_WIDTH), np.float32)
    for at in range(0, len(images), batch):
        index = np.minimum(np.arange(at, at + batch), len(images) - 1)
        hidden = np.asarray(run(params, images[index].astype(np.float32), instruction[index]))
        out[at : at + batch] = hidden[: len(out) - at]
    return out


def extend(
    vlm: Arrays, episodes: Sequence[data.Episode], hidden: np.ndarray
) -> tuple[data.Samples, np.ndarray]:
    """Cut all episodes anew; only images beyond the ones that `hidden` covers are encoded."""
    samples = data.cut(episodes)
    known = len(hidden)
    new = encode_all(vlm, samples.images[known:], samples.instruction[known:])
    return samples, np.concatenate([hidden, new])


# --- System 1 -------------------------------------------------------------------------------------


def _dit_loss(
    params: model.Params,
    hidden: jax.Array,
    proprio: jax.Array,
    actions: jax.Array,
    mask: jax.Array,
    noise: jax.Array,
    t: jax.Array,
    decided: jax.Array,
    fixed: model.Params,
) -> jax.Array:
    """Flow matching: at ``x = (1-t) noise + t actions`` the velocity is ``actions - noise``.

    The first `decided` i32 ``[n]`` ticks of a chunk are given as they are, at time 1, and not counted: so the
    head learns to continue actions that are executed while it thinks (arXiv 2512.05964).
    """
    params = {**params, **fixed}
    given = jnp.arange(model.HORIZON) < decided[:, None]
    time = jnp.where(given, 1.0, t[:, None])

    def one(hidden: Any, proprio: Any, actions: Any, noise: Any, t: Any) -> jax.Array:
        target = (actions - params["action_mean"]) / params["action_std"]
        cond = model.begin(params, hidden, proprio)
        x = (1.0 - t[:, None]) * noise + t[:, None] * target
        return ((model.velocity(params, cond, x, t) - (target - noise)) ** 2).mean(axis=-1)

    error = jax.vmap(one)(hidden, proprio, actions, noise, time)
    counted = mask * ~given
    return (error * counted).sum() / counted.sum()


def _chunk_batches(
    samples: data.Samples, hidden: np.ndarray, size: int, rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, ...]]:
    """Random chunks, each with the `hidden` of an image of random age."""
    while True:
        pick = rng.integers(len(samples.tick), size=size)
        age = rng.integers(*AGE_TICKS, size=size)
        image = np.maximum(samples.tick[pick] - age, 0) // data.IMAGE_STRIDE
        image = samples.chunk_first_image[pick] + np.minimum(image, samples.chunk_images[pick] - 1)
        yield (
            hidden[image],
            samples.proprio[pick],
            samples.actions[pick],
            samples.mask[pick],
            rng.normal(size=(size, model.HORIZON, model.ACTION)).astype(np.float32),
            rng.random(size).astype(np.float32),
            np.maximum(rng.integers(-MAX_DECIDED, MAX_DECIDED, size=size) + 1, 0),
        )


def train_dit(
    samples: data.Samples,
    hidden: np.ndarray,
    steps: int,
    batch: int,
    seed: int,
    progress: Progress,
    start: Arrays | None = None,
) -> tuple[Arrays, float]:
    """Train System 1 on frozen `hidden` f32 ``[images, 8, 64]``.

    `start` continues from earlier parameters. Returns the parameters and the final loss.
    """
    rng = np.random.default_rng([seed, 1])
    params = dict(start) if start is not None else model.init_dit(seed + 1)
    if start is None:
        motion = np.asarray(model.motion(samples.proprio))
        params["motion_mean"], params["motion_std"] = motion.mean(axis=0), motion.std(axis=0) + 1e-5
        params["action_mean"] = samples.actions[:, 0].mean(axis=0)
        params["action_std"] = samples.actions[:, 0].std(axis=0) + 1e-3
    fixed = {name: params.pop(name) for name in model.NORMALISATION}
    trainer = Trainer(params, partial(_dit_loss, fixed=fixed), steps, 1.5e-3 if start is None else 7e-4)
    loss = trainer.run(_chunk_batches(samples, hidden, batch, rng), steps, "System 1", progress)
    return {**trainer.average(), **fixed}, loss
