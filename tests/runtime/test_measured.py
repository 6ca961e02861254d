"""The ledger against what real devices and processes take."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from polyrhythm.bundle import open_bundle
from polyrhythm.compile import prepare
from polyrhythm.runtime import Runtime, check
from polyrhythm.runtime.ledger import ledger_of, planned_account

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", [pytest.param("dual_system", marks=pytest.mark.slow), "flow_policy"])
def test_what_devices_allocate_is_in_the_ledger(name: str) -> None:
    """IREE counts what is allocated when a module is loaded: matrices in the layout of the CPU."""
    bundle = ROOT / "examples" / name / "bundle"
    prepare(open_bundle(bundle))
    checked = check(bundle)
    assert checked.plan is not None and checked.memory is not None and checked.memory.unknown == ()
    ledger = ledger_of(checked.plan)
    with Runtime(checked.plan) as runtime:
        found = [
            device.statistics()["device_bytes_allocated"] for device in runtime._contexts.devices.values()
        ]  # type: ignore[attr-defined]
        assert sum(found) == ledger.by_kind()["packed"] > 0
        assert runtime.budgets.account() == planned_account(ledger.with_contexts(1))
        assert runtime.storage.arena.used == ledger.each


@pytest.mark.slow
def test_prediction_and_resident_memory_differ_by_less_than_two_percent() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "ledger.py"), "--quick", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(figure["met"] for figure in json.loads(done.stdout))
