"""How much sooner than the robot its simulation is, on one core.

Trials of both examples without faults, as `polyrhythm simulate` plays them: costs drawn for every stage,
every rule checked after every event. Then the scheduler alone, its own assertions the only checks. Each in a
process of its own, with the pure rooms compiled and as they are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from time import process_time

from measure import Figure, cores, finish, parser, pinned

from polyrhythm.simulate.compiled import environment, missing

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ("three_rates", "dual_system")
#: x real time, compiled, every rule checked.
TARGET = 3600
S = 1_000_000_000


def play(example: str, audited: bool, seconds: float) -> tuple[float, float]:
    """(x real time, us of an event), measured for about so long."""
    from polyrhythm.simulate.harness import Harness
    from polyrhythm.simulate.piece import open_piece
    from polyrhythm.simulate.trial import Trial

    piece = open_piece(ROOT / "examples" / example)
    length_s, events = 1, 0
    while True:
        if audited:
            trial = Trial(piece, 0, length_s * S, ())
            before_s = process_time()
            events = trial.play().events
            assert trial.failure is None, trial.failure
        else:
            harness = Harness(piece.plan, playback=piece.player.make(piece.plan.control), keep=False)
            before_s = process_time()
            harness.start().run(length_s * S)
            events = harness.events
        took_s = process_time() - before_s
        if took_s > seconds / 2:
            return length_s / took_s, took_s / events * 1e6
        length_s *= 2


def measured(example: str, audited: bool, compiled: bool, seconds: float) -> list[Figure]:
    """The figures of one way, from a process of its own."""
    arguments = [sys.executable, __file__, "--play", json.dumps([example, audited, seconds])]
    env = environment() if compiled else dict(os.environ)
    done = subprocess.run(arguments, env=env, capture_output=True, text=True, check=True)
    times, us = json.loads(done.stdout)
    checks = "every rule" if audited else "scheduler alone"
    how = f"{example}, {'compiled' if compiled else 'as it is'}, {checks}"
    target = TARGET if audited and compiled else None
    return [
        Figure(how, times, "x real time", target, at_least=True),
        Figure(f"{how}: an event", us, "us"),
    ]


def main() -> int:
    """Measure and judge."""
    options = parser(__doc__.partition("\n")[0])
    options.add_argument("--play", help="in a process of its own: example, audited, seconds as JSON")
    given = options.parse_args()
    with pinned(cores()[0]):
        if given.play:
            print(json.dumps(play(*json.loads(given.play))))
            return 0
        seconds = 1.0 if given.quick else 10.0
        if (lacks := missing()) is not None:
            print(f"nothing can be compiled here: this machine lacks {lacks}", file=sys.stderr)
            return 1
        ways = [(e, a, c) for e in EXAMPLES for a in (True, False) for c in (True, False)]
        figures = [figure for way in ways for figure in measured(*way, seconds)]
    return finish(figures, given.json)


if __name__ == "__main__":
    sys.exit(main())
