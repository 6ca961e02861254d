"""Demonstrations: the scripted MetaWorld experts at half speed, disturbed on purpose, recorded clean.

A policy that has only seen perfect demonstrations does not know how to come back. So an episode alternates
between *disturbed* stretches, in which something else than the expert moves the arm (a random push, or the
policy being trained: one round of DAgger), and *clean* stretches, in which the expert brings it back. Action
chunks are cut from clean stretches only: the recorded actions are the executed ones, never noisy ones.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import numpy as np
from rich.progress import Progress

from polyrhythm.robots.metaworld import IMAGE_SIZE, MAX_TICKS, MetaWorldRobot

TASKS = ("button-press", "drawer-open", "drawer-close")
HORIZON = 16
"""Control ticks in an action chunk: 0.2 s at 80 Hz."""

IMAGE_STRIDE = 6
"""A depth image is recorded every so many ticks."""

EXPERT_SPEED = 0.5
"""The experts move at most this fast, in centimetres a tick (0.4 m/s)."""

MIN_CLEAN_TICKS = 6
"""A chunk needs at least so many clean actions to be worth learning from."""


@dataclass
class Episode:
    """One recorded episode of T ticks.

    images f16 ``[ceil(T/IMAGE_STRIDE), 64, 64]``; instruction i32 ``[16]``; proprio f32 ``[T, 8]`` and
    state f32 ``[T, 39]`` (privileged) before the tick; actions f32 ``[T, 4]`` that were executed;
    clean bool ``[T]``: the action is the expert's.
    """

    task: str
    success: bool
    images: np.ndarray
    instruction: np.ndarray
    proprio: np.ndarray
    state: np.ndarray
    actions: np.ndarray
    clean: np.ndarray


Disturbance = Callable[[MetaWorldRobot, int, np.ndarray], np.ndarray]
"""``(robot, tick, expert action f32[4]) -> action f32[4]`` to be executed instead of the expert's."""


def make_experts() -> dict[str, Any]:
    """The scripted MetaWorld policies by task."""
    from metaworld import policies

    return {
        "button-press": policies.SawyerButtonPressV3Policy(),
        "drawer-open": policies.SawyerDrawerOpenV3Policy(),
        "drawer-close": policies.SawyerDrawerCloseV3Policy(),
    }


def expert_action(expert: Any, state: np.ndarray) -> np.ndarray:
    """The expert's action f32 ``[4]`` for a privileged state, its displacement clipped to `EXPERT_SPEED`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        action = np.clip(expert.get_action(state), -1.0, 1.0).astype(np.float32)
    action[:3] = np.clip(action[:3], -EXPERT_SPEED, EXPERT_SPEED)
    return action


class RandomPush:
    """Disturbance: the expert's action plus a constant push and noise, now and then with the wrong grip."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self.begin()

    def begin(self) -> None:
        """Draw a new push, at the start of a disturbed stretch."""
        rng = self._rng
        self._keep = float(rng.choice([0.0, 0.5, 1.0]))
        self._push = rng.normal(size=3) * rng.choice([0.15, 0.4, 0.7])
        self._grip = float(rng.choice([-1.0, 1.0])) if rng.random() < 0.12 else None

    def __call__(self, robot: MetaWorldRobot, tick: int, expert: np.ndarray) -> np.ndarray:
        """The disturbed action f32 ``[4]``."""
        action = expert.copy()
        action[:3] = action[:3] * self._keep + self._push + 0.1 * self._rng.normal(size=3)
        if self._grip is not None:
            action[3] = self._grip
        return np.clip(action, -1.0, 1.0).astype(np.float32)


def record(
    robot: MetaWorldRobot,
    expert: Any,
    task: str,
    seed: int,
    disturb: Disturbance | None = None,
    *,
    disturbed_ticks: tuple[int, int] = (4, 20),
    clean_ticks: tuple[int, int] = (20, 45),
    max_ticks: int = 260,
) -> Episode:
    """Record one episode; it ends `HORIZON` ticks after the first success, or at `max_ticks`.

    `disturb` is None for `RandomPush`. The stretches' lengths are uniform in the given ranges.
    """
    rng = np.random.default_rng([seed, 17])
    push = RandomPush(rng)
    robot.reset(task=task, seed=seed)
    rows: dict[str, list[np.ndarray]] = {"images": [], "proprio": [], "state": [], "actions": []}
    clean: list[bool] = []
    image = np.zeros((IMAGE_SIZE, IMAGE_SIZE), np.float32)
    disturbed, until = _first_stretch(rng, disturbed_ticks, clean_ticks, disturb is not None)
    success_tick = None
    for tick in range(min(max_ticks, MAX_TICKS)):
        if tick == until:
            disturbed = not disturbed
            until = tick + int(rng.integers(*(disturbed_ticks if disturbed else clean_ticks)))
            push.begin()
        if tick % IMAGE_STRIDE == 0:
            robot.observe("depth", image)
            rows["images"].append(image.astype(np.float16))
        proprio = np.zeros(8, np.float32)
        robot.observe("proprio", proprio)
        rows["proprio"].append(proprio)
        rows["state"].append(robot.privileged_state().astype(np.float32))
        action = expert_action(expert, robot.privileged_state())
        other = (disturb or push)(robot, tick, action)
        if disturbed:
            action = other
        rows["actions"].append(action)
        clean.append(not disturbed)
        if robot.act(action).success and success_tick is None:
            success_tick = tick
        if success_tick is not None and tick >= success_tick + HORIZON:
            break
    instruction = np.zeros(robot.spec.observations["instruction"].shape, np.int32)
    robot.observe("instruction", instruction)
    arrays = {name: np.stack(values) for name, values in rows.items()}
    return Episode(task, success_tick is not None, instruction=instruction, clean=np.array(clean), **arrays)


def _first_stretch(
    rng: np.random.Generator, disturbed_ticks: tuple[int, int], clean_ticks: tuple[int, int], policy: bool
) -> tuple[bool, int]:
    """Whether the episode begins disturbed, and until which tick. A policy usually begins itself."""
    disturbed = bool(rng.random() < (0.8 if policy else 0.4))
    return disturbed, int(rng.integers(*(disturbed_ticks if disturbed else clean_ticks)))


def _record_many(jobs: Sequence[tuple[str, int]]) -> list[Episode]:
    robot = MetaWorldRobot(TASKS, end_on_success=False)
    experts = make_experts()
    episodes = [record(robot, experts[task], task, seed) for task, seed in jobs]
    robot.close()
    return episodes


def collect(episodes_per_task: int, first_seed: int, workers: int, progress: Progress) -> list[Episode]:
    """Record `episodes_per_task` disturbed episodes of every task, in `workers` processes.

    Episode i of every task has seed ``first_seed + i``; the result does not depend on `workers`.
    """
    jobs = [(task, first_seed + i) for i in range(episodes_per_task) for task in TASKS]
    batches = [jobs[i : i + 6] for i in range(0, len(jobs), 6)]
    bar = progress.add_task("demonstrations", total=len(jobs))
    episodes: list[Episode] = []
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for result in pool.map(_record_many, batches):
            episodes += result
            progress.advance(bar, len(result))
    return episodes


@dataclass
class Samples:
    """Training material, flat over episodes.

    Images: images f16 ``[I, 64, 64]``, instruction i32 ``[I, 16]``, targets f32 ``[I, T]`` (see
    `image_targets`). Chunks: first_image and image_tick say which images belong to the chunk's episode;
    tick i32 ``[C]``, proprio f32 ``[C, 8]``, actions f32 ``[C, HORIZON, 4]``, mask f32 ``[C, HORIZON]``
    (1 where the expert acted and nothing else did since the chunk began).
    """

    images: np.ndarray
    instruction: np.ndarray
    targets: np.ndarray
    chunk_first_image: np.ndarray
    chunk_images: np.ndarray
    tick: np.ndarray
    proprio: np.ndarray
    actions: np.ndarray
    mask: np.ndarray


def image_targets(task: str, state: np.ndarray) -> np.ndarray:
    """What System 2 learns to say about an image, f32 ``[..., 9]``.

    Hand and object position (metres, from the privileged state), then the task as one-hot.
    """
    one_hot = np.eye(len(TASKS), dtype=np.float32)[TASKS.index(task)]
    parts = (state[..., 0:3], state[..., 4:7], np.broadcast_to(one_hot, (*state.shape[:-1], 3)))
    return np.concatenate(parts, axis=-1).astype(np.float32)


def cut(episodes: Sequence[Episode]) -> Samples:
    """Cut recorded episodes into images and chunks."""
    columns: dict[str, list[np.ndarray]] = {name: [] for name in Samples.__dataclass_fields__}
    first_image = 0
    for episode in episodes:
        count = len(episode.images)
        columns["images"].append(episode.images)
        columns["instruction"].append(np.tile(episode.instruction, (count, 1)))
        columns["targets"].append(image_targets(episode.task, episode.state[::IMAGE_STRIDE]))
        starts, actions, mask = _chunks(episode)
        columns["chunk_first_image"].append(np.full(len(starts), first_image, np.int32))
        columns["chunk_images"].append(np.full(len(starts), count, np.int32))
        columns["tick"].append(starts)
        columns["proprio"].append(episode.proprio[starts])
        columns["actions"].append(actions)
        columns["mask"].append(mask)
        first_image += count
    return Samples(**{name: np.concatenate(parts) for name, parts in columns.items()})


def _chunks(episode: Episode) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Start ticks ``[C]``, actions ``[C, HORIZON, 4]`` and mask ``[C, HORIZON]`` of an episode's chunks."""
    ticks = len(episode.actions)
    index = np.arange(ticks)[:, None] + np.arange(HORIZON)
    inside = index < ticks
    index = np.minimum(index, ticks - 1)
    mask = np.cumprod(episode.clean[index] & inside, axis=1).astype(np.float32)
    starts = np.flatnonzero(mask.sum(axis=1) >= MIN_CLEAN_TICKS).astype(np.int32)
    return starts, episode.actions[index[starts]], mask[starts]
