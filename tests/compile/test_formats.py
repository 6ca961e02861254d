"""Which format an artefact has: what the drivers that are installed say, ours and others'."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import Entry, Tensor
from polyrhythm.compile import BuildError, lock_existing
from polyrhythm.hal.registry import driver
from polyrhythm.runtime import check
from tests.hal.outside import install_driver

MANIFEST = """\
devices:
  here: {{ driver: "{driver}", uri: cpu }}
orchestration:
  modules:
  - {{ id: net, artefact: {artefact}, rate_hz: 10, cost_ms: 1 }}
"""
DRIVER = """\
from polyrhythm.hal.drivers.null import NullDriver

class Vendor(NullDriver):
    name, formats, endings = "{name}", ("{kind}",), {endings}

driver = Vendor()
"""
ENTRY = Entry("main", (Tensor("x", "f32", (4,)),), (Tensor("y", "f32", (4,)),))


@pytest.fixture
def vendor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Installs a driver of somebody else's for formats of that name."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)

    def install(name: str, kind: str = "acme", source: str = DRIVER, **endings: str) -> None:
        install_driver(folder, name, source.format(name=name, kind=kind, endings=endings))
        driver.cache_clear()

    yield install
    driver.cache_clear()
    for name in [name for name in sys.modules if name.endswith("_vendor")]:
        del sys.modules[name]


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Path]:
    def make(artefact: str, on: str = "onnxruntime") -> Path:
        root = tmp_path / "bundle"
        root.mkdir(exist_ok=True)
        for file in root.iterdir():
            file.unlink()
        (root / "manifest.yaml").write_text(MANIFEST.format(driver=on, artefact=artefact))
        (root / artefact).write_bytes(b"a graph")
        return root

    return make


def locked(root: Path) -> str:
    """The format of its only artefact."""
    name = next(path.name for path in root.iterdir() if path.name.startswith("net"))
    return lock_existing(root, entries={name: [ENTRY]}).module(name).format


def refused(root: Path) -> str:
    with pytest.raises(BuildError) as caught:
        locked(root)
    assert not (root / "bundle.lock").exists()
    return str(caught.value).replace(str(root), "TMP")


@pytest.mark.parametrize(
    ("artefact", "kind"),
    {
        "net.onnx": "onnx", "net.tflite": "tflite", "net.xml": "openvino", "net.param": "ncnn",
        "net.mnn": "mnn", "net.so": "tvm",
    }.items(),
)  # fmt: skip
def test_files_of_ours(make: Callable[..., Path], artefact: str, kind: str) -> None:
    assert locked(make(artefact)) == kind


def test_a_driver_from_outside_brings_its_format(
    make: Callable[..., Path], vendor: Callable[..., None], snapshot: SnapshotAssertion
) -> None:
    assert refused(make("net.acme", "null")) == snapshot
    vendor("acme")
    root = make("net.acme", "acme")
    (root / "manifest.yaml").write_text((root / "manifest.yaml").read_text().replace("cpu", "immediate"))
    assert locked(root) == "acme"
    checked = check(root)
    assert [found.code for found in checked.diagnostics] == ["PC006"] and checked.plan is not None


def test_it_says_what_its_files_end_in(make: Callable[..., Path], vendor: Callable[..., None]) -> None:
    vendor("acme", acme=".acme.bin")
    vendor("other", "blob", blob=".bin")
    assert locked(make("net.acme.bin")) == "acme", "the longer ending"
    assert locked(make("net.bin")) == "blob"


def test_drivers_that_disagree(
    make: Callable[..., Path], vendor: Callable[..., None], snapshot: SnapshotAssertion
) -> None:
    vendor("acme", acme=".so")
    assert locked(make("net.so", "acme")) == "acme", "the driver of its device is asked first"
    assert locked(make("net.so", "tvm")) == "tvm"
    assert refused(make("net.so", "iree")) == snapshot


def test_a_driver_that_cannot_be_imported_is_named(
    make: Callable[..., Path], vendor: Callable[..., None], snapshot: SnapshotAssertion
) -> None:
    vendor("acme", source="raise OSError('libacme.so: cannot open shared object file')\n")
    assert refused(make("net.acme", "acme")) == snapshot


def test_the_key_vmfb_means_iree(make: Callable[..., Path]) -> None:
    root = make("net.onnx", "iree")
    (root / "manifest.yaml").write_text((root / "manifest.yaml").read_text().replace("artefact:", "vmfb:"))
    assert "PK030" in refused(root)
