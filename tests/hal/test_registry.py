"""Drivers are found by name."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from polyrhythm.hal import DeviceConfig, HalError, driver, driver_names, registry
from polyrhythm.hal.registry import loads


def given(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    point = EntryPoint("npu", value, registry.ENTRY_POINT_GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: (point,))


def test_known_drivers() -> None:
    assert {"iree", "null"} <= set(driver_names())
    assert driver("null").name == "null" and driver("iree").name == "iree"


def test_unknown_names_list_the_known() -> None:
    with pytest.raises(HalError, match=r"no driver 'ire'; installed are: .*iree, .*null"):
        driver("ire")


@pytest.mark.parametrize("name", ["iree", "static", "dsa", "null", "onnxruntime"])
def test_case_7_what_a_machine_lacks_is_an_error_that_lists_what_it_has(name: str) -> None:
    """A device that is not there is never replaced by another one."""
    try:
        there = driver(name).available()
    except HalError:
        pytest.skip("it can't be used here at all, and says so")
    with pytest.raises(HalError) as raised:
        driver(name).open(DeviceConfig("asked", "cuda://7"))
    assert there and "'cuda" in str(raised.value)
    assert "there are: " in str(raised.value) or "allowed: " in str(raised.value)


def test_a_driver_that_cannot_be_imported_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, "absent_vendor.driver:driver")
    with pytest.raises(HalError, match=r"'npu' .*absent_vendor"):
        driver("npu")


def test_what_is_no_driver_says_what_it_has_not(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, "collections:OrderedDict")
    with pytest.raises(HalError, match=r"'npu' .* is no driver: it has no name, formats, package, capab"):
        driver("npu")
    given(monkeypatch, "collections:absent")
    with pytest.raises(HalError, match=r"'npu' .*can't be imported: .*absent"):
        driver("npu")


def test_names_of_formats_are_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyrhythm.hal.drivers.null.driver.formats", (".npu",), raising=False)
    given(monkeypatch, "polyrhythm.hal.drivers.null:driver")
    with pytest.raises(HalError, match=r"'npu' .* loads '\.npu', which is no name of a format.*`endings`"):
        driver("npu")


def test_all_that_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    found, broken = registry.installed()
    assert set(found) >= {"iree", "null"} and not broken
    given(monkeypatch, "absent_vendor:driver")
    found, broken = registry.installed()
    assert not found and "absent_vendor" in broken["npu"]


def test_a_driver_loads_the_formats_that_it_says() -> None:
    assert loads("iree", "iree") and loads("null", "anything")
    assert loads("static", "iree") and not loads("static", "static"), "of its own name it says nothing"
