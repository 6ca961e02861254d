"""The flow policy: what its model promises, and that the committed bundles play."""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from polyrhythm.bundle import open_bundle

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "flow_policy"
BUNDLE = EXAMPLE / "bundle"
TASKS = {"button-press", "drawer-close"}


@pytest.fixture
def model(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLE))
    yield importlib.import_module("flow_model")
    for name in ("flow_model", "policy"):
        sys.modules.pop(name, None)


def inputs(model, rng):
    depth = rng.random((model.IMAGE, model.IMAGE), np.float32)
    instruction = rng.integers(0, model.VOCABULARY, model.WORDS)
    x = rng.standard_normal((model.HORIZON, model.ACTION), np.float32)
    return depth, instruction, rng.random(model.PROPRIO, np.float32), x


def test_a_size_is_what_it_says(model):
    count = {
        name: sum(int(np.prod(shape)) for shape in model.shapes(size).values())
        for name, size in model.SIZES.items()
    }
    assert 270e6 < count["base"] < 330e6
    assert 4 * count["small"] < 5e6
    assert {name: array.shape for name, array in model.init(model.SIZES["tiny"], 0).items()} == model.shapes(
        model.SIZES["tiny"]
    )


def test_attention_over_prefix_and_suffix_apart_is_attention_over_both_joined(model):
    rng = np.random.default_rng(0)
    query, *rest = (rng.standard_normal((2, n, 8), np.float32) for n in (5, 7, 7, 3, 3))
    apart = model._attend(query, (rest[0], rest[1]), (rest[2], rest[3]))
    joined = model._attend(query, (np.concatenate(rest[0::2], 1), np.concatenate(rest[1::2], 1)))
    np.testing.assert_allclose(apart, joined, atol=1e-6)


def test_image_instruction_and_body_all_matter(model):
    jnp = pytest.importorskip("jax.numpy")
    size, rng = model.SIZES["tiny"], np.random.default_rng(1)
    params = {name: jnp.asarray(array) for name, array in model.init(size, 0).items()}
    first, second = inputs(model, rng), inputs(model, rng)

    def velocity(depth, instruction, proprio, x):
        kv = model.prefill(params, size, depth, instruction)
        return np.asarray(model.velocity(params, size, kv, proprio, x, jnp.float32(0.3)))

    known = velocity(*first)
    for index in range(4):
        changed = list(first)
        changed[index] = second[index]
        assert np.abs(velocity(*changed) - known).max() > 1e-4


def test_a_time_for_every_tick_is_one_time_if_they_are_equal(model):
    jnp = pytest.importorskip("jax.numpy")
    size = model.SIZES["tiny"]
    params = {name: jnp.asarray(array) for name, array in model.init(size, 0).items()}
    depth, instruction, proprio, x = inputs(model, np.random.default_rng(2))
    kv = model.prefill(params, size, depth, instruction)
    one = model.velocity(params, size, kv, proprio, x, jnp.float32(0.4))
    each = model.velocity(params, size, kv, proprio, x, jnp.full(model.HORIZON, 0.4, jnp.float32))
    np.testing.assert_allclose(one, each, atol=1e-6)


def test_finish_undoes_what_the_first_stage_does(model):
    rng = np.random.default_rng(3)
    params = {
        **model.init(model.SIZES["tiny"], 0),
        "action_mean": rng.random(4),
        "action_std": rng.random(4) + 0.1,
    }
    actions = rng.uniform(-1.0, 1.0, (model.HORIZON, model.ACTION))
    *_, target = model.begin_guided(params, actions, actions)
    np.testing.assert_allclose(model.finish(params, target), actions, atol=1e-5)


def test_a_step_does_not_copy_the_prefix(model):
    """A copy of keys and values would be scratch, and grow with the layers.

    The compiler tiles the operands of a matrix product, so one layer at a time is in the scratch,
    rearranged. That a step writes nothing there is seen by the numerical gate of `build`.
    """
    pytest.importorskip("iree.compiler")
    from polyrhythm.compile import jax_frontend
    from polyrhythm.compile.machine import compile_here
    from polyrhythm.compile.source import merge

    policy, scratch = importlib.import_module("policy"), []
    for layers in (1, 2):
        size = model.Size(
            4, layers=layers, heads=1, head=64, prefix=16, prefix_hidden=16, expert=16, expert_hidden=16
        )
        params = model.init(size, 0)
        lowered = jax_frontend.lower(policy.module(size, params).entries["step"], params, "step")
        made = compile_here(merge({"step": lowered}, params).text, where="step")
        scratch.append(made.compiled.scratch_bytes["step"])
    assert scratch[0] == scratch[1]


def test_the_bundle_says_which_steps_guide():
    (module,) = open_bundle(BUNDLE).lock.modules.values()
    guidance = {name: entry.guidance for name, entry in module.signatures.items() if entry.guidance}
    assert guidance == {"step_identity": "identity", "step_vjp": "vjp", "step_trained": "trained"}


def run(bundle, *arguments):
    command = [sys.executable, "-m", "polyrhythm", "run", str(bundle), "--json", "--quiet", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1700, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_lockstep_plays_a_task():
    (task,) = TASKS - {"drawer-close"}
    summary = run(BUNDLE, "--lockstep", "--task", task, "--seed", "3")
    assert set(summary["tasks"]) == {task}
    assert all(module["unexplained"] == 0 for module in summary["modules"].values())


def test_the_same_file_plays_as_two_modules_that_meet_in_a_link(tmp_path):
    bundle = tmp_path / "pipelined"
    shutil.copytree(BUNDLE, bundle)
    shutil.copyfile(EXAMPLE / "pipelined.yaml", bundle / "manifest.yaml")
    subprocess.run([sys.executable, "-m", "polyrhythm", "lock", str(bundle)], check=True, timeout=100)
    summary = run(bundle, "--lockstep", "--task", "drawer-close", "--seed", "3")
    assert set(summary["modules"]) == {"prefix", "expert"}
    assert all(module["unexplained"] == 0 for module in summary["modules"].values())


@pytest.mark.slow
def test_the_training_script_runs_at_toy_size(tmp_path):
    command = [sys.executable, str(EXAMPLE / "train.py"), "--quick", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1700, check=False)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"policy.safetensors", "training.json"}


@pytest.mark.slow
def test_four_of_five_episodes_of_both_tasks_succeed():
    summary = run(BUNDLE, "--lockstep", "--episodes", "25", "--seed", "1000")
    assert {name: task["episodes"] for name, task in summary["tasks"].items()} == dict.fromkeys(TASKS, 25)
    assert all(task["successes"] >= 20 for task in summary["tasks"].values())
