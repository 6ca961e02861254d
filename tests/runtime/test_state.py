"""A module that keeps something from tick to tick, in memory that its calls update in place."""

from __future__ import annotations

import inspect
from itertools import pairwise

import numpy as np
import pytest

from polyrhythm.bundle import open_bundle
from polyrhythm.compile import build, prepare
from polyrhythm.runtime import Runtime, check
from polyrhythm.runtime.storage import Storage
from polyrhythm.schedule import WARM_TICK
from polyrhythm.schedule.events import Launch
from tests.runtime.robot import Diary
from tests.runtime.test_contexts import At
from tests.runtime.test_runs import BOTH

POLICY = """
import jax.numpy as jnp
from jax import lax
from polyrhythm.compile import EntrySource, ModuleSource, Policy

def count(parameters, clock, seen):
    # What is not a number stays in it.
    seen = lax.dynamic_update_slice(seen, seen[:1] + parameters["one"] + 0.0 * clock, (0, 0))
    return jnp.broadcast_to(jnp.stack([clock[0], seen[0, 0]]), (6, 2)), seen

def policy():
    entry = EntrySource(
        count, inputs={"clock": ("f32", (1,)), "seen": ("f32", (2, 1))}, outputs=("chunk", "seen"),
        consumed=("seen",),
    )
    return Policy("manifest.yaml", {"counter": ModuleSource({"one": jnp.ones((1, 1))}, {"count": entry})})
"""

MANIFEST = """
robot:
  use: gymnasium
  control_hz: 100
  observations: { clock: { dtype: f32, shape: [1] }, scene: { dtype: f32, shape: [4] } }
  action: { dtype: f32, shape: [2] }
orchestration:
  mode: parallel
  modules:
  - { id: counter, vmfb: counter.vmfb, parameters: counter.safetensors, rate_hz: 25, cost_ms: 2 }
  links:
  - { from: robot.clock, to: counter.clock }
  - { from: counter.chunk, to: robot.action }
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    home = tmp_path_factory.mktemp("state")
    (home / "policy.py").write_text(POLICY)
    (home / "manifest.yaml").write_text(MANIFEST)
    build(home / "policy.py", home / "bundle")
    prepare(open_bundle(home / "bundle"))
    return home / "bundle"


def test_it_stays_from_tick_to_tick_and_is_zero_again_in_the_next_episode(bundle):
    checked = check(bundle)
    assert checked.plan is not None, "\n".join(d.render() for d in checked.diagnostics)
    with Runtime(checked.plan) as runtime:
        for _ in range(2):
            robot = Diary(length=40)
            runtime.run(robot, episodes=1, tasks=["left"], lockstep=True)
            counts = [action[1] for _, action in robot.entries if action is not None]
            assert counts == sorted(counts) and counts[0] == 1.0 and set(counts) == set(range(1, 11))


@BOTH
def test_what_warming_up_leaves_in_it_is_gone_and_nobody_waits_for_that(bundle, lockstep, monkeypatch):
    """It is zeroed by whoever brings the news, before the engine has them; in each run again."""
    plan, reset, seen = check(bundle).plan, Storage.reset, []

    def told(storage, *modules) -> None:
        names = [frame.function for frame in inspect.stack()]
        if modules:
            seen.append((modules, "handle" in names))
        else:
            assert "_ready" not in names
        reset(storage, *modules)

    monkeypatch.setattr(Storage, "reset", told)
    with Runtime(plan) as runtime:
        other = runtime.load(plan)
        assert other.wait("loaded", timeout_s=20) == "loaded"
        for turn in range(2):
            robot, here = Diary(length=60), runtime.live
            there = runtime.contexts[1 - here.number]
            watch = At((30, lambda there=there: runtime.switch(there)))
            runtime.run(robot, episodes=1, tasks=["left"], lockstep=lockstep, listeners=[watch])
            assert runtime.live is there and there.warm
            counts = [action[1] for _, action in robot.entries if action is not None]
            begins = [b for a, b in pairwise(counts) if b < a]
            assert counts[0] == 1.0 and begins == [1.0]
            warmed = [c.context for _, c in watch.all(Launch) if c.tick == WARM_TICK]
            assert warmed == [there.number] and seen == [(("counter",), False)] * (turn + 1)


class Blinks(Diary):
    """It sees nothing for as long as one tick of the module takes, once."""

    def observe(self, name, out) -> None:
        super().observe(name, out)
        if name == "clock" and 50 <= len(self.entries) < 54:
            out[:] = np.nan


@BOTH
def test_one_nan_costs_one_tick_and_nobody_waits_for_what_it_takes(bundle, lockstep, monkeypatch):
    """What it is looked for in, and what is zeroed, may be large: neither is done with the engine in hand."""
    looked: list[set[str]] = []

    def spied(method):
        def told(*arguments):
            looked.append({frame.function for frame in inspect.stack()})
            return method(*arguments)

        return told

    with Runtime(check(bundle).plan) as runtime:
        monkeypatch.setattr(Storage, "not_finite", spied(Storage.not_finite))
        monkeypatch.setattr(runtime.storage, "reset", spied(runtime.storage.reset))
        robot = Blinks(length=120)
        counter = runtime.run(robot, episodes=1, tasks=["left"], lockstep=lockstep).modules["counter"]
    assert not counter.isolated
    assert counter.drops == {"failed": 1} if lockstep else counter.drops["failed"] > 0
    counts = [action[1] for _, action in robot.entries if action is not None]
    begins = [b for a, b in pairwise(counts) if b < a]
    assert begins and set(begins) == {1.0} and np.isfinite(counts).all()
    begun = looked.pop(next(at for at, names in enumerate(looked) if "take" not in names))
    assert "handle" in begun, "the episode's own"
    assert looked and not any(names & {"handle", "stage_done"} for names in looked)


def test_nobody_else_may_see_or_write_it(bundle, snapshot):
    manifest = bundle / "manifest.yaml"
    text = manifest.read_text()
    try:
        manifest.write_text(text + "  - { from: robot.scene, to: counter.seen }\n")
        found = [d for d in check(bundle).diagnostics if d.code != "PB007"]
    finally:
        manifest.write_text(text)
    assert [(d.code, d.message, d.mend) for d in found if d.code == "PC022"] == snapshot
