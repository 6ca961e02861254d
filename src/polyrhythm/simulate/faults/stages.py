"""What goes wrong on devices."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from polyrhythm.schedule.events import Launch, StageDone
from polyrhythm.simulate.faults.registry import MissedError, fault
from polyrhythm.simulate.harness import Fate
from polyrhythm.simulate.terse import MS

if TYPE_CHECKING:
    from polyrhythm.simulate.trial import Alter, Trial


def arm(trial: Trial, rng: Random, alter: Alter, *, readers: bool = False) -> None:
    """Have a random module's next stage altered; with `readers`, one that reads what another gives."""
    found = [
        m.id
        for m in trial.harness.scheduler.plan.modules
        if not readers or any(not link.source.startswith("robot.") for link in m.inputs)
    ]
    if not found:
        raise MissedError
    trial.arm(rng.randrange(len(found)), found, alter)


@fault("late", every_s=5)
def late(trial: Trial, rng: Random, now_ns: int) -> None:
    """A stage takes up to twenty times as long as planned, and 5 ms more."""
    times = 1 + 19 * rng.random()
    arm(trial, rng, lambda launch, cost_ns: Fate(round(cost_ns * times) + 5 * MS))


@fault("slow-reader", every_s=10)
def slow_reader(trial: Trial, rng: Random, now_ns: int) -> None:
    """A reader of a link holds its slot for some periods of its own."""
    periods = 1 + 3 * rng.random()

    def hold(launch: Launch, cost_ns: int) -> Fate:
        deck = trial.harness.scheduler.contexts.decks[launch.context]
        return Fate(round(float(deck.named[launch.module].plan.period_ns) * periods))

    arm(trial, rng, hold, readers=True)


@fault("lost", every_s=60)
def lost(trial: Trial, rng: Random, now_ns: int) -> None:
    """The completion of a stage never comes, or only after its queue was left behind."""
    comes = rng.random() < 0.5
    plan = trial.harness.scheduler.plan
    lasts = {m.device: max(o.priority for o in plan.modules if o.device == m.device) for m in plan.modules}
    giving = [m for m in plan.modules if m.device in plan.gives_way]
    urgent = [(m.priority, m.id) for m in giving if m.priority < lasts[m.device]]
    # Where devices give way, mostly that of one that another was left for: both are stuck then.
    cuts_in = bool(urgent) and rng.random() < 0.8

    def lose(launch: Launch, cost_ns: int) -> Fate | None:
        if cuts_in and not launch.cuts_in:
            return None
        slowest_ns = max(m.hang_ns for m in trial.harness.scheduler.plan.modules)
        return Fate(2 * slowest_ns if comes else None)

    if cuts_in:
        trial.arm(0, [min(urgent)[1]], lose)
    else:
        arm(trial, rng, lose)


@fault("fail", every_s=5)
def fail(trial: Trial, rng: Random, now_ns: int) -> None:
    """A stage fails."""
    arm(trial, rng, lambda launch, cost_ns: Fate(cost_ns, "boom"))


@fault("nan", every_s=5)
def nan(trial: Trial, rng: Random, now_ns: int) -> None:
    """An output holds a NaN: found after the last stage."""

    def spoil(launch: Launch, cost_ns: int) -> Fate | None:
        deck = trial.harness.scheduler.contexts.decks[launch.context]
        stages = deck.named[launch.module].plan.stages
        return Fate(cost_ns, "an output is not finite") if launch.stage + 1 == len(stages) else None

    arm(trial, rng, spoil)


@fault("duplicate", every_s=3)
def duplicate(trial: Trial, rng: Random, now_ns: int) -> None:
    """The completion of a stage is reported once more, up to 20 ms later."""
    later_ns = rng.randrange(20 * MS)
    arm(trial, rng, lambda launch, cost_ns: Fate(cost_ns, None, (later_ns,)))


@fault("device", every_s=60)
def device(trial: Trial, rng: Random, now_ns: int) -> None:
    """A device is lost with all that it holds, and is back after up to a second."""
    name = rng.choice(sorted(trial.harness.scheduler.plan.devices))
    trial.down_ns[name] = now_ns + rng.randrange(1000 * MS)
    held = Counter(job.id for job in trial.auditor.flying[name])
    for done in trial.harness.reports():
        if held[done.job]:
            held[done.job] -= 1
            started_ns = min(done.started_ns, now_ns)
            trial.harness.at(
                now_ns, StageDone(now_ns, done.job, done.stage, started_ns, now_ns, "the device is lost")
            )
    trial.harness.free(name)
