"""What watches a run keeps up when contexts come, play and go."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from polyrhythm.chunks import PlayerPlan
from polyrhythm.observe.eventlog import Header, LogWriter
from polyrhythm.observe.replay import replay
from polyrhythm.observe.stats import Stats
from polyrhythm.observe.story import JobRun, Mark, StageRun, tell
from polyrhythm.schedule import SchedulePlan
from polyrhythm.schedule.events import Admit, Retire, Switch
from tests.schedule.harness import MS, Harness, S, module, plan_of, reads


def bundle(name: str) -> SchedulePlan:
    """One module that makes chunks."""
    maker = module(
        name, 20, 5, outputs=(f"{name}.chunk",), chunk=(f"{name}.chunk", 20), inputs=reads("robot.state")
    )
    return plan_of(maker, control_hz=100, observations={"robot.state": 100})


def swapped() -> Harness:
    """Another bundle is admitted at 0.1 s, plays from 0.3 s on, the first goes at 0.5 s."""
    harness = Harness(bundle("old"), lambda launch: 5 * MS).start()
    harness.at(100 * MS, lambda t: Admit(t, 1, bundle("new")))
    harness.at(300 * MS, lambda t: Switch(t, 1))
    harness.at(500 * MS, lambda t: Retire(t, 0))
    return harness.run(S)


def test_a_swap_is_counted_and_told() -> None:
    harness = swapped()
    stats = Stats(bundle("old"))
    for step in harness.log:
        stats.step(step.event, step.commands)
    snapshot = stats.snapshot()
    assert snapshot.modules["old"].finished == 6 and snapshot.modules["new"].finished >= 13
    assert snapshot.modules["new"].launched <= snapshot.modules["new"].finished + 1, "without the warm-up"
    assert snapshot.ages["new.chunk -> robot.action"] is not None
    assert not any(at[0] == 0 for port in stats.ports.values() for at in port.stamps), (
        "what goes is forgotten"
    )
    items = list(tell(bundle("old"), [(step.event, step.commands) for step in harness.log]))
    assert [i.text for i in items if isinstance(i, Mark)] == ["context 1 plays"]
    assert {i.module for i in items if isinstance(i, JobRun)} == {"old", "new"}
    assert all(i.tick >= 0 for i in items if isinstance(i, StageRun))


def test_a_log_of_a_swap_can_be_played_again(tmp_path: Path) -> None:
    path = tmp_path / "log"
    header = Header("test", "old", bundle("old"), replace(PlayerPlan(), planned_ticks=0))
    with LogWriter(path, header) as log:
        for step in swapped().log:
            log.step(step.event, step.commands)
    found = replay(path)
    assert found.difference is None and found.events == len(swapped().log)
