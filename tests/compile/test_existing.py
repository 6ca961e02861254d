"""`lock_existing`: bundles of modules from elsewhere, such as stubs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from typer.testing import CliRunner

from polyrhythm.bundle import Bundle, BundleError, Entry, LockedMachineCode, Tensor
from polyrhythm.cli import make_app
from polyrhythm.compile import BuildError, lock_existing
from polyrhythm.compile.iree_compiler import compile_source
from polyrhythm.runtime import Runtime, check
from tests.manifest.texts import SPECIFICATION

STUB = """
func.func @{name}(%x: tensor<{kind}>) -> tensor<2x8xf32> {{
  %0 = stablehlo.constant dense<0.0> : tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}}
"""


@pytest.fixture(scope="module")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("stubs")
    (root / "manifest.yaml").write_text(SPECIFICATION)
    for name, kind in {"vlm": "4xi32", "action_head": "2x8xf32"}.items():
        compiled = compile_source(STUB.format(name="main", kind=kind), where=name)
        (root / f"{name}.vmfb").write_bytes(compiled.content)
    return root


@pytest.fixture
def directory(stubs: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(stubs, tmp_path / "bundle"))


def test_the_manifest_of_the_specification(directory: Path) -> None:
    bundle = lock_existing(directory)
    entry = bundle.module("vlm.vmfb").entries["main"]
    assert entry.inputs == (Tensor("input0", "i32", (4,)),)
    assert entry.outputs == (Tensor("hidden", "f32", (2, 8)),), "named by the only link"
    assert bundle.module("action_head.vmfb").entries["main"].inputs == (Tensor("condition", "f32", (2, 8)),)
    assert not bundle.module("vlm.vmfb").signatures["main"].caller_owned
    assert bundle.artefacts.keys() == {"vlm.vmfb", "action_head.vmfb"}
    assert lock_existing(directory).lock == bundle.lock, "again"


def test_the_command_line_makes_a_bundle_of_a_directory(directory: Path) -> None:
    def told(*arguments: str) -> tuple[int, str]:
        found = CliRunner().invoke(make_app(), [*arguments], terminal_width=200)
        return found.exit_code, found.stdout + " ".join(found.stderr.split())

    code, text = told("lock", str(directory))
    assert code == 2 and "error PB002" in text and "`polyrhythm lock --modules`" in text
    assert told("lock", str(directory), "--modules") == (0, "bundle: locked\n")
    assert told("check", str(directory))[0] == 0
    (directory / "vlm.vmfb").write_bytes(b"no module")
    code, text = told("lock", str(directory), "--modules")
    assert code == 2 and "error PK030" in text


def test_names_given_by_hand(directory: Path) -> None:
    bundle = lock_existing(directory, {"vlm.vmfb": {"main": (["instruction"], ["hidden"])}})
    assert bundle.module("vlm.vmfb").entries["main"].inputs == (Tensor("instruction", "i32", (4,)),)
    with pytest.raises(ValueError, match="'main' has 1 inputs and 1 outputs, names are given for 0 and 1"):
        lock_existing(directory, {"vlm.vmfb": {"main": ([], ["hidden"])}})


def test_what_build_made_names_itself(built: Bundle, directory: Path) -> None:
    shutil.rmtree(directory)
    shutil.copytree(built.root, directory)
    for name, path in built.artefacts.items():
        shutil.copyfile(path, directory / name)
    (directory / "bundle.lock").unlink()
    text = (
        (directory / "manifest.yaml")
        .read_text()
        .replace("vmfb: eye.vmfb,", "vmfb: eye.vmfb, parameters: eye.safetensors,")
    )
    (directory / "manifest.yaml").write_text(text)
    bundle = lock_existing(directory)
    for name, module in built.modules.items():
        assert bundle.module(name).entries == module.entries
        assert bundle.module(name).source == module.source


def test_every_mistake_at_once(directory: Path, snapshot: SnapshotAssertion) -> None:
    (directory / "vlm.vmfb").unlink()
    (directory / "action_head.vmfb").write_bytes(b"no module")
    with pytest.raises(BuildError) as caught:
        lock_existing(directory)
    assert [found.code for found in caught.value.diagnostics] == ["PK031", "PK030"]
    assert str(caught.value).replace(str(directory), "TMP") == snapshot
    assert not (directory / "bundle.lock").exists()
    (directory / "manifest.yaml").write_text("a: 1")
    with pytest.raises(BuildError, match="PM020"):
        lock_existing(directory)


def test_a_lock_stays_if_the_directory_is_no_bundle(directory: Path, snapshot: SnapshotAssertion) -> None:
    lock_existing(directory)
    before = (directory / "bundle.lock").read_bytes()
    (directory / "linked.irpa").symlink_to("/etc/passwd")
    with pytest.raises(BundleError) as caught:
        lock_existing(directory)
    assert str(caught.value).replace(str(directory.resolve()), "TMP") == snapshot
    (directory / "linked.irpa").unlink()
    other = LockedMachineCode(arch="riscv64", cpu="any")
    with pytest.MonkeyPatch.context() as patched, pytest.raises(BundleError, match="PB012"):
        patched.setattr("polyrhythm.compile.existing.embedded_target", lambda content: other)
        lock_existing(directory)
    assert (directory / "bundle.lock").read_bytes() == before


def test_more_files_than_a_bundle_has(
    directory: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr("polyrhythm.bundle.files.MAX_FILES", 2)
    with pytest.raises(BundleError) as caught:
        lock_existing(directory)
    assert str(caught.value).replace(str(directory.resolve()), "TMP") == snapshot
    assert not (directory / "bundle.lock").exists()


@pytest.mark.parametrize(
    ("name", "kind"), [("main", "1x" * 17 + "f32"), ("m" * 257, "f32")], ids=["axes", "a name"]
)
def test_what_a_lock_can_not_say(name: str, kind: str, directory: Path, snapshot: SnapshotAssertion) -> None:
    stub = STUB.format(name=name, kind=kind)
    (directory / "vlm.vmfb").write_bytes(compile_source(stub, where="vlm").content)
    with pytest.raises(BuildError) as caught:
        lock_existing(directory)
    assert str(caught.value).replace(str(directory), "TMP") == snapshot
    assert not (directory / "bundle.lock").exists()


@pytest.mark.parametrize("kind", ["file", "directory"])
def test_a_name_that_is_not_utf_8(kind: str, directory: Path, snapshot: SnapshotAssertion) -> None:
    odd = directory / os.fsdecode(b"caf\xe9")
    if kind == "file":
        odd.touch()
    else:
        odd.mkdir()
        (odd / "inside").touch()
    with pytest.raises(BundleError) as caught:
        lock_existing(directory)
    assert str(caught.value).replace(str(directory.resolve()), "TMP") == snapshot
    assert not (directory / "bundle.lock").exists()


FOREIGN = """\
devices:
  cpu: { driver: onnxruntime, uri: cpu }
orchestration:
  modules:
  - { id: net, artefact: net.onnx, rate_hz: 10, cost_ms: 1 }
"""


def test_an_artefact_of_another_runtime(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    from .imports import models

    file = models.write(models.mlp(), tmp_path / "net.onnx")
    (tmp_path / "manifest.yaml").write_text(FOREIGN)
    with pytest.raises(BuildError) as caught:
        lock_existing(tmp_path)
    assert str(caught.value).replace(str(tmp_path), "TMP") == snapshot
    assert not (tmp_path / "bundle.lock").exists()
    entry = Entry("main", (Tensor("obs", "f32", (1, 64)),), (Tensor("action", "f32", (1, 4)),))
    bundle = lock_existing(tmp_path, entries={"net.onnx": [entry]})
    module = bundle.module("net.onnx")
    assert (module.format, module.entries) == ("onnx", {"main": entry})
    assert module.embedded_bytes == file.stat().st_size and bundle.missing == ()
    plan = check(tmp_path).plan
    assert plan is not None
    with Runtime(plan) as runtime:
        assert runtime.run(seconds=1, lockstep=True).reason == "complete"


def test_weights_beside_it(tmp_path: Path) -> None:
    (tmp_path / "manifest.yaml").write_text(FOREIGN.replace("net.onnx", "net.param"))
    (tmp_path / "net.param").write_bytes(b"7767517")
    (tmp_path / "net.bin").write_bytes(bytes(100))
    entry = Entry("main", (), (Tensor("y", "f32", (1,)),))
    module = lock_existing(tmp_path, entries={"net.param": [entry]}).module("net.param")
    assert module.format == "ncnn"
    assert (module.parameters.files, module.parameters.size) == (["net.bin"], 100)
