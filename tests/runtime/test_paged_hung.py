"""A stage that hangs, in real time, with pages in its hands: nobody else is given them until it has ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrhythm.bundle import open_bundle
from polyrhythm.compile import build, prepare
from polyrhythm.manifest import render_all
from polyrhythm.runtime import Runtime, check
from tests.runtime.robot import Diary
from tests.runtime.test_contexts import At
from tests.runtime.test_paged import MANIFEST, POLICY, pool
from tests.runtime.test_runs import accounts_balance

#: The tick that sees a large last number works for seconds.
SLOW = POLICY.replace(
    "    count = jnp.abs(scene[0]).astype(jnp.int32)\n",
    "    rounds = scene[3].astype(jnp.int32)\n"
    "    work = jax.lax.fori_loop(0, rounds, lambda _, m: m @ m.T * 0.1, jnp.full((64, 64), 0.1))\n"
    "    count = jnp.abs(scene[0] + 1e-30 * work.sum()).astype(jnp.int32)\n",
).replace("import jax.numpy as jnp\n", "import jax\nimport jax.numpy as jnp\n", 1)
ROUNDS = 30_000


@pytest.fixture
def runtime(tmp_path: Path):
    (tmp_path / "policy.py").write_text(SLOW)
    (tmp_path / "manifest.yaml").write_text(MANIFEST.replace("robot:\n", "contexts: 2\nrobot:\n", 1))
    build(tmp_path / "policy.py", tmp_path / "bundle")
    prepare(open_bundle(tmp_path / "bundle"))
    checked = check(tmp_path / "bundle")
    assert checked.plan is not None, render_all(checked.diagnostics)
    with Runtime(checked.plan) as opened:
        yield opened


def test_another_context_plays_on_with_pages_of_its_own(runtime: Runtime) -> None:
    pages = pool(runtime)
    held: list[set[int]] = []

    def leave() -> None:
        held.append(set(pages._contexts["context 0"].pages))
        runtime.switch(1)

    robot = Diary(500, lambda tick: (2, 5, 7, ROUNDS if 20 <= tick < 30 else 0))
    outcome = runtime.run(robot, episodes=1, tasks=["left"], listeners=[At((60, leave))])
    assert outcome.reason == "complete" and accounts_balance(outcome)
    print(outcome.modules, outcome.kv, held, pages.usage())
