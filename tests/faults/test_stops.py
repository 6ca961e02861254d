"""`stop` at any instant: from a thread, in the middle of anything, and by a signal to the process."""

from __future__ import annotations

import json
import random
import signal
import threading
from pathlib import Path
from time import sleep

import pytest

from polyrhythm.bundle import open_bundle
from polyrhythm.observe import RunInfo, Stats, summarise
from polyrhythm.observe.eventlog import record_to
from polyrhythm.robots import load_robot
from polyrhythm.runtime import Runtime, check
from polyrhythm.schedule.events import Command, Event
from tests.faults.world import Run, check_books, check_summary, make_bundle

pytestmark = pytest.mark.slow
STOPS, SIGNALS = 200, 16


class _Begins:
    """Starts a thread at the first event of a run."""

    def __init__(self, thread: threading.Thread) -> None:
        self._thread = thread

    def step(self, event: Event, commands: list[Command]) -> None:
        if self._thread.ident is None:
            self._thread.start()

    def note(self, note: object) -> None:
        pass


@pytest.mark.timeout(600)
def test_two_hundred_instants(bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the run, in its first moments, in mid-motion, while a bundle is loaded, warmed, flipped to."""
    monkeypatch.setenv("FAULTS_BEAT", str(tmp_path / "beat"))
    plan, other = check(bundle).plan, check(make_bundle(tmp_path / "other")).plan
    assert plan is not None and other is not None
    declared, rng, log = plan.manifest.robot, random.Random(6), tmp_path / "run.log"
    assert declared is not None and not open_bundle(bundle).missing
    robot = load_robot(declared.use, declared.options, control_hz=50)
    with Runtime(plan) as runtime:
        free = runtime.budgets.account()
        for number in range(STOPS):
            after_s = rng.choice((0.0, 0.003, 0.03, 0.3)) * rng.random()
            loading = rng.random() < 0.3
            stats = Stats(plan.schedule)

            def stop(after_s: float = after_s, loading: bool = loading) -> None:
                if loading:
                    runtime.swap(other)
                sleep(after_s)
                runtime.stop()

            thread = threading.Thread(target=stop)
            with record_to(log, runtime) as writer:
                if not loading:
                    thread.start()  # a swap would be done before the run: another would play first
                listeners = [stats, writer, *[_Begins(thread)] * loading]
                outcome = runtime.run(robot, episodes=1, seed=number, listeners=listeners)
            thread.join()
            assert outcome.reason == "interrupted", number
            summary = summarise(RunInfo.of(plan, lockstep=False, seed=number), outcome, stats)
            check_summary(summary, check_books(log))
            for context in list(runtime.contexts.values()):
                if context is not runtime.live:
                    assert context.wait("loaded", "ready", "live", timeout_s=60) != "loading"
            for context in list(runtime.contexts.values()):
                if context is not runtime.live:
                    runtime.retire(context)
                    assert context.wait_freed(60)
        assert len(runtime.contexts) == 1 and runtime.budgets.account() == free
    robot.close()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_at_any_instant(bundle: Path, tmp_path: Path, number: signal.Signals) -> None:
    """From the first moment of the process to its last: files are whole or absent, and exit codes true."""
    rng = random.Random(int(number))
    for turn in range(SIGNALS // 2):
        folder = tmp_path / str(turn)
        folder.mkdir()
        files = {"--summary": folder / "s.json", "--report": folder / "r.html", "--trace": folder / "t"}
        with Run(folder, bundle, tuple(part for pair in files.items() for part in pair)) as run:
            if turn % 2:
                run.goes_on(rng.randrange(1, 20))
                run.process.send_signal(number)  # the second one comes while it ends and writes
            sleep(rng.random() * (0.3 if turn % 2 else 3.0))
            ended = run.interrupt(number)
        # The latter two before the run, or after it.
        assert ended.code in (130, 128 + number, -number), (ended.code, ended.err)
        assert "Traceback" not in ended.err, ended.err
        if ended.out:
            check_summary(ended.summary, check_books(run.log))
        if files["--summary"].exists():
            json.loads(files["--summary"].read_text())
        if files["--report"].exists():
            assert files["--report"].read_text().rstrip().endswith("</html>")
