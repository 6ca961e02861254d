"""A stage through everything: release, scheduler, hal queue, completion, publication. Used by `overhead.py`.

The bundle is real and opened like any other; it has no robot. A listener takes the time when the scheduler
has answered. Two figures of different kinds:

``saturated``
    modules that ask for more than there is (`on_overrun: shift`): the time from one finished tick to the
    next, less a bare invocation in a loop in the same run. What a tick costs the device.
``paced``
    200 ticks a second on a machine that sleeps in between: from the wake-up that released a tick to the
    publication of its output. Caches are cold and a sleeping core has to be woken, for the bare stage too, so
    the same stage invoked by a bare thread at the same pace stands beside.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from time import monotonic_ns

from measure import Figure, cores, over_rounds, pinned, planned

from polyrhythm.runtime import Note, Plan, Runtime
from polyrhythm.schedule.events import Command, Event, Finish, Launch

MANIFEST = """
devices:
  one: {{ cores: [{core}], in_flight: {in_flight} }}
orchestration:
  mode: parallel
  modules:
  - {{ id: first, vmfb: stages.vmfb, entry: {entry}, rate_hz: {rate_hz}, on_overrun: shift }}
  - {{ id: second, vmfb: stages.vmfb, entry: {entry}, rate_hz: {rate_hz}, on_overrun: shift,
       phase_ms: {phase_ms} }}
"""


#: How long a run may take until there is enough to measure.
LIMIT_S = 30.0


class Stopwatch:
    """Notes how long each tick took, and has the run stopped after so many."""

    def __init__(self, ticks: int, stop: Callable[[], None]) -> None:
        self._ticks, self._stop = ticks, stop
        self.ticks_ns: list[int] = []
        self.finished_ns: list[int] = []
        self._released: dict[int, int] = {}

    def step(self, event: Event, commands: list[Command]) -> None:
        """See `polyrhythm.runtime.Listener`."""
        for command in commands:
            if type(command) is Launch:
                self._released[command.job] = event.now_ns
            elif type(command) is Finish:
                now_ns = monotonic_ns()
                self.ticks_ns.append(now_ns - self._released.pop(command.job))
                self.finished_ns.append(now_ns)
                if len(self.finished_ns) == self._ticks:
                    self._stop()

    def note(self, note: Note) -> None:
        """No robot, no notes."""


def staged(source: str, entry: str, rate_hz: float, in_flight: int) -> Plan:
    """Two modules of one stage."""
    phase_ms = round(500 / rate_hz, 6)
    text = MANIFEST.format(
        core=cores()[1], in_flight=in_flight, entry=entry, rate_hz=rate_hz, phase_ms=phase_ms
    )
    return planned(source, "stages.vmfb", text)


def play(plan: Plan, ticks: int) -> Stopwatch:
    """Run a plan until so many ticks are finished: a busy machine takes longer, and gives as many."""
    with pinned(cores()[0]), Runtime(plan) as runtime:
        watch = Stopwatch(ticks, runtime.stop)
        runtime.run(seconds=LIMIT_S, listeners=[watch])
    if (finished := len(watch.finished_ns)) < ticks:
        told = f"{finished} of {ticks} ticks were finished within {LIMIT_S:g} s"
        raise SystemExit(f"{told}: the machine is too busy to measure")
    return watch


def periods_ns(watch: Stopwatch, but: int) -> list[int]:
    """Time from each finished tick to the next, but for the first ones."""
    return [after - before for before, after in pairwise(watch.finished_ns[but:])]


def tick_overhead(source: str, bare_us: float, rounds: int) -> list[Figure]:
    """What a tick costs beside its stage."""
    slow, fast = staged(source, "tiny", 100, 1), staged(source, "tiny", 100_000, 1)
    paced = [play(slow, 220).ticks_ns[20:] for _ in range(rounds)]
    saturated = [periods_ns(play(fast, 5_000), 50) for _ in range(rounds)]
    return [
        Figure("paced tick, wake-up to publication, p50", over_rounds(paced, 0.5) / 1e3, "us"),
        Figure("tick through the scheduler, p99", over_rounds(saturated, 0.99) / 1e3 - bare_us, "us"),
        Figure("tick through the scheduler, p50", over_rounds(saturated, 0.5) / 1e3 - bare_us, "us", 60.0),
    ]


def scheduled(source: str) -> Callable[[], list[int]]:
    """Times between finished ticks of two modules that ask for more than there is, two stages in flight."""
    plan = staged(source, "work", 10_000, 2)
    return lambda: periods_ns(play(plan, 90), 10)
