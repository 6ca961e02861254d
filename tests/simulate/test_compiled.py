"""What is compiled gives the same commands as the source, and nothing else is taken for it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from traceback import FrameSummary

import pytest
from syrupy.assertion import SnapshotAssertion

import polyrhythm
from polyrhythm.simulate import compiled
from polyrhythm.simulate.records import line_of, written_out

THREE_RATES = Path(__file__).parents[2] / "examples" / "three_rates"

#: A digest of every world: all that was handed over, and all that was answered.
WORLDS = """
import hashlib, sys
from random import Random
from polyrhythm.simulate.plans import powered, random_chunk_plan, random_plan, taking_turns
from polyrhythm.simulate.worlds import hasty, random_scenes, random_world, switching
from polyrhythm.schedule import scheduler

print(scheduler.__file__.rpartition(".")[2], file=sys.stderr)
for seed in range(40):
    rng = Random(seed)
    plan = random_chunk_plan(rng) if seed % 2 else random_plan(rng)
    plain = random_world(rng).play(plan)
    contexts = random_world(rng).play(plan, taking_turns(rng, plan), scenes=hasty(rng, random_scenes(rng)))
    profiles = switching(rng).play(powered(rng, plan))
    for harness in (plain, contexts, profiles):
        said = "\\n".join(f"{step.event} {step.commands}" for step in harness.log)
        print(len(harness.log), hashlib.sha256(said.encode()).hexdigest())
"""


#: A rule that is broken: everything is said to be done within a nanosecond.
BROKEN = """
import sys
from pathlib import Path
from polyrhythm.simulate.audit import Limits
from polyrhythm.simulate.piece import open_piece
from polyrhythm.simulate.trial import Trial

piece = open_piece(Path(sys.argv[1]))
plan, profile = piece.plan, piece.plan.profile
sound = piece.proven(plan, profile)
piece._limits[id(plan), profile] = Limits(dict.fromkeys(sound.bounds_ns, 1), sound.periods_ns)
trial = Trial(piece, 0, 10**9, ())
trial.play()
print(trial.failure.rule, trial.failure.message, trial.failure.now_ns, sep="\\n")
"""
#: A robot is driven by the source, whatever the environment says.
DRIVEN = """
import polyrhythm.cli, polyrhythm.runtime
from polyrhythm.schedule import scheduler
print(scheduler.__file__.rpartition(".")[2])
"""
SOURCE = {name: value for name, value in os.environ.items() if name != compiled.VARIABLE}


def played(env: dict[str, str], script: str = WORLDS, *arguments: str) -> tuple[str, str]:
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(compiled.missing() is not None, reason="the rooms can't be compiled here")
class TestMachineCode:
    def test_the_same_worlds_give_the_same_commands(self) -> None:
        source, said = played(SOURCE)
        assert said == "py\n"
        machine_code, said = played(compiled.environment())
        assert said == "so\n"
        assert source == machine_code and source.count("\n") == 120

    def test_a_broken_rule_is_told_by_the_line_of_the_source(self) -> None:
        source, _ = played(SOURCE, BROKEN, str(THREE_RATES))
        assert source.startswith("bounds.py:_within: assert ")
        assert played(compiled.environment(), BROKEN, str(THREE_RATES))[0] == source

    def test_a_robot_is_driven_by_the_source(self) -> None:
        assert played(compiled.environment(), DRIVEN)[0] == "py\n"


def test_other_machine_code_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    ours = compiled._place().name
    for digest in ("0" * 32, "/tmp/somebody/elses", ours):
        with pytest.raises(compiled.MachineCodeError) as refused:
            compiled.use(digest)
        told = "\n".join(d.render() for d in refused.value.diagnostics)
        assert told.replace(ours, "DIGEST").replace(str(tmp_path), "/cache") == snapshot


@pytest.mark.parametrize("verb", ["simulate", "run"])
def test_only_a_simulation_looks_for_machine_code(bundle: Path, verb: str) -> None:
    command = [sys.executable, "-m", "polyrhythm", verb, str(bundle)]
    command += ["--seconds", "0.1", "--lockstep", "--quiet"] if verb == "run" else ["--fast"]
    env = SOURCE | {compiled.VARIABLE: "/tmp/somebody/elses"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if verb == "run":
        assert done.returncode == 0 and not done.stderr
    else:
        assert done.returncode == 2 and "PS008" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("name", compiled.MODULES)
def test_a_line_of_what_was_written_out_is_found_in_the_source(name: str) -> None:
    source = (Path(polyrhythm.__path__[0]) / f"{name}.py").read_text()
    written, lines = written_out(source), source.splitlines()
    rules = [node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert | ast.Raise)]
    moved = [node.lineno for node in ast.walk(ast.parse(written)) if isinstance(node, ast.Assert | ast.Raise)]
    for real, told in zip(rules, moved, strict=True):
        frame = FrameSummary(f"polyrhythm/{name}.py", told, "audit", lookup_line=False)
        assert line_of(frame) == lines[real - 1].strip()


def test_records_that_are_written_out_are_what_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """mypyc's part left aside: as Python, the written-out events are like the named tuples."""
    from polyrhythm.schedule import events

    source = (Path(polyrhythm.__path__[0]) / "schedule/events.py").read_text()
    made: dict[str, object] = {"__name__": "written_out"}
    exec(compile(written_out(source), "events.py", "exec"), made)
    for name in ("Launch", "Drop", "Wake", "Sampled", "Read"):
        kind, other = getattr(events, name), made[name]
        assert callable(other) and not issubclass(other, tuple)  # type: ignore[arg-type]
        values = [f"{field} {i}" for i, field in enumerate(kind._fields)]
        record, same = other(*values), other(*values)
        assert tuple(record) == kind(*values) and repr(record) == repr(kind(*values))
        assert record == same and hash(record) == hash(same)
        first = kind._fields[0]
        assert record._replace(**{first: 0}) != record
        assert other.__match_args__ == kind.__match_args__ and other._fields == kind._fields
    assert made["Drop"]("a", "b") == made["Drop"]("a", "b", 1, "", 0)  # type: ignore[operator]


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    assert compiled.missing() == "a C compiler (cc, gcc or clang)"
    with pytest.raises(compiled.NotCompiledError, match="lacks a C compiler"):
        compiled.compiled()
