"""A stage that hangs, in real time, with pages in its hands: nobody else is given them until it has ended."""

from __future__ import annotations

import threading

import pytest

from polyrhythm.hal import Call
from polyrhythm.runtime import Runtime
from polyrhythm.runtime.listener import Grown
from polyrhythm.schedule.events import Isolate, Launch, Renew, Switched
from tests.runtime.robot import Diary
from tests.runtime.test_paged import bundle, opened, pool  # noqa: F401  fixtures among them
from tests.runtime.test_runs import accounts_balance

WAIT_S = 60.0


class Held:
    """A call that does not begin before it may."""

    def __init__(self, call: Call) -> None:
        self.call, self.owner, self.entry = call, call.owner, call.entry
        self.may, self.ended = threading.Event(), threading.Event()

    def run(self, key: int) -> None:
        assert self.may.wait(WAIT_S)
        self.call.run(key)
        self.ended.set()


class Hanging:
    """A listener: once context 1 is ready and context 0 has grown three times, its next stage hangs. When its
    queue has been left behind context 1 plays, and sees other tokens. When that has grown three times the
    stage writes what it had to; three times more, and the run is stopped.

    Attributes:
        start, table: where the sequence ended when the stage was launched, and the pages in its hands.
        looks: after each growth of context 1: its pages, how many are held, and whether context 0 is freed.
    """

    def __init__(self, runtime: Runtime, retires: bool) -> None:
        self.runtime, self.retires = runtime, retires
        self.first, self.other = runtime.contexts.values()
        self.pages, self.robot = pool(runtime), Diary(10**6, lambda tick: (2, *self.tokens, 0))
        self.tokens: tuple[int, int] = (5, 7)
        self.held: Held | None = None
        self.start, self.table = 0, set()
        self.played_from = 0
        self.grown, self.isolated, self.looks = {0: 0, 1: 0}, [], []
        call = self.first.storage.call

        def calls(launch: Launch) -> Call:
            bound = call(launch)
            if self.held is None and self.other.state == "ready" and self.grown[0] >= 3 and not launch.stage:
                own = self.first.storage.own
                self.start = int(own["memo", "length"])
                self.table = set(own["memo", "page_table"].tolist()) - {0}
                self.held = Held(bound)
                return self.held
            return bound

        self.first.storage.call = calls

    def pages_of(self, number: int) -> set[int]:
        return set(self.pages._contexts[f"context {number}"].pages)

    def step(self, event, commands) -> None:
        for command in commands:
            if type(command) is Isolate:
                self.isolated.append((command.module, command.reason, command.context))
            elif type(command) is Renew:
                self.tokens = (4, 8)
                self.runtime.switch(self.other)
            elif type(command) is Switched:
                self.played_from = len(self.robot.entries)
        if self.retires and self.runtime.live is self.other and not self.first.leaving:
            self.runtime.retire(self.first)

    def note(self, note) -> None:
        if type(note) is not Grown:
            return
        self.grown[note.context] += 1
        if note.context == 1:
            self.looks.append((self.pages_of(1), self.pages.usage()["held"], self.first.freed))
            if self.grown[1] == 3:
                self.held.may.set()
                assert self.held.ended.wait(WAIT_S)
            elif self.grown[1] == 6:
                self.runtime.stop("enough")


@pytest.mark.parametrize("retires", [False, True], ids=["kept", "retired"])
def test_another_context_plays_on_with_pages_of_its_own(opened, retires: bool) -> None:  # noqa: F811
    runtime = opened(("robot:\n", "contexts: 2\nrobot:\n"))
    hanging = Hanging(runtime, retires)
    pages, first = hanging.pages, hanging.first
    outcome = runtime.run(hanging.robot, tasks=["left"], listeners=[hanging])
    assert outcome.reason == "enough" and accounts_balance(outcome)
    assert hanging.isolated == [("memo", "hung", 0)] and outcome.modules["memo"].drops["hung"] == 1
    assert len(hanging.table) == -(-(hanging.start + 3) // 4)
    for own, held, freed in hanging.looks[:3]:
        assert own and not own & hanging.table and held == len(own) + len(hanging.table) and not freed
    actions = [action for _, action in hanging.robot.entries[hanging.played_from :] if action is not None]
    assert actions and all(total == 6 * length + 12 for total, length in actions)
    # It has ended, and what it appended is not there.
    if retires:
        assert first.wait_freed(WAIT_S)
        assert pages.usage()["held"] == len(hanging.pages_of(1))
    else:
        assert pages._contexts["context 0"].length == hanging.start
        assert len(hanging.pages_of(0)) == -(-hanging.start // 4)
        assert pages.usage()["held"] == len(hanging.pages_of(0)) + len(hanging.pages_of(1))
    runtime.close()
    assert pages.usage()["held"] == 0
