"""Both models in closed loop, with the delays they have when deployed.

Nothing here waits for a model. A result becomes available a number of control ticks after its inputs were
taken, as it does on the robot: `hidden` stems from an image 4 to 33 ticks old, an action chunk plays from its
second or third action on, and before the first chunk the robot holds.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from multiprocessing import get_context

import data
import numpy as np
from rich.progress import Progress

from polyrhythm.robots.metaworld import IMAGE_SIZE, INSTRUCTION_TOKENS, MetaWorldRobot

Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class Timing:
    """When models run, in control ticks of 12.5 ms; ranges are inclusive and drawn anew each time."""

    system2_period: Fraction = Fraction(80, 3)
    system2_ticks: tuple[int, int] = (4, 6)
    system1_period: int = 4
    system1_ticks: tuple[int, int] = (1, 2)


@dataclass(frozen=True)
class Functions:
    """The compiled models, on NumPy arrays."""

    vlm: Arrays
    dit: Arrays

    def __post_init__(self) -> None:
        import jax
        import model

        vlm, dit = jax.tree.map(jax.numpy.asarray, (self.vlm, self.dit))
        encode, chunk = jax.jit(model.encode), jax.jit(model.chunk)
        object.__setattr__(self, "encode", lambda *a: np.asarray(encode(vlm, *a)))
        object.__setattr__(self, "chunk", lambda *a: np.asarray(chunk(dit, *a)))


@dataclass
class Player:
    """Plays both models against a robot, tick by tick.

    `start` begins an episode; `action` gives what is executed at a tick, f32 ``[4]``. Phases shift the
    releases of the two systems against the start of the episode.
    """

    functions: Functions
    timing: Timing = field(default_factory=Timing)

    def start(self, rng: np.random.Generator, *, system2_phase: int = 0, system1_phase: int = 0) -> None:
        """Begin an episode: nothing is known, nothing is under way."""
        self._rng = rng
        self._phases = (system2_phase, system1_phase)
        self._releases = 0
        self._hidden: list[tuple[int, np.ndarray]] = []
        self._chunks: list[tuple[int, int, np.ndarray]] = []
        self._last = np.array((0.0, 0.0, 0.0, -1.0), np.float32)
        self._image = np.zeros((IMAGE_SIZE, IMAGE_SIZE), np.float32)
        self._instruction = np.zeros(INSTRUCTION_TOKENS, np.int32)
        self._proprio = np.zeros(8, np.float32)

    def action(self, robot: MetaWorldRobot, tick: int) -> np.ndarray:
        """The action of this tick: from the newest chunk that is there, else hold."""
        self._system2(robot, tick)
        self._system1(robot, tick)
        ready = [(begin, chunk) for at, begin, chunk in self._chunks if at <= tick < begin + len(chunk)]
        if ready:
            begin, chunk = max(ready, key=lambda entry: entry[0])
            self._last = chunk[tick - begin].astype(np.float32)
            return self._last
        return np.array((0.0, 0.0, 0.0, self._last[3]), np.float32)

    def _system2(self, robot: MetaWorldRobot, tick: int) -> None:
        if tick != self._phases[0] + ceil(self._releases * self.timing.system2_period):
            return
        self._releases += 1
        robot.observe("depth", self._image)
        robot.observe("instruction", self._instruction)
        hidden = self.functions.encode(self._image, self._instruction)  # type: ignore[attr-defined]
        self._hidden.append((tick + self._delay(self.timing.system2_ticks), hidden))

    def _system1(self, robot: MetaWorldRobot, tick: int) -> None:
        ready = [hidden for at, hidden in self._hidden if at <= tick]
        if not ready or (tick - self._phases[1]) % self.timing.system1_period:
            return
        robot.observe("proprio", self._proprio)
        noise = self._rng.normal(size=(data.HORIZON, 4)).astype(np.float32)
        chunk = self.functions.chunk(ready[-1], self._proprio, noise)  # type: ignore[attr-defined]
        self._chunks = [*self._chunks[-3:], (tick + self._delay(self.timing.system1_ticks), tick, chunk)]

    def _delay(self, ticks: tuple[int, int]) -> int:
        return int(self._rng.integers(ticks[0], ticks[1] + 1))


@dataclass(frozen=True)
class Outcome:
    """One evaluated episode; `ticks` until success, or until the time was up."""

    task: str
    seed: int
    success: bool
    ticks: int


def play(robot: MetaWorldRobot, player: Player, task: str, seed: int) -> Outcome:
    """One episode in closed loop. Success is reported when MetaWorld reports it at any tick."""
    robot.reset(task=task, seed=seed)
    player.start(np.random.default_rng([seed, 23]))
    tick = 0
    while True:
        result = robot.act(player.action(robot, tick))
        tick += 1
        if result.done:
            return Outcome(task, seed, result.success, tick)


# --- in parallel ----------------------------------------------------------------------------------


def one_thread() -> None:
    """In a worker process: keep XLA to one thread. Has to run before JAX does anything."""
    flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {flags}".strip()
    os.environ["OMP_NUM_THREADS"] = "1"


def _play_many(vlm: Arrays, dit: Arrays, jobs: Sequence[tuple[str, int]]) -> list[Outcome]:
    robot = MetaWorldRobot(data.TASKS)
    player = Player(Functions(vlm, dit))
    outcomes = [play(robot, player, task, seed) for task, seed in jobs]
    robot.close()
    return outcomes


def _correct_many(vlm: Arrays, dit: Arrays, jobs: Sequence[tuple[str, int]]) -> list[data.Episode]:
    robot = MetaWorldRobot(data.TASKS, end_on_success=False)
    experts = data.make_experts()
    player = Player(Functions(vlm, dit))
    episodes = []
    for task, seed in jobs:
        rng = np.random.default_rng([seed, 29])
        player.start(rng, system2_phase=int(rng.integers(27)), system1_phase=int(rng.integers(4)))
        episodes.append(
            data.record(
                robot,
                experts[task],
                task,
                seed,
                lambda robot, tick, _: player.action(robot, tick),
                disturbed_ticks=(15, 70),
                clean_ticks=(20, 40),
            )
        )
    robot.close()
    return episodes


def evaluate(
    vlm: Arrays, dit: Arrays, episodes: int, first_seed: int, workers: int, progress: Progress
) -> list[Outcome]:
    """Play `episodes` episodes of every task, with seeds ``first_seed + i``, in `workers` processes."""
    jobs = [(task, first_seed + i) for i in range(episodes) for task in data.TASKS]
    return _in_parallel(_play_many, "evaluation", vlm, dit, jobs, workers, progress)


def correct(
    vlm: Arrays, dit: Arrays, episodes: int, first_seed: int, workers: int, progress: Progress
) -> list[data.Episode]:
    """Record episodes that the models begin and the experts set right (one round of DAgger)."""
    jobs = [(task, first_seed + i) for i in range(episodes) for task in data.TASKS]
    return _in_parallel(_correct_many, "corrections", vlm, dit, jobs, workers, progress)


def _in_parallel(run, name, vlm, dit, jobs, workers, progress):  # type: ignore[no-untyped-def]
    bar = progress.add_task(name, total=len(jobs))
    results = []
    share = ceil(len(jobs) / workers) if len(jobs) < 40 * workers else 20
    batches = [jobs[i : i + share] for i in range(0, len(jobs), share)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=one_thread) as pool:
        for result in pool.map(run, [vlm] * len(batches), [dit] * len(batches), batches):
            results += result
            progress.advance(bar, len(result))
    return results


def success_table(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """By task: episodes, successes, success rate, and the median ticks of the successful ones."""
    table = {}
    for task in dict.fromkeys(outcome.task for outcome in outcomes):
        mine = [outcome for outcome in outcomes if outcome.task == task]
        won = [outcome.ticks for outcome in mine if outcome.success]
        table[task] = {
            "episodes": len(mine),
            "successes": len(won),
            "success_rate": len(won) / len(mine),
            "median_ticks": float(np.median(won)) if won else float("nan"),
        }
    return table
