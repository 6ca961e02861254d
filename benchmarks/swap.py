"""What swapping a bundle costs the control that goes on meanwhile.

One run in real time, a robot that is asked 50 times a second, a head that makes 50 chunks a second, a brain
with 100 MB of weights. During every other second bundles of the same size are swapped in, one after the
other: loaded beside the first, warmed up, flipped, the old one freed. The bundles lie on disk and have been
checked; ``ready`` is from the call of `Runtime.swap` to the `Ready` of the scheduler. Control is judged by
how late answers leave after their instant: while swaps go on against the seconds in between. An instant that
passed without one waited for the next. ``flip`` is the handling of the control instant in which the new
bundle takes over.

Twice: with weights that are used where they are mapped, which the targets are for; and with weights that the
code wants in another layout, which are packed once, before, where machine code is made (decision 0026).

``--many N`` swaps two small bundles N times in one run: memory, threads, open files and the price of a step
of the scheduler must not grow (median of the slopes between any two samples, the first tenth left out).
"""

from __future__ import annotations

import argparse
import sys
import threading
from dataclasses import replace
from time import monotonic_ns, sleep

import numpy as np
import psutil
from measure import Figure, finish, quantile
from swap_bundles import Clockwork, bundle

from polyrhythm.runtime import Plan, Runtime
from polyrhythm.runtime.context import Context
from polyrhythm.schedule.events import Act, Command, Decelerate, Drop, Event, Hold, Ready, StageDone, Switched

HZ = 50
PERIOD_NS = 1_000_000_000 // HZ


class Watch:
    """How late every control instant was answered, flips, and what a step of the scheduler takes."""

    def __init__(self) -> None:
        self.swapping = False
        self.late_ns: dict[bool, list[int]] = {False: [], True: []}
        self.flip_ns: list[int] = []
        self.ready_ns: list[int] = []
        self.step_ns: list[int] = []
        self._due_ns: int | None = None  # the first instant that has not been answered
        self._passed = 0  # instants that passed without an answer since the last one

    def step(self, event: Event, commands: list[Command]) -> None:
        """Right after the scheduler has answered."""
        now_ns = monotonic_ns()
        if type(event) is StageDone:
            self.step_ns.append(now_ns - event.now_ns)
        for command in commands:
            kind = type(command)
            if kind is Drop and command.what == "control":
                self._passed += command.times
            elif kind in (Act, Hold, Decelerate):
                self._answered(event.now_ns if self._due_ns is None else self._due_ns, now_ns)
            elif kind is Switched:
                self.flip_ns.append(now_ns - event.now_ns)
            elif kind is Ready:
                self.ready_ns.append(now_ns)

    def note(self, note: object) -> None:
        """Nothing to do."""

    def _answered(self, due_ns: int, now_ns: int) -> None:
        for _ in range(1 + self._passed):
            self.late_ns[self.swapping].append(now_ns - due_ns)
            due_ns += PERIOD_NS
        self._due_ns, self._passed = due_ns, 0


def swap(runtime: Runtime, plan: Plan) -> Context:
    """Swap and wait until the old bundle is freed."""
    before = runtime.live
    context = runtime.swap(plan)
    if context.wait("live") != "live":
        raise SystemExit(f"the swap failed: {context.reason}")
    before.wait_freed()
    return context


def under_load(rounds: int, weights: str) -> list[Figure]:
    """Swaps of 100 MB, during every other second; targets only for weights that are mapped."""
    plans = [bundle(f"swap{name}", size=5000, seed=seed, weights=weights) for seed, name in enumerate("ab")]
    watch, ready_ms, whole_ms = Watch(), list[float](), list[float]()

    def swaps() -> None:
        sleep(1.5)
        for _ in range(rounds):
            watch.swapping, until_ns = True, monotonic_ns() + 1_000_000_000
            while (began_ns := monotonic_ns()) < until_ns:
                swap(runtime, plans[(len(whole_ms) + 1) % 2])
                whole_ms.append((monotonic_ns() - began_ns) / 1e6)
                ready_ms.append((watch.ready_ns[-1] - began_ns) / 1e6)
            watch.swapping = False
            sleep(1.0)
        runtime.stop("complete")

    with Runtime(plans[0]) as runtime:
        threading.Thread(target=swaps, daemon=True).start()
        outcome = runtime.run(Clockwork(HZ), listeners=[watch])
    late_ms = {kind: [ns / 1e6 for ns in values] for kind, values in watch.late_ns.items()}
    quiet, swapping = (quantile(late_ms[kind], 0.99) for kind in (False, True))
    flip_ms = [ns / 1e6 for ns in watch.flip_ns]
    missed = outcome.drops.get("control", {}).get("host_late", 0)
    period_ms, judged = PERIOD_NS / 1e6, weights == "mapped"
    figures = [
        Figure("swaps of 100 MB", len(flip_ms), ""),
        Figure("control instants while swapping", len(late_ms[True]), ""),
        Figure("control instants in between", len(late_ms[False]), ""),
        Figure("control instants missed (host_late)", missed, ""),
        Figure("lateness p50, in between", quantile(late_ms[False], 0.5), "ms"),
        Figure("lateness p50, while swapping", quantile(late_ms[True], 0.5), "ms"),
        Figure("lateness p99, in between", quiet, "ms"),
        Figure("lateness p99, while swapping", swapping, "ms"),
        Figure("swap to freed, median", quantile(whole_ms, 0.5), "ms"),
        Figure(
            "control period p99, swapping / in between",
            (period_ms + swapping) / (period_ms + quiet), "x", 1.1 if judged else None,
        ),
        Figure("ready, median", quantile(ready_ms, 0.5), "ms", 50.0 if judged else None),
        Figure("flip p99", quantile(flip_ms, 0.99), "ms", 1.0 if judged else None),
    ]  # fmt: skip
    return [replace(figure, name=f"{weights}: {figure.name}") for figure in figures]


def many(times: int) -> list[Figure]:
    """Two small bundles, to and fro."""
    plans = [bundle(f"small{name}", size=64, seed=seed) for seed, name in enumerate("ab")]
    watch, process = Watch(), psutil.Process()
    rows: list[tuple[float, float, float, float]] = []

    def swaps() -> None:
        sleep(0.5)
        every = max(1, times // 100)
        for turn in range(times):
            swap(runtime, plans[(turn + 1) % 2])
            if turn % every == 0:
                steps, watch.step_ns = watch.step_ns, []
                if steps:
                    memory = process.memory_info().rss / 1e6
                    row = memory, process.num_threads(), process.num_fds(), quantile(steps, 0.5) / 1e3
                    rows.append(row)
                for kept in (watch.ready_ns, watch.flip_ns, *watch.late_ns.values()):
                    kept.clear()
        runtime.stop("complete")

    with Runtime(plans[0]) as runtime:
        threading.Thread(target=swaps, daemon=True).start()
        runtime.run(Clockwork(HZ), listeners=[watch])
    table = np.array(rows[len(rows) // 10 :])
    grown = [slope(column) * len(table) for column in table.T]
    return [
        Figure("swaps", times, ""),
        Figure("step of the scheduler, median", float(np.median(table[:, 3])), "us"),
        Figure("resident memory", float(table[-1, 0]), "MB"),
        Figure("growth of resident memory over the run", grown[0], "MB", 0.02 * float(table[0, 0])),
        Figure("growth of threads", grown[1], "", 0.5),
        Figure("growth of open files", grown[2], "", 0.5),
        Figure(
            "growth of a step of the scheduler", 100 * grown[3] / float(np.median(table[:, 3])), "%", 20.0
        ),
    ]


def slope(values: np.ndarray) -> float:
    """The median of the slopes between any two of `values`: a burst beside us weighs little."""
    i, j = np.triu_indices(len(values), 1)
    return float(np.median((values[j] - values[i]) / (j - i)))


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds: under 45 s")
    parser.add_argument("--json", action="store_true", help="figures as JSON on standard output")
    parser.add_argument(
        "--many", type=int, metavar="N", help="N swaps between two small bundles, nothing else"
    )
    options = parser.parse_args()
    if options.many:
        return finish(many(options.many), options.json)
    rounds = 4 if options.quick else 60
    figures = [*under_load(rounds, "mapped"), *under_load(rounds, "packed")]
    return finish(figures + many(200 if options.quick else 1000), options.json)


if __name__ == "__main__":
    sys.exit(main())
