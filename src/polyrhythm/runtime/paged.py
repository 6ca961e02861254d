"""Paged KV in a run: before a tick a sequence gets room, and if the tick has ended well it is longer.

A module that declares `kv` has one sequence in each context; the pages of all contexts lie in one pool
(`Pools`), where equal beginnings share them. With the first stage of a job the sequence takes pages for as
many tokens as the module may append, and the runtime writes its page table and its length into inputs that
are the job's alone until it ends. When the scheduler has published what the job made (`Finish`), the tokens
that the module has told are part of the sequence. A job that ends otherwise (it failed, its outputs were not
finite, its context was switched away, its episode was over) leaves the sequence as it was: the pages are
given back when the next one begins. What a stage that hangs may still write to stays held until it has ended.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Literal

import numpy as np

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.manifest.schema import Module
from polyrhythm.memory import Arena, KVError, KVShape, Lease, LinkStorage, PagedKV, footprint
from polyrhythm.runtime.binding import outer_inputs
from polyrhythm.runtime.outcome import KVOutcome
from polyrhythm.schedule import WARM_TICK
from polyrhythm.schedule.events import Finish, Launch

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Paging:
    """The paged KV of a module: what its manifest says, and what follows from its signature.

    Attributes:
        pool: the input with all pages, ``[pages, layers, 2, page_tokens, heads, head_dim]``.
        table, length: the inputs that are written before a tick.
        port: the output that tells the tokens, ``module.name``.
        most_tokens: how many a tick appends at most.
        share: how many pages a context has for certain.
        places: how many pages a sequence has at most: its share, if its table is not shorter.
        on_full: see `polyrhythm.manifest.paging.KV`; `keep` is in pages.
    """

    pool: Tensor
    table: str
    length: str
    port: str
    most_tokens: int
    share: int
    places: int
    on_full: Literal["reset", "slide", "stop"]
    keep: int

    @property
    def shape(self) -> KVShape:
        """What a page holds."""
        _, layers, _, page_tokens, heads, head_dim = self.pool.shape
        return KVShape(layers, page_tokens, heads, head_dim, self.pool.dtype)

    @property
    def room(self) -> int:
        """How many tokens a sequence has at most."""
        return self.places * self.shape.page_tokens

    @property
    def most_keep(self) -> int:
        """How many pages a sequence that slides can keep at most; negative: it can't slide.

        The sequence that is hardest to make room in lacks one token: `room + 1 - most_tokens` long, it has to
        have a whole page behind what is kept.
        """
        return (self.room + 1 - self.most_tokens) // self.shape.page_tokens - 1


def paging_of(module: Module, entries: Sequence[Entry], contexts: int) -> Paging | None:
    """The paged KV of a module with these stages, whose tensors are as they should be; None without."""
    kv = module.kv
    if kv is None:
        return None
    inputs, outputs = tensors_of(entries)
    pool, table = inputs[kv.pool], inputs[kv.table]
    share = (pool.shape[0] - 1) // contexts
    return Paging(
        pool=pool,
        table=kv.table,
        length=kv.length,
        port=f"{module.id}.{kv.tokens}",
        most_tokens=outputs[kv.tokens].shape[0],
        share=share,
        places=min(share, table.shape[0]),
        on_full=kv.on_full,
        keep=-(-kv.keep_tokens // pool.shape[3]),
    )


def tensors_of(entries: Sequence[Entry]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """A module's own inputs, and its outputs, by name."""
    return outer_inputs(entries)[0], {tensor.name: tensor for entry in entries for tensor in entry.outputs}


class Pools:
    """The pages of all modules of a bundle that have any, shared by its contexts; each context has its share.

    `lock` is held by whoever looks into them: contexts are freed by other threads than the one that plays.
    """

    def __init__(self, paged: Mapping[str, Paging]) -> None:
        self.lock = Lock()
        self.of = {module: _pool(module, paging) for module, paging in paged.items()}


def pool_bytes(paging: Paging) -> int:
    """What a pool takes of its arena, to the byte."""
    return footprint([paging.pool])


def _pool(module: str, paging: Paging) -> PagedKV:
    arena = Arena(pool_bytes(paging), f"pages of {module}")
    pages, share = paging.pool.shape[0], paging.share
    groups = {_group(seat): share for seat in range((pages - 1) // share)}
    return PagedKV(paging.shape, pages, paging.places, arena, owner=module, budgets=groups)


def _group(seat: int) -> str:
    return f"context {seat}"


@dataclass(frozen=True, slots=True)
class Growth:
    """A sequence is longer: by `appended` tokens, to `length`, in `pages`."""

    appended: int
    length: int
    pages: int


class Sequences:
    """The sequences of one context, by module.

    Args:
        paged: by module.
        pools: where the pages lie.
        seat: whose share of them it has, from 0.
        own: memory of the modules, by (module, input).
        links: memory of the ports.
    """

    def __init__(
        self,
        paged: Mapping[str, Paging],
        pools: Pools,
        seat: int,
        own: Mapping[Key, np.ndarray],
        links: Mapping[str, LinkStorage],
    ) -> None:
        self._lock = pools.lock
        with self._lock:
            self._of = {
                module: _Sequence(
                    paging, pools.of[module], _group(seat),
                    own[module, paging.table], own[module, paging.length], links[paging.port],
                )
                for module, paging in paged.items()
            }  # fmt: skip

    def count_in(self, accounts: dict[str, KVOutcome]) -> None:
        """What happens from now on is counted there, by module."""
        for module, sequence in self._of.items():
            sequence.account = accounts.setdefault(module, KVOutcome(pages=sequence.pages))

    def begin(self, launch: Launch) -> str | None:
        """A stage is about to be launched: if it is the first of its job, have room for what it appends.

        Returns why it can't be; None: it can.
        """
        if (sequence := self._of.get(launch.module)) is None:
            return None
        with self._lock:
            return sequence.begin(launch)

    def finish(self, command: Finish) -> Growth | None:
        """A job has ended well: what it appended is part of the sequence. None if it has none."""
        if (sequence := self._of.get(command.module)) is None:
            return None
        with self._lock:
            return sequence.finish(command.job)

    def reset(self, hung: Collection[str] = ()) -> None:
        """An episode begins: every sequence is empty, those of modules with a stage that hangs when it has
        ended."""
        with self._lock:
            for module, sequence in self._of.items():
                sequence.reset(module in hung)

    def settle(self) -> None:
        """A run is over and nothing is in flight: what did not end well is not there."""
        with self._lock:
            for sequence in self._of.values():
                sequence.give_up()

    def close(self) -> None:
        """Give all pages back; no job of this context may be running."""
        with self._lock:
            for sequence in self._of.values():
                sequence.close()
            self._of = {}


class _Sequence:
    """One sequence, of one module in one context."""

    def __init__(
        self,
        paging: Paging,
        kv: PagedKV,
        group: str,
        table: np.ndarray,
        length: np.ndarray,
        tokens: LinkStorage,
    ) -> None:
        self.account = KVOutcome()
        self._paging, self._kv, self._group = paging, kv, group
        self._table, self._length, self._tokens = table, length, tokens
        self._context = kv.open(group, group=group)
        #: Whether it is to be empty when the next job begins.
        self._void = False
        #: The job under way, the pages that it uses, and the slot in which it tells its tokens.
        self._job: int | None = None
        self._lease: Lease | None = None
        self._slot = 0

    @property
    def pages(self) -> int:
        """How many pages the pool can give out."""
        return int(self._kv.array.shape[0]) - 1

    def begin(self, launch: Launch) -> str | None:
        if launch.tick == WARM_TICK:
            # All that it writes goes to page 0, which is nobody's.
            self._table[...] = 0
            self._length[...] = 0
            return None
        if launch.job == self._job:
            return None
        self.give_up()
        if self._void:
            self._empty()
        try:
            if (refusal := self._make_room()) is not None:
                return refusal
            self._lease = self._kv.step(self._context, self._paging.most_tokens)
        except KVError as error:
            return str(error)
        self._job = launch.job
        self._slot = next(slot for port, slot in launch.writes if port == self._paging.port)
        self._lease.write_table(self._table)
        self._length[...] = self._lease.start
        return None

    def finish(self, job: int) -> Growth | None:
        lease = self._lease
        if lease is None or job != self._job:
            return None
        told, before = self._tokens.array(self._slot), self._kv.merged
        ends = np.flatnonzero(told < 0)
        appended = told[: ends[0] if len(ends) else len(told)].tolist()
        lease.done(appended)
        self._lease = self._job = None
        account = self.account
        account.tokens += len(appended)
        account.shared += self._kv.merged - before
        account.most_held = max(account.most_held, self._kv.usage()["held"])
        return Growth(len(appended), self._context.length, len(self._context.pages))

    def reset(self, hung: bool) -> None:
        self._void = True
        if not hung:
            self.give_up()
            self._empty()

    def close(self) -> None:
        self.give_up()
        self._kv.close(self._context)

    def _make_room(self) -> str | None:
        """Do what the manifest says if there is no room for a tick; returns why there can't be."""
        paging, length = self._paging, self._context.length
        if (lacking := length + paging.most_tokens - paging.room) <= 0:
            return None
        self.account.full += 1
        if paging.on_full == "stop":
            return (
                f"its sequence is full: {length} of {paging.room} tokens, a tick may append "
                f"{paging.most_tokens} (on_full: stop)"
            )
        if paging.on_full == "reset":
            self._empty()
        else:
            self._kv.slide(self._context, -(-lacking // paging.shape.page_tokens), paging.keep)
        return None

    def give_up(self) -> None:
        """What the last job has appended, if it has not ended well, is not there."""
        if self._lease is not None:
            self._lease.failed()
        self._lease = self._job = None

    def _empty(self) -> None:
        self._kv.close(self._context)
        self._context = self._kv.open(self._group, group=self._group)
        self._void = False
