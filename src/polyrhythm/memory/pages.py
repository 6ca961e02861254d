"""Who holds which page of a pool, and which pages hold what: book-keeping on numbers, without memory.

A page is *free* (nobody holds it, nothing of use is in it), *held* (by contexts and leases, counted) or
*cached* (nobody holds it, but its content has an identity and may be asked for again). When free
ones run out, the cached page that nobody held for longest is taken; held ones never are.

A full page is identified by its tokens and by all that came before them (`Block`), because keys and values
depend on both. Identities are found by a hash and then compared exactly.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from polyrhythm.bundle.signature import DTYPE_BYTES, Tensor
from polyrhythm.memory.budget import BudgetError

Hash = Callable[[tuple[int, tuple[int, ...]]], int]


class KVError(Exception):
    """What was asked for is not possible; the message says why and how to mend it."""


class PagesInUse(KVError):
    """Somebody holds the pages: they can be neither freed, nor rewritten, nor evicted."""


class NoPagesLeft(KVError, BudgetError):
    """A group has no pages left in its budget; the message says who holds how many."""


class ContextFull(KVError):
    """A context would be longer than its page table."""


@dataclass(frozen=True, slots=True)
class KVShape:
    """What a page holds: for each of `layers`, keys and values of `page_tokens` tokens."""

    layers: int
    page_tokens: int
    heads: int
    head_dim: int
    dtype: str = "f32"

    def tensor(self, pages: int, name: str = "kv") -> Tensor:
        """A pool: ``[pages, layers, 2, page_tokens, heads, head_dim]``, keys before values."""
        return Tensor(name, self.dtype, (pages, self.layers, 2, self.page_tokens, self.heads, self.head_dim))

    @property
    def page_bytes(self) -> int:
        """Bytes of a page, all layers."""
        return DTYPE_BYTES[self.dtype] * self.layers * 2 * self.page_tokens * self.heads * self.head_dim


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The identity of a full page: `tokens`, after those of `parent`. `code` is their hash."""

    parent: Block | None
    tokens: tuple[int, ...]
    code: int

    def same(self, other: Block) -> bool:
        """Whether both stand for the same tokens from the beginning on."""
        one: Block | None = self
        two: Block | None = other
        while one is not two:
            if one is None or two is None or one.code != two.code or one.tokens != two.tokens:
                return False
            one, two = one.parent, two.parent
        return True


def follow(parent: Block | None, tokens: tuple[int, ...], code: Hash = hash) -> Block:
    """The identity of a page with `tokens` after `parent` (None: at the beginning)."""
    return Block(parent, tokens, code((0 if parent is None else parent.code, tokens)))


class PagePool:
    """Pages ``1 .. pages - 1``. Page 0 is nobody's: it stands in unused places of page tables."""

    def __init__(self, pages: int) -> None:
        if pages < 2:
            raise ValueError(
                f"a pool of {pages} pages has none to give: page 0 is nobody's, ask for 2 or more"
            )
        self.pages = pages
        self.evicted = 0
        self._holds = [0] * pages
        self._free = list(range(pages - 1, 0, -1))
        self._cached: OrderedDict[int, None] = OrderedDict()
        self._blocks: dict[int, Block] = {}
        self._index: dict[int, list[int]] = {}

    @property
    def free(self) -> int:
        """Number of free pages."""
        return len(self._free)

    @property
    def cached(self) -> int:
        """Number of cached pages."""
        return len(self._cached)

    def holds(self, page: int) -> int:
        """How often the page is held."""
        return self._holds[page]

    def take(self) -> int:
        """A page held once, with no content: a free one, or the cached one that was given up first.

        Raises:
            PagesInUse: all are held.
        """
        if not self._free:
            if not self._cached:
                raise PagesInUse(f"all {self.pages - 1} pages are held")
            self.evict(next(iter(self._cached)))
        page = self._free.pop()
        self._holds[page] = 1
        return page

    def hold(self, page: int) -> None:
        """Hold a page that is held or cached once more."""
        if self._holds[page] == 0:
            del self._cached[page]
        self._holds[page] += 1

    def drop(self, page: int) -> None:
        """Hold it once less; the last one leaves it cached if it has an identity, free if not."""
        if self._holds[page] == 0:
            raise ValueError(f"page {page} is not held")
        self._holds[page] -= 1
        if self._holds[page] == 0:
            if page in self._blocks:
                self._cached[page] = None
            else:
                self._free.append(page)

    def publish(self, page: int, block: Block) -> None:
        """Give a held page its identity. Does nothing if another page has it already."""
        if self.find(block) is None:
            self._blocks[page] = block
            self._index.setdefault(block.code, []).append(page)

    def find(self, block: Block) -> int | None:
        """The page with this identity."""
        for page in self._index.get(block.code, ()):
            if self._blocks[page].same(block):
                return page
        return None

    def evict(self, page: int) -> None:
        """Free a cached page and forget its identity.

        Raises:
            PagesInUse: it is held.
            ValueError: there is nothing in it.
        """
        if self._holds[page]:
            raise PagesInUse(f"page {page} is held {self._holds[page]} times")
        if page not in self._cached:
            raise ValueError(f"page {page} is not cached")
        del self._cached[page]
        block = self._blocks.pop(page)
        pages = self._index[block.code]
        pages.remove(page)
        if not pages:
            del self._index[block.code]
        self._free.append(page)
        self.evicted += 1

    def forget(self) -> None:
        """No page is found any more, held ones included: their content is of no use to anybody new."""
        self._free.extend(self._cached)
        self._cached.clear()
        self._blocks.clear()
        self._index.clear()
