"""Strikes do what the name of their fault says, and count only if they did."""

from __future__ import annotations

from pathlib import Path

from polyrhythm.schedule import Scheduler
from polyrhythm.schedule.events import Admit, EpisodeEnd, Event, Retire, Switched
from polyrhythm.simulate.campaign import Setting
from polyrhythm.simulate.faults import Injection
from polyrhythm.simulate.harness import Step
from polyrhythm.simulate.terse import MS, S
from tests.cli.bundles import MANIFEST, make_bundle
from tests.simulate.test_turns import OTHER

THREE_RATES = Path(__file__).parents[2] / "examples" / "three_rates"


def test_a_reader_holds_its_slot_for_periods_of_its_own_context(tmp_path: Path) -> None:
    """It is armed while one bundle plays, and launched to warm another context of it up while the other one,
    which has no such module, plays."""
    other = tmp_path / "other.yaml"
    other.write_text(OTHER.replace("id: head", "id: nod"))
    bundle = make_bundle(tmp_path / "duet", MANIFEST)
    swaps = (Injection(1 * S, "swap"), Injection(2 * S, "swap"))
    seen: list[tuple[int, Switched]] = []

    def look(scheduler: Scheduler, step: Step) -> None:
        seen.extend((step.event.now_ns, c) for c in step.commands if isinstance(c, Switched))

    first = Setting(bundle, None, 3 * S, (), swaps, every_event=True, other=other).trial(0)
    first.harness._watchers += (look,)
    first.play()
    (at_ns, _), *_ = seen
    strikes = (*swaps, Injection(at_ns - 1, "slow-reader"))
    trial = Setting(bundle, None, 3 * S, (), strikes, other=other).trial(0)
    outcome = trial.play()
    assert trial.failure is None and outcome.faults == {"swap": 2, "slow-reader": 1}


def test_an_episode_ends_while_a_chunk_is_made_for_the_robot() -> None:
    """Not while a context is warmed up that nobody waits for."""
    strikes = (Injection(2 * S, "context"), Injection(2 * S + 1, "reset"))
    trial = Setting(THREE_RATES, None, 4 * S, (), strikes).trial(0)
    ended: list[list[int]] = []

    def look(scheduler: Scheduler, step: Step) -> None:
        if isinstance(step.event, EpisodeEnd):
            flying = [job for jobs in trial.auditor.flying.values() for job in jobs]
            ended.append([job.tick for job in flying if job.plan.chunk is not None])

    trial.harness._watchers = (look, *trial.harness._watchers)
    outcome = trial.play()
    assert trial.failure is None and outcome.faults == {"context": 1, "reset": 1}
    [ticks] = ended
    assert len(ticks) == 1 and ticks[0] > 0


def test_a_reservation_that_did_not_fail_is_no_strike() -> None:
    strikes = tuple(Injection(at_s * S, "alloc") for at_s in range(1, 20))
    trial = Setting(THREE_RATES, None, 20 * S, (), strikes).trial(0)
    outcome = trial.play()
    assert trial.failure is None
    assert outcome.faults["alloc"] == outcome.contexts["no memory"] == trial.memory.refused == len(strikes)


def test_a_swap_that_only_makes_room_is_no_strike() -> None:
    loads = tuple(Injection(1 * S + n, "swap") for n in range(3))
    trial = Setting(THREE_RATES, None, 4 * S, (), (*loads, Injection(1 * S + 6 * MS, "swap"))).trial(0)
    asked: list[Event] = []

    def look(scheduler: Scheduler, step: Step) -> None:
        if isinstance(step.event, (Admit, Retire)):
            asked.append(step.event)

    trial.harness._watchers += (look,)
    outcome = trial.play()
    assert trial.failure is None and outcome.faults == {"swap": 3}
    assert [type(event) for event in asked[:4]] == [Admit, Admit, Admit, Retire]
