"""Where bundles go: nothing but a bundle's own files is ever replaced."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import Lock, write_lock
from polyrhythm.bundle.files import locked_file
from polyrhythm.compile import BuildError, place
from polyrhythm.compile.place import check_place, workplace


def _bundle(root: Path, content: str) -> Path:
    root.mkdir()
    (root / "manifest.yaml").write_text(content)
    write_lock(Lock(files={"manifest.yaml": locked_file(root / "manifest.yaml")}, modules={}), root)
    return root


def test_places_that_are_fine(tmp_path: Path) -> None:
    check_place(tmp_path / "new")
    (tmp_path / "empty").mkdir()
    check_place(tmp_path / "empty")
    check_place(_bundle(tmp_path / "bundle", "old"))


def test_places_that_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "thesis.tex").write_text("")
    (_bundle(tmp_path / "bundle", "old") / "notes.txt").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "bundle")
    said = []
    for name in ("file", "project", "bundle", "link", "no/parent"):
        with pytest.raises(BuildError) as caught:
            check_place(tmp_path / name)
        said.append(str(caught.value).replace(str(tmp_path), "TMP"))

    def full(self: Path, *_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", full)
    with pytest.raises(BuildError) as caught, workplace(tmp_path / "new"):
        pass
    said.append(str(caught.value).replace(str(tmp_path), "TMP"))
    assert said == snapshot


@pytest.mark.parametrize("atomic", [True, False], ids=["exchange", "two renames"])
def test_swap(atomic: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not atomic:
        monkeypatch.setattr(place, "_exchange", lambda *_: False)
    out = _bundle(tmp_path / "bundle", "old")
    with workplace(out) as work:
        (work / "manifest.yaml").write_text("new")
        assert (out / "manifest.yaml").read_text() == "old"
    assert [path.name for path in out.iterdir()] == ["manifest.yaml"]
    assert (out / "manifest.yaml").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["bundle"]


def test_what_was_put_there_meanwhile_stays(tmp_path: Path) -> None:
    out = _bundle(tmp_path / "bundle", "old")
    for name, place_ in (("notes.txt", out), ("thesis.tex", tmp_path / "new")):
        check_place(place_)
        with pytest.raises(BuildError, match="PK013"), workplace(place_) as work:
            (work / "manifest.yaml").write_text("new")
            place_.mkdir(exist_ok=True)
            (place_ / name).write_text("months of work")
        assert (place_ / name).read_text() == "months of work"
    assert (out / "manifest.yaml").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bundle", "new"]


def test_a_swap_that_fails_puts_the_old_one_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = _bundle(tmp_path / "bundle", "old")
    monkeypatch.setattr(place, "_exchange", lambda *_: False)
    rename = Path.rename

    def fail(self: Path, target: Path) -> Path:
        if target == out and "old" not in (self / "manifest.yaml").read_text():
            raise OSError("disk full")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(OSError, match="disk full"), workplace(out) as work:
        (work / "manifest.yaml").write_text("new")
    assert (out / "manifest.yaml").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["bundle"]
