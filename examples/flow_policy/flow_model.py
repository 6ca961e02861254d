"""A policy shaped like π0 (arXiv 2410.24164), as pure JAX functions over flat dictionaries of float32 arrays.

A wide transformer, the prefix, looks at a depth image and reads an instruction; a narrow one, the action
expert, looks at the arm's own state and at a chunk that is still noise. They meet in attention only: layer
i of the expert reads keys and values of layer i of the prefix. Those don't depend on x or t, so they are
computed once per chunk, however many steps follow::

    prefill(params, depth[64, 64], instruction[16])  -> kv[4, 2, 4, 32, 32]
    begin(params, noise[24, 4])                      -> (x[24, 4], t[])
    begin_guided(params, noise, previous[24, 4])     -> (x, t, target[24, 4])
    velocity(params, kv, proprio[8], x, t)           -> [24, 4]
    finish(params, x)                                -> actions[24, 4]

The numbers are those of the size ``small``; `polyrhythm.compile.flow` makes the steps from the velocity.
Nothing here has a batch dimension; training adds one with `jax.vmap`. Normalisation is part of the
functions, so metres and raw actions go in and out.
"""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

Params = dict[str, jax.Array]

IMAGE = 64
WORDS = 16
VOCABULARY = 32
PROPRIO = 8
ACTION = 4
HORIZON = 24


@dataclass(frozen=True)
class Size:
    """How large a policy is. Prefix and expert have the same number of layers and of attention heads.

    Attributes:
        patch: side of an image patch, in pixels; every patch is one token.
        layers: of the prefix and of the expert.
        heads, head: attention heads, and the width of one.
        prefix, prefix_hidden: width of the prefix and of its feed-forward layers.
        expert, expert_hidden: the same of the action expert.
    """

    patch: int
    layers: int
    heads: int
    head: int
    prefix: int
    prefix_hidden: int
    expert: int
    expert_hidden: int

    @property
    def attention(self) -> int:
        """Width of queries, keys and values, all heads together."""
        return self.heads * self.head

    @property
    def patches(self) -> int:
        """Image tokens."""
        return (IMAGE // self.patch) ** 2

    @property
    def prefix_tokens(self) -> int:
        """Image and language tokens."""
        return self.patches + WORDS

    @property
    def kv_shape(self) -> tuple[int, int, int, int, int]:
        """Layers; keys and values; heads; tokens; width of a head: the order in which a step reads them."""
        return self.layers, 2, self.heads, self.prefix_tokens, self.head


SIZES = {
    "tiny": Size(16, layers=2, heads=2, head=16, prefix=32, prefix_hidden=64, expert=32, expert_hidden=64),
    "small": Size(
        16, layers=4, heads=4, head=32, prefix=128, prefix_hidden=256, expert=96, expert_hidden=192
    ),
    "base": Size(
        8, layers=18, heads=8, head=128, prefix=1024, prefix_hidden=2816, expert=512, expert_hidden=1408
    ),
}
"""``tiny`` for tests, ``small`` is trained, ``base`` (298 M parameters) is there to be measured."""

BACKGROUND = "empty"
NORMALISATION = (BACKGROUND, "motion_mean", "motion_std", "action_mean", "action_std")
"""Parameters that come from the data and are not trained. ``empty`` f32 ``[64, 64]`` is the empty table."""


# --- shared pieces --------------------------------------------------------------------------------


def _normalise(x: jax.Array) -> jax.Array:
    """Root-mean-square normalisation over the last axis; gains are part of the matrices that follow."""
    return x * jax.lax.rsqrt((x * x).mean(axis=-1, keepdims=True) + 1e-6)


def _split(x: jax.Array, heads: int) -> jax.Array:
    """``[n, heads * d]`` -> ``[heads, n, d]``."""
    return x.reshape(len(x), heads, -1).transpose(1, 0, 2)


def _attend(query: jax.Array, *context: tuple[jax.Array, jax.Array]) -> jax.Array:
    """Attention of query ``[heads, n, d]`` over pairs of key and value ``[heads, m, d]``: ``[n, heads * d]``.

    The pairs are not joined: that would copy the prefix at every step.
    """
    heads, n, d = query.shape
    scores = [jnp.einsum("hnd,hmd->hnm", query, key) for key, _ in context]
    weights = jax.nn.softmax(jnp.concatenate(scores, axis=-1) * d**-0.5, axis=-1)
    ends = np.cumsum([key.shape[1] for key, _ in context])[:-1]
    parts = jnp.split(weights, ends, axis=-1)
    seen = sum(
        jnp.einsum("hnm,hmd->hnd", part, value) for part, (_, value) in zip(parts, context, strict=True)
    )
    return seen.transpose(1, 0, 2).reshape(n, heads * d)


def _feed_forward(p: Params, name: str, x: jax.Array) -> jax.Array:
    gate, up = jnp.split(_normalise(x) @ p[f"{name}.up"], 2, axis=-1)
    return (jax.nn.silu(gate) * up) @ p[f"{name}.down"]


# --- prefix ---------------------------------------------------------------------------------------


def see(p: Params, size: Size, depth: jax.Array) -> jax.Array:
    """One token for each patch of a depth image f32 ``[64, 64]`` (0 near, 1 far)."""
    # What lies on the table stands out by a fiftieth of the range: the difference to the empty table counts.
    x = jnp.stack([(depth - 0.6) * 4.0, (p[BACKGROUND] - depth) * 20.0], axis=-1)
    side = IMAGE // size.patch
    x = x.reshape(side, size.patch, side, size.patch, 2).transpose(0, 2, 1, 3, 4)
    return x.reshape(size.patches, -1) @ p["patch"] + p["patch_position"]


def read(p: Params, size: Size, depth: jax.Array, instruction: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The prefix: (kv f32 ``size.kv_shape``, tokens f32 ``[size.prefix_tokens, size.prefix]``).

    The tokens are those that the last layer's keys and values are made of; what that layer would add to them,
    nobody would read.
    """
    words = p["embedding"][instruction] + p["word_position"]
    tokens = jnp.concatenate([see(p, size, depth), words])
    kv = []
    for i in range(size.layers):
        h = _normalise(tokens)
        key, value = (_split(part, size.heads) for part in jnp.split(h @ p[f"prefix{i}.kv"], 2, axis=-1))
        kv.append(jnp.stack([key, value]))
        if i < size.layers - 1:
            seen = _attend(_split(h @ p[f"prefix{i}.query"], size.heads), (key, value))
            tokens = tokens + seen @ p[f"prefix{i}.out"]
            tokens = tokens + _feed_forward(p, f"prefix{i}", tokens)
    return jnp.stack(kv), tokens


def prefill(p: Params, size: Size, depth: jax.Array, instruction: jax.Array) -> jax.Array:
    """What a chunk is conditioned on, written once: keys and values of every prefix layer.

    depth f32 ``[64, 64]``, instruction i32 ``[16]`` (token ids) -> kv f32 ``size.kv_shape``.
    """
    return read(p, size, depth, instruction)[0]


# --- action expert --------------------------------------------------------------------------------


def motion(proprio: jax.Array) -> jax.Array:
    """Where the body is and how it moves: ``[now, before]`` -> ``[now, now - before]``, f32 ``[..., 8]``."""
    now, before = jnp.split(proprio, 2, axis=-1)
    return jnp.concatenate([now, now - before], axis=-1)


def velocity(
    p: Params, size: Size, kv: jax.Array, proprio: jax.Array, x: jax.Array, t: jax.Array
) -> jax.Array:
    """The flow's velocity f32 ``[24, 4]`` at x f32 ``[24, 4]`` (normalised actions) and time t.

    t is f32 ``[]``, or f32 ``[24]`` to give every tick a time of its own: ticks at t = 1 are actions already
    decided, and the others continue them. kv as `prefill` gives it, proprio f32 ``[8]`` in metres.
    """
    angles = t[..., None] * jnp.asarray(np.geomspace(1.0, 100.0, size.expert // 2), jnp.float32)
    clock = jnp.concatenate([jnp.cos(angles), jnp.sin(angles)], axis=-1) @ p["clock"]
    actions = jax.nn.silu(x @ p["action_in"] + clock + p["action_bias"]) @ p["action_mix"]
    body = ((motion(proprio) - p["motion_mean"]) / p["motion_std"]) @ p["state_in"]
    tokens = jnp.concatenate([body[None], actions]) + p["suffix_position"]
    for i in range(size.layers):
        qkv = jnp.split(_normalise(tokens) @ p[f"expert{i}.qkv"], 3, axis=-1)
        query, key, value = (_split(part, size.heads) for part in qkv)
        seen = _attend(query, (kv[i, 0], kv[i, 1]), (key, value))
        tokens = tokens + seen @ p[f"expert{i}.out"]
        tokens = tokens + _feed_forward(p, f"expert{i}", tokens)
    return _normalise(tokens[1:]) @ p["action_out"]


# --- first and last stage -------------------------------------------------------------------------


def begin(p: Params, noise: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Where the steps start: (x = noise f32 ``[24, 4]``, t = 0)."""
    return noise, jnp.float32(0.0)


def begin_guided(p: Params, noise: jax.Array, previous: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """The same, and the actions of the chunk being played, f32 ``[24, 4]``, as x has them: (x, t, target)."""
    return noise, jnp.float32(0.0), normalised(p, previous)


def normalised(p: Params, actions: jax.Array) -> jax.Array:
    """Actions f32 ``[..., 4]`` as x has them; `finish` is the way back."""
    return (actions - p["action_mean"]) / p["action_std"]


def finish(p: Params, x: jax.Array) -> jax.Array:
    """Last stage: normalised actions f32 ``[24, 4]`` to actions f32 ``[24, 4]`` within -1..1."""
    return jnp.clip(x * p["action_std"] + p["action_mean"], -1.0, 1.0)


# --- parameters -----------------------------------------------------------------------------------


def shapes(size: Size) -> dict[str, tuple[int, ...]]:
    """Every parameter by name."""
    prefix, expert, width = size.prefix, size.expert, size.attention
    found: dict[str, tuple[int, ...]] = {
        BACKGROUND: (IMAGE, IMAGE),
        "patch": (2 * size.patch**2, prefix),
        "patch_position": (size.patches, prefix),
        "embedding": (VOCABULARY, prefix),
        "word_position": (WORDS, prefix),
        "clock": (expert // 2 * 2, expert),
        "action_in": (ACTION, expert),
        "action_bias": (expert,),
        "action_mix": (expert, expert),
        "state_in": (PROPRIO, expert),
        "suffix_position": (1 + HORIZON, expert),
        "action_out": (expert, ACTION),
        "motion_mean": (PROPRIO,),
        "motion_std": (PROPRIO,),
        "action_mean": (ACTION,),
        "action_std": (ACTION,),
    }
    for i in range(size.layers):
        found[f"prefix{i}.kv"] = (prefix, 2 * width)
        if i < size.layers - 1:
            found[f"prefix{i}.query"] = (prefix, width)
            found[f"prefix{i}.out"] = (width, prefix)
            found[f"prefix{i}.up"] = (prefix, 2 * size.prefix_hidden)
            found[f"prefix{i}.down"] = (size.prefix_hidden, prefix)
        found[f"expert{i}.qkv"] = (expert, 3 * width)
        found[f"expert{i}.out"] = (width, expert)
        found[f"expert{i}.up"] = (expert, 2 * size.expert_hidden)
        found[f"expert{i}.down"] = (size.expert_hidden, expert)
    return found


_ONES = (BACKGROUND, "motion_std", "action_std")
_ZEROS = ("action_bias", "motion_mean", "action_mean")
#: What a residual stream gets from a layer starts small: the deeper, the smaller.
_RESIDUAL = ("out", "down")


def init(size: Size, seed: int) -> dict[str, np.ndarray]:
    """Fresh parameters, drawn; normalisation starts at mean 0 and deviation 1."""
    rng = np.random.default_rng(seed)
    params: dict[str, np.ndarray] = {}
    for name, shape in shapes(size).items():
        if name in _ONES or name in _ZEROS:
            params[name] = np.full(shape, float(name in _ONES), np.float32)
            continue
        scale = 0.5 if name.endswith("position") or name == "embedding" else shape[0] ** -0.5
        if name.rpartition(".")[2] in _RESIDUAL:
            scale *= (2 * size.layers) ** -0.5
        params[name] = rng.standard_normal(shape, np.float32)
        params[name] *= np.float32(scale)
    _lay_out(params["patch_position"].reshape(IMAGE // size.patch, -1, size.prefix))
    return params


def _lay_out(position: np.ndarray) -> None:
    """Where each patch lies, to start its learned position with: row and column ramps in 8 channels."""
    ramp = np.linspace(-1.5, 1.5, len(position), dtype=np.float32)
    position[..., 0:4] = ramp[:, None, None]
    position[..., 4:8] = ramp[None, :, None]
