"""Memory that is known before the start and stays where it is.

`Arena` is one allocation, touched page by page, cut into 64-byte aligned arrays, with an account of what is
whose, drawn from `Budgets`. `LinkStorage` is the memory of a link, several versions deep, seen by each device
without a copy; which version is whose is the scheduler's business (`polyrhythm.schedule.slots`). `PagedKV`
keeps the keys and values of many sequences in fixed pages, shared where they are equal.
"""

from __future__ import annotations

from polyrhythm.memory.arena import Arena, ArenaError, LedgerRow, footprint, layout
from polyrhythm.memory.budget import Budget, BudgetError, Budgets, Machine
from polyrhythm.memory.kv import PagedKV
from polyrhythm.memory.lease import KVContext, Lease
from polyrhythm.memory.pages import ContextFull, KVError, KVShape, NoPagesLeft, PagesInUse
from polyrhythm.memory.slots import LinkStorage

__all__ = [
    "Arena",
    "ArenaError",
    "Budget",
    "BudgetError",
    "Budgets",
    "ContextFull",
    "KVContext",
    "KVError",
    "KVShape",
    "Lease",
    "LedgerRow",
    "LinkStorage",
    "Machine",
    "NoPagesLeft",
    "PagedKV",
    "PagesInUse",
    "footprint",
    "layout",
]
