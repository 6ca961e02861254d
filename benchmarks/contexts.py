"""What a switch between contexts of one bundle costs.

The robot is asked 500 times a second, and a thread asks for another of three contexts 1,000 times, 10 to
25 ms apart, in one run in real time. A switch is measured from the request, in the thread that makes it, to
the first command of the new context: its first observation is asked for. It waits for a control instant, 2 ms
at most; ``flip`` is the handling of that instant alone. Its first stage comes once it has seen everything and
no device holds a stage of the last context.
"""

from __future__ import annotations

import random
import sys
import threading
from time import monotonic_ns, sleep

from measure import Figure, arguments, finish, quantile
from swap_bundles import Clockwork, bundle

from polyrhythm.runtime import Runtime
from polyrhythm.schedule.events import Act, Command, Decelerate, Event, Hold, Launch, Observe, Switched

HZ = 500


class Watch:
    """When each switch was asked for, and when its first command left."""

    def __init__(self) -> None:
        self.asked = -1
        self.asked_ns = 0
        self.took_ns: list[int] = []
        self.flip_ns: list[int] = []
        self.stage_ns: list[int] = []
        self._since_ns = 0
        self._new = -1
        self.answered = 0
        self.flipped = threading.Event()

    def ask(self, context: int) -> None:
        """It is asked for now."""
        self.flipped.clear()
        self.asked, self.asked_ns = context, monotonic_ns()

    def step(self, event: Event, commands: list[Command]) -> None:
        """Look for a flip with its first observation."""
        kinds = {type(command) for command in commands}
        self.answered += len(kinds & {Act, Hold, Decelerate})
        if self._since_ns and any(type(c) is Launch and c.context == self._new for c in commands):
            self.stage_ns.append(monotonic_ns() - self._since_ns)
            self._since_ns = 0
        if Switched in kinds:
            self.flip_ns.append(monotonic_ns() - event.now_ns)
        # Until then the last context goes on to look.
        if self.asked_ns and any(type(c) is Observe and c.context == self.asked for c in commands):
            self.took_ns.append(monotonic_ns() - self.asked_ns)
            self._new, self._since_ns, self.asked_ns = self.asked, self.asked_ns, 0
            self.flipped.set()

    def note(self, note: object) -> None:
        """Nothing to do."""


def main() -> int:
    """Run it."""
    options = arguments("Cost of a context switch.")
    times = 200 if options.quick else 1000
    plan = bundle("contexts", size=64, seed=1, contexts=3, control_hz=HZ)
    watch, rng = Watch(), random.Random(4)

    def ask() -> None:
        for context in runtime.contexts.values():
            context.wait("ready", "live")
        for turn in range(times):
            sleep(0.01 + 0.015 * rng.random())
            watch.ask((turn + 1) % 3)
            runtime.switch(watch.asked)
            watch.flipped.wait()
        runtime.stop("complete")

    with Runtime(plan) as runtime:
        thread = threading.Thread(target=ask)
        threading.Timer(0.5, thread.start).start()
        outcome = runtime.run(Clockwork(HZ), listeners=[watch])
        thread.join()
    took_ms = [ns / 1e6 for ns in watch.took_ns]
    flip_us = [ns / 1e3 for ns in watch.flip_ns]
    stage_ms = [ns / 1e6 for ns in watch.stage_ns]
    first = f"first stage of the new one ({len(stage_ms)} had one)"
    drops = outcome.drops.get("control", {})
    return finish(
        [
            Figure("switches", len(took_ms), ""),
            Figure("control ticks answered", watch.answered, ""),
            Figure("control instants missed (host_late)", drops.get("host_late", 0), ""),
            Figure("flip p50", quantile(flip_us, 0.5), "us"),
            Figure("flip p99", quantile(flip_us, 0.99), "us"),
            Figure(f"{first} p50, from the request", quantile(stage_ms, 0.5), "ms"),
            Figure(f"{first} p99, from the request", quantile(stage_ms, 0.99), "ms"),
            Figure("context switch p50, from the request", quantile(took_ms, 0.5), "ms"),
            Figure("context switch p99, from the request", quantile(took_ms, 0.99), "ms", 5.0),
        ],
        options.json,
    )


if __name__ == "__main__":
    sys.exit(main())
