"""The robot protocol: named observations out, one action in at every control tick.

Time does not pass inside a robot. It has no thread and no clock: `act` and `hold` each advance the world by
exactly one control tick, and the runtime decides when that happens. So the same robot runs under the
monotonic clock, under a virtual clock and in a replay.

A robot is used by one thread at a time, with one exception it has to permit: `observe` may be called from
another thread *between* two ticks, never during one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from inspect import Signature, signature
from math import inf
from numbers import Real
from typing import Any, Protocol, runtime_checkable

import numpy as np

ENTRY_POINT_GROUP = "polyrhythm.robots"

DTYPES: Mapping[str, type[np.generic]] = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "i64": np.int64,
    "i32": np.int32,
    "i16": np.int16,
    "i8": np.int8,
    "u64": np.uint64,
    "u32": np.uint32,
    "u16": np.uint16,
    "u8": np.uint8,
    "bool": np.bool_,
}
"""The names of element types that a specification may use, and their types, all of NumPy itself."""


@dataclass(frozen=True)
class TensorSpec:
    """What one tensor looks like: element type, shape, and where known its bounds and unit.

    `low` and `high` are bounds that hold for every element; `unit` is prose such as ``"m"`` or ``"token"``.
    """

    dtype: str
    shape: tuple[int, ...]
    low: float | None = None
    high: float | None = None
    unit: str = ""

    def __post_init__(self) -> None:
        if self.dtype not in DTYPES:
            raise ValueError(f"unknown dtype {self.dtype!r}: use one of {', '.join(sorted(DTYPES))}")

    @property
    def numpy_dtype(self) -> np.dtype[Any]:
        """The NumPy element type that `dtype` names."""
        return np.dtype(DTYPES[self.dtype])

    def empty(self) -> np.ndarray:
        """A new zeroed array of this specification, to be given to `Robot.observe`."""
        return np.zeros(self.shape, self.numpy_dtype)

    def require(self, name: str, array: np.ndarray) -> None:
        """Raise `ValueError` unless `array` has exactly this shape and element type."""
        if array.shape != self.shape or array.dtype != self.numpy_dtype:
            have = f"{array.dtype}{list(array.shape)}"
            raise ValueError(f"{name}: the array is {have}, it has to be {self.dtype}{list(self.shape)}")


@dataclass(frozen=True)
class RobotSpec:
    """What a robot offers: its control rate, its observations by name, its action, its tasks.

    `tasks` lists the names that `Robot.reset` accepts; it is never empty and its first entry is the default.
    A field of another type is a `ValueError`.
    """

    control_hz: float
    observations: Mapping[str, TensorSpec]
    action: TensorSpec
    tasks: tuple[str, ...]

    def __post_init__(self) -> None:
        if not _is_rate(self.control_hz):
            raise ValueError(
                f"control_hz is {self.control_hz!r}: it has to be a number above 0, such as 100.0"
            )
        if not isinstance(self.tasks, tuple | list) or not all(isinstance(task, str) for task in self.tasks):
            raise ValueError(f'tasks is {self.tasks!r}: it has to be a tuple of names, such as ("follow",)')
        named = self.observations if isinstance(self.observations, Mapping) else {}
        if named is not self.observations or not all(isinstance(s, TensorSpec) for s in named.values()):
            raise ValueError("observations has to be a TensorSpec for each name, in a dict")
        if not isinstance(self.action, TensorSpec):
            raise ValueError(f"action is {self.action!r}: it has to be a TensorSpec")


def _is_rate(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and 0 < float(value) < inf


@dataclass(frozen=True, slots=True)
class StepResult:
    """What one control tick brought.

    `success`: the task is fulfilled at this tick; None: the robot can't tell. An episode is a success if one
    of its ticks was. `done`: the episode is over, and the robot accepts no further tick before `reset`; one
    whose episodes end when the task is fulfilled has to say so.
    """

    success: bool | None
    done: bool


@runtime_checkable
class Robot(Protocol):
    """One robot, real or simulated.

    The contract, beyond the signatures:

    - a robot is a function of ``(task, seed)`` and its actions: the same calls give the same bits;
    - `reset` must come first; `act` and `hold` after `StepResult.done` raise `RuntimeError`;
    - observations describe the present tick, and are never written after `observe` has returned.
    """

    spec: RobotSpec

    def reset(self, *, task: str | None, seed: int) -> None:
        """Begin a new episode.

        `task` is one of ``spec.tasks``, or None for the first one; anything else is an `UnknownTaskError`.
        `seed` fixes everything that is random about the episode.
        """

    def observe(self, name: str, out: np.ndarray) -> None:
        """Write the observation `name` of this instant into `out`, which belongs to the caller.

        `out` has exactly the shape and element type of ``spec.observations[name]``, else `ValueError`; an
        unknown name is a `KeyError` that lists the names. Nothing big is allocated.
        """

    def act(self, action: np.ndarray) -> StepResult:
        """Apply `action` (shape and element type of ``spec.action``) for exactly one control tick.

        Values beyond the bounds are clipped. One that is not finite raises `ValueError`, and nothing moves.
        """

    def hold(self) -> StepResult:
        """The safe answer at a tick for which there is no action; it too advances exactly one tick."""

    def telemetry(self) -> Mapping[str, float]:
        """A few numbers for the report, such as ``hand_x`` in metres. Cheap, and the same keys every time."""

    def close(self) -> None:
        """Give everything back. May be called twice; no other call may follow it."""


class UnknownRobotError(LookupError):
    """No robot of this name is installed; the message lists those that are."""


class UnknownTaskError(LookupError):
    """The robot does not know this task; the message lists the tasks it knows."""


def choose_task(task: str | None, tasks: tuple[str, ...]) -> str:
    """The task to run: the first one for None; `UnknownTaskError` for a name that is not in `tasks`."""
    if task is None:
        return tasks[0]
    if task not in tasks:
        raise UnknownTaskError(f"unknown task {task!r}: this robot knows {', '.join(tasks)}")
    return task


def find_observation(name: str, observations: Mapping[str, TensorSpec]) -> TensorSpec:
    """The specification of observation `name`, or a `KeyError` that lists the names there are."""
    try:
        return observations[name]
    except KeyError:
        names = ", ".join(sorted(observations))
        raise KeyError(f"unknown observation {name!r}: this robot offers {names}") from None


def robot_names() -> tuple[str, ...]:
    """The names of the robots installed, sorted; none is imported."""
    return tuple(sorted({entry.name for entry in entry_points(group=ENTRY_POINT_GROUP)}))


def load_robot(
    name: str,
    options: Mapping[str, Any] | None = None,
    *,
    control_hz: float | None = None,
    island: Any = None,
    declared: Any = None,
) -> Robot:
    """Make the robot that the entry-point group ``polyrhythm.robots`` calls `name`.

    The entry point is a factory, called as ``factory(**options)``. One that has an option `control_hz` is
    given the manifest's if `options` don't say otherwise, one that has an option `island` the island, one
    that has an option `declared` all that the manifest says of its robot. Raises `UnknownRobotError`, which
    lists the installed names, and `TypeError`, which lists the options, when the factory refuses those given;
    whatever else the adapter raises is a fault of its own.
    """
    entry = robot_entry(name)
    factory = entry.load()
    called = _signature(factory)
    allowed = () if called is None else _keywords(called)
    given = dict(options or {})
    if control_hz is not None and "control_hz" in allowed:
        given.setdefault("control_hz", control_hz)
    if island is not None and "island" in allowed:
        given["island"] = island
    if declared is not None and "declared" in allowed:
        given["declared"] = declared
    try:
        if called is not None:
            called.bind(**given)
    except TypeError as error:
        refused = ", ".join(sorted(options or {})) or "none"
        raise TypeError(
            f"robot {name!r} ({entry.value}) refuses its options ({refused}): {error}; "
            f"it allows: {', '.join(allowed) or 'none'}"
        ) from error
    robot: Robot = factory(**given)
    return robot


def robot_options(name: str) -> Mapping[str, bool]:
    """The options of the robot called `name`, and whether they have to be given. Imports its adapter.

    Raises `UnknownRobotError`, and whatever the adapter raises while it is imported.
    """
    called = _signature(robot_entry(name).load())
    parameters = () if called is None else called.parameters.values()
    return {p.name: p.default is p.empty for p in parameters if p.kind is not p.VAR_KEYWORD}


def _signature(factory: Callable[..., Any]) -> Signature | None:
    """How a factory is called; None: it was made in C, and says nothing of itself."""
    try:
        return signature(factory)
    except (TypeError, ValueError):
        return None


def _keywords(called: Signature) -> tuple[str, ...]:
    return tuple(
        p.name for p in called.parameters.values() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    )


def robot_entry(name: str) -> EntryPoint:
    """Where the robot called `name` is to be imported from; raises `UnknownRobotError`."""
    found = {entry.name: entry for entry in entry_points(group=ENTRY_POINT_GROUP)}
    if name in found:
        return found[name]
    known = ", ".join(sorted(found)) or "none"
    raise UnknownRobotError(
        f"no robot is called {name!r} in the entry-point group {ENTRY_POINT_GROUP!r}; installed: {known}"
    )
