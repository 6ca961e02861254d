"""What kernels compute and touch, from kernels written by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from polyrhythm.compile.kernel_facts import Kernel, kernels_of

ir = pytest.importorskip("iree.compiler").ir

LAYOUT = """#hal.pipeline.layout<constants = 2, bindings = [
  #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer>]>"""


def kernel(body: str) -> Kernel:
    text = f"""
    #layout = {LAYOUT}
    module {{ func.func @k() {{
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %n = hal.interface.constant.load layout(#layout) ordinal(1) : i32
      %at = arith.index_castui %n : i32 to index
      {body}
      return
    }} }}"""
    with ir.Context():
        return kernels_of(ir, text)["k"]


def bound(name: str, binding: int, offset: str, kind: str) -> str:
    flags = " flags(ReadOnly)" if kind.startswith("readonly") else ""
    return (
        f"%{name} = hal.interface.binding.subspan layout(#layout) binding({binding}) alignment(64) "
        f"offset(%{offset}){flags} : !iree_tensor_ext.dispatch.tensor<{kind}>\n"
    )


def moved(
    what: str, at: str, kind: str, offsets: object, sizes: object, tensor: str, store: bool = False
) -> str:
    ones = [1] * len(sizes) if isinstance(sizes, list) else sizes
    where = f"offsets = {offsets}, sizes = {sizes}, strides = {ones}"
    if store:
        return (
            f"iree_tensor_ext.dispatch.tensor.store %{what}, %{at}, {where} : "
            f"{tensor} -> !iree_tensor_ext.dispatch.tensor<{kind}>\n"
        )
    return (
        f"%{what} = iree_tensor_ext.dispatch.tensor.load %{at}, {where} : "
        f"!iree_tensor_ext.dispatch.tensor<{kind}> -> {tensor}\n"
    )


def touched(
    found: Kernel, constants: Sequence[int] = (0, 0)
) -> list[tuple[int, int | None, int | None, bool]]:
    return [
        (
            access.binding,
            None if access.offset is None else access.offset(constants),
            access.nbytes,
            access.writes,
        )
        for access in found.accesses
    ]


READ, WRITE = "readonly:tensor<4x8xf32>", "readwrite:tensor<4x8xf32>"


def test_rows_lie_together_and_begin_where_a_constant_says() -> None:
    found = kernel(
        bound("x", 0, "at", READ)
        + bound("y", 1, "c64", WRITE)
        + moved("v", "x", READ, [1, 0], [2, 8], "tensor<2x8xf32>")
        + moved("v", "y", WRITE, [2, 0], [2, 8], "tensor<2x8xf32>", store=True)
    )
    assert touched(found, (0, 256)) == [(0, 256 + 32, 64, False), (1, 64 + 64, 64, True)]


def test_columns_are_their_hull_and_writing_them_reads_what_lies_between() -> None:
    found = kernel(
        bound("x", 0, "c0", READ)
        + bound("y", 1, "c0", WRITE)
        + moved("v", "x", READ, [0, 2], [4, 2], "tensor<4x2xf32>")
        + moved("v", "y", WRITE, [0, 2], [4, 2], "tensor<4x2xf32>", store=True)
    )
    hull = 8, (3 * 8 + 2) * 4
    assert touched(found) == [(0, *hull, False), (1, *hull, True), (1, *hull, False)]


def test_what_only_a_run_knows_is_the_whole() -> None:
    found = kernel(
        bound("x", 0, "c0", READ)
        + bound("y", 1, "c0", WRITE)
        + moved("v", "x", READ, [0, 0], [1, 8], "tensor<1x8xf32>")
        + "%i = arith.divui %at, %c64 : index\n"
        + moved("v", "y", WRITE, "[%i, 0]", "[1, 8]", "tensor<1x8xf32>", store=True).replace(
            "strides = [1, 8]", "strides = [1, 1]"
        )
    )
    assert touched(found)[1:] == [(1, 0, 128, False), (1, 0, 128, True)]


def test_a_place_that_nobody_can_compute_is_the_whole_binding() -> None:
    found = kernel(
        "%i = arith.divui %at, %c64 : index\n"
        + bound("x", 0, "i", READ)
        + moved("v", "x", READ, [0, 0], [4, 8], "tensor<4x8xf32>")
    )
    assert touched(found) == [(0, None, 128, False)]


def test_a_product_is_counted_by_its_loops() -> None:
    a, b, c = (f"readwrite:tensor<{shape}xf32>" for shape in ("3x5", "5x7", "3x7"))
    found = kernel(
        bound("p", 0, "c0", a) + bound("q", 0, "c64", b) + bound("r", 1, "c0", c)
        + moved("a", "p", a, [0, 0], [3, 5], "tensor<3x5xf32>")
        + moved("b", "q", b, [0, 0], [5, 7], "tensor<5x7xf32>")
        + "%z = arith.constant 0.0 : f32\n%e = tensor.empty() : tensor<3x7xf32>\n"
        + "%f = linalg.fill ins(%z : f32) outs(%e : tensor<3x7xf32>) -> tensor<3x7xf32>\n"
        + "%m = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>) outs(%f : tensor<3x7xf32>)"
        + " -> tensor<3x7xf32>\n"
        + moved("m", "r", c, [0, 0], [3, 7], "tensor<3x7xf32>", store=True)
    )  # fmt: skip
    assert found.flops == 2 * 3 * 5 * 7


def test_softmax_has_five_operations_an_element() -> None:
    found = kernel(
        bound("x", 0, "c0", READ)
        + moved("v", "x", READ, [0, 0], [4, 8], "tensor<4x8xf32>")
        + "%e = tensor.empty() : tensor<4x8xf32>\n"
        + "%s = linalg.softmax dimension(1) ins(%v : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>)"
        + " -> tensor<4x8xf32>"
    )
    assert found.flops == 5 * 32


def test_conversions_and_index_arithmetic_are_free() -> None:
    half, single = "readonly:tensor<4x8xf16>", "tensor<4x8xf32>"
    found = kernel(
        bound("x", 0, "c0", half)
        + moved("v", "x", half, [0, 0], [4, 8], "tensor<4x8xf16>")
        + f"%e = tensor.empty() : {single}\n"
        + "%g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, "
        + "affine_map<(d0, d1) -> (d0, d1)>],"
        + f' iterator_types = ["parallel", "parallel"]}} ins(%v : tensor<4x8xf16>) outs(%e : {single}) {{\n'
        + "^bb0(%in: f16, %out: f32):\n%w = arith.extf %in : f16 to f32\n%t = math.tanh %w : f32\n"
        + f"%u = arith.mulf %t, %w : f32\nlinalg.yield %u : f32 }} -> {single}"
    )
    assert found.flops == 2 * 32
    assert touched(found) == [(0, 0, 64, False)]


def test_what_is_used_in_another_way_is_read_and_written_as_allowed() -> None:
    found = kernel(
        "%m = hal.interface.binding.subspan layout(#layout) binding(1) alignment(64) offset(%c64)"
        " : memref<8xf32>\n"
        "%v = memref.load %m[%c0] : memref<8xf32>"
    )
    assert touched(found) == [(1, 64, None, False), (1, 64, None, True)]
