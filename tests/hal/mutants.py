"""Plan files to make mutants of, and the program that gives these to the loader under sanitizers."""

from __future__ import annotations

import subprocess
from pathlib import Path

from polyrhythm.bundle.machine_code import compiler_version
from polyrhythm.compile import plan_file as file
from polyrhythm.hal import native

HERE = Path(__file__).parent / "native"
STRICT = ("-Werror",)
SANITIZED = (
    *STRICT, "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
)  # fmt: skip
CHAIN = "\n".join(
    f"""  %{i + 1} = flow.dispatch.region -> (tensor<32x64xf32>) {{
    %s = arith.addf %{i}, %x : tensor<32x64xf32>
    %t = math.tanh %s : tensor<32x64xf32>
    flow.return %t : tensor<32x64xf32>
  }}"""
    for i in range(12)
)
SOURCE = f"""
func.func @main(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {{
  %0 = arith.negf %x : tensor<32x64xf32>
{CHAIN}
  return %12 : tensor<32x64xf32>
}}"""


def write_plans(root: Path) -> list[Path]:
    """A plan that has a bit of everything, and that of a chain with its kernels."""
    from polyrhythm.compile.static_plan import plan_source

    made = plan_source(SOURCE, where="chain")
    for name, plan in (("mixed", file.dumps(mixed(made.library))), ("chain", made.plan)):
        (root / f"{name}.plan").write_bytes(plan)
        (root / f"{name}.so").write_bytes(made.library)
    return [root / "mixed.plan", root / "chain.plan"]


def mixed(library: bytes) -> file.PlanFile:
    """Every kind of step, place and record; its kernels are for mutants only, which bring their own."""
    b = file.Binding
    steps = [
        file.PlanStep(file.COPY, [b(64, 64, file.PARAMETER), b(0, 64, file.STATE)]),
        file.PlanStep(file.FILL, [b(64, 128, file.STATE)], pattern=b"\x01\x02"),
    ]
    main = [
        file.PlanStep(
            file.DISPATCH, [b(0, 64, file.INPUT, 1), b(0, 128, file.DATA), b(64, 192, file.ARENA)],
            1, (3, 2, 2), (7, 9, 11),
        ),
        file.PlanStep(file.FILL, [b(4, 8, file.ARENA)], pattern=b"\x01\x02\x03\x04"),
        file.PlanStep(file.DISPATCH, [b(0, 100, file.INPUT, 0), b(0, 256, file.STATE)], 0, (4, 1, 1)),
        file.PlanStep(file.COPY, [b(3, 40, file.ARENA), b(0, 40, file.OUTPUT, 0)]),
        file.PlanStep(file.COPY, [b(0, 64, file.PARAMETER, 1), b(0, 64, file.INPUT, 1)]),
    ]  # fmt: skip
    inputs = [file.PlanTensor("x", "f32[25]", 100), file.PlanTensor("cache", "f32[16]", 64)]
    outputs = [file.PlanTensor("y", "f32[10]", 40), file.PlanTensor("cache", "f32[16]", 64, 1)]
    entries = [
        file.PlanEntry("", steps=steps),
        file.PlanEntry("main", "sync func @main()", "", inputs, outputs, main, 256),
        file.PlanEntry("other", "sync func @other()", "cf.cond_br: it depends on the input"),
    ]
    size = len(library)
    return file.PlanFile(
        compiler_version(), "x86_64", ["avx2"], library, [("a::b", 0, size), ("c::d", 0, size)],
        [(0, "one"), (1, "two")], [("w", 128), ("v", 64)], entries, 256, bytes(range(128)),
    )  # fmt: skip


def program(source: str = "fuzz_plan.c", flags: tuple[str, ...] = SANITIZED) -> Path:
    """A program around the runner. Raises `HalError` where the compiler has no such flags."""
    return native.compile_c([HERE / source, *native.RUNNER], flags, name=source)


def fuzz(made: Path, plans: list[Path], seed: int, first: int, count: int, timeout_s: float) -> int:
    """How many of the mutants `first` .. `first + count` were found good; none of them did any harm.

    Raises:
        AssertionError: one did; with the sanitizers' report, whose last line has its number.
    """
    command = [str(made), *map(str, (seed, first, count, *plans))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False)
    assert done.returncode == 0, (
        f"among mutants {first} to {first + count} of seed {seed}:\n" + done.stderr[-4000:]
    )
    accepted, of = done.stdout.split(" of ")
    assert of == f"{count} accepted\n"
    return int(accepted)
