"""Systems 2 and 1 of the example, pure JAX; `design.py` makes their weights."""

from __future__ import annotations

import jax
import jax.numpy as jnp

IMAGE, PROPRIO = 24, 10
NEAR_M, FAR_M = 0.1, 3.0
#: Ticks that System 1 gives targets for, and how long one is.
HORIZON, TICK_S = 5, 0.01
#: How sharply what is near is told from what is far.
SHARPNESS = 12.0


def follow(weights: dict, depth: jax.Array, instruction: jax.Array) -> jax.Array:
    """System 2: a motion command f32 ``[2]``, m/s and rad/s, from a depth picture and an instruction.

    An attention over the columns of the picture: the nearer something is in the rows just above the horizon,
    the more its bearing and its distance count. Nothing in sight (all far): stand.
    """
    by_column = weights["rows"] @ depth
    attention = jax.nn.softmax(SHARPNESS * (1.0 - by_column))
    bearing = attention @ weights["bearing"]
    distance = attention @ by_column * (FAR_M - NEAR_M) + NEAR_M
    seen = jnp.clip(10.0 * (0.98 - jnp.min(by_column)), 0.0, 1.0)
    gain, wanted, turn = weights["wants"][instruction[0]]
    command = jnp.stack([gain * (distance - wanted), turn * bearing])
    return seen * jnp.clip(command, -weights["limits"], weights["limits"])


def drive(weights: dict, command: jax.Array, proprio: jax.Array, previous: jax.Array) -> jax.Array:
    """System 1: wheel targets f32 ``[5, 4]`` (rad, rad, rad/s, rad/s), one row for each control tick.

    Goes on from the target that is being played at its first tick (`previous`), or, if there is none, from
    where the island pulls the wheels to. Changes speed no faster than the robot can lean, and does not run
    ahead of wheels that cannot follow.
    """
    # A condition for each number: one for all would be read by the host, which no static plan has.
    playing = jnp.broadcast_to(jnp.any(previous[0] != 0.0), (4,))
    here = jnp.where(playing, previous[0], proprio[0:4])
    reference, speed, position = here[0:2], here[2:4], proprio[4:6]
    wanted = weights["mix"] @ command
    ticks = jnp.arange(HORIZON, dtype=jnp.float32)[:, None]
    most = weights["change"] * TICK_S
    speeds = speed + jnp.clip(wanted - speed, -most * ticks, most * ticks)
    start = position + jnp.clip(reference - position, -weights["lead"], weights["lead"])
    way = jnp.cumsum(speeds, axis=0) - speeds  # of the ticks before
    return jnp.concatenate([start + way * TICK_S, speeds], axis=1)
