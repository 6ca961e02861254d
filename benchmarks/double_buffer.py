"""What two chunk buffers are for: one chunk is made while another plays, the robot waits for the rest only.

A chunk plays for 1000 ms (48 control ticks at 48 Hz) and takes over at the `boundary`. Making it takes
76 ms or 1200 ms: the cost is injected, by a device of the driver `null` whose calls sleep, and all the rest
is the runtime in real time.

=============== ======== ============================================
making a chunk  buffers  the robot waits, at every boundary, for
=============== ======== ============================================
76 ms           2        0 ms
1200 ms         2        200 ms: what making takes longer than playing
76 ms           1        76 ms: all of it
=============== ======== ============================================

`check` has to say as much of the same bundle before the run (PC016). What is measured is the time from the
answer after the last action of one chunk to the first action of the next, if any tick between had none. A
chunk can begin on the control grid only, so that may be off by a tick. Of all boundaries the median counts:
a tick that another process delays is not the account's fault.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import numpy as np
from measure import Figure, arguments, compiled, finish, temporary

from polyrhythm.compile import lock_existing
from polyrhythm.robots import RobotSpec, StepResult, TensorSpec
from polyrhythm.runtime import Note, Runtime, check
from polyrhythm.schedule.events import Act, Command, Decelerate, Event, Hold

#: Neither 200 ms nor 76 ms are whole ticks, so that no measurement hangs on a microsecond.
CONTROL_HZ = 48
TICK_MS = 1000 / CONTROL_HZ
HORIZON = 48
#: What making takes (ms), buffers, and for how long the robot has to wait (ms).
CASES = ((76, 2, 0), (1200, 2, 200), (76, 1, 76))

SOURCE = """
func.func @chunk(%clock: tensor<1xf32>, %storage: tensor<HORIZONx1xf32> {iree.abi.output = 0 : index},
                 %scratch: !hal.buffer {iree.abi.transients}) -> tensor<HORIZONx1xf32> {
  %empty = tensor.empty() : tensor<HORIZONx1xf32>
  %now = tensor.extract_slice %clock[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %all = linalg.broadcast ins(%now : tensor<f32>) outs(%empty : tensor<HORIZONx1xf32>) dimensions = [0, 1]
  return %all : tensor<HORIZONx1xf32>
}
"""
MANIFEST = """
robot:
  use: gymnasium
  control_hz: {control_hz}
  observations:
    clock: {{ dtype: f32, shape: [1] }}
  action: {{ dtype: f32, shape: [1] }}
devices:
  model: {{ driver: "null", uri: "sleep_ns:{cost_ms}000000" }}
orchestration:
  mode: rtc
  modules:
  - id: policy
    vmfb: policy.vmfb
    entry: chunk
    rate_hz: 0.8
    cost_ms: {cost_ms}
    rtc: {{ swap: boundary, buffer_depth: {buffers} }}
  links:
  - {{ from: robot.clock, to: policy.clock }}
  - {{ from: policy.chunk, to: robot.action }}
"""


class Metronome:
    """A robot that counts, and whose episode is over after so many actions."""

    spec = RobotSpec(
        control_hz=float(CONTROL_HZ),
        observations={"clock": TensorSpec("f32", (1,))},
        action=TensorSpec("f32", (1,)),
        tasks=("count",),
    )

    def __init__(self, actions: int) -> None:
        self._left = actions
        self._ticks = 0

    def reset(self, *, task: str | None, seed: int) -> None:
        """One episode only."""

    def observe(self, name: str, out: np.ndarray) -> None:
        """The number of ticks."""
        out[:] = self._ticks

    def act(self, action: np.ndarray) -> StepResult:
        """Count."""
        self._left -= 1
        return self.hold()

    def hold(self) -> StepResult:
        """A tick passes."""
        self._ticks += 1
        return StepResult(success=not self._left, done=not self._left)

    def telemetry(self) -> Mapping[str, float]:
        """Nothing."""
        return {}

    def close(self) -> None:
        """Nothing."""


@dataclass
class Waits:
    """A listener: the ticks without an action before each chunk but the first, and how long they took."""

    ticks: list[int] = field(default_factory=list)
    times_ms: list[float] = field(default_factory=list)
    _chunk: tuple[int, int] | None = None
    _waited: int = 0
    _acted_ns: int = 0

    def step(self, event: Event, commands: list[Command]) -> None:
        """See `polyrhythm.runtime.Listener`."""
        for command in commands:
            if type(command) is Act:
                chunk = command.slot, command.tick - command.row
                if self._chunk not in (None, chunk):
                    self.ticks.append(self._waited)
                    gap_ms = (event.now_ns - self._acted_ns) / 1e6
                    self.times_ms.append(gap_ms - TICK_MS if self._waited else 0.0)
                self._chunk, self._waited, self._acted_ns = chunk, 0, event.now_ns
            elif type(command) in (Hold, Decelerate):
                self._waited += 1

    def note(self, note: Note) -> None:
        """The commands say it all."""


def measure(policy: Path, cost_ms: int, buffers: int, expected_ms: int, boundaries: int) -> list[Figure]:
    """One case: told and measured."""
    root = temporary()
    (root / "policy.vmfb").write_bytes(policy.read_bytes())
    text = MANIFEST.format(control_hz=CONTROL_HZ, cost_ms=cost_ms, buffers=buffers)
    (root / "manifest.yaml").write_text(text)
    lock_existing(root)
    checked = check(root)
    if checked.plan is None:
        raise SystemExit("\n".join(d.render() for d in checked.diagnostics))
    told = [d.message for d in checked.diagnostics if d.code == "PC016"]
    said = re.search(r"stalls for ([\d.]+) ms at every boundary", told[0]) if told else None
    told_ms = float(said[1]) if said else 0.0
    waits = Waits()
    with Runtime(checked.plan) as runtime:
        outcome = runtime.run(Metronome((boundaries + 1) * HORIZON), episodes=1, listeners=[waits])
    if outcome.reason != "complete" or len(waits.ticks) != boundaries:
        raise SystemExit(f"{outcome.reason}, {len(waits.ticks)} boundaries of {boundaries}")
    waited_ms = median(waits.times_ms)
    account = outcome.boundaries
    missing = abs(account.count - boundaries) + abs(account.stalled_ticks - sum(waits.ticks))
    name = f"{cost_ms} ms, {buffers} buffer{'s' * (buffers > 1)}"
    return [
        Figure(f"{name}: longest wait of {boundaries}", max(waits.times_ms), "ms"),
        Figure(f"{name}: wait at a boundary, median", waited_ms, "ms"),
        Figure(f"{name}: told by check, off {expected_ms} ms by", abs(told_ms - expected_ms), "ms", 0.0),
        Figure(
            f"{name}: measured, off {expected_ms} ms by",
            abs(waited_ms - expected_ms), "ms", TICK_MS if expected_ms else 0.0,
        ),
        Figure(f"{name}: what the account of the run lacks", missing, "", 0.0),
    ]  # fmt: skip


def main() -> int:
    """All cases."""
    options = arguments("Stalls at chunk boundaries, with one buffer and with two.")
    policy = compiled(SOURCE.replace("HORIZON", str(HORIZON)))
    figures = []
    for cost_ms, buffers, expected_ms in CASES:
        figures += measure(policy, cost_ms, buffers, expected_ms, 3 if options.quick else 21)
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
