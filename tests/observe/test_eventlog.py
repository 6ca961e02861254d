"""Logs and their replay: the same to the byte, whatever happened, and as far as a log goes."""

from __future__ import annotations

import fcntl
import json
import os
import pickle
import random
import resource
import signal
import struct
import threading
import tracemalloc
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import pytest
from hypothesis import HealthCheck, given
from pydantic import TypeAdapter
from syrupy.assertion import SnapshotAssertion

from polyrhythm.chunks import PlayerPlan
from polyrhythm.observe import eventlog
from polyrhythm.observe.eventlog import MAGIC, Header, LogError, LogWriter, read_log
from polyrhythm.observe.replay import describe_diff, diff, replay, tell_diff, tell_replay
from polyrhythm.schedule import SchedulePlan
from polyrhythm.schedule.events import Admit, Event, Stop, Wake
from polyrhythm.schedule.jobs import ModuleState
from polyrhythm.simulate.worlds import World
from tests.effort import examples
from tests.observe.conftest import play
from tests.observe.harness import MS, Play, dual_plan, solo_plan
from tests.schedule.strategies import chunk_plans, worlds


def header(plan: SchedulePlan, player: PlayerPlan | None = None) -> Header:
    return Header("9.9.9", "duet", plan, player or PlayerPlan())


def record(path: Path, plan: SchedulePlan | None = None, **options: object) -> LogWriter:
    """Record a run of `plan`."""
    plan = plan or dual_plan()
    with LogWriter(path, header(plan)) as log:
        Play(plan, [log], **options).run()  # type: ignore[arg-type]
    return log


def test_a_run_replays_to_the_byte(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    log = record(tmp_path / "a.log")
    found = replay(tmp_path / "a.log")
    assert found.difference is None and found.events == log.records and log.problem is None
    assert tell_replay("a.log", found) == snapshot
    assert (tmp_path / "a.log").stat().st_size < 60 * found.events


@examples(30, suppress_health_check=list(HealthCheck))
@given(chunk_plans(), worlds())
def test_random_runs_full_of_faults_replay_to_the_byte(
    tmp_path: Path, plan: SchedulePlan, world: World
) -> None:
    player = PlayerPlan(plan.buffers or 0)
    harness = world.play(plan)
    with LogWriter(tmp_path / "a.log", header(plan, player)) as log:
        for step in harness.log:
            log.step(step.event, step.commands)
    found = replay(tmp_path / "a.log")
    assert (found.difference, found.events, found.end) == (None, len(harness.log), "complete")


def test_a_log_cut_at_any_byte_replays_up_to_its_last_whole_record(tmp_path: Path) -> None:
    record(tmp_path / "a.log", solo_plan(), tasks=[], until_ms=40)
    whole = (tmp_path / "a.log").read_bytes()
    total, seen = replay(tmp_path / "a.log").events, set()
    for length in range(len(whole)):
        (tmp_path / "cut.log").write_bytes(whole[:length])
        try:
            found = replay(tmp_path / "cut.log")
        except LogError:
            assert not seen  # not even the header is there
            continue
        assert found.difference is None and found.end == "cut off"
        seen.add(found.events)
    assert seen == set(range(total + 1))


def frame_ends(path: Path) -> list[int]:
    """Where each frame of a log ends."""
    content, at, ends = path.read_bytes(), len(MAGIC), []
    while at < len(content):
        at += 8 + struct.unpack_from("<I", content, at)[0]
        ends.append(at)
    return ends


def test_zeros_after_a_whole_record_end_the_log(tmp_path: Path) -> None:
    """What a file system may leave of what was not written yet when the power went."""
    record(tmp_path / "a.log", until_ms=50)
    whole, ends = (tmp_path / "a.log").read_bytes(), frame_ends(tmp_path / "a.log")
    for zeros in (8, 4096):
        (tmp_path / "b.log").write_bytes(whole[: ends[len(ends) // 2]] + bytes(zeros))
        found = replay(tmp_path / "b.log")
        assert found.events == len(ends) // 2 and found.difference is None and found.end == "cut off"


def test_a_spoilt_log_is_told_or_ends_where_it_is_spoilt(tmp_path: Path) -> None:
    record(tmp_path / "a.log", until_ms=200)
    whole, rng = (tmp_path / "a.log").read_bytes(), random.Random(5)
    for _ in range(300):
        spoilt = bytearray(whole)
        for _ in range(rng.choice([1, 1, 3])):
            spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
        (tmp_path / "b.log").write_bytes(spoilt)
        try:
            assert replay(tmp_path / "b.log").difference is None
        except LogError as error:
            assert str(tmp_path) in str(error)


def test_another_version_of_the_scheduler_is_found_at_its_first_other_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    record(tmp_path / "a.log")
    kept = ModuleState.release

    def drops_its_seventh_tick(self: ModuleState, now_ns: int) -> int:
        dropped = kept(self, now_ns)
        if self.plan.id == "dit" and self.released == 7:
            self.pending.pop()
            return dropped + 1
        return dropped

    monkeypatch.setattr(ModuleState, "release", drops_its_seventh_tick)
    found = replay(tmp_path / "a.log")
    assert tell_replay("a.log", found) == snapshot


def test_diff_tells_where_two_runs_part(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    for name, look_ns in (("a", MS), ("b", MS), ("c", 2 * MS)):
        record(tmp_path / name, look_ns=look_ns)
    assert diff(tmp_path / "a", tmp_path / "b").difference is None
    found = diff(tmp_path / "a", tmp_path / "c")
    assert found.difference is not None and not found.well and tell_diff("a", "c", found) == snapshot


@pytest.mark.parametrize(
    "events", [(["Wake", 1], ["EpisodeEnd", 1]), (["Switch", 1, 7], ["Retire", 1, 7])], ids=str
)
def test_events_of_two_kinds_are_different(tmp_path: Path, events: tuple[list[object], ...]) -> None:
    for name, event in zip("ab", events, strict=True):
        (tmp_path / name).write_bytes(crafted(event, []))
    shared, found, _ = diff(tmp_path / "a", tmp_path / "b")
    assert shared == 0 and found is not None and found.event is None and found.before != found.after


def test_a_log_that_goes_on_longer_is_different(tmp_path: Path) -> None:
    for name, until_ms in (("a", 100), ("b", 200)):
        record(tmp_path / name, solo_plan(), tasks=[], until_ms=until_ms)
    shared, found, _ = diff(tmp_path / "a", tmp_path / "b")
    assert found is not None and shared > 10


def test_how_logs_end_is_told(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """What is the same is so up to there; of a log that was spoilt nobody knows what came after."""
    record(tmp_path / "whole", until_ms=100)
    whole, ends = (tmp_path / "whole").read_bytes(), frame_ends(tmp_path / "whole")
    spoilt, start = bytearray(whole), ends[len(ends) // 2]
    spoilt[start + 12] ^= 1  # in the next frame, behind its length and its checksum
    (tmp_path / "spoilt").write_bytes(spoilt)
    (tmp_path / "cut").write_bytes(whole[: start + 3])
    said = {}
    for pair in ("spoilt", "cut"), ("cut", "cut"), ("whole", "cut"), ("spoilt", "whole"):
        found = diff(*(tmp_path / name for name in pair))
        said[pair] = found.well, describe_diff(found)["ends"], tell_diff(*pair, found).splitlines()[-2:]
    for name in ("whole", "cut", "spoilt"):
        played = replay(tmp_path / name)
        said[name] = played.well, tell_replay(name, played).splitlines()[-1]
    assert said == snapshot


@pytest.mark.parametrize("at", ["length", "high length", "checksum", "content"])
def test_a_bit_that_flips_anywhere_in_a_frame_spoils_the_log(tmp_path: Path, at: str) -> None:
    record(tmp_path / "a.log", until_ms=100)
    content, ends = bytearray((tmp_path / "a.log").read_bytes()), frame_ends(tmp_path / "a.log")
    offset = {"length": 1, "high length": 3, "checksum": 4, "content": 9}[at]
    content[ends[3] + offset] ^= 4
    (tmp_path / "a.log").write_bytes(content)
    found = replay(tmp_path / "a.log")
    assert (found.end, found.events, found.well) == ("spoilt", 3, False)


def test_logs_of_different_plans_are_not_compared(tmp_path: Path) -> None:
    record(tmp_path / "a", dual_plan(), until_ms=50)
    record(tmp_path / "b", solo_plan(), tasks=[], until_ms=50)
    with pytest.raises(LogError, match="different runs: their headers have another plan"):
        diff(tmp_path / "a", tmp_path / "b")


def test_a_plan_that_would_take_all_memory_is_refused(tmp_path: Path) -> None:
    plan = replace(dual_plan(), ports=dict.fromkeys(dual_plan().ports, 30_000_000))
    write(tmp_path / "a.log", plan)
    with pytest.raises(LogError, match="at most 1000000 are played again"):
        replay(tmp_path / "a.log")


def test_slots_are_counted_one_by_one_and_over_all_plans(tmp_path: Path) -> None:
    plan = dual_plan()
    first, second, *_ = plan.ports
    write(tmp_path / "a.log", replace(plan, ports={**plan.ports, first: 10**9, second: -(10**9)}))
    with pytest.raises(LogError, match="at most 1000000 are played again"):
        replay(tmp_path / "a.log")
    half = replace(plan, ports={**plan.ports, first: 490_000})
    write(tmp_path / "b.log", plan, [Wake(1), Admit(2, 1, half), Admit(3, 2, half), Admit(4, 3, half)])
    read = read_log(tmp_path / "b.log")
    with pytest.raises(LogError, match="at most 1000000 are played again"):
        assert [event.now_ns for event, _ in read] == [1, 2, 3]


@pytest.mark.parametrize("commands", [5, None, {"a": 1}, [5], [[]], [{}], [[5]], ["Launch"]], ids=repr)
def test_commands_that_are_none_are_told(tmp_path: Path, commands: object) -> None:
    (tmp_path / "good.log").write_bytes(crafted(["Wake", 1], []))
    (tmp_path / "a.log").write_bytes(crafted(["Wake", 1], commands))
    for read in (replay, lambda path: diff(path, tmp_path / "good.log")):
        with pytest.raises(LogError, match="record 0 makes no sense to this version"):
            read(tmp_path / "a.log")


def test_an_instant_that_no_clock_has_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(crafted(["Wake", 10**400], []))
    with pytest.raises(LogError, match="record 0 makes no sense to this version"):
        replay(tmp_path / "a.log")


def test_what_a_log_says_is_printable(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(crafted(["Wake", 1], [["\x1b[2J\ud800", 1]]))
    said = tell_replay("a.log", replay(tmp_path / "a.log"))
    (tmp_path / "b.log").write_bytes(crafted(["Wake", 1], [], end="\x1b[2J\ud800"))
    said += tell_replay("b.log", replay(tmp_path / "b.log"))
    (tmp_path / "c.log").write_bytes(crafted(["Wake", 1], [], bundle="\x1b[2J\ud800"))
    said += tell_replay("c.log", replay(tmp_path / "c.log"))
    assert "\x1b" not in said and said.encode() and "[2J" in said


def crafted(event: list[object], commands: object, end: str = "complete", bundle: str = "duet") -> bytes:
    """A log with one record, written by somebody else."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    content = MAGIC
    head = TypeAdapter(Header).dump_python(header(solo_plan())._replace(bundle=bundle), mode="json")
    for payload in (head, [event, commands], {"end": end, "records": 1}):
        packed = packer.compress(json.dumps(payload).encode()) + packer.flush(zlib.Z_SYNC_FLUSH)
        content += struct.pack("<II", len(packed), zlib.crc32(packed)) + packed
    return content


def test_a_log_never_grows_beyond_its_limit(tmp_path: Path) -> None:
    plan = dual_plan()
    with LogWriter(tmp_path / "a.log", header(plan), limit_bytes=8000) as log:
        Play(plan, [log], tasks=["push"] * 5).run()
    assert log.problem == "the limit of its size was reached"
    found = replay(tmp_path / "a.log")
    assert (tmp_path / "a.log").stat().st_size <= 8000
    assert (found.end, found.events, found.difference) == (log.problem, log.records, None)


@contextmanager
def no_file_larger_than(limit_bytes: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    kept = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, kept)


def test_a_full_disk_ends_the_log_and_not_the_run(tmp_path: Path) -> None:
    plan = dual_plan()
    with no_file_larger_than(6000), LogWriter(tmp_path / "a.log", header(plan)) as log:
        outcome = Play(plan, [log], tasks=["push"] * 5).run()
    assert outcome.episodes and len(outcome.episodes) == 5
    assert log.problem == "File too large"
    found = replay(tmp_path / "a.log")
    assert found.end == "cut off" and found.events > 50 and found.difference is None


@contextmanager
def stalled(path: Path) -> Iterator[int]:
    """A FIFO of 4 KiB that nobody empties, as a disk that hangs; what it is emptied by."""
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 4096)
        os.set_blocking(reader, True)
        yield reader
    finally:
        os.close(reader)


def test_a_disk_that_hangs_ends_the_log_and_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eventlog, "MAX_WAITING", 3)
    monkeypatch.setattr(eventlog, "CLOSE_S", 0.1)
    noise = random.Random(7).randbytes(16_384).hex()
    with stalled(tmp_path / "fifo") as reader:
        log = LogWriter(tmp_path / "fifo", header(solo_plan()))
        written = os.read(reader, 4096)
        log.step(Stop(1, noise), [])
        written += os.read(reader, 1)  # the first of its bytes: now the thread stands in the midst of them
        for now_ns in range(2, 20):
            log.step(Wake(now_ns), [])
        assert len(log._waiting) <= 3
        assert log.problem == "the disk is too slow: 3 records waited"
        log.close()
        assert log.problem == "the disk hangs: the last records were not written within 0.1 s"
        with open(reader, "rb", closefd=False) as file:
            written += file.read()  # to the end: the thread has closed it
    (tmp_path / "a.log").write_bytes(written)
    found = read_log(tmp_path / "a.log")
    assert ([event for event, _ in found], found.end, log.records) == ([Stop(1, noise)], log.problem, 1)


def test_virtual_time_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("MAX_WAITING", "MAX_WAITED_FOR"):
        monkeypatch.setattr(eventlog, limit, 3)
    monkeypatch.setattr(eventlog, "INTERVAL_S", 0.001)
    with LogWriter(tmp_path / "a.log", header(solo_plan()), patient=True) as log:
        for now_ns in range(50):
            log.step(Wake(now_ns), [])
    assert log.problem is None and log.records == 50


def test_whatever_goes_wrong_in_the_writing_is_told(tmp_path: Path) -> None:
    with LogWriter(tmp_path / "a.log", header(solo_plan())) as log:
        log.step(Wake(1), [])
        log.step(Wake(object()), [])  # type: ignore[arg-type]
    assert log.problem == "TypeError: a object has no place in a log"
    found = read_log(tmp_path / "a.log")
    assert ([event for event, _ in found], found.end) == ([Wake(1)], "cut off")


def test_no_room_for_a_beginning_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left"):
        LogWriter(Path("/dev/full"), header(solo_plan()))
    with pytest.raises(ValueError, match="no room for its header"):
        LogWriter(tmp_path / "a.log", header(solo_plan()), limit_bytes=100)


def test_what_is_no_log_is_told(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    record(tmp_path / "log", solo_plan(), tasks=[], until_ms=40)
    whole = (tmp_path / "log").read_bytes()
    cases = {
        "empty": b"",
        "a pickle": b"\x80\x04\x95\x10\x00\x00\x00",
        "another version": MAGIC[:-1] + b"\x09" + whole[8:],
        "only the beginning": whole[:30],
        "a length of 4 GB": MAGIC + b"\xff" * 8 + b"x" * 100,
    }
    said = {}
    for name, content in cases.items():
        (tmp_path / "b.log").write_bytes(content)
        with pytest.raises(LogError) as raised:
            replay(tmp_path / "b.log")
        said[name] = str(raised.value).replace(str(tmp_path), "")
    assert said == snapshot


def frame(content: bytes, length: int | None = None) -> bytes:
    """A frame as a log has it; `length`: what it says of itself."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush(zlib.Z_SYNC_FLUSH)
    return struct.pack("<II", len(packed) if length is None else length, zlib.crc32(packed)) + packed


class Opened:
    """Unpickled, it makes a file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.file,)


@pytest.mark.parametrize("what", ["pickle", "pickle in a frame", "4 GB", "NaN", "wrong type", "a bomb"])
def test_case_6_what_comes_from_elsewhere_is_checked_in_bounded_memory(what: str, tmp_path: Path) -> None:
    """A log may come from another machine: nothing of it is run, and no length in it is believed."""
    touched = tmp_path / "touched"
    junk = pickle.dumps(Opened(touched))
    contents = {
        "pickle": junk,
        "pickle in a frame": MAGIC + frame(junk),
        "4 GB": MAGIC + frame(b"{}", 0xFFFFFFFF),
        "a bomb": MAGIC + frame(bytes(256 << 20)),
    }
    file = tmp_path / "a.log"
    if what in contents:
        file.write_bytes(contents[what])
    else:
        with LogWriter(file, header(solo_plan())) as log:
            log.step(Wake(float("nan") if what == "NaN" else [1.0]), [])  # type: ignore[arg-type]
    tracemalloc.start()
    try:
        with pytest.raises(LogError):
            replay(file)
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()
    assert not touched.exists()


def test_a_record_that_this_version_does_not_know_is_told(tmp_path: Path) -> None:
    class Later(Wake):
        pass

    with LogWriter(tmp_path / "a.log", header(solo_plan())) as log:
        log.step(Wake(1), [])
        log.step(Later(2), [])
    with pytest.raises(LogError, match=r"record 1 makes no sense.*'Later'.*made by polyrhythm 9\.9\.9"):
        replay(tmp_path / "a.log")


def test_a_record_that_contradicts_itself_is_a_difference(tmp_path: Path) -> None:
    with LogWriter(tmp_path / "a.log", header(solo_plan())) as log:
        log.step(Wake(5), [])
        log.step(Stop(1, "back in time"), [])
    found = replay(tmp_path / "a.log")
    assert found.difference is not None
    assert found.difference.after == [
        'InvariantError("time ran backwards: ' + f'{Stop(1, "back in time")} after 5")'
    ]


def test_reading_gives_the_header_before_the_records(tmp_path: Path) -> None:
    played = play()
    with LogWriter(tmp_path / "a.log", header(played.info.schedule, PlayerPlan(2, 3))) as log:
        log.step(Wake(1), [])
    found = read_log(tmp_path / "a.log")
    assert found.header == header(played.info.schedule, PlayerPlan(2, 3))
    assert (list(found), found.end) == ([(Wake(1), b"[]")], "complete")


def write(path: Path, plan: SchedulePlan, events: Sequence[Event] = (Wake(1),)) -> None:
    """A log of events that nothing answered."""
    with LogWriter(path, header(plan)) as log:
        for event in events:
            log.step(event, [])


def test_a_log_takes_its_place_with_the_first_event(tmp_path: Path) -> None:
    """Until then nobody knows whether there will be a run."""
    path = tmp_path / "a.log"
    path.write_bytes(b"the log of before")
    with LogWriter(path, header(solo_plan())) as log:
        pass
    assert (path.read_bytes(), log.records, list(tmp_path.iterdir())) == (b"the log of before", 0, [path])
    with pytest.raises(KeyError), LogWriter(path, header(solo_plan())):
        raise KeyError("no such task")
    assert path.read_bytes() == b"the log of before" and list(tmp_path.iterdir()) == [path]
    flushed = threading.Event()
    with LogWriter(path, header(solo_plan())) as log:
        log._file = Flushed(log._file, flushed)  # type: ignore[assignment]
        log.step(Wake(1), [])
        assert flushed.wait(30)
        assert [event for event, _ in read_log(path)] == [Wake(1)], "while it is being written"
    assert replay(path).end == "complete" and list(tmp_path.iterdir()) == [path]


class Flushed:
    """A file that says when it was flushed with a record in it."""

    def __init__(self, file: BinaryIO, flushed: threading.Event) -> None:
        self._file, self._flushed, self._written = file, flushed, False

    def write(self, content: bytes) -> int:
        self._written = True
        return self._file.write(content)

    def flush(self) -> None:
        self._file.flush()
        if self._written:
            self._flushed.set()

    def close(self) -> None:
        self._file.close()


def test_a_run_that_fails_leaves_a_log_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), LogWriter(tmp_path / "a.log", header(solo_plan())) as log:
        log.step(Wake(1), [])
        raise ZeroDivisionError
    assert log.problem == "the run ended with ZeroDivisionError"
    found = replay(tmp_path / "a.log")
    assert (found.events, found.end) == (1, log.problem)
