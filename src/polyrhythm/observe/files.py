"""What writing a file of an optional format needs."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


class MissingExtraError(ImportError):
    """A package of an optional extra is needed and not installed; the message says what to install."""


def need(module: str, extra: str, what: str) -> ModuleType:
    """Import `module`, which belongs to an extra.

    Raises:
        MissingExtraError: it isn't installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"{what} needs the package {error.name!r}: pip install 'polyrhythm[{extra}]'", name=error.name
        ) from error
