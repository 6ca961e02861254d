"""What the island is compiled to, where it is kept, and what is wrong there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from polyrhythm.island import NoCompilerError, build, config_record, virtual

from .plans import ENTRY, through, vector, written
from .virtual import declared

MADE = (build.program, build.library, build.bare_loop)


def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(NoCompilerError, match=r"can't be compiled into .*file/.*: .*; make room"):
        build.bare_loop()


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_both_compilers_take_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} here")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(build, "COMPILER", compiler)
    assert all(make().exists() for make in MADE)


def test_a_compiler_is_needed_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = [make() for make in MADE]
    monkeypatch.setattr(build, "COMPILER", "no-such-cc")
    assert [make() for make in MADE] == made
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(NoCompilerError, match="no C compiler: `no-such-cc` is not on the path"):
        build.program()


def test_settings_say_what_plays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The program, the plan and its kernels, whatever they are called."""
    plan = written(tmp_path, [vector("error", 2)], [vector("residual", 2)], through(2))
    policy = declared(policy={"vmfb": "act.vmfb"})

    def said() -> bytes:
        return config_record(policy, None, (plan, ENTRY)).tobytes()

    told = [said()]
    for file in (plan.path, plan.library):
        file.write_bytes(file.read_bytes() + b"more")
        told.append(said())
    monkeypatch.setattr(build, "FLAGS", (*build.FLAGS, "-DMORE"))
    told.append(said())
    assert len(set(told)) == 4 and said() == told[-1]


def test_a_compiler_that_does_not_end_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(build, "_TIMEOUT_S", 0)
    with pytest.raises(NoCompilerError, match="cc did not compile the island in 0 s"):
        build.program()


def test_a_step_that_was_cut_short_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, made = build.library().read_bytes(), tmp_path / "libisland.so"

    def library() -> Path:
        if not made.exists():
            made.write_bytes(good)
        return made

    monkeypatch.setattr(virtual, "library", library)
    made.touch()
    assert virtual._load.__wrapped__().pr_island_size() > 0
    monkeypatch.setattr(virtual, "library", lambda: tmp_path)
    with pytest.raises(NoCompilerError, match=r"step can't be loaded: .*set XDG_CACHE_HOME"):
        virtual._load.__wrapped__()
