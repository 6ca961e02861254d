"""What surprises about contexts and swaps."""

from __future__ import annotations

from pathlib import Path

from polyrhythm.runtime import Plan, Runtime, check
from polyrhythm.runtime.ledger import ledger_of
from polyrhythm.schedule.events import Act, Admit, EpisodeEnd, Hold, Launch, Switch, Switched
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import MS, S, module, plan_of, reads
from tests.cli.bundles import MANIFEST, make_bundle


def planned(root: Path, manifest: str = MANIFEST) -> Plan:
    plan = check(make_bundle(root, manifest)).plan
    assert plan is not None
    return plan


def piece():
    """`eye` takes 30 ms, `head` makes chunks of 20 ticks from what it saw; 50 Hz."""
    eye = module("eye", 10, 30, device="e", inputs=reads("robot.state"), outputs=("eye.out",))
    head = module("head", 10, 5, inputs=reads("eye.out", "robot.state"), outputs=("head.chunk",),
                  chunk=("head.chunk", 20))  # fmt: skip
    return plan_of(eye, head, control_hz=50, observations={"robot.state": 50})


def test_a_switch_between_episodes_happens_at_once_and_in_one_at_the_next_control_instant() -> None:
    """A switch waits for an instant that somebody could see; when an episode ends, one that waits is done."""
    for at_ms, end_ms, flips_ms in ((505, None, 520), (505, 510, 510), (515, 510, 515)):
        harness = Harness(piece()).start()
        harness.give(Admit(0, 1, piece(), warm=True))
        harness.at(at_ms * MS, lambda now_ns: Switch(now_ns, 1))
        if end_ms is not None:
            harness.at(end_ms * MS, EpisodeEnd)
        harness.run(S)
        assert [at / MS for at, _ in harness.all(Switched)] == [flips_ms]


def test_a_context_begins_with_nothing_though_the_other_has_just_seen_it() -> None:
    """Versions belong to a context: the new one waits for its own eye, and the robot plays out the old chunk
    meanwhile. A horizon shorter than the way through all modules leaves it without actions."""
    harness = Harness(piece()).start()
    harness.give(Admit(0, 1, piece(), warm=True))
    harness.at(500 * MS, lambda now_ns: Switch(now_ns, 1))
    harness.run(S)
    flipped = next(i for i, s in enumerate(harness.log) if any(type(c) is Switched for c in s.commands))
    after = [c for s in harness.log[flipped:] for c in s.commands]
    first_act_of_it = next(i for i, c in enumerate(after) if isinstance(c, Act) and c.context == 1)
    assert any(isinstance(c, Act) and c.context == 0 for c in after[:first_act_of_it])
    begun = [c.module for c in after if isinstance(c, Launch) and c.context == 1]
    assert begun[0] == "eye" and not any(isinstance(c, Hold) for c in after)


def test_every_context_has_slots_of_its_own(tmp_path: Path) -> None:
    """`contexts: 3` is three times the slots, scratch and chunk buffers, and once the weights."""
    one, three = (
        ledger_of(planned(tmp_path / str(n), f"contexts: {n}\n" + MANIFEST)).by_kind() for n in (1, 3)
    )
    assert all(three[kind] == 3 * one[kind] for kind in ("slot", "scratch"))
    assert three["code"] == one["code"]


def test_a_swap_that_fails_leaves_a_run_that_is_complete(tmp_path: Path) -> None:
    """What plays goes on, whatever becomes of the new bundle: ask its context, not the outcome of the run."""
    plan = planned(tmp_path / "a")
    other = planned(tmp_path / "b", MANIFEST.replace("immediate", "manual"))
    with Runtime(plan) as runtime:
        context = runtime.swap(other)
        assert context.wait("live", timeout_s=60) == "failed" and "PC031" in context.reason
        assert runtime.run(seconds=0.2, lockstep=True).reason == "complete"


def test_a_swap_to_the_bundle_that_plays_begins_it_anew(tmp_path: Path) -> None:
    """It is another context of the same files: nothing that was computed or tuned goes with it."""
    plan = planned(tmp_path / "a")
    with Runtime(plan) as runtime:
        before = runtime.live
        context = runtime.swap(plan)
        assert context.wait("live", timeout_s=60) == "live"
        assert runtime.live is context is not before
        assert before.wait_freed(60) and before.state == "retired"
