"""Batched programs of one size for batches of any size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

BLOCK = 64
"""Few enough rows to stay in the processor's cache, enough to make up for the calls."""


class InBlocks:
    """A batched ``function(shared, *rows)``, compiled once, for any number of rows, `size` at a time.

    The last block is filled up with copies of the last row. So one program serves as many episodes as are
    still being played, and what comes out for a row depends neither on how many others there are nor on its
    place among them.
    """

    def __init__(self, function: Callable[..., Any], size: int = BLOCK) -> None:
        self._block, self._size = jax.jit(function), size

    def __call__(self, shared: Any, *rows: np.ndarray) -> Any:
        """Arrays ``[n, ...]``, in the tree that `function` gives, for `rows` ``[n, ...]``, n > 0."""
        count = len(rows[0])
        filled = np.minimum(np.arange(-(-count // self._size) * self._size), count - 1)
        blocks = filled.reshape(-1, self._size)
        parts = [self._block(shared, *(a[block] for a in rows)) for block in blocks]
        return jax.tree.map(lambda *part: np.concatenate(part)[:count], *parts)
