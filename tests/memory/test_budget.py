"""Budgets: beyond one, whoever asked gets an error, and nobody else notices."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from polyrhythm.memory import Arena, ArenaError, Budget, BudgetError, Budgets, KVShape, PagedKV, footprint

GROUPS = {"perception": (("vit", "depth"), 1000), "arms": (("dit",), 600)}


def test_a_budget_counts_for_those_above_it() -> None:
    budgets = Budgets(1500, GROUPS)
    budgets.enter()
    budgets.take("vit", "scratch", 700)
    budgets.take("vlm", "kv", 500)
    assert budgets.machine.used == 1200 and budgets.of("depth").left == 300
    with pytest.raises(BudgetError) as group:
        budgets.take("depth", "scratch", 301)
    assert str(group.value) == (
        "depth/scratch needs 301 bytes, group 'perception' has 300 left of 1000; held: vit/scratch 700"
    )
    with pytest.raises(BudgetError, match="the machine's budget has 300 left of 1500"):
        budgets.take("dit", "scratch", 400)
    budgets.give("vlm", "kv", 500)
    budgets.take("dit", "scratch", 400)
    assert budgets.account() == {("vit", "scratch"): 700, ("dit", "scratch"): 400}
    with pytest.raises(ValueError, match="holds 400 bytes, not 401"):
        budgets.give("dit", "scratch", 401)


def test_the_smallest_total_of_those_in_a_machine_is_its_limit(snapshot: SnapshotAssertion) -> None:
    one = Budgets(1000)
    two, three, four = (Budgets(total, machine=one.machine) for total in (None, 600, 400))
    one.enter()
    one.take("dit", "slot", 500)
    for budgets in (two, three, three):
        budgets.enter()
    with pytest.raises(BudgetError, match="b/slot needs 101 bytes, the machine's budget has 100 left of 600"):
        two.take("b", "slot", 101)
    with pytest.raises(BudgetError) as full:
        four.enter()
    assert str(full.value) == snapshot
    limits = [one.machine.nbytes]
    for budgets in (three, one, two, three):
        budgets.leave()
        limits.append(one.machine.nbytes)
    assert limits == [600, 600, 600, 600, None]


def test_no_budget_is_no_limit() -> None:
    budget = Budget("all")
    budget.take("m", "k", 1 << 60)
    assert budget.left is None and budget.used == 1 << 60


def test_a_module_over_its_budget_does_not_disturb_others() -> None:
    budgets = Budgets(None, {"small": (("vit",), 128), "large": (("dit",), 4096)})
    arena = Arena(4096, "context 1", budgets)
    arena.take("vit", "scratch", 128)
    before = arena.account()
    with pytest.raises(BudgetError, match="vit/scratch needs 64 bytes, group 'small' has 0 left"):
        arena.take("vit", "scratch", 1)
    assert arena.account() == before == budgets.account()
    array = arena.take("dit", "scratch", 1024)
    array[:] = 1
    with pytest.raises(ArenaError):
        arena.take("dit", "scratch", 4096)
    assert arena.account() == budgets.account() and budgets.machine.used == arena.used
    arena.close()
    assert budgets.account() == {} and budgets.machine.used == 0


def test_a_pool_of_pages_is_drawn_from_its_owner_and_pages_from_their_group() -> None:
    shape = KVShape(layers=1, page_tokens=4, heads=1, head_dim=4)
    pool = footprint([shape.tensor(9)])
    budgets = Budgets(None, {"vlm": (("vlm",), pool)})
    arena = Arena(2 * pool, "kv", budgets)
    kv = PagedKV(shape, 9, 4, arena, owner="vlm", budgets={"left": 3, "right": 5})
    with pytest.raises(BudgetError):
        PagedKV(shape, 9, 4, arena, owner="vlm")
    left, right = kv.open("left", group="left"), kv.open("right", group="right")
    with kv.step(left, range(12)):
        pass
    with pytest.raises(BudgetError, match="group 'left' holds 3 of 3"):
        kv.step(left, [1])
    with kv.step(right, range(16)):
        pass
    assert (kv.charged("left"), kv.charged("right")) == (3, 4)
    assert budgets.account() == {("vlm", "kv"): pool}


def test_what_several_bundles_hold_is_there_once() -> None:
    old = Budgets(1000, {"arms": (("dit",), 600)})
    old.enter()
    new = Budgets(None, {"legs": (("dit",), 300)}, machine=old.machine)
    for budgets in (old, new):
        budgets.machine.hold("file", budgets.of("dit"), "dit", "weights", 500)
    assert old.machine.used == 500 == old.of("dit").used and new.of("dit").used == 0
    with pytest.raises(BudgetError):
        new.machine.hold("other", new.of("dit"), "dit", "weights", 301)
    old.machine.drop("file", 500)
    assert old.machine.used == 500
    new.machine.drop("file", 500)
    assert old.machine.used == 0 == old.of("dit").used


def test_what_bundles_hold_together_is_as_large_as_the_largest_needs() -> None:
    """Two declare the same process, and not as large."""
    one = Budgets(1000)
    one.enter()
    two, three = (Budgets(machine=one.machine) for _ in range(2))
    for budgets, nbytes in ((one, 500), (two, 700), (three, 600)):
        budgets.machine.hold("process", budgets.of("runtime"), "runtime", "process", nbytes)
    assert one.machine.used == 700
    with pytest.raises(BudgetError):
        one.machine.hold("process", one.of("runtime"), "runtime", "process", 1001)
    for nbytes, left in ((700, 600), (500, 600), (600, 0)):
        one.machine.drop("process", nbytes)
        assert one.machine.used == left


@given(st.lists(st.tuples(st.sampled_from(["vit", "depth", "dit", "vlm"]), st.integers(0, 700))))
def test_no_budget_is_ever_exceeded_and_the_account_is_always_right(wishes: list[tuple[str, int]]) -> None:
    budgets = Budgets(1500, GROUPS)
    budgets.enter()
    held: dict[tuple[str, str], int] = {}
    for owner, nbytes in wishes:
        if held.get((owner, "k")) and nbytes % 3 == 0:
            budgets.give(owner, "k", held.pop((owner, "k")))
            continue
        try:
            budgets.take(owner, "k", nbytes)
        except BudgetError:
            continue
        if nbytes:
            held[owner, "k"] = held.get((owner, "k"), 0) + nbytes
    assert budgets.account() == held
    for budget in (budgets.machine, *budgets.groups.values()):
        assert budget.used == sum(budget.account().values()) <= (budget.nbytes or 0)


def test_threads_do_not_take_more_than_there_is() -> None:
    budgets = Budgets(1000, {"a": (("a",), 600), "b": (("b",), 600)})
    budgets.enter()

    def work(owner: str) -> None:
        for _ in range(300):
            try:
                budgets.take(owner, "k", 7)
            except BudgetError:
                budgets.give(owner, "k", 7)

    threads = [threading.Thread(target=work, args=(owner,)) for owner in "abab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert budgets.machine.used == sum(budgets.account().values()) <= 1000
