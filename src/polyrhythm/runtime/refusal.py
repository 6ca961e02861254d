"""Why a run does not begin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Integral, Real
from typing import Any

from polyrhythm.manifest import nearest
from polyrhythm.manifest.schema import RUNNING_MODES, Manifest
from polyrhythm.robots import Robot
from polyrhythm.runtime.outcome import RunError
from polyrhythm.runtime.robot_fit import spec_of, unlike

#: The longest run, in seconds: the clock counts nanoseconds in 64 bits.
MAX_SECONDS = 1e9
#: Noise is drawn from 64 bits, and episodes count up from the seed.
SEEDS = 2**63


def refuse_robot(robot: Robot | None, manifest: Manifest) -> None:
    """Hold a robot against a manifest.

    Raises:
        RunError: it is not the one described there, or the mode does not run yet.
    """
    if (mode := manifest.orchestration.mode) not in RUNNING_MODES:
        raise RunError(f"mode {mode} does not run yet; modes that do: {', '.join(RUNNING_MODES)}")
    if robot is None:
        if manifest.robot is not None:
            raise RunError(f"the manifest's robot ({manifest.robot.use}) is missing")
        return
    if manifest.robot is None:
        raise RunError("the manifest has no robot")
    spec = spec_of(robot)
    if problems := [found.said for found in unlike(spec, manifest)]:
        raise RunError("the robot is not as the manifest says:\n  " + "\n  ".join(problems))
    if not spec.tasks:
        raise RunError(
            "the robot knows no task, so there is no episode to play: name one in its `spec.tasks`"
        )


def refuse_arguments(
    robot: Robot | None, tasks: Sequence[str], episodes: int | None, seconds: float | None, seed: int
) -> None:
    """Look at what a run is to play, with a robot that fits.

    Raises:
        RunError: all that is wrong, a line each.
    """
    if robot is None and seconds is None:
        raise RunError("a bundle without a robot has no episodes: say for how many seconds to run")
    known = () if robot is None else robot.spec.tasks
    if problems := (*_tasks(tasks, known), *_numbers(episodes, seconds, seed)):
        raise RunError("\n".join(problems))


def _tasks(tasks: object, known: Sequence[str]) -> Iterator[str]:
    if isinstance(tasks, str) or not isinstance(tasks, Sequence):
        had = repr(tasks) if isinstance(tasks, str) else f"of type {type(tasks).__name__}"
        yield f"tasks is {had}: it has to be a list of names, such as {list(known[:1])}"
        return
    for task in tasks:
        if task not in known:
            guess = nearest(str(task), known)
            yield f"no task is called {task!r}; there are {', '.join(known) or 'none'}" + (
                f" (did you mean {guess}?)" if guess else ""
            )


def _numbers(episodes: Any, seconds: Any, seed: Any) -> Iterator[str]:
    if episodes is not None and not (_is(Integral, episodes) and episodes >= 1):
        yield f"episodes is {episodes!r}: it has to be a whole number from 1, or None"
    if seconds is not None and not (_is(Real, seconds) and 0 < seconds <= MAX_SECONDS):
        yield f"seconds is {seconds!r}: it has to be a number above 0 and up to {MAX_SECONDS:g}, or None"
    if not (_is(Integral, seed) and 0 <= seed < SEEDS):
        yield f"seed is {seed!r}: it has to be a whole number from 0 and below 2**63"


def _is(kind: type, value: object) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)
