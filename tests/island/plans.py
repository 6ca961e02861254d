"""Static plans for the island, by hand: steps over the kernels of `native/kernels.c`."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path

from polyrhythm.bundle.machine_code import compiler_version
from polyrhythm.bundle.static_code import StaticCode
from polyrhythm.compile import plan_file as file
from polyrhythm.hal import native

KERNELS = Path(__file__).parent / "native" / "kernels.c"
ENTRY = "act"
COPY, WAIT, FAIL, MEET = 0, 1, 2, 3
NAMES = ("copy", "wait", "fail", "meet")


def vector(name: str, count: int, alias: int = file.NO_ALIAS) -> file.PlanTensor:
    """A tensor f32 ``[count]``."""
    return file.PlanTensor(name, f"f32[{count}]", 4 * count, alias)


def call(kernel: int, source: file.Binding, target: file.Binding, *constants: int) -> file.PlanStep:
    """One dispatch."""
    return file.PlanStep(file.DISPATCH, [source, target], kernel, (1, 1, 1), constants)


def through(
    count: int, kernels: Sequence[int] = (COPY, COPY), index: int = 0, wait_ns: int = 0
) -> list[file.PlanStep]:
    """Steps that hand an input on to output 0, through the arena."""
    size = 4 * count
    places = [
        file.Binding(0, size, file.INPUT, index),
        *(file.Binding(0, size, file.ARENA) for _ in kernels[1:]),
    ]
    places.append(file.Binding(0, size, file.OUTPUT))
    return [
        call(kernel, places[i], places[i + 1], *((wait_ns,) if kernel == WAIT else ()))
        for i, kernel in enumerate(kernels)
    ]


def meeting(count: int, took_ns: int = 0, *, fails: bool = False) -> list[file.PlanStep]:
    """Steps that hand an input on to output 0, each half by one of two threads, the second in that time."""
    size = 4 * count
    places = [file.Binding(0, size, kind) for kind in (file.INPUT, file.ARENA, file.OUTPUT)]
    shared = file.PlanStep(file.DISPATCH, places[:2], MEET, (2, 1, 1), (took_ns, int(fails)))
    return [shared, call(COPY, places[1], places[2])]


def written(
    root: Path,
    inputs: Sequence[file.PlanTensor],
    outputs: Sequence[file.PlanTensor],
    steps: Sequence[file.PlanStep],
    features: Sequence[str] = (),
) -> StaticCode:
    """A plan and its kernels in `root`."""
    kernels = native.compile_c([KERNELS], ("-shared",), name="island-kernels").read_bytes()
    entry = file.PlanEntry(
        ENTRY, inputs=list(inputs), outputs=list(outputs), steps=list(steps), arena_bytes=256
    )
    content = file.PlanFile(
        compiler_version(), platform.machine(), list(features), kernels, [("one", 0, len(kernels))],
        [(0, name) for name in NAMES[: 1 + max([FAIL, *(step.function for step in steps)])]],
        [], [file.PlanEntry(""), entry], 0, b"",
    )  # fmt: skip
    root.mkdir(parents=True, exist_ok=True)
    path, library = root / "act.plan", root / "act.so"
    path.write_bytes(file.dumps(content))
    library.write_bytes(kernels)
    return StaticCode(path, library, {ENTRY: 256}, {}, 0)
