"""`run --record`, `replay`, `trace diff`: from a real run to its replay, through the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.observe.eventlog import record_to
from polyrhythm.observe.replay import replay
from polyrhythm.runtime import Runtime, check
from tests.cli.bundles import MANIFEST, make_bundle
from tests.cli.test_verbs import Cli
from tests.observe.test_eventlog import no_file_larger_than


def test_a_recorded_run_replays(cli: Cli, bundle: Path, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    for name in ("a.log", "b.log"):
        run = cli("run", bundle, "--seconds", 1, "--lockstep", "--quiet", "--record", tmp_path / name)
        assert run.exit_code == 0
    assert cli("replay", tmp_path / "a.log").output == snapshot
    assert cli("trace", "diff", tmp_path / "a.log", tmp_path / "b.log").output == snapshot
    found = json.loads(cli("replay", tmp_path / "a.log", "--json").stdout)
    assert found["difference"] is None and found["events"] > 100


def test_runs_that_differ_are_a_failure(cli: Cli, bundle: Path, tmp_path: Path) -> None:
    for name, seconds in (("a.log", 0.2), ("b.log", 0.3)):
        cli("run", bundle, "--seconds", seconds, "--lockstep", "--quiet", "--record", tmp_path / name)
    result = cli("trace", "diff", tmp_path / "a.log", tmp_path / "b.log")
    assert result.exit_code == 1 and "then they part" in result.output


def test_a_log_that_stopped_is_a_file_that_was_not_written(cli: Cli, bundle: Path, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    run = ("run", bundle, "--seconds", 5, "--lockstep", "--quiet", "--json")
    assert json.loads(cli(*run).stdout)["log"] is None
    with no_file_larger_than(6000):
        result = cli(*run, "--record", log)
    found = json.loads(result.stdout)
    records = found["log"]["records"]
    assert result.exit_code == 2 and found["run"]["complete"] and records > 10
    assert found["log"]["problem"] == "File too large"
    assert f"{log} ends early, after {records} records: File too large" in result.stderr
    result = cli(*run, "--record", log)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["log"] == {"records": replay(log).events, "problem": None}


@pytest.mark.parametrize("option", [("--profile", "saver"), ("--status", "nonsense")], ids=" ".join)
def test_a_run_that_is_refused_leaves_the_log_of_before(
    cli: Cli, bundle: Path, tmp_path: Path, option: tuple[str, str]
) -> None:
    log = tmp_path / "out" / "a.log"
    run = ("run", bundle, "--seconds", 0.1, "--lockstep", "--quiet", "--record", log)
    assert cli(*run).exit_code == 0
    before = log.read_bytes()
    assert cli(*run, *option).exit_code == 2
    assert log.read_bytes() == before and list(log.parent.iterdir()) == [log]


def test_a_spoilt_log_is_a_failure(cli: Cli, bundle: Path, tmp_path: Path) -> None:
    whole, spoilt = tmp_path / "whole.log", tmp_path / "spoilt.log"
    cli("run", bundle, "--seconds", 1, "--lockstep", "--quiet", "--record", whole)
    content = bytearray(whole.read_bytes())
    content[len(content) // 2] ^= 1
    spoilt.write_bytes(content)
    for verb in (("replay", spoilt), ("trace", "diff", spoilt, spoilt)):
        result = cli(*verb)
        assert result.exit_code == 1 and "ends early: spoilt" in result.stdout
    assert json.loads(cli("trace", "diff", spoilt, spoilt, "--json").stdout)["ends"] == ["spoilt", "spoilt"]


def test_what_is_no_log_is_a_message(cli: Cli, bundle: Path) -> None:
    result = cli("replay", bundle / "manifest.yaml")
    assert result.exit_code == 2 and "this is not a log" in result.output


def _runs_in_real_time(bundle: Path, tmp_path: Path, count: int) -> None:
    plan = check(bundle).plan
    assert plan is not None
    with Runtime(plan) as runtime:
        for number in range(count):
            log = tmp_path / f"{number}.log"
            with record_to(log, plan) as writer:
                runtime.run(seconds=0.06, seed=number, listeners=[writer])
            found = replay(log)
            assert (found.difference, found.end) == (None, "complete") and found.events == writer.records
            log.unlink()


def test_runs_replay_whichever_context_plays_first(tmp_path: Path) -> None:
    plan = check(make_bundle(tmp_path / "three", "contexts: 3\n" + MANIFEST)).plan
    assert plan is not None
    with Runtime(plan) as runtime:
        for number in (0, 2, 1):
            runtime.switch(number)
            log = tmp_path / f"{number}.log"
            with record_to(log, runtime) as writer:
                runtime.run(seconds=0.1, lockstep=True, listeners=[writer])
            found = replay(log)
            assert (found.difference, found.end) == (None, "complete") and found.events == writer.records


def test_real_time_runs_replay(bundle: Path, tmp_path: Path) -> None:
    _runs_in_real_time(bundle, tmp_path, 20)


@pytest.mark.slow
def test_a_thousand_real_time_runs_replay(bundle: Path, tmp_path: Path) -> None:
    _runs_in_real_time(bundle, tmp_path, 1000)
