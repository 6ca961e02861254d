"""A System 2 that remembers: a small decoder over words, image patches and its own thoughts.

Everything it sees is a token. A context begins with 16 words and a mark; every tick appends the 16 patches of
a depth image, then eight thoughts that the decoder emits one after the other, each seeing all before it. The
states that emit them are System 1's input, ``hidden[8, 64]``, as in the example `dual_system`::

    observe(params, kv, page_table, start, count, tokens[16])   -> (thought, kv)
    think(params, kv, page_table, start, token, row, hidden)    -> (thought, hidden, kv)

``kv`` and ``hidden`` are updated where they lie. Positions enter attention as distances only, so a context
may lose its oldest pages and share pages with others. The weights are random, see the README.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from polyrhythm.compile.attention import attention, paged_attention, write_rows

Params = dict[str, jax.Array]

IMAGE = 64
SIDE = 4
PATCHES = SIDE * SIDE
LEVELS = 16
WORDS = 16

WORD_COUNT = 32
THOUGHT_COUNT = 64
BEGIN = WORD_COUNT
FIRST_PATCH = BEGIN + 1
FIRST_THOUGHT = FIRST_PATCH + PATCHES * LEVELS
VOCABULARY = FIRST_THOUGHT + THOUGHT_COUNT
"""Token ids: words, the mark, patches (place and depth), thoughts."""

THOUGHTS = 8
HIDDEN_WIDTH = 64
TICK_TOKENS = PATCHES + THOUGHTS

WIDTH = 96
LAYERS = 4
HEADS = 4
HEAD_DIM = WIDTH // HEADS

PAGE_TOKENS = 8
PAGES = 129
TABLE = 32
"""A context is at most ``TABLE * PAGE_TOKENS`` = 256 tokens long: about ten ticks."""

SLOPES = np.float32(2.0) ** -np.arange(2, 2 * HEADS + 1, 2, dtype=np.float32)


def patch_tokens(depth: np.ndarray) -> np.ndarray:
    """Token ids i32 ``[16]`` of a depth image f32 ``[64, 64]`` (0 near, 1 far): mean depth of each patch."""
    size = IMAGE // SIDE
    means = depth.reshape(SIDE, size, SIDE, size).mean(axis=(1, 3)).reshape(-1)
    levels = np.clip(means * LEVELS, 0, LEVELS - 1).astype(np.int32)
    return FIRST_PATCH + LEVELS * np.arange(PATCHES, dtype=np.int32) + levels


def observe(
    p: Params, kv: jax.Array, page_table: jax.Array, start: jax.Array, count: jax.Array, tokens: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Append `count` of 16 tokens; the first thought about them, i32 ``[]``."""
    states, kv = _extend(p, kv, page_table, start, count, tokens)
    # Picked by a mask: an index would have to be read by the host in the middle of the call.
    last = jnp.arange(tokens.shape[0]) == count - 1
    return _thought(p, jnp.where(last[:, None], states, 0.0).sum(axis=0)), kv


def think(
    p: Params,
    kv: jax.Array,
    page_table: jax.Array,
    start: jax.Array,
    token: jax.Array,
    row: jax.Array,
    hidden: jax.Array,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Append one thought: the next one, and its state as row `row` of hidden f32 ``[8, 64]``."""
    states, kv = _extend(p, kv, page_table, start, jnp.int32(1), token[None])
    seen = _normalise(states[0] @ p["hidden"])
    return _thought(p, states[0]), hidden.at[row[None]].set(seen[None], mode="clip"), kv


def whole(p: Params, tokens: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The same without a cache, for all positions at once: (hidden rows ``[n, 64]``, thoughts ``[n]``)."""

    def mix(layer: int, q: jax.Array, k: jax.Array, v: jax.Array) -> jax.Array:
        return attention(q, k, v, jnp.int32(0), tokens.shape[0], jnp.asarray(SLOPES))

    states = _decode(p, tokens, mix)
    return _normalise(states @ p["hidden"]), jax.vmap(lambda state: _thought(p, state))(states)


def init(seed: int) -> dict[str, np.ndarray]:
    """Random parameters."""
    rng = np.random.default_rng(seed)

    def draw(*shape: int, scale: float = 1.0) -> np.ndarray:
        return (rng.standard_normal(shape) * scale).astype(np.float32)

    params = {
        "embedding": draw(VOCABULARY, WIDTH),
        "hidden": draw(WIDTH, HIDDEN_WIDTH, scale=WIDTH**-0.5),
        "thoughts": draw(WIDTH, THOUGHT_COUNT, scale=WIDTH**-0.5),
    }
    for i in range(LAYERS):
        params[f"layer{i}.qkv"] = draw(WIDTH, 3 * WIDTH, scale=WIDTH**-0.5)
        params[f"layer{i}.out"] = draw(WIDTH, WIDTH, scale=WIDTH**-0.5)
        params[f"layer{i}.up"] = draw(WIDTH, 4 * WIDTH, scale=WIDTH**-0.5)
        params[f"layer{i}.down"] = draw(4 * WIDTH, WIDTH, scale=(4 * WIDTH) ** -0.5)
    return params


def _extend(
    p: Params, kv: jax.Array, page_table: jax.Array, start: jax.Array, count: jax.Array, tokens: jax.Array
) -> tuple[jax.Array, jax.Array]:
    def mix(layer: int, q: jax.Array, k: jax.Array, v: jax.Array) -> jax.Array:
        nonlocal kv
        kv = write_rows(kv, layer, page_table, start, count, k, v)
        return paged_attention(q, kv, layer, page_table, start, count, jnp.asarray(SLOPES))

    return _decode(p, tokens, mix), kv


def _decode(p: Params, tokens: jax.Array, mix) -> jax.Array:  # type: ignore[no-untyped-def]
    """The decoder ``[n] -> [n, WIDTH]``; `mix` is attention in a layer, given queries, keys and values."""
    x = p["embedding"][jnp.clip(tokens, 0, VOCABULARY - 1)]
    for i in range(LAYERS):
        q, k, v = jnp.split(_normalise(x) @ p[f"layer{i}.qkv"], 3, axis=-1)
        heads = [part.reshape(-1, HEADS, HEAD_DIM) for part in (q, k, v)]
        x = x + mix(i, *heads).reshape(-1, WIDTH) @ p[f"layer{i}.out"]
        x = x + jax.nn.gelu(_normalise(x) @ p[f"layer{i}.up"]) @ p[f"layer{i}.down"]
    return _normalise(x)


def _thought(p: Params, state: jax.Array) -> jax.Array:
    return FIRST_THOUGHT + jnp.argmax(state @ p["thoughts"]).astype(jnp.int32)


def _normalise(x: jax.Array) -> jax.Array:
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred * jax.lax.rsqrt((centred * centred).mean(axis=-1, keepdims=True) + 1e-5)
