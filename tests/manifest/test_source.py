"""From text to plain values: YAML 1.2 scalars, places, bounds."""

from __future__ import annotations

from decimal import Decimal

import pytest

from polyrhythm.manifest.source import MAX_BYTES, MAX_DEPTH, MAX_VALUES, read


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("False", False),
        ("yes", "yes"),
        ("on", "on"),
        ("null", None),
        ("~", None),
        ("3", 3),
        ("-3", -3),
        ("+3", 3),
        ("010", 10),
        ("0o10", 8),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("1/3", "1/3"),
        ("2001-01-01", "2001-01-01"),
        ("0.1", Decimal("0.1")),
        (".5", Decimal("0.5")),
        ("1e3", Decimal(1000)),
        ("-0.0", Decimal(0)),
        ("'3'", "3"),
        ('"true"', "true"),
        ("<<", "<<"),
        ("=", "="),
    ],
)
def test_scalars_are_those_of_yaml_1_2(text: str, value: object) -> None:
    source = read(f"key: {text}\n", "manifest.yaml")
    assert source.diagnostics == []
    assert source.data == {"key": value}
    assert type(source.data["key"]) is type(value)


def test_places_of_keys_and_values() -> None:
    source = read("a:\n  - b: 1\n    c: [x, yz]\n", "m.yaml")
    place = source.locate(("a", 0, "c", 1))
    assert (place.line, place.column, place.path, place.span) == (3, 12, "a[0].c[1]", 2)
    key = source.locate(("a", 0, "c"), key=True)
    assert (key.line, key.column) == (3, 5)
    absent = source.locate(("a", 0, "d", "e"))
    assert (absent.line, absent.column, absent.path) == (2, 5, "a[0].d.e")


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_editors_do(ending: str) -> None:
    source = read(f"\ufeffa: 1{ending}b: é{ending}c: 3{ending}", "m.yaml")
    assert source.diagnostics == []
    assert (source.locate(("c",)).line, source.locate(("c",)).column) == (3, 4)
    assert source.locate(("b",)).text == "b: é"


def test_tabs_are_refused_only_where_they_matter() -> None:
    assert read("a: 'x\ty' #\tcomment\nb: |\n  c\n  \td\n", "m.yaml").diagnostics == []


@pytest.mark.parametrize(
    "text",
    [
        "[" * MAX_BYTES,
        "- " * (MAX_BYTES // 2),
        "{a: " * (MAX_BYTES // 4),
        "? " * (MAX_BYTES // 2),
        "[" + "a," * (MAX_BYTES // 2 - 1),
        "a: 1\n" * (MAX_BYTES // 5),
        "&a " * (MAX_BYTES // 3),
        "%A\n" * (MAX_BYTES // 32),
        "---\n" * (MAX_BYTES // 4),
        "%YAML 1." + "1" * 10_000 + "\n--- a\n",
    ],
    ids=lambda text: text[:6],
)
def test_hostile_texts_are_refused_quickly(text: str) -> None:
    source = read(text, "m.yaml")
    assert source.diagnostics
    assert len(source.values) <= MAX_VALUES + 1
    assert max(map(len, source.values), default=0) <= MAX_DEPTH + 1


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", ["#" * MAX_BYTES, "a" * MAX_BYTES, "'" + "b\n" * (MAX_BYTES // 4) + "'"])
def test_a_large_text_is_read_in_bounded_time(text: str) -> None:
    read(text, "m.yaml")


def test_aliases_do_not_multiply() -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(20))
    source = read(bomb, "m.yaml")
    assert {diagnostic.code for diagnostic in source.diagnostics} == {"PM009"}
    assert len(source.values) < 100
