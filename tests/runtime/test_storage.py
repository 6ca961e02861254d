"""What of a context's memory can be looked at without a device."""

from __future__ import annotations

import numpy as np
import pytest

from polyrhythm.runtime.storage import _finite


@pytest.mark.parametrize("bits", [0x7FC0, 0x7F80, 0xFF80])
def test_nan_and_infinity_in_bfloat16_are_seen_though_numpy_keeps_its_bits(bits: int) -> None:
    array = np.array([0x3F80, 0x7F7F, 0], np.uint16)
    assert _finite(array, "bf16")
    array[2] = bits
    assert not _finite(array, "bf16")
    assert _finite(array, "u16")
