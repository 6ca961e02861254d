from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.observe import doctor
from polyrhythm.observe.doctor_tables import render_doctor

POOR: dict[str, Any] = {
    "cores": {
        "processor": "a processor",
        "here": 4,
        "usable": [0, 1],
        "siblings": [[0, 1]],
        "virtual": False,
    },
    "rights": {"fifo": False, "nice": False, "lock": False, "lock_limit_bytes": 65536},
    "drivers": {
        "iree": {
            "uris": [],
            "formats": ["iree"],
            "lacks": [],
            "error": "driver 'iree' can't be imported: no",
        },
        "litert": {
            "uris": ["cpu"],
            "formats": ["tflite"],
            "lacks": ["inputs are copied", "no state in place"],
            "error": None,
        },
    },
    "packages": {"polyrhythm": "0.1", "iree-base-runtime": "3.13", "iree-base-compiler": None},
    "c_compiler": None,
    "extras": {"compile": False, "observe": True},
    "clock_resolution_ns": 1,
    "timer_slack_ns": 50_000,
    "switch_interval_us": 5000.0,
    "times": {
        "wake_us": {"p50": 60.0, "p99": 2100.0, "max": 4000.0},
        "wake_raised_us": None,
        "invoke_us": None,
    },
}


def test_examination_is_complete_and_speaks_json() -> None:
    found = doctor.examine(wakes=5)
    assert json.loads(json.dumps(found)) == found
    assert found["times"]["wake_us"]["max"] >= found["times"]["wake_us"]["p50"] >= 0
    assert (found["times"]["wake_raised_us"] is None) <= (not found["rights"]["fifo"])
    assert found["drivers"]["null"]["uris"]
    assert set(found["cores"]["usable"]) == os.sched_getaffinity(0)


def test_trying_rights_changes_nothing() -> None:
    before = (os.sched_getscheduler(0), os.getpriority(os.PRIO_PROCESS, 0), threading.active_count())
    assert set(doctor.rights()) == {"fifo", "nice", "lock", "lock_limit_bytes"}
    assert (os.sched_getscheduler(0), os.getpriority(os.PRIO_PROCESS, 0), threading.active_count()) == before


def test_a_refused_right_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    assert doctor.rights()["fifo"] is False


def test_siblings_come_from_linux(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for core, text in enumerate(("0,2", "1,3", "0,2", "1,3")):
        folder = tmp_path / f"cpu{core}" / "topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text(text + "\n")
    monkeypatch.setattr(doctor, "_CPUS", tmp_path)
    assert doctor.siblings([0, 1, 2]) == [[0, 2]]
    assert doctor.siblings([7]) == []


def test_advice_and_table(shown: Callable[..., str], snapshot: SnapshotAssertion) -> None:
    assert shown(render_doctor(POOR | {"advice": doctor.advice(POOR)})) == snapshot


def test_a_fit_machine_gets_no_advice() -> None:
    fit = POOR | {
        "cores": POOR["cores"] | {"siblings": []},
        "rights": {"fifo": True, "nice": True, "lock": True, "lock_limit_bytes": None},
        "packages": POOR["packages"] | {"iree-base-compiler": "3.13"},
        "timer_slack_ns": 1,
        "c_compiler": "cc 12",
        "times": {"wake_us": {"p50": 6.0, "p99": 21.0, "max": 40.0}, "invoke_us": None},
    }
    assert doctor.advice(fit) == []
