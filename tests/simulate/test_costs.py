"""What stages take: by a cost file as its quantiles say, else by the plan; and the same for the same tick."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

from polyrhythm.cli._common import cost_choice
from polyrhythm.schedule.events import StageDone
from polyrhythm.simulate.campaign import Setting
from polyrhythm.simulate.chance import Spread, mixed, planned

S = 1_000_000_000


def test_a_spread_keeps_its_quantiles() -> None:
    spread = Spread(10, 20, 50, 90)
    drawn = sorted(spread.at(mixed(5, i)) for i in range(20_000))
    assert drawn[0] == 10 and 88 <= drawn[-1] <= 90
    assert abs(drawn[10_000] - 20) <= 1 and abs(drawn[19_800] - 50) <= 1
    assert spread.at(0) == 10 and spread.at(2**32 - 1) == 90
    assert planned(0).at(mixed(1)) == 0 and planned(100).at(2**32 - 1) == 100


def test_neighbours_are_as_random_as_strangers() -> None:
    bits = [mixed(1, tick, 0).bit_count() for tick in range(2000)]
    assert 15.5 < sum(bits) / len(bits) < 16.5
    assert len({mixed(1, tick, 0) for tick in range(2000)}) == 2000
    assert mixed(1, 2, 3) != mixed(1, 3, 2) and 0 <= mixed(-1, -1) < 2**32


def took_ns(setting: Setting) -> list[int]:
    """What the stages of a trial took, sorted."""
    trial = setting.trial(1)
    trial.harness._keep = True
    trial.play()
    assert trial.failure is None
    events = [step.event for step in trial.harness.log if isinstance(step.event, StageDone)]
    return sorted(e.ended_ns - e.started_ns for e in events)


def test_a_cost_file_says_what_stages_take(cli: Callable[..., Result], bundle: Path, tmp_path: Path) -> None:
    costs = tmp_path / "costs.json"
    assert cli("profile", bundle, "--seconds", "0.1", "--out", costs).exit_code == 0
    found = json.loads(costs.read_text())
    for module in found["modules"].values():
        for stage in module["stages"]:
            for kind in ("alone", "loaded"):
                stage[kind] |= {"p50_ns": 1000, "p99_ns": 2000, "max_ns": 5000}
    found["release"]["max_ns"] = 0
    costs.write_text(json.dumps(found))
    took = took_ns(Setting(bundle, cost_choice(costs, 1.2, False), 20 * S, (), random_costs=True))
    assert len(took) > 2100
    assert took[0] == took[len(took) // 2 - 30] == 1000 < took[-1] <= 5000
    assert 1900 < took[round(len(took) * 0.985)] < 2600


def test_without_a_cost_file_stages_take_what_is_planned_or_less(bundle: Path) -> None:
    took = took_ns(Setting(bundle, None, 10 * S, (), random_costs=True))
    assert took[0] >= 500_000 and took[-1] == 15_000_000
