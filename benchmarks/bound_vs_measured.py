"""Does the run ever contradict the proof?

The dual system with a perception module and a hog of lowest priority (`dual_plus`) is profiled on this
machine, proven with what was measured times a margin, and played in real time with the same costs. The
response of every job is held against its bound. A job above its bound needs assumptions that did not hold
since its device last had nothing to do: stages that took longer than their cost, releases that the host
heard of later than measured. By as much as these can have lifted it, with all that goes first and came in
that time, it may be above: such jobs are listed. Any other contradicts the proof.

The same bundle without the hog is played in turns with it, in one process: what does the hog cost the action
head? At most one of its stages.

The robot stands still, unless ``--robot`` puts the example's simulated arm there, whose physics then takes
its share of the same two cores. On a machine that others keep busy the measured maxima are theirs: in a
minute every stage meets a host that takes its core away for 20 ms. So the costs are what 99 of 100 stages
took at most (`--at max` for the maxima; a profile of 15 s has a few hundred of each stage, so `p999` is the
same), and every job above its bound is listed with what was above.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from pathlib import Path

from dual_plus import HOG_STAGES, Still, bundle, parts
from measure import Figure, cores, finish, largest, parser, pinned, quantile, temporary

from polyrhythm.analysis import tasks_of
from polyrhythm.analysis.tasks import Time
from polyrhythm.bundle import open_bundle
from polyrhythm.robots import Robot, load_robot
from polyrhythm.runtime import CostChoice, Runtime, TimeProof, check, write_costs
from polyrhythm.runtime.costs import STATISTICS
from polyrhythm.runtime.profiling import Lateness, profile
from polyrhythm.schedule import Mode
from polyrhythm.schedule.events import Drop, Finish, Launch, StageDone

#: The measured run is cut into so many turns with the hog, and as many without.
TURNS = 10
WARM_S = 1.0
#: Of the causes of one late job, at most so many are printed.
SHOWN = 4


@dataclass
class Device:
    """What happens on one device, and what was not as planned since it last had nothing to do."""

    flying: int = 0
    broken: list[str] = field(default_factory=list)  #: assumptions
    over_ns: int = 0  #: by so much stages took longer than their costs, all together
    late_ns: int = 0  #: by so much the latest release was heard of later than planned


def lifted_ns(proof: TimeProof, name: str, device: Device) -> int:
    """By how much a response can be above its bound for what was not as planned: by that itself, and by every
    job that goes first and came in the time which that took."""
    plan = proof.schedule
    held = proof.modules[name].plan.device
    shares = [m for m in plan.modules if plan.mode is Mode.SEQUENTIAL or m.device == held]
    own = next(i for i, m in enumerate(shares) if m.id == name)
    tasks = tasks_of(plan, shares, own)
    first = [t for i, t in enumerate(tasks) if i != own and t.priority <= tasks[own].priority]
    found_ns: Time = 0
    while True:
        jobs = ((ceil((found_ns + device.late_ns) / t.period_ns), t.cost_ns) for t in first)
        more_ns = device.over_ns + device.late_ns + sum(count * cost_ns for count, cost_ns in jobs)
        if more_ns == found_ns:
            return ceil(found_ns)
        found_ns = more_ns


class Compare:
    """A listener that holds every job against its bound."""

    def __init__(self, proof: TimeProof) -> None:
        self.proof = proof
        self.responses_ns: dict[str, list[int]] = defaultdict(list)
        self.stages_ns: dict[str, list[int]] = defaultdict(list)
        self.slow: Counter[str] = Counter()
        self.overruns = self.late = 0
        self.excuses: list[str] = []
        self.contradictions: list[str] = []
        self.forget()

    def forget(self) -> None:
        """A new run begins."""
        self._lateness = Lateness()
        self._launched: dict[tuple[int, int], tuple[str, int]] = {}
        self._devices: dict[str, Device] = defaultdict(Device)

    def step(self, event, commands) -> None:
        """Follow stages and jobs."""
        if isinstance(event, StageDone) and (begun := self._launched.pop((event.job, event.stage), None)):
            self._ended(*begun, event)
        self._lateness.step(event, ())
        for command in commands:
            if isinstance(command, Finish):
                self._judge(command, event.now_ns)
            elif isinstance(command, Launch):
                self._launched[command.job, command.stage] = command.module, event.now_ns
                self._devices[command.device].flying += 1
            elif isinstance(command, Drop) and command.reason == "overrun":
                self.overruns += command.times
        for name, device in self._devices.items():
            if not device.flying:
                self._devices[name] = Device()

    def note(self, note) -> None:
        """Episodes do not matter here."""

    def _device(self, module: str) -> Device:
        return self._devices[self.proof.modules[module].plan.device]

    def _ended(self, module: str, launched_ns: int, event: StageDone) -> None:
        device, plan = self._device(module), self.proof.modules[module].plan
        took_ns, planned_ns = event.now_ns - launched_ns, plan.costs_ns[event.stage]
        device.flying -= 1
        self.stages_ns[module].append(took_ns)
        if took_ns > planned_ns:
            self.slow[module] += 1
            device.over_ns += took_ns - planned_ns
            name = f"{module} {plan.stages[event.stage]}"
            device.broken.append(f"{name} took {took_ns / 1e6:.2f} ms of {planned_ns / 1e6:.2f}")

    def _judge(self, done: Finish, now_ns: int) -> None:
        response_ns, device = now_ns - done.release_ns, self._device(done.module)
        late_ns, jitter_ns = self._lateness.of(done.release_ns), self.proof.schedule.release_jitter_ns
        if late_ns > jitter_ns:
            self.late += 1
            device.late_ns = max(device.late_ns, late_ns - jitter_ns)
            text = f"the host heard {late_ns / 1e6:.2f} ms late of a release of {done.module}"
            device.broken.append(f"{text}, planned {jitter_ns / 1e6:.2f}")
        self.responses_ns[done.module].append(response_ns)
        bound_ns = self.proof.modules[done.module].worst.bound_ns
        assert bound_ns is not None
        if response_ns > bound_ns:
            text = f"{done.module} {done.tick}: {response_ns / 1e6:.2f} ms, bound {bound_ns / 1e6:.2f} ms"
            causes = "; ".join(device.broken[-SHOWN:])
            if (more := len(device.broken) - SHOWN) > 0:
                causes += f"; and {more} such before"
            lifted = lifted_ns(self.proof, done.module, device)
            if response_ns <= bound_ns + lifted:
                self.excuses.append(f"{text}: {causes}")
            else:
                told = f"{causes}: {lifted / 1e6:.2f} ms at most" if causes else "no cause"
                self.contradictions.append(f"{text}: {told}")


def proven(root: Path, costs: CostChoice) -> tuple[Runtime, Compare]:
    """The bundle opened, and its bounds."""
    checked = check(root, costs)
    if checked.plan is None or checked.proof is None or not checked.proof.complete:
        reasons = "\n".join(d.render() for d in checked.diagnostics)
        raise SystemExit(f"{reasons}\nIt is not proven with these costs: is the machine busy otherwise?")
    return Runtime(checked.plan), Compare(checked.proof)


def figures_of(with_hog: Compare, alone: Compare) -> list[Figure]:
    """What came of it."""
    figures = []
    for name, module in with_hog.proof.modules.items():
        responses = with_hog.responses_ns[name]
        worst_ms, bound_ms = largest(responses) / 1e6, (module.worst.bound_ns or 0) / 1e6
        figures += [
            Figure(f"{name}, median response of {len(responses)}", quantile(responses, 0.5) / 1e6, "ms"),
            Figure(f"{name}, worst response", worst_ms, "ms"),
            Figure(f"{name}, bound", bound_ms, "ms"),
            Figure(f"{name}, bound over worst", bound_ms / worst_ms, "x", 2.0),
        ]
    both = (with_hog, alone)
    jitter_ms = with_hog.proof.schedule.release_jitter_ns / 1e6
    figures += [
        Figure("jobs held against a bound", sum(len(v) for c in both for v in c.responses_ns.values()), ""),
        Figure("stages above their cost", sum(c.slow.total() for c in both), ""),
        Figure(f"releases heard of later than {jitter_ms:.2f} ms", sum(c.late for c in both), ""),
        Figure("ticks dropped because the last was not done", sum(c.overruns for c in both), ""),
        Figure("above the bound for what was not as planned", sum(len(c.excuses) for c in both), ""),
        Figure("above the bound by more than that", sum(len(c.contradictions) for c in both), "", 0.0),
    ]
    p99_ns = {name: quantile(c.responses_ns["dit"], 0.99) for name, c in (("hog", with_hog), ("", alone))}
    stage_ns = quantile(with_hog.stages_ns["hog"], 0.99)
    allowed_ms = (1.1 * p99_ns[""] + stage_ns) / 1e6
    figures += [
        Figure("action head alone, p99", p99_ns[""] / 1e6, "ms"),
        Figure(f"one of {HOG_STAGES} stages of the hog, p99", stage_ns / 1e6, "ms"),
        Figure("action head with the hog, p99", p99_ns["hog"] / 1e6, "ms", round(allowed_ms, 3)),
    ]
    return figures


def main() -> int:
    """Profile, prove, play, compare."""
    made = parser("Measured responses against proven bounds.")
    made.add_argument("--minutes", type=float, default=5.0, help="how long to play; with --quick 16 s")
    made.add_argument("--margin", type=Fraction, default=Fraction(6, 5), help="on measured times")
    made.add_argument("--at", choices=STATISTICS, default="p99", help="what of measured times is a cost")
    made.add_argument("--robot", action="store_true", help="the simulated arm, not one that stands still")
    made.add_argument("--costs", type=Path, help="a cost file: read if it is there, written if not")
    options = made.parse_args()
    compiled = parts()
    roots = [bundle(compiled, hog=hog) for hog in (True, False)]
    costs = options.costs or temporary() / "costs.json"
    choice = CostChoice(costs, options.margin, at=options.at)
    with pinned(cores()[1]):
        if not costs.exists():
            write_costs(profile(open_bundle(roots[0]), 1.5 if options.quick else 15), costs)
        turns, seconds = (2, 16.0) if options.quick else (TURNS, 60 * options.minutes)
        robot: Robot = Still()
        if options.robot:
            robot = load_robot("metaworld", {"tasks": ["button-press"]}, control_hz=80.0)
        pairs = [proven(root, choice) for root in roots]
        for _ in range(turns):
            for runtime, compare in pairs:
                runtime.run(robot, seconds=WARM_S)
                compare.forget()
                outcome = runtime.run(robot, seconds=seconds / turns / 2, listeners=[compare])
                if outcome.reason != "complete":
                    raise SystemExit(outcome.reason)
        for runtime, _ in pairs:
            runtime.close()
        robot.close()
    for _, compare in pairs:
        lines = (*compare.excuses, *(f"CONTRADICTION {line}" for line in compare.contradictions))
        print(*lines, sep="\n", end="\n" if lines else "", file=sys.stderr)
    return finish(figures_of(pairs[0][1], pairs[1][1]), options.json)


if __name__ == "__main__":
    sys.exit(main())
