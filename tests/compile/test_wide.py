"""Tensors of 64 bits stay what they are; what the compiler cannot do with them is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import jax
import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import Tensor
from polyrhythm.compile import build, iree_compiler

from .conftest import write_policy
from .test_build import Refused

POLICY = """
import jax.numpy as jnp
import numpy as np
from polyrhythm.compile import EntrySource, ModuleSource, Policy

def add(p, x, s):
    return FUNCTION

def policy():
    weights = {"w": np.random.default_rng(0).standard_normal(8)}
    entry = EntrySource(add, {"x": ("f64", (4, 8)), "s": ("f64", ())}, ("y",), tolerance=0.0)
    return Policy("manifest.yaml", {"a": ModuleSource(weights, {"add": entry})})
"""
MANIFEST = """\
orchestration:
  modules:
  - { id: a, vmfb: a.vmfb, parameters: a.safetensors, rate_hz: 3 }
"""


@pytest.fixture(autouse=True)
def wide() -> Iterator[None]:
    """JAX keeps 64 bits, for so long."""
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def test_sums_are_those_of_the_framework_to_the_bit(tmp_path: Path) -> None:
    file = write_policy(tmp_path / "p", POLICY.replace("FUNCTION", 'x + p["w"] - s'), MANIFEST)
    entry = build(file, tmp_path / "bundle", portable=True).module("a.vmfb").entries["add"]
    assert entry.outputs == (Tensor("y", "f64", (4, 8)),)


def test_a_function_that_is_not_there_is_told(
    tmp_path: Path, refused: Refused, snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(iree_compiler, "LADDER", ((),))
    file = write_policy(tmp_path / "p", POLICY.replace("FUNCTION", "jnp.tanh(x)"), MANIFEST)
    assert refused(file, portable=True) == snapshot


@pytest.mark.parametrize(
    ("line", "wide"),
    [
        ("  func.func public @f(%arg0: tensor<f64>) -> tensor<f32> {", True),
        ("  func.func public @f(%arg0: tensor<2xf32>) -> tensor<3x2xf64> {", True),
        ('  util.global private @"$w" = #flow.parameter.named<"model"::"w"> : tensor<3xf64>', True),
        ("  func.func public @f64(%arg0: tensor<2xf32>) -> tensor<2xf32> {", False),
        ("    %1 = stablehlo.convert %0 : (tensor<3xf32>) -> tensor<3xf64>", False),
    ],
)
def test_what_is_inside_is_compiled_as_ever(line: str, wide: bool) -> None:
    assert (iree_compiler._WIDE.search("module {\n" + line + "\n}") is not None) == wide
