"""Paged KV, everything at once: random contexts, steps and leases beside a model of what they hold."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from polyrhythm.memory import (
    Arena,
    BudgetError,
    ContextFull,
    KVContext,
    KVError,
    Lease,
    PagedKV,
    PagesInUse,
    footprint,
)
from polyrhythm.memory.pages import Hash
from tests.effort import examples
from tests.memory.test_kv import SHAPE, SIZE


def row(kv: PagedKV, pages: tuple[int, ...], position: int) -> np.ndarray:
    return kv.array[pages[position // SIZE], :, :, position % SIZE]


TOKENS = st.lists(st.integers(0, 1), min_size=1, max_size=7)


class Books(RuleBasedStateMachine):
    """Random contexts, steps and leases, beside a model that remembers the rows of everybody.

    A row's content is a number made from all tokens before it, as keys and values are; after a slide it is
    one that nobody else has.
    """

    contexts = Bundle("contexts")
    leases = Bundle("leases")
    code: Hash = staticmethod(hash)

    def __init__(self) -> None:
        super().__init__()
        self.arena = Arena(footprint([SHAPE.tensor(9)]))
        self.kv = PagedKV(SHAPE, 9, 4, self.arena, budgets={"a": 5, "b": 3}, code=type(self).code)
        self.ledger = self.arena.ledger()
        self.rows: dict[KVContext, list[int]] = {}
        self.history: dict[KVContext, list[int] | None] = {}
        self.open_leases: dict[Lease, list[int]] = {}
        self.appends: dict[Lease, list[int]] = {}
        self.made = 0

    def name(self) -> str:
        self.made += 1
        return f"c{self.made}"

    @rule(target=contexts, prompt=TOKENS, group=st.sampled_from("ab"))
    def begin(self, prompt: list[int], group: str) -> object:
        try:
            context = self.kv.open(self.name(), prompt, group)
        except BudgetError:
            return multiple()
        self.history[context] = prompt[: context.length]
        self.rows[context] = [content(prompt[: i + 1]) for i in range(context.length)]
        return context

    @rule(target=contexts, context=contexts)
    def fork(self, context: KVContext) -> object:
        if context not in self.rows:
            return multiple()
        try:
            twin = self.kv.fork(context, self.name())
        except PagesInUse:
            return multiple()
        self.rows[twin] = list(self.rows[context])
        known = self.history[context]
        self.history[twin] = None if known is None else list(known)
        return twin

    @rule(target=leases, context=contexts, tokens=TOKENS, more=st.none() | st.integers(0, 2))
    def step(self, context: KVContext, tokens: list[int], more: int | None) -> object:
        """`more` is how many less it appends than it might have; None: it said before which."""
        if context not in self.rows:
            return multiple()
        before = (context.length, context.pages, self.kv.usage())
        try:
            lease = self.kv.step(context, tokens if more is None else len(tokens) + more)
        except (PagesInUse, ContextFull, BudgetError):
            assert (context.length, context.pages, self.kv.usage()) == before
            return multiple()
        self.open_leases[lease] = list(self.rows[context])
        self.appends[lease] = tokens
        return lease

    @rule(target=leases, context=contexts)
    def read(self, context: KVContext) -> object:
        if context not in self.rows:
            return multiple()
        lease = self.kv.read(context)
        self.open_leases[lease] = list(self.rows[context])
        return lease

    @rule(lease=consumes(leases), works=st.booleans())
    def give_back(self, lease: Lease, works: bool) -> None:
        context, tokens = lease.context, self.appends.pop(lease, [])
        for i in range(len(tokens)):  # what the device does, also if it fails in the end
            known = self.history[context]
            if known is None:
                self.made += 1
            value = self.made if known is None else content([*known, *tokens[: i + 1]])
            row(self.kv, lease.pages, lease.start + i)[...] = value
            if works:
                self.rows[context].append(value)
        if works and self.history[context] is not None:
            self.history[context] += tokens
        if not works:
            lease.failed()
        elif lease.count > 0:
            lease.done(tokens)
        else:
            lease.done()
        del self.open_leases[lease]

    @rule(context=contexts, keep=st.integers(0, 1))
    def slide(self, context: KVContext, keep: int) -> None:
        if context not in self.rows:
            return
        try:
            self.kv.slide(context, keep=keep)
        except (PagesInUse, ValueError):
            return
        del self.rows[context][keep * SIZE : (keep + 1) * SIZE]
        self.history[context] = None

    @rule(context=consumes(contexts))
    def close(self, context: KVContext) -> None:
        if context not in self.rows:
            return
        leased = any(lease.context is context for lease in self.open_leases)
        try:
            self.kv.close(context)
        except PagesInUse:
            assert leased
            return
        assert not leased
        del self.rows[context]

    @rule(page=st.integers(1, 8))
    def evict(self, page: int) -> None:
        held = page in self.holds()
        try:
            self.kv.evict(page)
        except PagesInUse:
            assert held
        except KVError:
            assert not held
        else:
            assert not held

    @rule()
    def forget(self) -> None:
        self.kv.forget()
        self.history = dict.fromkeys(self.history)

    def holds(self) -> Counter[int]:
        holders = [context.pages for context in self.rows] + [lease.pages for lease in self.open_leases]
        return Counter(page for pages in holders for page in pages)

    @invariant()
    def pages_are_held_as_often_as_they_are_named(self) -> None:
        pool, holds = self.kv._pool, self.holds()
        assert [pool.holds(page) for page in range(9)] == [holds[page] for page in range(9)]
        assert holds[0] == 0
        groups = [sorted(holds), sorted(pool._cached), sorted(pool._free)]
        assert sorted(page for group in groups for page in group) == list(range(1, 9))

    @invariant()
    def groups_are_charged_for_what_they_hold(self) -> None:
        for group, budget in self.kv.budgets.items():
            held = {p for c in self.rows if c.group == group for p in c.pages}
            held |= {p for lease in self.open_leases if lease.context.group == group for p in lease.pages}
            assert self.kv.charged(group) == len(held) <= budget

    @invariant()
    def nobody_sees_a_change(self) -> None:
        for context, rows in self.rows.items():
            assert len(rows) == context.length
            assert [int(row(self.kv, context.pages, i)[0, 0, 0, 0]) for i in range(context.length)] == rows
        for lease, rows in self.open_leases.items():
            assert [int(row(self.kv, lease.pages, i)[0, 0, 0, 0]) for i in range(len(rows))] == rows

    @invariant()
    def the_ledger_is_constant(self) -> None:
        assert self.arena.ledger() == self.ledger


class Collisions(Books):
    """The same with a hash that says nothing."""

    code: Hash = staticmethod(lambda key: 7)


def content(tokens: list[int]) -> int:
    """A number for a sequence of the tokens 0 and 1; none of the counter's, which stay small."""
    return int("1" + "".join(map(str, tokens)), 2) + 1_000_000


TestBooks = Books.TestCase
TestCollisions = Collisions.TestCase
for _case in (TestBooks, TestCollisions):
    _case.settings = examples(20, stateful_step_count=40)
