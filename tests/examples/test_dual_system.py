"""The committed example: it checks, it plays, it says the same twice, and its training script runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUNDLE = ROOT / "examples" / "dual_system" / "bundle"
TASKS = {"button-press", "drawer-open", "drawer-close"}


def run(*arguments: str) -> dict:
    command = [sys.executable, "-m", "polyrhythm", "run", str(BUNDLE), "--json", "--quiet", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1700, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key != "times"}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def solved(tasks, times):
    named = [part for task in sorted(tasks) for part in ("--task", task)]
    first, *others = (run("--lockstep", "--episodes", "1", "--seed", "3", *named) for _ in range(times))
    assert all(without_times(first) == without_times(other) for other in others)
    assert set(first["tasks"]) == tasks
    assert all(module["unexplained"] == 0 for module in first["modules"].values())
    assert sum(task["successes"] for task in first["tasks"].values()) >= max(1, len(tasks) - 1)


def test_lockstep_solves_a_task():
    solved({"button-press"}, 1)


@pytest.mark.slow
def test_lockstep_solves_the_tasks_and_says_the_same_twice():
    solved(TASKS, 2)


@pytest.mark.slow
def test_nine_of_ten_episodes_of_every_task_succeed():
    summary = run("--lockstep", "--episodes", "50", "--seed", "100")
    assert {name: task["episodes"] for name, task in summary["tasks"].items()} == dict.fromkeys(TASKS, 50)
    assert all(task["successes"] >= 45 for task in summary["tasks"].values())


@pytest.mark.slow
def test_the_training_script_runs_at_toy_size(tmp_path):
    script = ROOT / "examples" / "dual_system" / "train.py"
    command = [sys.executable, str(script), "--quick", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1700, check=False)
    assert done.returncode == 0, done.stderr
    record = json.loads((tmp_path / "training.json").read_text())
    assert set(record["success"]) == TASKS
    assert {path.name for path in tmp_path.iterdir()} == {
        "vlm.safetensors", "dit.safetensors", "training.json",
    }  # fmt: skip
