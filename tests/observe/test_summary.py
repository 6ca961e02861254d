from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest
from rich.console import RenderableType
from syrupy.assertion import SnapshotAssertion

from polyrhythm.observe import in_words, render, undriven
from polyrhythm.observe.live import line, picture
from polyrhythm.observe.summary import wilson95
from polyrhythm.observe.tables import digits, table
from polyrhythm.runtime.outcome import KVOutcome
from polyrhythm.schedule.events import Launch
from tests.observe.conftest import Played, play
from tests.observe.harness import flow_plan, solo_plan


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # statsmodels 0.14: proportion_confint(..., method="wilson")
    [(50, 50, 0.9286524, 1.0), (45, 50, 0.7863975, 0.9565249), (0, 1, 0.0, 0.7934507), (0, 0, 0.0, 1.0)],
)
def test_wilson_interval(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson95(successes, trials) == (pytest.approx(low, abs=1e-6), pytest.approx(high, abs=1e-6))


def test_two_lockstep_runs_give_the_same_json_but_for_times() -> None:
    first, second = play().summary, play().summary
    assert json.dumps(without_times(first)) == json.dumps(without_times(second))


def test_nothing_that_a_clock_gave_stands_outside_times() -> None:
    """The same run an hour later and a hair slower differs in times alone."""
    early, late = play(), play(start_ns=3_600_123_456_789, act_ns=1_000_001)
    assert early.summary != late.summary
    assert without_times(early.summary) == without_times(late.summary)


def test_every_release_is_accounted_for(played: Played) -> None:
    for module in played.summary["modules"].values():
        dropped = sum(module["drops"].values())
        assert module["released"] == module["finished"] + dropped + module["under_way"]
        assert module["unexplained"] == 0


def test_summary(played: Played, snapshot: SnapshotAssertion) -> None:
    assert json.loads(json.dumps(played.summary)) == played.summary
    assert played.summary == snapshot


def test_tables(played: Played, shown: Callable[..., str], snapshot: SnapshotAssertion) -> None:
    assert shown(render(played.summary)) == snapshot(name="summary")
    assert shown(picture("duet", played.stats.snapshot())) == snapshot(name="live")
    assert in_words(played.summary) == snapshot(name="words")
    assert [line(episode) for episode in played.outcome.episodes] == snapshot(name="lines")


def test_a_flow_that_drives_the_robot(shown: Callable[..., str], snapshot: SnapshotAssertion) -> None:
    flow = play(flow_plan())
    summary = json.loads(json.dumps(flow.summary))
    assert summary["chunks"] == {
        "boundaries": flow.outcome.boundaries.count,
        "largest_step": flow.outcome.boundaries.largest_step,
        "limited": flow.outcome.boundaries.limited,
        "limited_inside": [0, 0],
        "stalls": 0,
        "stalled_ticks": 0,
        "longest_stall_ticks": 0,
    }
    assert summary["modules"]["vlm"]["steps"] is None
    assert summary["modules"]["dit"]["steps"] == snapshot(name="steps")
    assert shown(render(summary)) == snapshot(name="summary")
    assert shown(picture("duet", flow.stats.snapshot())) == snapshot(name="live")


def test_stalls_are_told(shown: Callable[..., str]) -> None:
    """`dit` fails until it is taken out: its chunks run out. The next episode has none, so none is missed."""
    broken = play(error=lambda launch: "boom" if launch.module == "dit" and launch.tick > 11 else None)
    chunks = broken.summary["chunks"]
    stalled = broken.summary["control"]["holds"]["no_action"] - 5 - 120
    assert stalled > 0
    assert (chunks["stalls"], chunks["stalled_ticks"], chunks["longest_stall_ticks"]) == (1, stalled, stalled)
    assert re.search(rf" 1 +{stalled} +{stalled}$", shown(render(broken.summary)), re.MULTILINE)


def test_paged_kv_is_told(played: Played, shown: Callable[..., str]) -> None:
    account = KVOutcome(pages=128, tokens=2153, full=80, shared=12, most_held=30)
    found = played.summary | {"kv": {"vlm": asdict(account)}}
    assert re.search(r"vlm +2153 +128 +30 +12 +80$", shown(render(found)), re.MULTILINE)


def test_without_an_action_there_was_no_chunk() -> None:
    summary = play(until_ms=20).summary
    assert summary["chunks"] is None
    assert play(solo_plan(), until_ms=500).summary["chunks"] is None


def test_a_run_that_went_wrong(shown: Callable[..., str], snapshot: SnapshotAssertion) -> None:
    def broken(launch: Launch) -> str | None:
        return "[boom]" if launch.module == "vlm" else None

    summary = play(tasks=["push [hard]"], error=broken, until_ms=1600, ticks=1000).summary
    summary["run"] |= {"reason": "the robot failed: [Errno 5] I/O", "complete": False}
    assert shown(render(summary)) == snapshot
    assert in_words(summary) == snapshot(name="words")


@pytest.mark.parametrize("name", ["vlm", "dit"])
def test_what_drives_the_robot_is_missed(name: str) -> None:
    """The run is complete: only that module's being isolated says that nothing moved the robot."""
    summary = play(error=lambda launch: "boom" if launch.module == name else None).summary
    why = "dit, which drives the robot, is isolated: 3 failures in a row, the last: boom"
    assert summary["run"]["complete"] and summary["modules"][name]["isolated"]
    assert undriven(summary) == (why if name == "dit" else None)
    assert (f"{why}." in in_words(summary)) == (name == "dit")


def test_without_a_robot(shown: Callable[..., str], snapshot: SnapshotAssertion) -> None:
    assert shown(render(play(solo_plan(), until_ms=500).summary)) == snapshot


def test_a_summary_of_another_schema_is_refused(played: Played) -> None:
    with pytest.raises(ValueError, match="schema 2; this version reads 1"):
        render(played.summary | {"schema": 2})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.01234, "0.0123"),
        (1.2345, "1.23"),
        (12.345, "12.3"),
        (1234.5, "1234"),
        (20.0, "20"),
        (0.0000004, "0"),
    ],
)
def test_three_digits(value: float, text: str) -> None:
    assert digits(value) == text


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key != "times"}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def test_tasks_without_a_notion_of_success(shown: Callable[[RenderableType], str]) -> None:
    summary = play(success=lambda task: None).summary
    task = summary["tasks"]["push"]
    assert (task["successes"], task["rate"], task["wilson95"]) == (None, None, None)
    assert [episode["success"] for episode in summary["episodes"]] == [None, None]
    text = shown(render(summary)) + in_words(summary)
    assert "push: ended after" in text
    assert "0%" not in text and "not succeed" not in text


def test_names_are_shown_as_they_are(shown: Callable[..., str]) -> None:
    made = table("the [/title]", "a [red] head", "<:cat:")
    made.add_row("[/blue]", ":dog: [bold]")
    told = shown(made)
    for name in ("the [/title]", "a [red] head", ":cat:", "[/blue]", ":dog: [bold]"):
        assert name in told
