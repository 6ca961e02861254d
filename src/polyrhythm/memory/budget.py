"""Bytes that may be reserved, and by whom they are: what arenas, page pools and loads draw from.

    budgets = Budgets(8 << 30, {"perception": (("vit", "depth"), 512 << 20)})
    budgets.enter()                                   # from now on its total counts, until it leaves
    arena = Arena(nbytes, "context 2", budgets)       # its arrays are drawn from their owners' budgets
    budgets.take("vlm", "weights", 4 << 30)           # BudgetError: nothing was reserved
    budgets.account()                                 # {("vlm", "weights"): 4294967296, ...}

A reservation beyond a budget is an error of whoever asked. All others keep what they have, and their own
budgets with it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class BudgetError(Exception):
    """A budget has not so much left; the message says who holds what. Nothing was reserved."""


class Budget:
    """At most `nbytes` bytes (None: any number), which also count for `parent`. Safe from any thread."""

    __slots__ = ("_account", "_lock", "name", "nbytes", "parent", "used")

    def __init__(self, name: str, nbytes: int | None = None, parent: Budget | None = None) -> None:
        self.name, self.nbytes, self.parent = name, nbytes, parent
        self.used = 0
        self._account: dict[tuple[str, str], int] = {}
        self._lock: threading.RLock = threading.RLock() if parent is None else parent._lock

    @property
    def left(self) -> int | None:
        """Bytes that can still be taken, here and above; None: any number."""
        own = None if self.nbytes is None else self.nbytes - self.used
        above = None if self.parent is None else self.parent.left
        return own if above is None else above if own is None else min(own, above)

    def take(self, owner: str, kind: str, nbytes: int) -> None:
        """Reserve bytes here and in every budget above, or nowhere.

        Raises:
            BudgetError: there is not so much left.
        """
        with self._lock:
            full: Budget | None = self
            while full is not None and (full.nbytes is None or full.used + nbytes <= full.nbytes):
                full = full.parent
            if full is not None:
                raise BudgetError(full._refusal(owner, kind, nbytes))
            self._add(owner, kind, nbytes)

    def give(self, owner: str, kind: str, nbytes: int) -> None:
        """Give back what `owner` took.

        Raises:
            ValueError: it holds less.
        """
        with self._lock:
            if (held := self._account.get((owner, kind), 0)) < nbytes:
                raise ValueError(f"{self.name}: {owner}/{kind} holds {held} bytes, not {nbytes}")
            self._add(owner, kind, -nbytes)

    def account(self) -> dict[tuple[str, str], int]:
        """Bytes held now, by (owner, kind); their sum is `used`."""
        with self._lock:
            return dict(self._account)

    def _add(self, owner: str, kind: str, nbytes: int) -> None:
        budget: Budget | None = self
        while budget is not None:
            budget.used += nbytes
            held = budget._account.get((owner, kind), 0) + nbytes
            if held:
                budget._account[owner, kind] = held
            else:
                budget._account.pop((owner, kind), None)
            budget = budget.parent

    def _refusal(self, owner: str, kind: str, nbytes: int) -> str:
        assert self.nbytes is not None
        return (
            f"{owner}/{kind} needs {nbytes} bytes, {self.name} has {self.nbytes - self.used} left of "
            f"{self.nbytes}; held: {self._held_text()}"
        )

    def _held_text(self) -> str:
        return ", ".join(f"{who}/{what} {n}" for (who, what), n in self._account.items()) or "nothing"


class Machine(Budget):
    """The budget of a machine, as large as the smallest total of those that are in it; and what in it is
    there once, however many bundles hold it."""

    __slots__ = ("_held", "_totals")

    def __init__(self) -> None:
        super().__init__("the machine's budget")
        self._held: dict[str, _Held] = {}
        self._totals: list[int] = []

    def enter(self, total: int) -> None:
        """One more is in it, which allows so many bytes to all together.

        Raises:
            BudgetError: more is held already; it is not in it.
        """
        with self._lock:
            if self.used > total:
                raise BudgetError(
                    f"a total of {total} bytes is declared, the machine holds {self.used} already: "
                    f"{self._held_text()}; retire a context first, or declare at least what both need"
                )
            self._totals.append(total)
            self.nbytes = min(self._totals)

    def leave(self, total: int) -> None:
        """One that entered with this total is not in it any more."""
        with self._lock:
            self._totals.remove(total)
            self.nbytes = min(self._totals, default=None)

    def hold(self, key: str, budget: Budget, owner: str, kind: str, nbytes: int) -> None:
        """Reserve what `key` stands for, or what is missing of it; it is there once, as large as the largest.

        Raises:
            BudgetError: there is not so much left.
        """
        with self._lock:
            held = self._held.get(key)
            if held is None:
                budget.take(owner, kind, nbytes)
                self._held[key] = _Held(budget, owner, kind, [nbytes])
            else:
                held.budget.take(held.owner, held.kind, max(0, nbytes - max(held.sizes)))
                held.sizes.append(nbytes)

    def drop(self, key: str, nbytes: int) -> None:
        """Hold it once less, that with so many bytes; what nobody else needs is given back."""
        with self._lock:
            budget, owner, kind, sizes = self._held[key]
            most = max(sizes)
            sizes.remove(nbytes)
            if not sizes:
                del self._held[key]
            budget.give(owner, kind, most - max(sizes, default=0))


class _Held(NamedTuple):
    """What is held of the same thing: from whose budget, and with how many bytes by each that holds it."""

    budget: Budget
    owner: str
    kind: str
    sizes: list[int]


class Budgets:
    """The budget of a machine and those of groups of modules in it.

    Args:
        total: bytes of the machine, from `enter` to `leave`; None: any number.
        groups: group -> (its modules, its bytes). A module without a group draws from the machine's budget.
        machine: another bundle's, for a bundle in the same machine.
    """

    def __init__(
        self,
        total: int | None = None,
        groups: Mapping[str, tuple[Iterable[str], int]] | None = None,
        machine: Machine | None = None,
    ) -> None:
        self.total = total
        self.machine = Machine() if machine is None else machine
        self.groups: dict[str, Budget] = {}
        self._of: dict[str, Budget] = {}
        for name, (modules, nbytes) in (groups or {}).items():
            group = self.groups[name] = Budget(f"group {name!r}", nbytes, self.machine)
            self._of |= dict.fromkeys(modules, group)

    def enter(self) -> None:
        """Something of the bundle is in the machine: its total counts, as often as it enters.

        Raises:
            BudgetError: more is held already; nothing has changed.
        """
        if self.total is not None:
            self.machine.enter(self.total)

    def leave(self) -> None:
        """What has entered has left the machine."""
        if self.total is not None:
            self.machine.leave(self.total)

    def of(self, owner: str) -> Budget:
        """The budget that a module draws from."""
        return self._of.get(owner, self.machine)

    def take(self, owner: str, kind: str, nbytes: int) -> None:
        """Reserve bytes for a module. Raises `BudgetError`: nothing was reserved."""
        self.of(owner).take(owner, kind, nbytes)

    def give(self, owner: str, kind: str, nbytes: int) -> None:
        """Give bytes of a module back."""
        self.of(owner).give(owner, kind, nbytes)

    def account(self) -> dict[tuple[str, str], int]:
        """Bytes held now, by (owner, kind)."""
        return self.machine.account()
