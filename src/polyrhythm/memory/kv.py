"""Keys and values of many contexts in one array of fixed pages, shared where contexts begin alike.

    kv = PagedKV(KVShape(layers=4, page_tokens=16, heads=4, head_dim=16), pages=65, table=16, arena=arena)
    context = kv.open("left arm", prompt=words)          # what is known of the prompt is there already
    with kv.step(context, words[context.length:]) as lease:
        lease.write_table(page_table)                    # inputs of the compiled step
        start[...], count[...] = lease.start, lease.count
        queue.submit(call).wait()
    kv.close(context)

A **context** is a sequence of tokens and the pages with their keys and values. Equal beginnings share pages:
a full page is found by the tokens in it and before it, when a context is opened, and when a page of its own
is full, which then gives way. `fork` shares everything; who then appends to a page that others hold gets a
copy of it first. A **lease** goes with a launched step: until it is given back, its pages are neither freed,
nor rewritten, nor evicted, whatever happens to the context. Rows become part of the context, and full pages
can be found by others, when the lease of the step that wrote them is done.

Contexts are in **groups** with a budget of pages each. A group is charged once for each page that its
contexts and their leases hold, also if another group holds it too. The budgets fit into the pool together, so
whoever is within its budget gets a page: at worst, one that is kept only because somebody might ask for it.

All memory is taken from the arena at the start (kind ``kv`` in its ledger). Not thread-safe: use it from the
thread that launches. How a compiled step reads and writes the pages: `polyrhythm.compile.attention`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from polyrhythm.memory.arena import Arena
from polyrhythm.memory.budget import Budget
from polyrhythm.memory.lease import KVContext, Lease
from polyrhythm.memory.pages import (
    Block,
    ContextFull,
    Hash,
    KVError,
    KVShape,
    NoPagesLeft,
    PagePool,
    PagesInUse,
    follow,
)

#: The group of contexts that are opened without one.
DEFAULT_GROUP = "all"


class PagedKV:
    """See the module.

    Args:
        shape: what a page holds.
        pages: pages of the pool; page 0 among them belongs to nobody.
        table: most pages of a context, the length of its page table.
        arena: where the pool lies; it takes ``shape.tensor(pages)``.
        owner: whom the ledger charges.
        budgets: pages by group; without, one group ``all`` has them all.
        code: the hash of identities; the default is good for everything but tests.
    """

    def __init__(
        self,
        shape: KVShape,
        pages: int,
        table: int,
        arena: Arena,
        *,
        owner: str = "kv",
        budgets: Mapping[str, int] | None = None,
        code: Hash = hash,
    ) -> None:
        self._pool = PagePool(pages)
        given = dict(budgets) if budgets is not None else {DEFAULT_GROUP: pages - 1}
        if sum(given.values()) > pages - 1:
            named = ", ".join(f"{group} {budget}" for group, budget in given.items())
            raise KVError(
                f"budgets of {sum(given.values())} pages ({named}) do not fit into a pool of {pages}, "
                f"of which {pages - 1} can be given out: lower a budget or make the pool larger"
            )
        self.shape, self.table = shape, table
        self._code = code
        #: How often a full page gave way to one that was the same.
        self.merged = 0
        self._contexts: dict[str, KVContext] = {}
        self._budgets = {
            group: Budget(f"group {group!r}", n * shape.page_bytes) for group, n in given.items()
        }
        self._held: dict[str, Counter[int]] = {group: Counter() for group in given}
        #: The pool, ``[pages, layers, 2, page_tokens, heads, head_dim]``.
        self.array = arena.take(owner, "kv", shape.tensor(pages))

    # -- contexts ------------------------------------------------------------------------------------------

    def open(self, name: str, prompt: Sequence[int] = (), group: str | None = None) -> KVContext:
        """A context that begins with the pages that are known for `prompt`: run ``prompt[context.length:]``.

        At least the last token of the prompt is left to run, because a step is what gives outputs.

        Raises:
            KVError: the name is taken, there is no such group.
            ContextFull: the prompt is too long.
            BudgetError: the group can't hold what is shared.
        """
        group = next(iter(self.budgets)) if group is None else group
        if name in self._contexts:
            raise KVError(f"context {name!r} is open already: choose another name or close it")
        if group not in self.budgets:
            raise KVError(f"there is no group {group!r}; there are: {', '.join(self.budgets)}")
        context = KVContext(name, group)
        self._check_table(context, len(prompt))
        size = self.shape.page_tokens
        found: list[tuple[Block, int]] = []
        for end in range(size, len(prompt), size):
            block = follow(found[-1][0] if found else None, tuple(prompt[end - size : end]), self._code)
            page = self._pool.find(block)
            if page is None:
                break
            found.append((block, page))
        self._check_budget(context, sum(page not in self._held[group] for _, page in found))
        for block, page in found:
            self._hold(group, page)
            context._pages.append(page)
            context._chain = block
        context.length = len(found) * size
        self._contexts[name] = context
        return context

    def fork(self, context: KVContext, name: str) -> KVContext:
        """A second context with the same content, in the same group. Costs no page.

        Raises:
            KVError: the name is taken.
            PagesInUse: a step is writing.
        """
        self._check_open(context)
        if name in self._contexts:
            raise KVError(f"context {name!r} is open already: choose another name or close it")
        self._check_no_writer(context, "fork it")
        twin = KVContext(name, context.group)
        twin._pages = list(context._pages)
        twin._tail = None if context._tail is None else list(context._tail)
        twin._chain, twin.length = context._chain, context.length
        for page in twin._pages:
            self._hold(twin.group, page)
        self._contexts[name] = twin
        return twin

    def slide(self, context: KVContext, pages: int = 1, keep: int = 0) -> None:
        """Let go of `pages` full pages after the first `keep`: what is behind moves up.

        From here on its new pages are its own, not to be found by others: what is in them was computed
        without the tokens that are gone.

        Raises:
            ValueError: there are not so many full pages.
            PagesInUse: a step is writing.
        """
        self._check_open(context)
        self._check_no_writer(context, "slide it")
        full = context.length // self.shape.page_tokens
        if pages < 1 or keep < 0 or keep + pages > full:
            raise ValueError(
                f"context {context.name!r} has {full} full pages: {pages} after the first {keep} can't go"
            )
        gone = context._pages[keep : keep + pages]
        del context._pages[keep : keep + pages]
        context.length -= pages * self.shape.page_tokens
        context._tail = context._chain = None
        for page in reversed(gone):
            self._drop(context.group, page)

    def close(self, context: KVContext) -> None:
        """Let go of the context. Its full pages are kept as long as there is room, for who begins alike.

        Raises:
            PagesInUse: a lease is open.
        """
        self._check_open(context)
        if context._leases:
            raise PagesInUse(
                f"context {context.name!r} can't be closed: {context._leases} leases on its pages are open; "
                "give them back first"
            )
        del self._contexts[context.name]
        # From the end: a page is of no use without those before it.
        for page in reversed(context._pages):
            self._drop(context.group, page)
        context._pages.clear()

    # -- steps ---------------------------------------------------------------------------------------------

    def step(self, context: KVContext, tokens: Sequence[int] | int) -> Lease:
        """A lease for a step that appends `tokens`: the pages for them are there, and nobody else's.

        Args:
            tokens: numbers that stand for what the model sees; use digests for what has no number of its own.
                If the step itself finds out: how many at most, and `Lease.done` is told which.

        Raises:
            PagesInUse: another step is writing to this context.
            ContextFull, BudgetError: nothing has changed then; `slide`, or `close` somebody.
        """
        self._check_open(context)
        self._check_no_writer(context, "append to it")
        count = tokens if isinstance(tokens, int) else len(tokens)
        if count < 1:
            raise ValueError("a step appends at least one token; use `read` for one that only reads")
        size, pages = self.shape.page_tokens, context._pages
        self._check_table(context, context.length + count)
        last = pages[-1] if context.length % size else None
        fresh = -(-(context.length + count) // size) - len(pages)
        if last is None or self._pool.holds(last) == 1:
            self._check_budget(context, fresh)
        else:
            # A copy takes the place of the page, unless somebody in the group holds it still.
            self._check_budget(context, fresh + (self._held[context.group][last] > 1))
            self._drop(context.group, last)
            pages[-1] = self._take(context.group)
            self.array[pages[-1]] = self.array[last]
        pages.extend(self._take(context.group) for _ in range(fresh))
        context._writer = True
        return self._lease(context, None if isinstance(tokens, int) else tuple(tokens), count)

    def read(self, context: KVContext) -> Lease:
        """A lease for a step that only reads. The context may grow meanwhile: the lease does not see it."""
        self._check_open(context)
        return self._lease(context, None, 0)

    # -- pages ---------------------------------------------------------------------------------------------

    def evict(self, page: int) -> None:
        """Free a page that is kept only because somebody might ask for it again.

        Raises:
            PagesInUse: somebody holds it; the message says who.
            KVError: nothing is in it.
        """
        try:
            self._pool.evict(page)
        except PagesInUse as error:
            names = [context.name for context in self._contexts.values() if page in context._pages]
            holders = ", ".join(map(repr, names)) or "a lease"
            raise PagesInUse(f"page {page} can't be evicted: {holders} holds it") from error
        except ValueError as error:
            raise KVError(str(error)) from error

    def forget(self) -> None:
        """For new weights: nothing computed until now is shared any more. Contexts keep their pages."""
        self._pool.forget()
        for context in self._contexts.values():
            context._tail = context._chain = None

    def usage(self) -> dict[str, int]:
        """Pages that are ``held``, ``cached`` and ``free`` now, and how often one was ``evicted``."""
        pool = self._pool
        held = pool.pages - 1 - pool.cached - pool.free
        return {"held": held, "cached": pool.cached, "free": pool.free, "evicted": pool.evicted}

    def charged(self, group: str) -> int:
        """Pages that the group is charged for."""
        return self._budgets[group].used // self.shape.page_bytes

    @property
    def budgets(self) -> dict[str, int]:
        """Pages that every group may hold."""
        return {group: (b.nbytes or 0) // self.shape.page_bytes for group, b in self._budgets.items()}

    # -- inside --------------------------------------------------------------------------------------------

    def _lease(self, context: KVContext, tokens: tuple[int, ...] | None, count: int) -> Lease:
        lease = Lease(self, context, tokens, count)
        for page in lease.pages:
            self._hold(context.group, page)
        context._leases += 1
        return lease

    def _return(self, lease: Lease) -> None:
        lease.context._leases -= 1
        for page in reversed(lease.pages):
            self._drop(lease.context.group, page)

    def _commit(self, context: KVContext, tokens: tuple[int, ...]) -> None:
        size = self.shape.page_tokens
        for token in tokens:
            context.length += 1
            if context._tail is None:
                continue
            context._tail.append(token)
            if len(context._tail) == size:
                context._chain = follow(context._chain, tuple(context._tail), self._code)
                context._tail.clear()
                self._identify(context, context.length // size - 1, context._chain)
        self._roll_back(context)

    def _identify(self, context: KVContext, position: int, block: Block) -> None:
        """A page is full: others can find it from now on, unless it gives way to one that is the same."""
        own, known = context._pages[position], self._pool.find(block)
        if known is None:
            self._pool.publish(own, block)
        elif self._pool.holds(own) == 1:
            self._drop(context.group, own)
            self._hold(context.group, known)
            context._pages[position] = known
            self.merged += 1

    def _roll_back(self, context: KVContext) -> None:
        """Nobody writes any more: what lies behind the end is free."""
        context._writer = False
        while (len(context._pages) - 1) * self.shape.page_tokens >= context.length and context._pages:
            self._drop(context.group, context._pages.pop())

    def _take(self, group: str) -> int:
        page = self._pool.take()
        self._charge(group, page)
        return page

    def _hold(self, group: str, page: int) -> None:
        self._pool.hold(page)
        self._charge(group, page)

    def _charge(self, group: str, page: int) -> None:
        held = self._held[group]
        if page not in held:
            self._budgets[group].take(group, "page", self.shape.page_bytes)
        held[page] += 1

    def _drop(self, group: str, page: int) -> None:
        held = self._held[group]
        held[page] -= 1
        if held[page] == 0:
            del held[page]
            self._budgets[group].give(group, "page", self.shape.page_bytes)
        self._pool.drop(page)

    def _check_open(self, context: KVContext) -> None:
        if self._contexts.get(context.name) is not context:
            known = ", ".join(map(repr, self._contexts)) or "none"
            raise KVError(f"context {context.name!r} is not open here; open are: {known}")

    def _check_no_writer(self, context: KVContext, what: str) -> None:
        if context._writer:
            raise PagesInUse(
                f"a step is writing to context {context.name!r}: give its lease back before you {what}"
            )

    def _check_table(self, context: KVContext, length: int) -> None:
        most = self.table * self.shape.page_tokens
        if length > most:
            raise ContextFull(
                f"context {context.name!r} would have {length} tokens, its page table has room for {most} "
                f"({self.table} pages of {self.shape.page_tokens}): slide it, or begin a new one"
            )

    def _check_budget(self, context: KVContext, more: int) -> None:
        group = context.group
        charged, budget = self.charged(group), self.budgets[group]
        if more > 0 and charged + more > budget:
            held = {c.name: len(c._pages) for c in self._contexts.values() if c.group == group}
            named = ", ".join(f"{name!r} {pages}" for name, pages in held.items()) or "nobody any"
            raise NoPagesLeft(
                f"context {context.name!r} needs {more} more pages, group {group!r} holds {charged} of "
                f"{budget} ({named}; shared pages count once): slide or close one, or raise the budget"
            )
