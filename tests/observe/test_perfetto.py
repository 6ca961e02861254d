from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from polyrhythm.observe import MissingExtraError, RunInfo, write_trace
from polyrhythm.observe.recorder import is_step
from polyrhythm.observe.story import Age, Answer, Dropped, Episode, JobRun, StageRun, tell
from polyrhythm.runtime.listener import Moved
from polyrhythm.schedule.events import Finish, Launch
from tests.observe.conftest import Played, play
from tests.observe.harness import flow_plan
from tests.observe.test_contexts import cut, swapped

pytest.importorskip("perfetto")
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent


class Parsed:
    """A trace read back: slices, instants and counter values by the names of process and track."""

    def __init__(self, path: Path) -> None:
        self.trace = Trace()
        self.trace.ParseFromString(path.read_bytes())
        self.slices: dict[tuple[str, str], list[tuple[int, int, str, dict[str, Any]]]] = defaultdict(list)
        self.instants: dict[tuple[str, str], list[tuple[int, str, dict[str, Any]]]] = defaultdict(list)
        self.values: dict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
        self.flows: list[int] = []
        names: dict[int, tuple[str, str]] = {}
        stacks: dict[int, list[Any]] = defaultdict(list)
        for packet in self.trace.packet:
            if packet.HasField("track_descriptor"):
                track = packet.track_descriptor
                assert track.uuid not in names
                process = track.process.process_name.partition(": ")[2]
                names[track.uuid] = (process, "") if process else (names[track.parent_uuid][0], track.name)
            else:
                self._event(packet, names[packet.track_event.track_uuid], stacks)
        assert not any(stacks.values())

    def _event(self, packet: Any, track: tuple[str, str], stacks: dict[int, list[Any]]) -> None:
        event = packet.track_event
        args = {a.name: getattr(a, a.WhichOneof("value")) for a in event.debug_annotations}
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            stacks[event.track_uuid].append((packet.timestamp, event.name, args))
            self.flows += event.flow_ids
        elif event.type == TrackEvent.TYPE_SLICE_END:
            start_ns, name, args = stacks[event.track_uuid].pop()
            assert packet.timestamp >= start_ns
            self.slices[track].append((start_ns, packet.timestamp, name, args))
        elif event.type == TrackEvent.TYPE_INSTANT:
            self.instants[track].append((packet.timestamp, event.name, args))
        else:
            field = "counter_value" if event.HasField("counter_value") else "double_counter_value"
            self.values[track].append((packet.timestamp, getattr(event, field)))


@pytest.fixture(scope="module")
def parsed(played: Played, tmp_path_factory: pytest.TempPathFactory) -> Parsed:
    path = tmp_path_factory.mktemp("trace") / "deep" / "run.pftrace"
    packets = write_trace(path, played.info, played.recorder)
    found = Parsed(path)
    assert len(found.trace.packet) == packets
    return found


def items(played: Played, kind: type) -> list[Any]:
    return [item for item in tell(played.info.schedule, played.recorder) if isinstance(item, kind)]


def test_stages_are_slices_of_their_device_to_the_nanosecond(played: Played, parsed: Parsed) -> None:
    stages = items(played, StageRun)
    assert [slice_[:3] for slice_ in parsed.slices["devices", "cpu"]] == [
        (s.start_ns, s.end_ns, f"{s.module}.{s.name}") for s in stages
    ]
    first = parsed.slices["devices", "cpu"][0][3]
    assert first == {"tick": 0, "age of depth (ns)": 0} | {k: first[k] for k in first if k.startswith("age")}
    assert any(args.get("error") == "NaN in hidden" for *_, args in parsed.slices["devices", "cpu"])


def test_steps_and_delay_of_every_chunk_can_be_read(tmp_path: Path) -> None:
    flow = play(flow_plan())
    write_trace(tmp_path / "t", flow.info, flow.recorder)
    parsed = Parsed(tmp_path / "t")
    commands = [command for _, commands in filter(is_step, flow.recorder) for command in commands]
    launches = [c for c in commands if isinstance(c, Launch) and c.module == "dit"]
    taken = {c.job: 5 - c.skipped for c in launches if c.stage}
    splices = {c.job: c.splice for c in launches if c.splice is not None}
    assert len(set(taken.values())) > 1
    slices = [s for s in parsed.slices["devices", "cpu"] if s[2].startswith("dit.")]
    starts = [args for _, _, name, args in slices if name == "dit.start"]
    assert [(a["start_tick"], a["cursor"], a["delay"], a["left"]) for a in starts] == [
        (s.start_tick, s.cursor, s.delay, s.left) for s in splices.values()
    ]
    steps = [(name, args["step"], args["steps"]) for _, _, name, args in slices if "step" in args]
    assert steps == [
        (f"dit.step.{number}", number, taken[job]) for job in splices for number in range(1, taken[job] + 1)
    ]
    jobs = [(args["steps"], args["delay"]) for *_, args in parsed.slices["modules", "dit"]]
    finished = [c.job for c in commands if isinstance(c, Finish) and c.module == "dit"]
    assert jobs == [(taken[job], splices[job].delay) for job in finished]


def test_jobs_are_slices_of_their_module(played: Played, parsed: Parsed) -> None:
    for module in ("vlm", "dit"):
        jobs = [job for job in items(played, JobRun) if job.module == module]
        assert [slice_[:2] for slice_ in parsed.slices["modules", module]] == [
            (job.release_ns, job.end_ns) for job in jobs
        ]
        args = parsed.slices["modules", module][-1][3]
        assert args["response_ns"] == jobs[-1].end_ns - jobs[-1].release_ns
        assert args["tick"] == jobs[-1].tick


def test_every_version_that_was_read_has_an_arrow(played: Played, parsed: Parsed) -> None:
    jobs = items(played, JobRun)
    ends = [version for job in jobs for version in (*job.reads, *job.writes)]
    assert len(parsed.flows) == len(ends)
    assert len(set(parsed.flows)) == len(set(ends))


def test_no_arrow_joins_jobs_of_two_contexts(tmp_path: Path) -> None:
    """Each counts its versions from 0; the ports have the same names."""
    _, plan = cut()
    steps = [(step.event, step.commands) for step in swapped(plan, plan).log]
    info = RunInfo("duet", plan, lockstep=True, digest="", manifest="", machine={})
    write_trace(tmp_path / "t", info, steps)
    jobs = [item for item in tell(plan, steps) if isinstance(item, JobRun)]
    ends = [(job.context, *version) for job in jobs for version in (*job.reads, *job.writes)]
    assert {context for context, *_ in ends} == {0, 1}
    arrows = defaultdict(set)
    for flow, end in zip(Parsed(tmp_path / "t").flows, ends, strict=True):
        arrows[flow].add(end)
    assert all(len(joined) == 1 for joined in arrows.values())


def test_link_ages_are_counters_in_nanoseconds(played: Played, parsed: Parsed) -> None:
    ages = items(played, Age)
    for link in {age.link for age in ages}:
        assert parsed.values["link ages", link] == [(a.at_ns, a.age_ns) for a in ages if a.link == link]


def test_the_robot_has_episodes_ticks_drops_and_telemetry(played: Played, parsed: Parsed) -> None:
    assert [s[2] for s in parsed.slices["robot", "episodes"]] == ["push", "open"]
    assert [s[3]["success"] for s in parsed.slices["robot", "episodes"]] == [True, False]
    assert [s[0] for s in parsed.slices["robot", "episodes"]] == [
        e.began.now_ns for e in items(played, Episode)
    ]
    answers = items(played, Answer)
    assert [(s[0], s[1], s[3]["tick"]) for s in parsed.slices["robot", "control"]] == [
        (a.start_ns, a.end_ns, a.tick) for a in answers
    ]
    assert parsed.slices["robot", "control"][0][2] == "hold: no_action"
    drops = [d for d in items(played, Dropped) if d.what == "dit"]
    assert [(at, name) for at, name, _ in parsed.instants["modules", "dit: drops"]] == [
        (d.at_ns, f"drop: {d.reason}") for d in drops
    ]
    moved = items(played, Moved)
    assert parsed.values["telemetry", "hand_x"] == [(m.now_ns, m.telemetry["hand_x"]) for m in moved]


def test_monotonic_times_of_a_machine_that_is_up_for_a_year_stay_exact(tmp_path: Path) -> None:
    start_ns = 31_536_000_123_456_789
    late = play(start_ns=start_ns, tasks=["push"], ticks=20)
    write_trace(tmp_path / "t", late.info, late.recorder)
    assert Parsed(tmp_path / "t").slices["robot", "episodes"][0][0] == start_ns + 2_000_000


def test_a_write_that_fails_leaves_the_old_file(played: Played, tmp_path: Path) -> None:
    path = tmp_path / "run.pftrace"
    path.write_bytes(b"old")
    with pytest.raises(AttributeError):
        write_trace(path, played.info, [*played.recorder, (None, None)])  # type: ignore[list-item]
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["run.pftrace"]


def test_a_missing_package_is_named_with_the_command_that_installs_it(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "perfetto"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'polyrhythm\[observe\]'"):
        write_trace(tmp_path / "t", played.info, played.recorder)
    assert list(tmp_path.iterdir()) == []
