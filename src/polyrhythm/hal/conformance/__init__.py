"""What any driver must do, as tests to inherit from: it comes with Polyrhythm, and needs pytest.

    pip install 'polyrhythm[conformance]'

A driver's own suite is a file like this::

    import pytest
    from polyrhythm.hal import DeviceConfig, driver
    from polyrhythm.hal.conformance import ENTRIES, DriverConformance, Kit

    @pytest.fixture(scope="module")
    def kit(tmp_path_factory):                  # `ENTRIES`, compiled for it
        return Kit(compiled(tmp_path_factory.mktemp("kit")), can=driver("mine").capabilities)

    class TestMine(DriverConformance):
        @pytest.fixture
        def device_factory(self):               # opens a device of that name
            return lambda name: driver("mine").open(DeviceConfig(name, "default"))

`polyrhythm.hal.conformance.kit` says what each entry computes; ``stages.mlir`` has them for compilers that
take MLIR, `polyrhythm.hal.conformance.onnx_files` writes them as ONNX files. Nothing here sleeps or looks at
how long a thing took. The rest of Polyrhythm never imports it.
"""

from __future__ import annotations

try:
    import pytest
except ImportError as absent:
    raise ImportError(f"{absent}; pip install 'polyrhythm[conformance]'") from absent

# What failed is told with its values, as in a test file.
pytest.register_assert_rewrite(
    *(f"{__name__}.{part}" for part in ("binding", "concurrency", "giving", "suite"))
)

from polyrhythm.hal.conformance.kit import (  # noqa: E402
    ADD,
    CACHE,
    ENTRIES,
    F64,
    GAIN,
    GRIND,
    GRIND_LONG,
    NEGATIVE,
    SQUARE,
    STAGES,
    STEP,
    TWICE,
    TWICE_F32,
    TWO,
    Bench,
    Kit,
    f32,
)
from polyrhythm.hal.conformance.suite import DriverConformance  # noqa: E402

__all__ = [
    "ADD",
    "CACHE",
    "ENTRIES",
    "F64",
    "GAIN",
    "GRIND",
    "GRIND_LONG",
    "NEGATIVE",
    "SQUARE",
    "STAGES",
    "STEP",
    "TWICE",
    "TWICE_F32",
    "TWO",
    "Bench",
    "DriverConformance",
    "Kit",
    "f32",
]
