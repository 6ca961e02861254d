"""Writing files whole or not at all."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: Path | str) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` when the block ends well, and vanishes when it doesn't.

    Folders are made as needed; whoever reads `path` meanwhile sees the old content or the new, whole. The
    file keeps the rights that `path` had.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".new-{secrets.token_hex(8)}")
    try:
        with new.open("xb") as file:
            yield file
        if path.exists():
            new.chmod(path.stat().st_mode & 0o777)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever sees half of it."""
    with replacing(path) as file:
        file.write(content)
