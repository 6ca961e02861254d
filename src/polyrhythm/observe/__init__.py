"""What a run did, from the stream of events and commands alone; works the same in real time and in lockstep.

`Stats` counts while the run goes on and `Live` shows it; `Recorder` keeps the raw stream, from which
`write_trace` (Perfetto) and `write_report` (HTML) are made; `summarise` draws up the account at the end and
`render` prints it. Nothing here reaches into the runtime.

    info = RunInfo.of(plan, lockstep=False, seed=0)
    stats, recorder = Stats(plan.schedule), Recorder()
    with Live(info.name, stats, console):
        outcome = play(plan, listeners=[stats, recorder], episodes=1)
    summary = summarise(info, outcome, stats)
    write_report("report.html", info, summary, stats, recorder)
"""

from polyrhythm.observe.files import MissingExtraError, need
from polyrhythm.observe.info import RunInfo
from polyrhythm.observe.live import Live
from polyrhythm.observe.perfetto import write_trace
from polyrhythm.observe.recorder import Recorder
from polyrhythm.observe.report import write_report
from polyrhythm.observe.stats import Stats
from polyrhythm.observe.summary import render, summarise, undriven
from polyrhythm.observe.views import Snapshot
from polyrhythm.observe.words import in_words

__all__ = [
    "Live",
    "MissingExtraError",
    "Recorder",
    "RunInfo",
    "Snapshot",
    "Stats",
    "in_words",
    "need",
    "render",
    "summarise",
    "undriven",
    "write_report",
    "write_trace",
]
