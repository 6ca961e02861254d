"""What a module is fed before a stage is launched, for snapshots of every kind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.chunks import BufferedPlayer, ChunkPlayer
from polyrhythm.chunks.guidance import euler, weights
from polyrhythm.manifest.chunking import Rtc
from polyrhythm.runtime.feed import Feed
from polyrhythm.schedule import ChunkRef
from polyrhythm.schedule.events import Launch
from polyrhythm.schedule.playback import Splice
from tests.runtime.flow import compiled, opened

H, A = 12, 6
RTC = {"inpaint": None, "schedule": "exp", "beta": 5.0, "overlap_end": 10}


@pytest.fixture(scope="module")
def flow(tmp_path_factory) -> Path:
    return compiled(tmp_path_factory.getbasetemp() / "flow")


@pytest.fixture(scope="module")
def runtime(flow, tmp_path_factory):
    changes = (
        ("[start, step, finish]", "[start, step_identity, finish]"),
        ("to: head.dt }\n", "to: head.dt }\n  - { from: runtime.beta, to: head.beta }\n"),
        ("    rate_hz: 20\n", "    rate_hz: 20\n    rtc: { overlap_end: 10 }\n"),
    )
    with opened(flow, tmp_path_factory.mktemp("feed"), *changes) as found:
        yield found


class Fed:
    """A feed over the runtime's real memory, and what it wrote last."""

    def __init__(self, runtime, seed: int = 0, **rtc) -> None:
        plan = replace(runtime.plan, rtc=Rtc(**{**RTC, **rtc}))
        self.storage = runtime.storage
        self.feed = Feed(plan, self.storage, seed)
        for port in ("noise", "previous", "weights", "beta", "dt"):
            self[port][...] = np.nan

    def __getitem__(self, port: str) -> np.ndarray:
        return self.storage.own["head", port]

    def chunk(self, slot: int) -> np.ndarray:
        return self.storage.links["head.chunk"].array(slot)

    def fill(
        self, splice: Splice | None, *, tick: int = 0, stage: int = 0, skipped: int = 0, episode: int = 0
    ):
        self.feed.fill(Launch(0, "head", tick, stage, "cpu", (), (), skipped, splice), episode)
        return self


@pytest.fixture
def fed(runtime) -> Fed:
    return Fed(runtime)


def test_before_the_first_chunk_nothing_is_known(fed) -> None:
    fed.fill(Splice(0, 0, 3))
    assert not fed["weights"].any() and not fed["previous"].any()
    assert fed["beta"] == 5.0
    assert np.isfinite(fed["noise"]).all()


def test_executed_ticks_come_first_and_then_what_is_left(fed) -> None:
    """A chunk from tick 20 on, of which 20 and 21 have been executed and row 4 of slot 1 is next."""
    fed.chunk(1)[...] = np.arange(H)[:, None] + 100
    for tick in range(15, 22):
        fed.feed.executed(tick, np.full(A, tick, np.float32))
    fed.fill(Splice(20, 22, 3, slot=1, row=4, left=8))
    np.testing.assert_array_equal(fed["previous"][:10, 0], [20, 21, *range(104, 112)])
    np.testing.assert_allclose(fed["weights"], weights("exp", 3, 10, H), atol=1e-6)
    assert fed["weights"][:3].tolist() == [1, 1, 1]


def test_what_left_is_fed_not_what_was_planned(fed) -> None:
    """The step limit has changed the action: the model continues what the robot did."""
    fed.chunk(1)[...] = 7.0
    fed.feed.executed(5, np.full(A, 0.5, np.float32))
    fed.fill(Splice(5, 6, 1, slot=1, row=6, left=6))
    assert fed["previous"][0].tolist() == [0.5] * A and fed["previous"][1].tolist() == [7.0] * A


def test_a_tick_that_was_held_is_not_continued(fed) -> None:
    for tick in (20, 22):
        fed.feed.executed(tick, np.ones(A, np.float32))
    fed.feed.executed(21, None)
    fed.fill(Splice(20, 23, 5))
    assert fed["weights"].tolist() == [1, 0, 1, *[0] * 9]
    assert fed["previous"][1].tolist() == [0] * A


def test_a_tick_of_long_ago_is_not_taken_for_another(fed) -> None:
    """The memory of executed actions is one horizon long: ticks 0..11 and 12..23 share its rows."""
    for tick in range(30):
        fed.feed.executed(tick, np.full(A, tick, np.float32))
    fed.fill(Splice(10, 30, 20))
    assert not fed["weights"][:8].any(), "10..17 are forgotten"
    np.testing.assert_array_equal(fed["previous"][8:, 0], [18, 19, 20, 21])
    fed.feed.reset()
    assert not fed.fill(Splice(18, 30, 20))["weights"].any()


def test_case_3_a_short_leftover_is_masked_and_a_constant_stays(fed) -> None:
    """Three actions of 1.0 are left, the overlap is ten ticks: through mask and guidance all stay 1.0."""
    fed.chunk(2)[...] = 0.0
    fed.chunk(2)[9:] = 1.0
    fed.fill(Splice(50, 50, 1, slot=2, row=9, left=3))
    assert (fed["weights"][:3] > 0).all() and not fed["weights"][3:].any()
    x = np.random.default_rng(3).standard_normal((H, A))
    for steps in (1, 5, 10):
        made = euler(
            lambda x, t: (1 - x) / (1 - t), x, fed["previous"].astype(float), fed["weights"].astype(float),
            steps=steps, beta=5.0,
        )  # fmt: skip
        np.testing.assert_allclose(made, 1.0, atol=1e-6)


def test_case_12_the_prefix_is_lined_up_once(fed) -> None:
    """Whatever the chunk's start, cursor and row: row i of `previous` is for tick start + i."""
    rng = np.random.default_rng(12)
    player, cursor = ChunkPlayer(), 0
    for seq in range(2000):
        start = max(0, cursor - int(rng.integers(3)))
        fed.fill(player.splice(start, cursor))
        known = fed["weights"] > 0
        ticks = start + np.arange(H)
        np.testing.assert_array_equal(fed["previous"][known, 0], ticks[known])
        for _ in range(int(rng.integers(9))):
            found = player.take(cursor)
            taken = None if found is None else fed.chunk(found[0].slot)[found[1]].copy()
            assert taken is None or taken[0] == cursor
            fed.feed.executed(cursor, taken)
            cursor += 1
        slot = seq % 3
        if start + H > cursor:
            fed.chunk(slot)[...] = ticks[:, None]
        player.accept(ChunkRef(slot, seq, start, H), cursor)


@pytest.mark.parametrize("between", ["before the snapshot", "before it is fed", "both", "neither"])
@pytest.mark.parametrize("chunks", [1500, pytest.param(25_000, marks=pytest.mark.slow)])
def test_case_4_the_prefix_is_the_action_at_the_cursor_wherever_a_consumer_comes_between(
    fed, between, chunks
) -> None:
    """Up to two actions leave between the observation and the snapshot, and between the snapshot and the
    moment when the model's input is written: row `cursor - start` of it is the action that was next when the
    snapshot was taken, and what was executed by then stands before it."""
    rng = np.random.default_rng(4)
    leaving = rng.integers(3, size=(chunks, 2))
    player, cursor, previous = ChunkPlayer(), 0, fed["previous"]

    def consume(count: int) -> None:
        nonlocal cursor
        for _ in range(count):
            found = player.take(cursor)
            fed.feed.executed(cursor, None if found is None else fed.chunk(found[0].slot)[found[1]])
            cursor += 1

    for seq, (early, late) in enumerate(leaving.tolist()):
        start = cursor
        consume(early if between in ("before the snapshot", "both") else 0)
        splice = player.splice(start, cursor)
        consume(late if between in ("before it is fed", "both") else 0)
        fed.fill(splice)
        if splice.left:
            assert previous[splice.cursor - start, 0] == splice.cursor
            assert previous[: splice.cursor - start, 0].tolist() == list(range(start, splice.cursor))
        consume(3)
        fed.chunk(seq % 3)[:, 0] = start + np.arange(H)
        player.accept(ChunkRef(seq % 3, seq, start, H), cursor)


def test_what_plays_after_everything_else_continues_nothing(fed) -> None:
    """With `swap: boundary` row 0 is for a tick to come, not for the one that was observed."""
    player = BufferedPlayer(2)
    for tick in range(20):
        fed.feed.executed(tick, np.ones(A, np.float32))
    fed.fill(player.splice(15, 20))
    assert not fed["weights"].any()


@pytest.mark.parametrize("schedule", ["exp", "linear", "ones", "zeros"])
def test_schedules(runtime, schedule) -> None:
    fed = Fed(runtime, schedule=schedule, beta=7.0, overlap_end=8)
    fed.chunk(0)[...] = 1.0
    fed.fill(Splice(0, 0, 2, slot=0, row=0, left=12))
    np.testing.assert_allclose(fed["weights"], weights(schedule, 2, 8, H), atol=1e-6)
    assert fed["beta"] == 7.0


def test_without_an_overlap_end_it_is_the_horizon_less_the_stride(runtime) -> None:
    fed = Fed(runtime, schedule="ones", overlap_end=None)
    fed.fill(Splice(0, 0, 2, slot=0, row=0, left=12))
    assert fed["weights"].tolist() == [1] * 7 + [0] * 5  # 20 Hz at 100 ticks a second: a stride of 5


def test_inpaint_none_weighs_nothing(runtime) -> None:
    fed = Fed(runtime, inpaint="none")
    assert not fed.fill(Splice(0, 0, 2, slot=0, row=0, left=12))["weights"].any()


def test_a_delay_beyond_everything_is_no_error(fed) -> None:
    fed.fill(Splice(0, 0, 10_000, slot=0, row=0, left=12))
    assert fed["weights"].tolist() == [1] * 10 + [0] * 2


@pytest.mark.parametrize(("skipped", "n"), [(0, 5), (3, 2), (4, 1)])
def test_dt_is_one_over_the_steps_taken_and_written_at_the_first(fed, skipped, n) -> None:
    for stage in (0, 1 + skipped, 2 + skipped, 6):
        fed.fill(None, stage=stage, skipped=skipped if stage else 0)
        assert np.isnan(fed["dt"]) if stage == 0 else fed["dt"] == np.float32(1 / n)


def test_noise_depends_on_seed_episode_and_tick_alone(runtime) -> None:
    def noise(seed=0, **at) -> bytes:
        return Fed(runtime, seed).fill(None, **at)["noise"].tobytes()

    assert noise(tick=3) == noise(tick=3)
    assert len({noise(), noise(tick=1), noise(episode=1), noise(seed=1)}) == 4


def test_noise_is_left_alone_by_later_stages(fed) -> None:
    before = fed.fill(None)["noise"].copy()
    for stage in (1, 2, 5, 6):
        np.testing.assert_array_equal(fed.fill(None, tick=9, stage=stage)["noise"], before)


def test_a_chunk_is_guided_by_one_setting(fed) -> None:
    """Another thread retunes between two looks."""

    class Changing(type(fed.feed._splicer)):
        settings = iter([Rtc(schedule="ones", beta=1, overlap_end=6), Rtc(schedule="zeros", beta=9)])
        rtc = property(lambda self: next(self.settings), lambda self, rtc: None)

    fed.feed._splicer.__class__ = Changing
    fed.fill(Splice(0, 0, 3, slot=1, row=0, left=12))
    assert fed["beta"] == 1.0 and fed["weights"].sum() == 6.0
