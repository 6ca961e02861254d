"""`lock_existing`: bundles of modules from elsewhere, such as stubs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from polyrhythm.bundle import Bundle, Tensor
from polyrhythm.compile import BuildError, lock_existing
from polyrhythm.compile.iree_compiler import compile_source
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


def test_every_mistake_at_once(directory: Path) -> None:
    (directory / "vlm.vmfb").unlink()
    (directory / "action_head.vmfb").write_bytes(b"no module")
    with pytest.raises(BuildError) as caught:
        lock_existing(directory)
    assert [found.code for found in caught.value.diagnostics] == ["PK031", "PK030"]
    assert caught.value.diagnostics[0].where.line == 4
    assert not (directory / "bundle.lock").exists()
    (directory / "manifest.yaml").write_text("a: 1")
    with pytest.raises(BuildError, match="PM020"):
        lock_existing(directory)
