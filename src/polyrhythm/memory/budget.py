"""Bytes that may be reserved, and by whom they are: what arenas, page pools and loads draw from.

    budgets = Budgets(8 << 30, {"perception": (("vit", "depth"), 512 << 20)})
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
        held = ", ".join(f"{who}/{what} {count}" for (who, what), count in self._account.items())
        return (
            f"{owner}/{kind} needs {nbytes} bytes, {self.name} has {self.nbytes - self.used} left of "
            f"{self.nbytes}; held: {held or 'nothing'}"
        )


class Machine(Budget):
    """The budget of a machine, and what in it is there once, however many bundles hold it."""

    __slots__ = ("_held",)

    def __init__(self, nbytes: int | None = None) -> None:
        super().__init__("the machine's budget", nbytes)
        self._held: dict[str, _Held] = {}

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
        total: bytes of the machine; None: any number.
        groups: group -> (its modules, its bytes). A module without a group draws from the machine's budget.
        machine: another bundle's, for a bundle in the same machine; `total` does not count then.
    """

    def __init__(
        self,
        total: int | None = None,
        groups: Mapping[str, tuple[Iterable[str], int]] | None = None,
        machine: Machine | None = None,
    ) -> None:
        self.machine = Machine(total) if machine is None else machine
        self.groups: dict[str, Budget] = {}
        self._of: dict[str, Budget] = {}
        for name, (modules, nbytes) in (groups or {}).items():
            group = self.groups[name] = Budget(f"group {name!r}", nbytes, self.machine)
            self._of |= dict.fromkeys(modules, group)

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
