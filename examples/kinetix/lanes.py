"""Many episodes at once with the episodes as the last axis of every array.

`jax.vmap` puts the batch first wherever an operation leaves it the choice. The physics is made of 2-vectors
and short lists of contacts, so the innermost loops of the program then run over two or four numbers. With the
episodes last they run over episodes, of which a processor takes eight at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

_INLINED = {"jit": "jaxpr", "pjit": "jaxpr", "custom_jvp_call": "call_jaxpr", "closed_call": "call_jaxpr"}
"""Calls, and the parameter that holds what is called."""


def lanes_last(function: Callable[..., Any], *examples: Any) -> Callable[..., Any]:
    """`function` of trees of arrays like `examples`, for such trees with one more, last axis everywhere.

    The same operations on the same numbers, so results agree with those of `jax.vmap` up to rounding.
    """
    program, shape = jax.make_jaxpr(function, return_shape=True)(*examples)
    tree = jax.tree.structure(shape)

    def batched(*args: Any) -> Any:
        flat = jax.tree.leaves(args)
        lanes = flat[0].shape[-1]
        out = _evaluate(program.jaxpr, program.consts, [(a, True) for a in flat], lanes)
        return jax.tree.unflatten(tree, [_spread(v, lanes) for v in out])

    return batched


Value = tuple[Any, bool]
"""An array, and whether it has the lanes as one more, last axis."""


def _evaluate(jaxpr: Any, consts: Sequence[Any], args: Sequence[Value], lanes: int) -> list[Value]:
    known: dict[Any, Value] = dict(zip(jaxpr.constvars, ((c, False) for c in consts), strict=True))
    known |= dict(zip(jaxpr.invars, args, strict=True))

    def read(atom: Any) -> Value:
        return (jnp.asarray(atom.val, atom.aval.dtype), False) if hasattr(atom, "val") else known[atom]

    for eqn in jaxpr.eqns:
        found = _apply(eqn, [read(atom) for atom in eqn.invars], lanes)
        known |= dict(zip(eqn.outvars, found, strict=True))
    return [read(atom) for atom in jaxpr.outvars]


def _apply(eqn: Any, args: list[Value], lanes: int) -> list[Value]:
    """What one operation gives."""
    name, params = eqn.primitive.name, eqn.params
    if name in _INLINED:
        called = params[_INLINED[name]]
        return _evaluate(called.jaxpr, called.consts, args, lanes)
    if not any(has for _, has in args):
        return _bound(eqn, [a for a, _ in args], params, False)
    if name == "scan":
        return _scan(params, args, lanes)
    if name == "sort" and params["num_keys"] == 1:
        return _sort(params, args, lanes)
    if name in _CHANGED:
        changed = _CHANGED[name](args, params, lanes)
        if changed is not None:
            return _bound(eqn, *changed, True)
    elif name in _AXES_STAY:
        return _bound(eqn, [_spread(v, lanes) for v in args], params, True)
    elif name in _EACH:
        shape = eqn.outvars[0].aval.shape
        return _bound(eqn, [_spread(v, lanes, shape) for v in args], params, True)
    axes = tuple(-1 if has else None for _, has in args)
    mapped = jax.vmap(lambda *a: eqn.primitive.bind(*a, **params), in_axes=axes, out_axes=-1)
    found = mapped(*(a for a, _ in args))
    return [(a, True) for a in (found if eqn.primitive.multiple_results else [found])]


def _bound(eqn: Any, args: Sequence[Any], params: dict[str, Any], has: bool) -> list[Value]:
    found = eqn.primitive.bind(*args, **params)
    return [(a, has) for a in (found if eqn.primitive.multiple_results else [found])]


def _spread(value: Value, lanes: int, shape: tuple[int, ...] | None = None) -> Any:
    """The array with lanes; a scalar is repeated to `shape` before them."""
    array, has = value
    array = array if has else array[..., None]
    shape = array.shape[:-1] if shape is None else shape
    if array.ndim == 1:
        array = array.reshape((1,) * len(shape) + array.shape)
    return jnp.broadcast_to(array, (*shape, lanes))


_AXES_STAY = {
    "argmax", "argmin", "concatenate", "cumsum", "reduce_and", "reduce_max", "reduce_min", "reduce_or",
    "reduce_prod", "reduce_sum", "rev", "split", "squeeze",
}  # fmt: skip
"""Operations whose parameters name axes by number, which one more axis at the end leaves as they are."""


_EACH = {
    "abs", "add", "and", "atan2", "clamp", "convert_element_type", "copy", "cos", "div", "eq", "exp", "floor",
    "ge", "gt", "integer_pow", "is_finite", "le", "log", "lt", "max", "min", "mul", "ne", "neg", "not", "or",
    "pow", "rem", "round", "rsqrt", "select_n", "sign", "sin", "sqrt", "square", "stop_gradient", "sub",
    "tanh", "xor",
}  # fmt: skip
"""Operations element by element. What is not named here or below is left to `jax.vmap`."""


def _broadcast(args: list[Value], params: dict[str, Any], lanes: int) -> Any:
    shape = params["shape"]
    places = (*params["broadcast_dimensions"], len(shape))
    return [args[0][0]], {**params, "shape": (*shape, lanes), "broadcast_dimensions": places}


def _reshape(args: list[Value], params: dict[str, Any], lanes: int) -> Any:
    return [args[0][0]], {**params, "new_sizes": (*params["new_sizes"], lanes)}


def _transpose(args: list[Value], params: dict[str, Any], lanes: int) -> Any:
    order = params["permutation"]
    return [args[0][0]], {**params, "permutation": (*order, len(order))}


def _slice(args: list[Value], params: dict[str, Any], lanes: int) -> Any:
    strides = params["strides"]
    return [args[0][0]], {
        **params,
        "start_indices": (*params["start_indices"], 0),
        "limit_indices": (*params["limit_indices"], lanes),
        "strides": None if strides is None else (*strides, 1),
    }


def _pad(args: list[Value], params: dict[str, Any], lanes: int) -> Any:
    (array, has), (value, moving) = args
    if moving or not has:
        return None
    return [array, value], {**params, "padding_config": (*params["padding_config"], (0, 0, 0))}


def _gather(args: list[Value], params: dict[str, Any], lanes: int) -> Any:
    (array, has), (indices, moving) = args
    numbers, sizes = params["dimension_numbers"], params["slice_sizes"]
    rank = array.ndim - has
    if not moving:  # the same places in every lane
        out = indices.ndim - 1 + len(numbers.offset_dims)
        numbers = numbers._replace(offset_dims=(*numbers.offset_dims, out))
        return [array, indices], {**params, "dimension_numbers": numbers, "slice_sizes": (*sizes, lanes)}
    indices = jnp.moveaxis(indices, -1, -2)
    if has:
        numbers = numbers._replace(
            operand_batching_dims=(*numbers.operand_batching_dims, rank),
            start_indices_batching_dims=(*numbers.start_indices_batching_dims, indices.ndim - 2),
        )
        sizes = (*sizes, 1)
    return [array, indices], {**params, "dimension_numbers": numbers, "slice_sizes": sizes}


def _scatter(args: list[Value], params: dict[str, Any], lanes: int) -> Any:
    array, (indices, moving), updates = args
    if moving:
        return None
    array, updates = (_spread(v, lanes) for v in (array, updates))
    numbers = params["dimension_numbers"]
    numbers = numbers._replace(update_window_dims=(*numbers.update_window_dims, updates.ndim - 1))
    return [array, indices, updates], {**params, "dimension_numbers": numbers}


def _dynamic_slice(args: list[Value], params: dict[str, Any], lanes: int) -> Any:
    (array, _), *starts = args
    if any(moving for _, moving in starts):
        return None
    zero = jnp.zeros((), starts[0][0].dtype)
    return [array, *(s for s, _ in starts), zero], {**params, "slice_sizes": (*params["slice_sizes"], lanes)}


_CHANGED: dict[str, Callable[[list[Value], dict[str, Any], int], Any]] = {
    "broadcast_in_dim": _broadcast, "dynamic_slice": _dynamic_slice, "gather": _gather, "pad": _pad,
    "reshape": _reshape, "scatter": _scatter, "scatter-add": _scatter, "slice": _slice,
    "transpose": _transpose,
}  # fmt: skip
"""Arguments and parameters with lanes, None where there is no simple way."""


def _scan(params: dict[str, Any], args: list[Value], lanes: int) -> list[Value]:
    body, first, carried = params["jaxpr"], params["num_consts"], params["num_carry"]
    given, told = body.jaxpr.invars[first:][:carried], body.jaxpr.outvars[:carried]
    moving = [i for i in range(carried) if given[i] is not told[i]]  # the rest is handed on as it is
    rows = args[first + carried :]

    def step(carry: Any, row: Any) -> Any:
        now = list(args)
        for i, array in zip(moving, carry, strict=True):
            now[first + i] = (array, True)
        now[first + carried :] = zip(row, (has for _, has in rows), strict=True)
        out = _evaluate(body.jaxpr, body.consts, now, lanes)
        return [_spread(out[i], lanes) for i in moving], [_spread(v, lanes) for v in out[carried:]]

    begin = [_spread(args[first + i], lanes) for i in moving]
    changed, rest = lax.scan(
        step, begin, [a for a, _ in rows], params["length"], params["reverse"], params["unroll"]
    )
    end = args[first:][:carried]
    for i, array in zip(moving, changed, strict=True):
        end[i] = (array, True)
    return [*end, *((a, True) for a in rest)]


def _sort(params: dict[str, Any], args: list[Value], lanes: int) -> list[Value]:
    """Neighbours exchanged until all are in order: for four numbers cheaper than a call for each lane."""
    axis = params["dimension"]
    columns = [
        [jnp.take(a, i, axis) for i in range(a.shape[axis])] for a in (_spread(v, lanes) for v in args)
    ]
    count = len(columns[0])
    for end in range(count - 1, 0, -1):
        for i in range(end):
            wrong = columns[0][i + 1] < columns[0][i]
            for column in columns:
                low = jnp.where(wrong, column[i + 1], column[i])
                column[i + 1] = jnp.where(wrong, column[i], column[i + 1])
                column[i] = low
    return [(jnp.stack(column, axis), True) for column in columns]
