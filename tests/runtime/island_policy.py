"""Bundles with a policy in their island, for `test_island_policy`."""

import jax.numpy as jnp
import numpy as np

from polyrhythm.compile import EntrySource, ModuleSource, Policy


def act(p, error, sensors):
    hidden = jnp.tanh(p["first"] @ jnp.concatenate([error, sensors]))
    return p["second"] @ hidden


def wrong(p, error, gyro):
    return act(p, error, gyro)[:1]


def drive(p, joints):
    return jnp.tanh(joints) * p["gain"]


def policy() -> Policy:
    rng = np.random.default_rng(3)
    first, second = rng.normal(size=(16, 4)), rng.normal(size=(2, 16))
    weights = {"first": first.astype(np.float32), "second": second.astype(np.float32)}
    two = ("f32", (2,))
    return Policy(
        "island_policy.yaml",
        {
            "prior": ModuleSource(
                weights,
                {
                    "act": EntrySource(act, {"error": two, "sensors": two}, ("residual",)),
                    "wrong": EntrySource(wrong, {"error": two, "gyro": two}, ("residual",)),
                },
            ),
            "drive": ModuleSource(
                {"gain": np.ones(4, np.float32)},
                {"drive": EntrySource(drive, {"joints": ("f32", (4,))}, ("targets",))},
            ),
        },
    )
