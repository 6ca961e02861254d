"""Which convolutions become a gathering of patches and a product of matrices.

IREE's own kernels for convolutions read the filter again for every few pixels: without AVX-512 for every
four, which is up to thirty times slower once the filter exceeds a cache. As products they are tiled, and
their weights packed, like all others. The compiler does that for all convolutions of a module or for none;
those that are better left alone are hidden from it, by taking the name off the operation: depthwise ones,
which would become as many thin products as there are channels (three times slower), and those of few
channels, where gathering takes longer than what it saves (up to two and a half times as long).
"""

from __future__ import annotations

import re

#: Next to the module.
SPECIFICATION_FILE = "convolutions.mlir"
FLAGS = (
    "--iree-global-opt-use-im2col-for-convs",
    f"--iree-preprocessing-transform-spec-filename={SPECIFICATION_FILE}",
)
_CONVOLUTION = re.compile(r"\b(?:stablehlo\.convolution|linalg\.conv_2d_)")
_FEW_INPUTS, _FEW_OUTPUTS, _ANY = 4, 16, 1 << 40
#: Operation, axis of its filter, and up to which extent of it the operation is left alone.
_ALONE = (
    ("depthwise_conv_2d_nhwc_hwc", 0, _ANY),
    ("conv_2d_nhwc_hwcf", 2, _FEW_INPUTS),
    ("conv_2d_nhwc_hwcf", 3, _FEW_OUTPUTS),
    ("conv_2d_nchw_fchw", 1, _FEW_INPUTS),
    ("conv_2d_nchw_fchw", 0, _FEW_OUTPUTS),
)
_MATCHER = """
  transform.named_sequence @alone{index}(%it: !transform.any_op {{transform.readonly}})
      -> !transform.any_op {{
    transform.match.operation_name %it ["linalg.{operation}"] : !transform.any_op
    %filter = transform.get_operand %it[1] : (!transform.any_op) -> !transform.any_value
    transform.iree.match.dim_bounds %filter[{axis}], umin = 1, umax = {most} : !transform.any_value
    transform.yield %it : !transform.any_op
  }}"""
_MODULE = """module attributes {{transform.with_named_sequence}} {{{matchers}
  transform.named_sequence @unname(%it: !transform.any_op {{transform.consumed}}) {{
    %unnamed = transform.structured.generalize %it : (!transform.any_op) -> !transform.any_op
    transform.yield
  }}
  transform.named_sequence @__transform_main(%module: !transform.any_op) {{
    %rest = transform.foreach_match in %module {rules} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }}
}}
"""


def concerned(text: str) -> bool:
    """Whether a module, StableHLO or loops over tensors, has convolutions of two dimensions at all."""
    return _CONVOLUTION.search(text) is not None


def specification() -> str:
    """What the compiler is to do with convolutions first, in MLIR's transform dialect."""
    matchers = "".join(
        _MATCHER.format(index=index, operation=operation, axis=axis, most=most)
        for index, (operation, axis, most) in enumerate(_ALONE)
    )
    rules = ", ".join(f"@alone{index} -> @unname" for index in range(len(_ALONE)))
    return _MODULE.format(matchers=matchers, rules=rules)
