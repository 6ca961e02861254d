"""A System 2 that remembers: a small decoder over words, image patches and its own thoughts.

Everything it sees is a token. A sequence begins with 16 words and a mark; every tick appends the 16 patches
of a depth image, then eight thoughts that the decoder emits one after the other, each seeing all before it.
The states that emit them are System 1's input, ``hidden[8, 64]``, as in the example `dual_system`. A tick is
nine stages::

    observe(params, kv, page_table, length, depth, instruction)
        -> (position, row, thought, hidden, tokens, kv)
    think(params, kv, page_table, length, position, row, thought, hidden, tokens) -> (the same)

``kv`` is updated where it lies; the runtime gives the page table and the length of the sequence, and reads
from ``tokens`` what was appended. Positions enter attention as distances only, so a sequence may lose its
oldest pages and share pages with others. The weights are random, see the README.
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

PROMPT = WORDS + 1
THOUGHTS = 8
HIDDEN_WIDTH = 64
TICK_TOKENS = PROMPT + PATCHES + THOUGHTS
"""At most: all ticks but the first of a sequence come without the 17 words."""

WIDTH = 96
LAYERS = 4
HEADS = 4
HEAD_DIM = WIDTH // HEADS

PAGE_TOKENS = 8
PAGES = 129
TABLE = 32
"""A sequence is at most ``TABLE * PAGE_TOKENS`` = 256 tokens long: about ten ticks."""

SLOPES = np.float32(2.0) ** -np.arange(2, 2 * HEADS + 1, 2, dtype=np.float32)


def patch_tokens(depth: jax.Array) -> jax.Array:
    """Token ids i32 ``[16]`` of a depth image f32 ``[64, 64]`` (0 near, 1 far): mean depth of each patch."""
    size = IMAGE // SIDE
    means = depth.reshape(SIDE, size, SIDE, size).mean(axis=(1, 3)).reshape(-1)
    levels = jnp.clip(means * LEVELS, 0, LEVELS - 1).astype(jnp.int32)
    return FIRST_PATCH + LEVELS * jnp.arange(PATCHES, dtype=jnp.int32) + levels


def observe(
    p: Params,
    kv: jax.Array,
    page_table: jax.Array,
    length: jax.Array,
    depth: jax.Array,
    instruction: jax.Array,
) -> tuple[jax.Array, ...]:
    """Append what is seen, to an empty sequence the instruction before it; the first thought about it.

    Returns where the next token goes, the number of thoughts so far (none), the first thought, the rows of
    hidden f32 ``[8, 64]`` and the tokens i32 ``[41]`` so far, and the pages.
    """
    words = jnp.clip(instruction, 0, WORD_COUNT - 1)
    patches = patch_tokens(depth)
    # One shape for both: the rows beyond `count` are written nowhere.
    first = jnp.concatenate([words, jnp.full(1, BEGIN, jnp.int32), patches])
    later = jnp.concatenate([patches, jnp.full(PROMPT, -1, jnp.int32)])
    begins = length == 0
    seen = jnp.where(begins, first, later)
    count = jnp.where(begins, PROMPT + PATCHES, PATCHES)
    states, kv = _extend(p, kv, page_table, length, count, seen)
    # Picked by a mask: an index would have to be read by the host in the middle of the call.
    last = jnp.arange(PROMPT + PATCHES) == count - 1
    thought = _thought(p, jnp.where(last[:, None], states, 0.0).sum(axis=0))
    tokens = jnp.concatenate([seen, jnp.full(THOUGHTS, -1, jnp.int32)])
    hidden = jnp.zeros((THOUGHTS, HIDDEN_WIDTH), jnp.float32)
    return length + count, jnp.int32(0), thought, hidden, tokens, kv


def think(
    p: Params,
    kv: jax.Array,
    page_table: jax.Array,
    length: jax.Array,
    position: jax.Array,
    row: jax.Array,
    thought: jax.Array,
    hidden: jax.Array,
    tokens: jax.Array,
) -> tuple[jax.Array, ...]:
    """Append a thought, its state as row `row` of hidden, and have the next one."""
    states, kv = _extend(p, kv, page_table, position, jnp.int32(1), thought[None])
    seen = _normalise(states[0] @ p["hidden"])
    hidden = jnp.where((jnp.arange(THOUGHTS) == row)[:, None], seen, hidden)
    tokens = jnp.where(jnp.arange(TICK_TOKENS) == position - length, thought, tokens)
    return position + 1, row + 1, _thought(p, states[0]), hidden, tokens, kv


def look(p: Params, place: jax.Array) -> tuple[jax.Array, jax.Array]:
    """A depth image f32 ``[64, 64]`` with something near at `place` f32 ``[2]`` (standard normal), and the
    words i32 ``[16]``: what there is instead of a robot."""
    y, x = jnp.meshgrid(jnp.arange(IMAGE), jnp.arange(IMAGE), indexing="ij")
    away = (x - 32 - 12 * place[0]) ** 2 + (y - 32 - 12 * place[1]) ** 2
    return 0.9 - 0.6 * jnp.exp(-away / 100), p["words"].astype(jnp.int32)


def reach(p: Params, hidden: jax.Array) -> jax.Array:
    """A System 1 that only shows what reads `hidden`: f32 ``[4]``."""
    return jnp.tanh(hidden.mean(axis=0) @ p["reach"])


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
    params["reach"] = draw(HIDDEN_WIDTH, 4, scale=HIDDEN_WIDTH**-0.5)
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
