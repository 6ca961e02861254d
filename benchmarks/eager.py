"""The same policy, weights and noise: compiled ahead of time, and op by op in an eager framework.

Chunks of five steps of the flow policy, in turns on one core: through the hal (`ours`), in JAX without
`jit` (`eager JAX`: every operation is dispatched by itself, as in any eager framework) and, for
information, in JAX with each stage under `jit`. With PyTorch installed (``pip install torch``), `eager
PyTorch` runs too, written as one would write it there (and with ``--quick`` instead of eager JAX, which is
slow). All must give the same actions. Latencies are wall clock, from before the first stage is submitted
until the actions are there, so neighbours on a busy machine show in every p99 alike.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from time import perf_counter_ns

import numpy as np
from flow_modules import EXAMPLES, Module, flow_model, of_policy, policy
from measure import Figure, arguments, cores, finish, quantile

STEPS = 5
INPUTS = ("depth", "instruction", "proprio", "noise")
Inputs = dict[str, np.ndarray]
Chunk = Callable[[Inputs], np.ndarray]


def ours(module: Module) -> Chunk:
    """Through the hal."""
    calls = module.chunk(["begin", "prefill"], "step", STEPS)
    module.arrays["dt"][...] = 1.0 / STEPS

    def chunk(inputs: Inputs) -> np.ndarray:
        for name in INPUTS:
            module.arrays[name][...] = inputs[name]
        module.run(calls)
        return module.arrays["actions"].copy()

    return chunk


def in_jax(params: Inputs, *, jit: bool) -> Chunk:
    """The functions that were compiled, as JAX runs them itself."""
    import jax

    entries = policy.module(flow_model.SIZES["small"], params).entries
    wrap = jax.jit if jit else (lambda fn: fn)
    begin, prefill, step, end = (wrap(entries[name].fn) for name in ("begin", "prefill", "step", "finish"))
    weights = {name: jax.numpy.asarray(array) for name, array in params.items()}

    def chunk(inputs: Inputs) -> np.ndarray:
        depth, instruction, proprio, noise = (jax.numpy.asarray(inputs[name]) for name in INPUTS)
        x, t = begin(weights, noise)
        kv = prefill(weights, depth, instruction)
        for _ in range(STEPS):
            x, t = step(weights, kv, proprio, x, t, np.float32(1.0 / STEPS))
        return np.asarray(end(weights, x))

    def op_by_op(inputs: Inputs) -> np.ndarray:
        with jax.disable_jit():
            return chunk(inputs)

    return chunk if jit else op_by_op


def in_torch(params: Inputs) -> Chunk | None:
    """The same in PyTorch; None if it isn't installed."""
    try:
        import torch
    except ImportError:
        return None
    from flow_torch import TorchPolicy

    torch.set_num_threads(1)
    model = TorchPolicy(flow_model.SIZES["small"], params)

    def chunk(inputs: Inputs) -> np.ndarray:
        with torch.inference_mode():
            found: np.ndarray = model.chunk(
                *(torch.from_numpy(np.array(inputs[name])) for name in INPUTS), STEPS
            ).numpy()
        return found

    return chunk


def draw(rng: np.random.Generator) -> Inputs:
    """Inputs of a chunk."""
    return {
        "depth": rng.random((flow_model.IMAGE, flow_model.IMAGE), np.float32),
        "instruction": rng.integers(0, 20, flow_model.WORDS).astype(np.int32),
        "proprio": rng.random(flow_model.PROPRIO, np.float32),
        "noise": rng.standard_normal((flow_model.HORIZON, flow_model.ACTION), np.float32),
    }


def main() -> int:
    """Run all."""
    options = arguments("Chunk latency against the same policy in eager frameworks.")
    # Before a framework starts threads of its own.
    os.sched_setaffinity(0, {cores()[1]})
    with_weights, names = EXAMPLES / "flow_policy" / "policy.py", ["begin", "prefill", "step", "finish"]
    module = of_policy(with_weights, "policy", names)
    params = dict(policy.policy().modules["policy"].parameters)
    pytorch = in_torch(params)
    ways: dict[str, Chunk | None] = {
        "ours": ours(module),
        "eager JAX": None if options.quick and pytorch else in_jax(params, jit=False),
        "eager PyTorch": pytorch,
        "JAX, each stage under jit": in_jax(params, jit=True),
    }
    chunks = {name: way for name, way in ways.items() if way is not None}
    rng, times = np.random.default_rng(0), {name: list[float]() for name in chunks}
    for index in range(210 if options.quick else 1010):
        inputs, wanted = draw(rng), None
        for name, chunk in chunks.items():
            start = perf_counter_ns()
            actions = chunk(inputs)
            took = (perf_counter_ns() - start) / 1e6
            if index >= 10:
                times[name].append(took)
            wanted = actions if wanted is None else wanted
            if not np.allclose(actions, wanted, atol=1e-3):
                raise SystemExit(f"{name} differs by {np.abs(actions - wanted).max():.2g}")
    module.device.close()
    figures = []
    for name, values in times.items():
        p50, p99 = quantile(values, 0.5), quantile(values, 0.99)
        figures.append(Figure(f"{name}: chunk, p50", p50, "ms"))
        figures.append(Figure(f"{name}: chunk, p99", p99, "ms"))
        figures.append(Figure(f"{name}: p99 over p50", p99 / p50, "x"))
    for name in ("eager JAX", "eager PyTorch"):
        if name in times:
            ratio = quantile(times[name], 0.5) / quantile(times["ours"], 0.5)
            figures.append(Figure(f"{name} over ours, p50", ratio, "x", 1.0, at_least=True))
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
