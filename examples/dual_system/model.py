"""Both models of the example, as pure JAX functions over flat dictionaries of float32 arrays.

System 2 (module ``vlm``) looks at a depth image and reads an instruction::

    encode(params, depth[64, 64], instruction[16]) -> hidden[8, 64]

System 1 (module ``dit``) is a flow-matching action head: a small transformer over the horizon that attends to
keys and values computed once per chunk, and moves noise (t = 0) to actions (t = 1) in Euler steps along its
`velocity`::

    start(params, hidden, proprio[8], noise[16, 4], previous[16, 4]) -> (cond[3, 28, 96], x, t[], target)
    step(params, cond, x, t, dt, target, weights[16], beta)          -> (x, t)
    finish(params, x)                                                -> actions[16, 4]

Nothing here has a batch dimension; training adds one with `jax.vmap`. Normalisation is part of the functions,
so metres and raw actions go in and out.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

Params = dict[str, jax.Array]

IMAGE = 64
TOKENS = 16
VOCABULARY = 32
PROPRIO = 8
HORIZON = 16
ACTION = 4
EULER_STEPS = 5

HIDDEN_TOKENS = 8
HIDDEN_WIDTH = 64

STAGES = {"full": (24, 6), "fine": (48, 4), "coarse": (96, 6)}
"""System 2's eye: channels and residual 3x3 convolutions at 64x64, 32x32 and 16x16 pixels."""

COARSE = STAGES["coarse"][0]
READ_LAYERS = 2
READ_HEADS = 4

WIDTH = 96
LAYERS = 3
HEADS = 4
FUSED = 192
FUSED_TOKENS = 4
CONTEXT = HIDDEN_TOKENS + FUSED_TOKENS
"""Tokens that the action head attends to: System 2's and a few that also know the proprioception."""

MODULATION = 4
COND_SHAPE = (LAYERS, 2 * CONTEXT + MODULATION, WIDTH)
"""`cond`, per layer: the keys, the values, then the modulation rows."""

BACKGROUND = "empty"
"""Parameter of System 2: the picture of the empty table, f32 ``[64, 64]``. From the data, not trained."""

NORMALISATION = ("motion_mean", "motion_std", "action_mean", "action_std")
"""Parameters of System 1 that come from the data and are not trained."""


# --- shared pieces --------------------------------------------------------------------------------


def _normalise(x: jax.Array) -> jax.Array:
    """Layer normalisation over the last axis, without gain or bias."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred * jax.lax.rsqrt((centred * centred).mean(axis=-1, keepdims=True) + 1e-5)


def _linear(p: Params, name: str, x: jax.Array) -> jax.Array:
    return x @ p[f"{name}.w"] + p[f"{name}.b"]


def _attend(query: jax.Array, key: jax.Array, value: jax.Array, heads: int) -> jax.Array:
    """Multi-head attention: query ``[n, d]``, key and value ``[m, d]`` -> ``[n, d]``."""
    n, d = query.shape
    q = query.reshape(n, heads, d // heads).transpose(1, 0, 2)
    k = key.reshape(-1, heads, d // heads).transpose(1, 2, 0)
    v = value.reshape(-1, heads, d // heads).transpose(1, 0, 2)
    weights = jax.nn.softmax(q @ k * (d // heads) ** -0.5, axis=-1)
    return (weights @ v).transpose(1, 0, 2).reshape(n, d)


def _convolve(p: Params, name: str, x: jax.Array) -> jax.Array:
    """3x3 convolution of ``[h, w, c]``, zero padding, as one matrix product over gathered neighbours."""
    h, w, _ = x.shape
    padded = jnp.pad(x, ((1, 1), (1, 1), (0, 0)))
    neighbours = [padded[i : i + h, j : j + w] for i in range(3) for j in range(3)]
    return _linear(p, name, jnp.concatenate(neighbours, axis=-1))


def _fold(x: jax.Array) -> jax.Array:
    """Each 2x2 block of pixels becomes one with four times the channels: ``[h, w, c] -> [h/2, w/2, 4c]``."""
    h, w, c = x.shape
    return x.reshape(h // 2, 2, w // 2, 2, c).transpose(0, 2, 1, 3, 4).reshape(h // 2, w // 2, 4 * c)


# --- System 2 -------------------------------------------------------------------------------------


def see(p: Params, depth: jax.Array) -> jax.Array:
    """The image tokens ``[256, COARSE]`` of a depth image f32 ``[64, 64]`` (0 near, 1 far)."""
    # The puck stands out from the table by a fiftieth of the range of depth: look at the difference, too.
    x = jnp.stack([(depth - 0.6) * 4.0, (p["empty"] - depth) * 20.0], axis=-1)
    for stage, (_, convolutions) in STAGES.items():
        x = _linear(p, f"{stage}.in", x if stage == "full" else _fold(x))
        for i in range(convolutions):
            if f"{stage}{i}.w" in p:  # the early part of training does without some, see `deepen`
                x = x + jax.nn.relu(_convolve(p, f"{stage}{i}", _normalise(x)))
    return _normalise(x).reshape(-1, COARSE) + p["position"]


def spot_scores(p: Params, image: jax.Array) -> jax.Array:
    """How likely the object to handle is in each image token, as logits ``[256]``; image ``[256, COARSE]``.

    Training says where it is. Without that, attention that starts spread over the whole image gets almost
    no gradient from a thing as small as the puck.
    """
    return _linear(p, "spot", image)[:, 0]


def encode(p: Params, depth: jax.Array, instruction: jax.Array) -> jax.Array:
    """System 2: what to do about what is seen.

    depth f32 ``[64, 64]`` (0 near, 1 far), instruction i32 ``[16]`` (token ids) -> hidden f32
    ``[HIDDEN_TOKENS, HIDDEN_WIDTH]``. Word and read-out tokens attend to each other and to the image.
    """
    image = see(p, depth)
    spot = jax.nn.softmax(spot_scores(p, image)) @ image
    words = p["embedding"][instruction] + p["word_position"]
    tokens = jnp.concatenate([p["readout"], _linear(p, "spot_in", spot)[None], words])
    for i in range(READ_LAYERS):
        name = f"read{i}"
        q, k, v = jnp.split(_linear(p, f"{name}.self", _normalise(tokens)), 3, axis=-1)
        tokens = tokens + _linear(p, f"{name}.self_out", _attend(q, k, v, READ_HEADS))
        q = _linear(p, f"{name}.query", _normalise(tokens))
        k, v = jnp.split(_linear(p, f"{name}.image", image), 2, axis=-1)
        tokens = tokens + _linear(p, f"{name}.image_out", _attend(q, k, v, READ_HEADS))
        h = jax.nn.gelu(_linear(p, f"{name}.up", _normalise(tokens)))
        tokens = tokens + _linear(p, f"{name}.down", h)
    return _normalise(_linear(p, "hidden", _normalise(tokens[:HIDDEN_TOKENS])))


# --- System 1 -------------------------------------------------------------------------------------


def motion(proprio: jax.Array) -> jax.Array:
    """Where the body is and how it moves: ``[now, before]`` -> ``[now, now - before]``, f32 ``[..., 8]``."""
    now, before = jnp.split(proprio, 2, axis=-1)
    return jnp.concatenate([now, now - before], axis=-1)


def begin(p: Params, hidden: jax.Array, proprio: jax.Array) -> jax.Array:
    """Everything about a chunk that depends neither on x nor on t, once per chunk: the prefix.

    hidden f32 ``[8, 64]``, proprio f32 ``[8]`` (metres, opening) -> cond f32 ``COND_SHAPE``.
    """
    body = (motion(proprio) - p["motion_mean"]) / p["motion_std"]
    fused = jnp.concatenate([hidden.reshape(-1), body])
    fused = jax.nn.gelu(_linear(p, "fuse0", fused))
    fused = fused + jax.nn.gelu(_linear(p, "fuse1", _normalise(fused)))
    fused = fused + jax.nn.gelu(_linear(p, "fuse2", _normalise(fused)))
    fused = _normalise(fused)
    seen = _linear(p, "seen", hidden)
    known = _linear(p, "known", fused).reshape(FUSED_TOKENS, WIDTH)
    context = _normalise(jnp.concatenate([seen, known]) + p["context_position"])
    modulation = _linear(p, "modulate_chunk", fused).reshape(MODULATION, WIDTH)
    layers = []
    for i in range(LAYERS):
        k, v = jnp.split(_linear(p, f"layer{i}.context", context), 2, axis=-1)
        layers.append(jnp.concatenate([k, v, modulation + p[f"layer{i}.modulation"]]))
    return jnp.stack(layers)


def start(
    p: Params, hidden: jax.Array, proprio: jax.Array, noise: jax.Array, previous: jax.Array
) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    """First stage: `begin`, where the Euler steps start, and what guided ones are drawn toward.

    Returns (cond, x = noise, t = 0, target): target f32 ``[16, 4]`` is `previous`, the actions being played,
    in the units of x.
    """
    target = (previous - p["action_mean"]) / p["action_std"]
    return begin(p, hidden, proprio), noise, jnp.float32(0.0), target


def velocity(p: Params, cond: jax.Array, x: jax.Array, t: jax.Array) -> jax.Array:
    """The flow's velocity f32 ``[16, 4]`` at x f32 ``[16, 4]`` (normalised actions) and time t.

    t is f32 ``[]``, or f32 ``[16]`` to give every tick a time of its own: ticks at t = 1 are actions already
    decided, and the others continue them.
    """
    angles = t[..., None] * jnp.asarray(np.geomspace(1.0, 100.0, 32), jnp.float32)
    clock = jax.nn.silu(_linear(p, "clock0", jnp.concatenate([jnp.cos(angles), jnp.sin(angles)], axis=-1)))
    clock = _linear(p, "clock1", clock).reshape(*t.shape, MODULATION, WIDTH)
    tokens = _linear(p, "action_in", x) + p["tick_position"]
    for i in range(LAYERS):
        name = f"layer{i}"
        key, value = cond[i, :CONTEXT], cond[i, CONTEXT : 2 * CONTEXT]
        shift1, scale1, shift2, scale2 = jnp.moveaxis(cond[i, 2 * CONTEXT :] + clock, -2, 0)
        h = _normalise(tokens) * (1.0 + scale1) + shift1
        q, k, v = jnp.split(_linear(p, f"{name}.self", h), 3, axis=-1)
        tokens = tokens + _linear(p, f"{name}.self_out", _attend(q, k, v, HEADS))
        q = _linear(p, f"{name}.query", _normalise(tokens))
        tokens = tokens + _linear(p, f"{name}.context_out", _attend(q, key, value, HEADS))
        h = _normalise(tokens) * (1.0 + scale2) + shift2
        h = _linear(p, f"{name}.down", jax.nn.gelu(_linear(p, f"{name}.up", h)))
        tokens = tokens + h
    return _linear(p, "action_out", _normalise(tokens))


def finish(p: Params, x: jax.Array) -> jax.Array:
    """Last stage: normalised actions f32 ``[16, 4]`` to actions f32 ``[16, 4]`` within -1..1."""
    return jnp.clip(x * p["action_std"] + p["action_mean"], -1.0, 1.0)


def chunk(p: Params, hidden: jax.Array, proprio: jax.Array, noise: jax.Array) -> jax.Array:
    """All stages of ``dit`` in a row, not guided: the action chunk f32 ``[16, 4]``."""
    cond, x, dt = begin(p, hidden, proprio), noise, jnp.float32(1.0 / EULER_STEPS)
    for i in range(EULER_STEPS):
        x = x + dt * velocity(p, cond, x, i * dt)
    return finish(p, x)


# --- parameters -----------------------------------------------------------------------------------


class _Initialiser:
    """Collects freshly drawn parameters by name."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self.params: dict[str, np.ndarray] = {}

    def linear(self, name: str, inputs: int, outputs: int, scale: float = 1.0) -> None:
        weights = self._rng.normal(size=(inputs, outputs)) * scale * inputs**-0.5
        self.params[f"{name}.w"] = weights.astype(np.float32)
        self.params[f"{name}.b"] = np.zeros(outputs, np.float32)

    def table(self, name: str, *shape: int, scale: float = 1.0) -> None:
        self.params[name] = (self._rng.normal(size=shape) * scale).astype(np.float32)


def init_vlm(seed: int) -> dict[str, np.ndarray]:
    """Fresh parameters of System 2, still without the convolutions at full resolution (see `deepen`)."""
    make = _Initialiser(seed)
    make.params[BACKGROUND] = np.ones((IMAGE, IMAGE), np.float32)
    inputs = 2
    for stage, (channels, convolutions) in STAGES.items():
        make.linear(f"{stage}.in", inputs, channels)
        inputs = 4 * channels
        for i in range(convolutions if stage != "full" else 0):
            make.linear(f"{stage}{i}", 9 * channels, channels)
    make.table("position", (IMAGE // 4) ** 2, COARSE, scale=0.5)
    make.params["position"] += _grid()
    make.table("embedding", VOCABULARY, COARSE)
    make.table("word_position", TOKENS, COARSE)
    make.table("readout", HIDDEN_TOKENS, COARSE)
    make.linear("spot", COARSE, 1)
    make.linear("spot_in", COARSE, COARSE)
    for i in range(READ_LAYERS):
        make.linear(f"read{i}.self", COARSE, 3 * COARSE)
        make.linear(f"read{i}.self_out", COARSE, COARSE)
        make.linear(f"read{i}.query", COARSE, COARSE)
        make.linear(f"read{i}.image", COARSE, 2 * COARSE)
        make.linear(f"read{i}.image_out", COARSE, COARSE)
        make.linear(f"read{i}.up", COARSE, 2 * COARSE)
        make.linear(f"read{i}.down", 2 * COARSE, COARSE)
    make.linear("hidden", COARSE, HIDDEN_WIDTH)
    return make.params


def deepen(vlm: dict[str, np.ndarray], seed: int) -> dict[str, np.ndarray]:
    """Add the convolutions at full resolution, so small that they hardly change what the model says.

    They are half of the model's work but learn the least, so training adds them late.
    """
    make = _Initialiser(seed)
    channels, convolutions = STAGES["full"]
    for i in range(convolutions):
        make.linear(f"full{i}", 9 * channels, channels, scale=0.1)
    return {**vlm, **make.params}


def _grid() -> np.ndarray:
    """Where each image token lies, to start its learned position with: row and column ramps, 8 channels."""
    side = IMAGE // 4
    ramp = np.linspace(-1.5, 1.5, side, dtype=np.float32)
    grid = np.zeros((side, side, COARSE), np.float32)
    grid[..., 0:4] = ramp[:, None, None]
    grid[..., 4:8] = ramp[None, :, None]
    return grid.reshape(-1, COARSE)


def init_dit(seed: int) -> dict[str, np.ndarray]:
    """Fresh parameters of System 1; normalisation starts at mean 0 and deviation 1."""
    make = _Initialiser(seed)
    make.linear("fuse0", HIDDEN_TOKENS * HIDDEN_WIDTH + PROPRIO, FUSED)
    make.linear("fuse1", FUSED, FUSED)
    make.linear("fuse2", FUSED, FUSED)
    make.linear("seen", HIDDEN_WIDTH, WIDTH)
    make.linear("known", FUSED, FUSED_TOKENS * WIDTH)
    make.table("context_position", CONTEXT, WIDTH, scale=0.5)
    make.linear("modulate_chunk", FUSED, MODULATION * WIDTH, scale=0.3)
    make.linear("clock0", 64, WIDTH)
    make.linear("clock1", WIDTH, MODULATION * WIDTH, scale=0.3)
    make.linear("action_in", ACTION, WIDTH)
    make.table("tick_position", HORIZON, WIDTH, scale=0.5)
    for i in range(LAYERS):
        make.linear(f"layer{i}.context", WIDTH, 2 * WIDTH)
        make.linear(f"layer{i}.self", WIDTH, 3 * WIDTH)
        make.linear(f"layer{i}.self_out", WIDTH, WIDTH)
        make.linear(f"layer{i}.query", WIDTH, WIDTH)
        make.linear(f"layer{i}.context_out", WIDTH, WIDTH)
        make.linear(f"layer{i}.up", WIDTH, 2 * WIDTH)
        make.linear(f"layer{i}.down", 2 * WIDTH, WIDTH)
        make.params[f"layer{i}.modulation"] = np.zeros((MODULATION, WIDTH), np.float32)
    make.linear("action_out", WIDTH, ACTION, scale=0.3)
    make.params["motion_mean"] = np.zeros(PROPRIO, np.float32)
    make.params["motion_std"] = np.ones(PROPRIO, np.float32)
    make.params["action_mean"] = np.zeros(ACTION, np.float32)
    make.params["action_std"] = np.ones(ACTION, np.float32)
    return make.params
