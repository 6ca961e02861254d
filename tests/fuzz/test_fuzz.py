"""Every reader of files, on damaged ones: only diagnostics, never a traceback, bounded time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from polyrhythm.hal import HalError
from tests.fuzz import plans
from tests.fuzz.run import fuzz, portion
from tests.fuzz.targets import TARGETS
from tests.observe.conftest import play

FEW = {
    "manifest": 600, "links": 300, "lock": 600, "log": 400, "records": 400, "costs": 1500, "inspect": 800,
    "work": 600,
}  # fmt: skip


#: What was found once and no small number of mutants may find again: target -> contents.
FOUND = {
    "inspect": (
        b'{"a":' * 100_000,
        b'{"schema": 1, "times": ' + b"[" * 100_000,
        # A trace with a track whose name is not UTF-8, and one without a name.
        b"\n\x08\xe2\x03\x05\x08\x01\x12\x01\xff"
        + b"".join(b"\n\x08@\x01Z\x04H\x01X" + n for n in (b"\x01", b"\x02")),
    ),
    "work": tuple(
        b'{"format": "polyrhythm.work", "version": 1, "entries": {"a": {"memories": %s, "steps": %s}}}'
        % parts
        for parts in (
            (b'[["x", Infinity]]', b"[]"),
            (b"[]", b'[{"name": "k", "flops": 1e400, "reads": [], "writes": []}]'),
        )
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_once_is_told(name: str, tmp_path: Path) -> None:
    for content in FOUND[name]:
        TARGETS[name].read(content, tmp_path)


@pytest.mark.parametrize("name", ["[/]", "[red]a[/bold]", "[b", "\ud800", "a\x1b[31m\x00b", "x" * 10_000])
def test_a_summary_with_odd_names_is_a_page_or_refused(name: str, tmp_path: Path) -> None:
    for part in ("bundle", "run", "tasks", "modules", "links"):
        summary = play().summary
        if part == "links":
            summary["times"]["links"] = {name: next(iter(summary["times"]["links"].values()))}
        elif part in ("bundle", "run"):
            summary[part] |= {"name": name, "reason": name, "notes": [name]}
        else:
            summary[part] = {name: next(iter(summary[part].values()))}
        TARGETS["inspect"].read(json.dumps(summary).encode(), tmp_path)


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_files_are_told(name: str) -> None:
    fuzz(name, FEW[name], seed=1)


def test_mutants_of_plans_go_on_where_they_stopped(tmp_path, monkeypatch, capsys) -> None:
    pytest.importorskip("iree.compiler")
    monkeypatch.chdir(tmp_path)

    def said(*options: str) -> list[str]:
        monkeypatch.setattr(sys, "argv", ["plans", "--portion", "20", *options])
        try:
            plans.main()
        except HalError as problem:
            pytest.skip(f"no sanitizers here: {problem}")
        return [line.partition(",")[0] for line in capsys.readouterr().out.splitlines()]

    end = "plans: no harm by mutants {} to {} of seed 5"
    assert said("--count", "30") == ["plans: 20 of 30", "plans: 30 of 30", end.format(0, 30)]
    assert said("--count", "60") == ["plans: 50 of 60", "plans: 60 of 60", end.format(0, 60)]
    assert said("--count", "60") == [end.format(0, 60)]
    assert said("--first", "1000", "--count", "10") == ["plans: 1010 of 1010", end.format(1000, 1010)]


def test_a_long_run_goes_on_where_its_last_portion_ended(tmp_path: Path) -> None:
    state, wanted = tmp_path / "out" / "done.json", {"costs": 25, "work": 12}
    turns = iter([False, False, True])
    assert portion(wanted, 3, 1, state, lambda: next(turns), chunk=10) == {"costs": 10, "work": 10}
    assert json.loads(state.read_text()) == {"costs 3": 10, "work 3": 10}
    assert portion(wanted, 3, 2, state, lambda: False, chunk=10) == wanted
    assert portion(wanted, 3, 2, state, lambda: pytest.fail("all is done"), chunk=10) == wanted


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", TARGETS)
def test_a_great_many_damaged_files_are_told(name: str) -> None:
    command = [sys.executable, "-m", "tests.fuzz.run", name, "--full", "--jobs", "2", "--seed", "2"]
    subprocess.run(command, check=True)
