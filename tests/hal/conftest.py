"""Modules compiled for this machine, once for each session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.hal.conformance import ENTRIES, GAIN, STAGES, Kit

SOURCES = Path(__file__).parent / "modules"
FLAGS = [
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=host",
]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """``compiled("stages")`` is the path of the suite's source, compiled; others are in ``modules``."""
    compiler = pytest.importorskip("iree.compiler")
    folder = tmp_path_factory.mktemp("vmfb")

    @cache
    def build(name: str) -> Path:
        target = folder / f"{name}.vmfb"
        source = STAGES if name == STAGES.stem else SOURCES / f"{name}.mlir"
        compiler.compile_file(str(source), extra_args=FLAGS, output_file=str(target))
        return target

    return build


@pytest.fixture(scope="session")
def gain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The parameter file of ``stages.mlir``."""
    import iree.runtime as rt

    file = tmp_path_factory.mktemp("weights") / "gain.irpa"
    rt.save_archive_file({"gain": np.full(64, GAIN, np.float32)}, str(file))
    return file


@pytest.fixture(scope="session")
def planned(tmp_path_factory: pytest.TempPathFactory, gain: Path) -> Kit:
    """``planned.mlir`` as a static plan, with what its kernels work on."""
    pytest.importorskip("iree.compiler")
    from polyrhythm.compile.static_plan import plan_source
    from polyrhythm.hal.drivers import static

    made = plan_source((SOURCES / "planned.mlir").read_text(), where="planned.mlir", entries=ENTRIES)
    assert not made.refused
    path = tmp_path_factory.mktemp("plans") / "planned.plan"
    path.write_bytes(made.plan)
    path.with_suffix(".so").write_bytes(made.library)
    path.with_suffix(".work.json").write_bytes(made.work)
    entries = [replace(entry, scratch_bytes=made.scratch_bytes[entry.name]) for entry in ENTRIES]
    return Kit(path, [gain], entries, can=static.driver.capabilities)
