"""Which power profile runs, and when a change of it is complete. Tick tables: ``docs/concepts/power.md``."""

from __future__ import annotations

from typing import Final

from polyrhythm.schedule.deck import Deck
from polyrhythm.schedule.lanes import NEVER_NS

#: Why a tick of a module that the profile drops does not happen.
PROFILE: Final = "profile"


class Profiles:
    """`name` is the profile asked for last, after so many `changes`; `due_ns` when it is wholly in force,
    `NEVER_NS` once it is. It holds for all contexts: one whose plan knows no profile of that name runs as it
    was planned."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.changes = 0
        self.due_ns = NEVER_NS

    def ask(self, name: str, now_ns: int) -> bool:
        """Ask for a profile; False if that is the one asked for already."""
        if name == self.name:
            return False
        self.name, self.due_ns = name, now_ns
        self.changes += 1
        return True

    @property
    def settled(self) -> bool:
        """Whether the profile asked for last is wholly in force."""
        return self.due_ns == NEVER_NS

    def apply(self, deck: Deck) -> None:
        """Give every module of a context what the profile makes of it. One that has ticked and goes on under
        other numbers is switched when its next release comes, the whole when the last of them is."""
        for module, planned in zip(deck.modules, deck.plan.modules, strict=True):
            before = None if module.suspended else module.plan
            module.switch(after := deck.plan.module_under(self.name, planned))
            if not deck.open:
                module.rest()
            elif after is not None and after != before:
                self.due_ns = max(self.due_ns, module.due_ns)
        deck.suspended = [module for module in deck.modules if module.suspended]
