"""Demonstrations for the flow policy: two tasks of the simulated arm, cut into chunks of `HORIZON` actions.

Episodes are recorded by the dual-system example (`examples/dual_system/data.py`): scripted experts that are
disturbed on purpose, of which only the clean stretches are learnt from.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from rich.progress import Progress

from polyrhythm.robots.metaworld import MetaWorldRobot

sys.path.append(str(Path(__file__).parents[1] / "dual_system"))

import data as recording

TASKS = ("button-press", "drawer-close")
HORIZON = 24
"""Control ticks in an action chunk: 0.3 s at 80 Hz."""

IMAGE_AGE_TICKS = (0, 12)
"""How old an image may be when a chunk begins: they are sampled ten times a second."""


@dataclass
class Samples:
    """Training material, flat over episodes.

    Images: images f16 ``[I, 64, 64]``, instruction i32 ``[I, 16]``, pose f32 ``[I, 6]`` (hand and object in
    metres; privileged, a training target only). Chunks: first_image and image_count i32 ``[C]`` say which
    images belong to the chunk's episode; tick i32 ``[C]``, proprio f32 ``[C, 8]``, actions f32
    ``[C, HORIZON, 4]``, mask f32 ``[C, HORIZON]`` (1 where the expert acted and nothing else did since the
    chunk began).
    """

    images: np.ndarray
    instruction: np.ndarray
    pose: np.ndarray
    first_image: np.ndarray
    image_count: np.ndarray
    tick: np.ndarray
    proprio: np.ndarray
    actions: np.ndarray
    mask: np.ndarray

    def save(self, path: Path) -> None:
        """Write all arrays to an ``.npz`` file."""
        np.savez(path, **{item.name: getattr(self, item.name) for item in fields(self)})

    @classmethod
    def load(cls, path: Path) -> Samples:
        """Read what `save` has written."""
        with np.load(path, allow_pickle=False) as arrays:
            return cls(**{item.name: arrays[item.name] for item in fields(cls)})


def collect(episodes_per_task: int, first_seed: int, workers: int, progress: Progress) -> Samples:
    """Record `episodes_per_task` disturbed episodes of each task, in `workers` processes, and cut them.

    Episode i of every task has seed ``first_seed + i``; the result does not depend on `workers`.
    """
    jobs = [(task, first_seed + i) for i in range(episodes_per_task) for task in TASKS]
    batches = [jobs[i : i + 6] for i in range(0, len(jobs), 6)]
    bar = progress.add_task("demonstrations", total=len(jobs))
    episodes: list[recording.Episode] = []
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for result in pool.map(_record_many, batches):
            episodes += result
            progress.advance(bar, len(result))
    return cut(episodes)


def _record_many(jobs: Sequence[tuple[str, int]]) -> list[recording.Episode]:
    robot = MetaWorldRobot(TASKS, end_on_success=False)
    experts = recording.make_experts()
    episodes = [recording.record(robot, experts[task], task, seed) for task, seed in jobs]
    robot.close()
    return episodes


def cut(episodes: Sequence[recording.Episode]) -> Samples:
    """Cut recorded episodes into images and chunks."""
    columns: dict[str, list[np.ndarray]] = {item.name: [] for item in fields(Samples)}
    first_image = 0
    for episode in episodes:
        images, seen = len(episode.images), episode.state[:: recording.IMAGE_STRIDE]
        starts, actions, mask = _chunks(episode)
        columns["images"].append(episode.images)
        columns["instruction"].append(np.tile(episode.instruction, (images, 1)))
        columns["pose"].append(np.concatenate([seen[:, 0:3], seen[:, 4:7]], axis=1).astype(np.float32))
        columns["first_image"].append(np.full(len(starts), first_image, np.int32))
        columns["image_count"].append(np.full(len(starts), images, np.int32))
        columns["tick"].append(starts)
        columns["proprio"].append(episode.proprio[starts])
        columns["actions"].append(actions)
        columns["mask"].append(mask)
        first_image += images
    return Samples(**{name: np.concatenate(parts) for name, parts in columns.items()})


def _chunks(episode: recording.Episode) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Start ticks ``[C]``, actions ``[C, HORIZON, 4]`` and mask ``[C, HORIZON]`` of an episode's chunks."""
    ticks = len(episode.actions)
    index = np.arange(ticks)[:, None] + np.arange(HORIZON)
    inside = index < ticks
    index = np.minimum(index, ticks - 1)
    mask = np.cumprod(episode.clean[index] & inside, axis=1).astype(np.float32)
    starts = np.flatnonzero(mask.sum(axis=1) >= recording.MIN_CLEAN_TICKS).astype(np.int32)
    return starts, episode.actions[index[starts]], mask[starts]


def images_of(samples: Samples, pick: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """For the chunks `pick`, an image each of random age: indices into ``samples.images``."""
    age = rng.integers(*IMAGE_AGE_TICKS, size=len(pick), endpoint=True)
    image = np.maximum(samples.tick[pick] - age, 0) // recording.IMAGE_STRIDE
    found: np.ndarray = samples.first_image[pick] + np.minimum(image, samples.image_count[pick] - 1)
    return found
