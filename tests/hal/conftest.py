"""Modules compiled for this machine, once for each session."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

SOURCES = Path(__file__).parent / "modules"
FLAGS = [
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=host",
]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """``compiled("stages")`` is the path of ``modules/stages.mlir``, compiled."""
    compiler = pytest.importorskip("iree.compiler")
    folder = tmp_path_factory.mktemp("vmfb")

    @cache
    def build(name: str) -> Path:
        target = folder / f"{name}.vmfb"
        compiler.compile_file(str(SOURCES / f"{name}.mlir"), extra_args=FLAGS, output_file=str(target))
        return target

    return build


@pytest.fixture(scope="session")
def gain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The parameter file of ``stages.mlir``."""
    import iree.runtime as rt

    file = tmp_path_factory.mktemp("weights") / "gain.irpa"
    rt.save_archive_file({"gain": np.full(64, 3.0, np.float32)}, str(file))
    return file
