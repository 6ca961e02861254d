"""How long does `check` take for 100 modules on 5 devices, linked in layers, proven for 5 power profiles?

The graph is as unkind as it is likely to be: every module of a layer reads two of the layer before, so that
the number of paths doubles with each of the 10 layers; rates have no common base; modules of one priority
share devices. All files, signatures, links, bounds, chains and advice are counted, and `check` starts from
nothing each time.

Beside it, a crowd: two devices that are full but for a ten thousandth, so that a wait has no end in sight,
most modules are late, and advice is sought for each.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time

from measure import Figure, arguments, compiled, finish, quantile, temporary

from polyrhythm.analysis.plan import _kept
from polyrhythm.compile import lock_existing
from polyrhythm.observe.blueprint import describe_check
from polyrhythm.observe.proofs import describe_proof
from polyrhythm.runtime import Checked, check
from polyrhythm.runtime.planning import check_plan

LAYERS, WIDTH, DEVICES, PROFILES = 10, 10, 5, 5
CROWD = 32
RATES_HZ = (3, 7, 10, 30, 50)

SOURCE = """
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %sum = arith.addf %a, %b : tensor<4xf32>
  return %sum : tensor<4xf32>
}
"""


def manifest() -> Iterator[str]:
    """Line by line."""
    yield "devices:"
    for device in range(DEVICES):
        yield f'  d{device}: {{ driver: "null", uri: immediate, in_flight: {1 + device % 2} }}'
    yield from profiles()
    yield "orchestration:"
    yield "  mode: parallel"
    yield "  modules:"
    for index in range(LAYERS * WIDTH):
        rate_hz = RATES_HZ[index % len(RATES_HZ)]
        yield (
            f"  - {{ id: m{index}, vmfb: m.vmfb, rate_hz: {rate_hz}, device: d{index % DEVICES}, "
            f"cost_ms: {0.2 + index % 7 / 10:.1f} }}"
        )
    yield "  links:"
    for index in range(WIDTH, LAYERS * WIDTH):
        layer, column = divmod(index, WIDTH)
        for port, step in (("input0", 0), ("input1", 1)):
            source = (layer - 1) * WIDTH + (column + step) % WIDTH
            yield f"  - {{ from: m{source}.output0, to: m{index}.{port} }}"
    yield "  qos:"
    for index in range(LAYERS * WIDTH):
        yield f"    m{index}: {index % 10}"


def profiles() -> Iterator[str]:
    """Each with rates, costs and dropped modules of its own."""
    yield "power:"
    yield "  profiles:"
    for profile in range(PROFILES):
        slower = ", ".join(f"m{profile + i}: 0.{5 + profile}" for i in range(0, LAYERS * WIDTH - WIDTH, 5))
        scale = ", ".join(f"d{device}: {1 + profile / 100}" for device in range(DEVICES))
        drop = ", ".join(f"m{LAYERS * WIDTH - 1 - i}" for i in range(profile))
        yield f"    p{profile}: {{ rate_scale: {{ {slower} }}, cost_scale: {{ {scale} }}, drop: [{drop}] }}"


def crowd() -> Iterator[str]:
    """Line by line: eight pairs of equals by priority, eight by deadline, in three profiles."""
    yield "devices:"
    for device, policy in enumerate(("fixed", "edf")):
        yield f'  d{device}: {{ driver: "null", uri: immediate, policy: {policy} }}'
    slower = "p1: { cost_scale: { d0: 0.9999 } }, p2: { rate_scale: { m0: 0.7 } }"
    yield f"power: {{ profiles: {{ p0: {{}}, {slower} }} }}"
    yield "orchestration:"
    yield "  modules:"
    for index in range(CROWD):
        rate_hz = (5, 7, 10, 20, 30, 50, 60, 100)[index // 4]
        yield (
            f"  - {{ id: m{index}, vmfb: m.vmfb, rate_hz: {rate_hz}, device: d{index % 2}, "
            f"cost_ms: {0.9999 * 2000 / CROWD / rate_hz:.6f} }}"
        )
    yield "  qos:"
    for index in range(CROWD):
        yield f"    m{index}: {index // 4}"


def crowded_s(root: Path) -> float:
    """What `check` takes for the crowd."""
    path = root / "crowd.yaml"
    path.write_text("\n".join(crowd()) + "\n")
    _kept.cache_clear()
    began = perf_counter()
    checked = check_plan(path)
    describe_proof(checked.proof)
    if {d.code for d in checked.diagnostics if d.is_error} != {"PC018"}:
        raise SystemExit("\n".join(d.render() for d in checked.diagnostics))
    return perf_counter() - began


def timed(root: Path) -> tuple[Checked, float, float]:
    """`check` from nothing; the seconds that it took, and those of the processor."""
    _kept.cache_clear()  # the bounds that a check keeps, since profiles share them
    began, worked = perf_counter(), process_time()
    checked = check(root)
    return checked, perf_counter() - began, process_time() - worked


def main() -> int:
    """Check it, again and again."""
    options = arguments("The time that `check` takes for 100 modules and 5 profiles.")
    root = temporary()
    compiled(SOURCE).rename(root / "m.vmfb")
    (root / "manifest.yaml").write_text("\n".join(manifest()) + "\n")
    lock_existing(root)
    took_s, told_s, worked_s = [], [], []
    for _ in range(5 if options.quick else 20):
        checked, seconds, worked = timed(root)
        began = perf_counter()
        found = describe_check(checked) | {"proof": describe_proof(checked.proof)}
        told_s.append(perf_counter() - began)
        took_s.append(seconds)
        worked_s.append(worked)
    if checked.plan is None or checked.proof is None:
        raise SystemExit("\n".join(d.render() for d in checked.diagnostics))
    proof, crowded = found["proof"], [crowded_s(root) for _ in range(3)]
    figures = [
        Figure("modules proven", len(proof["modules"]), "", LAYERS * WIDTH, at_least=True),
        Figure("power profiles", len(checked.plan.schedule.profiles), "", PROFILES, at_least=True),
        Figure("chains", len(proof["chains"]), ""),
        Figure("check, time of the processor, p50", quantile(worked_s, 0.5), "s"),
        Figure("making a table of it, p50", quantile(told_s, 0.5), "s"),
        Figure(f"check of {CROWD} modules on two full devices, p50", quantile(crowded, 0.5), "s", 2.0),
        Figure(f"check of {LAYERS * WIDTH} modules, p50", quantile(took_s, 0.5), "s", 1.0),
    ]
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
