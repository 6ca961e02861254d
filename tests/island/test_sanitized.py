"""The C code under the address and undefined-behaviour sanitizers, with input that is broken on purpose."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.island import write_network
from polyrhythm.island.build import FLAGS, SOURCES
from polyrhythm.island.layout import c_header, layout_digest

from .test_network import layers

HERE = Path(__file__).parent
SANITIZERS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


@pytest.fixture(scope="module")
def fuzz(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sanitized")
    (folder / "pr_layout.h").write_text(f"#define PR_LAYOUT {layout_digest()}ull\n{c_header()}")
    files = [HERE / "fuzz_network.c", SOURCES / "pr_network.c", SOURCES / "pr_island.c"]
    flags = [flag for flag in FLAGS if flag != "-O2"]
    command = ["cc", *flags, "-O1", *SANITIZERS, "-I", folder, "-I", SOURCES, "-o", folder / "fuzz", *files]
    done = subprocess.run([*command, "-lm"], capture_output=True, text=True, check=False)
    if "cannot find" in done.stderr and "san" in done.stderr:
        pytest.skip("the sanitizers' libraries are not installed")
    assert done.returncode == 0, done.stderr
    return folder / "fuzz"


@pytest.mark.parametrize("rounds", [500, pytest.param(50_000, marks=pytest.mark.slow)])
def test_broken_network_files(fuzz: Path, tmp_path: Path, rounds: int) -> None:
    for int8 in (False, True):
        path = tmp_path / f"{int8}.net"
        write_network(path, layers(np.random.default_rng(0), (9, 40, 3), "tanh"), int8=int8)
        done = subprocess.run(
            [fuzz, path, str(rounds), "9", "3"], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert int(done.stdout) > 0
