"""The command `polyrhythm`: one small file per verb, found in this package; a new verb is a new file.

A verb's file defines a function ``verb``; its name is the file's name, its help the function's docstring.
Files whose names begin with ``_`` are shared by verbs. Verbs import what they use when they run, so that
``polyrhythm --help`` needs neither drivers nor models.

Exit codes: 0 done, 1 a run that did not complete or a bundle that was refused, 2 bad input,
130 interrupted.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import Annotated

import typer

from polyrhythm import __version__
from polyrhythm.cli._errors import guarded

__all__ = ["main", "make_app"]


def make_app() -> typer.Typer:
    """The command with all its verbs."""
    app = typer.Typer(
        name="polyrhythm", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )  # fmt: skip
    app.callback()(_root)
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        if not name.startswith("_"):
            app.command(name)(guarded(import_module(f"{__name__}.{name}").verb))
    return app


def main() -> None:
    """Entry point of the command."""
    make_app()(prog_name="polyrhythm")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"polyrhythm {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Several robot models at several rates on one machine: checked before they start, then run on time."""
