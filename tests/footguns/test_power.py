"""What surprises about power profiles."""

from __future__ import annotations

from dataclasses import replace

from polyrhythm.schedule import Profile, SchedulePlan
from polyrhythm.schedule.events import EpisodeEnd, Finish, SetProfile, Start
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of


def plan() -> SchedulePlan:
    """`eyes` run at 100 Hz, under `saver` at 30; `hobby` at 50 Hz, under `saver` not at all."""
    bare = plan_of(module("eyes", 100, 1), module("hobby", 50, 1, device="e", rank=1))
    saver = Profile({"eyes": module("eyes", 30, 1), "hobby": None})
    return replace(bare, profiles={"normal": Profile(), "saver": saver}, profile="normal")


def ask(harness: Harness, at_ms: int, name: str) -> None:
    harness.at(at_ms * MS, lambda now_ns: SetProfile(now_ns, name))


def released_ms(harness: Harness, name: str) -> list[float]:
    return [c.release_ns / MS for _, c in harness.all(Finish) if isinstance(c, Finish) and c.module == name]


def test_a_change_of_rate_and_back_moves_a_grid_for_good() -> None:
    """The next release comes when it was due and the new period counts from there, so phases to others that
    were tuned with `phase_ms` are not kept. A module that was dropped comes back where it always was."""
    harness = Harness(plan()).start()
    ask(harness, 34, "saver")
    ask(harness, 101, "normal")
    harness.run(400 * MS)
    assert any(ms % 10 for ms in released_ms(harness, "eyes")[-5:])
    assert all(ms % 20 == 0 for ms in released_ms(harness, "hobby"))


def test_a_profile_outlasts_the_episode_in_which_it_was_asked_for() -> None:
    """A reset is no way back to the profile that the run began with: nobody has asked for that."""
    harness = Harness(plan()).start()
    ask(harness, 34, "saver")
    harness.at(S, EpisodeEnd)
    harness.at(S + MS, Start)
    harness.run(2 * S)
    assert harness.scheduler.profiles.name == "saver"
    assert not [ms for ms in released_ms(harness, "hobby") if ms > 1000]


def test_ticks_that_a_profile_drops_are_counted_late() -> None:
    """Nobody wakes up for what does not run, so in between the account knows less than the clock."""
    harness = Harness(plan()).start()
    ask(harness, 30, "saver")
    harness.run(39 * MS)
    assert harness.scheduler.drops == {}
    ask(harness, 1000, "normal")
    harness.run(S)
    assert harness.scheduler.drops["hobby", "profile"] > 40
