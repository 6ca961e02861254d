"""What happens now, four times a second, from a thread of its own.

On a terminal: tables that stay in place. Otherwise: one line for each episode that ended.
"""

from __future__ import annotations

import threading
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live as RichLive
from rich.text import Text

from polyrhythm.observe import tables
from polyrhythm.observe.stats import Stats
from polyrhythm.observe.summary import counts_of, times_of
from polyrhythm.observe.views import Snapshot
from polyrhythm.runtime.listener import EpisodeOver

PERIOD_S = 0.25


class Live:
    """A context manager around a run that feeds `stats`; writes to `console` and touches nothing else."""

    def __init__(self, name: str, stats: Stats, console: Console) -> None:
        self._name = name
        self._stats = stats
        self._console = console
        self._told = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="live", daemon=True)

    def __enter__(self) -> Live:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _serve(self) -> None:
        if self._console.is_terminal:
            with RichLive(console=self._console, auto_refresh=False, transient=True) as live:
                while not self._over.wait(PERIOD_S):
                    live.update(picture(self._name, self._stats.snapshot()), refresh=True)
        while not self._console.is_terminal:
            done = self._over.wait(PERIOD_S)
            self._tell()
            if done:
                break

    def _tell(self) -> None:
        episodes = self._stats.episodes[:]
        for episode in episodes[self._told :]:
            self._console.out(line(episode), highlight=False)
        self._told = len(episodes)


def line(episode: EpisodeOver) -> str:
    """One line about an episode that ended."""
    held = f", {episode.held} held" if episode.held else ""
    what = f"episode {episode.number} {episode.task} (seed {episode.seed})"
    return f"{what}: {tables.verdict(episode.success)} after {episode.ticks} ticks{held}"


def picture(name: str, view: Snapshot) -> RenderableType:
    """One frame."""
    times = times_of(view)
    ports = {port: {"published": count} for port, count in view.published.items()}
    parts: list[RenderableType] = [_headline(name, view), tables.modules(counts_of(view), times["modules"])]
    if view.ages:
        parts.append(tables.links(ports, times["links"]))
    if view.control is not None:
        control = view.control
        counts = {
            "asked_hz": control.asked_hz,
            "ticks": control.acts + sum(control.holds.values()),
            "acts": control.acts,
            "holds": control.holds,
            "drops": control.drops,
        }
        parts.append(tables.control(counts, times["control"]))
    return Group(*parts)


def _headline(name: str, view: Snapshot) -> Text:
    text = Text(f"{name}  ", style="bold")
    text.append(f"{view.running_ns / 1e9:.1f} s", style="not bold")
    if view.profile:
        text.append(f"  power profile {view.profile}", style="magenta")
    if view.episode is not None:
        text.append(f"  episode {view.episode.number}: {view.episode.task}, tick {view.tick}", style="cyan")
    if view.finished_episodes:
        played = len(view.finished_episodes)
        if all(e.success is None for e in view.finished_episodes):
            text.append(f"  {played} ended")
        else:
            well = sum(bool(e.success) for e in view.finished_episodes)
            text.append(f"  {well} of {played} succeeded", style="green")
    return text
