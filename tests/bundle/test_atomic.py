"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from polyrhythm.bundle.atomic import NewFile, replacing, write_atomically


@pytest.mark.parametrize("name", [".", "/", "..", "folder"])
def test_a_directory_is_not_replaced(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError) as raised, replacing(name):
        pass
    assert (raised.value.filename, raised.value.strerror) == (name, "Is a directory")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_what_is_no_file_is_written_to_itself(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, b"whole")
        assert os.read(reader, 100) == b"whole"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode) and list(tmp_path.iterdir()) == [pipe]


def test_the_old_file_is_there_until_the_new_one_takes_its_place(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o640)
    new = NewFile(path)
    with new.file as file:
        file.write(b"ne")
        file.flush()
        assert path.read_bytes() == b"old"
        new.take_place()
        file.write(b"w")
    new.discard()
    assert path.read_bytes() == b"new" and stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_made_is_told_by_the_name_that_was_given(tmp_path: Path) -> None:
    long = tmp_path / ("x" * 300)
    with pytest.raises(OSError, match="File name too long") as raised:
        write_atomically(long, b"")
    assert raised.value.filename == str(long)
