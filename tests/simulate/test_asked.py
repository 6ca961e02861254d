"""What is asked of `polyrhythm simulate`: every mistake has its message, every result its report."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from typer.testing import Result

from polyrhythm.cli.simulate import extent
from polyrhythm.runtime import CostChoice
from polyrhythm.simulate import campaign
from polyrhythm.simulate.asked import nothing_asked
from polyrhythm.simulate.codes import CODES
from polyrhythm.simulate.faults import FAULTS
from polyrhythm.simulate.faults.table import table_of_faults
from polyrhythm.simulate.report import replay_command
from polyrhythm.simulate.shrink import Shrunk
from polyrhythm.simulate.trial import Failure, Trial
from tests.cli.bundles import MANIFEST, make_bundle

Cli = Callable[..., Result]
PAGE = Path(__file__).parents[2] / "docs" / "howto" / "simulate.md"
EXAMPLES = Path(__file__).parents[2] / "examples"
ROBOT = """\
robot:
  use: "null"
  control_hz: 50
  action: { dtype: f32, shape: [4] }
"""
#: With a robot, driven by `head`.
BODY = ROBOT + MANIFEST + "  - { from: head.actions, to: robot.action }\n"
NO_COSTS = MANIFEST.replace("    cost_ms: 15\n", "").replace("    cost_ms: [1, 2]\n", "")

#: By code: what is asked; BUNDLE and MANIFEST stand for paths.
MISTAKES: dict[str, tuple[str, ...]] = {
    "PS001": ("NO_COSTS",),
    "PS001 one": ("ONE",),
    "PS002": ("MANIFEST", "--costs", "MANIFEST"),
    "PS003": ("BUNDLE", "--faults", "late,los"),
    "PS003 far": ("BUNDLE", "--faults", "everything"),
    "PS004": ("BUNDLE", "--only", "late@12,swap"),
    "PS004 fault": ("BUNDLE", "--only", "lat@12"),
    "PS005": (),
    "PS005 both": ("BUNDLE", "--swarm"),
    "PS007": ("NO_NETWORK",),
    "PS009": ("MANIFEST", "--with", "DEEPER"),
    "PS009 robot": ("BODY", "--with", "OTHER_BODY"),
    "PS010": ("--swarm", "--with", "MANIFEST"),
    "PM020": ("BROKEN",),
}


def without_network(path: Path) -> Path:
    """An example whose island has a network that is nowhere."""
    path.write_text((EXAMPLES / "three_rates" / "manifest.yaml").read_text())
    return path


@pytest.fixture
def places(tmp_path: Path) -> dict[str, Path]:
    (tmp_path / "alone").mkdir()
    texts = {
        "alone/manifest": MANIFEST,
        "broken": "nam: duet\n" + MANIFEST,
        "deeper": MANIFEST.replace("uri: immediate", "uri: immediate, in_flight: 2"),
        "body": BODY,
        "other": BODY.replace("shape: [4]", "shape: [5]"),
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    return {
        "BUNDLE": make_bundle(tmp_path / "duet"),
        "NO_COSTS": make_bundle(tmp_path / "unknown", NO_COSTS),
        "ONE": make_bundle(tmp_path / "one", MANIFEST.replace("    cost_ms: 15\n", "")),
        "MANIFEST": tmp_path / "alone" / "manifest.yaml",
        "BROKEN": tmp_path / "broken.yaml",
        "DEEPER": tmp_path / "deeper.yaml",
        "BODY": tmp_path / "body.yaml",
        "OTHER_BODY": tmp_path / "other.yaml",
        "NO_NETWORK": without_network(tmp_path / "balancing.yaml"),
    }


@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_is_told(
    cli: Cli,
    places: dict[str, Path],
    mistake: str,
    snapshot: SnapshotAssertion,
) -> None:
    result = cli("simulate", *(places.get(word, word) for word in MISTAKES[mistake]))
    assert result.exit_code == 2 and mistake.split(maxsplit=1)[0] in result.stderr
    root = str(places["BUNDLE"].parent.resolve())
    assert [line.rstrip() for line in result.stderr.replace(root, "/tmp").splitlines()] == snapshot


def test_no_code_is_without_a_test() -> None:
    """PS006 only a process without assertions can give, see below; PS008 is in `test_compiled`."""
    assert {mistake.split()[0] for mistake in MISTAKES} >= CODES.keys() - {"PS006", "PS008"}


@pytest.mark.parametrize("option", ["--hours", "--length"])
@pytest.mark.parametrize("value", ["inf", "nan"])
def test_what_is_not_finite_is_refused(cli: Cli, option: str, value: str) -> None:
    result = cli("simulate", "--swarm", option, value)
    assert result.exit_code == 2 and f"'{option}'" in result.stderr


def test_what_is_wrong_comes_from_other_processes() -> None:
    """They copy an error as they send it."""
    error = nothing_asked()
    assert copy(error).diagnostics == error.diagnostics


def test_what_plays_a_trial_again_says_how_its_costs_were_taken() -> None:
    costs = CostChoice(Path("my costs.json"), Fraction(3, 2), True, "p999")
    trial = Trial(campaign.opened(EXAMPLES / "three_rates", None), 5, 10**9, ())
    trial.failure = Failure("rule", "message", 0, ())
    shrunk = Shrunk(trial.piece, trial, max_trials=0)
    setting, result = campaign.Setting(Path("a piece"), costs), campaign.Result(seed=5, shrunk=shrunk)
    assert "--with 'an other'" in replay_command(replace(setting, other=Path("an other")), result)
    assert "--every-event" in replay_command(replace(setting, every_event=True), result)
    assert "--every-event" not in replay_command(setting, result)
    words = "'a piece' --costs 'my costs.json' --margin 1.5 --foreign-costs --costs-at p999 --seed 5"
    assert words in replay_command(setting, result)


def test_a_simulation_without_assertions_is_refused(bundle: Path, snapshot: SnapshotAssertion) -> None:
    import subprocess
    import sys

    command = [sys.executable, "-O", "-m", "polyrhythm", "simulate", str(bundle)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert [line.rstrip() for line in done.stderr.splitlines()] == snapshot


@pytest.mark.parametrize("place", ["BUNDLE", "MANIFEST"])
def test_a_report(cli: Cli, places: dict[str, Path], place: str, snapshot: SnapshotAssertion) -> None:
    """The same to the last number, but for how long it took."""
    args = ("simulate", places[place], "--hours", 0.004, "--length", 5, "--seed", 3)
    result = cli(*args, "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["times_real"] > 0 and found["events_per_s"] > 0
    assert found["strikes_per_hour"] == sum(found["faults"].values()) / found["simulated_hours"]
    for part in ("real_s", "times_real", "events_per_s"):
        del found[part]
    assert found == snapshot
    assert "every rule held" in cli(*args).stdout


def test_processes_share_the_work(cli: Cli, places: dict[str, Path]) -> None:
    args = ("simulate", places["BUNDLE"], "--hours", 0.01, "--length", 2, "--json")
    one, two = (json.loads(cli(*args, "--jobs", jobs).stdout) for jobs in (1, 2))
    assert one["events"] == two["events"] and one["faults"] == two["faults"]


def test_the_page_names_every_fault() -> None:
    assert table_of_faults() in PAGE.read_text(), "put `python -m polyrhythm.simulate.faults.table` in it"
    assert all(f"| `{name}` |" in PAGE.read_text() for name in FAULTS)


def test_what_is_left_open_depends_on_how_long_it_is_to_be() -> None:
    """Long runs have trials of ten minutes and rare faults, unless they are told otherwise."""

    def asked(*options: float | None, swarm: bool = False, only: bool = False) -> tuple[object, ...]:
        return tuple(extent(*options, swarm=swarm, only=only))  # type: ignore[arg-type]

    assert asked(None, None, None, None) == (None, 1.0, 6)
    assert asked(0.5, None, None, None) == (None, 1.0, 30)
    assert asked(1, None, None, None) == (600.0, 0.01, 6)
    assert asked(100, 60, None, None) == (600.0, 0.01, 600)
    assert asked(100, None, None, 1.0) == (None, 1.0, 6000)
    assert asked(100, None, 60.0, None) == (60.0, 1.0, 6000)
    assert asked(None, 60, None, None) == (None, 1.0, None)
    assert asked(100, None, None, None, swarm=True) == (None, 1.0, 180_000)
    assert asked(100, None, 12.5, None, only=True) == (12.5, 1.0, 1)


def test_the_page_says_for_how_many_strikes_it_is_so_fast(cli: Cli, places: dict[str, Path]) -> None:
    told = cli("simulate", places["MANIFEST"], "--hours", 0.01, "--length", 6, "--seed", 1).stdout
    found = re.search("([0-9.,]+) times real time with ([0-9.,]+) strikes an hour", " ".join(told.split()))
    assert found is not None and float(found[2]) > 1000
