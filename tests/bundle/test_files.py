"""Digests and names."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from polyrhythm.bundle import files
from polyrhythm.manifest.values import BundlePath
from tests.effort import examples


def test_a_digest_is_remembered_until_the_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "weights"
    path.write_bytes(b"a" * (3 << 20))
    assert files.digest(path) == hashlib.sha256(b"a" * (3 << 20)).hexdigest()
    with monkeypatch.context() as patch:
        patch.setattr(files.hashlib, "sha256", lambda: pytest.fail("read again"))
        files.digest(path)
    stamp = path.stat()
    path.write_bytes(b"b" + b"a" * ((3 << 20) - 1))
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    # Same size, same times: only the inode's change time, which nobody can set, tells.
    assert files.digest(path) == hashlib.sha256(b"b" + b"a" * ((3 << 20) - 1)).hexdigest()


@pytest.mark.parametrize("name", ["..", "../a", "/a", "a/../b", "a//b", ".", "a/", "./a", "a\\b", "a\0b"])
def test_names_that_leave(name: str) -> None:
    assert files.leaves(name)


@pytest.mark.parametrize("name", ["a", "a/b.vmfb", "..a", "a..b/c"])
def test_names_that_stay(name: str) -> None:
    assert not files.leaves(name)


@examples(100)
@given(st.text("./~\\a", min_size=1, max_size=8))
def test_what_a_manifest_may_name_stays(name: str) -> None:
    try:
        TypeAdapter(BundlePath).validate_python(name)
    except ValidationError:
        return
    assert not files.leaves(name)
