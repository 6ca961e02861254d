"""The page of all diagnostics."""

from __future__ import annotations

from pathlib import Path

from polyrhythm.cli._reference import TABLES, reference

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "reference" / "diagnostics.md"


def test_the_page_is_current() -> None:
    assert PAGE.read_text() == reference(), "run `python -m polyrhythm.cli._reference` again"


def test_every_message_has_a_snapshot() -> None:
    told = "\n".join(path.read_text() for path in TESTS.rglob("*.ambr"))
    codes = [code for _, _, codes in TABLES for code in codes]
    assert [code for code in codes if code not in told] == []


def test_every_code_stands_there_once() -> None:
    for _, prefix, codes in TABLES:
        assert codes and all(code.startswith(prefix) for code in codes)
        assert all(reference().count(f"| {code} |") == 1 for code in codes)
