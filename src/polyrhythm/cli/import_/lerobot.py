"""`polyrhythm import lerobot`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from polyrhythm.cli._common import MAX_HZ, JsonOption, bundle_place, console, number, tell_import


class Guidance(StrEnum):
    """How a chunk is drawn toward the one being played."""

    none = "none"
    identity = "identity"
    vjp = "vjp"


def verb(
    directory: Annotated[
        Path, typer.Argument(metavar="PATH", help="The policy's directory: config.json and its neighbours.")
    ],
    out: Annotated[Path, typer.Option(help="The bundle's directory.")],
    control_hz: Annotated[
        float, number("The rate of the robot that the policy was trained on.", least=0.1, most=MAX_HZ)
    ] = 30,
    guidance: Annotated[
        Guidance,
        typer.Option(help="How chunks are joined, where the policy is a flow: what the manifest asks for."),
    ] = Guidance.identity,
    portable: Annotated[
        bool,
        typer.Option("--portable", help="StableHLO and weights only; machine code is made at first use."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a bundle that is there.")] = False,
    as_json: JsonOption = False,
) -> None:
    """A policy directory of LeRobot: ACT, Diffusion, SmolVLA, pi0, pi0.5.

    Needs Python 3.12 and the extra `lerobot`; the bundle needs neither. Every output is held against the
    policy on random inputs. The manifest runs it with the robot `rehearsal`, to be replaced by yours.
    """
    from polyrhythm.compile import progress_bar
    from polyrhythm.compile.imports.lerobot import import_lerobot

    out = bundle_place(out)
    with progress_bar(console(err=True)) as progress:
        report = import_lerobot(
            directory, out, control_hz=control_hz, guidance=guidance.value, portable=portable, force=force,
            progress=progress,
        )  # fmt: skip
    tell_import(report, out, as_json)
