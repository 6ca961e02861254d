"""Paged KV: who shares sees what it saw, who leases keeps what it leased, and every page has its account."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from polyrhythm.hal.binding import address
from polyrhythm.memory import (
    Arena,
    BudgetError,
    ContextFull,
    KVContext,
    KVError,
    KVShape,
    PagedKV,
    PagesInUse,
    footprint,
)
from polyrhythm.memory.pages import Hash, PagePool, follow

SIZE = 3
SHAPE = KVShape(layers=1, page_tokens=SIZE, heads=1, head_dim=1, dtype="i64")


def make(pages: int = 9, table: int = 4, budgets: dict[str, int] | None = None, code: Hash = hash) -> PagedKV:
    arena = Arena(footprint([SHAPE.tensor(pages)]))
    return PagedKV(SHAPE, pages, table, arena, budgets=budgets, code=code)


def append(kv: PagedKV, context: KVContext, *tokens: int) -> None:
    with kv.step(context, tokens):
        pass


# -- one thing at a time -----------------------------------------------------------------------------------


def test_the_pool_is_what_the_arena_accounts_for() -> None:
    arena = Arena(footprint([SHAPE.tensor(9)]))
    kv = PagedKV(SHAPE, 9, 4, arena, owner="vlm")
    assert kv.array.shape == (9, 1, 2, SIZE, 1, 1) and address(kv.array) % 64 == 0
    assert set(arena.account()) == {("vlm", "kv")} and arena.used == arena.nbytes
    assert kv.array.nbytes == 9 * SHAPE.page_bytes == SHAPE.tensor(9).nbytes


def test_a_table_names_the_pages_and_is_zero_beyond() -> None:
    kv = make()
    context = kv.open("a")
    lease = kv.step(context, range(4))
    assert (lease.start, lease.count, context.length) == (0, 4, 0)
    table = np.full(4, 77, np.int32)
    lease.write_table(table)
    assert tuple(table[:2]) == lease.pages and 0 not in lease.pages and list(table[2:]) == [0, 0]
    lease.done()
    assert context.length == 4


def test_equal_beginnings_share_full_pages() -> None:
    kv = make()
    first = kv.open("a", range(7))
    append(kv, first, *range(7))
    second = kv.open("b", [0, 1, 2, 3, 4, 5, 9])
    assert second.length == 6 and second.pages == first.pages[:2]
    third = kv.open("c", [0, 1, 2, 3, 4, 9, 9])
    assert third.length == 3 and third.pages == first.pages[:1]
    assert kv.open("d", [9, 1, 2, 3, 4, 5, 9]).length == 0
    assert kv.usage() == {"held": 3, "cached": 0, "free": 5, "evicted": 0}


def test_a_full_page_gives_way_to_one_that_is_the_same() -> None:
    kv = make()
    first, second, third = kv.open("a"), kv.open("b"), kv.open("c")
    for context, last in ((first, 6), (second, 6), (third, 9)):
        append(kv, context, *range(5), last)
    assert first.pages == second.pages and first.pages[:1] == third.pages[:1]
    assert first.pages[1] != third.pages[1] and kv.merged == 3
    assert kv.usage() == {"held": 3, "cached": 0, "free": 5, "evicted": 0}
    kv.close(first)
    kv.close(second)
    assert kv.usage()["cached"] == 1
    append(kv, kv.open("d"), *range(5), 6)
    assert kv.usage()["cached"] == 0, "it is found after its context, too"


def test_a_page_that_somebody_reads_does_not_give_way() -> None:
    kv = make()
    first, second = kv.open("a"), kv.open("b")
    append(kv, second, 0, 1)
    reader = kv.read(second)
    append(kv, first, 0, 1, 2)
    append(kv, second, 2)
    assert second.pages == first.pages, "who appended got a copy, which gave way"
    assert reader.pages != first.pages and kv.usage()["held"] == 2
    reader.done()
    assert kv.usage()["held"] == 1


def test_a_step_may_tell_at_its_end_what_it_appended() -> None:
    kv = make()
    context = kv.open("a")
    lease = kv.step(context, 7)
    assert (lease.start, lease.count, len(lease.pages)) == (0, 7, 3)
    with pytest.raises(ValueError, match="at most: not 8"):
        lease.done(range(8))
    with pytest.raises(ValueError, match="at most: none were told"):
        lease.done()
    lease.done(range(4))
    assert context.length == 4 and len(context.pages) == 2 and kv.usage()["free"] == 6
    kv.step(context, 3).done(())
    assert context.length == 4 and kv.usage()["free"] == 6
    assert kv.open("b", [0, 1, 2, 9]).length == 3


def test_the_last_token_of_a_prompt_is_left_to_run() -> None:
    kv = make()
    append(kv, kv.open("a"), *range(6))
    assert kv.open("b", range(6)).length == 3


def test_a_page_is_found_after_its_context_and_before_it_is_evicted() -> None:
    kv = make(pages=4)
    context = kv.open("a")
    append(kv, context, *range(6))
    kv.close(context)
    assert kv.usage()["cached"] == 2
    again = kv.open("b", range(7))
    assert again.length == 6
    kv.close(again)
    append(kv, kv.open("c"), *range(10, 17))
    assert kv.usage() == {"held": 3, "cached": 0, "free": 0, "evicted": 2}
    assert kv.charged("all") == 3


def test_the_end_of_a_context_is_evicted_before_its_beginning() -> None:
    kv = make(pages=4)
    context = kv.open("a")
    append(kv, context, *range(9))
    kv.close(context)
    append(kv, kv.open("b"), 50)
    again = kv.open("c", range(9))
    assert again.length == 6


def test_what_a_step_has_not_written_yet_is_not_found() -> None:
    kv = make()
    context = kv.open("a")
    lease = kv.step(context, range(6))
    assert kv.open("b", range(7)).length == 0
    lease.failed()
    assert context.length == 0 and not context.pages
    assert kv.open("c", range(7)).length == 0
    assert kv.usage()["free"] == 8


def test_equal_hashes_are_not_equal_pages() -> None:
    kv = make(code=lambda key: 7)
    append(kv, kv.open("a"), *range(6))
    assert kv.open("b", [9, 9, 9, 9]).length == 0
    assert kv.open("c", range(7)).length == 6
    assert kv.open("d", [0, 1, 2, 9, 9, 9, 9]).length == 3


def test_who_appends_to_a_shared_page_gets_a_copy() -> None:
    kv = make()
    context = kv.open("a")
    append(kv, context, 1, 2)
    kv.array[context.pages[0]] = 5
    twin = kv.fork(context, "b")
    assert twin.pages == context.pages and kv.usage()["held"] == 1
    append(kv, twin, 3)
    assert twin.pages != context.pages
    assert (kv.array[twin.pages[0]] == 5).all()
    before = context.pages
    append(kv, context, 4)
    assert context.pages == before, "it is the only one left"


def test_a_reader_keeps_what_it_leased() -> None:
    kv = make()
    context = kv.open("a")
    append(kv, context, 1, 2)
    lease = kv.read(context)
    append(kv, context, 3)
    assert context.pages != lease.pages
    with pytest.raises(PagesInUse, match="'a' can't be closed: 1 leases"):
        kv.close(context)
    with pytest.raises(PagesInUse, match="can't be evicted: a lease holds it"):
        kv.evict(lease.pages[0])
    kv.slide(context)
    lease.done()
    kv.close(context)
    assert kv.usage()["held"] == 0


def test_one_step_at_a_time_writes_to_a_context() -> None:
    kv = make()
    context = kv.open("a")
    lease = kv.step(context, [1, 2, 3])
    for refused in (
        lambda: kv.step(context, [4]),
        lambda: kv.fork(context, "b"),
        lambda: kv.slide(context),
        lambda: kv.close(context),
        lambda: kv.evict(lease.pages[0]),
    ):
        with pytest.raises(PagesInUse):
            refused()
    lease.done()
    with pytest.raises(KVError, match="given back already"):
        lease.done()


def test_a_step_that_raises_leaves_no_trace() -> None:
    kv = make()
    context = kv.open("a")
    append(kv, context, 1, 2)
    with pytest.raises(ZeroDivisionError), kv.step(context, range(5)):
        raise ZeroDivisionError
    assert context.length == 2 and len(context.pages) == 1


def test_a_group_over_its_budget_is_told_who_has_the_pages() -> None:
    kv = make(budgets={"arms": 3, "head": 5})
    left, right = kv.open("left", group="arms"), kv.open("right", group="arms")
    append(kv, left, *range(6))
    append(kv, right, 1)
    with pytest.raises(BudgetError) as caught:
        kv.step(right, range(3))
    assert str(caught.value) == (
        "context 'right' needs 1 more pages, group 'arms' holds 3 of 3 ('left' 2, 'right' 1; shared pages "
        "count once): slide or close one, or raise the budget"
    )
    assert right.length == 1 and kv.charged("arms") == 3
    append(kv, kv.open("eyes", group="head"), *range(12))
    kv.close(left)
    append(kv, right, 2, 3, 4)


def test_budgets_have_to_fit() -> None:
    with pytest.raises(KVError, match=r"budgets of 9 pages \(a 4, b 5\) do not fit into a pool of 9"):
        make(budgets={"a": 4, "b": 5})
    with pytest.raises(ValueError, match="page 0 is nobody's"):
        make(pages=1)


def test_a_context_as_long_as_its_table() -> None:
    kv = make()
    context = kv.open("a")
    append(kv, context, *range(12))
    with pytest.raises(ContextFull, match="would have 13 tokens, its page table has room for 12"):
        kv.step(context, [1])
    kept, moved = context.pages[0], context.pages[2]
    kv.slide(context, keep=1)
    assert (context.length, context.pages[:2]) == (9, (kept, moved))
    append(kv, context, *range(50, 53))
    assert kv.open("b", range(12)).length == 9, "what slid away is still known"
    assert kv.open("c", [0, 1, 2, *range(6, 12)]).length == 3, "what comes after it is not"


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda kv, a: kv.open("a"), "is open already"),
        (lambda kv, a: kv.fork(a, "a"), "is open already"),
        (lambda kv, a: kv.open("b", group="no"), "no group 'no'; there are: all"),
        (lambda kv, a: kv.step(make().open("z"), [1]), "'z' is not open here; open are: 'a'"),
        (lambda kv, a: kv.evict(8), "page 8 is not cached"),
    ],
)
def test_mistakes_are_named(act: Callable[[PagedKV, KVContext], object], message: str) -> None:
    kv = make()
    with pytest.raises(KVError, match=message):
        act(kv, kv.open("a"))


def test_new_weights_make_everything_unknown() -> None:
    kv = make()
    context = kv.open("a")
    append(kv, context, *range(6))
    kv.close(context)
    held = kv.open("b", range(7))
    kv.forget()
    assert kv.open("c", range(7)).length == 0
    append(kv, held, 6, 7, 8)
    assert kv.open("d", range(9)).length == 0
    kv.close(held)
    assert kv.usage()["cached"] == 0


def test_books_do_not_grow_over_many_ticks() -> None:
    kv = make()
    context = kv.open("tick 0")
    for tick in range(1, 10_001):
        append(kv, context, tick % 5)
        if context.length == 12:
            if tick % 2:
                kv.close(context)
                context = kv.open(f"tick {tick}", [1, 2, 3, 4])
            else:
                kv.slide(context, pages=2, keep=1)
    pool = kv._pool
    assert len(pool._blocks) <= 8 and len(pool._index) <= 8 and len(kv._contexts) == 1
    assert sum(kv.usage()[state] for state in ("held", "cached", "free")) == 8


def test_identities_compare_from_the_beginning() -> None:
    one, other = (follow(follow(None, (first,)), (2,)) for first in (1, 9))
    assert not one.same(other) and one.same(follow(follow(None, (1,)), (2,)))
    assert not one.same(follow(None, (2,), lambda key: one.code))
    pool = PagePool(3)
    with pytest.raises(ValueError, match="not held"):
        pool.drop(1)
