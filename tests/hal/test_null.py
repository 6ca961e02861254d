"""The null driver: the contract without a device, and its virtual time."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal import Call, Completion, Device, DeviceConfig, Fence, HalError, StageError, driver
from polyrhythm.hal.drivers import null
from polyrhythm.memory import Arena

X, Y = Tensor("x", "f32", (64,)), Tensor("y", "f32", (64,))
ENTRY = Entry("stage", (X,), (Y,))
OTHER = Entry("other", (X,), (Y,), scratch_bytes=64)


def opened(uri: str) -> Device:
    return driver("null").open(DeviceConfig("nothing", uri))


def bound(device: Device, entry: str = "stage") -> Call:
    arena = Arena(1 << 12)
    executable = device.load(Path("absent.vmfb"), [ENTRY, OTHER])
    views = [device.buffer(arena.take("t", "x", tensor)) for tensor in (X, Y)]
    scratch = device.buffer(arena.take("t", "scratch", 64))
    return executable.bind(entry, views[:1], views[1:], scratch)


@pytest.mark.parametrize("uri", ["local-sync", "sleep_ns:", "sleep_ns:-1", "sleep_ns:1.5", "sleep_ns:²"])
def test_uris_are_listed(uri: str) -> None:
    with pytest.raises(HalError, match=f"no URI '{uri}'; there are: immediate, manual, sleep_ns:N"):
        opened(uri)


def test_uris_that_are_offered_open() -> None:
    offered = driver("null").available()
    assert offered == ("immediate", "manual", "sleep_ns:0")
    assert [opened(uri).uri for uri in offered] == [*offered]


def test_state_in_place_is_taken_at_its_word() -> None:
    """Calls leave it as it is, as they leave all memory; two places for it are refused as anywhere."""
    device, arena = opened("manual"), Arena(1 << 12)
    keeps = Entry("keeps", (X,), (X, Y), consumed=frozenset({"x"}))
    x, y, other = (device.buffer(arena.take("t", name, X)) for name in ("x", "y", "other"))
    executable = device.load(Path("absent.vmfb"), [keeps])
    assert executable.bind("keeps", [x], [x, y], None).entry is keeps
    with pytest.raises(HalError, match="same memory"):
        executable.bind("keeps", [x], [other, y], None)


def test_memory_is_checked_as_on_a_device() -> None:
    device = opened("manual")
    arena = Arena(1 << 12)
    raw = arena.take("t", "raw", 1024)
    with pytest.raises(HalError, match="aligned"):
        device.buffer(raw[4:260])
    executable = device.load(Path("absent.vmfb"), [ENTRY, OTHER])
    view = device.buffer(arena.take("t", "x", X))
    with pytest.raises(HalError, match="'x' missing"):
        executable.bind("stage", [], [view], None)
    with pytest.raises(HalError, match="64 bytes of scratch"):
        executable.bind("other", [view], [device.buffer(arena.take("t", "y", Y))], None)
    with pytest.raises(HalError, match="stage, other"):
        executable.bind("none", [], [], None)
    foreign = opened("manual").buffer(arena.take("t", "y", Y))
    with pytest.raises(HalError, match="not one of device"):
        executable.bind("stage", [view], [foreign], None)


def test_immediate_completes_in_submit() -> None:
    device, seen = opened("immediate"), list[Completion]()
    fence = device.queue().submit(bound(device), token="t", done=seen.append)
    assert fence.reached() and seen == [Completion("t", 0, 0, None)]


def test_immediate_waits_for_its_gate() -> None:
    device, seen = opened("immediate"), list[Completion]()
    queue, gate = device.queue(), device.timeline()
    first = queue.submit(bound(device), wait=Fence(((gate, 1),)), token=1, done=seen.append)
    second = queue.submit(bound(device), token=2, done=seen.append)
    assert not second.reached()
    gate.signal(1)
    assert first.reached() and second.reached() and [completion.token for completion in seen] == [1, 2]


def test_manual_time_follows_the_costs() -> None:
    device, seen = opened("manual"), list[Completion]()
    device.costs_ns.update(stage=10, other=5)
    queue = device.queue()
    queue.submit(bound(device), token="a", done=seen.append)
    queue.submit(bound(device, "other"), token="b", done=seen.append)
    assert queue.next_ns() == 10
    assert queue.advance(9) == 0 and not seen
    assert queue.advance(14) == 1 and queue.next_ns() == 15
    queue.submit(bound(device), token="c", done=seen.append)
    assert queue.advance(100) == 2
    assert [(c.token, c.started_ns, c.ended_ns) for c in seen] == [("a", 0, 10), ("b", 10, 15), ("c", 15, 25)]
    assert queue.next_ns() is None and queue.close()


def test_manual_chains_across_queues() -> None:
    device = opened("manual")
    device.costs_ns.update(stage=10)
    first, second = device.queue(), device.queue()
    seen: list[Completion] = []
    ready = first.submit(bound(device))
    second.submit(bound(device), wait=ready, done=seen.append)
    assert second.advance(20) == 0 and second.next_ns() is None
    first.advance(20)
    assert second.advance(30) == 1 and seen[0].started_ns == 20


def test_failures_travel_with_their_message() -> None:
    device, seen = opened("immediate"), list[Completion]()
    device.failures["stage"] = "out of juice"
    first, second = device.queue(), device.queue()
    bad = first.submit(bound(device))
    after = second.submit(bound(device, "other"), wait=bad, done=seen.append)
    with pytest.raises(StageError, match="out of juice"):
        after.wait()
    assert seen[0].error == "out of juice"
    assert second.submit(bound(device, "other")).wait()


def test_calls_that_sleep_take_real_time_one_after_the_other() -> None:
    device, seen = opened("sleep_ns:2000000"), list[Completion]()
    device.costs_ns["other"] = 1_000_000
    queue = device.queue()
    gate = device.timeline()
    queue.submit(bound(device), wait=Fence(((gate, 1),)), token=1, done=seen.append)
    queue.submit(bound(device, "other"), token=2, done=seen.append)
    assert not seen
    gate.signal(1)
    assert queue.close()
    assert [completion.token for completion in seen] == [1, 2]
    assert seen[0].ended_ns - seen[0].started_ns >= 2_000_000
    assert seen[1].ended_ns - seen[1].started_ns >= 1_000_000
    assert seen[1].started_ns >= seen[0].ended_ns
    device.close()


def test_a_call_that_sleeps_fails_like_the_others_and_is_bound_to_its_device() -> None:
    device, seen = opened("sleep_ns:0"), list[Completion]()
    device.failures["stage"] = "out of juice"
    queue = device.queue()
    with pytest.raises(StageError, match="out of juice"):
        queue.submit(bound(device), done=seen.append).wait()
    with pytest.raises(HalError, match="not bound on the device"):
        queue.submit(bound(opened("sleep_ns:0")))
    device.close()
    assert seen[0].error == "out of juice"


def test_a_call_that_sleeps_on_does_not_keep_a_device_from_closing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(null, "CLOSE_GRACE_NS", 0)
    device, seen = opened("sleep_ns:500000000"), list[Completion]()
    queue = device.queue()
    fence = queue.submit(bound(device), done=seen.append)
    device.close()
    assert not seen and not fence.reached()
    assert queue.close() and seen[0].error is None


def test_done_may_submit() -> None:
    device, seen = opened("immediate"), list[object]()
    queue, call = device.queue(), bound(device)

    def done(completion: Completion) -> None:
        seen.append(completion.token)
        if len(seen) < 2000:  # without recursion
            queue.submit(call, token=len(seen), done=done)

    queue.submit(call, token=0, done=done)
    assert seen == list(range(2000))


def test_each_submission_has_a_fence_of_its_own() -> None:
    """Also while `done` of another one submits, or another thread does."""
    device, inner = opened("immediate"), list[Fence]()
    queue, call, gate = device.queue(), bound(device), device.timeline()
    submits = lambda: inner.append(queue.submit(call, wait=Fence(((gate, 1),))))  # noqa: E731

    def done(completion: Completion) -> None:
        submits()
        thread = threading.Thread(target=submits)
        thread.start()
        thread.join()

    outer = queue.submit(call, done=done)
    assert [fence.points[0][1] for fence in (outer, *inner)] == [1, 2, 3]
    assert outer.reached() and not any(fence.reached() for fence in inner)
    gate.signal(1)
    assert all(fence.reached() for fence in inner)


def fails(completion: Completion) -> None:
    raise ValueError("boom")


def test_a_callback_that_raises_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    device, seen = opened("immediate"), list[Completion]()
    queue, call = device.queue(), bound(device)
    assert queue.submit(call, done=fails).reached()
    assert queue.submit(call, token=1, done=seen.append).reached()
    assert [completion.token for completion in seen] == [1]
    assert "the completion callback of 'stage' raised" in caplog.text


def test_a_callback_that_raises_leaves_nothing_unreached_when_a_queue_is_abandoned() -> None:
    device, seen = opened("manual"), list[Completion]()
    queue, call, gate = device.queue(), bound(device), device.timeline()
    waits = Fence(((gate, 1),))
    fences = [queue.submit(call, wait=waits, done=fails), queue.submit(call, done=seen.append)]
    assert queue.abandon("hopeless") is None
    assert [fence.reached() for fence in fences] == [True, True]
    assert seen == [Completion(None, 0, 0, "hopeless")]
    with pytest.raises(StageError, match="hopeless"):
        fences[0].wait()


def test_what_is_left_at_close_never_runs() -> None:
    device = opened("manual")
    queue = device.queue()
    fence = queue.submit(bound(device))
    device.close()
    assert not queue.close() and not fence.reached()
    with pytest.raises(HalError, match="closed"):
        queue.submit(bound(device))
