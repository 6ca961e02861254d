"""A recorded stream as columns ready to be drawn, bounded: what a report shows and what it leaves out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from polyrhythm.observe.recorder import Record
from polyrhythm.observe.stages import stage_labels
from polyrhythm.observe.stats import CONTROL
from polyrhythm.observe.story import Age, Answer, Dropped, Episode, JobRun, Look, Mark, StageRun, tell
from polyrhythm.runtime.listener import EpisodeBegan, Moved
from polyrhythm.schedule.plan import SchedulePlan

#: Items drawn in the timeline, points for each link, episodes and points of each in the trajectory.
TIMELINE_ITEMS = 8_000
LINK_POINTS = 4_000
EPISODES = 12
EPISODE_POINTS = 1_500


@dataclass(slots=True)
class Bars:
    """One row of the timeline; times in nanoseconds of the run's clock."""

    start_ns: list[int] = field(default_factory=list)
    length_ns: list[int] = field(default_factory=list)
    hover: list[str] = field(default_factory=list)
    wrong: list[bool] = field(default_factory=list)

    def add(self, start_ns: int, end_ns: int, hover: str, wrong: bool = False) -> None:
        """Add one bar; `wrong` ones are drawn in the colour of errors."""
        self.start_ns.append(start_ns)
        self.length_ns.append(end_ns - start_ns)
        self.hover.append(hover)
        self.wrong.append(wrong)


@dataclass(slots=True)
class Path:
    """Where telemetry went in one episode."""

    episode: Episode
    telemetry: dict[str, list[float]]


@dataclass(slots=True)
class Score:
    """What is drawn. `cuts` says in prose what is not."""

    rows: dict[str, Bars]
    owner: dict[str, str]
    jobs: dict[str, Bars] = field(default_factory=dict)
    drops: list[Dropped] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    episodes: list[Episode] = field(default_factory=list)
    ages: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    paths: list[Path] = field(default_factory=list)
    cuts: list[str] = field(default_factory=list)
    first_ns: int = 0


def compose(plan: SchedulePlan, records: Iterable[Record], lost: int = 0) -> Score:
    """Draw up the score of a recorded stream; `lost` records are missing from its beginning."""
    composer = _Composer(plan)
    for item in tell(plan, records):
        composer.add(item)
    return composer.close(lost)


class _Composer:
    def __init__(self, plan: SchedulePlan) -> None:
        owner = {f"{m.id}.{stage}": m.id for m in plan.modules for stage in stage_labels(m)}
        if plan.control is not None:
            owner = {CONTROL: CONTROL, **dict.fromkeys(plan.control.observations, CONTROL), **owner}
        self.score = Score({name: Bars() for name in owner}, owner)
        self._items = self._skipped = 0
        self._until_ns = 0
        self._moves: list[Moved] = []
        self._more_paths = 0

    def add(self, item: object) -> None:
        match item:
            case StageRun():
                self._bar(
                    item.module,
                    f"{item.module}.{item.stage}",
                    item.start_ns,
                    item.end_ns,
                    _stage_hover(item),
                    item.error is not None,
                )
            case Answer():
                text = f"tick {item.tick}: " + (
                    f"act, row {item.row} of chunk {item.seq}" if item.held is None else f"hold: {item.held}"
                )
                self._bar(CONTROL, CONTROL, item.start_ns, item.end_ns, text, item.held is not None)
            case Look():
                self._bar(
                    CONTROL, item.port, item.start_ns, item.end_ns, f"{_ms(item.end_ns - item.start_ns)} ms"
                )
            case JobRun() if self._room():
                text = f"{item.module} tick {item.tick}, response {_ms(item.end_ns - item.release_ns)} ms"
                bars = self.score.jobs.setdefault(item.module, Bars())
                bars.add(item.release_ns, item.end_ns, text, item.late_ns > 0)
            case Dropped() if self._room():
                self.score.drops.append(item)
            case Mark():
                self.score.marks.append(item)
            case Age():
                self.score.ages.setdefault(item.link, []).append((item.at_ns, item.age_ns))
            case Moved():
                self._moves.append(item)
            case EpisodeBegan():
                self._moves.clear()  # of an episode whose beginning the recorder has lost
            case Episode():
                self._episode(item)

    def close(self, lost: int) -> Score:
        score = self.score
        starts = [row.start_ns[0] for row in score.rows.values() if row.start_ns]
        score.first_ns = min([*starts, *(e.began.now_ns for e in score.episodes)], default=0)
        if lost:
            score.cuts.append(
                f"The recorder kept the newest part of the run: {lost} earlier records are missing."
            )
        if self._skipped:
            shown_s = (self._until_ns - score.first_ns) / 1e9
            score.cuts.append(
                f"The timeline shows the first {shown_s:.1f} s ({self._items} items); "
                f"{self._skipped} later items are in the Perfetto trace only."
            )
        if self._more_paths:
            score.cuts.append(f"The trajectory shows {EPISODES} episodes; {self._more_paths} are left out.")
        for link, points in score.ages.items():
            if len(points) > LINK_POINTS:
                step = -(-len(points) // LINK_POINTS)
                score.cuts.append(f"Ages of {link}: every {step}. of {len(points)} points is drawn.")
                score.ages[link] = points[::step]
        return score

    def _room(self) -> bool:
        return self._items < TIMELINE_ITEMS

    def _bar(self, owner: str, row: str, start_ns: int, end_ns: int, hover: str, wrong: bool = False) -> None:
        if self._room():
            self._items += 1
            self._until_ns = max(self._until_ns, end_ns)
            if row not in self.score.rows:  # of another context
                self.score.rows[row], self.score.owner[row] = Bars(), owner
            self.score.rows[row].add(start_ns, end_ns, hover, wrong)
        else:
            self._skipped += 1

    def _episode(self, item: Episode) -> None:
        self.score.episodes.append(item)
        moves, self._moves = self._moves, []
        if not moves:
            return
        if len(self.score.paths) == EPISODES:
            self._more_paths += 1
            return
        thin = moves[:: -(-len(moves) // EPISODE_POINTS)]
        names = thin[0].telemetry
        self.score.paths.append(
            Path(item, {n: [m.telemetry.get(n, float("nan")) for m in thin] for n in names})
        )


def _stage_hover(item: StageRun) -> str:
    lines = [f"tick {item.tick}, {_ms(item.end_ns - item.start_ns)} ms"]
    if item.step is not None:
        lines.append("step {} of {}".format(*item.step))
    if (splice := item.splice) is not None:
        lines.append(f"chunk from tick {splice.start_tick} on, delay {splice.delay}, at tick {splice.cursor}")
    lines += [f"{name}: {_ms(age_ns)} ms old" for name, age_ns in item.ages_ns]
    lines += [] if item.error is None else [f"failed: {item.error[:200]}"]
    return "<br>".join(lines)


def _ms(ns: int) -> str:
    return f"{ns / 1e6:.3f}"
