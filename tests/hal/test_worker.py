"""The queue thread, apart from any device."""

from __future__ import annotations

import gc
import logging
import threading
import weakref
from dataclasses import dataclass, field

import pytest

from polyrhythm.bundle.signature import Entry
from polyrhythm.hal import Completion, Fence, HalError, StageError, worker
from polyrhythm.hal.timeline import HostTimeline
from polyrhythm.hal.worker import WorkerQueue, first_line, require_cores, tell

FAKE = Entry("fake", (), ())


@dataclass
class Fake:
    """A call that waits for a gate, and raises if told."""

    error: BaseException | None = None
    entry: Entry = FAKE
    gate: threading.Event = field(default_factory=threading.Event)
    ran: list[int] = field(default_factory=list)
    entered: threading.Event = field(default_factory=threading.Event)

    def run(self, key: int) -> None:
        self.entered.set()
        self.gate.wait()
        self.ran.append(key)
        if self.error is not None:
            raise self.error


def opened() -> Fake:
    fake = Fake()
    fake.gate.set()
    return fake


def test_an_exception_is_the_first_line_of_the_failure() -> None:
    queue = WorkerQueue("q")
    fake = Fake(RuntimeError("\n  the motor is hot;\nframe 1\nframe 2"))
    fake.gate.set()
    with pytest.raises(StageError, match=r"^the motor is hot$"):
        queue.submit(fake).wait()
    assert queue.close()


class Panic(BaseException):
    """As bindings to Rust raise it."""


@pytest.mark.parametrize("error", [Panic("index out of bounds"), SystemExit("index out of bounds")])
def test_whatever_a_call_raises_is_its_failure_and_no_other_ones(error: BaseException) -> None:
    queue, seen, fails = WorkerQueue("q"), list[Completion](), opened()
    fails.error = error
    first, second = queue.submit(fails, done=seen.append), queue.submit(opened(), done=seen.append)
    with pytest.raises(StageError, match=r"^index out of bounds$"):
        first.wait(60_000_000_000)
    assert second.wait(60_000_000_000) and queue.close()
    assert [completion.error for completion in seen] == ["index out of bounds", None]


@pytest.mark.parametrize("error", [RuntimeError("the bus is down"), Panic("the bus is down")])
def test_a_timeline_of_others_that_raises_fails_what_waits_for_it(error: BaseException) -> None:
    class Broken(HostTimeline):
        def wait(self, value: int, timeout_ns: int | None = None) -> bool:
            raise error

    queue, never = WorkerQueue("q"), opened()
    fence = queue.submit(never, wait=Fence(((Broken("bus"), 1),)))
    with pytest.raises(StageError, match=r"^the bus is down$"):
        fence.wait(60_000_000_000)
    assert queue.submit(opened()).wait(60_000_000_000) and queue.close() and not never.ran


def test_messages_are_bounded() -> None:
    assert first_line(ValueError()) == "ValueError"
    assert len(first_line(ValueError("x" * 10_000))) == 400


def test_lines_that_only_say_where_in_the_source_are_left_out() -> None:
    where = "Exception from src/inference/src/cpp/core.cpp:84:\nException from src/model_reader.cpp:148:\n"
    assert first_line(RuntimeError(f"{where}Unable to read the model\n\n")) == "Unable to read the model"
    check = f"{where}Check 'n <= capacity' failed at src/make_tensor.cpp:109:\n"
    assert first_line(RuntimeError(f"{check}Could set new shape: [1,4]\n")) == "Could set new shape: [1,4]"
    assert first_line(RuntimeError(check)) == check.splitlines()[-1]
    assert first_line(RuntimeError("motor.c:12: it is hot\nmotor.c:99: stop")) == "motor.c:12: it is hot"


@pytest.mark.parametrize("error", [RuntimeError("mine"), SystemExit("mine")])
def test_a_callback_that_raises_harms_nobody(caplog: pytest.LogCaptureFixture, error: BaseException) -> None:
    queue = WorkerQueue("q")

    def done(completion: Completion) -> None:
        raise error

    with caplog.at_level(logging.ERROR):
        queue.submit(opened(), done=done)
        assert queue.submit(opened()).wait(60_000_000_000) and queue.close()
    assert "the completion callback of 'fake' raised" in caplog.text


def test_what_a_signal_raises_where_a_queue_completes_in_submit_is_not_lost() -> None:
    def done(completion: Completion) -> None:
        raise SystemExit(143)  # the main thread's, as SIGTERM makes it

    with pytest.raises(SystemExit):
        tell(done, Completion(None, 0, 0, None), opened())


def test_a_queue_that_is_dropped_ends_what_was_submitted_and_stops() -> None:
    released = threading.Event()
    queue = WorkerQueue("q", released=lambda key: released.set())
    fake = Fake()
    fence = queue.submit(fake)
    gone = weakref.ref(queue)
    del queue
    gc.collect()
    assert gone() is None and not fence.reached()
    fake.gate.set()
    assert fence.wait() and released.wait(60)


def test_an_idle_queue_keeps_no_call_alive() -> None:
    queue = WorkerQueue("q")
    fake, told = opened(), threading.Event()
    gone = weakref.ref(fake)
    queue.submit(fake)
    queue.submit(opened(), done=lambda completion: told.set())
    assert told.wait(60)
    del fake
    assert gone() is None
    assert queue.close()


def test_submissions_from_many_threads_get_one_point_each() -> None:
    queue, points = WorkerQueue("q"), list[int]()
    fake = opened()

    def submit() -> None:
        for _ in range(200):
            points.append(queue.submit(fake).points[0][1])

    threads = [threading.Thread(target=submit) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert queue.close()
    assert sorted(points) == list(range(1, 801)) and len(fake.ran) == 800


def test_abandon_tells_which_call_runs() -> None:
    queue, seen = WorkerQueue("q"), list[Completion]()
    hangs, never = Fake(), opened()
    queue.submit(hangs, token="hangs", done=seen.append)
    assert hangs.entered.wait(60)
    queue.submit(never, token="never", done=seen.append)
    assert queue.abandon("hung") == "hangs"
    hangs.gate.set()
    assert queue.close() and queue.abandon("again") is None
    assert [(c.token, c.error) for c in seen] == [("hangs", None), ("never", "hung")]
    assert never.ran == []


def test_closing_from_a_callback_does_not_wait_for_itself() -> None:
    queue, answers = WorkerQueue("q"), list[bool]()
    queue.submit(opened(), done=lambda completion: answers.append(queue.close()))
    assert queue.close() and answers == [False]


def test_cores_that_do_not_exist_are_named() -> None:
    require_cores(())
    with pytest.raises(HalError, match="core 4095, 4096"):
        require_cores((4095, 4096))


def test_a_queue_whose_thread_does_not_start_is_not_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits at exit for a thread that there never was."""

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    before = dict(worker._serving)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(RuntimeError, match="new thread"):
        WorkerQueue("q")
    assert worker._serving == before
