"""A policy whose actions tell how they were made; see `ACTION`."""

import jax.numpy as jnp
import numpy as np

from polyrhythm.compile import EntrySource, ModuleSource, Policy
from polyrhythm.compile.flow import euler_step, guided_step

HORIZON = 12
#: An action of tick T: T; how far the old actions that its chunk was told to continue are from being those of
#: their ticks; (n-1)/2n for n plain steps; what the flow made; how much weight the old actions had in all;
#: how far from them what the flow made is, on the weighted average.
ACTION = ("tick", "wrong", "steps", "flow", "weight", "gap")


def start(p, clock, noise, previous):
    return clock * p["one"], noise.at[:, 2].set(0.0), jnp.float32(0.0), previous


def start_half(p, clock, noise, previous):
    """The same, for exactly two steps."""
    return *start(p, clock, noise, previous), jnp.float32(0.5)


def velocity(p, x, t):
    bent = jnp.tanh(p["mix"] @ x) * (1.0 + t)
    return bent.at[:, 2].set(t)


def finish(p, x, tick, target, weights):
    ticks = tick[0] + jnp.arange(HORIZON, dtype=jnp.float32)
    wrong = jnp.where(weights > 0.0, jnp.abs(target[:, 0] - ticks), 0.0).max()
    gap = (jnp.abs(x[:, 3] - target[:, 3]) * weights).sum() / jnp.maximum(weights.sum(), 1e-3)
    same = jnp.ones(HORIZON)
    return jnp.stack([ticks, wrong * same, x[:, 2], x[:, 3], weights.sum() * same, gap * same], axis=1)


def jump(p, x, dt):
    """A step that is the first stage."""
    return x + dt * jnp.tanh(p["mix"] @ x)


def land(p, x, clock):
    return x.at[:, 0].set(clock[0] + jnp.arange(HORIZON, dtype=jnp.float32))


def calm(rng):
    """A time within 0..1."""
    return {"t": np.float32(0.2), "dt": np.float32(0.2)}


def fed(rng):
    """Weights within 0..1."""
    return {"weights": rng.random(HORIZON).astype(np.float32)}


def policy() -> Policy:
    x, scalar, clock = ("f32", (HORIZON, len(ACTION))), ("f32", ()), ("f32", (1,))
    row = ("f32", (HORIZON,))
    began = {"clock": clock, "noise": x, "previous": x}
    plain = {"x": x, "t": scalar, "dt": scalar}
    guided = {**plain, "target": x, "weights": row, "beta": scalar}
    steps = {
        f"step_{method}": EntrySource(
            guided_step(velocity, method), guided, ("x", "t"), samples=calm, guidance=method
        )
        for method in ("identity", "vjp", "hard")
    }
    mix = np.random.default_rng(5).standard_normal((HORIZON, HORIZON)).astype(np.float32) / 4
    entries = {
        "start": EntrySource(start, began, ("tick", "x", "t", "target")),
        "start_half": EntrySource(start_half, began, ("tick", "x", "t", "target", "dt")),
        "step": EntrySource(euler_step(velocity), plain, ("x", "t"), samples=calm),
        **steps,
        "finish": EntrySource(
            finish, {"x": x, "tick": clock, "target": x, "weights": row}, ("chunk",), samples=fed
        ),
        "jump": EntrySource(jump, {"x": x, "dt": scalar}, ("x",)),
        "land": EntrySource(land, {"x": x, "clock": clock}, ("chunk",)),
    }
    return Policy(
        "flow_manifest.yaml",
        {"head": ModuleSource({"one": np.ones(1, np.float32), "mix": mix}, entries)},
    )
