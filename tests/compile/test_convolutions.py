"""Convolutions become products of matrices where that is faster."""

from __future__ import annotations

import pytest

from polyrhythm.compile import convolutions
from polyrhythm.compile.iree_compiler import LADDER, compile_source, compile_to_hal


def _convolution(inputs: int, outputs: int, groups: int = 1) -> str:
    """3x3 over 16 x 16 pixels, as JAX lowers it."""
    x, y = (f"tensor<1x{channels}x16x16xf32>" for channels in (inputs, outputs))
    w = f"tensor<{outputs}x{inputs // groups}x3x3xf32>"
    return f"""
func.func @f(%x: {x}, %w: {w}, %out: {y} {{iree.abi.output = 0 : index}}) -> {y} {{
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1],
    window = {{pad = [[1, 1], [1, 1]]}}
    {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} : ({x}, {w}) -> {y}
  return %0 : {y}
}}
"""


def _named(inputs: int, outputs: int) -> str:
    """The same as the ONNX front end lowers it."""
    x, w = f"tensor<1x{inputs}x16x16xf32>", f"tensor<{outputs}x{inputs}x3x3xf32>"
    y = f"tensor<1x{outputs}x14x14xf32>"
    return f"""
func.func @f(%x: {x}, %w: {w}, %out: {y} {{iree.abi.output = 0 : index}}) -> {y} {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {y}
  %into = linalg.fill ins(%zero : f32) outs(%empty : {y}) -> {y}
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : {x}, {w}) outs(%into : {y}) -> {y}
  return %0 : {y}
}}
"""


@pytest.mark.parametrize(
    ("text", "product"),
    [
        (_convolution(32, 32), True),
        (_convolution(3, 32), False),
        (_convolution(32, 16), False),
        (_convolution(32, 32, groups=32), False),
        (_named(32, 32), True),
        (_named(3, 32), False),
        (_named(32, 16), False),
    ],
    ids=["wide", "few_inputs", "few_outputs", "depthwise", "named", "named_few_inputs", "named_few_outputs"],
)
def test_which_become_products(text: str, product: bool) -> None:
    made = compile_to_hal(text, where="convolution")
    assert made.flags[-len(convolutions.FLAGS) :] == convolutions.FLAGS
    # The names of kernels say what they compute.
    assert ("mmt4d" in made.kernels) is product
    assert ("_conv_" in made.kernels) is not product


def test_they_have_a_rung_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convolutions, "FLAGS", ("--no-such-flag",))
    assert compile_source(_convolution(8, 32), where="convolution").flags[-len(LADDER[0]) :] == LADDER[0]


def test_modules_without_any_are_compiled_as_ever() -> None:
    assert not convolutions.concerned("func.func @f(%convolution: tensor<4xf32>) { stablehlo.add }")
