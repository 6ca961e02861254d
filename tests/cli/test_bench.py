"""`bench`: what may be asked for, and that the comparison measures what it says."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Cli = Callable[..., Result]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "options",
    [
        ("orchestration", "--episodes", "3"),
        ("drivers", "--case", "x"),
        ("chunks", "--json"),
        ("chunks", "mlp"),
        ("orchestration", "--only", "iree"),
    ],
)
def test_options_of_the_other_are_refused(cli: Cli, options: tuple[str, ...]) -> None:
    result = cli("bench", *options)
    assert result.exit_code == 2
    assert "chunks" in result.stderr


@pytest.mark.slow
def test_drivers_give_the_same_numbers() -> None:
    command = [sys.executable, "-m", "polyrhythm", "bench", "drivers", "flow_head", "--quick", "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=600)
    found = {row["driver"]: row for row in json.loads(done.stdout)["drivers"]}
    ran = {name: row for name, row in found.items() if row["why"] is None}
    assert len(ran) >= 4 and all(row["why"] for name, row in found.items() if name not in ran)
    for row in ran.values():
        assert row["error"] < 1e-5 and 0 < row["p50_us"] <= row["p99_us"] and row["artefact_mb"] > 0


def test_an_unknown_model_lists_those_there_are() -> None:
    command = [sys.executable, "-m", "polyrhythm", "bench", "drivers", "resnet1000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode and "no model 'resnet1000'; there are mlp, flow_head, resnet" in done.stderr


#: `bench drivers`, where packages cannot be imported.
LACKING = """\
import runpy, sys
for name in sys.argv.pop(1).split(","):
    sys.modules[name] = None
sys.path.insert(0, "benchmarks")
runpy.run_path("benchmarks/drivers.py", run_name="__main__")
"""


def test_drivers_that_are_not_installed_are_named_with_what_installs_them() -> None:
    def bench(without: str, *options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", LACKING, without, "mlp", "--quick", *options]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=110, cwd=ROOT)

    install = "in the checkout: pip install -c constraints.txt -e '.[jax,onnx,drivers]'\n"
    done = bench("openvino,tvm", "--only", "openvino", "--only", "tvm")
    assert f"not installed: openvino, tvm; for all of them, {install}" in done.stdout
    done = bench("onnx", "--only", "onnxruntime")
    assert done.returncode == 1 and done.stderr.endswith(f"; {install}") and "Traceback" not in done.stderr


@pytest.mark.slow
def test_orchestration_tells_of_all_three(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "polyrhythm", "bench", "orchestration", "--quick", "--json", "--out"]
    done = subprocess.run([*command, str(tmp_path)], stdout=subprocess.PIPE, check=True, timeout=110)
    runs = json.loads(done.stdout)
    assert runs == json.loads((tmp_path / "orchestration.json").read_text())
    assert {(r["way"], r["memory"]["processes"]) for r in runs} == {("A", 1), ("B", 1), ("C", 3)}
    for found in runs:
        assert found["before"]["response_ms"]["p50"] > 0
        assert found["memory"]["rss_mb"] >= found["memory"]["pss_mb"] > 10
    broken = {(r["way"], r["fault"]): r["after"] for r in runs}
    stuck = broken.pop(("B", "hangs"))
    assert stuck["misses"] >= stuck["ticks"] - stuck["chunks"] > stuck["ticks"] // 2
    assert all(found["chunks"] > stuck["chunks"] for found in broken.values()), "System 1 goes on"
