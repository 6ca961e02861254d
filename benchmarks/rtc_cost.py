"""What guidance costs: chunks drawn toward the one being played, against plain chunks of the same steps.

Two policies, the trained flow policy and the head of the dual-system example: every round times a plain
chunk, one guided with the Jacobian left out (``identity``), a plain one and one guided by ``vjp``. What
counts is the median over rounds of the ratio, of chunks for identity and of their steps alone for vjp, in
times from end to end on one core less the time that other processes had it.

Then everything that may differ from chunk to chunk does: delay, stride, schedule, beta and number of steps
are drawn anew for 200 chunks, which must come out finite. Nothing may be compiled or loaded for that: the
compiler, `Device.load` and `Executable.bind` are counted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any
from unittest.mock import patch

import numpy as np
from flow_modules import EXAMPLES, Module, of_policy, own_ms
from measure import Figure, arguments, finish

from polyrhythm.chunks import guidance
from polyrhythm.compile import iree_compiler, machine
from polyrhythm.hal.drivers.iree import IreeDevice, IreeExecutable

FLOW, DUAL = "flow_policy/policy.py", "dual_system/policy.py"
STEPS = 5
SCHEDULES = ("exp", "linear", "ones", "zeros")
#: Largest ratios that are allowed.
IDENTITY, VJP = 1.03, 2.4


class Head:
    """A module and how its chunks are made."""

    def __init__(
        self, name: str, description: str, key: str, first: Sequence[str], first_guided: Sequence[str]
    ) -> None:
        self.name, self.first, self.first_guided = name, first, first_guided
        names = {*first, *first_guided, "step", "step_identity", "step_vjp", "finish"}
        self.module: Module = of_policy(EXAMPLES / description, key, sorted(names))
        self.horizon = len(self.module.arrays["x"])
        set_guidance(
            self.module, delay=2, overlap_end=self.horizon - 4, schedule="exp", beta=5.0, steps=STEPS
        )

    def costs(self, rounds: int) -> list[Figure]:
        """Ratios of guided to plain."""
        plain = self.module.chunk(self.first, "step", STEPS)
        identity = self.module.chunk(self.first_guided, "step_identity", STEPS)
        vjp = self.module.chunk(self.first_guided, "step_vjp", STEPS)
        found: dict[str, list[float]] = {"plain": [], "steps": [], "identity": [], "vjp": []}
        for index in range(rounds):
            # Plain chunks around the guided one: the speed of a shared machine drifts.
            first, guided, second = (self.module.run(calls) for calls in (plain, identity, plain))
            pulled = self.module.run(vjp)
            if index == 0:
                continue
            found["plain"].append((own_ms(first) + own_ms(second)) / 2)
            found["steps"].append(own_ms(second[len(self.first) : -1]))
            found["identity"].append(own_ms(guided) / found["plain"][-1])
            found["vjp"].append(own_ms(pulled[len(self.first_guided) : -1]) / found["steps"][-1])
        return [
            Figure(f"{self.name}: plain chunk of {STEPS} steps", median(found["plain"]), "ms"),
            Figure(f"{self.name}: its steps", median(found["steps"]), "ms"),
            Figure(
                f"{self.name}: chunk guided by identity over plain", median(found["identity"]), "x", IDENTITY
            ),
            Figure(f"{self.name}: vjp steps over plain steps", median(found["vjp"]), "x", VJP),
        ]

    def change_everything(self, chunks: int) -> None:
        """Chunks with another delay, stride, schedule, beta and number of steps each."""
        rng = np.random.default_rng(0)
        for _ in range(chunks):
            delay = int(rng.integers(0, self.horizon // 2 + 1))
            stride = int(rng.integers(max(1, delay), self.horizon - delay + 1))
            steps = int(rng.integers(1, 21))
            schedule, beta = str(rng.choice(SCHEDULES)), float(rng.uniform(1.0, 100.0))
            set_guidance(
                self.module, delay=delay, overlap_end=self.horizon - stride, schedule=schedule, beta=beta,
                steps=steps,
            )  # fmt: skip
            step = str(rng.choice(["step_identity", "step_vjp"]))
            self.module.run(self.module.chunk(self.first_guided, step, steps))
            if not np.isfinite(self.module.arrays["actions"]).all():
                raise SystemExit(
                    f"{self.name}: not finite at {delay=} {stride=} {schedule=} {beta=} {steps=}"
                )


def set_guidance(
    module: Module, *, delay: int, overlap_end: int, schedule: Any, beta: float, steps: int
) -> None:
    """Write what the runtime feeds for a chunk."""
    arrays = module.arrays
    arrays["weights"][...] = guidance.weights(schedule, delay, overlap_end, len(arrays["weights"]))
    arrays["beta"][...] = beta
    arrays["dt"][...] = 1.0 / steps


@contextmanager
def counted() -> Iterator[dict[str, int]]:
    """Counts calls of the compiler, of `load` and of `bind` while it is entered."""
    counts: dict[str, int] = {}
    watched = (
        (machine, "compile_source"), (iree_compiler, "_run"), (IreeDevice, "load"), (IreeExecutable, "bind"),
    )  # fmt: skip

    def counting(name: str, original: Any) -> Any:
        def call(*args: Any, **named: Any) -> Any:
            counts[name] = counts.get(name, 0) + 1
            return original(*args, **named)

        return call

    patches = [patch.object(owner, name, counting(name, getattr(owner, name))) for owner, name in watched]
    for item in patches:
        item.start()
    try:
        yield counts
    finally:
        for item in patches:
            item.stop()


def main() -> int:
    """Run all."""
    options = arguments("Cost of guided chunks over plain ones.")
    rounds, chunks = (40, 100) if options.quick else (300, 1000)
    with counted() as made:
        heads = [
            Head("flow policy", FLOW, "policy", ["begin", "prefill"], ["begin_guided", "prefill"]),
            Head("dual system", DUAL, "dit", ["start"], ["start"]),
        ]
    if not made.get("bind"):
        raise SystemExit("the counter does not count")
    figures = [figure for head in heads for figure in head.costs(rounds)]
    with counted() as made:
        for head in heads:
            head.change_everything(chunks)
    figures.append(
        Figure(
            f"compiled, loaded or bound for {chunks * len(heads)} changes", float(sum(made.values())), "", 0.0
        )
    )
    for head in heads:
        head.module.device.close()
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
