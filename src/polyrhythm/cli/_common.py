"""What several verbs share: consoles, JSON, a bundle ready to run, a run with all that observes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from polyrhythm.cli._errors import BAD_INPUT, FAILED, INTERRUPTED, RefusedError

if TYPE_CHECKING:
    from rich.console import Console

    from polyrhythm.compile.imports.report import Report
    from polyrhythm.observe.eventlog import LogWriter
    from polyrhythm.runtime import CostChoice, Listener, Plan
    from polyrhythm.runtime.costs import Statistic

#: As in `polyrhythm.manifest.values`, which is not loaded for ``--help``.
MAX_HZ = 1_000_000
BundleArgument = Annotated[
    Path, typer.Argument(metavar="BUNDLE", help="The bundle's directory.", exists=True, file_okay=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines instead of tables.")]


def filename(help_text: str, **other: Any) -> Any:
    """An option for a file to read or to write."""
    return typer.Option(metavar="FILE", dir_okay=False, help=help_text, **other)


CostsOption = Annotated[Path | None, filename("Costs that `polyrhythm profile` measured.")]


def number(help_text: str, *, least: float, most: float = 1e9, **other: Any) -> Any:
    """An option for a number between two limits; typer's own let "nan" through."""

    def within(value: float | None) -> float | None:
        if value is not None and not value <= most:
            raise typer.BadParameter(f"{value} is not a number up to {most:g}")
        return value

    return typer.Option(min=least, callback=within, help=help_text, **other)


def refuse_idle(why: str, given: Mapping[str, object]) -> None:
    """Refuse options that do nothing, which `why` explains (``without --costs``).

    Args:
        given: by option; None or False: it was left out.

    Raises:
        BadParameter: one was not.
    """
    for option, value in given.items():
        if value is not None and value is not False:
            raise typer.BadParameter(f"it does nothing {why}", param_hint=option)


def refuse_same(given: Mapping[str, Path | None]) -> None:
    """Refuse options that name one file, of which the last to be written would be left.

    Args:
        given: by option; None: it was left out.

    Raises:
        BadParameter: two of them do.
    """
    options: dict[Path, str] = {}
    for option, path in given.items():
        if path is None or (path.exists() and not path.is_file()):  # a device takes what it gets
            continue
        # A link that is the file's own name is replaced, so it is another file.
        first = options.setdefault(path.parent.resolve() / path.name, option)
        if first != option:
            raise typer.BadParameter(
                f"{path} is the file of {first} already: give each one of its own", param_hint=option
            )


MarginOption = Annotated[
    float | None, number("What measured maxima are multiplied by.", least=1, most=1e6, show_default="1.2")
]
AtOption = Annotated[
    Literal["max", "p999", "p99"] | None,
    typer.Option(
        "--costs-at",
        help="What of the measured times is a stage's cost; below `max`, stages may take longer than proven.",
        show_default="max",
    ),
]
ForeignOption = Annotated[
    bool, typer.Option("--foreign-costs", help="Take a cost file of another machine all the same.")
]

#: How wide tables are where no terminal says.
_WIDTH = 118


def console(*, err: bool = False) -> Console:
    """A console on stdout or stderr; `_WIDTH` wide where it isn't a terminal."""
    from rich.console import Console

    made = Console(stderr=err)
    return made if made.is_terminal else Console(stderr=err, width=_WIDTH)


def print_json(data: Any) -> None:
    """The only thing on stdout."""
    typer.echo(json.dumps(data, indent=2))


def cost_choice(
    costs: Path | None, margin: float | None, foreign: bool, at: Statistic | None = None
) -> CostChoice | None:
    """What the options about costs say; None: the manifest's numbers."""
    from polyrhythm.runtime import CostChoice
    from polyrhythm.runtime.costs import DEFAULT_MARGIN

    if costs is None:
        given = {"--margin": margin, "--foreign-costs": foreign, "--costs-at": at}
        refuse_idle("without --costs", given)
        return None
    factor = DEFAULT_MARGIN if margin is None else Fraction(str(margin))
    return CostChoice(costs, factor, foreign, at or "max")


def planned(bundle: Path, costs: CostChoice | None = None) -> Plan:
    """The checked plan of a bundle with machine code for this machine, made now if there is none yet.

    Raises:
        RefusedError: the bundle has errors.
    """
    plan = _check(bundle, costs)
    if plan.bundle.missing:
        from polyrhythm.compile import prepare, progress_bar

        with progress_bar(console(err=True)) as progress:
            prepare(plan.bundle, progress)
        plan = _check(bundle, costs)  # again: sizes of scratch memory belong to the machine code
    return plan


def _check(bundle: Path, costs: CostChoice | None) -> Plan:
    from polyrhythm.manifest import render_all
    from polyrhythm.runtime import check

    checked = check(bundle, costs)
    if checked.plan is None:
        raise RefusedError(checked.diagnostics)
    if checked.diagnostics:
        typer.echo(render_all(checked.diagnostics), err=True)
    return checked.plan


class Performance(NamedTuple):
    """A run that is over: its summary, and whether every file that was asked for could be written."""

    summary: dict[str, Any]
    written: bool


def perform(
    bundle: Path,
    *,
    lockstep: bool,
    seed: int,
    trace: Path | None,
    report: Path | None,
    quiet: bool,
    summary_to: Path | None = None,
    costs: CostChoice | None = None,
    record: Path | None = None,
    status: str | None = None,
    swap_to: Path | None = None,
    swap_at: float = 0.0,
    **options: Any,
) -> Performance:
    """Run a bundle with everything that observes it, and write what was asked for.

    A file that can't be written is told, and costs neither the others nor the summary.
    """
    from polyrhythm.bundle.atomic import write_atomically
    from polyrhythm.observe import Live, Recorder, RunInfo, Stats, need, summarise, write_report, write_trace
    from polyrhythm.observe.eventlog import record_to
    from polyrhythm.observe.status import StatusBoard
    from polyrhythm.runtime import SwapAt, play

    if trace is not None:
        need("perfetto.trace_builder", "observe", "a Perfetto trace")  # now, not after the run
    if report is not None:
        need("plotly", "observe", "an HTML report")
    plan = planned(bundle, costs)
    if plan.manifest.robot is None and options.get("seconds") is not None:  # without, it says what is missing
        given = {"--task": options.get("tasks") or None, "--episodes": options.get("episodes")}
        refuse_idle("in a bundle without a robot", given)
    info = RunInfo.of(plan, lockstep=lockstep, seed=seed)
    stats, recorder = Stats(plan.schedule), Recorder()
    listeners: list[Listener] = [stats] if trace is None and report is None else [stats, recorder]
    swap = None if swap_to is None else SwapAt(swap_at, swap_to)
    board = None
    with ExitStack() as stack:
        log = None if record is None else stack.enter_context(record_to(record, plan, patient=lockstep))
        if log is not None:
            listeners.append(log)
        if status is not None:
            board = stack.enter_context(StatusBoard(info.name, stats, status))
            typer.echo(f"status: {board.url}", err=True)
        if not quiet:
            stack.enter_context(Live(info.name, stats, console(err=True)))
        outcome = play(
            plan, lockstep=lockstep, seed=seed, listeners=listeners, swap=swap, reachable=True, **options
        )  # fmt: skip
    if board is not None and board.problem is not None:
        typer.echo(f"warning: the status was not served to the end: {board.problem}", err=True)
    summary = summarise(info, outcome, stats) | {"log": _ended(record, log)}
    text = json.dumps(summary, indent=2).encode() + b"\n"
    files = [
        log is None or log.problem is None,
        written(summary_to, lambda path: write_atomically(path, text)),
        written(trace, lambda path: write_trace(path, info, recorder)),
        written(report, lambda path: write_report(path, info, summary, stats, recorder)),
    ]
    return Performance(summary, all(files))


def _ended(path: Path | None, log: LogWriter | None) -> dict[str, Any] | None:
    """How a log ended, for the summary; told if that was early."""
    if log is None:
        return None
    if log.problem is not None:
        typer.echo(f"warning: {path} ends early, after {log.records} records: {log.problem}", err=True)
    return {"records": log.records, "problem": log.problem}


def written(path: Path | None, write: Callable[[Path], object]) -> bool:
    """Write a file if there is a place for it; False, and a message, if it can't be."""
    try:
        if path is not None:
            write(path)
    except OSError as error:
        typer.echo(f"error: {path}: {error.strerror or error}", err=True)
        return False
    return True


def exit_for(performance: Performance) -> None:
    """End with the exit code that a run deserves."""
    from polyrhythm.observe import undriven

    run = performance.summary["run"]
    if run["reason"] == "interrupted":
        raise typer.Exit(INTERRUPTED)
    if (why := undriven(performance.summary)) is not None:
        typer.echo(f"error: {why}", err=True)
        raise typer.Exit(FAILED)
    swap = performance.summary["swap"]
    if not run["complete"] or (swap is not None and not swap["played"]):
        raise typer.Exit(FAILED)
    if not performance.written:
        raise typer.Exit(BAD_INPUT)


def bundle_place(out: Path) -> Path:
    """Where a bundle goes, from wherever one stands: that place itself may be exchanged for the bundle."""
    return out.absolute()


def tell_import(report: Report, out: Path, as_json: bool) -> None:
    """What came of an import, as JSON or in words."""
    if as_json:
        print_json(report.to_dict())
        return
    for line in report.lines():
        typer.echo(line)
    typer.echo(f"wrote {out}; `polyrhythm check {out}` shows its plan")
