"""A bundle whose models only take time, `polyrhythm run` on it as a process, and the books of such a run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from time import sleep
from typing import Any

import psutil

from polyrhythm.bundle import Lock, LockedEntry, LockedFile, LockedMachineCode, LockedModule, host, write_lock
from polyrhythm.bundle.lock import LockedTensor
from polyrhythm.observe.eventlog import read_log
from polyrhythm.observe.replay import replay
from polyrhythm.schedule.events import Event
from tests.faults.beat import Beat, ask_for_the_end

ROOT = Path(__file__).parents[2]
CONTROL_HZ = 50
MANIFEST = f"""\
name: faulty
robot:
  use: gymnasium
  options: {{ env_id: "tests.faults.body:Faults/Body-v0" }}
  control_hz: {CONTROL_HZ}
  observations: {{ observation: {{ dtype: f32, shape: [1] }} }}
  action: {{ dtype: f32, shape: [2] }}
devices:
  cpu: {{ driver: "null", uri: "sleep_ns:2000000" }}
orchestration:
  mode: parallel
  modules:
  - {{ id: eye, vmfb: eye.vmfb, rate_hz: 5, cost_ms: 4, deadline_ms: 190 }}
  - {{ id: head, vmfb: head.vmfb, rate_hz: 10, cost_ms: 4 }}
  links:
  - {{ from: robot.observation, to: eye.clock }}
  - {{ from: robot.observation, to: head.clock }}
  - {{ from: eye.seen, to: head.seen }}
  - {{ from: head.chunk, to: robot.action }}
"""
ANSWERS = ("Act", "Hold", "Decelerate")


def _tensor(name: str, *shape: int) -> LockedTensor:
    return LockedTensor(name=name, dtype="f32", shape=list(shape))


def make_bundle(root: Path, manifest: str = MANIFEST, seen: int = 4) -> Path:
    """Write the bundle to `root`; `seen` is how many numbers the link between its modules carries."""
    code = LockedMachineCode(arch=host().arch, cpu="generic")
    clock, link = _tensor("clock", 1), _tensor("seen", seen)
    modules = {
        "eye.vmfb": LockedModule(
            machine_code=code, loaded_bytes=0, entries={"main": LockedEntry(inputs=[clock], outputs=[link])}
        ),
        "head.vmfb": LockedModule(
            machine_code=code,
            loaded_bytes=0,
            entries={"main": LockedEntry(inputs=[link, clock], outputs=[_tensor("chunk", 16, 2)])},
        ),
    }
    root.mkdir(parents=True)
    (root / "manifest.yaml").write_text(manifest)
    for name in modules:
        (root / name).write_bytes(b"nothing to run: " + name.encode())
    files = {
        path.name: LockedFile(sha256=sha256(path.read_bytes()).hexdigest(), size=path.stat().st_size)
        for path in sorted(root.iterdir())
    }
    write_lock(Lock(files=files, modules=modules), root)
    return root


def until(condition: Callable[[], Any], patience_s: float = 90.0) -> Any:
    """Wait for another process to do something, and return what came; what fails is that it never does."""
    for _ in range(int(patience_s / 0.01)):
        if found := condition():
            return found
        sleep(0.01)
    raise AssertionError("it never happened")


@dataclass
class Ended:
    """What a run left behind."""

    code: int
    out: str
    err: str

    @property
    def summary(self) -> dict[str, Any]:
        """What it said with ``--json``."""
        found: dict[str, Any] = json.loads(self.out)
        return found


@dataclass
class Run:
    """`polyrhythm run` as a process: `Run(folder, bundle, "--status", ...)`, a context manager.

    It records to ``run.log`` in `folder`, goes on until the robot's episode is ended (`end`), and is killed
    with all its children when the block ends.
    """

    folder: Path
    bundle: Path
    options: tuple[object, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    before: Callable[[], None] | None = None
    record: bool = True
    verb: tuple[str, ...] = ("run",)

    def __post_init__(self) -> None:
        self.log = self.folder / "run.log"
        self._beat = self.folder / "beat"
        self._said = self.folder / "stderr"
        recording = ("--record", self.log) if self.record else ()
        command = (
            sys.executable, "-m", "polyrhythm", *self.verb, self.bundle, "--episodes", 1, "--json",
            "--quiet", *recording, *self.options,
        )  # fmt: skip
        paths = [str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
        env = os.environ | {"FAULTS_BEAT": str(self._beat), "PYTHONPATH": os.pathsep.join(paths)} | self.env
        with self._said.open("wb") as err:
            self.process = subprocess.Popen(
                list(map(str, command)), stdout=subprocess.PIPE, stderr=err, env=env,
                preexec_fn=self.before,  # noqa: PLW1509 - nothing else goes on here
            )  # fmt: skip

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *exc: object) -> None:
        for process in self.children():
            process.kill()
        self.process.kill()
        self.process.communicate()

    @property
    def beat(self) -> Beat:
        """What the robot says."""
        return Beat.read(self._beat)

    @property
    def said(self) -> str:
        """What it has written to stderr so far."""
        return self._said.read_text()

    @property
    def ticks(self) -> int:
        """Control ticks that the robot has executed."""
        return self.beat.ticks

    def children(self, module: str = "") -> list[psutil.Process]:
        """Its child processes that run a Python module of that name, or all."""
        try:
            found = psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []
        return [child for child in found if not module or module in _command(child)]

    def child(self, module: str) -> psutil.Process:
        """Wait until there is such a child."""
        found: list[psutil.Process] = until(lambda: self._alive() and self.children(module))
        return found[0]

    def goes_on(self, ticks: int = 25) -> None:
        """Wait until the robot has been given so many ticks more."""
        wanted = self.ticks + ticks
        until(lambda: self._alive() and self.ticks >= wanted)

    def end(self) -> Ended:
        """End the episode, and with it the run."""
        ask_for_the_end(self._beat)
        return self.ended()

    def interrupt(self, number: signal.Signals = signal.SIGINT) -> Ended:
        """Send a signal and wait for the end."""
        self.process.send_signal(number)
        return self.ended()

    def ended(self) -> Ended:
        """Wait for the end."""
        out = self.process.communicate(timeout=90)[0]
        return Ended(self.process.returncode, out.decode(), self.said)

    def _alive(self) -> bool:
        assert self.process.poll() is None, f"the run ended with {self.process.returncode}:\n{self.said}"
        return True


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def check_books(log: Path, end: str = "complete") -> int:
    """Whether a log replays, and every control instant in it is accounted for: answered by the next tick, or
    counted as late. Returns how many ticks were answered."""
    found = replay(log)
    assert (found.difference, found.end) == (None, end)
    ticks: list[int] = []
    at_ns: list[int] = []
    others = 0
    event: Event | None = None
    for event, text in read_log(log):
        for name, *fields in json.loads(text):
            if name in ANSWERS:
                ticks.append(fields[0])
                at_ns.append(event.now_ns)
            elif name == "Drop" and fields[0] == "control":
                others += fields[2] if len(fields) > 2 else 1
    assert ticks == list(range(len(ticks))), "a tick was left out, or executed twice"
    if ticks and event is not None:
        period_ns = 10**9 // CONTROL_HZ
        least, most = ((ns - at_ns[0]) // period_ns for ns in (at_ns[-1], event.now_ns))
        assert least <= len(ticks) + others <= most + 1, "an instant is neither answered nor counted"
    return len(ticks)


def check_summary(summary: Mapping[str, Any], ticks: int) -> None:
    """Whether the summary tells of as many ticks, and every released job of every module is accounted for."""
    assert summary["control"]["ticks"] == ticks
    assert all(module["unexplained"] == 0 for module in summary["modules"].values())
    assert all(module["isolated"] is None for module in summary["modules"].values())


def left_in(folder: Path) -> list[str]:
    """What lies in a folder, but for what a `Run` puts there."""
    return sorted(path.name for path in folder.iterdir() if path.name not in ("beat", "stderr", "run.log"))
