"""What the benchmarks share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
