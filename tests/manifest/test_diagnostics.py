"""Every message, as a person sees it. A stranger has to be able to mend the manifest from it alone."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from polyrhythm.manifest import (
    CODES,
    Diagnostic,
    Loaded,
    Location,
    Manifest,
    load,
    load_or_raise,
    loads,
    render_all,
)
from polyrhythm.manifest.diagnostics import path_text, value_text
from polyrhythm.manifest.jsonschema import fragment_at
from polyrhythm.manifest.loader import ManifestError

from .bad import BAD, MODULES, ROBOT
from .texts import FULL, TEN_MISTAKES


@cache
def judged(case: str) -> Loaded:
    return loads(BAD[case])


@pytest.mark.parametrize("case", BAD)
def test_message(case: str, snapshot: SnapshotAssertion) -> None:
    loaded = judged(case)
    code = case.split(maxsplit=1)[0]
    assert code in [diagnostic.code for diagnostic in loaded.diagnostics]
    assert (loaded.manifest is None) == any(diagnostic.is_error for diagnostic in loaded.diagnostics)
    if code != "PM016":
        assert render_all(loaded.diagnostics) == snapshot
    else:
        assert loaded.diagnostics[-1].render() == snapshot


def test_unreadable_file(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (diagnostic,) = load(tmp_path / "manifest.yml").diagnostics
    assert diagnostic.code == "PM001"
    assert diagnostic.render().replace(str(tmp_path), "bundle") == snapshot


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    os.mkfifo(tmp_path / "manifest.yaml")
    (diagnostic,) = load(tmp_path).diagnostics
    assert diagnostic.render().replace(str(tmp_path), "bundle") == snapshot


def test_a_name_that_no_file_can_have_is_a_diagnostic() -> None:
    assert [found.code for found in load("a\0b").diagnostics] == ["PM001"]


def test_every_code_has_a_message_test() -> None:
    assert {case.split()[0] for case in BAD} | {"PM001"} == set(CODES)


def test_notes_and_errors_are_told_apart_by_their_code() -> None:
    for case in BAD:
        for diagnostic in judged(case).diagnostics:
            assert diagnostic.is_error != diagnostic.code.startswith("PM06"), case


@pytest.mark.parametrize("case", BAD)
def test_every_message_says_what_to_do(case: str) -> None:
    for diagnostic in judged(case).diagnostics:
        assert diagnostic.mend
        assert diagnostic.allowed or diagnostic.code in ("PM016",)
        assert "anything" not in diagnostic.allowed
        json.dumps(diagnostic.to_dict(), allow_nan=False)


def test_ten_mistakes_are_reported_at_once(snapshot: SnapshotAssertion) -> None:
    loaded = loads(TEN_MISTAKES)
    places = [(found.where.line, found.where.column, found.code) for found in loaded.diagnostics]
    assert places == [
        (5, 21, "PM023"),  # dtype
        (6, 50, "PM050"),  # observation above the control rate
        (9, 21, "PM052"),  # core given twice
        (11, 9, "PM023"),  # mode
        (14, 11, "PM026"),  # path leaves the bundle
        (15, 14, "PM024"),  # rate of 0
        (16, 13, "PM048"),  # device
        (19, 5, "PM020"),  # rate instead of rate_hz
        (20, 14, "PM049"),  # two costs, one stage
        (22, 29, "PM042"),  # module
        (23, 13, "PM043"),  # observation
        (23, 54, "PM047"),  # stale without an age
        (24, 30, "PM046"),  # two links into one port
        (25, 15, "PM022"),  # priority
    ]
    assert render_all(loaded.diagnostics) == snapshot


def test_carets_stand_below_the_value() -> None:
    for case in BAD:
        for diagnostic in judged(case).diagnostics:
            excerpt = diagnostic.where.excerpt()
            if excerpt and diagnostic.code == "PM020":
                line, carets = excerpt
                marked = line[carets.index("^") : carets.rindex("^") + 1]
                assert marked == diagnostic.value, case


def test_one_cause_one_diagnostic() -> None:
    broken_ids = MODULES.replace("id: dit", "id: 3") + "  links: [{ from: vlm.hidden, to: dit.condition }]\n"
    assert [found.code for found in loads(broken_ids).diagnostics] == ["PM022"]
    broken_device = "devices: 3\n" + MODULES.replace("rate_hz: 10", "rate_hz: 10, device: npu")
    assert [found.code for found in loads(broken_device).diagnostics] == ["PM022"]
    misspelt = TEN_MISTAKES.replace("robot:", "robto:", 1)
    assert "PM044" not in [found.code for found in loads(misspelt).diagnostics]
    no_number = MODULES.replace("rate_hz: 10", "rate_hz: .nan")
    assert [found.code for found in loads(no_number).diagnostics] == ["PM014"]


def test_a_key_without_a_value_is_refused_once_wherever_it_stands() -> None:
    paths = [path for path in loads(FULL).source.keys if fragment_at(path)]
    assert len(paths) > 100
    for path in paths:
        data = yaml.safe_load(FULL)
        inner = data
        for part in path[:-1]:
            inner = inner[part]
        inner[path[-1]] = None
        found = [d.code for d in loads(yaml.safe_dump(data)).errors if d.where.path == path_text(path)]
        assert found == ["PM022"], path


def test_an_option_of_a_robot_may_be_empty() -> None:
    loaded = loads(ROBOT + "  options: { task: , others: [~, { a: null }] }\n" + MODULES)
    assert loaded.manifest is not None and loaded.manifest.robot is not None
    assert loaded.manifest.robot.options == {"task": None, "others": [None, {"a": None}]}


def test_long_lines_are_cut_around_the_place() -> None:
    text = "name: [" + "1, " * 900 + "]\n" + MODULES
    rendered = loads(text.replace("name: [", "name: [" + "2" * 70 + ",")).diagnostics[0].render()
    assert max(map(len, rendered.splitlines())) < 200


def test_a_name_without_end_is_not_quoted_at_length() -> None:
    text = MODULES + "  links:\n  - { from: a, to: " + "9" * 20_000 + "d }\n"
    found = loads(text).diagnostics
    assert found and max(map(len, render_all(found).splitlines())) < 1100


def test_error_text_is_the_rendered_diagnostics(tmp_path: Path) -> None:
    file = tmp_path / "manifest.yaml"
    file.write_text(TEN_MISTAKES)
    with pytest.raises(ManifestError) as caught:
        load_or_raise(file)
    assert str(caught.value) == render_all(load(file).diagnostics)
    file.write_text(MODULES)
    assert isinstance(load_or_raise(tmp_path), Manifest)


def test_diagnostics_serve_other_rooms() -> None:
    where = Location("bundle/vlm.vmfb")
    diagnostic = Diagnostic("PB001", "error", "the file is missing", where, mend="build the bundle again")
    assert diagnostic.render() == (
        "bundle/vlm.vmfb: error PB001: the file is missing\n  mend:    build the bundle again"
    )
    assert diagnostic.to_dict()["line"] == 0


def test_values_are_printed_short_and_harmless() -> None:
    assert value_text("\x1b[31mred") == '"\\u001b[31mred"'
    assert value_text([True, None, 1, "a"]) == '[true, null, 1, "a"]'
    assert value_text({"a": 1}) == "{a: ...}"
    assert len(value_text("x" * 1000)) <= 60
