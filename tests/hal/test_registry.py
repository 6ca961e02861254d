"""Drivers are found by name."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from polyrhythm.hal import HalError, driver, driver_names, registry
from polyrhythm.hal.registry import loads


def test_known_drivers() -> None:
    assert {"iree", "null"} <= set(driver_names())
    assert driver("null").name == "null" and driver("iree").name == "iree"


def test_unknown_names_list_the_known() -> None:
    with pytest.raises(HalError, match=r"no driver 'ire'; installed are: .*iree, .*null"):
        driver("ire")


def test_a_driver_that_cannot_be_imported_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = EntryPoint("npu", "absent_vendor.driver:driver", registry.ENTRY_POINT_GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: (broken,))
    with pytest.raises(HalError, match=r"'npu' .*absent_vendor"):
        driver("npu")


def test_a_driver_loads_the_formats_that_it_says() -> None:
    assert loads("iree", "iree") and loads("null", "anything")
    assert loads("static", "iree") and not loads("static", "static"), "of its own name it says nothing"
