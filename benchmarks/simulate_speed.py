"""How much sooner than the robot its simulation is, on one core.

Trials of both examples as `polyrhythm simulate` plays them, every rule checked after every event: without
faults, quiet stretches skipped, which has the target; every event of them; with all faults as often as usual,
and as long runs have them by themselves, in trials of ten minutes a hundredth as often. Then the scheduler
alone, its own assertions the only checks. Each in a process of its own, with the pure rooms compiled and as
they are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path
from time import process_time

from measure import Figure, cores, finish, parser, pinned

from polyrhythm.cli.simulate import LONG_OFTEN, LONG_TRIAL_S
from polyrhythm.simulate.compiled import environment, missing

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ("three_rates", "dual_system")
#: x real time, compiled, every rule checked, quiet stretches skipped.
TARGET = 3600
S = 1_000_000_000
QUIET, EVERY_EVENT, ALONE = "no faults", "no faults, every event", "scheduler alone"
FAULTS, RARE_FAULTS = "all faults", "all faults, 1/100 as often"
WAYS = (QUIET, EVERY_EVENT, FAULTS, RARE_FAULTS, ALONE)


def play(example: str, way: str, seconds: float) -> tuple[float, float, float]:
    """(x real time, of that played, us of an event that is played), of trials for about so long."""
    if way == ALONE:
        return scheduled(example, seconds)
    from polyrhythm.simulate.campaign import Setting
    from polyrhythm.simulate.trial import Outcome

    setting, sum_, took_s = Setting(ROOT / "examples" / example), Outcome(), 0.0
    if way in (QUIET, EVERY_EVENT):
        setting = replace(setting, faults=(), every_event=way == EVERY_EVENT)
    elif way == RARE_FAULTS:
        setting = replace(setting, length_ns=round(LONG_TRIAL_S * S), often=LONG_OFTEN)
    setting.trial(0)  # opens the piece
    for seed in count():
        before_s = process_time()
        trial = setting.trial(seed)
        sum_.add(trial.play())
        took_s += process_time() - before_s
        assert trial.failure is None, (seed, trial.failure)
        if took_s > seconds / 2:
            break
    played = 1 - sum_.skipped_ns / sum_.simulated_ns
    return sum_.simulated_ns / S / took_s, played, took_s / (sum_.events * played) * 1e6


def scheduled(example: str, seconds: float) -> tuple[float, float, float]:
    """The same of a scheduler that nobody checks."""
    from polyrhythm.simulate.campaign import opened
    from polyrhythm.simulate.harness import Harness

    piece, length_s = opened(ROOT / "examples" / example, None), 1
    while True:
        harness = Harness(piece.plan, playback=piece.player.make(piece.plan.control), keep=False)
        before_s = process_time()
        harness.start().run(length_s * S)
        took_s = process_time() - before_s
        if took_s > seconds / 2:
            return length_s / took_s, 1.0, took_s / harness.events * 1e6
        length_s *= 2


def measured(example: str, way: str, compiled: bool, seconds: float) -> list[Figure]:
    """The figures of one way, from a process of its own."""
    arguments = [sys.executable, __file__, "--play", json.dumps([example, way, seconds])]
    env = environment() if compiled else dict(os.environ)
    done = subprocess.run(arguments, env=env, capture_output=True, text=True, check=True)
    times, played, us = json.loads(done.stdout)
    how = f"{example}, {'compiled' if compiled else 'as it is'}, {way}"
    target = TARGET if way == QUIET and compiled else None
    return [
        Figure(how, times, "x real time", target, at_least=True),
        Figure(f"{how}: played", 100 * played, "%"),
        Figure(f"{how}: an event", us, "us"),
    ]


def main() -> int:
    """Measure and judge."""
    options = parser(__doc__.partition("\n")[0])
    options.add_argument("--play", help="in a process of its own: example, way, seconds as JSON")
    given = options.parse_args()
    with pinned(cores()[0]):
        if given.play:
            print(json.dumps(play(*json.loads(given.play))))
            return 0
        seconds = 1.0 if given.quick else 10.0
        if (lacks := missing()) is not None:
            print(f"nothing can be compiled here: this machine lacks {lacks}", file=sys.stderr)
            return 1
        ways = [(example, way, fast) for example in EXAMPLES for way in WAYS for fast in (True, False)]
        figures = [figure for way in ways for figure in measured(*way, seconds)]
    return finish(figures, given.json)


if __name__ == "__main__":
    sys.exit(main())
