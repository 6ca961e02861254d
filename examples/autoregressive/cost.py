"""What a decode step costs with a small and with a large pool: the same, because it writes one row in place.

    python examples/autoregressive/cost.py

Both bundles are played in turns, in real time, so that whatever else the machine does meets both. Prints the
ratio of the medians beside its target; the exit code is 1 if it is missed.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from pathlib import Path
from statistics import median

from polyrhythm.compile import build
from polyrhythm.memory import KVShape
from polyrhythm.runtime import Note, Runtime, check
from polyrhythm.schedule.events import Command, Event, Launch, StageDone

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

TARGET = 1.1
MEGABYTES = (1, 64)
#: How long each is played in its turn.
TURN_S = 0.5
_POLICY = """\
import sys
sys.path.insert(0, {here!r})
import model
model.PAGES = {pages}
import policy as original
policy = original.policy
"""


def main() -> int:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=10, help="turns of each pool, of about 80 decode steps")
    turns = parser.parse_args().turns
    with tempfile.TemporaryDirectory() as place:
        runtimes = [_opened(megabytes, Path(place)) for megabytes in MEGABYTES]
        steps = [Steps() for _ in runtimes]
        for _ in range(turns):
            for runtime, took in zip(runtimes, steps, strict=True):
                runtime.run(seconds=TURN_S, listeners=[took])
        for runtime, took in zip(runtimes, steps, strict=True):
            size = f"pool of {runtime.storage.own['s2', 'kv'].nbytes / 2**20:6.1f} MiB"
            print(f"{size}: p50 {median(took.ns) / 1e3:7.1f} us, least {min(took.ns) / 1e3:7.1f} us")
            runtime.close()
    ratio = median(steps[1].ns) / median(steps[0].ns)
    print(f"ratio {ratio:.3f}   target <= {TARGET}   {'ok' if ratio <= TARGET else 'MISSED'}")
    return ratio > TARGET


class Steps:
    """A listener that measures the decode steps of System 2, in nanoseconds."""

    def __init__(self) -> None:
        self.ns: list[int] = []
        self._thinks: set[tuple[int, int]] = set()

    def step(self, event: Event, commands: list[Command]) -> None:
        """Take note of ends, and of what is launched."""
        if type(event) is StageDone and (event.job, event.stage) in self._thinks:
            self.ns.append(event.ended_ns - event.started_ns)
        launches = [c for c in commands if type(c) is Launch and c.module == "s2"]
        self._thinks |= {(launch.job, launch.stage) for launch in launches if launch.stage}

    def note(self, note: Note) -> None:
        """What the runtime does beside is not measured."""


def _opened(megabytes: int, place: Path) -> Runtime:
    """The example with a pool of that size, twenty ticks in a second."""
    for name in ("model", "policy"):
        sys.modules.pop(name, None)
    model = importlib.import_module("model")
    shape = KVShape(model.LAYERS, model.PAGE_TOKENS, model.HEADS, model.HEAD_DIM)
    pages = megabytes * 2**20 // shape.page_bytes
    sys.modules.pop("model")
    directory = place / f"policy{megabytes}"
    directory.mkdir()
    (directory / "policy.py").write_text(_POLICY.format(here=str(HERE), pages=pages))
    manifest = (HERE / "manifest.yaml").read_text()
    manifest = manifest.replace("contexts: 2", "contexts: 1").replace("rate_hz: 3\n", "rate_hz: 20\n")
    (directory / "manifest.yaml").write_text(manifest)
    plan = check(build(directory / "policy.py", directory / "bundle").root).plan
    assert plan is not None
    return Runtime(plan)


if __name__ == "__main__":
    sys.exit(main())
