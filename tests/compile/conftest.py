"""Real compilations of small models, with a cache of their own."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from polyrhythm.bundle import Bundle
from polyrhythm.compile import BuildError, build

MANIFEST = """\
orchestration:
  modules:
  - { id: eye, vmfb: eye.vmfb, rate_hz: 3 }
  - { id: hand, vmfb: act.vmfb, parameters: act.safetensors, entry: [start, step, step, finish], rate_hz: 20 }
  links:
  - { from: eye.hidden, to: hand.hidden }
"""
POLICY = """\
import neighbour
import numpy as np

from polyrhythm.compile import EntrySource, ModuleSource, Policy


def policy():
    rng = np.random.default_rng(0)
    draw = lambda *shape: rng.standard_normal(shape).astype(np.float32)
    x, scalar, hidden, cond = ("f32", (16, 4)), ("f32", ()), ("f32", (8, 32)), ("f32", (8, 64))
    eye = {"w": draw(64, 32), "unused": draw(3), "table": draw(5, 32)}
    hand = {"w": draw(32, 64), "v": draw(64, 4), "b": draw(4)}
    return Policy(
        "manifest.yaml",
        {
            "eye": ModuleSource(
                eye,
                {
                    "encode": EntrySource(
                        neighbour.encode, {"depth": ("f32", (8, 64)), "word": ("i32", (8,))}, ("hidden",)
                    )
                },
            ),
            "act": ModuleSource(
                hand,
                {
                    "start": EntrySource(
                        neighbour.start, {"hidden": hidden, "noise": x}, ("cond", "x", "t", "dt")
                    ),
                    "step": EntrySource(
                        neighbour.step, {"cond": cond, "x": x, "t": scalar, "dt": scalar}, ("x", "t")
                    ),
                    "finish": EntrySource(neighbour.finish, {"x": x}, ("actions",)),
                },
            ),
        },
    )
"""
NEIGHBOUR = """\
import jax.numpy as jnp


def encode(p, depth, word):
    return jnp.tanh(depth @ p["w"] + p["table"][word % 5])


def start(p, hidden, noise):
    return hidden @ p["w"], noise, jnp.float32(0.0), jnp.float32(0.5)


def step(p, cond, x, t, dt):
    return x + dt * (jnp.cos(t) * cond.sum(0) @ p["v"] + p["b"]) * x, t + dt


def finish(p, x):
    return jnp.clip(x, -1.0, 1.0)
"""


@pytest.fixture(scope="package", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The cache of machine code for these tests."""
    path = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(path))
        yield path


def write_policy(
    root: Path, policy: str = POLICY, manifest: str = MANIFEST, neighbour: str = NEIGHBOUR
) -> Path:
    """A policy description with what it needs, in `root`."""
    root.mkdir(exist_ok=True)
    (root / "manifest.yaml").write_text(manifest)
    (root / "neighbour.py").write_text(textwrap.dedent(neighbour))
    file = root / "policy.py"
    file.write_text(textwrap.dedent(policy))
    return file


@pytest.fixture(scope="session")
def policy_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy of two modules with four entries."""
    return write_policy(tmp_path_factory.mktemp("policy"))


@pytest.fixture(scope="package")
def built(cache: Path, policy_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Its portable bundle: look, do not touch."""
    return build(policy_file, tmp_path_factory.mktemp("out") / "bundle", portable=True)


@pytest.fixture
def refused(tmp_path: Path) -> Callable[..., str]:
    """Builds what cannot be built and gives the text of the error, with the same paths everywhere."""

    def build_it(file: Path, out: Path | None = None, **options: object) -> str:
        before = sorted(tmp_path.iterdir())
        with pytest.raises(BuildError) as caught:
            build(file, out or tmp_path / "bundle", **options)  # type: ignore[arg-type]
        assert sorted(tmp_path.iterdir()) == before
        return str(caught.value).replace(str(tmp_path), "TMP")

    return build_it
