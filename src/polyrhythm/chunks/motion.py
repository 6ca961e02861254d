"""What the robot is told between and at the edges of chunks: the step limit, and slowing down without one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

F64 = NDArray[np.float64]
Action = NDArray[np.generic]


@dataclass
class Boundaries:
    """The account of one run.

    Attributes:
        count: how often another chunk took over.
        largest_step: largest change from the last action to the first of a new chunk, by dimension, as it
            was executed.
        limited: how often, by dimension, the first action of a chunk was pulled back to `max_step`.
        limited_inside: likewise for actions inside a chunk, and while slowing down.
        stalls: how often the robot ran out of actions, once it had some.
        stalled_ticks: control ticks that this lasted, in all; `longest_stall_ticks` the longest.
    """

    count: int = 0
    largest_step: list[float] = field(default_factory=list)
    limited: list[int] = field(default_factory=list)
    limited_inside: list[int] = field(default_factory=list)
    stalls: int = 0
    stalled_ticks: int = 0
    longest_stall_ticks: int = 0


class Motion:
    """Follows the actions that leave; one episode after the other.

    Args:
        size: numbers of an action.
        max_step: largest change of each number from one tick to the next; None: no limit.
        kind: whether an action says where to be (``position``) or how fast to move (``velocity``).
        fade_ticks: how many ticks slowing down takes; a velocity takes more where `max_step` is too small.
        dtype: element type of an action.
    """

    def __init__(
        self,
        size: int,
        max_step: Sequence[float] | None = None,
        kind: Literal["position", "velocity"] = "position",
        fade_ticks: int = 10,
        dtype: DTypeLike = np.float32,
    ) -> None:
        self._dtype = np.dtype(dtype)
        self._whole = _whole_range(self._dtype)
        self.account = Boundaries(largest_step=[0.0] * size, limited=[0] * size, limited_inside=[0] * size)
        self.follow(max_step, kind, fade_ticks)
        self.reset()

    def follow(
        self, max_step: Sequence[float] | None, kind: Literal["position", "velocity"], fade_ticks: int
    ) -> None:
        """Other rules from the next action on; the motion goes on from the last one, as does the account."""
        self._limit = None if max_step is None else np.asarray(max_step, np.float64)
        self._kind: Literal["position", "velocity"] = kind
        self._fade_ticks = fade_ticks

    def reset(self) -> None:
        """An episode ended: there is no last action."""
        self._last: F64 | None = None
        self._before: F64 | None = None
        self._chunk: tuple[Hashable, int] | None = None
        self._gap = 0
        self._stands = False

    def act(self, action: Action, slot: Hashable, start_tick: int) -> Action:
        """The action to execute for `action` (``[size]``), which belongs to the chunk in `slot` that starts
        at `start_tick`."""
        boundary = self._chunk is not None and self._chunk != (slot, start_tick)
        self._chunk = (slot, start_tick)
        self._gap, self._stands = 0, False
        self.account.count += boundary
        return self._send(action.astype(np.float64), boundary)

    def hold(self) -> None:
        """A tick had no action, so the robot holds."""
        self._stall()
        self.stand()

    def stand(self) -> None:
        """The robot holds, actions or not: until the next one there is no motion to fade, and no speed."""
        self._stands = True
        if self._kind == "velocity":
            self._last = np.zeros(len(self.account.limited))

    def decelerate(self) -> Action | None:
        """Instead of an action: the last motion, fading; None once it has faded, or if there is none."""
        self._stall()
        last = self._last
        if last is not None and not self._stands:
            sent = self._send(self._slowed(last))
            if self._gap <= self._fade_ticks or not np.array_equal(sent, last, equal_nan=True):
                return sent
        self.stand()
        return None

    def _slowed(self, last: F64) -> F64:
        # Relative to the last tick, so that it falls in a line from the last motion to zero.
        left = max(0, self._fade_ticks - self._gap)
        fade = left / (left + 1)
        if self._kind == "velocity":
            return last * fade
        before = last if self._before is None else self._before
        return last + (last - before) * fade

    def _stall(self) -> None:
        if self._chunk is None:
            return
        account = self.account
        account.stalls += not self._gap
        self._gap += 1
        account.stalled_ticks += 1
        account.longest_stall_ticks = max(account.longest_stall_ticks, self._gap)

    def _send(self, wanted: F64, boundary: bool = False) -> Action:
        """`wanted` within the limit, as the robot takes it: of whole numbers the next toward the last."""
        last = self._last
        if last is not None:
            step = wanted - last
            taken = self._limited(step, boundary)
            if self._whole is not None:
                taken = np.trunc(taken)
            if boundary:
                self.account.largest_step = np.fmax(self.account.largest_step, np.abs(taken)).tolist()
            wanted = np.where(taken == step, wanted, last + taken)
        if self._whole is not None:
            wanted = np.clip(wanted, *self._whole)
        sent = wanted.astype(self._dtype)
        self._before, self._last = last, sent.astype(np.float64)
        return sent

    def _limited(self, step: F64, boundary: bool) -> F64:
        if self._limit is None:
            return step
        over = np.abs(step) > self._limit * (1 + 1e-9)
        if not over.any():
            return step
        counts = self.account.limited if boundary else self.account.limited_inside
        for dimension in map(int, np.flatnonzero(over)):
            counts[dimension] += 1
        return np.clip(step, -self._limit, self._limit)


def _whole_range(dtype: np.dtype[Any]) -> tuple[float, float] | None:
    """The least and the largest number of an integer type that float64 has too; None: it has fractions."""
    if dtype.kind == "f":
        return None
    least, largest = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    found = float(largest)
    return float(least), found if found <= largest else np.nextafter(found, 0.0)
