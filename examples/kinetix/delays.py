"""The closed loop under delay: chunks take `delay` ticks to make, on virtual time, many episodes at once.

Every `stride` ticks the robot is looked at and a chunk is begun, which is there `delay` ticks later.
Meanwhile

- ``sync`` waits: the robot gets its neutral action, then the first `stride` rows of the chunk;
- all the others play on with the old chunk, and then take over the new one at the row of the present tick.
  They differ in how the new chunk is led to agree with the old one: ``naive`` not at all, the others by the
  guided steps of `polyrhythm.compile.flow` and the weights of `polyrhythm.chunks.guidance`.

Delays are whole ticks and exact. All methods see the same episodes and the same noise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import model
import numpy as np
from blocks import InBlocks

from polyrhythm.chunks.guidance import weights
from polyrhythm.compile.flow import euler_step, guided_step

if TYPE_CHECKING:
    from experts import Simulation

GUIDED = ("hard", "identity", "vjp", "trained")
#: Tell only whether a tick is given, so they take no falling weights.
ALL_OR_NOTHING = ("hard", "trained")
BETA = 5.0
SHARE = 128
"""Episodes that draw their noise together."""


@dataclass(frozen=True)
class Cell:
    """Results of one method at one delay and stride, one number per episode.

    Attributes:
        solved: bool ``[n]``.
        ticks: length of the episode.
        jump: mean over the boundaries of the largest change of any entry of the action at that tick; a
            boundary is a tick whose action comes from elsewhere than that of the tick before.
        jerk: mean size of the third difference of the executed actions, per tick cubed.
    """

    solved: np.ndarray
    ticks: np.ndarray
    jump: np.ndarray
    jerk: np.ndarray


class Head:
    """A trained head, ready to make chunks by every method, batched and compiled."""

    def __init__(self, params: dict[str, np.ndarray]) -> None:
        self.params = {name: jnp.asarray(a) for name, a in params.items()}
        self.action = params["action_mean"].shape[0]
        self._make = {"plain": InBlocks(_maker(None))}
        self._make |= {name: InBlocks(_maker(name)) for name in GUIDED}

    def plain(self, observation: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Chunks f32 ``[n, H, A]`` in robot units for observations f32 ``[n, O]``."""
        chunks: np.ndarray = self._make["plain"]((self.params,), observation, noise)
        return chunks

    def guided(
        self, method: str, observation: np.ndarray, noise: np.ndarray, previous: np.ndarray,
        weight: np.ndarray,
    ) -> np.ndarray:  # fmt: skip
        """The same, led by `weight` f32 ``[H]`` to `previous` f32 ``[n, H, A]``, the old chunk's actions."""
        shared = (self.params, np.asarray(weight, np.float32), np.float32(BETA))
        chunks: np.ndarray = self._make[method](shared, observation, noise, previous)
        return chunks


def _maker(method: str | None) -> Callable[..., jax.Array]:
    """``((params[, weight, beta]), observation, noise[, previous]) -> chunks``, all but the first batched."""
    step: Any = euler_step(model.velocity) if method is None else guided_step(model.velocity, method)

    def make(shared: Any, observation: Any, noise: Any, *previous: Any) -> jax.Array:
        params, *guide = shared
        cond = model.prefill(params, observation)
        leads = (*(model.normalise(params, actions) for actions in previous), *guide)

        def advance(_: int, state: Any) -> Any:
            return step(params, cond, *state, jnp.float32(1 / model.EULER_STEPS), *leads)

        x, _ = jax.lax.fori_loop(0, model.EULER_STEPS, advance, (noise, jnp.float32(0.0)))
        return model.finish(params, x)

    return jax.vmap(make, (None, 0, 0) if method is None else (None, 0, 0, 0))


def play(
    simulation: Simulation, head: Head, methods: Sequence[str], delay: int, stride: int, first_seed: int,
    episodes: int,
) -> dict[str, Cell]:  # fmt: skip
    """Play `episodes`, the same for every method.

    Raises:
        ValueError: delay and stride do not fit the horizon.
    """
    if not max(1, delay) <= stride <= model.HORIZON - delay:
        allowed = f"{max(1, delay)}..{model.HORIZON - delay}"
        raise ValueError(f"stride {stride} does not fit delay {delay}: allowed is {allowed}")
    simulation.reset(np.tile(first_seed + np.arange(episodes), len(methods)))
    shares = [slice(i * episodes, (i + 1) * episodes) for i in range(len(methods))]
    loops = [_Loop(head, method, delay, stride, episodes, first_seed) for method in methods]
    log = _Log(len(simulation.over))
    for tick in range(simulation.world.level.ticks):
        observation, playing = simulation.observe(), ~simulation.over
        acts = [
            loop(observation[share], tick, playing[share]) for loop, share in zip(loops, shares, strict=True)
        ]
        actions = np.concatenate([action for action, _ in acts])
        actions = np.clip(actions, simulation.world.level.low, 1.0)
        log.add(actions, np.repeat([boundary for _, boundary in acts], episodes), playing)
        simulation.step(actions)
        if simulation.over.all():
            break
    parts = (simulation.solved, simulation.ticks, log.jump(), log.jerk())
    return {method: Cell(*(p[s] for p in parts)) for method, s in zip(methods, shares, strict=True)}


class _Loop:
    """One method's chunks, for its share of the batch."""

    def __init__(self, head: Head, method: str, delay: int, stride: int, size: int, seed: int) -> None:
        self._head, self._method, self._delay, self._stride = head, method, delay, stride
        self._shape, self._seed = (size, model.HORIZON, head.action), seed
        self._chunk = np.zeros(self._shape, np.float32)
        self._next: np.ndarray | None = None
        self._start = self._due = 0
        schedule = "zeros" if method in ALL_OR_NOTHING else "exp"
        self._weight = weights(schedule, delay, model.HORIZON - stride, model.HORIZON)  # type: ignore[arg-type]

    def __call__(self, observation: np.ndarray, tick: int, playing: np.ndarray) -> tuple[np.ndarray, bool]:
        """The actions f32 ``[size, A]`` of a tick, and whether it is a boundary.

        Those of episodes not `playing`, bool ``[size]``, are of no account.
        """
        act = self._pausing if self._method == "sync" else self._on
        return act(observation, tick, np.flatnonzero(playing))

    def _pausing(self, observation: np.ndarray, tick: int, rows: np.ndarray) -> tuple[np.ndarray, bool]:
        within = tick % (self._delay + self._stride)
        if within == 0:
            self._chunk = self._make(observation, tick, rows, "plain")
        if within < self._delay:
            return np.zeros((self._shape[0], self._shape[2]), np.float32), within == 0 and tick > 0
        return self._chunk[:, within - self._delay], within == self._delay

    def _on(self, observation: np.ndarray, tick: int, rows: np.ndarray) -> tuple[np.ndarray, bool]:
        boundary = self._delay > 0 and self._take(tick)
        if tick == 0:  # nothing to play on with: all methods begin alike, with a chunk that took no time
            self._chunk = self._make(observation, 0, rows, "plain")
        elif tick % self._stride == 0:
            method = "plain" if self._method == "naive" else self._method
            self._next, self._due = self._make(observation, tick, rows, method), tick + self._delay
        boundary |= self._delay == 0 and self._take(tick)
        return self._chunk[:, tick - self._start], boundary

    def _take(self, tick: int) -> bool:
        """Take over the chunk that is due at this tick, if any."""
        if self._next is None or tick != self._due:
            return False
        self._chunk, self._next, self._start = self._next, None, tick - self._delay
        return True

    def _make(self, observation: np.ndarray, tick: int, rows: np.ndarray, method: str) -> np.ndarray:
        """Chunks ``[size, H, A]`` of which `rows` are made."""
        chunk = np.zeros(self._shape, np.float32)
        if not len(rows):
            return chunk
        seen, noise = observation[rows], self._noise(tick)[rows]
        if method == "plain":
            chunk[rows] = self._head.plain(seen, noise)
            return chunk
        left = self._chunk[rows, tick - self._start :]
        previous = np.zeros((len(rows), *self._shape[1:]), np.float32)
        previous[:, : left.shape[1]] = left
        chunk[rows] = self._head.guided(method, seen, noise, previous, self._weight)
        return chunk

    def _noise(self, tick: int) -> np.ndarray:
        """Noise of a tick, drawn for `SHARE` episodes at a time: an episode's depends on its seed only."""
        size, *shape = self._shape
        draws = [np.random.default_rng([self._seed + i, 6, tick]) for i in range(0, size, SHARE)]
        return np.concatenate([rng.standard_normal((SHARE, *shape), np.float32) for rng in draws])[:size]


class _Log:
    """Executed actions, for jumps and jerk."""

    def __init__(self, batch: int) -> None:
        self._last: list[np.ndarray] = []
        self._jumps, self._boundaries = np.zeros(batch), np.zeros(batch)
        self._jerks, self._counted = np.zeros(batch), np.zeros(batch)

    def add(self, actions: np.ndarray, boundary: np.ndarray, alive: np.ndarray) -> None:
        # What is done after an episode's end may be anything, not a number too.
        if self._last:
            change = np.abs(actions - self._last[-1]).max(axis=1)
            self._jumps += np.where(boundary & alive, change, 0.0)
            self._boundaries += boundary & alive
        if len(self._last) == 3:
            a, b, c = self._last
            self._jerks += np.where(alive, np.abs(actions - 3 * c + 3 * b - a).mean(axis=1), 0.0)
            self._counted += alive
        self._last = [*self._last[-2:], actions]

    def jump(self) -> np.ndarray:
        return self._jumps / np.maximum(self._boundaries, 1)

    def jerk(self) -> np.ndarray:
        return self._jerks / np.maximum(self._counted, 1)
