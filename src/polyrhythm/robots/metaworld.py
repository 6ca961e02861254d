"""A simulated Sawyer arm at a table (MetaWorld) that is told what to do, and sees by a depth camera.

    robot(tasks=["button-press", "drawer-open", "pick-place"])

Observations:

- ``depth`` f32 ``[64, 64]``: the picture of one fixed camera, 0 near to 1 far (`CAMERA`). No OpenGL.
- ``instruction`` i32 ``[16]``: the token ids of a command such as *pick the puck and place it at 5 82 20*
  (centimetres; MetaWorld's goal cannot be seen, so the command has to say it). See `tokenize`.
- ``proprio`` f32 ``[8]``: hand x, y, z in metres and gripper opening in 0..1, now and one tick ago.

No observation contains the pose of an object. The action is f32 ``[4]`` in -1..1: hand displacement in x, y
and z (1 is one centimetre a tick) and gripper effort (-1 opens, 1 closes). `hold` is no displacement and the
last gripper effort. The control rate is 80 Hz, an episode has at most 500 ticks.

MetaWorld takes its randomness from NumPy's global generator and freezes or redraws it depending on flags;
here the task layout is drawn from ``(task, seed)`` alone and handed over, so an episode is reproducible
whatever else ran before.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from polyrhythm.robots.api import RobotSpec, StepResult, TensorSpec, choose_task, find_observation
from polyrhythm.robots.depth import DepthCamera
from polyrhythm.robots.gymnasium import GymnasiumRobot

CONTROL_HZ = 80.0
MAX_TICKS = 500
IMAGE_SIZE = 64
INSTRUCTION_TOKENS = 16
CAMERA: Mapping[str, Any] = MappingProxyType(
    {
        "position_m": (0.52, 0.36, 0.46),
        "lookat_m": (0.0, 0.70, 0.08),
        "fov_deg": 40.0,
        "size": IMAGE_SIZE,
        "near_m": 0.3,
        "far_m": 1.1,
    }
)
"""Where the camera stands: close over the workspace, so that the 4 cm puck covers several pixels."""


@dataclass(frozen=True)
class _Task:
    env: str
    instruction: str


TASKS: Mapping[str, _Task] = MappingProxyType(
    {
        "button-press": _Task("button-press-v3", "press the button"),
        "drawer-open": _Task("drawer-open-v3", "open the drawer"),
        "drawer-close": _Task("drawer-close-v3", "close the drawer"),
        "pick-place": _Task("pick-place-v3", "pick the puck and place it at {x} {y} {z}"),
    }
)
"""The tasks by name: the MetaWorld environment, and the command with the goal in centimetres."""

_WORDS = (
    "<pad> + - 0 1 2 3 4 5 6 7 8 9 press open pick place the button drawer puck and it at "
    "close push door window slide"
)
VOCABULARY: tuple[str, ...] = tuple(_WORDS.split())
"""Every token there is; a token id is the position in here, and id 0 fills up."""

VOCABULARY_SIZE = 32
"""Rows of an embedding table, with a few to spare."""

_TOKEN_IDS = {word: i for i, word in enumerate(VOCABULARY)}


def tokenize(text: str, out: np.ndarray | None = None) -> np.ndarray:
    """Token ids of a command, i32 ``[INSTRUCTION_TOKENS]``, filled up with 0; into `out` if it is given.

    A word is one token. An integer between -99 and 99 is always three: its sign and two digits, so ``-5`` is
    ``- 0 5``. Raises `ValueError` for an unknown word, a larger number, or a command that is too long.
    """
    ids: list[int] = []
    for word in text.split():
        if word.lstrip("+-").isdigit():
            number = int(word)
            if abs(number) > 99:
                raise ValueError(f"{word} in {text!r}: numbers lie between -99 and 99")
            tens, ones = divmod(abs(number), 10)
            ids += [_TOKEN_IDS[part] for part in ("-" if number < 0 else "+", str(tens), str(ones))]
        elif word in _TOKEN_IDS:
            ids.append(_TOKEN_IDS[word])
        else:
            raise ValueError(f"unknown word {word!r} in {text!r}; known: {' '.join(VOCABULARY[1:])}")
    if len(ids) > INSTRUCTION_TOKENS:
        raise ValueError(f"{text!r} is {len(ids)} tokens long, there is room for {INSTRUCTION_TOKENS}")
    tokens = np.zeros(INSTRUCTION_TOKENS, np.int32) if out is None else out
    tokens[:] = 0
    tokens[: len(ids)] = ids
    return tokens


class MetaWorldRobot:
    """The Sawyer arm of the module docstring; `Robot` has the contract.

    Parameters
    ----------
    tasks:
        names from `TASKS`. Each gets an environment of its own, made when it is first used.
    end_on_success:
        the episode is over at the first tick that reports success (else at `MAX_TICKS` only).
    """

    spec: RobotSpec

    def __init__(self, tasks: Sequence[str], *, end_on_success: bool = True) -> None:
        if not tasks:
            raise ValueError(f"give at least one task of {', '.join(TASKS)}")
        for task in tasks:
            choose_task(task, tuple(TASKS))
        _import_metaworld()
        self.spec = RobotSpec(
            control_hz=CONTROL_HZ,
            observations=MappingProxyType(
                {
                    "depth": TensorSpec("f32", (IMAGE_SIZE, IMAGE_SIZE), 0.0, 1.0, "0 near, 1 far"),
                    "instruction": TensorSpec("i32", (INSTRUCTION_TOKENS,), 0, VOCABULARY_SIZE - 1, "token"),
                    "proprio": TensorSpec("f32", (8,), -1.0, 1.5, "m, m, m, opening; then one tick ago"),
                }
            ),
            action=TensorSpec("f32", (4,), -1.0, 1.0, "cm per tick (x, y, z), gripper effort"),
            tasks=tuple(tasks),
        )
        self._end_on_success = end_on_success
        self._camera = DepthCamera(**CAMERA)
        self._bodies: dict[str, GymnasiumRobot] = {}
        self._body: GymnasiumRobot | None = None
        self._instruction = np.zeros(INSTRUCTION_TOKENS, np.int32)
        self._proprio = np.zeros(8, np.float32)
        self._hold = np.zeros(4, np.float32)
        self.instruction_text = ""

    def reset(self, *, task: str | None, seed: int) -> None:
        """See `Robot.reset`. The arm always starts at the same place; what lies where depends on the seed."""
        name = choose_task(task, self.spec.tasks)
        if name not in self._bodies:
            self._bodies[name] = _make_body(name, self._end_on_success)
        self._body = body = self._bodies[name]
        layout = _draw_layout(body.env._random_reset_space, name, seed)
        body.env._last_rand_vec = layout
        body.reset(task=None, seed=seed)
        _refresh(body.env)
        goal_cm = np.rint(np.asarray(body.env._target_pos) * 100.0).astype(int)
        self.instruction_text = TASKS[name].instruction.format(x=goal_cm[0], y=goal_cm[1], z=goal_cm[2])
        tokenize(self.instruction_text, self._instruction)
        self._proprio[:4] = self._proprio[4:] = body.latest[:4]
        self._hold[:] = (0.0, 0.0, 0.0, -1.0)

    def observe(self, name: str, out: np.ndarray) -> None:
        """See `Robot.observe`. ``depth`` casts 4096 rays, a few milliseconds; the others are copies."""
        spec = find_observation(name, self.spec.observations)
        spec.require(name, out)
        body = self._current()
        if name == "depth":
            self._camera.read(body.env.model, body.env.data, out)
        elif name == "instruction":
            out[...] = self._instruction
        else:
            out[...] = self._proprio

    def act(self, action: np.ndarray) -> StepResult:
        """See `Robot.act`. Success is MetaWorld's ``info["success"]`` at this tick."""
        body = self._current()
        result = body.act(action)
        self._proprio[4:] = self._proprio[:4]
        self._proprio[:4] = body.latest[:4]
        self._hold[3] = min(max(float(action[3]), -1.0), 1.0)
        return result

    def hold(self) -> StepResult:
        """See `Robot.hold`: no displacement, the last gripper effort (open before any action)."""
        return self.act(self._hold)

    def telemetry(self) -> Mapping[str, float]:
        """See `Robot.telemetry`: the hand in metres, the gripper opening, the distance left in metres."""
        hand = self._proprio
        remaining = self._body.info.get("obj_to_target", 0.0) if self._body else 0.0
        return {
            "hand_x": float(hand[0]),
            "hand_y": float(hand[1]),
            "hand_z": float(hand[2]),
            "gripper": float(hand[3]),
            "goal_distance": float(remaining),
        }

    def close(self) -> None:
        """See `Robot.close`."""
        for body in self._bodies.values():
            body.close()
        self._bodies.clear()
        self._body = None

    def privileged_state(self) -> np.ndarray:
        """MetaWorld's own 39 numbers, with object and goal pose, f64 ``[39]``. Not a copy.

        Scripted experts and training targets need it. It is not an observation, and no policy gets it.
        """
        state: np.ndarray = self._current().latest
        return state

    def _current(self) -> GymnasiumRobot:
        if self._body is None:
            raise RuntimeError("no episode has begun: call reset first")
        return self._body


def robot(
    tasks: Sequence[str] = ("button-press", "drawer-open", "pick-place"), *, end_on_success: bool = True
) -> MetaWorldRobot:
    """Make the arm (entry point ``metaworld``); the parameters are those of `MetaWorldRobot`."""
    return MetaWorldRobot(tasks, end_on_success=end_on_success)


def _import_metaworld() -> Any:
    try:
        import mujoco  # noqa: F401
        from metaworld import env_dict
    except ImportError as error:
        raise ImportError(
            f"the MetaWorld robot needs an extra ({error}): pip install 'polyrhythm[metaworld]'"
        ) from error
    return env_dict


def _make_body(task: str, end_on_success: bool) -> GymnasiumRobot:
    env = _import_metaworld().ALL_V3_ENVIRONMENTS[TASKS[task].env]()
    # The flags that `set_task` would set: take the layout as given, and include the goal in the state.
    env._set_task_called = True
    env._freeze_rand_vec = True
    env._partially_observable = False
    env.__dict__.pop("sawyer_observation_space", None)
    return GymnasiumRobot(env, control_hz=CONTROL_HZ, task=task, end_on_success=end_on_success)


def _draw_layout(space: Any, task: str, seed: int) -> np.ndarray:
    """Where object and goal are in episode `seed`, uniform in the task's box.

    As in MetaWorld, a layout whose goal is within 15 cm of the object (in the plane) is drawn again.
    """
    rng = np.random.default_rng([zlib.crc32(task.encode()), seed])
    while True:
        layout: np.ndarray = rng.uniform(space.low, space.high)
        if layout.size < 6 or np.hypot(*(layout[:2] - layout[3:5])) >= 0.15:
            return layout


def _refresh(env: Any) -> None:
    """Bring positions up to date: some tasks move a body at reset without computing what follows from it."""
    import mujoco

    mujoco.mj_forward(env.model, env.data)
