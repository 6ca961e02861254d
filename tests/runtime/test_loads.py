"""What loads leave behind when they fail, and how they are judged beside each other."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from polyrhythm.hal import HalError
from polyrhythm.hal.drivers.null import NullDevice
from polyrhythm.manifest import Diagnostic
from polyrhythm.runtime import Context, Plan, Runtime, admission
from polyrhythm.runtime import contexts as contexts_room
from polyrhythm.runtime.ledger import ledger_of
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


class Waits:
    """A lock that tells when somebody waits for it."""

    def __init__(self, told: threading.Event) -> None:
        self._lock, self._told = threading.Lock(), told

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            self._told.set()
            self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def at_once(runtime: Runtime, monkeypatch: pytest.MonkeyPatch, first: Plan, second: Plan) -> list[Context]:
    """Two loads: the other one comes when the first has just been judged, and gets as far as it can."""
    misfits, came, loads = contexts_room.misfits, threading.Event(), []

    def judged(live: Plan, new: Plan, *more: object) -> list[Diagnostic]:
        found = misfits(live, new, *more)
        if new is second:
            came.set()
        else:
            loads.append(runtime.load(second))
            assert came.wait(20)
        return found

    monkeypatch.setattr(contexts_room, "misfits", judged)
    monkeypatch.setattr(runtime._contexts, "_memory", Waits(came))
    loads.insert(0, runtime.load(first))
    loads[0].wait("loaded")
    loads[1].wait("loaded")
    return loads


def test_of_two_that_open_a_device_at_once_the_second_is_held_against_the_first(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (
        on(tmp_path, uri, f'aux: {{ driver: "null", uri: {uri} }}') for uri in ("immediate", "manual")
    )
    with Runtime(plan) as runtime:
        loads = at_once(runtime, monkeypatch, first, second)
        assert [context.state for context in loads] == ["loaded", "failed"]
        assert "PC031: aux is open as null immediate" in loads[1].reason


def test_of_two_that_take_the_last_memory_at_once_the_second_is_refused(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (planned(make(tmp_path / name)) for name in "ab")
    need = ledger_of(first).with_contexts(1).total
    with Runtime(plan) as runtime:
        machine = runtime.budgets.machine
        before = machine.used
        # Room for one and a half.
        monkeypatch.setattr(admission, "_free_bytes", lambda: need * 3 // 2 - (machine.used - before))
        loads = at_once(runtime, monkeypatch, first, second)
        assert [context.state for context in loads] == ["loaded", "failed"]
        assert "PC033" in loads[1].reason
