"""The command `polyrhythm`: one small file per verb, found in this package; a new verb is a new file.

A verb's file defines a function ``verb``; its name is the file's name, its help the function's docstring.
A folder is a verb with verbs of its own, one file each. Files whose names begin with ``_`` are shared by
verbs, and a ``_`` at the end keeps a name from being a word of Python's. Verbs import what they use when they
run, so that ``polyrhythm --help`` needs neither drivers nor models.

Exit codes: 0 done, 1 a run that did not complete or a bundle that was refused, 2 bad input,
130 interrupted, 143 terminated.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import ModuleType
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
    _add(app, import_module(__name__))
    return app


def _add(app: typer.Typer, package: ModuleType) -> None:
    """Give a command the verbs of a package."""
    for found in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
        if found.name.startswith("_"):
            continue
        name, module = found.name.rstrip("_"), import_module(f"{package.__name__}.{found.name}")
        if found.ispkg:
            group = typer.Typer(help=module.__doc__, no_args_is_help=True, rich_markup_mode=None)
            _add(group, module)
            app.add_typer(group, name=name)
        else:
            app.command(name)(guarded(module.verb))


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
