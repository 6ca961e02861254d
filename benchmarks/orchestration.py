"""Three ways to run a slow and a fast model side by side, on the same two modules, rates and cores.

System 2 (``vlm``, 3 Hz) and System 1 (``dit``, 20 Hz) of `examples/dual_system`:

====  ==========================================================================================
A     multi-module: both in this runtime, one process, a device each
B     one queue, serial: one loop that runs what is due, System 1 first
C     one process per model: a controller and two servers, raw bytes over Unix sockets
====  ==========================================================================================

Measured is the *response* of System 1, from its release to its actions being with the controller; the
*age*, from System 2 taking a picture to actions that know it; *jitter*, by how much the time between two
chunks is off the period; *misses*, ticks without a chunk in time; and the memory of all processes together.
In the middle of each run System 2 breaks, and System 1 goes on with what it last got, if it can:

- ``fails``: it gives NaN. ``hangs``: it never ends (in C the process is stopped). ``killed``: ``kill -9`` of
  its process; in A and B that is everybody's.

Every run is a process of its own. `orchestration_peers` has B and C.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from math import nan
from pathlib import Path
from shutil import copytree
from typing import Any

from measure import cores, parser, pinned, temporary
from orchestration_peers import S1, S2, Ticks, memory_mb, processes, serial

RUNS = (("A", "fails"), ("A", "hangs"), ("B", "hangs"), ("C", "killed"), ("C", "hangs"))
WAYS = {"A": "multi-module", "B": "one queue, serial", "C": "process per model"}
BUNDLE = Path(__file__).parent.parent / "examples" / "dual_system" / "bundle"
#: What System 2 takes where it only sleeps.
_WORKS_NS = 20_000_000
_HEAD = f"{'p50':>8}{'p99':>8}{'max':>8} "
#: Left out: System 1 goes on with an old result of System 2.
_STALE = "max_age_ms: 1000, on_stale: hold"


def multi_module(root: Path, fault: str, seconds: float) -> Ticks:
    """A. A hang needs a device that can be told to: then System 2 only sleeps for as long as it would
    compute, and in the end for longer than the run."""
    from dual_plus import Still

    from polyrhythm.hal import DeviceConfig
    from polyrhythm.hal.drivers.null import NullDevice
    from polyrhythm.runtime import Runtime, check
    from polyrhythm.schedule.events import Finish, Launch, Publish

    plan = check(root).plan
    assert plan is not None
    ticks = Ticks(seconds)

    class Camera(Still):
        """Its picture is NaN from the middle on, if that is the fault."""

        def observe(self, name: str, out: Any) -> None:
            super().observe(name, out)
            if name == "depth" and fault == "fails" and ticks.broken:
                out[...] = nan

    class Watch:
        """A listener."""

        def __init__(self) -> None:
            self.stamps: dict[int, int] = {}
            self.read: dict[int, int] = {}

        def step(self, event: Any, commands: list[Any]) -> None:
            ticks.look(event.now_ns)
            for command in commands:
                if type(command) is Publish and command.port == f"{S2}.hidden":
                    self.stamps[command.seq] = command.stamp_ns
                elif type(command) is Launch and command.module == S1 and command.stage == 0:
                    self.read[command.job] = next(r.seq for r in command.reads if r.port == f"{S2}.hidden")
                elif type(command) is Finish and command.module == S1:
                    stamp_ns = self.stamps[self.read.pop(command.job)]
                    ticks.add(command.release_ns, event.now_ns, stamp_ns)

        def note(self, note: Any) -> None:
            """Not needed."""

    if fault == "hangs":
        plan = replace(plan, devices={**plan.devices, "slow": ("null", DeviceConfig("slow", "sleep_ns:0"))})
        NullDevice.cost_ns = lambda self, entry: int(seconds * 1e9) if ticks.broken else _WORKS_NS  # type: ignore
    with pinned(cores()[1]), Runtime(plan) as runtime:
        ticks.measure = memory_mb
        outcome = runtime.run(Camera(), seconds=seconds, listeners=[Watch()])
    assert outcome.reason == "complete", outcome.reason
    assert outcome.modules[S2].isolated, "System 2 was to break"
    return ticks


def bundle() -> Path:
    """The example, with machine code, and a System 1 that does not mind how old System 2's result is."""
    from polyrhythm.bundle import open_bundle, relock
    from polyrhythm.compile import prepare

    root = temporary() / "dual_system"
    copytree(BUNDLE, root)
    text = (root / "manifest.yaml").read_text()
    assert _STALE in text
    (root / "manifest.yaml").write_text(text.replace(_STALE, "max_age_ms: 1000, on_stale: use"))
    relock(root)
    prepare(open_bundle(root))
    return root


def run(root: Path, way: str, fault: str, seconds: float) -> dict[str, Any]:
    """One run, in a process of its own."""
    command = [sys.executable, __file__, "--way", way, "--fault", fault, "--root", root, "--seconds", seconds]
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise SystemExit(f"{way}, {fault}: exit code {done.returncode}")
    found: dict[str, Any] = json.loads(done.stdout)
    return {"way": way, "fault": fault, **found}


def table(runs: list[Mapping[str, Any]]) -> str:
    """Before the break (the first run of each way), and after it (all runs)."""
    lines = [
        f"{'System 1 response, ms':>45}{'picture to action, ms':>25}{'jitter':>10}{'misses':>13}"
        f"{'memory, MB':>14}",
        f"{'':<21}{_HEAD}{_HEAD}{'p99':>9}{'':>13}{'RSS':>7}{'PSS':>7}",
    ]
    seen = set()
    for found in runs:
        if found["way"] not in seen:
            seen.add(found["way"])
            memory = found["memory"]
            ends = f"{memory['rss_mb']:7.0f}{memory['pss_mb']:7.0f}"
            lines.append(_row(f"{found['way']} {WAYS[found['way']]}", found["before"]) + ends)
    lines.append("after System 2 broke")
    lines += [_row(f"{found['way']} {found['fault']}", found["after"]) for found in runs]
    lines.append("A, B killed: all is one process, nothing goes on")
    return "\n".join(lines)


def _row(name: str, found: Mapping[str, Any]) -> str:
    def cells(key: str) -> str:
        spread = found[key]
        return (
            "       -" * 3 if spread is None else "".join(f"{spread[q]:8.2f}" for q in ("p50", "p99", "max"))
        )

    jitter = found["jitter_ms"]
    off = "       -" if jitter is None else f"{jitter['p99']:8.2f}"
    misses = f"{found['misses']} of {found['ticks']}"
    return f"{name:<21}{cells('response_ms')} {cells('age_ms')}  {off}{misses:>13}"


def main() -> int:
    """All runs, or one of them (in its own process)."""
    made = parser("A slow and a fast model: in one process, one after the other, in a process each.")
    made.add_argument("--out", type=Path, help="a directory for the table and the figures as JSON")
    for name in ("--way", "--fault", "--root", "--seconds"):
        made.add_argument(name, help=argparse.SUPPRESS)
    options = made.parse_args()
    if options.way is not None:
        ways = {"A": multi_module, "B": serial, "C": processes}
        ticks = ways[options.way](Path(options.root), options.fault, float(options.seconds))
        json.dump(ticks.report(), sys.stdout)
        return 0
    root, seconds = bundle(), 5.0 if options.quick else 60.0
    runs = [run(root, way, fault, seconds) for way, fault in RUNS]
    text = table(runs)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "orchestration.txt").write_text(text + "\n")
        (options.out / "orchestration.json").write_text(json.dumps(runs, indent=1) + "\n")
    print(json.dumps(runs, indent=1) if options.json else text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
