"""The policy of examples/prior in the island: of another width, so that it is made in seconds."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("mujoco")

from polyrhythm.bundle import open_bundle
from polyrhythm.compile import build, prepare
from polyrhythm.runtime import check, play
from polyrhythm.runtime.ledger import ledger_of

EXAMPLE = Path(__file__).parents[2] / "examples" / "prior"
NARROW = """
import runpy
policy = lambda: runpy.run_path({path!r})["policy"]((15, 64, 48, 2))
"""


@pytest.mark.slow
def test_a_robot_stands_on_a_static_plan_in_its_island(tmp_path: Path) -> None:
    (tmp_path / "policy.py").write_text(NARROW.format(path=str(EXAMPLE / "policy.py")))
    (tmp_path / "manifest.yaml").write_bytes((EXAMPLE / "manifest.yaml").read_bytes())
    build(tmp_path / "policy.py", tmp_path / "bundle", portable=True)
    prepare(open_bundle(tmp_path / "bundle"))
    plan = check(tmp_path / "bundle").plan
    assert plan is not None
    assert ledger_of(plan).by_kind()["island"] > 64 * 48
    outcome = play(plan, lockstep=True, episodes=1, tasks=["follow"])
    assert [e.success for e in outcome.episodes] == [True]
    assert outcome.island is not None
    assert outcome.island["policy"]["runs"] == outcome.island["periods"] and not outcome.island["not_finite"]
    again = play(plan, lockstep=True, seconds=1, tasks=["follow"], seed=3)
    assert again.island == play(plan, lockstep=True, seconds=1, tasks=["follow"], seed=3).island


def test_widths_are_those_of_ten_million_parameters_and_of_the_robot() -> None:
    import runpy

    model = runpy.run_path(str(EXAMPLE / "model.py"))
    assert sum(a * b for a, b in zip(model["WIDTHS"], model["WIDTHS"][1:], strict=False)) > 10_000_000
    with (EXAMPLE.parent / "three_rates" / "manifest.yaml").open() as theirs:
        shared = set(theirs.read().splitlines()) - set((EXAMPLE / "manifest.yaml").read_text().splitlines())
    # Beside names, comments and what is in front of the PD, the two manifests are one.
    assert all(line.startswith(("#", "name:", "  network:", "  ports:")) for line in shared)
