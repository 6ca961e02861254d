"""Drivers of other people: objects with no more than protocols say, and devices that raise what they like."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from typer.testing import Result

from polyrhythm.hal.registry import driver
from polyrhythm.runtime import Runtime
from tests.cli.conftest import cli  # noqa: F401
from tests.hal.outside import install_driver
from tests.runtime.test_contexts import planned
from tests.runtime.test_formats import MANIFEST, make, told

VENDOR = """
from dataclasses import dataclass
from polyrhythm.hal import DeviceConfig
from polyrhythm.hal.drivers import null

@dataclass(slots=True)
class Executable:
    entries: object
    made: object
    def bind(self, *given):
        return self.made.bind(*given)

@dataclass
class Queue:
    uri: str
    made: object
    timeline: object
    def submit(self, call, **more):
        if self.uri == "submit":
            raise RuntimeError("DMA ring full\\nframe 1")
        return self.made.submit(call, **more)
    def abandon(self, message):
        return self.made.abandon(message)
    def close(self, timeout_ns=None):
        if self.uri == "close a queue":
            raise RuntimeError("it is gone")
        return self.made.close(timeout_ns)

class Device(null.NullDevice):
    def __init__(self, config):
        super().__init__(DeviceConfig(config.name, "sleep_ns:0"))
        self.asked = config.uri.removeprefix("plain:")
    def load(self, *given):
        if self.asked == "load":
            raise OSError(5, "Input/output error", "/dev/odd0")
        made = super().load(*given)
        return Executable(made.entries, made)
    def buffer(self, array):
        if self.asked == "buffer":
            raise RuntimeError("no space left")
        return super().buffer(array)
    def queue(self):
        if self.asked == "queue":
            raise RuntimeError("out of channels")
        made = super().queue()
        return Queue(self.asked, made, made.timeline)
    def close(self):
        super().close()
        if self.asked == "close":
            raise RuntimeError("device lost")

class Driver(null.NullDriver):
    name, formats = "odd", ("onnx",)
    firmware = True
    def open(self, config):
        if config.uri == "plain:open":
            raise OSError(2, "No such file or directory", "/dev/odd0")
        return Device(config)
    def available(self):
        if not self.firmware:
            raise RuntimeError("firmware does not answer")
        return ("plain",)

driver = Driver()
"""


@pytest.fixture(autouse=True)
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The driver, installed."""
    place = tmp_path / "site"
    place.mkdir()
    install_driver(place, "odd", VENDOR)
    monkeypatch.syspath_prepend(place)
    yield
    driver.cache_clear()
    monkeypatch.delitem("sys.modules", "odd_vendor", raising=False)


def bundle(root: Path, uri: str = "plain") -> Path:
    return make(root, MANIFEST.replace('"null", uri: immediate', f"odd, uri: {uri}"))


@pytest.mark.parametrize("lockstep", [True, False])
def test_what_a_driver_makes_need_not_be_hashable_or_take_weak_references(
    tmp_path: Path, lockstep: bool
) -> None:
    plan = planned(bundle(tmp_path / "b"))
    with Runtime(plan) as runtime:
        for _ in range(2):
            outcome = runtime.run(seconds=0.2, lockstep=lockstep)
            assert outcome.reason == "complete" and outcome.modules["eye"].finished
        assert len(runtime._contexts._loaded["cpu"]) == 1
    assert not runtime._contexts._loaded


TOLD = {
    "open": "driver 'odd' failed (FileNotFoundError): [Errno 2] No such file or directory: '/dev/odd0'",
    "load": "device 'cpu' failed (OSError): [Errno 5] Input/output error: '/dev/odd0'",
    "buffer": "device 'cpu' failed (RuntimeError): no space left",
    "queue": "device 'cpu' failed (RuntimeError): out of channels",
    "submit": "device 'cpu' failed (RuntimeError): DMA ring full",
    "close a queue": "device 'cpu' failed (RuntimeError): it is gone",
    "close": "device 'cpu' failed (RuntimeError): device lost",
}


@pytest.mark.parametrize("lockstep", [[], ["--lockstep"]])
@pytest.mark.parametrize("uri", TOLD)
def test_what_a_device_raises_is_one_line_that_names_it(
    tmp_path: Path,
    cli: Callable[..., Result],  # noqa: F811
    uri: str,
    lockstep: list[str],
) -> None:
    root = bundle(tmp_path / "b", f"plain:{uri}")
    found = cli("run", root, "--seconds", "0.2", *lockstep)
    assert (found.exit_code, found.stderr.splitlines()[-1]) == (2, f"error: {TOLD[uri]}")


def test_a_driver_that_raises_is_told_and_takes_nobody_elses_check_away(
    tmp_path: Path,
    cli: Callable[..., Result],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    snapshot: SnapshotAssertion,
) -> None:
    monkeypatch.setattr(driver("odd"), "firmware", False)
    assert told(bundle(tmp_path / "b")) == snapshot
    says = "driver 'odd' failed (RuntimeError): firmware does not answer"
    found = json.loads(cli("doctor", "--json").stdout)["drivers"]
    assert found["odd"] == {"uris": [], "formats": ["onnx"], "lacks": ["no state in place"], "error": says}
    assert found["null"]["error"] is None
