"""Bundles without any compiled code: the bundle room reads bytes, it never runs them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from polyrhythm.bundle import LOCK_FILE, BundleError, Lock, LockedModule, host, open_bundle, write_lock
from polyrhythm.bundle.files import locked_file

MANIFEST = """\
orchestration:
  modules:
  - { id: vlm, vmfb: vlm.vmfb, parameters: vlm.safetensors, rate_hz: 3 }
  - { id: dit, vmfb: dit.vmfb, rate_hz: 10 }
  links:
  - { from: vlm.hidden, to: dit.hidden }
"""
HIDDEN = {"name": "hidden", "dtype": "f32", "shape": [2, 3]}


def lock_of(root: Path) -> Lock:
    """The lock of `make_bundle`'s directory as it stands."""
    files = {
        path.relative_to(root).as_posix(): locked_file(path)
        for path in root.rglob("*")
        if path.is_file() and path.name != LOCK_FILE
    }
    vlm = LockedModule.model_validate(
        {
            "source": "vlm.mlir",
            "parameters": {"files": ["vlm.safetensors"], "count": 1, "bytes": 24},
            "operations": {"stablehlo.add": 2, "stablehlo.dot_general": 1},
            "compiler": {"name": "iree-base-compiler", "version": "3.13.0", "flags": ["--x"]},
            "frontend": {"jax": "0.10.2"},
            "entries": {
                "encode": {
                    "inputs": [{"name": "depth", "dtype": "f32", "shape": [4, 4]}],
                    "outputs": [HIDDEN],
                    "scratch_bytes": 128,
                    "gate": {
                        "seed": 0,
                        "samples": 3,
                        "cpu": "host",
                        "outputs": {"hidden": {"max_abs": 1e-6, "max_rel": 2e-6, "tolerance": 1e-4}},
                    },
                }
            },
        }
    )
    dit = LockedModule.model_validate(
        {
            "machine_code": {"arch": host().arch, "cpu": "any", "features": []},
            "entries": {
                "main": {
                    "inputs": [HIDDEN],
                    "outputs": [{"name": "t", "dtype": "i32", "shape": []}],
                    "consumed": ["hidden"],
                }
            },
        }
    )
    return Lock(files=files, modules={"vlm.vmfb": vlm, "dit.vmfb": dit})


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A portable module with weights, and one of machine code only; no cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "bundle"
    root.mkdir()
    (root / "manifest.yaml").write_text(MANIFEST)
    (root / "vlm.mlir").write_text("module {}\n")
    (root / "vlm.safetensors").write_bytes(bytes(range(256)))
    (root / "dit.vmfb").write_bytes(b"machine code")
    write_lock(lock_of(root), root)
    return root


@pytest.fixture
def told(tmp_path: Path) -> Callable[[Path], str]:
    """What opening a bundle says, with paths that are the same everywhere."""

    def open_it(root: Path) -> str:
        with pytest.raises(BundleError) as caught:
            open_bundle(root)
        return str(caught.value).replace(str(tmp_path.resolve()), "TMP")

    return open_it
