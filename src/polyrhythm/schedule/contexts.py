"""Which contexts there are: who plays, who comes and who goes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from polyrhythm.schedule.deck import Deck
from polyrhythm.schedule.events import Admit, Command, Drained, Ready, Refused
from polyrhythm.schedule.jobs import Tally
from polyrhythm.schedule.lanes import Lane
from polyrhythm.schedule.plan import SchedulePlan
from polyrhythm.schedule.slots import InvariantError

#: Why nothing comes of what is asked for after a `Stop`.
STOPPED: Final = "the run has stopped"


class Contexts:
    """Keeps the decks. One is live from the beginning to the end.

    Args:
        context, plan: the first one.
        cancel: told (deck, reason) when a context is to go: gives up what has been begun of it.
    """

    def __init__(self, context: int, plan: SchedulePlan, cancel: Callable[[Deck, str], None]) -> None:
        #: Every device that a context has named.
        self.lanes: dict[str, Lane] = {}
        self._open(plan)
        self.live = live = Deck(context, plan, self.lanes)
        #: Every context, by its number.
        self.decks = {live.context: live}
        #: What goes live at the next control instant.
        self.next: Deck | None = None
        #: The first one is being warmed up.
        self.warming: deque[Deck] = deque()
        #: Not wanted any more, but something of them is in flight.
        self.leaving: list[Deck] = []
        self._cancel = cancel
        self._gone: dict[str, Tally] = {}
        self._gone_superseded: dict[str, int] = {}

    def account(self) -> dict[str, Tally]:
        """What modules did, by name, in all contexts that there have been."""
        sums = {name: replace(tally) for name, tally in self._gone.items()}
        for deck in self.decks.values():
            deck.tally(sums)
        return sums

    def superseded(self) -> dict[str, int]:
        """Per port, how many versions were replaced before anybody read them, in all contexts that there have
        been."""
        sums = dict(self._gone_superseded)
        for deck in self.decks.values():
            deck.count_superseded(sums)
        return sums

    @property
    def flying(self) -> bool:
        """Whether any device holds a stage."""
        return any(lane.flying for lane in self.lanes.values())

    def admit(self, event: Admit, out: list[Command]) -> Deck | None:
        """Take a context in; None if it can't take turns with those that are here."""
        if (reason := self._unfit(event.context, event.plan)) is not None:
            out.append(Refused(event.context, reason))
            return None
        self._open(event.plan)
        self.decks[event.context] = deck = Deck(event.context, event.plan, self.lanes)
        if event.warm:
            out.append(Ready(deck.context))
        else:
            deck.cold.extend(sorted(deck.modules, key=lambda module: module.plan.rank))
            self.warming.append(deck)
        return deck

    def _unfit(self, context: int, plan: SchedulePlan) -> str | None:
        have, new = self.live.plan.control, plan.control
        if context in self.decks:
            return "there is a context of this number"
        if (have is None) != (new is None):
            return "only one of the two has a robot"
        if have is not None and new is not None and have.period_ns != new.period_ns:
            return "another control rate"
        if self.live.plan.buffers != plan.buffers:
            return "chunks are buffered in another way"
        for device, depth in plan.devices.items():
            if device in self.lanes and self.lanes[device].depth != depth:
                return f"another in-flight depth of {device}"
            if device in self.lanes and self.lanes[device].gives_way != (device in plan.gives_way):
                return f"only one of the two lets {device} give way"
        return None

    def _open(self, plan: SchedulePlan) -> None:
        for device, depth in plan.devices.items():
            self.lanes.setdefault(device, Lane(device, depth, device in plan.gives_way))

    def choose(self, context: int, out: list[Command]) -> Deck | None:
        """Have a context go live next; None if that can't be."""
        deck = self.decks.get(context)
        if deck is None or not deck.ready:
            out.append(Refused(context, "there is no such context" if deck is None else "it is not ready"))
            return None
        if deck is not self.next:
            self._supersede("another switch came first", out)
        self.next = deck
        return deck

    def retire(self, context: int, out: list[Command]) -> None:
        """Let a context go."""
        deck = self.decks.get(context)
        if deck is None or deck.leaving:
            out.append(Refused(context, "there is no such context"))
        elif deck is self.live:
            out.append(Refused(context, "it is live"))
        else:
            if deck is self.next:
                self._supersede("it was retired", out)
            self.discard(deck, "retired")

    def discard(self, deck: Deck, reason: str) -> None:
        """A context is not wanted any more."""
        deck.leaving = True
        self.leaving.append(deck)
        if deck in self.warming:
            self.warming.remove(deck)
        deck.cold.clear()
        self._cancel(deck, reason)
        deck.forget()

    def see_off(self, out: list[Command]) -> None:
        """Forget those of which nothing is in flight any more."""
        for deck in [deck for deck in self.leaving if not deck.busy]:
            if any(module.pending for module in deck.modules):
                raise InvariantError(f"context {deck.context} is left with ticks that wait")
            self.leaving.remove(deck)
            deck.tally(self._gone)
            deck.count_superseded(self._gone_superseded)
            del self.decks[deck.context]
            out.append(Drained(deck.context))

    def stop(self, out: list[Command]) -> None:
        """Nothing is switched to, or warmed up, any more."""
        self._supersede(STOPPED, out)
        for deck in tuple(self.warming):
            out.append(Refused(deck.context, STOPPED))
            self.discard(deck, "stopped")

    def _supersede(self, reason: str, out: list[Command]) -> None:
        if self.next is not None:
            out.append(Refused(self.next.context, reason))
            self.next = None
