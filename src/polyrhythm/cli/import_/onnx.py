"""`polyrhythm import onnx`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import JsonOption, bundle_place, console, refuse_idle, tell_import


class Using(StrEnum):
    """Where the model may go."""

    auto = "auto"
    iree = "iree"
    onnxruntime = "onnxruntime"


def verb(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The model, an .onnx file.")],
    out: Annotated[
        Path | None,
        typer.Option(help="The bundle's directory.", show_default="the model's name, here"),
    ] = None,
    shape: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=1,3,224,224",
            help="The shape of an input that the model leaves open; may be repeated.",
        ),
    ] = None,
    sample: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=16000",
            help="What is in an input during the comparison; random numbers if not said.",
        ),
    ] = None,
    constant: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=16000",
            help="An input that is always full of a number: it is taken off; may be repeated.",
        ),
    ] = None,
    no_batch: Annotated[
        bool,
        typer.Option("--no-batch", help="Drop first axes of 1; `robot.action` takes a vector as one action."),
    ] = False,
    using: Annotated[
        Using,
        typer.Option("--driver", help="IREE or ONNX Runtime; `auto`: IREE unless it is much slower."),
    ] = Using.auto,
    force: Annotated[bool, typer.Option("--force", help="Replace a bundle that is there.")] = False,
    as_json: JsonOption = False,
) -> None:
    """An ONNX file, on IREE or on ONNX Runtime.

    Every output is held against ONNX Runtime on random inputs. The bundle appears whole or not at all; its
    manifest runs the model by itself, and is meant to be edited (`polyrhythm lock` takes that over).
    """
    from polyrhythm.compile import progress_bar
    from polyrhythm.compile.imports.onnx_edit import Edits
    from polyrhythm.compile.imports.onnx_import import import_onnx
    from polyrhythm.compile.imports.onnx_shapes import parse, parse_numbers

    place = bundle_place(Path(file.stem) if out is None else out)
    edits = Edits(parse_numbers(constant or (), "set"), no_batch)
    numbers = parse_numbers(sample or (), "sample")
    for name in edits.constants.keys() & numbers:
        refuse_idle(f"beside --set {name}=...", {"--sample": name})
    with progress_bar(console(err=True)) as progress:
        report = import_onnx(
            file, place, shapes=parse(shape or ()), numbers=numbers, edits=edits,
            using=using.value, force=force, progress=progress,
        )  # fmt: skip
    tell_import(report, place, as_json)
