"""`ChunkPlayer`: an executed tick is never replayed and never skipped."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from polyrhythm.chunks import ChunkPlayer
from polyrhythm.schedule import ChunkRef


def test_a_late_chunk_plays_the_part_that_is_ahead() -> None:
    player = ChunkPlayer()
    assert player.take(0) is None
    assert player.accept(ChunkRef(slot=0, seq=0, start_tick=2, horizon=4), cursor=4) == ([], None)
    assert [player.take(t) for t in (1, 4, 5, 6)] == [None, (0, 2), (0, 3), None]


def test_a_chunk_wholly_in_the_past_is_refused_and_the_old_one_goes_on() -> None:
    player = ChunkPlayer()
    player.accept(ChunkRef(0, 0, start_tick=0, horizon=20), cursor=0)
    assert player.accept(ChunkRef(1, 1, start_tick=5, horizon=5), cursor=10) == ([1], "wholly_late")
    assert player.take(10) == (0, 10)
    assert player.reset() == [0] and player.reset() == [] and player.take(10) is None


@settings(derandomize=True, deadline=None, database=None, max_examples=200)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 8), st.integers(1, 10)), max_size=30))
def test_every_slot_comes_back_once_and_rows_are_ticks(arrivals: list[tuple[int, int, int]]) -> None:
    """`arrivals`: ticks played before the chunk comes, its delay in ticks, its horizon."""
    player, cursor, held = ChunkPlayer(), 0, set[int]()
    starts: dict[int, int] = {}
    for slot, (ticks, delay, horizon) in enumerate(arrivals):
        for tick in range(cursor, cursor + ticks):
            if (found := player.take(tick)) is not None:
                assert found[0] in held and starts[found[0]] + found[1] == tick
        cursor += ticks
        starts[slot] = max(0, cursor - delay)
        held.add(slot)
        freed, refusal = player.accept(ChunkRef(slot, slot, starts[slot], horizon), cursor)
        assert (refusal is not None) == (starts[slot] + horizon <= cursor)
        assert set(freed) <= held
        held -= set(freed)
        assert len(held) <= 1
    assert set(player.reset()) == held
