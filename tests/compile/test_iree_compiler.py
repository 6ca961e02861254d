"""The compiler in its cage: limits, the ladder of flags, and what it says when it refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import host, machine_code, static_code
from polyrhythm.compile import BuildError, convolutions, iree_compiler
from polyrhythm.compile.iree_compiler import LADDER, Refused, compile_source, embedded_target

ADD = """
func.func @f(%x: tensor<4xf32>, %out: tensor<4xf32> {iree.abi.output = 0 : index}) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_it_says_for_which_machine_it_is() -> None:
    compiled = compile_source(ADD, where="add")
    assert compiled.flags[-len(LADDER[0]) :] == LADDER[0]
    assert compiled.target.arch == host().arch
    assert compiled.target.features
    assert host().missing_features(compiled.target.features) == ()
    assert compiled.functions["f"].caller_owned is False
    assert embedded_target(b"nothing is said here").features == []


def test_if_one_rung_fails_the_next_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iree_compiler, "LADDER", (("--no-such-flag",), ()))
    assert "--no-such-flag" not in compile_source(ADD, where="add").flags


def test_refused(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(Refused) as caught:
        compile_source(ADD.replace("stablehlo.add", "stablehlo.ad"), where="add")
    assert str(caught.value) == snapshot


def test_a_compiler_that_is_killed_refuses_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """As by the system when memory runs out: nothing is known of the module, and no other rung is taken."""
    shot = tmp_path / "iree-compile"
    shot.write_text(f"#!/bin/sh\necho run >> {tmp_path / 'runs'}\nkill -KILL $$\n")
    shot.chmod(0o755)
    monkeypatch.setattr(iree_compiler, "compiler_path", lambda: shot)
    with pytest.raises(BuildError) as caught:
        compile_source(ADD, where="add")
    assert not isinstance(caught.value, Refused) and str(caught.value) == snapshot
    assert (tmp_path / "runs").read_text() == "run\n"


def test_flags_and_recipes_change_together(
    monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    """Code that is kept is found by its recipe: whoever changes what is asked of the compiler raises both."""
    asked: dict[str, list[tuple[str, ...]]] = {}

    def refuse(text: str, flags: tuple[str, ...], where: str, *_: object) -> tuple[None, str, None]:
        asked.setdefault(where, []).append(flags)
        return None, "no", None

    monkeypatch.setattr(iree_compiler, "_run", refuse)
    kinds = {"plain": ADD, "wide": ADD.replace("func.func @", "func.func public @").replace("f32", "f64")}
    kinds["convolution"] = ADD.replace("stablehlo.add", "stablehlo.convolution")
    for where, text in kinds.items():
        with pytest.raises(Refused):
            compile_source(text, where=where)
    recipes = {"machine code": machine_code.RECIPE, "static plan": static_code.RECIPE}
    assert (recipes, asked, convolutions.specification()) == snapshot


def test_too_slow() -> None:
    with pytest.raises(BuildError, match=r"PK011: the compiler was stopped after 0\.01 s"):
        compile_source(ADD, where="add", timeout_s=0.01)


def test_waiting_for_others_is_not_computing(tmp_path: Path) -> None:
    """A compiler that a busy machine keeps waiting is not stopped; one that computes or hangs is."""
    assert iree_compiler.limited(["sleep", "1"], tmp_path, 0.5)[0] == 0
    for command in (["sh", "-c", "while :; do :; done"], ["sleep", "600"]):
        with pytest.raises(subprocess.TimeoutExpired):
            iree_compiler.limited(command, tmp_path, 0.1)


SLEEPS = """
import sys
from pathlib import Path
from polyrhythm.compile.iree_compiler import limited
limited(["sh", "-c", "echo $$ > up; exec sleep 600"], Path(sys.argv[1]), 600)
"""


def test_it_ends_with_who_started_it(tmp_path: Path) -> None:
    """However that ends: nobody is left to tell it."""
    os.mkfifo(tmp_path / "up")
    with subprocess.Popen([sys.executable, "-c", SLEEPS, str(tmp_path)]) as starter:
        compiler = psutil.Process(int((tmp_path / "up").read_text()))
        starter.kill()
    compiler.wait(20)


def test_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compile that wants all the memory fails alone."""
    monkeypatch.setattr(iree_compiler, "_memory_kib", lambda: 300_000)
    with pytest.raises(
        Refused, match=r"PK011[\s\S]*(out of memory|bad_alloc|Allocation failed|annot allocate)"
    ):
        compile_source(ADD, where="add")


def test_an_interrupted_compile_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("subprocess.Popen.communicate", interrupt)
        with pytest.raises(KeyboardInterrupt):
            compile_source(ADD, where="add")
    assert list(tmp_path.iterdir()) == []
