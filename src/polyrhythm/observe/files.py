"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import BinaryIO


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


@contextmanager
def replacing(path: Path | str) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` when the block ends well, and vanishes when it doesn't.

    Folders are made as needed; whoever reads `path` meanwhile sees the old content or the new, whole.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
