from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from rich.console import Console, RenderableType

from polyrhythm.observe import Recorder, RunInfo, Stats, summarise
from polyrhythm.runtime.outcome import Outcome
from polyrhythm.schedule import SchedulePlan
from polyrhythm.schedule.events import Launch
from tests.observe.harness import MS, Play, dual_plan

MACHINE = {"processor": "a processor", "cores": 2, "packages": {"polyrhythm": "0"}}


@dataclass
class Played:
    """A finished run and everything that observed it."""

    info: RunInfo
    outcome: Outcome
    stats: Stats
    recorder: Recorder

    @property
    def summary(self) -> dict[str, Any]:
        return summarise(self.info, self.outcome, self.stats)


def nan_once(launch: Launch) -> str | None:
    return "NaN in hidden" if launch.module == "vlm" and launch.tick == 3 and launch.stage == 1 else None


def play(plan: SchedulePlan | None = None, capacity: int = 100_000, **options: Any) -> Played:
    """Two tasks, one of which fails, with a model that fails once."""
    plan = plan or dual_plan()
    info = RunInfo("duet", plan, lockstep=True, digest="d" * 64, manifest="name: duet\n", machine=MACHINE)
    stats, recorder = Stats(plan), Recorder(capacity)
    options = {
        "tasks": ["push", "open"], "ticks": 120, "look_ns": 2 * MS, "error": nan_once,
        "success": lambda task: task == "push",
    } | options  # fmt: skip
    return Played(info, Play(plan, [stats, recorder], **options).run(), stats, recorder)


@pytest.fixture(scope="session")
def played() -> Played:
    return play()


@pytest.fixture
def shown() -> Callable[[RenderableType], str]:
    """What a terminal of 110 columns without colours shows."""

    def show(renderable: RenderableType) -> str:
        console = Console(width=110, no_color=True)
        with console.capture() as capture:
            console.print(renderable)
        return "\n".join(line.rstrip() for line in capture.get().splitlines())

    return show
