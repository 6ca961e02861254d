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

import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from time import monotonic_ns

from measure import Figure, compiled, cores, over_rounds, pinned

from polyrhythm.compile import lock_existing
from polyrhythm.runtime import Note, Runtime, check
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


class Stopwatch:
    """Notes how long each tick took, and how many there were."""

    def __init__(self) -> None:
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

    def note(self, note: Note) -> None:
        """No robot, no notes."""


def play(source: str, entry: str, rate_hz: float, in_flight: int, seconds: float) -> Stopwatch:
    """Run two modules of one stage for a while."""
    host, core = cores()
    root = Path(tempfile.mkdtemp(prefix="polyrhythm-bench-"))
    compiled(source).rename(root / "stages.vmfb")
    text = MANIFEST.format(
        core=core, in_flight=in_flight, entry=entry, rate_hz=rate_hz, phase_ms=round(500 / rate_hz, 6)
    )
    (root / "manifest.yaml").write_text(text)
    lock_existing(root)
    checked = check(root)
    if checked.plan is None:
        raise SystemExit("\n".join(d.render() for d in checked.diagnostics))
    watch = Stopwatch()
    with pinned(host), Runtime(checked.plan) as runtime:
        runtime.run(seconds=seconds, listeners=[watch])
    return watch


def periods_ns(watch: Stopwatch) -> list[int]:
    """Time from each finished tick to the next, the first ones left out."""
    ends = watch.finished_ns[50:]
    return [after - before for before, after in pairwise(ends)]


def tick_overhead(source: str, bare_us: float, rounds: int) -> list[Figure]:
    """What a tick costs beside its stage."""
    paced = [play(source, "tiny", 100, 1, 1.0).ticks_ns[20:] for _ in range(rounds)]
    saturated = [periods_ns(play(source, "tiny", 100_000, 1, 0.5)) for _ in range(rounds)]
    return [
        Figure("paced tick, wake-up to publication, p50", over_rounds(paced, 0.5) / 1e3, "us"),
        Figure("tick through the scheduler, p99", over_rounds(saturated, 0.99) / 1e3 - bare_us, "us"),
        Figure("tick through the scheduler, p50", over_rounds(saturated, 0.5) / 1e3 - bare_us, "us", 60.0),
    ]


def scheduled_throughput(source: str, bare: Callable[[], list[int]], rounds: int) -> Figure:
    """Two modules that together ask for more than there is, two stages in flight, against the bare loop.

    `bare` gives the times of bare invocations; it is called before and after each run, since the speed of a
    shared machine moves.
    """
    shares = []
    for _ in range(rounds):
        before = bare()
        periods = periods_ns(play(source, "work", 10_000, 2, 1.5))
        loop = before + bare()
        shares.append([100 * (sum(loop) / len(loop)) / (sum(periods) / len(periods))])
    return Figure(
        "throughput through the scheduler, 2 in flight", over_rounds(shares, 0.5), "% of bare", 98.0, True
    )
