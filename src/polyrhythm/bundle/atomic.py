"""Writing files whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

#: What files are called until they take their place.
NEW = re.compile(r"\.new-[0-9a-f]{16}")


class NewFile:
    """A file beside `path`, hidden, that takes its place when it is told to. Folders are made as needed.

    What is there and is no file (a device, a FIFO) cannot be replaced: that is written to itself.

    Attributes:
        file: what to write to; its owner closes it.

    Raises:
        OSError: nothing can be written there; `path` may be a directory.
    """

    def __init__(self, path: Path | str) -> None:
        self._path = path = Path(path)
        if not path.name or path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        self._in_place = path.exists() and not path.is_file()
        self._new = path if self._in_place else path.with_name(f".new-{secrets.token_hex(8)}")
        try:
            self.file: BinaryIO = self._new.open("wb" if self._in_place else "xb")
        except OSError as error:  # of the name that was given
            raise OSError(error.errno, error.strerror, str(path)) from None

    def take_place(self) -> None:
        """Be found as `path` from now on, with the rights that it had."""
        if not self._in_place:
            if self._path.exists():
                self._new.chmod(self._path.stat().st_mode & 0o777)
            self._new.replace(self._path)
            self._in_place = True

    def discard(self) -> None:
        """Vanish, unless it has taken its place."""
        if not self._in_place:
            self._new.unlink(missing_ok=True)


@contextmanager
def replacing(path: Path | str) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` when the block ends well, and vanishes when it doesn't.

    Whoever reads `path` meanwhile sees the old content or the new, whole; see `NewFile`.
    """
    new = NewFile(path)
    try:
        with new.file as file:
            yield file
        new.take_place()
    except BaseException:
        new.discard()
        raise


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever sees half of it."""
    with replacing(path) as file:
        file.write(content)
