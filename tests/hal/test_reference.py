"""The page of drivers."""

from __future__ import annotations

from pathlib import Path

from polyrhythm.hal import Capabilities, driver, driver_names
from polyrhythm.hal.reference import reference

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "drivers.md"


def test_the_page_is_current() -> None:
    assert PAGE.read_text() == reference(), "run `python -m polyrhythm.hal.reference` again"


def test_every_driver_declares_what_it_can_do_without_its_library() -> None:
    for name in driver_names():
        one = driver(name)
        assert one.name == name and one.formats and isinstance(one.capabilities, Capabilities)


def test_what_is_lacking_is_said_in_words() -> None:
    assert Capabilities().lacks == ()
    assert Capabilities(zero_copy_inputs=False, in_place=False).lacks == (
        "inputs are copied",
        "no state in place",
    )
