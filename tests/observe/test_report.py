from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyrhythm.island import counts_of
from polyrhythm.island.layout import DTYPES
from polyrhythm.observe import render, write_report
from polyrhythm.observe import score as scores
from polyrhythm.observe.figures import timeline, trajectory
from polyrhythm.observe.score import compose
from polyrhythm.runtime.listener import EpisodeBegan
from polyrhythm.runtime.outcome import Swapped
from polyrhythm.schedule.plan import Profile
from tests.observe.conftest import Played, play
from tests.observe.harness import flow_plan, solo_plan

pytest.importorskip("plotly")


def written(played: Played, path: Path) -> str:
    write_report(path, played.info, played.summary, played.stats, played.recorder)
    return path.read_text()


def figures_of(page: str) -> dict[str, Any]:
    found = re.search(r"^const figures = (.*);$", page, re.MULTILINE)
    assert found is not None
    return json.loads(found.group(1))  # type: ignore[no-any-return]


def test_the_report_is_one_file_that_needs_no_network(played: Played, tmp_path: Path) -> None:
    page = written(played, tmp_path / "out" / "report.html")
    library, ours = page.partition("</script>")[0], page.partition("</script>")[2]
    assert len(library) > 1_000_000
    assert not re.search(r"https?://|src=|@import|url\(", ours)
    assert ours.count("Plotly.react") == 1
    assert figures_of(page).keys() == {"timeline", "latencies", "ages", "trajectory"}
    for text in (
        "push succeeded",
        "vlm, 3 Hz asked",
        "no_action",
        "a processor",
        "name: duet",
        "prefers-color-scheme",
    ):
        assert text in page


def test_chunks_and_steps_are_told(played: Played, tmp_path: Path) -> None:
    flow = play(flow_plan())
    page, account = written(flow, tmp_path / "flow.html"), flow.outcome.boundaries
    for text in (
        "chunk boundaries, 0 stalls",
        f"{account.count} times another chunk took over",
        "The robot ran out of actions: never",
        f"<td>dimension 0</td><td>0.3</td><td>{account.limited[0]}</td><td>0</td>",
        "<th>steps</th>",
        "step x5",
        "step 2 of 5",
        "chunk from tick",
    ):
        assert text in page
    page = written(played, tmp_path / "plain.html")
    assert "<th>steps</th>" not in page
    page = written(play(solo_plan(), until_ms=200), tmp_path / "solo.html")
    assert "Chunk boundaries" not in page


def test_the_report_says_what_the_terminal_says(shown: Callable[..., str], tmp_path: Path) -> None:
    """A module that was taken out, notes, the power profile, a swap, the island."""
    broken = play(error=lambda launch: "<NaN>" if launch.module == "dit" else None)
    broken.outcome.island = counts_of(np.zeros((), DTYPES["counts"])[()])
    broken.outcome.notes.append("no thread could be ranked")
    broken.outcome.swap = Swapped("other", False, "it is too big")
    schedule = replace(broken.info.schedule, profiles={"saver": Profile()})
    broken.outcome.profile, broken.outcome.profile_changes = "saver", 2
    broken = replace(broken, info=replace(broken.info, schedule=schedule))
    page, text = written(broken, tmp_path / "r.html"), shown(render(broken.summary))
    for line in (
        "note: no thread could be ranked",
        "power profile saver at the end, after 2 changes",
        "other was not swapped in: it is too big",
    ):
        assert line in text and line in page
    why = "3 failures in a row, the last: &lt;NaN&gt;"
    assert f'<b class="bad">isolated</b><span>dit: {why}</span>' in page
    assert f'<p class="bad">dit is isolated: {why}</p>' in page
    assert "on the ladder" in text and "<td>on the ladder</td>" in page


def test_every_item_of_a_short_run_is_drawn(played: Played) -> None:
    score = compose(played.info.schedule, played.recorder)
    drawn = {trace["name"]: trace for trace in timeline(score, played.stats.modules)["data"]}
    assert list(drawn) == [
        "control", "robot.depth", "robot.proprio", "vlm.encode", "vlm.decode", "dit.step x2", "drops",
    ]  # fmt: skip
    assert len(drawn["control"]["x"]) == 240
    assert set(drawn["dit.step x2"]["x"]) == {0.002, 0.003}
    assert score.cuts == []


def test_what_is_cut_is_said(played: Played, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(scores, "TIMELINE_ITEMS", 50)
    monkeypatch.setattr(scores, "LINK_POINTS", 10)
    monkeypatch.setattr(scores, "EPISODES", 1)
    score = compose(played.info.schedule, played.recorder, lost=17)
    bars = sum(len(row.start_ns) for row in score.rows.values())
    assert bars == 50
    assert all(len(points) <= 10 for points in score.ages.values())
    assert len(score.paths) == 1
    text = "\n".join(score.cuts)
    for said in (
        "17 earlier records are missing",
        "(50 items)",
        "1 are left out",
        "Ages of vlm.hidden -> dit.condition",
    ):
        assert said in text
    assert "(50 items)" in written(played, tmp_path / "r.html")


def test_the_hand_is_drawn_in_space_and_other_telemetry_by_tick(played: Played) -> None:
    score = compose(played.info.schedule, played.recorder)
    figure = trajectory(score)
    assert figure is not None
    assert {trace["type"] for trace in figure["data"]} == {"scatter3d"}
    for path in score.paths:
        path.telemetry = {"gripper": path.telemetry["hand_x"]}
    figure = trajectory(score)
    assert figure is not None
    assert {trace["type"] for trace in figure["data"]} == {"scattergl"}
    assert figure["layout"]["yaxis"]["title"]["text"] == "gripper"


def test_all_shows_all_also_where_no_episode_is_told() -> None:
    """There is no robot, or the recorder has lost the beginning of the only episode."""
    for plan, options in ((solo_plan(), {"until_ms": 5000}), (None, {"ticks": 400, "capacity": 1500})):
        played = play(plan, **options, tasks=["push"])
        score = compose(played.info.schedule, played.recorder)
        layout = timeline(score, played.stats.modules)["layout"]
        (shown,) = [b for b in layout["updatemenus"][0]["buttons"] if b["label"] == "all"]
        last_s = max(bars.start_ns[-1] + bars.length_ns[-1] for bars in score.rows.values() if bars.start_ns)
        last_s = (last_s - score.first_ns) / 1e9
        assert score.episodes == [] and last_s > 3
        assert shown["args"][0]["xaxis.range"][1] == pytest.approx(last_s)
        assert layout["xaxis"]["range"][1] == 2


def test_a_trajectory_begins_with_its_episode(played: Played) -> None:
    """Though the recorder has kept the end of the one before."""
    notes = [type(record) for record in played.recorder]
    began = len(notes) - notes[::-1].index(EpisodeBegan)
    late = play(capacity=len(notes) - began + 200)
    (path,) = compose(late.info.schedule, late.recorder).paths
    assert path.episode.began.task == "open"
    assert path.telemetry["hand_x"] == [tick / 10 for tick in range(120)]
    cut = compose(late.info.schedule, list(late.recorder)[:200])
    assert len(cut.episodes) == 1 and cut.paths == [], "it was cut short before it moved"


def test_names_from_outside_cannot_break_the_page(tmp_path: Path) -> None:
    evil = "</script><script>alert(1)</script>"
    played = play(tasks=[evil])
    played = replace(played, info=replace(played.info, name=evil, manifest=evil))
    page = written(played, tmp_path / "r.html")
    assert evil not in page
    assert page.count("</script>") == 2


def test_without_a_robot_there_is_no_trajectory(tmp_path: Path) -> None:
    page = written(play(solo_plan(), until_ms=200), tmp_path / "r.html")
    assert "trajectory" not in figures_of(page)


def test_a_run_that_did_nothing(tmp_path: Path) -> None:
    page = written(play(solo_plan(), until_ms=0), tmp_path / "r.html")
    assert "Timeline" in page
