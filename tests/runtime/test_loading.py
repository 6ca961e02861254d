"""The loader is a process of its own: whatever becomes of it, what plays goes on."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import threading
from time import monotonic

import pytest

from polyrhythm.bundle import files
from polyrhythm.compile.loader import answer
from polyrhythm.runtime import Runtime, loading
from polyrhythm.runtime.loading import LoadError, trust_answer, verified
from tests.runtime.robot import Diary
from tests.runtime.test_contexts import At, edited
from tests.runtime.test_runs import accounts_balance, acted


def test_it_answers_with_digests_that_are_believed_while_files_stay(bundle, tmp_path, monkeypatch):
    path = edited(bundle, tmp_path / "other")
    said = json.loads(json.dumps(answer(str(path))))
    monkeypatch.setattr(files, "_verified", {})
    files.trust(tuple(entry) for entry in said["digests"])
    weights = path / "seer.safetensors"
    known = next(entry[-1] for entry in said["digests"] if entry[0] == str(weights))
    assert files.digest(weights) == known
    weights.write_bytes(b"something else")
    assert files.digest(weights) != known


def test_a_bundle_with_mistakes_is_refused_with_them(bundle, tmp_path):
    path = edited(bundle, tmp_path / "other", ("vmfb: seer.vmfb", "vmfb: sere.vmfb"))
    with pytest.raises(LoadError, match=r"PB014.*\n(.*\n)*.*did you mean `seer.vmfb`"):
        verified(path)


def test_what_makes_no_sense_is_refused():
    for text, why in (
        ("print('nonsense')", "the loader's answer makes no sense"),
        ("print('{}')", "the loader's answer makes no sense"),
        ("raise SystemExit(7)", "the loader failed with exit code 7"),
        ("raise ValueError('oh')", "the loader failed with exit code 1: ValueError: oh"),
    ):
        command = [sys.executable, "-c", text]
        with (
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process,
            pytest.raises(LoadError, match=why),
        ):
            trust_answer(process)


def told(text: str) -> tuple[str, int]:
    """Why the answer of a loader that runs this is refused, and its return code."""
    command, pipe = [sys.executable, "-c", f"import sys; {text}"], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        with pytest.raises(LoadError) as refused:
            trust_answer(process)
        code = process.wait()
    return str(refused.value), code


def test_a_loader_that_says_too_much_is_killed(monkeypatch):
    """It is not heard to the end; what it complains of may be as long as it likes."""
    monkeypatch.setattr(loading, "MAX_ANSWER_BYTES", 1000)
    assert told("print(' ' * 10_000_000)") == (
        "the loader's answer is longer than 1000 bytes",
        -signal.SIGKILL,
    )
    complains = "sys.stderr.write('x' * 1_000_000 + chr(10) + 'that was all')"
    assert told(f"{complains}; sys.exit(3)") == ("the loader failed with exit code 3: that was all", 3)


def test_a_loader_that_does_not_end_is_killed(monkeypatch):
    monkeypatch.setattr(loading, "PATIENCE_S", 0.0)
    assert told("sys.stdin.read()") == ("the loader did not answer within 0 s", -signal.SIGKILL)


def kill_at_random_points(bundle, plan, tmp_path, seed: int, times: int) -> None:
    """Play; meanwhile begin to load a bundle again and again, and kill the loader each time."""
    rng = random.Random(seed)
    other = edited(bundle, tmp_path / "other")
    started = monotonic()
    verified(other)
    takes_s = monotonic() - started
    robot = Diary(length=10**9)
    outcomes = []

    def torment() -> None:
        for _ in range(times):
            context = runtime.swap(other)
            while not (loaders := runtime.loaders) and context.state == "loading":
                context.wait("live", timeout_s=0.001)
            timer = threading.Timer(rng.random() * takes_s, lambda found=loaders: [p.kill() for p in found])
            timer.start()
            context.wait("live")
            outcomes.append((context, context.state, context.reason))
            timer.cancel()
        runtime.stop("enough")

    with Runtime(plan) as runtime:
        thread = threading.Thread(target=torment)
        watch = At((10, thread.start))
        outcome = runtime.run(robot, episodes=1, tasks=["left"], listeners=[watch])
        thread.join()
        for context, state, reason in outcomes:
            assert state in ("failed", "live"), state
            if state == "failed":
                assert reason == "the loader was killed by SIGKILL" and context.freed
        assert "failed" in {state for _, state, _ in outcomes}
        assert runtime.live.state == "live" and len(runtime.contexts) == 1
    assert outcome.reason == "enough"
    assert len(acted(robot)) > 50 and all(action == (tick, 4.0) for tick, action in acted(robot))
    assert [tick for tick, _ in robot.entries] == list(range(len(robot.entries)))
    assert accounts_balance(outcome)


def test_a_killed_loader_leaves_the_bundle_that_plays_alone(bundle, plan, tmp_path):
    kill_at_random_points(bundle, plan, tmp_path, seed=1, times=2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_loader_killed_anywhere_leaves_the_bundle_that_plays_alone(bundle, plan, tmp_path, seed):
    kill_at_random_points(bundle, plan, tmp_path, seed, times=8)


def test_a_bundle_that_vanishes_is_told(plan, bundle, tmp_path):
    gone = shutil.copytree(bundle, tmp_path / "gone")
    shutil.rmtree(gone)
    with Runtime(plan) as runtime:
        context = runtime.load(gone)
        assert context.wait("loaded") == "failed"
        assert "PB001" in context.reason
        assert context.wait_freed(5)
