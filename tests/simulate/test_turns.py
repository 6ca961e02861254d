"""Swaps between two bundles: each plays by its own plan, takes its own bytes and costs what it costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrhythm.schedule import Scheduler
from polyrhythm.schedule.events import Launch, StageDone, Switched
from polyrhythm.simulate.campaign import Setting, opened
from polyrhythm.simulate.chance import source
from polyrhythm.simulate.faults import Injection
from polyrhythm.simulate.harness import Step
from polyrhythm.simulate.manifests import random_manifest
from polyrhythm.simulate.terse import S
from tests.cli.bundles import MANIFEST, make_bundle

#: The same robot (none), other modules, at other rates.
OTHER = """\
name: solo
devices:
  cpu: { driver: "null", uri: immediate }
orchestration:
  modules:
  - { id: head, vmfb: head.vmfb, rate_hz: 20, cost_ms: [7, 9], entry: [encode, step] }
  - { id: more, vmfb: more.vmfb, rate_hz: 5, cost_ms: 3, device: cpu }
"""


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.yaml"
    path.write_text(OTHER)
    return path


def test_swaps_go_to_and_fro_between_two(tmp_path: Path, other: Path) -> None:
    bundle = make_bundle(tmp_path / "duet", MANIFEST)
    strikes = tuple(Injection(at_s * S + 3_000_000, "swap") for at_s in range(1, 7))
    trial = Setting(bundle, None, 8 * S, (), strikes, random_costs=True, other=other).trial(0)
    duet, solo = trial.piece.plans
    live: list[bool] = []  # at each switch, whether it is to the other one
    stages: dict[tuple[int, int], tuple[bool, str, int]] = {}
    took_ns: dict[tuple[bool, str, int], list[int]] = {}

    def look(scheduler: Scheduler, step: Step) -> None:
        for command in step.commands:
            if isinstance(command, Switched):
                live.append(scheduler.plan is solo)
            elif isinstance(command, Launch):
                other = scheduler.contexts.decks[command.context].plan is solo
                stages[command.job, command.stage] = other, command.module, command.stage
        if isinstance(event := step.event, StageDone):
            took_ns.setdefault(stages[event.job, event.stage], []).append(event.ended_ns - event.started_ns)

    trial.harness._watchers += (look,)
    outcome = trial.play()
    assert trial.failure is None and outcome.faults == {"swap": 6} and outcome.judged > 100
    assert live == [True, False] * 3 and duet is not solo
    assert took_ns.keys() == {
        (False, "vlm", 0), (False, "head", 0), (False, "head", 1),
        (True, "more", 0), (True, "head", 0), (True, "head", 1),
    }  # fmt: skip
    assert max(took_ns[False, "head", 0]) == 1_000_000
    assert min(took_ns[True, "head", 0]) >= 3_500_000 and max(took_ns[True, "head", 0]) == 7_000_000


def test_the_swarm_has_manifests_that_take_turns() -> None:
    found = [random_manifest(source(seed, "a"), source(seed, "b")) for seed in range(12)]
    pairs = [piece for piece in found if len(piece.plans) > 1]
    assert 2 < len(pairs) < 12
    assert any(piece.plans[0].control is not None for piece in pairs)
    for piece in pairs:
        one, two = piece.plans
        assert [m.costs_ns for m in one.modules] != [m.costs_ns for m in two.modules]
        assert len(piece.shares) == 2


def test_the_notes_of_the_other_are_told(tmp_path: Path, other: Path) -> None:
    piece = opened(make_bundle(tmp_path / "duet", MANIFEST), None, other)
    assert [plan.modules[0].id for plan in piece.plans] == ["vlm", "head"]
