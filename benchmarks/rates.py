"""The dual system in real time: does every module get the rate it asked for, and is every drop explained?

Runs `examples/dual_system` for a minute (`--quick`: 20 s) and compares rates asked and got. With `--rates` it
runs at other ones, and no job may miss its deadline; ``--minutes 10 --rates 30,3`` is the long run on two
cores: System 1 at 30 Hz, System 2 at 3 Hz. Every miss is printed with where its time went; on a virtual
machine, how much of it the host took stands beside.
"""

from __future__ import annotations

import re
import shutil
import sys
from itertools import pairwise
from pathlib import Path

from measure import Figure, HostTime, finish, parser, temporary

from polyrhythm.bundle import open_bundle, relock
from polyrhythm.compile import prepare
from polyrhythm.observe import Stats
from polyrhythm.runtime import ModuleOutcome, Note, check, play
from polyrhythm.schedule.events import Command, Drop, Event, Finish, Launch, StageDone

BUNDLE = Path(__file__).parent.parent / "examples" / "dual_system" / "bundle"
#: What `--rates` gives rates to, in this order.
MODULES = ("dit", "vlm")
#: Why a tick is lost; other drops (a link that has nothing yet, the end of an episode) are no misses.
LOST = ("overrun", "failed", "hung", "device_renewed")


class Misses:
    """A listener that tells where the time of a late job went."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._launched_ns: dict[tuple[int, int], int] = {}
        self._spans: dict[int, list[str]] = {}

    def step(self, event: Event, commands: list[Command]) -> None:
        """Follow the stages of every job."""
        if isinstance(event, StageDone):
            launched_ns = self._launched_ns.pop((event.job, event.stage), event.started_ns)
            instants = (launched_ns, event.started_ns, event.ended_ns, event.now_ns)
            wait, run, tell = ((b - a) / 1e6 for a, b in pairwise(instants))
            text = f"stage {event.stage} waited {wait:.1f}, ran {run:.1f}, was heard of after {tell:.1f}"
            self._spans.setdefault(event.job, []).append(text)
        for command in commands:
            if isinstance(command, Launch):
                self._launched_ns[command.job, command.stage] = event.now_ns
            elif isinstance(command, Drop) and command.reason in LOST:
                self.lines.append(f"{command.what}: {command.times} lost ({command.reason})")
            elif isinstance(command, Finish):
                spans = self._spans.pop(command.job, [])
                if (late_ns := event.now_ns - command.deadline_ns) > 0:
                    late = f"{command.module} {command.tick}: {late_ns / 1e6:.1f} ms late; in ms: "
                    self.lines.append(late + "; ".join(spans))

    def note(self, note: Note) -> None:
        """Episodes do not matter here."""


def missed(module: ModuleOutcome) -> int:
    """The ticks that were not done in time, for whatever reason of the module's own."""
    return module.late + sum(module.drops.get(reason, 0) for reason in LOST)


def at_rates(rates: str) -> Path:
    """A copy of the example whose modules have these rates (Hz, with commas between)."""
    given = rates.split(",")
    if len(given) != len(MODULES):
        raise SystemExit(f"--rates {rates}: give {len(MODULES)} numbers, for {', '.join(MODULES)}")
    root = temporary() / "dual_system"
    shutil.copytree(BUNDLE, root)
    text = (root / "manifest.yaml").read_text()
    for module, rate_hz in zip(MODULES, given, strict=True):
        pattern = rf"(- id: {module}\n(?:    .*\n)*?    rate_hz: )\S+"
        text, found = re.subn(pattern, rf"\g<1>{rate_hz}", text)
        if not found:
            raise SystemExit(f"{BUNDLE}: no rate of {module}")
    (root / "manifest.yaml").write_text(text)
    relock(root)
    return root


def main() -> int:
    """Run and compare."""
    options = parser("Rates of the dual system in real time.")
    options.add_argument("--minutes", type=float, default=1.0, help="how long to run; with --quick 20 s")
    options.add_argument("--rates", metavar="HZ,HZ", help="other rates, of System 1 and System 2")
    chosen = options.parse_args()
    root = BUNDLE if chosen.rates is None else at_rates(chosen.rates)
    prepare(open_bundle(root))
    checked = check(root)
    if checked.plan is None:
        raise SystemExit("\n".join(d.render() for d in checked.diagnostics))
    stats, late, host = Stats(checked.plan.schedule), Misses(), HostTime()
    seconds = 20 if chosen.quick else 60 * chosen.minutes
    outcome = play(checked.plan, seconds=seconds, listeners=[stats, late])
    if outcome.reason != "complete":
        raise SystemExit(outcome.reason)
    print(*late.lines, sep="\n", end="\n" if late.lines else "", file=sys.stderr)
    seen = stats.snapshot()
    rates = {"control": (seen.control.asked_hz, seen.control.got_hz)}
    rates |= {name: (module.asked_hz, module.got_hz) for name, module in seen.modules.items()}
    figures = [host.figure()]
    for name, (asked_hz, got) in rates.items():
        got_hz = got or 0.0
        figures.append(Figure(f"{name}, rate got", got_hz, f"Hz of {asked_hz:g} asked"))
        figures.append(Figure(f"{name}, off by", 100 * abs(got_hz / asked_hz - 1), "%", 1.0))
    for name, module in outcome.modules.items():
        drops = ", ".join(f"{times} {reason}" for reason, times in module.drops.items()) or "none"
        figures.append(Figure(f"{name}, jobs done (dropped: {drops})", module.finished, ""))
        figures.append(Figure(f"{name}, misses", missed(module), "", 0.0 if chosen.rates else None))
    unexplained = sum(
        abs(m.released - m.finished - sum(m.drops.values()) - m.under_way) for m in outcome.modules.values()
    )
    figures.append(Figure("drops without a reason", unexplained, "", 0.0))
    return finish(figures, chosen.json)


if __name__ == "__main__":
    sys.exit(main())
