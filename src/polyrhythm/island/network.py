"""Files of small networks that the island runs in front of its PD.

What a network is given, f32: ``reference - position [N], reference velocity [N], position [N], velocity
[N], sensors [S]``; what it gives, f32 ``[N]``, is added to the reference. So zeros leave the PD as it is.
Layers are dense, their weights float32, or int8 with one scale to each row; with int8 the inputs of a layer
are rounded to int8 too, by their largest.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from polyrhythm.bundle.atomic import write_atomically

MAGIC = 0x31304C4D57525250
ACTIVATIONS = ("none", "relu", "tanh")
Activation = Literal["none", "relu", "tanh"]


@dataclass(frozen=True)
class Layer:
    """``activation(weight @ x + bias)``: weight f32 ``[rows, cols]``, bias f32 ``[rows]``."""

    weight: np.ndarray
    bias: np.ndarray
    activation: Activation = "none"


def write_network(path: Path, layers: Sequence[Layer], *, int8: bool = False) -> None:
    """Write a network file. Raises `ValueError` if layers do not fit each other or are not finite."""
    body = b""
    for layer, after in zip(layers, [*layers[1:], None], strict=True):
        rows, cols = layer.weight.shape
        if layer.bias.shape != (rows,) or (after is not None and after.weight.shape[1] != rows):
            raise ValueError(f"layers do not fit: weight {layer.weight.shape}, bias {layer.bias.shape}")
        if not (np.isfinite(layer.weight).all() and np.isfinite(layer.bias).all()):
            raise ValueError("a weight is not finite")
        body = _aligned(body) + struct.pack("<4Q", rows, cols, int8, ACTIVATIONS.index(layer.activation))
        body = _aligned(body) + layer.bias.astype("<f4").tobytes()
        if int8:
            scale = np.maximum(np.abs(layer.weight).max(axis=1), np.finfo(np.float32).tiny) / 127
            body = _aligned(body) + scale.astype("<f4").tobytes()
            body = _aligned(body) + np.rint(layer.weight / scale[:, None]).astype(np.int8).tobytes()
        else:
            body = _aligned(body) + layer.weight.astype("<f4").tobytes()
    head = struct.pack("<4Q", MAGIC, _HEAD + len(body), len(layers), zlib.crc32(body))
    write_atomically(path, head + body)


_HEAD = 32


def _aligned(body: bytes) -> bytes:
    """`body` filled up so that what follows stands at a multiple of 64 bytes of the file."""
    return body + bytes(-(len(body) + _HEAD) % 64)
