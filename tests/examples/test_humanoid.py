"""Somebody else's humanoid: its policy is imported, its manifest checked, and it walks upright."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from polyrhythm.bundle import Bundle, open_bundle
from polyrhythm.runtime import check

EXAMPLE = Path(__file__).parents[2] / "examples" / "humanoid"
SECONDS, SPEED = 5.0, 0.6

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def walk() -> Iterator[dict[str, Any]]:
    """The example's functions, with its packages at hand."""
    for needed in ("onnx", "onnxruntime", "mujoco", "gymnasium"):
        pytest.importorskip(needed)
    names, path = runpy.run_path(str(EXAMPLE / "walk.py"), run_name="humanoid_walk"), list(sys.path)
    try:
        names["fetch"]()
    except subprocess.CalledProcessError:
        pytest.skip(f"pip can't install {', '.join(names['PACKAGES'])} here")
    yield names
    sys.path[:] = path
    sys.modules.pop("g1", None)


@pytest.fixture(scope="module")
def bundle(walk: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    made = walk["bundle"](tmp_path_factory.mktemp("humanoid") / "bundle", (SPEED, 0.0, 0.0), SECONDS)
    return open_bundle(made)


def test_the_policy_is_imported_as_it_is(walk: dict[str, Any], bundle: Bundle) -> None:
    (module,) = bundle.modules.values()
    (entry,) = module.signatures.values()
    assert [(t.name, t.shape) for t in entry.inputs] == [("actor_obs", [100])]
    assert [(t.name, t.shape) for t in entry.outputs] == [("action", [29])]
    assert entry.gate is not None, "compared with the file as it came"


def test_its_manifest_is_proved(bundle: Bundle) -> None:
    checked = check(bundle.root)
    assert checked.plan is not None and checked.diagnostics == []
    assert checked.proof is not None and checked.proof.complete


def test_it_walks_upright(walk: dict[str, Any], bundle: Bundle) -> None:
    episode, info = walk["walk"](bundle.root, real_time=False)
    assert episode.success and episode.held == 1, "the first tick, before it has seen anything"
    assert episode.ticks == SECONDS * 50
    assert info["lowest_m"] > 0.7, "it stands at 0.79 m"
    assert info["walked_m"] == pytest.approx(SPEED * SECONDS, rel=0.4)
