"""A trial as it looks from now: what looks the same goes on in the same way, until something strikes.

Instants count from now, jobs, ticks and versions from the next one to come; slots are named by what is done
with them; sums of what was are left out, and so is what nobody reads any more. The tables name every
attribute that is not compared as it is. So what is forgotten there is compared as it is, and an object of a
class without a table is like no other: a mistake of that kind has nothing skipped, and never too much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyrhythm.simulate.state.delays import estimates_of, window_of
from polyrhythm.simulate.state.looks import version
from polyrhythm.simulate.state.view import View, oldest_read

if TYPE_CHECKING:
    from polyrhythm.simulate.trial import Trial

__all__ = ["age", "resting_of", "state_of", "still"]


def still(trial: Trial) -> bool:
    """Whether what happens next is the live context's alone, and nothing is under way that ends."""
    scheduler, auditor, harness = trial.harness.scheduler, trial.auditor, trial.harness
    contexts = scheduler.contexts
    waits = contexts.next is not None or contexts.warming or contexts.leaving or not contexts.live.open
    resting = [deck for deck in contexts.decks.values() if deck is not contexts.live]
    now_ns = harness.clock.now_ns()
    return not (
        scheduler.phase != "running"
        or waits
        or not scheduler.profiles.settled
        or any(deck.busy for deck in resting)
        or trial._upset
        or (trial.island is not None and trial.island.attended)
        or any(until_ns > now_ns for until_ns in trial.down_ns.values())
        or scheduler._budgets.any
        or auditor.budgets  # their windows are judged at the end, all of them
    )


def state_of(trial: Trial) -> tuple[object, ...]:
    """What the future depends on, of a trial that is `still`; last the delays that are remembered."""
    view, cast, memory = View(trial), trial.cast, trial.memory
    armed = tuple([(module, tuple(found)) for module, found in sorted(trial._armed.items()) if found])
    there = (tuple(cast.ready), tuple(sorted(cast._swaps)), cast._live)
    reserved = (memory.machine.used, memory.should_be)
    seen = view.of(trial.harness), view.of(trial.auditor), armed, there, reserved
    return *seen, estimates_of(trial), window_of(trial)


def resting_of(trial: Trial) -> tuple[object, ...]:
    """What may be read of the contexts that do not play, once they do."""
    view, contexts = View(trial), trial.harness.scheduler.contexts
    found: list[object] = []
    for number, deck in contexts.decks.items():
        book = trial.auditor.contexts[number]
        for port, limit_ns in oldest_read(deck).items() if deck is not contexts.live else ():
            if limit_ns != -1 and (slot := book.newest[port]) is not None:
                content = view.content(book, port, book.slots[port][slot])
                found.append((number, port, version(view, deck.rings[port]), content))
    return tuple(found)


def age(trial: Trial, by_ns: int, by_ticks: int) -> None:
    """Have so much time passed for all that does not move: what lies in the slots of contexts that rest, and
    what is too old for its readers."""
    view, contexts = View(trial), trial.harness.scheduler.contexts
    for deck in contexts.decks.values():
        book = trial.auditor.contexts[deck.context]
        for port, ring in deck.rings.items():
            latest, slot = ring.latest, book.newest[port]
            if latest is not None and (deck is not contexts.live or view.too_old(port, latest.stamp_ns)):
                ring.latest = latest._replace(stamp_ns=latest.stamp_ns - by_ns, tick=latest.tick - by_ticks)
                assert slot is not None
                book.slots[port][slot].stamp_ns -= by_ns
                book.slots[port][slot].tick -= by_ticks
