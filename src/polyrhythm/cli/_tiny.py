"""The smallest compiled module, for `polyrhythm doctor` to measure what a call costs beside its work."""

from __future__ import annotations

from importlib.util import find_spec

from polyrhythm.bundle import Entry, Tensor
from polyrhythm.observe.doctor import Tiny

_VECTOR = Tensor("x", "f32", (16,))
_TEXT = """\
func.func @tiny(%x: tensor<16xf32>, %storage: tensor<16xf32> {iree.abi.output = 0 : index})
    -> tensor<16xf32> {
  %y = stablehlo.add %x, %x : tensor<16xf32>
  return %y : tensor<16xf32>
}
"""


def tiny() -> Tiny | None:
    """Compiled now or found in the cache; None without the compiler."""
    if find_spec("iree.compiler") is None:
        return None
    from polyrhythm.compile.machine import compile_here

    made = compile_here(_TEXT, where="the doctor's module")
    return Tiny(made.path, Entry("tiny", (_VECTOR,), (Tensor("y", "f32", (16,)),)))
