"""An hour of everything: two bundles that make chunks, swapped for each other, changes of the power profile.

The dual system and the flow policy play on one robot without physics, in real time, in this process: every
cycle the other one is swapped in (every second time verified by a loader process), the profile changes
three times, and an episode ends. Sampled over the whole run: resident memory, open files, threads; the 99
% quantile of each window of what lies between two control ticks, of responses, and of the ages that links
have when they are read. What came before each bundle had played twice, and the first tenth, is left out.

None may grow by a trend (`slopes`: batch medians, Student, Bonferroni) that adds up to more, over the run,
than 2 % of resident memory, half an open file, half a thread, or half of a quantile's median and 2 ms.
Only growth counts: a machine that becomes quieter meanwhile is no fault. The series ``machine``, how late
a thread of this process that only sleeps is woken, is not judged: what grows like it comes from outside.
``--quick`` judges memory, files and threads alone: half a minute says nothing about quantiles.

    python benchmarks/soak.py --minutes 60 --out out/soak
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic_ns, sleep

import numpy as np
import psutil
from dual_plus import Still
from measure import Figure, finish, parser, quantile
from slopes import BATCHES, Trend, trend

from polyrhythm.bundle import LOCK_FILE, open_bundle, read_lock, write_lock
from polyrhythm.bundle.files import locked_file
from polyrhythm.compile import prepare
from polyrhythm.robots import StepResult
from polyrhythm.runtime import Context, Plan, Runtime, check
from polyrhythm.schedule.events import Act, Command, Decelerate, Event, Finish, Hold, Launch

EXAMPLES = Path(__file__).parents[1] / "examples"
POWER = "\npower:\n  start: normal\n  profiles:\n    normal: {}\n    saver: { steps: fast%s }\n"
#: Bundle -> what else its saver does.
BUNDLES = {"dual_system": ", rate_scale: { vlm: 0.5 }", "flow_policy": ""}
#: Fewer samples than this in a window have no quantile.
FEWEST = 5
#: Fewer samples than this in a series, and fewer swaps, say nothing.
FEWEST_KEPT = 2 * BATCHES
FEWEST_SWAPS = 2 * len(BUNDLES)
#: How long memory may be held by what no longer plays.
FREED_S = 60
RESOURCES = {"resident memory": "MB", "open files": "", "threads": ""}


class Patient(Still):
    """The robot without physics, with episodes of so many ticks."""

    def __init__(self, ticks: int) -> None:
        super().__init__()
        self._length, self._ticks = ticks, 0

    def reset(self, *, task: str | None, seed: int) -> None:
        """Tick 0."""
        self._ticks = 0

    def act(self, action: np.ndarray) -> StepResult:
        """One tick more."""
        return self.hold()

    def hold(self) -> StepResult:
        """One tick more."""
        self._ticks += 1
        return StepResult(success=None, done=self._ticks >= self._length)


class Window:
    """A listener that keeps durations in ms by series until they are taken."""

    def __init__(self) -> None:
        self._found: defaultdict[str, list[float]] = defaultdict(list)
        self._answered_ns: int | None = None

    def step(self, event: Event, commands: list[Command]) -> None:
        """Intervals of control, responses, ages."""
        for command in commands:
            kind = type(command)
            if kind is Launch and command.stage == 0 and command.tick >= 0:
                for read in command.reads:
                    self._found[f"age of {command.module}.{read.input}"].append(read.age_ns / 1e6)
            elif kind is Finish:
                self._found[f"response of {command.module}"].append((event.now_ns - command.release_ns) / 1e6)
            elif kind in (Act, Hold, Decelerate):
                if self._answered_ns is not None and command.tick:
                    self._found["control interval"].append((event.now_ns - self._answered_ns) / 1e6)
                self._answered_ns = event.now_ns

    def note(self, note: object) -> None:
        """Nothing to do."""

    def take(self) -> dict[str, float]:
        """The 99 % quantile of each series since the last time."""
        found, self._found = self._found, defaultdict(list)
        return {name: quantile(ms, 0.99) for name, ms in found.items() if len(ms) >= FEWEST}


@dataclass
class Soak:
    """One soak: how long, and what was found; times in seconds. `loaders`: bundles are verified anew."""

    seconds: float
    period_s: float
    cycle_s: float
    loaders: bool
    samples: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    swaps: int = 0
    warm_s: float = 0.0  # when both bundles had played
    changes: int = 0
    problems: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Play."""
        with bundles() as roots:
            plans = {name: planned(root) for name, root in roots.items()}
            window, over = Window(), threading.Event()
            with (
                Runtime(plans["dual_system"]) as runtime,
                beside(over, self.problems, self._operate, runtime, plans, roots, over),
                beside(over, self.problems, self._sample, window, over),
            ):
                robot = Patient(round(Still.spec.control_hz * self.cycle_s))
                outcome = runtime.run(robot, seconds=self.seconds, listeners=[window])
        if outcome.reason != "complete":
            self.problems.append(f"the run ended: {outcome.reason}")
        self.problems += [f"{name} was isolated" for name, m in outcome.modules.items() if m.isolated]

    def _operate(
        self, runtime: Runtime, plans: dict[str, Plan], roots: dict[str, Path], over: threading.Event
    ) -> None:
        names, turn, began_ns = list(plans), 0, monotonic_ns()
        while not over.wait(self.cycle_s / 3):
            turn += 1
            runtime.set_profile(("saver", "normal")[turn % 2])
            self.changes += 1
            if turn % 3:
                continue
            name = names[(turn // 3) % len(names)]
            before = runtime.live
            context = runtime.swap(roots[name] if self.loaders and turn % 2 else plans[name])
            while context.wait("live", timeout_s=0.1) not in ("live", "failed") and not over.is_set():
                pass
            if context.state == "live":
                self.swaps += 1
                if self.swaps == FEWEST_SWAPS:
                    self.warm_s = (monotonic_ns() - began_ns) / 1e9
                self._await_freed(before, over)
            elif not over.is_set():
                self.problems.append(f"a swap to {name} failed: {context.reason}")

    def _await_freed(self, before: Context, over: threading.Event) -> None:
        for _ in range(FREED_S):
            if before.wait_freed(1) or over.is_set():
                return
        self.problems.append(f"what played before swap {self.swaps} was not freed within {FREED_S} s")

    def _sample(self, window: Window, over: threading.Event) -> None:
        process, began_ns = psutil.Process(), monotonic_ns()
        late_ms: list[float] = []
        due_ns = began_ns
        while not over.is_set():
            due_ns += round(self.period_s * 1e9)
            while (now_ns := monotonic_ns()) < due_ns and not over.is_set():
                sleep(min(0.02, (due_ns - now_ns) / 1e9))
                late_ms.append(max(0.0, (monotonic_ns() - now_ns) / 1e6 - min(20.0, (due_ns - now_ns) / 1e6)))
            at_s = (monotonic_ns() - began_ns) / 1e9
            found = {
                "resident memory": process.memory_info().rss / 1e6,
                "open files": float(process.num_fds()),
                "threads": float(process.num_threads()),
                **({"machine": quantile(late_ms, 0.99)} if late_ms else {}),
            } | window.take()
            late_ms.clear()
            for name, value in found.items():
                self.samples[name].append((at_s, value))

    def kept(self, name: str) -> np.ndarray:
        """The samples of a series after both bundles had played, and after the first tenth."""
        from_s = max(self.warm_s, self.seconds / 10)
        return np.array([value for at_s, value in self.samples.get(name, ()) if at_s > from_s])

    def trends(self) -> dict[str, Trend]:
        """Of every series that has samples enough."""
        kept = {name: values for name in self.samples if len(values := self.kept(name)) >= FEWEST_KEPT}
        return {name: trend(values, series=len(kept)) for name, values in kept.items()}


@contextmanager
def beside(
    over: threading.Event, problems: list[str], work: Callable[..., None], *given: object
) -> Iterator[None]:
    """Work in a thread of its own, which ends once `over` is set: at the latest when the block is left.

    What it raises is a problem.
    """

    def run() -> None:
        try:
            work(*given)
        except Exception as error:
            problems.append(f"{work.__name__} ended with {type(error).__name__}: {error}")

    thread = threading.Thread(target=run, name=work.__name__)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def limit_of(name: str, found: Trend) -> float:
    """What a trend may add up to over the run."""
    if name == "resident memory":
        return 0.02 * found.median
    return 0.5 if name in RESOURCES else max(2.0, 0.5 * found.median)


def figure_of(name: str, found: Trend, judged: bool) -> Figure:
    """How much a series has grown by its trend; 0 if that can't be told from 0."""
    unit = RESOURCES.get(name, "ms")
    growth = found.growth if found.distinguishable else 0.0
    title = f"growth of {name}" + ("" if name in RESOURCES or name == "machine" else ", p99")
    return Figure(title, growth, unit, limit_of(name, found) if judged else None)


def figures_of(soak: Soak, trends: dict[str, Trend], quick: bool) -> list[Figure]:
    """What is printed and judged; a soak in which nothing happened is none."""
    judged = min(len(soak.kept(name)) for name in RESOURCES)
    quantiles = {*soak.samples} - {*RESOURCES, "machine"}
    return [
        Figure("changes of the power profile", soak.changes, ""),
        *(Figure(f"median of {name}", t.median, RESOURCES.get(name, "ms")) for name, t in trends.items()),
        Figure("swaps", soak.swaps, "", FEWEST_SWAPS, at_least=True),
        Figure("samples judged", judged, "", FEWEST_KEPT, at_least=True),
        Figure(f"series with too few samples, below {FEWEST_KEPT}", len(quantiles - {*trends}), ""),
        Figure(
            "series of quantiles judged", len(quantiles & {*trends}), "", None if quick else 1, at_least=True
        ),
        *(
            figure_of(name, t, name in RESOURCES or not (quick or name == "machine"))
            for name, t in trends.items()
        ),
        Figure("problems: failed swaps, isolated modules, exceptions", len(soak.problems), "", 0),
    ]


@contextmanager
def bundles() -> Iterator[dict[str, Path]]:
    """The examples with power profiles, ready to run."""
    with tempfile.TemporaryDirectory(prefix="polyrhythm-soak-") as folder:
        roots = {}
        for name, saver in BUNDLES.items():
            root = roots[name] = Path(folder) / name
            shutil.copytree(EXAMPLES / name / "bundle", root)
            manifest = root / "manifest.yaml"
            text = manifest.read_text() + POWER % saver
            # One robot for both: a bundle that declares another one is refused.
            manifest.write_text(re.sub(r"tasks: \[.*\]", "tasks: [button-press]", text))
            lock = read_lock(root)
            (root / LOCK_FILE).unlink()
            files = {**lock.files, "manifest.yaml": locked_file(manifest)}
            write_lock(lock.model_copy(update={"files": files}), root)
            prepare(open_bundle(root))
        yield roots


def planned(root: Path) -> Plan:
    """A bundle's plan."""
    checked = check(root)
    if checked.plan is None:
        raise SystemExit("\n\n".join(diagnostic.render() for diagnostic in checked.diagnostics))
    return checked.plan


def write(folder: Path, soak: Soak, trends: dict[str, Trend], figures: list[Figure]) -> None:
    """The samples as JSON, and a page with plots."""
    from polyrhythm.observe.report import card, div, note, table, write_page

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "samples.json").write_text(json.dumps(soak.samples))
    drawn = {f"plot{index}": plot(soak, name) for index, name in enumerate(soak.samples)}
    rows = [
        [
            name, f"{t.median:.4g}", f"{t.growth:+.4g}", f"{t.half_width:.4g}", f"{limit_of(name, t):.4g}",
            "yes" if t.distinguishable else "no",
            "too much" if t.distinguishable and t.growth > limit_of(name, t) else "flat",
        ]
        for name, t in trends.items()
    ]  # fmt: skip
    head = ("series", "median", "growth over the run", "+-", "limit", "distinguishable from 0", "verdict")
    what = (
        f"{soak.swaps} swaps, {soak.changes} changes of the profile. Growth: slope of the batch medians "
        "times the run; +-: its interval, 5 % shared by all series. " + (__doc__ or "").partition("\n\n")[2]
    )
    body = [card("Trends", table(head, rows) + note(what))]
    body += [card("Problems", "".join(map(note, soak.problems)))] if soak.problems else []
    body += [card(name, div(f"plot{index}")) for index, name in enumerate(soak.samples)]
    well = all(figure.met for figure in figures)
    verdict = '<b class="good">flat</b>' if well else '<b class="bad">not flat</b>'
    write_page(
        folder / "soak.html", "soak", f"{verdict} &middot; {soak.seconds / 60:.1f} minutes", body, drawn
    )


def plot(soak: Soak, name: str) -> dict[str, object]:
    """One series over the run, in seconds."""
    at_s, values = zip(*soak.samples[name], strict=True)
    unit = RESOURCES.get(name, "ms")
    axis = {"title": {"text": unit or "number"}, "rangemode": "tozero"}
    return {
        "data": [{"type": "scattergl", "mode": "lines", "x": at_s, "y": values, "line": {"width": 1}}],
        "layout": {
            "height": 220, "margin": {"l": 60, "r": 10, "t": 5, "b": 40}, "yaxis": axis,
            "xaxis": {"title": {"text": "s"}},
        },
    }  # fmt: skip


def main() -> int:
    """Run it."""
    more = parser((__doc__ or "").partition("\n")[0])
    more.add_argument("--minutes", type=float, default=60.0, help="how long")
    more.add_argument("--out", type=Path, default=None, metavar="FOLDER", help="write page and samples there")
    options = more.parse_args()
    seconds = 24.0 if options.quick else 60 * options.minutes
    quick = options.quick
    soak = Soak(seconds, max(0.2, seconds / 120), cycle_s=0.9 if quick else 10.0, loaders=not quick)
    soak.run()
    trends = soak.trends()
    figures = figures_of(soak, trends, quick)
    print(*soak.problems, sep="\n", file=sys.stderr, end="\n" if soak.problems else "")
    if options.out is not None:
        write(options.out, soak, trends, figures)
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
