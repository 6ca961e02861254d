"""Does the run ever contradict the proof?

Profiles `examples/dual_system` on this machine, proves it with the measured maxima times a margin, plays it
in real time, and compares the response of every job with its bound. A job above its bound needs an assumption
that did not hold: a stage that took longer than its profile times the margin, or a host that came late with a
release. Those are listed; any other contradicts the proof. Bounds are those with all steps.

On a machine that others keep busy the measured maxima are theirs, and there may be no bound at all: then
nothing is compared, and the first figure is missed.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from measure import Figure, arguments, finish

from polyrhythm.bundle import open_bundle
from polyrhythm.compile import prepare
from polyrhythm.runtime import CostChoice, TimeProof, check, play, write_costs
from polyrhythm.runtime.profiling import profile
from polyrhythm.schedule.events import Finish, Launch, StageDone

BUNDLE = Path(__file__).parent.parent / "examples" / "dual_system" / "bundle"
MARGIN = Fraction(6, 5)
#: A release that is handled this late is the host's doing, not the plan's.
LATE_NS = 100_000


@dataclass
class Job:
    """What happened to one job."""

    launched_ns: int
    slow: list[str] = field(default_factory=list)
    stages_ns: int = 0


class Compare:
    """A listener that holds every job against its bound. One module a device: nobody else is waited for."""

    def __init__(self, proof: TimeProof) -> None:
        self.proof = proof
        self.jobs: dict[int, Job] = {}
        self.begun: dict[tuple[int, int], tuple[str, int]] = {}
        self.finished: Counter[str] = Counter()
        self.worst_ns: Counter[str] = Counter()
        self.excuses: list[str] = []
        self.contradictions: list[str] = []

    def step(self, event, commands) -> None:
        """Follow the jobs."""
        if isinstance(event, StageDone) and (found := self.begun.pop((event.job, event.stage), None)):
            self._ended(*found, event)
        for command in commands:
            if isinstance(command, Launch):
                self.jobs.setdefault(command.job, Job(event.now_ns))
                self.begun[command.job, command.stage] = command.module, event.now_ns
            elif isinstance(command, Finish):
                self._judge(command, event.now_ns)

    def note(self, note) -> None:
        """Episodes do not matter here."""

    def _ended(self, module: str, launched_ns: int, event: StageDone) -> None:
        job, planned_ns = self.jobs[event.job], self.proof.modules[module].plan.costs_ns[event.stage]
        took_ns = event.now_ns - launched_ns
        job.stages_ns += took_ns
        if took_ns > planned_ns:
            job.slow.append(f"stage {event.stage} took {took_ns / 1e6:.2f} ms of {planned_ns / 1e6:.2f}")

    def _judge(self, done: Finish, now_ns: int) -> None:
        job, response_ns = self.jobs.pop(done.job), now_ns - done.release_ns
        self.finished[done.module] += 1
        self.worst_ns[done.module] = max(self.worst_ns[done.module], response_ns)
        bound_ns = self.proof.modules[done.module].worst.bound_ns
        if bound_ns is None or response_ns <= bound_ns:
            return
        late_ns = job.launched_ns - done.release_ns
        causes = [*job.slow, *([f"launched {late_ns / 1e6:.2f} ms late"] if late_ns > LATE_NS else [])]
        text = f"{done.module} {done.tick}: {response_ns / 1e6:.2f} ms, bound {bound_ns / 1e6:.2f} ms"
        if causes:
            self.excuses.append(f"{text}: {'; '.join(causes)}")
        else:
            self.contradictions.append(text)


def main() -> int:
    """Profile, prove, play, compare."""
    options = arguments("Measured responses against proven bounds.")
    prepare(open_bundle(BUNDLE))
    costs = Path(tempfile.mkdtemp(prefix="polyrhythm-bench-")) / "costs.json"
    write_costs(profile(open_bundle(BUNDLE), 3 if options.quick else 20), costs)
    proof = check(BUNDLE, CostChoice(costs, MARGIN)).proof
    plan = check(BUNDLE).plan
    if proof is None or plan is None:
        raise SystemExit(f"{BUNDLE} does not pass `polyrhythm check`")
    compare = Compare(proof)
    outcome = play(plan, seconds=15 if options.quick else 300, listeners=[compare])
    if outcome.reason != "complete":
        raise SystemExit(outcome.reason)
    for line in (*compare.excuses, *(f"CONTRADICTION {line}" for line in compare.contradictions)):
        print(line, file=sys.stderr)
    figures = []
    for name, module in proof.modules.items():
        if module.worst.bound_ns is None:
            print(f"{name} has no bound with these costs: {module.worst.refusal}", file=sys.stderr)
            continue
        worst_ms, bound_ms = compare.worst_ns[name] / 1e6, module.worst.bound_ns / 1e6
        figures.append(Figure(f"{name}, worst response of {compare.finished[name]}", worst_ms, "ms"))
        figures.append(Figure(f"{name}, bound", bound_ms, "ms"))
        figures.append(Figure(f"{name}, bound over worst", bound_ms / worst_ms if worst_ms else 0.0, "x"))
    bounded = sum(compare.finished[n] for n, m in proof.modules.items() if m.worst.bound_ns is not None)
    figures.append(Figure("jobs held against a bound", bounded, "", 1.0, at_least=True))
    figures.append(Figure("above it, an assumption was broken", len(compare.excuses), ""))
    figures.append(Figure("above it, no assumption was broken", len(compare.contradictions), "", 0.0))
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
