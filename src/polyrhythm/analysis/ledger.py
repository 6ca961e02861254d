"""The ledger: every byte that a bundle occupies, line by line, and what to do if that is too much.

A line either is there once, however many modules, contexts and bundles share it (weights, machine code), or
every context has its own (slots, chunk buffers, KV, scratch). Nothing is taken later than at the start, so a
bundle's total is also its worst. Two bundles together, side by side or while one takes over from the other,
are at their worst when both have all of their contexts: `overlap`.

    ledger.total, ledger.once, ledger.each        # bytes; total = once + contexts x each
    ledger.with_contexts(4).total
    overlap(old, new).total                       # a shared file counts once
    admit(old, new, budget=8 << 30)               # None, or the line that does not fit, and what to drop
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

#: What a line can be, in the order in which ledgers are told. The first six are there once.
KINDS = (
    "process", "island", "weights", "packed", "code", "transient",
    "kv", "state", "slot", "chunk", "inner", "input", "scratch",
)  # fmt: skip
#: Kinds of which bundles in one process have one together, where keys are equal. Code is loaded anew by each.
SHARED = ("process", "island", "weights")
#: Whose the process is: no module can be called that.
RUNTIME = "runtime"


@dataclass(frozen=True, slots=True)
class Line:
    """`nbytes` of one thing, `times` over.

    Attributes:
        bundle: whose line it is.
        owners: the modules that use it; `robot` for observations, `runtime` for what is nobody's.
        kind: one of `KINDS`.
        name: the file, port or tensor.
        key: what makes it, among lines of its kind, the same thing for two modules, and if that is `SHARED`,
            for two bundles; None: every context has its own.
        times: in how many contexts it is; 1 for what is there once.
        groups: the groups of its owners; each is charged for it.
        declared: a number of the manifest, not of a file.
    """

    bundle: str
    owners: tuple[str, ...]
    kind: str
    name: str
    nbytes: int
    key: str | None = None
    times: int = 1
    groups: tuple[str, ...] = ()
    declared: bool = False

    @property
    def total(self) -> int:
        """Bytes of all its instances."""
        return self.nbytes * self.times

    @property
    def owner(self) -> str:
        """The owners as one word: ``dit``, or ``dit + vlm`` for what both use."""
        return " + ".join(self.owners)


@dataclass(frozen=True)
class Ledger:
    """The lines of a bundle, or of several together."""

    lines: tuple[Line, ...] = ()

    @property
    def total(self) -> int:
        """All bytes."""
        return sum(line.total for line in self.lines)

    @property
    def once(self) -> int:
        """Bytes of what is there once."""
        return sum(line.nbytes for line in self.lines if line.key is not None)

    @property
    def each(self) -> int:
        """Bytes of one context."""
        return sum(line.nbytes for line in self.lines if line.key is None)

    @property
    def contexts(self) -> int:
        """The largest number of contexts that a line is in."""
        return max((line.times for line in self.lines if line.key is None), default=1)

    def by_module(self) -> dict[str, int]:
        """Bytes by owner (see `Line.owner`); their sum is the total."""
        return _sums((line.owner, line.total) for line in self.lines)

    def by_kind(self) -> dict[str, int]:
        """Bytes by kind, in the order of `KINDS`; their sum is the total."""
        sums = _sums((line.kind, line.total) for line in self.lines)
        return {kind: sums[kind] for kind in KINDS if kind in sums}

    def by_group(self) -> dict[str, int]:
        """Bytes by group. What two groups share is charged to both; what has no group is not in it."""
        return _sums((group, line.total) for line in self.lines for group in line.groups)

    def with_contexts(self, contexts: int) -> Ledger:
        """The same with so many contexts (0 or more)."""
        return Ledger(
            tuple(line if line.key is not None else replace(line, times=contexts) for line in self.lines)
        )

    def of_group(self, group: str) -> Ledger:
        """The lines that a group is charged for."""
        return Ledger(tuple(line for line in self.lines if group in line.groups))

    def without(self, *modules: str) -> Ledger:
        """What stays if these modules are left out; what others use as well stays."""
        left = (
            replace(line, owners=tuple(owner for owner in line.owners if owner not in modules))
            for line in self.lines
        )
        return Ledger(tuple(line for line in left if line.owners))


def ledger_of(lines: Iterable[Line]) -> Ledger:
    """The ledger of a bundle: lines of one kind with the same key are one, with the owners of all, at its
    largest."""
    found: dict[object, Line] = {}
    for line in lines:
        place: object = (line.kind, line.key) if line.key is not None else object()
        known = found.setdefault(place, line)
        if known is not line:
            found[place] = replace(
                known,
                nbytes=max(known.nbytes, line.nbytes),
                owners=tuple(dict.fromkeys(known.owners + line.owners)),
                groups=tuple(dict.fromkeys(known.groups + line.groups)),
            )
    return Ledger(tuple(found.values()))


def overlap(*ledgers: Ledger) -> Ledger:
    """All of them at once: what they share counts once, at its largest, for the first that has it."""
    return Ledger(tuple(line for _, line in _together(ledgers)))


def _together(ledgers: Sequence[Ledger]) -> list[tuple[int, Line]]:
    """The lines of all, each with the number of its ledger."""
    found: dict[object, tuple[int, Line]] = {}
    for part, ledger in enumerate(ledgers):
        for line in ledger.lines:
            shared = line.key is not None and line.kind in SHARED
            place: object = (line.kind, line.key) if shared else object()
            first, known = found.setdefault(place, (part, line))
            if known.nbytes < line.nbytes:
                found[place] = first, replace(known, nbytes=line.nbytes)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something does not fit, and what would.

    Attributes:
        of: the group that is full; empty: the machine.
        budget, needed: bytes.
        line: the first line that does not fit, when everything is laid out in order: ledger after ledger,
            what is there once, then context after context.
        part: which ledger's line it is, from 0.
        context: which context's line it is, from 1; 0: it is there once.
        left: bytes that were left for it.
        contexts: how many contexts of the newcomer fit; 0: not even one.
        drop: ways to make `drop_contexts` of it fit, each a few modules to leave out.
        drop_contexts: as many as are wanted, or one if nothing helps with all of them.
    """

    of: str
    budget: int
    needed: int
    line: Line
    part: int
    context: int
    left: int
    contexts: int
    drop: tuple[tuple[str, ...], ...]
    drop_contexts: int

    @property
    def missing(self) -> int:
        """By how many bytes it does not fit."""
        return self.needed - self.budget


def refusal(
    parts: Sequence[Ledger], budget: int, least_urgent: Sequence[str] = (), of: str = ""
) -> Refusal | None:
    """Why ledgers do not fit together into `budget` bytes; None if they do.

    Args:
        parts: what is there already, and last the newcomer: advice is about that one.
        least_urgent: modules of the newcomer that could be left out, the one to be missed least first.
        of: the group whose budget it is; empty: the machine's.
    """
    *resident, newcomer = parts
    whole = overlap(*parts)
    if whole.total <= budget:
        return None
    kept = newcomer.contexts
    drop = _drops(resident, newcomer, budget, least_urgent)
    if not drop and kept > 1:
        kept, drop = 1, _drops(resident, newcomer.with_contexts(1), budget, least_urgent)
    used, order = 0, _in_order(parts)
    line, part, context = next(order)
    while used + line.nbytes <= budget:
        used += line.nbytes
        line, part, context = next(order)
    return Refusal(
        of=of,
        budget=budget,
        needed=whole.total,
        line=line,
        part=part,
        context=context,
        left=budget - used,
        contexts=contexts_that_fit(parts, budget),
        drop=drop,
        drop_contexts=kept,
    )


def contexts_that_fit(parts: Sequence[Ledger], budget: int) -> int:
    """How many contexts of the last ledger fit beside the others, in `budget` bytes; 0: not even one."""
    *resident, newcomer = parts
    left = budget - overlap(*resident, newcomer.with_contexts(0)).total
    if newcomer.each == 0:
        return newcomer.contexts if left >= 0 else 0
    return max(0, left // newcomer.each)


def admit(old: Ledger, new: Ledger, budget: int, least_urgent: Sequence[str] = ()) -> Refusal | None:
    """Whether `new` can be loaded, warmed and run while all of `old` is still there: None, or why not."""
    return refusal((old, new), budget, least_urgent)


def _drops(
    resident: Sequence[Ledger], newcomer: Ledger, budget: int, least_urgent: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """Each single module that is enough; if there is none, as few as it takes, least urgent first."""
    together = _together((*resident, newcomer))
    mine = [line for part, line in together if part == len(resident)]
    missing = sum(line.total for _, line in together) - budget

    def fits(*gone: str) -> bool:
        return sum(line.total for line in mine if set(gone).issuperset(line.owners)) >= missing

    if alone := tuple((module,) for module in least_urgent if fits(module)):
        return alone
    # The last one is needed in any case: a bundle without modules is none.
    counts = (count for count in range(2, len(least_urgent)) if fits(*least_urgent[:count]))
    return tuple(tuple(least_urgent[:count]) for count in islice(counts, 1))


def _in_order(parts: Sequence[Ledger]) -> Iterator[tuple[Line, int, int]]:
    """Every line, its ledger, and its context (0: it is there once); one line for each context."""
    together = _together(parts)
    for part in range(len(parts)):
        mine = [line for owner, line in together if owner == part]
        yield from ((line, part, 0) for line in mine if line.key is not None)
        own = [line for line in mine if line.key is None]
        for context in range(max((line.times for line in own), default=0)):
            yield from ((line, part, context + 1) for line in own if line.times > context)


def _sums(items: Iterable[tuple[str, int]]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for name, nbytes in items:
        sums[name] = sums.get(name, 0) + nbytes
    return sums
