"""Attention over paged keys and values, for policies written in JAX.

The cache is one array, the *pool*, f32 ``[pages, layers, 2, page_tokens, heads, head_dim]`` (keys before
values), and a context is a *page table*, i32 ``[table]``: position ``i`` of the context lies in row
``i % page_tokens`` of page ``page_table[i // page_tokens]``. Pages may lie anywhere and belong to several
contexts; who owns what is the business of `polyrhythm.memory.PagedKV`, outside of the graph::

    def decode(params, kv, page_table, start, count, tokens):
        for layer in range(LAYERS):
            ...
            kv = write_rows(kv, layer, page_table, start, count, keys, values)
            mixed = paged_attention(queries, kv, layer, page_table, start, count)
        return hidden, kv

    EntrySource(decode, inputs={"kv": ...}, outputs=("hidden", "kv"), consumed=("kv",))

Because ``kv`` is consumed and comes out under the same name, a call writes the new rows where the pool lies
and copies nothing: its cost depends on the size of the table, not on that of the pool. Attention always looks
at all ``table * page_tokens`` positions and masks those that come later than the query.

Page 0 belongs to nobody: unused places of a table hold 0, and rows that are not to be kept are written there.
So no table leads outside of the pool, and what lies in page 0 is never seen.

Paging: arXiv 2309.06180; the bias by distance: arXiv 2108.12409.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

_FAR = -1e30


def write_rows(
    pool: jax.Array,
    layer: int,
    page_table: jax.Array,
    start: jax.Array,
    count: jax.Array | int,
    keys: jax.Array,
    values: jax.Array,
) -> jax.Array:
    """The pool with rows ``start .. start + count - 1`` of a context written in one layer.

    Args:
        pool: ``[pages, layers, 2, page_tokens, heads, head_dim]``.
        layer: which layer the rows are of.
        page_table: i32 ``[table]``.
        start: i32 ``[]``, the position of the first row.
        count: i32 ``[]``, how many of the n rows count; the others go to page 0.
        keys, values: ``[n, heads, head_dim]``.
    """
    _, layers, _, page_tokens, _, _ = pool.shape
    offsets = jnp.arange(keys.shape[0])
    positions = start + offsets
    places = jnp.clip(positions // page_tokens, 0, page_table.shape[0] - 1)
    pages = jnp.where(offsets < count, _pages(pool, page_table)[places], 0)
    # The compiler scatters along one axis only, so all axes before the heads become one.
    first = ((pages * layers + layer) * 2) * page_tokens + positions % page_tokens
    index = jnp.concatenate([first, first + page_tokens])
    rows = jnp.concatenate([keys, values]).astype(pool.dtype)
    flat = pool.reshape(-1, *pool.shape[4:])
    return flat.at[index].set(rows, mode="clip").reshape(pool.shape)


def read_rows(pool: jax.Array, layer: int, page_table: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Keys and values of a context, each ``[table * page_tokens, heads, head_dim]``, in order of position."""
    pages = pool[_pages(pool, page_table), layer]
    keys, values = (pages[:, part].reshape(-1, *pool.shape[4:]) for part in (0, 1))
    return keys, values


def paged_attention(
    queries: jax.Array,
    pool: jax.Array,
    layer: int,
    page_table: jax.Array,
    start: jax.Array,
    count: jax.Array | int,
    slopes: jax.Array | None = None,
) -> jax.Array:
    """`attention` over the rows that a page table names, those of the queries themselves written already."""
    keys, values = read_rows(pool, layer, page_table)
    return attention(queries, keys, values, start, count, slopes)


def attention(
    queries: jax.Array,
    keys: jax.Array,
    values: jax.Array,
    start: jax.Array,
    count: jax.Array | int,
    slopes: jax.Array | None = None,
) -> jax.Array:
    """Causal attention of queries at positions ``start ..`` over positions ``0 .. m-1``: ``[n, heads, d]``.

    Args:
        queries: ``[n, query_heads, d]``; query_heads may be a multiple of the number of heads of the keys,
            neighbours then share keys and values.
        keys, values: ``[m, heads, d]``. What comes at ``start + count`` or later is not seen, not even NaN.
        start: i32 ``[]``, position of the first query.
        count: i32 ``[]``, how many of the queries count; the results of the others mean nothing.
        slopes: f32 ``[query_heads]``: distance costs a head so much per token. As nothing about positions is
            in the keys then, they stay right when a context loses its oldest pages.
    """
    n, query_heads, d = queries.shape
    m, heads, _ = keys.shape
    if query_heads % heads:
        raise ValueError(f"{query_heads} heads of queries can't share {heads} heads of keys evenly")
    shared = query_heads // heads
    positions = jnp.arange(m)
    written = positions < start + count
    distance = (start + jnp.arange(n))[:, None] - positions
    seen = (distance >= 0) & written
    grouped = queries.reshape(n, heads, shared, d)
    scores = jnp.einsum("nhgd,mhd->hgnm", grouped, keys) * d**-0.5
    if slopes is not None:
        scores = scores - slopes.reshape(heads, shared, 1, 1) * distance
    weights = jax.nn.softmax(jnp.where(seen, scores, _FAR), axis=-1)
    # A weight of 0 does not silence NaN.
    values = jnp.where(written[:, None, None], values, 0)
    mixed: jax.Array = jnp.einsum("hgnm,mhd->nhgd", weights, values).reshape(n, query_heads, d)
    return mixed


def _pages(pool: jax.Array, page_table: jax.Array) -> jax.Array:
    """Machine code checks no bounds: a wrong table must not lead outside of the pool."""
    return jnp.clip(page_table, 0, pool.shape[0] - 1)
