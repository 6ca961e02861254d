"""From the torch dialect to StableHLO, in a process of its own.

``python torch_lowering.py IN OUT``, files of MLIR text. Whatever torch-mlir says of what
it cannot do goes to standard error.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

#: As `torch_mlir.fx` lowers, with nothing kept whole.
_PIPELINES = (
    "builtin.module(torchdynamo-export-to-torch-backend-pipeline{extra-library=})",
    "builtin.module(torch-backend-to-stablehlo-backend-pipeline)",
)


def stablehlo(text: str) -> str:
    """The StableHLO of a module in the torch dialect.

    Raises:
        Exception: torch-mlir's own, for what it cannot lower.
    """
    from torch_mlir import ir, passmanager
    from torch_mlir.dialects import torch as torch_dialect

    with ir.Context() as context:
        torch_dialect.register_dialect(context)
        module = ir.Module.parse(text)
        for pipeline in _PIPELINES:
            passmanager.PassManager.parse(pipeline).run(module.operation)
        return signless(str(module.operation.get_asm(enable_debug_info=False)))


def signless(text: str) -> str:
    """The same, truth values that are constants as signless bytes: IREE takes no constant of unsigned ones.

    A module that takes or gives unsigned bytes is left as it is: there the sign matters.
    """
    signature = next((line for line in text.splitlines() if "func.func @main" in line), "")
    return text if "ui8>" in signature else re.sub(r"(tensor<(?:\d+x)*)ui8>", r"\1i8>", text)


def main() -> int:
    """Lower the file named first on the command line into the one named second."""
    Path(sys.argv[2]).write_text(stablehlo(Path(sys.argv[1]).read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
