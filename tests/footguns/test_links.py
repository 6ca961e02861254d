"""What surprises about links, ages and missing inputs."""

from __future__ import annotations

import pytest

from polyrhythm.schedule import Late, Mode, OnStale
from polyrhythm.schedule.events import Act, Decelerate, Hold, Isolate, Launch
from polyrhythm.simulate.harness import Fate, Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of, reads


def read_by(harness: Harness, name: str) -> list[tuple[int, float]]:
    """(version, age in ms) that every job of a module read first."""
    found = [c for _, c in harness.all(Launch) if isinstance(c, Launch) and c.module == name and c.reads]
    return [(c.reads[0].seq, c.reads[0].age_ns / MS) for c in found]


def test_a_fresh_result_of_a_slow_module_is_old() -> None:
    """Ages count from the instant that inputs were taken: what took 200 ms is 200 ms old when it comes, and a
    reader with `max_age_ms: 150` and `on_stale: skip` never runs."""
    vlm = module("vlm", 4, 200, device="e", outputs=("vlm.out",))
    head = module("head", 100, 1, inputs=reads("vlm.out", max_age_ns=150 * MS, on_stale=OnStale.SKIP))
    harness = Harness(plan_of(vlm, head)).start().run(2 * S)
    assert harness.scheduler.modules[1].finished == 0
    assert harness.scheduler.drops["head", "stale"] > 100


def test_an_age_is_that_of_one_hop() -> None:
    """A module that computes from an old picture makes a young value: limit the age where the sensor is."""
    sees = module("sees", 50, 1, inputs=reads("robot.picture"), outputs=("sees.out",))
    acts = module("acts", 50, 1, device="e", inputs=reads("sees.out"), outputs=("acts.chunk",),
                  chunk=("acts.chunk", 40), phase_ns=5 * MS)  # fmt: skip
    plan = plan_of(sees, acts, control_hz=50, observations={"robot.picture": 1})
    harness = Harness(plan).start().run(3 * S)
    assert max(age for _, age in read_by(harness, "sees")) > 900
    assert max(age for _, age in read_by(harness, "acts")) < 30


@pytest.mark.parametrize(("mode", "behind"), [(Mode.PARALLEL, 0), (Mode.PIPELINED, 1)])
def test_in_pipelined_a_consumer_reads_the_version_before_that_of_its_own_tick(
    mode: Mode, behind: int
) -> None:
    """Both released at once, producer first on the same device: `pipelined` took the inputs at the release,
    `parallel` takes them at the launch, when the producer has ended. So the first tick has no input."""
    eye = module("eye", 10, 1, outputs=("eye.out",))
    head = module("head", 10, 1, priority=1, rank=1, inputs=reads("eye.out"))
    harness = Harness(plan_of(eye, head, mode=mode)).start().run(450 * MS)
    ticks = [c.tick for _, c in harness.all(Launch) if isinstance(c, Launch) and c.module == "head"]
    assert [tick - seq for tick, (seq, _) in zip(ticks, read_by(harness, "head"), strict=True)] == [
        behind
    ] * len(ticks)
    assert harness.scheduler.drops == ({("head", "absent"): 1} if behind else {})


def test_in_parallel_a_consumer_on_another_device_misses_the_same_tick_too() -> None:
    """Nobody waits for a producer that was released at the same instant; give the consumer a phase."""
    eye = module("eye", 10, 5, device="e", outputs=("eye.out",))
    for phase_ms, age_ms in ((0, 100), (6, 6)):
        head = module("head", 10, 1, inputs=reads("eye.out"), phase_ns=phase_ms * MS)
        harness = Harness(plan_of(eye, head)).start().run(450 * MS)
        assert {age for _, age in read_by(harness, "head")} == {age_ms}


def test_a_version_that_nobody_read_is_no_drop() -> None:
    """It is superseded: a fast producer with a slow reader looks as if nothing had been lost."""
    eye = module("eye", 1000, 0, device="e", outputs=("eye.out",))
    harness = Harness(plan_of(eye, module("m", 10, 1, inputs=reads("eye.out")))).start().run(S)
    assert harness.scheduler.drops in ({}, {("m", "absent"): 1})
    assert harness.scheduler.rings["eye.out"].superseded > 900


def test_the_last_value_of_a_module_that_has_failed_is_used_for_ever() -> None:
    """Isolated after `max_failures`, it leaves its value, which without `max_age_ms` is never stale."""
    eye = module("eye", 10, 1, device="e", outputs=("eye.out",))
    plan = plan_of(eye, module("m", 10, 1, inputs=reads("eye.out"), phase_ns=5 * MS))
    harness = Harness(plan, lambda c: Fate(MS, "boom" if c.module == "eye" and c.tick else None))
    harness.start().run(10 * S)
    assert harness.all(Isolate) and harness.scheduler.modules[1].finished == 100
    assert read_by(harness, "m")[-1] == (0, pytest.approx(9905))


def test_a_module_that_reads_itself_never_starts() -> None:
    """There is no first value: every tick of a cycle of links is dropped as `absent`. State is an input that
    the entry consumes and gives back under the same name."""
    harness = Harness(plan_of(module("m", 10, 1, inputs=reads("m.out"), outputs=("m.out",)))).start().run(S)
    assert harness.scheduler.drops == {("m", "absent"): 11}


def test_a_stale_link_holds_the_robot_at_once_also_with_late_decelerate() -> None:
    """`rtc.late` is for chunks that have run out; `on_stale: hold` says that the robot must not be moved by
    what is known, so its own hold comes without a fade."""
    maker = module("head", 10, 5, outputs=("head.chunk",), chunk=("head.chunk", 40),
                   inputs=reads("robot.state"))  # fmt: skip
    eye = module("eye", 1, 1, device="e", outputs=("eye.out",))
    link = reads("eye.out", max_age_ns=300 * MS, on_stale=OnStale.HOLD)
    other = module("other", 50, 0, device="o", inputs=link)
    plan = plan_of(
        eye, maker, other, control_hz=50, observations={"robot.state": 50}, late=Late.DECELERATE,
        mode=Mode.RTC,
    )  # fmt: skip
    harness = Harness(plan).start().run(900 * MS)
    answers = [c for s in harness.log for c in s.commands if isinstance(c, Act | Hold | Decelerate)]
    held = [c for c in answers if isinstance(c, Hold) and c.reason.startswith("stale")]
    assert len(held) > 10 and not any(isinstance(c, Decelerate) for c in answers)


def test_before_the_first_chunk_there_is_nothing_to_decelerate() -> None:
    """The robot holds until something has moved it once; `late: stop` does not stop it before either."""
    maker = module("head", 1, 300, outputs=("head.chunk",), chunk=("head.chunk", 10),
                   inputs=reads("robot.state"))  # fmt: skip
    plan = plan_of(maker, control_hz=50, observations={"robot.state": 50}, late=Late.DECELERATE)
    harness = Harness(plan).start().run(280 * MS)
    assert harness.all(Hold) and not harness.all(Decelerate)
