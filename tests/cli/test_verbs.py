from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from typer.testing import Result

from polyrhythm.bundle import LockedMachineCode, read_lock, write_lock
from polyrhythm.bundle.lock import LockedCompiler
from polyrhythm.cli import _common, _errors, demo
from polyrhythm.manifest import json_schema
from polyrhythm.manifest.values import MAX_HZ
from polyrhythm.observe import MissingExtraError
from polyrhythm.runtime import CostFile, write_costs
from polyrhythm.runtime.costs import Machine, Measured, ModuleCosts, Setup, StageCosts
from tests.cli.bundles import MANIFEST, make_bundle

Cli = Callable[..., Result]


def lines(text: str, root: Path) -> list[str]:
    return [line.rstrip() for line in text.replace(str(root.parent.resolve()), "/tmp").splitlines()]


# -- check --------------------------------------------------------------------------------------------


def test_check_shows_the_plan(cli: Cli, bundle: Path, snapshot: SnapshotAssertion) -> None:
    result = cli("check", bundle)
    assert (result.exit_code, result.stderr) == (0, "")
    assert lines(result.stdout, bundle) == snapshot


def test_check_refuses_with_all_diagnostics(cli: Cli, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    broken = MANIFEST.replace("head.condition", "head.condiment").replace("[encode, step]", "[encode, stop]")
    bundle = make_bundle(tmp_path / "duet", broken.replace('"null"', "nul"))
    result = cli("check", bundle)
    assert result.exit_code == 1
    assert lines(result.stderr, bundle) == snapshot(name="stderr")
    assert result.stdout == snapshot(name="stdout")


def test_check_speaks_json(cli: Cli, bundle: Path, snapshot: SnapshotAssertion) -> None:
    result = cli("check", bundle, "--json")
    found = json.loads(result.stdout)
    assert (found["ok"], found["diagnostics"]) == (True, [])
    assert found["plan"] == snapshot
    (bundle / "vlm.vmfb").write_bytes(b"changed")
    result = cli("check", bundle, "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (found["ok"], found["plan"]) == (False, None)
    assert "vlm.vmfb" in found["diagnostics"][0]["file"]


# -- run ----------------------------------------------------------------------------------------------


def test_run_in_lockstep(cli: Cli, bundle: Path, snapshot: SnapshotAssertion) -> None:
    result = cli("run", bundle, "--lockstep", "--seconds", "1")
    assert result.exit_code == 0
    assert lines(result.stdout, bundle) == snapshot


def test_the_same_lockstep_run_twice_gives_the_same_json(cli: Cli, bundle: Path) -> None:
    first, second = (cli("run", bundle, "--lockstep", "--seconds", "1", "--json") for _ in range(2))
    assert first.exit_code == 0
    assert first.stdout == second.stdout
    assert json.loads(first.stdout)["modules"]["vlm"]["unexplained"] == 0


def test_run_writes_summary_trace_and_report(cli: Cli, bundle: Path, tmp_path: Path) -> None:
    pytest.importorskip("perfetto")
    pytest.importorskip("plotly")
    out = tmp_path / "out"
    files = {"--summary": out / "s.json", "--trace": out / "t.pftrace", "--report": out / "r.html"}
    options = [part for pair in files.items() for part in pair]
    result = cli("run", bundle, "--lockstep", "--seconds", "1", "--quiet", "--json", *options)
    assert result.exit_code == 0, result.output
    assert json.loads(files["--summary"].read_text()) == json.loads(result.stdout)
    for path, word in (("--summary", "duet: complete"), ("--trace", "vlm.hidden -> head.condition")):
        told = cli("inspect", files[path])
        assert told.exit_code == 0
        assert word in told.stdout
    assert "<title>duet</title>" in files["--report"].read_text()


def test_run_refuses_a_bad_bundle_and_a_run_without_an_end(
    cli: Cli, bundle: Path, snapshot: SnapshotAssertion
) -> None:
    result = cli("run", bundle)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == snapshot
    (bundle / "head.vmfb").unlink()
    result = cli("run", bundle, "--seconds", "1")
    assert result.exit_code == 2
    assert "head.vmfb" in result.stderr
    assert "Traceback" not in result.output


def test_a_missing_extra_is_told_before_the_run(
    cli: Cli, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "plotly", None)
    result = cli("run", bundle, "--seconds", "600", "--report", "r.html")
    assert result.exit_code == 2
    assert result.stderr == (
        "error: an HTML report needs the package 'plotly': pip install 'polyrhythm[observe]'\n"
    )


def test_a_place_that_cannot_be_written_is_told(cli: Cli, bundle: Path) -> None:
    result = cli(
        "run", bundle, "--lockstep", "--seconds", "0.1", "--summary", bundle / "manifest.yaml" / "s.json"
    )
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert "Not a directory" in result.stderr or "File exists" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        *(("run", "BUNDLE", "--seconds", "600", f"--{name}", ".")
          for name in ("summary", "trace", "report", "record")),
        ("profile", "BUNDLE", "--out", "."),
        ("schema", "--out", "."),
    ],
    ids=lambda words: " ".join((words[0], *words[-2:-1])),
)  # fmt: skip
def test_a_directory_is_no_place_for_a_file(
    cli: Cli, bundle: Path, words: tuple[str, ...], snapshot: SnapshotAssertion
) -> None:
    """It is said before anything is run."""
    result = cli(*(bundle if word == "BUNDLE" else word for word in words))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == snapshot


@pytest.mark.parametrize("verb", [("run",), ("island", "run")], ids=" ".join)
def test_two_files_in_one_place_are_refused(
    cli: Cli, bundle: Path, tmp_path: Path, verb: tuple[str, ...], snapshot: SnapshotAssertion
) -> None:
    (tmp_path / "here").symlink_to(tmp_path)
    files = ("--record", tmp_path / "run.log", "--trace", tmp_path / "here" / "run.log")
    result = cli(*verb, bundle, "--seconds", 600, *files)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.replace(str(tmp_path), "TMP") == snapshot
    assert not (tmp_path / "run.log").exists()


def test_two_files_may_go_nowhere(cli: Cli, bundle: Path) -> None:
    files = ("--record", "/dev/null", "--summary", "/dev/null")
    assert cli("run", bundle, "--lockstep", "--seconds", 0.1, "--quiet", *files).exit_code == 0


@pytest.mark.parametrize(("reason", "code"), [("complete", 0), ("interrupted", 130), ("the robot failed", 1)])
def test_how_a_run_ended_is_the_exit_code(
    cli: Cli, bundle: Path, monkeypatch: pytest.MonkeyPatch, reason: str, code: int
) -> None:
    import polyrhythm.runtime

    play = polyrhythm.runtime.play

    def ended(*args: object, **options: object) -> object:
        outcome = play(*args, **options)  # type: ignore[arg-type]
        outcome.reason = reason
        return outcome

    monkeypatch.setattr(polyrhythm.runtime, "play", ended)
    result = cli("run", bundle, "--lockstep", "--seconds", "0.1")
    assert result.exit_code == code
    assert reason in result.stdout


def test_a_robot_that_nothing_drives_any_more_is_a_failure(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run was complete all the same; a module beside it may be isolated."""
    import polyrhythm.runtime

    play, isolated = polyrhythm.runtime.play, "vlm"

    def ended(*args: object, **options: object) -> object:
        outcome = play(*args, **options)  # type: ignore[arg-type]
        outcome.modules[isolated].isolated = True
        outcome.undriven = "head" if isolated == "head" else None
        return outcome

    monkeypatch.setattr(polyrhythm.runtime, "play", ended)
    run = "run", make_bundle(tmp_path / "duet", REHEARSED), "--lockstep", "--episodes", "1", "--quiet"
    assert cli(*run).exit_code == 0
    isolated = "head"
    result = cli(*run)
    assert (result.exit_code, result.stderr) == (
        1, "error: head, which drives the robot, is isolated: isolated\n"
    )  # fmt: skip
    assert "duet: complete" in result.stdout


# -- the others ---------------------------------------------------------------------------------------


def test_inspect_a_bundle(cli: Cli, bundle: Path, snapshot: SnapshotAssertion) -> None:
    result = cli("inspect", bundle)
    assert result.exit_code == 0
    shown = [line for line in lines(result.stdout, bundle) if "machine code" not in line]
    assert shown == snapshot
    assert json.loads(cli("inspect", bundle, "--json").stdout)["modules"]["head.vmfb"]["operations"]


def test_inspect_shows_what_a_lock_says_as_it_is(cli: Cli, bundle: Path) -> None:
    lock = read_lock(bundle)
    module = lock.modules["vlm.vmfb"].model_copy(
        update={
            "machine_code": LockedMachineCode(arch="[/red]", cpu="[/]"),
            "compiler": LockedCompiler(name="[/bold]", version="[/1]", flags=[]),
        }
    )
    write_lock(lock.model_copy(update={"modules": lock.modules | {"vlm.vmfb": module}}), bundle)
    result = cli("inspect", bundle)
    assert result.exit_code == 0
    assert "[/red] [/]" in result.stdout and "[/bold] [/1]" in result.stdout


def test_inspect_a_module(cli: Cli, bundle: Path) -> None:
    found = json.loads(cli("inspect", bundle / "vlm.vmfb", "--json").stdout)
    assert found["intact"] is True
    assert found["entries"]["main"]["outputs"] == ["hidden: f32[4, 8]"]
    (bundle / "vlm.vmfb").write_bytes(b"another one")
    assert json.loads(cli("inspect", bundle / "vlm.vmfb", "--json").stdout)["intact"] is False


def test_inspect_a_log(cli: Cli, bundle: Path, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    log = tmp_path / "a.log"
    cli("run", bundle, "--lockstep", "--seconds", "1", "--quiet", "--record", log)
    found = json.loads(cli("inspect", log, "--json").stdout)
    assert (found["kind"], found["bundle"], found["end"]) == ("log", "duet", "complete")
    assert (found["seconds"], found["modules"]) == (1.0, ["vlm", "head"])
    told = cli("inspect", log)
    assert told.exit_code == 0
    kept = [line for line in lines(told.stdout, bundle) if not line.startswith((" made_by", " bytes"))]
    assert kept == snapshot
    log.write_bytes(log.read_bytes()[:-100])
    assert json.loads(cli("inspect", log, "--json").stdout)["end"] == "cut off"
    log.write_bytes(log.read_bytes()[:50])
    told = cli("inspect", log)
    assert told.exit_code == 2 and told.stderr.startswith(
        f"error: {log}: cut off before the end of its header"
    )


def test_inspect_a_cost_file(cli: Cli, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    took, path = Measured.of([1_000_000, 2_000_000]), tmp_path / "costs.json"
    stages = tuple(StageCosts(stage=name, alone=took, loaded=took) for name in ("encode", "step"))
    file = CostFile(
        bundle="duet", taken="2026-01-01T00:00:00+00:00", seconds=1.5, release=took,
        machine=Machine(processor="[red] one", cpu="c" * 16, cores=2), packages={"iree-base-runtime": "3.13"},
        devices={"cpu": Setup(driver="iree", uri="local-sync", cores=(0, 1))},
        modules={"vlm": ModuleCosts(artefact="vlm.vmfb", digest="d" * 64, device="cpu", stages=stages)},
    )  # fmt: skip
    write_costs(file, path)
    told = cli("inspect", path)
    assert told.exit_code == 0
    assert [line for line in lines(told.stdout, tmp_path) if not line.startswith(" bytes")] == snapshot
    found = json.loads(cli("inspect", path, "--json").stdout)
    assert found["kind"] == "costs" and found["modules"]["vlm"] == {
        "artefact": "vlm.vmfb", "device": "cpu", "stages": ["encode", "step"], "samples": 4,
    }  # fmt: skip
    path.write_text(path.read_text().replace('"seconds": 1.5', '"seconds": "long"'))
    told = cli("inspect", path)
    assert told.exit_code == 2 and "PC019" in told.stderr and "`seconds`" in told.stderr


def test_inspect_says_what_it_cannot_read(cli: Cli, tmp_path: Path) -> None:
    for content in (
        b"",
        b"some text",
        b"{",
        b'{"schema": 1}',
        b'{"schema": 9, "times": {}}',
        b'{"schema": 1, "times": {}}',
        bytes(range(256)),
    ):
        (tmp_path / "file").write_bytes(content)
        result = cli("inspect", tmp_path / "file")
        assert result.exit_code == 2, content
        assert result.stderr.startswith(f"error: {tmp_path / 'file'} ")
    (tmp_path / "empty").mkdir()
    assert "bundle.lock" in cli("inspect", tmp_path / "empty").stderr


def test_schema(cli: Cli, tmp_path: Path) -> None:
    assert json.loads(cli("schema").stdout) == json_schema()
    assert cli("schema", "--out", tmp_path / "deep" / "schema.json").exit_code == 0
    assert json.loads((tmp_path / "deep" / "schema.json").read_text()) == json_schema()


def test_doctor(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    from polyrhythm.cli import _tiny
    from polyrhythm.observe import doctor

    monkeypatch.setattr(_tiny, "tiny", lambda: None)
    monkeypatch.setattr(doctor.wake_jitter, "__defaults__", (3, doctor.WAKE_PERIOD_NS))
    monkeypatch.setattr(doctor.examine, "__kwdefaults__", {"wakes": 3, "calls": 3})
    result = cli("doctor")
    assert result.exit_code == 0
    assert "SCHED_FIFO" in result.stdout
    assert json.loads(cli("doctor", "--json").stdout)["schema"] == 1


def test_demo_without_an_example(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "_example", lambda: None)
    result = cli("demo")
    assert result.exit_code == 2
    assert "give --bundle" in result.stderr


REHEARSED = (
    MANIFEST.replace("name: duet\n", """\
name: duet
robot:
  use: rehearsal
  control_hz: 50
  options: { episode_s: 0.1 }
  action: { dtype: f32, shape: [4] }
""")
    + "  - { from: head.actions, to: robot.action }\n"
)  # fmt: skip


def test_a_demo_of_a_robot_without_a_notion_of_success(cli: Cli, tmp_path: Path) -> None:
    pytest.importorskip("perfetto")
    pytest.importorskip("plotly")
    result = cli("demo", "--bundle", make_bundle(tmp_path / "duet", REHEARSED), "--out", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "duet: complete, 1 episode" in result.stdout
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["report.html", "trace.pftrace"]


def test_build_refuses_what_contradicts_itself(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "policy.py").write_text("")
    result = cli(
        "build", tmp_path / "policy.py", "--out", tmp_path / "b", "--portable", "--target-cpu", "x86-64-v3"
    )
    assert result.exit_code == 2
    assert "leave one of the two out" in result.stderr
    result = cli("build", tmp_path / "policy.py", "--out", tmp_path / "b")
    assert result.exit_code == 2
    assert "PK001" in result.stderr
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("5", "vlm=4"), "one number for all"),
        (("vlm=fast",), "neither a number of milliseconds nor MODULE=MS"),
        ((), "a bundle can only be cut"),
        (("ear=4",), "PK041"),
    ],
)
def test_build_says_how_stages_are_asked_for(
    given: tuple[str, ...], said: str, cli: Cli, bundle: Path, tmp_path: Path
) -> None:
    options = [part for item in given for part in ("--max-stage-ms", item)]
    result = cli("build", bundle, "--out", tmp_path / "cut", *options)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.replace("│", " ").split())
    assert not (tmp_path / "cut").exists()


@pytest.mark.slow
def test_build_tells_what_was_cut(cli: Cli, tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "examples" / "flow_policy" / "bundle"
    result = cli("build", source, "--out", tmp_path / "cut", "--max-stage-ms", "policy=1e6")
    assert result.exit_code == 0
    lines = result.stderr.splitlines()
    assert "policy.step_identity is the step of a loop and stays whole" in lines
    assert any(line.startswith("policy.prefill takes ") and "stays whole" in line for line in lines)
    assert (tmp_path / "cut" / "manifest.yaml").read_bytes() == (source / "manifest.yaml").read_bytes()


def test_build_checks_what_it_has_built(cli: Cli, tmp_path: Path) -> None:
    policy = Path(__file__).parents[1] / "runtime" / "policy.py"
    text = (policy.parent / "manifest.yaml").read_text()
    assert "  slow: {}" in text
    (tmp_path / "policy.py").write_text(policy.read_text())
    (tmp_path / "manifest.yaml").write_text(text.replace("  slow: {}", "  slow: { cores: [4095] }"))
    result = cli("build", tmp_path / "policy.py", "--out", tmp_path / "b", "--portable")
    assert result.exit_code == 1
    assert "PC008" in result.stderr
    assert f"wrote {tmp_path / 'b'}" in result.stdout and (tmp_path / "b" / "bundle.lock").exists()


def test_build_into_the_directory_one_stands_in(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is exchanged for the bundle, so the words say where that is."""
    policy, out = Path(__file__).parents[1] / "runtime" / "policy.py", tmp_path / "new"
    out.mkdir()
    monkeypatch.chdir(out)
    result = cli("build", policy, "--out", ".", "--portable")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"wrote {out}; `polyrhythm check {out}` shows its plan\nnew: ok\n"
    assert (out / "bundle.lock").exists()


# -- errors -------------------------------------------------------------------------------------------


def test_only_what_users_can_cause_is_a_message() -> None:
    @_errors.guarded
    def broken() -> None:
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        broken()


def test_messages() -> None:
    assert _errors.message(MissingExtraError("x needs y")) == "error: x needs y"
    assert _errors.message(FileNotFoundError(2, "No such file", "here")) == "error: here: No such file"
    assert _errors.message(OSError("odd")) == "error: odd"


@pytest.mark.parametrize("verb", [("torch", "--rate-hz"), ("lerobot", "--control-hz")])
def test_rates_end_where_those_of_a_manifest_do(cli: Cli, verb: tuple[str, str]) -> None:
    assert _common.MAX_HZ == MAX_HZ
    result = cli("import", verb[0], "arm.pt2", "--out", "bundle", verb[1], MAX_HZ + 1)
    assert result.exit_code == 2
    assert f"Invalid value for '{verb[1]}'" in result.stderr


def test_a_seed_and_those_that_follow_it_have_64_bits(cli: Cli, tmp_path: Path) -> None:
    run = ("run", make_bundle(tmp_path / "duet", REHEARSED), "--lockstep", "--episodes", 2, "--quiet")
    assert cli(*run, "--seed", 2**63 - 1).exit_code == 0
    result = cli(*run, "--seed", 2**63)
    assert result.exit_code == 2 and "Invalid value for '--seed'" in result.stderr


@pytest.mark.parametrize("number", ["inf", "nan", "1e12"])
@pytest.mark.parametrize("verb", [("run", "--seconds"), ("profile", "--seconds"), ("check", "--margin")])
def test_numbers_have_an_end(cli: Cli, bundle: Path, verb: tuple[str, str], number: str) -> None:
    result = cli(verb[0], bundle, verb[1], number)
    assert result.exit_code == 2
    assert "Invalid value for" in result.stderr
