"""What the benchmarks share."""

from __future__ import annotations

import json
import subprocess
import sys
from math import nan
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from measure import Figure, finish, largest, over_rounds, quantile

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
MAKES = """
from measure import temporary
for _ in range(2):
    made = temporary()
    (made / "module.vmfb").write_text("code")
    print(made)
raise SystemExit(1)
"""


def test_directories_are_gone_with_the_benchmark() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MAKES], cwd=BENCHMARKS, capture_output=True, text=True, check=False
    )
    made = done.stdout.splitlines()
    assert done.returncode == 1 and len(set(made)) == 2, done.stderr
    assert not any(Path(name).exists() for name in made)


def test_what_could_not_be_measured_is_said_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    nothing, not_always = quantile([], 0.5), over_rounds([[1], [], [2]], 0.5)
    figures = [Figure("latency", nothing, "ms"), Figure("of rounds", not_always, "ms", 3)]
    assert finish(figures, as_json=False) == 1
    assert capsys.readouterr().out.count("not measured") == 2
    assert finish(figures, as_json=True) == 1
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert [each["value"] for each in found] == [None, None]
    assert [str(Figure.of(each)) for each in found] == list(map(str, figures))


def test_nan_is_the_largest() -> None:
    assert largest([1, 3, 2]) == 3 and largest([], 1) == 1
    for values in ([nan, 1], [1, nan], []):
        assert not Figure("error", largest(values), "ppm", 10).met
