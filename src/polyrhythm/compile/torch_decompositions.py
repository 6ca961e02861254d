"""What PyTorch's operations are made of, where torch-mlir's or IREE's own answer is slow, wrong or none.

Each was found on a real policy; what goes wrong without it stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._decomp import core_aten_decompositions, get_decompositions

aten = torch.ops.aten


def table(told: Callable[[str], None]) -> dict[Any, Callable[..., Any]]:
    """Decompositions of everything that is lowered; `told` hears of those of ours that are applied."""
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table

    ours = {operation: _telling(fn, words, told) for operation, (fn, words) in _OURS.items()}
    found = {**get_decomposition_table(), **ours}
    # Its decomposition asks for memory of a certain layout, which is ours to avoid.
    found.pop(aten.full.default, None)
    return found


def backward_table() -> dict[Any, Callable[..., Any]]:
    """Decompositions of what autograd adds to a traced function."""
    return {**core_aten_decompositions(), **get_decompositions(_BACKWARD)}


def _telling(fn: Callable[..., Any], words: str, told: Callable[[str], None]) -> Callable[..., Any]:
    def call(*arguments: Any, **keywords: Any) -> Any:
        result = fn(*arguments, **keywords)
        if result is not NotImplemented:
            told(words)
            return result
        return _plain_conv2d(*arguments, **keywords) if fn is _conv2d else result

    return call


#: Gradients of activations that are not among the core decompositions.
_BACKWARD = [
    aten.silu_backward, aten.gelu_backward, aten.tanh_backward, aten.sigmoid_backward,
    aten.native_layer_norm_backward, aten.select_backward, aten.embedding_dense_backward,
    aten._softmax_backward_data, aten.mish_backward, aten.threshold_backward,
]  # fmt: skip


def _addmm(bias: Any, x: Any, w: Any, beta: float = 1, alpha: float = 1) -> Any:
    """Whole, a bf16 one is computed in float32."""
    product = torch.mm(x, w)
    product = product if alpha == 1 else product * alpha
    return product + (bias if beta == 1 else bias * beta)


def _layer_norm(x: Any, shape: Sequence[int], weight: Any, bias: Any, eps: float) -> Any:
    """torch-mlir's own reduces bf16 in float64; PyTorch does in float32."""
    dims = list(range(x.dim() - len(shape), x.dim()))
    wide = x.float() if x.dtype in (torch.bfloat16, torch.float16) else x
    mean = wide.mean(dims, keepdim=True)
    centred = wide - mean
    scale = torch.rsqrt((centred * centred).mean(dims, keepdim=True) + eps)
    y = centred * scale
    y = y if weight is None else y * weight.to(y.dtype)
    y = y if bias is None else y + bias.to(y.dtype)
    return y.to(x.dtype), mean, scale


def _convolution(
    x: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    _: Any,
    groups: int,
) -> Any:
    """A convolution whose patches do not overlap (as at the entrance of a vision transformer) is a product of
    matrices; as a convolution it takes several times as long."""
    tall, wide = (*weight.shape[2:], 0, 0)[:2]
    plain = not transposed and groups == 1 and x.dim() == 4 and set(dilation) == {1} and set(padding) == {0}
    if not plain or tuple(stride) not in ((tall, wide), (tall,)[: tall == wide]) or (tall, wide) == (1, 1):
        return NotImplemented
    batch, channels, height, width = x.shape
    out, rows, columns = weight.shape[0], height // tall, width // wide
    x = x[:, :, : rows * tall, : columns * wide]
    x = x.reshape(batch, channels, rows, tall, columns, wide).permute(0, 2, 4, 1, 3, 5)
    y = x.reshape(batch * rows * columns, channels * tall * wide) @ weight.reshape(out, -1).t()
    y = y if bias is None else y + bias
    return y.reshape(batch, rows, columns, out).permute(0, 3, 1, 2)


def _conv2d(
    x: Any, weight: Any, bias: Any = None, stride: Any = (1, 1), padding: Any = (0, 0),
    dilation: Any = (1, 1), groups: int = 1,
) -> Any:  # fmt: skip
    return _convolution(x, weight, bias, stride, padding, dilation, False, None, groups)


def _plain_conv2d(
    x: Any, weight: Any, bias: Any = None, stride: Any = (1, 1), padding: Any = (0, 0),
    dilation: Any = (1, 1), groups: int = 1,
) -> Any:  # fmt: skip
    """PyTorch does not ask again about an operation that is made of others."""
    rest = (list(stride), list(padding), list(dilation), False, [0, 0], groups)
    return aten.convolution(x, weight, bias, *rest)


def _slice_bounds(extent: int, start: int | None, end: int | None) -> tuple[int, int]:
    first, last, _ = slice(start, end).indices(extent)
    return first, max(first, last)


def _slice_scatter(
    x: Any, source: Any, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Any:
    """With an end of INT64_MAX, torch-mlir's own allocates until nothing is left."""
    if step != 1:
        return NotImplemented
    first, last = _slice_bounds(x.shape[dim], start, end)
    parts = [x.narrow(dim, 0, first), source, x.narrow(dim, last, x.shape[dim] - last)]
    kept = [part.to(x.dtype) for part in parts if part.shape[dim] > 0]
    return torch.cat(kept, dim) if len(kept) > 1 else kept[0].expand_as(x).clone()


def _slice_backward(gradient: Any, sizes: Sequence[int], dim: int, start: int, end: int, step: int) -> Any:
    """The same."""
    if step != 1:
        return NotImplemented
    dim = dim % len(sizes)
    first, last = _slice_bounds(sizes[dim], start, end)
    padding = [0, 0] * (len(sizes) - dim - 1) + [first, sizes[dim] - last]
    return torch.constant_pad_nd(gradient, padding, 0.0)


def _squeeze(x: Any, dims: Sequence[int]) -> Any:
    """Not lowered by torch-mlir."""
    gone = {dim % x.dim() for dim in dims} if x.dim() else set()
    return x.reshape([extent for dim, extent in enumerate(x.shape) if dim not in gone or extent != 1])


def _zeros(size: Sequence[int], *_: Any, dtype: Any = None, **__: Any) -> Any:
    """Memory that is to be written; torch-mlir does not lower the ways of asking for its layout."""
    return aten.full(size, 0, dtype=dtype or torch.get_default_dtype())


_PATCHES = "a convolution whose patches do not overlap is a product of matrices"
_CAT = "a slice that is written is a concatenation"
_EMPTY = "memory of a certain layout is zeros"
_OURS: dict[Any, tuple[Callable[..., Any], str]] = {
    aten.addmm.default: (_addmm, "addmm is a product and a sum"),
    aten.native_layer_norm.default: (_layer_norm, "layer normalisation is written out, with float32 sums"),
    aten.conv2d.default: (_conv2d, _PATCHES),
    aten.convolution.default: (_convolution, _PATCHES),
    aten.slice_scatter.default: (_slice_scatter, _CAT),
    aten.slice_backward.default: (_slice_backward, "the gradient of a slice is a padding"),
    aten.empty_permuted.default: (_zeros, _EMPTY),
    aten.empty_strided.default: (_zeros, _EMPTY),
    aten.squeeze.dims: (_squeeze, "squeeze of several dimensions is a reshape"),
}
