"""Integers as MLIR's `arith` computes with them: two's complement, kept as signed Python integers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

_MOST_GROUPS = (1 << 32, 1 << 32, 1 << 16)


def signed(value: int, width: int) -> int:
    """`value` in `width` bits; a bit alone is 0 or 1."""
    value &= (1 << width) - 1
    return value - (1 << width) if width > 1 and value >> (width - 1) else value


def unsigned(value: int, width: int) -> int:
    """The same bits, read without a sign."""
    return value & ((1 << width) - 1)


def _toward_zero(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_U = unsigned
#: Operations on two numbers and their width.
PAIRS: Mapping[str, Callable[[int, int, int], int]] = {
    "addi": lambda a, b, w: a + b,
    "subi": lambda a, b, w: a - b,
    "muli": lambda a, b, w: a * b,
    "andi": lambda a, b, w: a & b,
    "ori": lambda a, b, w: a | b,
    "xori": lambda a, b, w: a ^ b,
    "shli": lambda a, b, w: a << _U(b, w) if _U(b, w) < w else 0,
    "shrui": lambda a, b, w: _U(a, w) >> _U(b, w),
    "shrsi": lambda a, b, w: a >> _U(b, w),
    "divsi": lambda a, b, w: _toward_zero(a, b),
    "divui": lambda a, b, w: _U(a, w) // _U(b, w),
    "remsi": lambda a, b, w: a - b * _toward_zero(a, b),
    "remui": lambda a, b, w: _U(a, w) % _U(b, w),
    "ceildivsi": lambda a, b, w: -(-a // b),
    "ceildivui": lambda a, b, w: -(-_U(a, w) // _U(b, w)),
    "floordivsi": lambda a, b, w: a // b,
    "minsi": lambda a, b, w: min(a, b),
    "maxsi": lambda a, b, w: max(a, b),
    "minui": lambda a, b, w: min(_U(a, w), _U(b, w)),
    "maxui": lambda a, b, w: max(_U(a, w), _U(b, w)),
}

#: `arith.cmpi` by the number of its predicate.
COMPARE: Sequence[Callable[[int, int, int], bool]] = (
    lambda a, b, w: a == b,
    lambda a, b, w: a != b,
    lambda a, b, w: a < b,
    lambda a, b, w: a <= b,
    lambda a, b, w: a > b,
    lambda a, b, w: a >= b,
    lambda a, b, w: _U(a, w) < _U(b, w),
    lambda a, b, w: _U(a, w) <= _U(b, w),
    lambda a, b, w: _U(a, w) > _U(b, w),
    lambda a, b, w: _U(a, w) >= _U(b, w),
)

#: Conversions of a number of a given width; the result is cut to its own.
CONVERT: Mapping[str, Callable[[int, int], int]] = {
    "index_cast": lambda a, w: a,
    "index_castui": _U,
    "extsi": lambda a, w: -a if w == 1 else a,
    "extui": _U,
    "trunci": lambda a, w: a,
}


def fits(workgroups: Sequence[int]) -> bool:
    """Whether a dispatch may have that many workgroups along x, y and z."""
    return all(0 <= count < most for count, most in zip(workgroups, _MOST_GROUPS, strict=False))
