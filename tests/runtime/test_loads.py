"""What loads leave behind when they fail, and how they are judged beside each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrhythm.hal import HalError
from polyrhythm.hal.drivers.null import NullDevice
from polyrhythm.runtime import Plan, Runtime
from polyrhythm.runtime.storage import Storage
from tests.runtime.test_contexts import planned
from tests.runtime.test_formats import MANIFEST, make


def on(tmp_path: Path, name: str, device: str) -> Plan:
    """A bundle whose one module runs on the device `aux`, declared like this."""
    return planned(make(tmp_path / name, MANIFEST.replace('cpu: { driver: "null", uri: immediate }', device)))


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """What plays."""
    return planned(make(tmp_path / "plays"))


def test_a_load_that_fails_leaves_no_device_open(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its devices are closed, their names are free, and nothing that was loaded there is used again."""
    closed, kept = [], []
    close, bind = NullDevice.close, Storage._bind

    def fails(storage: Storage, *at: object) -> None:
        kept.append(storage._executables)
        raise HalError("no such luck")

    monkeypatch.setattr(NullDevice, "close", lambda self: closed.append(self.name) or close(self))
    with Runtime(plan) as runtime:
        monkeypatch.setattr(Storage, "_bind", fails)
        context = runtime.load(on(tmp_path, "a", 'aux: { driver: "null", uri: immediate }'))
        assert (context.wait("loaded"), context.reason) == ("failed", "no such luck")
        assert list(runtime.devices) == ["cpu"] and closed == ["aux"]
        monkeypatch.setattr(Storage, "_bind", bind)
        context = runtime.load(on(tmp_path, "b", 'aux: { driver: "null", uri: manual }'))
        assert (context.wait("loaded"), context.reason) == ("loaded", "")
        assert list(runtime.devices) == ["cpu", "aux"]
        assert context.storage._executables["eye"] is not kept[0]["eye"]
    assert closed == ["aux", "aux", "cpu"] and not runtime.devices
