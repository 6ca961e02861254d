"""Demonstrations of an expert, and a flow head trained on them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import model
import numpy as np
import optax
from experts import Expert, Simulation

KICK_MPS = 0.2
"""Standard deviation of the pushes that take demonstrations off the expert's own way."""
KICK_CHANCE = 0.025
"""Of a push before a tick, in the three episodes of four that are pushed at all."""
MAX_GIVEN = 4
"""Half of the chunks are trained with their first 1..4 ticks given, so that one head serves every method."""


def demonstrate(
    simulation: Simulation, gains: np.ndarray, *, on_off: bool, episodes: int, batch: int, seed: int
) -> dict[str, np.ndarray]:
    """Chunks of solved episodes, f32: ``observation [n, O]``, ``actions [n, H, A]``, ``mask [n, H]``.

    The mask is 1 for ticks at which the expert acted and the episode was neither over nor pushed since the
    chunk's observation. Also ``solved``, the expert's solve rate.
    """
    parts, solved = [], []
    for first in range(0, episodes, batch):
        parts.append(_record(simulation, gains, on_off, batch, seed + first))
        solved.append(simulation.solved.mean())
    chunks = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return {**chunks, "solved": np.array(np.mean(solved))}


def _record(
    simulation: Simulation, gains: np.ndarray, on_off: bool, batch: int, seed: int
) -> dict[str, np.ndarray]:
    rng = np.random.default_rng([seed, 4])
    simulation.reset(2_000_000 + seed + np.arange(batch))
    expert = Expert(simulation.world.level, np.tile(gains, (batch, 1)), on_off=on_off, rng=rng)
    seen, acted, kicked, alive = [], [], [], []
    pushed = rng.random(batch) < 0.75
    for tick in range(simulation.world.level.ticks):
        kick = pushed & (rng.random(batch) < KICK_CHANCE)
        simulation.kick(KICK_MPS * rng.standard_normal((batch, 2)) * kick[:, None])
        observation = simulation.observe()
        seen.append(observation)
        acted.append(expert(observation, tick))
        kicked.append(kick)
        alive.append(~simulation.over)
        simulation.step(acted[-1])
        if simulation.over.mean() > 0.98:
            break
    ticks = len(seen)
    index = np.minimum(np.arange(ticks)[:, None] + np.arange(model.HORIZON), ticks - 1)
    inside = np.arange(ticks)[:, None] + np.arange(model.HORIZON) < ticks
    since = np.cumsum(np.array(kicked), axis=0)  # [T, B]
    good = np.array(alive)[index] & (since[index] == since[:, None]) & inside[:, :, None]  # [T, H, B]
    rows, columns = np.nonzero(np.array(alive) & simulation.solved[None])
    actions = np.array(acted)[index]  # [T, H, B, A]
    return {
        "observation": np.array(seen)[rows, columns].astype(np.float32),
        "actions": actions[rows, :, columns].astype(np.float32),
        "mask": good[rows, :, columns].astype(np.float32),
    }


def train(
    chunks: dict[str, np.ndarray], low: float, *, steps: int, batch: int, seed: int, rate: float = 2e-3
) -> tuple[dict[str, np.ndarray], float]:
    """A trained head and the mean loss of the last tenth of the steps."""
    action = chunks["actions"].shape[-1]
    params = model.initial(chunks["observation"].shape[-1], action, seed)
    params["observation_mean"] = chunks["observation"].mean(axis=0)
    params["observation_std"] = chunks["observation"].std(axis=0) + 1e-2
    params["action_mean"] = np.full(action, (1 + low) / 2, np.float32)
    params["action_std"] = np.full(action, (1 - low) / 2, np.float32)
    fixed = {name: jnp.asarray(params[name]) for name in model.CONSTANTS}
    free = {name: jnp.asarray(a) for name, a in params.items() if name not in fixed}
    schedule = optax.warmup_cosine_decay_schedule(0.0, rate, steps // 20 + 1, steps, rate / 50)
    optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=1e-4))

    def loss(free: Any, observation: Any, actions: Any, mask: Any, key: Any) -> jax.Array:
        return _loss({**free, **fixed}, observation, actions, mask, key)

    @jax.jit
    def update(free: Any, average: Any, state: Any, keep: Any, *batch: Any) -> Any:
        value, gradient = jax.value_and_grad(loss)(free, *batch)
        change, state = optimiser.update(gradient, state, free)
        free = optax.apply_updates(free, change)
        return free, jax.tree.map(lambda a, p: keep * a + (1 - keep) * p, average, free), state, value

    rng, average, state, losses = np.random.default_rng([seed, 5]), free, optimiser.init(free), []
    for done in range(steps):
        rows = rng.integers(0, len(chunks["mask"]), batch)
        data = [jnp.asarray(chunks[name][rows]) for name in ("observation", "actions", "mask")]
        keep = jnp.float32(min(0.995, done / (done + 10.0)))
        free, average, state, value = update(free, average, state, keep, *data, jax.random.key(seed + done))
        losses.append(float(value))
        if done % 200 == 199:
            print(f"  step {done + 1}: loss {np.mean(losses[-200:]):.4f}", flush=True)
    trained = {name: np.asarray(a) for name, a in {**average, **fixed}.items()}
    return trained, float(np.mean(losses[-max(1, steps // 10) :]))


def _loss(params: Any, observation: Any, actions: Any, mask: Any, key: Any) -> jax.Array:
    size = len(observation)
    noise_key, time_key, given_key, how_many = jax.random.split(key, 4)
    target = model.normalise(params, actions)
    noise = jax.random.normal(noise_key, target.shape)
    time = jnp.broadcast_to(jax.random.uniform(time_key, (size, 1)), mask.shape)
    given = jax.random.bernoulli(given_key, 0.5, (size, 1)) * jax.random.randint(
        how_many, (size, 1), 1, MAX_GIVEN + 1
    )
    clean = jnp.arange(model.HORIZON) < given
    time = jnp.where(clean, 1.0, time)
    x = (1 - time[..., None]) * noise + time[..., None] * target
    cond = jax.vmap(model.prefill, (None, 0))(params, observation)
    flow = jax.vmap(model.velocity, (None, 0, 0, 0))(params, cond, x, time)
    weight = mask * ~clean
    error = ((flow - (target - noise)) ** 2).mean(axis=-1)
    return (error * weight).sum() / weight.sum()
