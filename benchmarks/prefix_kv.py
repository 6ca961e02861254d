"""What it saves to compute the prefix of a policy once per chunk, and not at every step.

The policy is `examples/flow_policy` at size ``base`` (298 M parameters, drawn; the machine code reads 1.2
GB of weights from a mapped file). A chunk with reuse is one prefill and n steps; without, every step has a
prefill before it. Both go through the same hal queue with the same compiled stages, and are held against
what prefill and step take alone, measured right before and after. All is the time from end to end on one
core, less the time that other processes had it; the median over rounds counts.

The specification's example: prefill 46 ms, step 6 ms, n = 5: 260 ms without reuse and 76 ms with it.

``--quick`` measures the size ``small`` (1 M parameters), since ``base`` takes minutes to compile and to run.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from statistics import median

import numpy as np
from flow_modules import Module, drawn, flow_model, own_ms
from measure import Figure, arguments, finish

STEPS = range(1, 11)
SPECIFIED_MS = (46.0, 6.0)
STAGES = ("begin", "prefill", "step", "finish")


@dataclass
class Measured:
    """Milliseconds of every round: the two stages alone, and chunks of n steps with and without reuse."""

    prefill: list[float] = field(default_factory=list)
    step: list[float] = field(default_factory=list)
    reuse: list[float] = field(default_factory=list)
    again: list[float] = field(default_factory=list)

    def off_percent(self, steps: int, *, reuse: bool) -> float:
        """How far chunks are from the sum of their parts: the median over rounds."""
        ratios = []
        for prefill, step, *chunks in zip(self.prefill, self.step, self.reuse, self.again, strict=True):
            parts = prefill + steps * step if reuse else steps * (prefill + step)
            ratios.append(chunks[0 if reuse else 1] / parts)
        return 100.0 * (median(ratios) - 1.0)


def one_round(module: Module, steps: int, found: Measured) -> None:
    """A chunk each way; prefill and step alone before and after: the speed of a shared machine drifts."""
    module.arrays["dt"][...] = 1.0 / steps
    with_reuse = module.chunk(["begin", "prefill"], "step", steps)
    without = module.chunk(["begin"], "step", steps, every_step=["prefill"])
    module.run([module.calls["begin"]])
    before = _alone(module)
    found.reuse.append(own_ms(module.run(with_reuse)))
    kv = module.arrays["kv"].copy()
    found.again.append(own_ms(module.run(without)))
    for values, *twice in zip((found.prefill, found.step), before, _alone(module), strict=True):
        values.append(sum(twice) / 2)
    # The other prefills wrote the same, and no step wrote anything there.
    if not np.array_equal(kv, module.arrays["kv"]) or not np.isfinite(module.arrays["actions"]).all():
        raise SystemExit("the prefix KV changed, or the actions are not finite")


def _alone(module: Module) -> tuple[float, float]:
    """Milliseconds of prefill and step."""
    steps = [module.calls["step"], module.calls["step'"]] * 2
    return own_ms(module.run([module.calls["prefill"]])), own_ms(module.run(steps)) / len(steps)


def table(measured: dict[int, Measured]) -> None:
    """The latencies, beside the specification's example."""
    print(f"{'n':>3} {'with reuse':>12} {'without':>12} {'ratio':>7}    {'46 ms and 6 ms':>20} {'ratio':>7}")
    for steps, found in measured.items():
        ours = median(found.again), median(found.reuse)
        prefill, step = SPECIFIED_MS
        theirs = steps * (prefill + step), prefill + steps * step
        print(
            f"{steps:>3} {ours[1]:>9.1f} ms {ours[0]:>9.1f} ms {ours[0] / ours[1]:>7.2f}"
            f"    {theirs[0]:>8.0f} -> {theirs[1]:>5.0f} ms {theirs[0] / theirs[1]:>7.2f}"
        )


def main() -> int:
    """Run all."""
    options = arguments("Chunk latency with and without reuse of the prefix's keys and values.")
    size, rounds = ("small", 40) if options.quick else ("base", 3)
    module = drawn(size, STAGES)
    one_round(module, 1, Measured())
    measured = {steps: Measured() for steps in STEPS}
    for _ in range(rounds):
        for steps, found in measured.items():
            one_round(module, steps, found)
    entry = module.executable.entries["step"]
    kv_bytes = module.arrays["kv"].nbytes
    module.device.close()
    if not options.json:
        count = sum(int(np.prod(shape)) for shape in flow_model.shapes(flow_model.SIZES[size]).values())
        print(f"size {size}, {count / 1e6:.1f} M parameters, one core, medians of {rounds} rounds")
        table(measured)
    figures = [
        Figure("prefill alone", median(x for found in measured.values() for x in found.prefill), "ms"),
        Figure("step alone", median(x for found in measured.values() for x in found.step), "ms"),
        Figure("prefix KV", kv_bytes / 1e6, "MB"),
        Figure("a step's scratch", entry.scratch_bytes / 1e6, "MB"),
    ]
    for name, reuse in (
        ("with reuse, off prefill + n step", True),
        ("without, off n (prefill + step)", False),
    ):
        worst = max((found.off_percent(n, reuse=reuse) for n, found in measured.items()), key=abs)
        figures.append(Figure(f"{name}, largest of n = 1..10", abs(worst), "%", 10.0))
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
