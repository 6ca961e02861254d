"""Which power profile runs, and when a change of it is complete. Tick tables: ``docs/concepts/power.md``."""

from __future__ import annotations

from typing import Final

from polyrhythm.schedule.deck import Deck

#: Why a tick of a module that the profile drops does not happen.
PROFILE: Final = "profile"


class Profiles:
    """`name` is the profile asked for last, after so many `changes`; `settled` once it is wholly in force. It
    holds for all contexts: one whose plan knows no profile of that name runs as it was planned."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.changes = 0
        self.settled = True

    def ask(self, name: str) -> bool:
        """Ask for a profile; False if that is the one asked for already."""
        if name == self.name:
            return False
        self.name, self.settled = name, False
        self.changes += 1
        return True

    def apply(self, deck: Deck) -> None:
        """Give every module of a context what the profile makes of it. One that goes on under other numbers
        is switched when its next release comes."""
        for module, planned in zip(deck.modules, deck.plan.modules, strict=True):
            module.switch(deck.plan.module_under(self.name, planned))
            if not deck.open:
                module.rest()
        deck.suspended = [module for module in deck.modules if module.suspended]

    def in_force(self, live: Deck) -> bool:
        """Whether no module has a release under its present numbers still to come. Where nothing is released
        it is in force at once: the next episode starts with it."""
        return not (live.open and any(module.switching for module in live.modules))
