"""Guided steps as machine code: the golden vectors, and what each method promises, in float32."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.bundle import Bundle
from polyrhythm.chunks.guidance import euler, weights
from polyrhythm.compile import build
from polyrhythm.compile.flow import euler_step, guided_step
from polyrhythm.hal import Device, DeviceConfig, driver
from polyrhythm.memory import Arena

from .conftest import write_policy

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "rtc.json").read_text())["linear_flow"]
MANIFEST = """\
orchestration:
  modules:
  - { id: linear, vmfb: linear.vmfb, entry: step, steps: 5, rate_hz: 1 }
  - { id: bent, vmfb: bent.vmfb, entry: step_vjp, steps: 5, rate_hz: 1 }
  links:
  - { from: runtime.dt, to: linear.dt }
  - { from: runtime.dt, to: bent.dt }
"""
POLICY = f"""\
import jax.numpy as jnp
import numpy as np

from polyrhythm.compile import EntrySource, ModuleSource, Policy
from polyrhythm.compile.flow import euler_step, guided_step

SCALAR = ("f32", ())


def linear(p, x, t):
    return p["M"] @ x + p["b"]


def bent(p, x, t):
    return jnp.tanh(3.0 * p["W"] @ x) * (1.0 + jnp.broadcast_to(t, (8,))[:, None])


def entries(velocity, shape, methods):
    x = ("f32", shape)
    plain = {{"x": x, "t": SCALAR, "dt": SCALAR}}
    guided = {{**plain, "target": x, "weights": ("f32", shape[:1]), "beta": SCALAR}}
    found = {{"step": EntrySource(euler_step(velocity), plain, ("x", "t"), samples=times)}}
    for method in methods:
        found[f"step_{{method}}"] = EntrySource(
            guided_step(velocity, method), guided, ("x", "t"), samples=times, guidance=method
        )
    return found


def times(rng):
    return {{"t": np.float32(rng.integers(5) / 5), "dt": np.float32(0.2)}}


def policy():
    matrix, bias = {GOLDEN["M"]}, {GOLDEN["b"]}
    weights = np.random.default_rng(13).standard_normal((8, 8)).astype(np.float32)
    known = {{"M": np.array(matrix, np.float32), "b": np.array(bias, np.float32)[:, None]}}
    return Policy(
        "manifest.yaml",
        {{
            "linear": ModuleSource(known, entries(linear, (4, 1), ("identity", "vjp"))),
            "bent": ModuleSource(
                {{"W": weights}},
                entries(bent, (8, 3), ("identity", "vjp", "hard", "trained", "ramp")),
            ),
        }},
    )
"""


class Sampler:
    """One module on a device, loaded once; each entry is bound once, whatever it is called with."""

    def __init__(self, device: Device, bundle: Bundle, module: str) -> None:
        locked = bundle.module(f"{module}.vmfb")
        self._entries = locked.entries
        files = bundle.parameters(bundle.manifest.orchestration.module(module))
        executable = device.load(bundle.artefacts[f"{module}.vmfb"], tuple(self._entries.values()), files)
        self._queue, self._arena = device.queue(), Arena(1 << 16)
        self._calls, self._arrays = {}, {}
        for name, entry in self._entries.items():
            ins = {t.name: self._arena.take(name, "input", t) for t in entry.inputs}
            outs = {t.name: self._arena.take(name, "output", t) for t in entry.outputs}
            scratch = entry.scratch_bytes and self._arena.take(name, "scratch", entry.scratch_bytes)
            buffers = [[device.buffer(a) for a in arrays.values()] for arrays in (ins, outs)]
            room = device.buffer(scratch) if entry.scratch_bytes else None
            self._calls[name] = executable.bind(name, *buffers, room)
            self._arrays[name] = ins, outs

    def sample(self, entry: str, x: np.ndarray, steps: int, **fixed: object) -> list[np.ndarray]:
        """x before the first and after every step of a flow of `steps` steps."""
        ins, outs = self._arrays[entry]
        path, t = [np.asarray(x, np.float32)], np.float32(0.0)
        for _ in range(steps):
            given = {"x": path[-1], "t": t, "dt": np.float32(1 / steps), **fixed}
            for name, array in ins.items():
                array[...] = given[name]
            assert self._queue.submit(self._calls[entry]).wait(10**10)
            path.append(outs["x"].copy())
            t = outs["t"].copy()
        np.testing.assert_allclose(t, 1.0, rtol=0, atol=1e-6)
        return path

    def close(self) -> None:
        self._queue.close(10**9)


@pytest.fixture(scope="module")
def flows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Sampler]]:
    root = tmp_path_factory.mktemp("flow")
    bundle = build(write_policy(root / "source", POLICY, MANIFEST), root / "bundle")
    device = driver("iree").open(DeviceConfig("flow", "local-sync"))
    found = {name: Sampler(device, bundle, name) for name in ("linear", "bent")}
    yield found
    for sampler in found.values():
        sampler.close()
    device.close()


def test_the_golden_linear_flow_and_nothing_is_compiled_between_cases(
    flows: dict[str, Sampler], cache: Path
) -> None:
    """All schedules, both Jacobians, 1, 5 and 10 steps, different delays and overlaps: 1e-4."""
    before = sorted(cache.rglob("*"))
    x, target = np.array(GOLDEN["x0"])[:, None], np.array(GOLDEN["Y"])[:, None]
    seen = set()
    for case in GOLDEN["cases"]:
        fixed = {
            "target": target, "beta": case["beta"],
            "weights": weights(case["schedule"], case["d"], case["overlap_end"], 4),
        }  # fmt: skip
        entry = "step" if case["jacobian"] == "none" else f"step_{case['jacobian']}"
        found = flows["linear"].sample(entry, x, case["steps"], **fixed)[-1]
        np.testing.assert_allclose(found[:, 0], case["x"], rtol=0, atol=1e-4, err_msg=str(case))
        seen.add((case["jacobian"], case["schedule"], case["steps"]))
    assert len(GOLDEN["cases"]) == 36 and len(seen) == 27
    assert sorted(cache.rglob("*")) == before


@pytest.fixture
def case() -> tuple[np.ndarray, np.ndarray]:
    """Noise and target f32 ``[8, 3]``."""
    noise, target = np.random.default_rng(2).standard_normal((2, 8, 3)).astype(np.float32)
    return noise, target


@pytest.mark.parametrize("method", ["identity", "vjp", "hard", "trained", "ramp"])
def test_case_13_finite_for_any_beta_and_step_count(flows, case, method: str) -> None:
    noise, target = case
    mask = weights("exp", 2, 6, 8)
    for beta in (1.0, 5.0, 30.0, 100.0):
        for steps in (1, 2, 5, 20):
            fixed = {"target": target, "weights": mask, "beta": beta}
            found = flows["bent"].sample(f"step_{method}", noise, steps, **fixed)[-1]
            assert np.isfinite(found).all(), (beta, steps)


def test_identity_and_vjp_agree_with_the_pure_reference(flows, case) -> None:
    noise, target = case
    matrix = np.random.default_rng(13).standard_normal((8, 8)).astype(np.float32).astype(np.float64)

    def velocity(x, t):
        return np.tanh(3 * matrix @ x) * (1 + t)

    def pullback(x, t, error):
        return error + (1 - t) * (1 + t) * 3 * matrix.T @ ((1 - np.tanh(3 * matrix @ x) ** 2) * error)

    for steps in (1, 3, 5):
        for method in ("identity", "vjp"):
            mask = weights("exp", 1, 5, 8)
            fixed = {"target": target, "weights": mask, "beta": 2.0}
            wanted = euler(
                velocity, noise.astype(np.float64), target.astype(np.float64), mask,
                steps=steps, beta=2.0, pullback=pullback if method == "vjp" else None,
            )  # fmt: skip
            found = flows["bent"].sample(f"step_{method}", noise, steps, **fixed)[-1]
            # The Jacobian of this flow is as large as 20: float32 loses a digit at each step.
            np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3 * np.abs(wanted).max())


@pytest.mark.parametrize("method", ["identity", "vjp", "hard", "trained", "ramp"])
def test_without_weight_every_method_is_the_plain_flow(flows, case, method: str) -> None:
    noise, target = case
    plain = flows["bent"].sample("step", noise, 5)[-1]
    fixed = {"target": target, "weights": np.zeros(8), "beta": 5.0}
    found = flows["bent"].sample(f"step_{method}", noise, 5, **fixed)[-1]
    np.testing.assert_allclose(found, plain, rtol=0, atol=1e-5)


@pytest.mark.parametrize("steps", [1, 3, 5, 7, 20])
@pytest.mark.parametrize("method", ["hard", "trained"])
def test_given_ticks_end_at_the_target(flows, case, method: str, steps: int) -> None:
    noise, target = case
    fixed = {"target": target, "weights": weights("zeros", 3, 8, 8), "beta": 5.0}
    path = flows["bent"].sample(f"step_{method}", noise, steps, **fixed)
    if method == "trained":
        for x in path[1:]:
            np.testing.assert_array_equal(x[:3], target[:3])
    else:
        # Along the straight line: where x is after i of n steps is known.
        for i, x in enumerate(path):
            line = noise[:3] + i / steps * (target[:3] - noise[:3])
            np.testing.assert_allclose(x[:3], line, rtol=0, atol=1e-5)
    assert np.abs(path[-1][3:] - target[3:]).max() > 0.1, "the others are free"


def test_trained_shows_the_head_given_ticks_at_time_one(flows, case) -> None:
    """By hand: with ``v = tanh(3 W x) (1 + t)`` one step from t = 0 moves free ticks by tanh of what they
    see, which for the given ones is the target."""
    noise, target = case
    matrix = np.random.default_rng(13).standard_normal((8, 8)).astype(np.float32)
    fixed = {"target": target, "weights": weights("zeros", 3, 8, 8), "beta": 5.0}
    found = flows["bent"].sample("step_trained", noise, 1, **fixed)[-1]
    shown = np.concatenate([target[:3], noise[3:]])
    np.testing.assert_allclose(found[3:], noise[3:] + np.tanh(3 * matrix @ shown)[3:], rtol=0, atol=1e-5)


def test_ramp_begins_at_the_target_and_moves_less_the_more_weight(flows, case) -> None:
    noise, target = case
    mask = weights("linear", 2, 6, 8).astype(np.float32)
    path = flows["bent"].sample("step_ramp", noise, 5, target=target, weights=mask, beta=5.0)
    for x in path[1:]:
        np.testing.assert_array_equal(x[:2], target[:2])
    matrix = np.random.default_rng(13).standard_normal((8, 8)).astype(np.float32)
    begun = np.where(mask[:, None] > 0, target, noise)
    moved = 0.2 * (1 - mask[:, None]) * np.tanh(3 * matrix @ begun)
    np.testing.assert_allclose(path[1], begun + moved, rtol=0, atol=1e-5)


@pytest.mark.parametrize("method", ["identity", "vjp", "hard", "trained", "ramp"])
def test_conditions_come_between_parameters_and_x(method: str) -> None:
    """As many as the policy has: the step hands them to the velocity as they are."""
    rng = np.random.default_rng(1)
    x, target, image, word = rng.standard_normal((4, 8, 3)).astype(np.float32)

    def velocity(p, image, word, x, t):
        return p * x + image - 2 * word

    rest = (x, np.float32(0.4), np.float32(0.2), target, weights("exp", 2, 6, 8).astype(np.float32), 3.0)
    found, t = guided_step(velocity, method)(0.5, image, word, *rest)  # type: ignore[arg-type]
    closed, _ = guided_step(lambda p, x, t: velocity(0.5, image, word, x, t), method)(None, *rest)  # type: ignore[arg-type]
    np.testing.assert_allclose(found, closed, rtol=1e-6)
    assert t == pytest.approx(0.6)
    plain, _ = euler_step(velocity)(0.5, image, word, *rest[:3])
    np.testing.assert_allclose(plain, x + 0.2 * velocity(0.5, image, word, x, 0.4), rtol=1e-5)


def test_no_other_method() -> None:
    with pytest.raises(ValueError, match="no guidance is called 'full'; there are identity, vjp, hard"):
        guided_step(lambda p, x, t: x, "full")  # type: ignore[arg-type]
