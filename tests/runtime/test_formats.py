"""Artefacts that are not IREE's: opened, counted, checked against what drivers load, and run."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from typer.testing import Result

from polyrhythm.bundle import (
    BundleError,
    Lock,
    LockedEntry,
    LockedModule,
    LockedParameters,
    open_bundle,
    write_lock,
)
from polyrhythm.bundle.files import locked_file
from polyrhythm.bundle.lock import LockedTensor
from polyrhythm.hal import HalError, registry
from polyrhythm.manifest import render_all
from polyrhythm.runtime import Runtime, check, check_plan
from polyrhythm.runtime.costs import packages
from polyrhythm.runtime.ledger import ledger_of
from tests.cli.conftest import cli  # noqa: F401

MANIFEST = """\
devices:
  cpu: { driver: "null", uri: immediate }
orchestration:
  modules:
  - { id: eye, artefact: eye.onnx, rate_hz: 10, cost_ms: 1 }
"""
CONTENT = b"a graph, and 1000 bytes of weights" + bytes(1000)


def make(root: Path, manifest: str = MANIFEST, format_: str = "onnx") -> Path:
    """A bundle of one module in a format of somebody else's, with weights in it and beside it."""
    root.mkdir()
    (root / "manifest.yaml").write_text(manifest)
    (root / "eye.onnx").write_bytes(CONTENT)
    tensor = LockedTensor(name="x", dtype="f32", shape=[4])
    module = LockedModule(
        format=format_,
        parameters=LockedParameters(count=1, size=1000),
        signatures={"main": LockedEntry(inputs=[], outputs=[tensor])},
    )
    files = {path.name: locked_file(path) for path in root.iterdir()}
    write_lock(Lock(files=files, modules={"eye.onnx": module}), root)
    return root


def told(root: Path) -> str:
    return render_all(check(root).diagnostics).replace(f"{root.resolve()}/", "")


def test_the_artefact_is_what_is_loaded(tmp_path: Path) -> None:
    bundle = open_bundle(make(tmp_path / "b"))
    (module,) = bundle.manifest.orchestration.modules
    assert (module.artefact, module.artefact_key, module.vmfb) == ("eye.onnx", "artefact", None)
    assert bundle.missing == ()
    assert bundle.artefacts_of(module) == (bundle.root / "eye.onnx",)
    assert bundle.parameters(module) == ()


@pytest.mark.parametrize(("content", "code"), [(CONTENT[:-1], "PB006"), (b"b" + CONTENT[1:], "PB007")])
def test_damage_is_found(tmp_path: Path, content: bytes, code: str) -> None:
    root = make(tmp_path / "b")
    (root / "eye.onnx").write_bytes(content)
    with pytest.raises(BundleError, match=code):
        open_bundle(root)


def test_it_is_no_iree_module_without_code(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="neither source nor machine code"):
        make(tmp_path / "b", format_="iree")


def test_it_runs_and_every_byte_is_counted(tmp_path: Path) -> None:
    plan = check(make(tmp_path / "b")).plan
    assert plan is not None
    lines = {(line.kind, line.name): line.nbytes for line in ledger_of(plan).lines}
    assert lines["weights", "within eye.onnx"] == 1000
    assert lines["code", "eye.onnx"] == len(CONTENT) - 1000
    with Runtime(plan) as runtime:
        assert runtime.run(seconds=1, lockstep=True).reason == "complete"
    assert packages(plan.bundle) == packages()  # the null driver runs nothing


DEVICES = {
    "iree": "driver: iree",
    "static": "driver: static",
    "unknown format": 'driver: "null", uri: immediate',
}


@pytest.mark.parametrize("name", DEVICES)
def test_a_device_that_does_not_load_it(tmp_path: Path, snapshot: SnapshotAssertion, name: str) -> None:
    root = make(tmp_path / "b", MANIFEST.replace('driver: "null", uri: immediate', DEVICES[name]), "abacus")
    if name == "unknown format":
        assert check(root).plan is not None  # the null driver takes everything
    else:
        assert told(root) == snapshot


def test_a_driver_that_cannot_be_imported(
    tmp_path: Path, snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = EntryPoint("npu", "absent_vendor.driver:driver", registry.ENTRY_POINT_GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: (broken,))
    assert told(make(tmp_path / "b", MANIFEST.replace('"null", uri: immediate', "npu"))) == snapshot


URIS = {
    "a typo": "iree, uri: local-tsk",
    "not here": "iree, uri: cuda",
    "the default": "onnxruntime",
}


@pytest.mark.parametrize("name", URIS)
def test_a_device_that_does_not_open_here(tmp_path: Path, snapshot: SnapshotAssertion, name: str) -> None:
    text = MANIFEST.replace("devices:\n", f"devices:\n  npu: {{ driver: {URIS[name]} }}\n")
    root = make(tmp_path / "b", text.replace("10,", "10, device: cpu,"))
    assert told(root) == snapshot
    assert check_plan(root / "manifest.yaml").ok


@pytest.mark.parametrize(
    "device",
    [
        'iree, uri: "local-task://"',
        '"null", uri: "sleep_ns:5000"',
        'dsa, uri: "sram_kib=512"',
        'onnxruntime, uri: "cpu:1"',
        "vendor, uri: other",
        "vendor, uri: key=other",
    ],
)
def test_what_a_driver_may_open_is_left_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: str
) -> None:
    """Names may have more behind them; a driver without names, or that cannot be asked, is not judged."""

    class Vendor:
        def available(self):
            if device.endswith("uri: other"):
                raise HalError("no library")
            return ("key=value",)

    honest = registry.driver
    monkeypatch.setattr(registry, "driver", lambda name: Vendor() if name == "vendor" else honest(name))
    text = MANIFEST.replace("devices:\n", f"devices:\n  npu: {{ driver: {device} }}\n")
    root = make(tmp_path / "b", text.replace("10,", "10, device: cpu,"))
    assert "PC102" not in {d.code for d in check(root).diagnostics}


def test_inspect_tells_the_format(tmp_path: Path, cli: Callable[..., Result]) -> None:  # noqa: F811
    root = make(tmp_path / "b")
    found = json.loads(cli("inspect", root, "--json").stdout)["modules"]["eye.onnx"]
    assert (found["format"], found["machine_code"], found["weights"]["bytes"]) == ("onnx", None, 1000)
    assert "loaded as it is" in cli("inspect", root).stdout
    found = json.loads(cli("inspect", root / "eye.onnx", "--json").stdout)
    assert (found["kind"], found["format"], found["intact"]) == ("module", "onnx", True)


def test_lock_takes_over_an_edited_manifest(tmp_path: Path, cli: Callable[..., Result]) -> None:  # noqa: F811
    root = make(tmp_path / "b")
    (root / "manifest.yaml").write_text(MANIFEST.replace("rate_hz: 10", "rate_hz: 20"))
    assert cli("lock", root).exit_code == 0
    assert open_bundle(root).manifest.orchestration.modules[0].rate_hz == 20
