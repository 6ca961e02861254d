"""The compiler's integers, against NumPy's of the same width."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.compile.hal_numbers import COMPARE, CONVERT, PAIRS, signed, unsigned

NUMBERS = st.integers(-(1 << 31), (1 << 31) - 1)
#: What NumPy calls the same operation, on signed or unsigned numbers of 32 bits.
SAME = {
    "addi": (np.add, np.int32), "subi": (np.subtract, np.int32), "muli": (np.multiply, np.int32),
    "andi": (np.bitwise_and, np.int32), "ori": (np.bitwise_or, np.int32), "xori": (np.bitwise_xor, np.int32),
    "divui": (np.floor_divide, np.uint32), "remui": (np.remainder, np.uint32),
    "floordivsi": (np.floor_divide, np.int32), "remsi": (np.fmod, np.int32),
    "minsi": (np.minimum, np.int32), "maxsi": (np.maximum, np.int32),
    "minui": (np.minimum, np.uint32), "maxui": (np.maximum, np.uint32),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
@given(a=NUMBERS, b=NUMBERS)
def test_pairs_are_numpys(name: str, a: int, b: int) -> None:
    function, kind = SAME[name]
    if b == 0 and name.startswith(("div", "rem", "floordiv")):
        return
    left, right = (np.array([signed(x, 32)], np.int32).view(kind) for x in (a, b))
    with np.errstate(over="ignore"):
        want = int(function(left, right).astype(kind).view(np.int32)[0])
    assert signed(PAIRS[name](a, b, 32), 32) == want


@given(NUMBERS, NUMBERS)
def test_comparisons_know_both_kinds(a: int, b: int) -> None:
    with_sign = [a == b, a != b, a < b, a <= b, a > b, a >= b]
    x, y = unsigned(a, 32), unsigned(b, 32)
    assert [compare(a, b, 32) for compare in COMPARE] == [*with_sign, x < y, x <= y, x > y, x >= y]


@given(NUMBERS, st.integers(0, 40))
def test_shifts(a: int, by: int) -> None:
    assert signed(PAIRS["shli"](a, by, 32), 32) == (signed(a << by, 32) if by < 32 else 0)
    assert PAIRS["shrui"](a, by, 32) == unsigned(a, 32) >> by
    assert PAIRS["divsi"](-7, 2, 32) == -3 and PAIRS["ceildivsi"](7, 2, 32) == 4


def test_a_bit_alone_has_no_sign() -> None:
    assert signed(1, 1) == 1 and signed(3, 1) == 1 and signed(255, 8) == -1
    assert CONVERT["extsi"](1, 1) == -1 and CONVERT["extui"](1, 1) == 1
    assert signed(CONVERT["trunci"](0x1FF, 32), 8) == -1
