"""The page lists what the tests tell."""

from __future__ import annotations

from pathlib import Path

from tests.footguns.page import PAGE, SECTIONS, page


def test_the_page_is_made_of_the_tests() -> None:
    assert PAGE.read_text() == page(), "python -m tests.footguns > docs/concepts/footguns.md"


def test_every_file_is_a_section() -> None:
    files = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
    assert files == {*SECTIONS, "page"}
