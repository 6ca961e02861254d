"""The ledger on numbers: sums, overlaps, and what is said when something does not fit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyrhythm.analysis import KINDS, Ledger, Line, admit, contexts_that_fit, overlap, refusal
from polyrhythm.analysis.ledger import ledger_of

MODULES = ("vlm", "dit", "vit")


def once(owner: str, nbytes: int, key: str, bundle: str = "a", groups: tuple[str, ...] = ()) -> Line:
    return Line(bundle, (owner,), "weights", key, nbytes, key, groups=groups)


def each(owner: str, kind: str, nbytes: int, times: int = 3, bundle: str = "a") -> Line:
    return Line(bundle, (owner,), kind, kind, nbytes, times=times)


LEDGER = ledger_of(
    [
        once("vlm", 400, "base", groups=("slow",)),
        once("dit", 400, "base", groups=("fast",)),
        once("dit", 100, "head", groups=("fast",)),
        each("vlm", "kv", 50),
        each("dit", "scratch", 10),
    ]
)


def lines_of(bundle: str) -> st.SearchStrategy[Line]:
    sizes = st.integers(0, 1000)
    owners = st.sampled_from(MODULES).map(lambda name: (name,))
    shared = st.builds(
        lambda owner, size, key: Line(bundle, owner, "weights", key, size, key),
        owners,
        sizes,
        st.sampled_from("wxyz"),
    )
    own = st.builds(
        lambda owner, kind, size: Line(bundle, owner, kind, kind, size, times=2),
        owners,
        st.sampled_from(KINDS[5:]),
        sizes,
    )
    return shared | own


ledgers = st.sampled_from("ab").flatmap(lambda name: st.lists(lines_of(name), max_size=8)).map(ledger_of)


def test_a_key_is_one_of_its_kind() -> None:
    """A module may be called what the process is."""
    process = Line("a", ("runtime",), "process", "declared", 30, "process")
    transient = Line("a", ("process",), "transient", "in a call", 7, "process")
    assert ledger_of([process, transient]).by_kind() == {"process": 30, "transient": 7}


def test_weights_count_once_however_many_modules_and_contexts_share_them() -> None:
    assert (LEDGER.once, LEDGER.each, LEDGER.contexts, LEDGER.total) == (500, 60, 3, 680)
    assert LEDGER.by_module() == {"vlm + dit": 400, "dit": 130, "vlm": 150}
    assert LEDGER.by_kind() == {"weights": 500, "kv": 150, "scratch": 30}
    assert LEDGER.by_group() == {"slow": 400, "fast": 500}
    assert LEDGER.with_contexts(7).total == 500 + 7 * 60


def test_two_bundles_share_files_and_nothing_else() -> None:
    other = ledger_of([once("dit", 400, "base", "b"), each("dit", "scratch", 10, 1, "b")])
    assert overlap(LEDGER, other).total == LEDGER.total + 10
    assert overlap(LEDGER, other).by_module() == LEDGER.by_module() | {"dit": 140}
    assert overlap(other, LEDGER).total == overlap(LEDGER, other).total


def test_what_others_use_stays_when_a_module_is_left_out() -> None:
    assert LEDGER.without("vlm").total == 400 + 100 + 30
    assert LEDGER.without("vlm").by_module() == {"dit": 530}
    assert LEDGER.without("vlm", "dit").lines == ()


def test_a_refusal_names_the_line_and_what_would_fit() -> None:
    assert refusal([LEDGER], 680) is None
    found = refusal([LEDGER], 675, ("vlm", "dit"))
    assert found is not None
    assert (found.line.owner, found.line.kind, found.context, found.left) == ("dit", "scratch", 3, 5)
    assert (found.needed, found.missing, found.contexts) == (680, 5, 2)
    assert (found.drop, found.drop_contexts) == ((("vlm",), ("dit",)), 3)
    weights = refusal([LEDGER], 450, ("vlm", "dit"))
    assert weights is not None
    assert (weights.line.name, weights.context, weights.left, weights.contexts) == ("head", 0, 50, 0)
    assert (weights.drop, weights.drop_contexts) == ((("dit",),), 1)


def test_as_few_as_it_takes_are_left_out_the_least_urgent_first() -> None:
    whole = ledger_of([each(name, "kv", 100, 2) for name in ("a", "b", "c", "d")])
    found = refusal([whole], 450, ("d", "c", "b", "a"))
    assert found is not None and found.drop == (("d", "c"),) and found.drop_contexts == 2
    found = refusal([whole], 150, ("d", "c", "b", "a"))
    assert found is not None and found.drop == (("d", "c", "b"),) and found.drop_contexts == 1


def test_case_21_what_fits_at_rest_need_not_fit_while_one_takes_over_from_the_other() -> None:
    new = ledger_of(replace(line, bundle="b", key=line.key and f"b {line.key}") for line in LEDGER.lines)
    assert refusal([LEDGER], 1000) is None and refusal([new], 1000) is None
    found = admit(LEDGER, new, 1000, ("dit", "vlm"))
    assert found is not None
    assert (found.line.bundle, found.line.name, found.part, found.left) == ("b", "base", 1, 320)
    # Most of it is the same files: then there is room.
    assert admit(LEDGER, LEDGER, 1000) is None


@given(ledgers, st.integers(0, 6))
def test_every_account_has_the_same_sum(ledger: Ledger, contexts: int) -> None:
    several = ledger.with_contexts(contexts)
    assert several.total == ledger.once + contexts * ledger.each
    assert sum(several.by_module().values()) == sum(several.by_kind().values()) == several.total


@given(ledgers, ledgers)
def test_together_is_at_least_the_larger_and_at_most_the_sum(one: Ledger, two: Ledger) -> None:
    together = overlap(one, two).total
    assert max(one.total, two.total) <= together <= one.total + two.total
    assert together == overlap(two, one).total
    assert overlap(one, Ledger()).total == one.total


@given(ledgers, ledgers, st.integers(0, 9000))
def test_a_refusal_is_right(old: Ledger, new: Ledger, budget: int) -> None:
    found = refusal([old, new], budget, MODULES)
    needed = overlap(old, new).total
    assert (found is None) == (needed <= budget)
    fits = contexts_that_fit([old, new], budget)
    if new.each and fits:
        assert overlap(old, new.with_contexts(fits)).total <= budget
        assert overlap(old, new.with_contexts(fits + 1)).total > budget
    if found is not None:
        assert 0 <= found.left < found.line.nbytes and found.missing == needed - budget
        for modules in found.drop:
            kept = new.without(*modules)
            kept = kept if found.drop_contexts == new.contexts else kept.with_contexts(found.drop_contexts)
            assert overlap(old, kept).total <= budget


@pytest.mark.parametrize("budget", [0, 1])
def test_an_empty_ledger_fits_anywhere(budget: int) -> None:
    assert refusal([Ledger()], budget) is None
