"""What is compiled gives the same commands as the source."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import polyrhythm
from polyrhythm.simulate import compiled
from polyrhythm.simulate.records import written_out

#: A digest of every world: all that was handed over, and all that was answered.
WORLDS = """
import hashlib, sys
from random import Random
from polyrhythm.schedule import scheduler
from polyrhythm.simulate.plans import powered, random_chunk_plan, random_plan, taking_turns
from polyrhythm.simulate.worlds import hasty, random_scenes, random_world, switching

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


def played(env: dict[str, str]) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", WORLDS], env=env, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(compiled.missing() is not None, reason="the rooms can't be compiled here")
def test_the_same_worlds_give_the_same_commands() -> None:
    source, said = played({k: v for k, v in os.environ.items() if k != compiled.VARIABLE})
    assert said == "py\n"
    machine_code, said = played(compiled.environment())
    assert said == "so\n"
    assert source == machine_code and source.count("\n") == 120


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
