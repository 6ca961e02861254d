"""The Kinetix example as far as it goes without Kinetix: statistics, tables, committed heads and grid."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from typer.testing import CliRunner

from polyrhythm.chunks.guidance import weights
from polyrhythm.cli import make_app

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "kinetix"
PYTHON = ROOT / ".venv-kinetix" / "bin" / "python"
HEADS = sorted((EXAMPLE / "weights").glob("*.safetensors"))
FITTING = [(d, s) for d in range(5) for s in range(max(1, d), 9 - d)]


def load(name: str) -> ModuleType:
    """A module of the example, under a name that no other example uses."""
    spec = importlib.util.spec_from_file_location(f"kinetix_{name}", EXAMPLE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def delays(monkeypatch) -> ModuleType:
    """The closed loop, with the example's own modules beside it."""
    pytest.importorskip("jax")
    for name in ("model", "blocks"):
        monkeypatch.setitem(sys.modules, name, load(name))
    return load("delays")


tables = load("tables")
cases = load("cases")


def make_row(method: str, solved: int, *, delay: int = 3, episodes: int = 256, case: str = "a") -> dict:
    flags = np.arange(episodes) < solved
    return tables.row(
        case, method, delay, max(1, delay), solved=flags, ticks=np.full(episodes, 7),
        jump=np.full(episodes, 0.5), jerk=np.full(episodes, 0.25),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("solved", "episodes", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (128, 256, 0.4392, 0.5608)],
)
def test_wilson(solved, episodes, low, high):
    assert tables.wilson(solved, episodes) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(("solved", "episodes"), [(1, 0), (-1, 5), (6, 5)])
def test_wilson_refuses_what_is_no_rate(solved, episodes):
    with pytest.raises(ValueError, match="solved"):
        tables.wilson(solved, episodes)


def test_strides_are_those_that_fit_the_horizon():
    assert tables.strides(0, 8, first_only=False) == list(range(1, 9))
    assert tables.strides(3, 8, first_only=False) == [3, 4, 5]
    assert tables.strides(4, 8, first_only=False) == [4]
    assert tables.strides(2, 8, first_only=True) == [2]


def test_a_gain_counts_only_if_the_intervals_are_apart():
    apart = [make_row("naive", 100), make_row("identity", 110), make_row("vjp", 160)]
    close = [make_row("naive", 100), make_row("identity", 110), make_row("vjp", 112)]
    assert [holds for _, holds in tables.verdicts(apart)] == [True]
    assert [holds for _, holds in tables.verdicts(close)] == [False]


def test_sync_is_worst_says_so_only_if_it_is():
    assert [h for _, h in tables.sync_is_worst([make_row("sync", 3), make_row("naive", 9)])] == [True]
    assert [h for _, h in tables.sync_is_worst([make_row("sync", 9), make_row("naive", 3)])] == [False]


def test_the_table_shows_every_cell():
    text = tables.markdown([make_row("naive", 128), make_row("vjp", 256)])
    assert "| 3, 3 |  | 50 (44-56) |  |  | 100 (99-100) |  |" in text
    assert "0.50 / 0.25 / 7" in text


def test_every_case_has_its_weights_and_its_record():
    for case in cases.CASES.values():
        record = json.loads(case.weights.with_suffix(".json").read_text())
        assert record["case"] == case.name and record["head_solved_without_delay"] > 0.5
    assert sum(path.stat().st_size for path in EXAMPLE.rglob("*") if path.is_file()) < 10_000_000


@pytest.mark.parametrize("path", HEADS, ids=lambda path: path.stem)
def test_one_head_serves_every_method(path):
    """Plain chunks are actions; a given prefix is kept exactly (trained) or held to (hard)."""
    jax = pytest.importorskip("jax")
    from safetensors.numpy import load_file

    from polyrhythm.compile.flow import euler_step, guided_step

    model = load("model")
    params = {name: jax.numpy.asarray(a.astype(np.float32)) for name, a in load_file(path).items()}
    shape = (model.HORIZON, params["action_mean"].shape[0])
    cond = model.prefill(params, params["observation_mean"])
    noise, target = np.random.default_rng(0).standard_normal((2, *shape)).astype(np.float32)
    mask = weights("zeros", 3, 5, model.HORIZON).astype(np.float32)
    dt = np.float32(1 / model.EULER_STEPS)
    for method in (None, "trained", "hard"):
        step = euler_step(model.velocity) if method is None else guided_step(model.velocity, method)
        leads = () if method is None else (target, mask, np.float32(5.0))
        x, t = noise, np.float32(0.0)
        for _ in range(model.EULER_STEPS):
            x, t = jax.jit(step)(params, cond, x, t, dt, *leads)
        assert np.isfinite(x).all() and np.abs(x[3:]).max() < 5
        if method is not None:
            np.testing.assert_allclose(x[:3], target[:3], atol=1e-4)


def test_the_committed_grid_is_whole_and_told_as_it_came_out():
    rows = json.loads((EXAMPLE / "results" / "chunks.json").read_text())
    for case in cases.CASES:
        for delay, stride in FITTING:
            found = [tables.find(rows, case, method, delay, stride) for method in tables.METHODS]
            assert all(r is not None and r["episodes"] >= 256 for r in found), (case, delay, stride)
    for r in rows:
        assert (r["low"], r["high"]) == pytest.approx(tables.wilson(r["solved"], r["episodes"]), abs=1e-4)


@pytest.mark.slow
@pytest.mark.skipif(not PYTHON.exists(), reason="needs the environment that examples/kinetix/setup makes")
def test_the_training_script_runs_at_toy_size(tmp_path):
    command = [
        str(PYTHON),
        str(EXAMPLE / "train.py"),
        "--quick",
        "--case",
        "unicycle_smooth",
        "--out",
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1700, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "unicycle_smooth.json").read_text())["parameters"] > 300_000


@pytest.mark.slow
@pytest.mark.skipif(not PYTHON.exists(), reason="needs the environment that examples/kinetix/setup makes")
def test_a_row_that_is_missing_comes_out_again(tmp_path):
    """The script plays what its results lack and nothing else. Machines may round differently."""
    rows = json.loads((EXAMPLE / "results" / "chunks.json").read_text())
    wanted = tables.find(rows, "lunar_lander_on_off", "naive", 3, 5)
    (tmp_path / "chunks.json").write_text(json.dumps([r for r in rows if r != wanted]))
    command = [str(PYTHON), str(EXAMPLE / "grid.py"), "--case", "lunar_lander_on_off", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1700, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "chunks.json").read_text())
    again = tables.find(found, "lunar_lander_on_off", "naive", 3, 5)
    assert len(found) == len(rows) and [r for r in found if r != again] == [r for r in rows if r != wanted]
    assert again["episodes"] == 256 and wanted["low"] <= again["rate"] <= wanted["high"]


class Told:
    """A head whose actions tell where they come from: 100 * (tick of the observation) + row of the chunk."""

    action = 1

    def __init__(self) -> None:
        self.previous: dict[int, np.ndarray] = {}

    def plain(self, observation, noise):
        return (100 * observation[:, None, :] + np.arange(8)[None, :, None]).astype(np.float32)

    def guided(self, method, observation, noise, previous, weight):
        self.previous[int(observation[0, 0])] = previous[0, :, 0]
        return self.plain(observation, noise)


def act(loop, ticks: int) -> list[float]:
    playing = np.ones(1, bool)
    return [loop(np.full((1, 1), float(tick)), tick, playing)[0].item() for tick in range(ticks)]


@pytest.mark.parametrize(("delay", "stride"), FITTING)
def test_every_tick_gets_the_newest_row_that_is_there(delays, delay, stride):
    acted = act(delays._Loop(Told(), "naive", delay, stride, 1, 0), 40)
    for tick, action in enumerate(acted):
        made = max(0, (tick - delay) // stride * stride)
        assert action == 100 * made + tick - made


@pytest.mark.parametrize(("delay", "stride"), FITTING)
def test_the_target_is_what_the_old_chunk_holds_for_the_same_ticks(delays, delay, stride):
    head = Told()
    act(delays._Loop(head, "identity", delay, stride, 1, 0), 40)
    assert set(head.previous) == set(range(stride, 40, stride))
    for tick, previous in head.previous.items():
        left = 8 - stride
        np.testing.assert_array_equal(previous[:left], 100 * (tick - stride) + stride + np.arange(left))
        assert not previous[left:].any()


@pytest.mark.parametrize(("delay", "stride"), FITTING)
def test_sync_waits_and_then_plays_from_the_first_row(delays, delay, stride):
    acted = act(delays._Loop(Told(), "sync", delay, stride, 1, 0), 40)
    for tick, action in enumerate(acted):
        made, within = tick - tick % (delay + stride), tick % (delay + stride)
        assert action == (0 if within < delay else 100 * made + within - delay)


def test_chunks_are_made_only_for_episodes_that_are_being_played(delays):
    head = Told()
    head.plain = lambda seen, noise: np.repeat(seen[:, None], 8, axis=1)  # type: ignore[method-assign]
    loop = delays._Loop(head, "naive", 0, 1, 3, 0)
    observation, playing = np.arange(1.0, 4.0)[:, None], np.array([True, False, True])
    assert loop(observation, 0, playing)[0][:, 0].tolist() == [1.0, 0.0, 3.0]
    assert loop(observation, 1, ~playing)[0][:, 0].tolist() == [0.0, 2.0, 0.0]
    assert loop(observation, 2, np.zeros(3, bool))[0][:, 0].tolist() == [0.0, 0.0, 0.0]


def test_the_noise_of_an_episode_depends_on_its_seed_only(delays):
    many = delays._Loop(Told(), "naive", 0, 1, 300, 1000)._noise(7)
    few = delays._Loop(Told(), "naive", 0, 1, 20, 1128)._noise(7)
    assert many.shape == (300, 8, 1)
    np.testing.assert_array_equal(many[128:148], few)


@pytest.mark.parametrize("rows", [1, 4, 5, 13])
def test_blocks_give_what_the_whole_batch_gives(delays, rows):
    sizes = []

    def function(shared, a, b):
        sizes.append(len(a))
        return {"sum": shared + a + b.sum(axis=1), "more": b > 0}

    a = np.arange(rows, dtype=np.float32)
    b = np.random.default_rng(rows).standard_normal((rows, 3)).astype(np.float32)
    found = sys.modules["blocks"].InBlocks(function, 4)(np.float32(10), a, b)
    np.testing.assert_allclose(found["sum"], 10 + a + b.sum(axis=1), rtol=1e-6)
    np.testing.assert_array_equal(found["more"], b > 0)
    assert sizes == [4]  # traced, so compiled, once


def test_lanes_last_is_vmap_with_the_batch_at_the_end():
    """All kinds of operations of which the physics is made."""
    jax = pytest.importorskip("jax")
    jnp, lanes = jax.numpy, load("lanes")
    places = np.array([[0, 2], [1, 3]])

    def function(tree, factor):
        a, b = tree["a"], tree["b"]  # [4, 2], [4]
        turned = jax.vmap(lambda x: jnp.array([[jnp.cos(x), -x], [x, jnp.sin(x)]]))(b)
        moved = a.at[places[:, 0]].add(b[places]).at[1].set(0.0)
        order = b.argsort()[:2]
        picked = a[order[0]] + a[jnp.argmin(b)] + jnp.roll(a, 1, axis=0)[order].sum(axis=0)

        def advance(carry, row):
            x, count = carry
            return (x * factor + row, count + 1), jnp.where(x.sum() > 0, x, -x)

        (x, count), told = jax.lax.scan(advance, (picked, 0), moved[::-1])
        spread = jnp.concatenate([told[1:], told[:1]]).T @ a
        clipped = jnp.clip(spread, -factor, factor).reshape(-1)
        return {"x": x, "count": count, "rest": (clipped, turned, jnp.linalg.norm(a, axis=1), b > factor)}

    rng = np.random.default_rng(0)
    tree = {name: rng.standard_normal((5, *s)).astype(np.float32) for name, s in (("a", (4, 2)), ("b", (4,)))}
    factor = rng.random(5).astype(np.float32)
    first = jax.tree.map(lambda leaf: leaf[0], (tree, factor))
    turned = jax.tree.map(lambda leaf: np.moveaxis(leaf, 0, -1), (tree, factor))
    last = lanes.lanes_last(function, *first)(*turned)
    wanted = jax.vmap(function)(tree, factor)
    assert jax.tree.structure(last) == jax.tree.structure(wanted)
    for one, other in zip(jax.tree.leaves(last), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(np.moveaxis(np.asarray(one), -1, 0), other, rtol=1e-5, atol=1e-6)


def test_jump_and_jerk_count_what_was_executed(delays):
    log = delays._Log(1)
    for action, boundary in ((0.0, False), (1.0, True), (1.0, False), (0.0, False), (0.5, True)):
        log.add(np.array([[action]]), np.array([boundary]), np.array([True]))
    assert log.jump() == pytest.approx([0.75])
    assert log.jerk() == pytest.approx([(abs(0 - 3 + 3 - 0) + abs(0.5 - 0 + 3 - 1)) / 2])


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout in which there is nothing but the script that the verb runs."""
    grid = tmp_path / "examples" / "kinetix" / "grid.py"
    grid.parent.mkdir(parents=True)
    grid.touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_its_environment_the_verb_names_the_command_that_makes_it(checkout):
    done = CliRunner().invoke(make_app(), ["bench", "chunks", "--quick"])
    assert done.exit_code == 2
    assert "examples/kinetix/setup" in done.output


def test_the_verb_hands_its_options_on(checkout):
    python = checkout / ".venv-kinetix" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\nshift\necho "$@" > given\n')
    python.chmod(0o755)
    options = ["--quick", "--episodes", "5", "--case", "unicycle_smooth", "--out", "o"]
    assert CliRunner().invoke(make_app(), ["bench", "chunks", *options]).exit_code == 0
    assert set((checkout / "given").read_text().split()) == set(options)
