"""Faults that other runtimes have had, as cases for real compiled modules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

#: In a process of its own, which has not compiled anything before.
PLAY = """
import resource, sys
from pathlib import Path
from polyrhythm.runtime import Runtime, check
from polyrhythm.schedule.events import Finish
from tests.runtime.robot import Diary

chunks = []

class Listener:
    def step(self, event, commands):
        chunks.extend(c for c in commands if type(c) is Finish and c.module == "mover")
    def note(self, note):
        pass

def scene(tick):  # its first number is how many rounds the grinder works: an instruction of so many words
    length = (3, 40, 8, 17)[len(chunks) // 10 % 4]
    lengths.add(length)
    return length, 1, 9, 16

def bound(runtime):
    return {at: len(slotted.calls) for at, slotted in runtime.storage._stages.items()}

lengths = set()
with Runtime(check(sys.argv[1]).plan) as runtime:
    before, reserved = bound(runtime), runtime.storage.arena.ledger()
    files = len(list(Path("/proc/self/fd").iterdir()))
    robot = Diary(length=400, scene=scene)
    outcome = runtime.run(robot, episodes=1, tasks=["left"], lockstep=True, listeners=[Listener()])
    assert bound(runtime) == before and runtime.storage.arena.ledger() == reserved
    assert len(list(Path("/proc/self/fd").iterdir())) == files
assert outcome.reason == "complete" and not any(m.late for m in outcome.modules.values())
makers = ("iree.compiler", "polyrhythm.compile", "jax", "torch")
compilers = [name for name in sys.modules if name.startswith(makers)]
children = resource.getrusage(resource.RUSAGE_CHILDREN)
print(len(chunks), len(lengths), compilers, children.ru_utime + children.ru_stime)
"""


def test_case_8_an_instruction_of_another_length_compiles_nothing(bundle: Path) -> None:
    """Every ten chunks it is longer or shorter: what is called are the calls that were bound before the first
    tick, nothing is recorded or made anew, and no job takes longer than planned."""
    done = subprocess.run(
        [sys.executable, "-c", PLAY, str(bundle)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "99 4 [] 0.0"
