"""`prepare`: from a portable bundle to machine code, once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from rich.console import Console
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import Bundle, LockedMachineCode, open_bundle, read_lock, write_lock
from polyrhythm.bundle.files import locked_file
from polyrhythm.compile import BuildError, machine, prepare, progress_bar


@pytest.fixture
def fresh(built: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The bundle on a machine that never saw it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.copytree(built.root, tmp_path / "bundle")
    return tmp_path / "bundle"


def test_at_first_use_and_never_again(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = open_bundle(fresh)
    assert set(bundle.missing_artefacts) == {"eye.vmfb", "act.vmfb"}
    with Path("/dev/null").open("w") as nowhere, progress_bar(Console(file=nowhere)) as progress:
        made = prepare(bundle, progress)
        assert [(task.completed, task.total) for task in progress.tasks] == [(2, 2)]
    again = open_bundle(fresh)
    assert again.artefacts == made
    monkeypatch.setattr(machine, "compile_source", lambda *_, **__: pytest.fail("compiled again"))
    assert prepare(again) == made
    assert prepare(bundle) == made

    # A cache that rots is made anew, never loaded.
    damaged = made["eye.vmfb"]
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"?")
    assert open_bundle(fresh).missing_artefacts == ("eye.vmfb",)
    monkeypatch.undo()


def test_code_for_another_cpu_is_made_here(
    fresh: Path, built: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(built.artefacts["eye.vmfb"].parents[2]))
    (fresh / "eye.vmfb").write_bytes(b"for a machine that we are not")
    lock = read_lock(fresh)
    needs = LockedMachineCode(arch="x86_64", cpu="future", features=["avx9000"])
    modules = lock.modules | {"eye.vmfb": lock.modules["eye.vmfb"].model_copy(update={"machine_code": needs})}
    files = lock.files | {"eye.vmfb": locked_file(fresh / "eye.vmfb")}
    write_lock(lock.model_copy(update={"files": files, "modules": modules}), fresh)
    bundle = open_bundle(fresh)
    assert [found.code for found in bundle.diagnostics] == ["PB020"]
    assert prepare(bundle)["eye.vmfb"] == built.artefacts["eye.vmfb"]


def test_a_cache_that_cannot_be_written(
    built: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    (tmp_path / "file").write_text("")
    compiled = machine.compile_here((built.root / "eye.mlir").read_text(), where="eye").compiled
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(machine, "compile_source", lambda *_, **__: compiled)
    with pytest.raises(BuildError) as caught:
        prepare(open_bundle(built.root))
    assert str(caught.value).replace(str(tmp_path), "TMP") == snapshot


def test_code_in_the_cache_is_not_parsed_again(built: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (built.root / "eye.mlir").read_text()
    made = machine._code(text, "eye", [], ()).path

    def never(*_: object) -> None:
        raise AssertionError("the cache has compared its digest: that is enough")

    monkeypatch.setattr(machine, "functions", never)
    monkeypatch.setattr(machine, "compile_source", never)
    assert machine._code(text, "eye", [], ()).path == made
