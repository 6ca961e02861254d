"""The experts: small feedback laws whose gains are searched for, smooth or through on/off thrusters.

A law says how much of each actuator it wants. The smooth expert gives just that. The on/off expert gives it
in pulses, as thrusters and valves work: every `Law.pulse` ticks an actuator is switched on or off so that on
average it does what the law wants. When a pulse begins is drawn per episode and cannot be seen, so that the
same observation goes with several different chunks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from blocks import InBlocks
from jax.flatten_util import ravel_pytree
from lanes import lanes_last
from levels import Level, World


@dataclass(frozen=True)
class Law:
    """A feedback law.

    Attributes:
        gains: names, and where the search begins.
        demand: ``(gains f32[n], observation) -> f32[action]``.
        miss: ``observation -> f32[]``, how far from done, in metres; guides the search.
        pulse: ticks of a pulse of the on/off expert.
    """

    gains: dict[str, float]
    demand: Callable[[jax.Array, jax.Array], jax.Array]
    miss: Callable[[jax.Array], jax.Array]
    pulse: int = 4


def _lunar_lander(g: jax.Array, o: jax.Array) -> jax.Array:
    x, y, vx, vy, sine, _, rate = o[:7]
    tilt = -jnp.clip(g[0] * (3.77 - x) - g[1] * vx, -g[2], g[2])
    turn = g[3] * (tilt - sine) - g[4] * rate
    sink = jnp.clip(g[7] * (0.4 + g[9] * jnp.abs(3.77 - x) - y), -g[8], g[8])
    lift = g[5] + g[6] * (sink - vy)
    return jnp.clip(jnp.stack([lift - turn, lift + turn]), 0.0, 1.0)


def _unicycle(g: jax.Array, o: jax.Array) -> jax.Array:
    vx, sine, rate = o[2], o[4], o[6]
    return jnp.clip(jnp.stack([g[0] * sine + g[1] * rate + g[2] * (g[3] - vx)]), -1.0, 1.0)


def _cartpole_thrust(g: jax.Array, o: jax.Array) -> jax.Array:
    x, vx, sine, rate = o[0], o[2], o[11], o[13]
    push = -g[0] * sine - g[1] * rate + g[2] * (x - 2.5) + g[3] * vx
    return jnp.clip(jnp.stack([push]), -1.0, 1.0)


LAWS = {
    "lunar_lander": Law(
        {
            "place": 0.3, "speed": 0.35, "tilt": 0.35, "turn": 1.5, "rate": 0.3, "hover": 0.6, "sink": 0.6,
            "height": 1.0, "fall": 1.0, "slope": 0.7,
        },
        _lunar_lander,
        lambda o: jnp.hypot(o[0] - 3.77, o[1] - 0.5),
    ),
    "unicycle": Law(
        {"lean": 3.0, "rate": 0.5, "speed": 0.3, "cruise": 0.8},
        _unicycle,
        lambda o: jnp.hypot(o[14] - 4.6, o[15] - 1.7),
    ),
    "cartpole_thrust": Law(
        {"lean": 6.0, "rate": 1.2, "place": 0.3, "speed": 0.6}, _cartpole_thrust, lambda o: jnp.abs(o[11])
    ),
}  # fmt: skip


class Expert:
    """A batch of experts for a batch of episodes; `gains` f32 ``[batch, n]``."""

    def __init__(self, level: Level, gains: np.ndarray, *, on_off: bool, rng: np.random.Generator) -> None:
        law = LAWS[level.name]
        self._gains, self._pulse, self._low = jnp.asarray(gains, jnp.float32), law.pulse, level.low
        self._demand = jax.jit(jax.vmap(law.demand))
        self._on_off = on_off
        size = (len(gains), level.action)
        self._phase = rng.integers(0, law.pulse, size)
        self._owed = rng.uniform(-0.5, 0.5, size)
        self._now = np.zeros(size)

    def __call__(self, observation: jax.Array, tick: int) -> np.ndarray:
        """The actions f32 ``[batch, action]`` of a tick; ticks must come one after the other, from 0."""
        wanted = np.asarray(self._demand(self._gains, observation))
        if not self._on_off:
            return wanted
        switch = ((tick + self._phase) % self._pulse == 0) | (tick == 0)
        self._owed = np.where(switch, self._owed + wanted, self._owed)
        chosen = np.clip(np.rint(self._owed), self._low, 1.0)
        self._owed = np.clip(np.where(switch, self._owed - chosen, self._owed), -1.0, 1.0)
        self._now = np.where(switch, chosen, self._now)
        return self._now.astype(np.float32)


class Simulation:
    """Episodes of a level, as many as are asked for, advanced tick by tick; compiled once."""

    def __init__(self, world: World) -> None:
        self.world = world
        start, whole = ravel_pytree(world.reset(jax.random.key(0)))
        action, push = np.zeros(world.level.action, np.float32), np.zeros(2, np.float32)

        def reset(seed: jax.Array) -> jax.Array:
            return ravel_pytree(world.reset(jax.random.key(seed)))[0]

        def kick(state: jax.Array, velocity: jax.Array) -> jax.Array:
            return ravel_pytree(world.kick(whole(state), velocity))[0]

        def step(state: jax.Array, action: jax.Array) -> tuple[jax.Array, ...]:
            after, solved, over = world.step(whole(state), action)
            return ravel_pytree(after)[0], solved, over

        def observe(state: jax.Array) -> jax.Array:
            return world.observe(whole(state))

        self._reset = InBlocks(lambda _, seeds: jax.vmap(reset)(seeds))
        self._observe = InBlocks(_rows(observe, start))
        self._kick = InBlocks(_rows(kick, start, push))
        self._step = InBlocks(_rows(step, start, action))

    def reset(self, seeds: np.ndarray) -> None:
        """Begin one episode for each of `seeds` ``[n]``."""
        self._state: np.ndarray = self._reset(None, seeds)
        self.over = np.zeros(len(seeds), bool)
        self.solved = np.zeros(len(seeds), bool)
        self.ticks = np.zeros(len(seeds), int)

    def observe(self) -> np.ndarray:
        """f32 ``[n, observation]``."""
        return self._observe(None, self._state)

    def kick(self, velocity: np.ndarray) -> None:
        """Push every episode by f32 ``[n, 2]`` m/s."""
        self._state = self._kick(None, self._state, velocity.astype(np.float32))

    def step(self, actions: np.ndarray) -> None:
        """One tick with actions f32 ``[n, action]``; an episode that is over stays as it is."""
        playing = np.flatnonzero(~self.over)
        state, solved, over = self._step(None, self._state[playing], actions[playing].astype(np.float32))
        self._state[playing], self.solved[playing], self.over[playing] = state, solved, over
        self.ticks[playing] += 1


def _rows(function: Callable[..., Any], *examples: Any) -> Callable[..., Any]:
    """`function` of one episode for many, an episode a row."""
    last = lanes_last(function, *examples)
    return lambda _, *rows: jax.tree.map(jnp.transpose, last(*(a.T for a in rows)))


def search(
    simulation: Simulation, *, on_off: bool, generations: int, seed: int, batch: int, repeats: int = 4
) -> tuple[np.ndarray, list[dict[str, float]]]:
    """Cross-entropy search: gains f32 ``[n]``, and how the search went.

    Every generation tries ``batch / repeats`` sets of gains in `repeats` episodes each, keeps the best tenth,
    and draws the next ones around their mean. Later generations see other episodes. It ends early when nearly
    all sets of a generation solve the level.
    """
    level = simulation.world.level
    law, rng = LAWS[level.name], np.random.default_rng([seed, 1])
    mean = np.array(list(law.gains.values()))
    spread = 0.3 * np.abs(mean) + 0.02
    history = []
    for generation in range(generations):
        tried = mean + spread * rng.standard_normal((batch // repeats, len(mean)))
        tried[0] = mean
        score, solved = _score(
            simulation, np.repeat(tried, repeats, axis=0), on_off, seed + 1000 * generation
        )
        score = score.reshape(-1, repeats).mean(axis=1)
        best = tried[np.argsort(-score)[: max(4, len(tried) // 10)]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.02 * np.abs(mean)
        at_mean = float(solved.reshape(-1, repeats).mean(axis=1)[0])
        history.append({"solved": round(float(solved.mean()), 3), "mean_solved": round(at_mean, 3)})
        print(
            f"search {level.name} {generation}: solved {solved.mean():.2f}, best {score.max():.2f}",
            flush=True,
        )
        if solved.mean() > 0.962:
            break
    return mean.astype(np.float32), history


def _score(
    simulation: Simulation, gains: np.ndarray, on_off: bool, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    law = LAWS[simulation.world.level.name]
    simulation.reset(1_000_000 + seed + np.arange(len(gains)) % 64)
    expert = Expert(simulation.world.level, gains, on_off=on_off, rng=np.random.default_rng([seed, 2]))
    nearest, measure = np.full(len(gains), np.inf), jax.jit(jax.vmap(law.miss))
    limit = simulation.world.level.ticks
    for tick in range(limit):
        observation = simulation.observe()
        nearest = np.where(simulation.over, nearest, np.minimum(nearest, measure(observation)))
        simulation.step(expert(observation, tick))
        if simulation.over.mean() > 0.97:
            break
    used = simulation.ticks / limit
    reward = used - 1.0 if simulation.world.level.survive else -0.2 * np.minimum(nearest, 5.0) - 0.1 * used
    return simulation.solved + reward, simulation.solved
