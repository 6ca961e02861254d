"""Contexts take their bytes whole or not at all, whichever reservation fails."""

from __future__ import annotations

import pytest

from polyrhythm.analysis import Ledger
from polyrhythm.analysis.ledger import Line
from polyrhythm.memory import BudgetError, Budgets
from polyrhythm.simulate.memory import Memory, Share

LEDGER = Ledger(
    (
        Line("b", ("m",), "weights", "w", 1000, "w"),
        Line("b", ("m",), "code", "c", 100, "c"),
        Line("b", ("m",), "slot", "m.out", 30),
        Line("b", ("m",), "scratch", "s", 7),
    )
)


def memory(total: int | None = None, group: int = 10**6) -> Memory:
    return Memory(Share(LEDGER, lambda machine: Budgets(total, {"g": (("m",), group)}, machine), {"m": "g"}))


def test_weights_are_there_once_and_code_with_each_load() -> None:
    found = memory()
    found.load(0)
    assert found.machine.used == found.should_be == 1137
    found.load(1)
    found.audit()
    assert found.machine.used == 1137 + 137 and len(found) == 2
    found.free(0)
    found.audit()
    found.free(1)
    assert found.machine.used == found.should_be == 0 and found.machine.account() == {}


@pytest.mark.parametrize("there", [0, 1, 2])
@pytest.mark.parametrize("fails_at", range(4))
def test_whichever_reservation_fails_nothing_is_left_of_it(there: int, fails_at: int) -> None:
    found = memory()
    for context in range(there):
        found.load(context)
    before = found.machine.account()
    if there and fails_at == 3:  # weights are there already: one reservation less
        found.load(9, fails_at=fails_at)
        return
    with pytest.raises(BudgetError):
        found.load(9, fails_at=fails_at)
    assert found.machine.account() == before and found.refused == 1
    found.audit()
    found.load(9)
    found.audit()


def test_a_budget_of_the_manifest_refuses_as_well() -> None:
    found = memory(total=1137 + 136)
    found.load(0)
    with pytest.raises(BudgetError):
        found.load(1)
    found.audit()
    tight = memory(group=1136)
    with pytest.raises(BudgetError):
        tight.load(0)
    assert tight.machine.used == tight.should_be == 0


def test_the_smallest_total_of_the_bundles_that_are_there_counts() -> None:
    totals = (None, 1137 + 137, 1137 + 136)
    found = Memory(
        *(Share(LEDGER, lambda machine, total=total: Budgets(total, {}, machine)) for total in totals)
    )
    found.load(0)
    with pytest.raises(BudgetError):
        found.load(1, 2)
    found.load(1, 1)
    found.audit()
    assert found.machine.nbytes == found.machine.used
    found.free(1)
    found.audit()
    assert found.machine.nbytes is None
    found.machine.nbytes = 10**6
    with pytest.raises(AssertionError, match="the limit is 1000000 bytes, None due"):
        found.audit()


def test_an_account_that_is_off_is_found() -> None:
    found = memory()
    found.load(0)
    found.machine.take("m", "slot", 1)
    with pytest.raises(AssertionError, match="1138 bytes held, 1137 due"):
        found.audit()


def test_bundles_that_take_turns_share_their_weights_and_nothing_else() -> None:
    larger = Ledger((*LEDGER.lines, Line("b", ("m",), "slot", "m.more", 1000)))
    found = Memory(
        *(Share(ledger, lambda machine: Budgets(None, {}, machine)) for ledger in (LEDGER, larger))
    )
    assert found.reservations(1) == 5
    found.load(0)
    assert found.reservations(1) == 4
    with pytest.raises(BudgetError):
        found.load(1, 1, fails_at=3)  # the weights are there: code, two slots, and no scratch
    assert found.machine.used == 1137
    found.load(1, 1)
    assert found.machine.used == 1137 + 1137
    found.free(0)
    found.audit()
    assert found.machine.used == 2137
    found.free(1)
    assert found.machine.used == found.should_be == 0


def test_what_is_shared_stays_in_the_group_that_drew_it() -> None:
    found = Memory(
        Share(LEDGER, lambda machine: Budgets(None, {"g": (("m",), 1137)}, machine), {"m": "g"}),
        Share(LEDGER, lambda machine: Budgets(None, {"h": (("m",), 137)}, machine), {"m": "h"}),
    )
    found.load(0)
    first = found._loads[0].budgets.groups["g"]
    found.load(1, 1)
    second = found._loads[1].budgets.groups["h"]
    assert (first.used, second.used) == (1137, 137)
    found.free(0)
    found.audit()
    assert (first.used, second.used) == (1000, 137)
    found.free(1)
    found.audit()
    assert (first.used, second.used) == (0, 0)
    with pytest.raises(BudgetError, match="group 'h' has 137 left"):
        found.load(2, 1)


def test_a_group_that_is_off_is_found() -> None:
    found = memory()
    found.load(0)
    found._loads[0].budgets.groups["g"].used -= 1
    with pytest.raises(AssertionError, match="group 'g': 1136 bytes held, 1137 due"):
        found.audit()
