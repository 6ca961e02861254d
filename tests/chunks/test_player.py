"""`ChunkPlayer` and `BufferedPlayer`: an executed tick is never replayed and never skipped."""

from __future__ import annotations

import random
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.chunks import BufferedPlayer, ChunkPlayer, DelayEstimate, PlayerPlan
from polyrhythm.schedule import ChunkRef, ControlPlan
from polyrhythm.schedule.playback import Splice
from tests.effort import examples


def test_a_late_chunk_plays_the_part_that_is_ahead() -> None:
    player, chunk = ChunkPlayer(), ChunkRef(slot=0, seq=0, start_tick=2, horizon=4)
    assert player.take(0) is None
    assert player.accept(chunk, cursor=4) == ([], None)
    assert [player.take(t) for t in (1, 4, 5, 6)] == [None, (chunk, 2), (chunk, 3), None]


def test_a_chunk_wholly_in_the_past_is_refused_and_the_old_one_goes_on() -> None:
    player = ChunkPlayer()
    old, late = ChunkRef(0, 0, start_tick=0, horizon=20), ChunkRef(1, 1, start_tick=5, horizon=5)
    player.accept(old, cursor=0)
    assert player.accept(late, cursor=10) == ([late], "wholly_late")
    assert player.take(10) == (old, 10)
    assert player.reset() == [old] and player.reset() == [] and player.take(10) is None


@examples(100)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 8), st.integers(1, 10)), max_size=30))
def test_every_slot_comes_back_once_and_rows_are_ticks(arrivals: list[tuple[int, int, int]]) -> None:
    """`arrivals`: ticks played before the chunk comes, its delay in ticks, its horizon."""
    player, cursor, held = ChunkPlayer(), 0, set[int]()
    starts: dict[int, int] = {}
    for slot, (ticks, delay, horizon) in enumerate(arrivals):
        for tick in range(cursor, cursor + ticks):
            if (found := player.take(tick)) is not None:
                assert found[0].slot in held and starts[found[0].slot] + found[1] == tick
        cursor += ticks
        starts[slot] = max(0, cursor - delay)
        held.add(slot)
        freed, refusal = player.accept(ChunkRef(slot, slot, starts[slot], horizon), cursor)
        assert (refusal is not None) == (starts[slot] + horizon <= cursor)
        slots = {chunk.slot for chunk in freed}
        assert slots <= held
        held -= slots
        assert len(held) <= 1
    assert {chunk.slot for chunk in player.reset()} == held


def test_a_chunk_that_has_ended_gives_its_slot_back_even_if_the_next_is_refused() -> None:
    """Else a ring of two slots would have none to write: one pinned, one newest."""
    player = ChunkPlayer()
    old, late = ChunkRef(0, 0, start_tick=0, horizon=5), ChunkRef(1, 1, start_tick=3, horizon=5)
    player.accept(old, cursor=0)
    assert player.accept(late, cursor=9) == ([old, late], "wholly_late")
    assert player.reset() == []


def test_a_splice_is_one_look_at_what_plays() -> None:
    player = ChunkPlayer(DelayEstimate(initial=2))
    assert player.splice(3, 5) == Splice(3, 5, 2), "nothing plays"
    player.accept(ChunkRef(7, 0, start_tick=4, horizon=10), cursor=5)
    assert player.splice(5, 6) == Splice(5, 6, 2, slot=7, row=2, left=8)
    assert player.splice(3, 12).delay == 9, "as many as have passed already"
    assert player.splice(9, 14) == Splice(9, 14, 5), "it has ended"


def test_case_4_a_hundred_thousand_snapshots() -> None:
    """Between any two calls some ticks may be consumed: the row of a snapshot is the action at the cursor,
    and what is left of it is what will be executed if nothing new comes."""
    rng = random.Random(4)
    player, cursor, start_of = ChunkPlayer(), 0, {}
    for seq in range(100_000):
        start = cursor
        cursor += rng.randrange(3)
        splice = player.splice(start, cursor)
        assert (splice.start_tick, splice.cursor) == (start, cursor)
        found = player.take(cursor)
        assert (splice.left > 0) == (found is not None)
        if found is not None:
            assert (found[0].slot, found[1]) == (splice.slot, splice.row)
            assert start_of[splice.slot] + splice.row == cursor
            assert player.take(cursor + splice.left) is None
        cursor += rng.choice((0, 1, 2, 5, 11))
        slot = seq % 3
        player.accept(ChunkRef(slot, seq, start, 12), cursor)
        if start + 12 > cursor:
            start_of[slot] = start


@examples(100)
@given(
    st.integers(1, 4),
    st.lists(st.tuples(st.integers(0, 6), st.integers(1, 8)), max_size=30),
)
def test_buffered_chunks_play_one_after_the_other(depth: int, arrivals: list[tuple[int, int]]) -> None:
    """`arrivals`: ticks before the next chunk is made (if there is room), and its horizon."""
    player, cursor, held, played = BufferedPlayer(depth), 0, set[int](), []
    horizons: dict[int, int] = {}
    for slot, (ticks, horizon) in enumerate(arrivals):
        for tick in range(cursor, cursor + ticks):
            freed = {chunk.slot for chunk in player.advance(tick)}
            assert freed <= held
            held -= freed
            if (found := player.take(tick)) is not None:
                played.append((found[0].slot, found[1]))
        cursor += ticks
        if player.has_room(cursor):
            assert player.splice(cursor - 1, cursor) == Splice(cursor, cursor, 0), "nothing overlaps"
            horizons[slot] = horizon
            held.add(slot)
            assert player.accept(ChunkRef(slot, slot, max(0, cursor - 1), horizon), cursor) == ([], None)
        assert len(held) <= depth + 1, "one may be on its last action"
    wanted = [(slot, r) for slot, horizon in horizons.items() for r in range(horizon)]
    assert played == wanted[: len(played)]
    assert {chunk.slot for chunk in player.reset()} == held and player.take(cursor) is None


def test_what_an_earlier_context_made_plays_on_until_something_newer_comes() -> None:
    player = ChunkPlayer(DelayEstimate(initial=2))
    old, new = ChunkRef(0, 0, 0, 20), ChunkRef(0, 0, 5, 20, context=1)
    player.accept(old, cursor=0)
    pace = player.switch(None, 7, ControlPlan(Fraction(1), delay_window=2, delay_quantile=0.5))
    assert player.take(6) == (old, 6)
    assert player.splice(5, 6) == Splice(5, 6, 7, slot=0, row=6, left=14, context=0), "its own delay"
    assert player.accept(new, cursor=8) == ([old], None)
    assert player.take(8) == (new, 3)
    assert player.splice(8, 8).context == 1
    player.switch(pace, 3, ControlPlan(Fraction(1)))
    assert player.splice(8, 8).delay == 2, "what was known of the first comes back"
    player.switch(None, 0, ControlPlan(Fraction(1)))
    assert player.splice(8, 8).delay == 2, "with nothing planned, what is known is the best guess"


def test_every_context_has_a_window_and_a_share_of_its_own() -> None:
    """Each makes five chunks, of which the first is not counted and the second is slow."""
    first, *others = (
        ControlPlan(Fraction(1), delay_window=window, delay_quantile=share)
        for window, share in ((4, 1.0), (3, 1.0), (4, 0.5))
    )
    player = PlayerPlan(planned_ticks=9).make(first)

    def usual() -> int:
        return player.splice(0, 0).delay

    def play() -> int:
        for slot, ticks in enumerate((9, 7, 2, 1, 2)):
            player.accept(ChunkRef(slot, slot, 100, 20), cursor=100 + ticks)
        return usual()

    assert (usual(), play()) == (9, 7), "the slowest of four"
    paces = []
    for control, delay in zip(others, (2, 2), strict=True):
        paces.append(player.switch(None, 5, control))
        assert (usual(), play()) == (5, delay), "the slowest of three, the second of four"
    player.switch(paces[0], 5, others[0])
    assert usual() == 7, "what was known of the first comes back, as it was counted"
