"""Writes a trace that opens in https://ui.perfetto.dev, in Perfetto's own format.

Tracks: a process for the devices (one track a queue, stages as slices), one for the modules (jobs from
release to finish, drops as instants, arrows from the job that made a tensor to the jobs that read it), one
for the robot (episodes, control ticks, observations) and counters (link ages in nanoseconds, telemetry,
tokens and pages of paged KV and how often it was full).
Timestamps are the run's own, exact to the nanosecond. A step of a flow says how many its chunk gets; the
first stage of a chunk says what it is joined to: delay, start tick and cursor, in control ticks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from polyrhythm.bundle.atomic import replacing
from polyrhythm.observe.files import need
from polyrhythm.observe.info import RunInfo
from polyrhythm.observe.recorder import Record
from polyrhythm.observe.stats import CONTROL
from polyrhythm.observe.story import (
    Age,
    Answer,
    Deferred,
    Dropped,
    Episode,
    JobRun,
    Look,
    Mark,
    StageRun,
    tell,
)
from polyrhythm.runtime.listener import EpisodeBegan, Grown, Moved
from polyrhythm.schedule.playback import Splice

_SEQUENCE = 1
_EXTRA = "observe"
#: The processes under which tracks stand, in this order.
DEVICES, MODULES, ROBOT, LINKS, TELEMETRY = "devices", "modules", "robot", "link ages", "telemetry"
_PROCESSES = (MODULES, DEVICES, ROBOT, LINKS, TELEMETRY)


def write_trace(path: Path | str, info: RunInfo, records: Iterable[Record]) -> int:
    """Write the trace of a recorded stream to `path`, packet by packet; returns the number of packets.

    Raises:
        MissingExtraError: the package `perfetto` isn't installed.
    """
    builder = need("perfetto.trace_builder.proto_builder", _EXTRA, "a Perfetto trace")
    protos = need("perfetto.protos.perfetto.trace.perfetto_trace_pb2", _EXTRA, "a Perfetto trace")
    with replacing(path) as file:
        trace = _Trace(protos, builder.StreamingTraceProtoBuilder(file), info)
        for item in tell(info.schedule, records):
            trace.add(item)
        return trace.packets


class _Trace:
    def __init__(self, protos: Any, builder: Any, info: RunInfo) -> None:
        self.packets = 0
        self._protos = protos
        self._builder = builder
        self._event = protos.TrackEvent
        self._uuids: dict[tuple[str, ...], int] = {}
        self._busy_ns: dict[str, list[int]] = {}  # module -> when each of its lanes is free
        self._flows: dict[tuple[int, str], int] = {}  # (context, port) -> the upper part of its arrows' ids
        self._add: dict[type, Callable[[Any], None]] = {
            StageRun: self._stage, JobRun: self._job, Age: self._age, Dropped: self._dropped,
            Answer: self._answer, Look: self._look, Episode: self._episode, Mark: self._mark,
            Moved: self._moved, Grown: self._grown, Deferred: self._deferred,
            EpisodeBegan: lambda began: None,  # it is drawn when it is over
        }  # fmt: skip
        for pid, process in enumerate(_PROCESSES, start=1):
            self._process(process, pid, f"{info.name}: {process}")

    def add(self, item: object) -> None:
        """Write the packets of one item."""
        self._add[type(item)](item)

    # -- items --------------------------------------------------------------------------------------------

    def _stage(self, item: StageRun) -> None:
        queue = item.device if item.lane == 0 else f"{item.device} (queue {item.lane + 1})"
        args: dict[str, object] = {"tick": item.tick}
        args |= {f"age of {name} (ns)": age_ns for name, age_ns in item.ages_ns}
        if item.step is not None:
            args["step"], args["steps"] = item.step
        args |= _spliced(item.splice)
        if item.error is not None:
            args["error"] = item.error
        self._slice(
            self._track(DEVICES, queue), item.start_ns, item.end_ns, f"{item.module}.{item.name}", args
        )

    def _job(self, item: JobRun) -> None:
        # Jobs of a module may overlap (the next is released while one runs): each lane holds a clean row.
        lanes = self._busy_ns.setdefault(item.module, [])
        lane = next((i for i, free_ns in enumerate(lanes) if free_ns <= item.release_ns), len(lanes))
        lanes[lane : lane + 1] = [item.end_ns]
        args: dict[str, object] = {
            "tick": item.tick,
            "response_ns": item.end_ns - item.release_ns,
            "waited_ns": item.launch_ns - item.release_ns,
            "deadline_ns": item.deadline_ns - item.release_ns,
            "late_ns": item.late_ns,
            "reads": ", ".join(f"{port} #{seq}" for port, seq in item.reads),
            "steps": item.steps,
        } | _spliced(item.splice)
        name = f"{item.module} LATE" if item.late_ns else item.module
        flows = [self._flow(item.context, port, seq) for port, seq in (*item.reads, *item.writes)]
        track = self._track(MODULES, item.module, str(lane), name=item.module)
        self._slice(track, item.release_ns, item.end_ns, name, args, flows)

    def _age(self, item: Age) -> None:
        self._count(self._counter(LINKS, item.link, nanoseconds=True), item.at_ns, item.age_ns)

    def _dropped(self, item: Dropped) -> None:
        # Ports have a dot in their names, modules have none.
        process = ROBOT if item.what == CONTROL or "." in item.what else MODULES
        args = {"times": item.times, "detail": item.detail}
        self._instant(self._track(process, f"{item.what}: drops"), item.at_ns, f"drop: {item.reason}", args)

    def _deferred(self, item: Deferred) -> None:
        track = self._track(MODULES, f"{item.module}: budget")
        self._instant(track, item.at_ns, f"deferred: {item.name}", {"tick": item.tick})

    def _answer(self, item: Answer) -> None:
        args: dict[str, object] = {"tick": item.tick}
        if item.held is None:
            args |= {"row": item.row, "chunk": item.seq}
        name = "act" if item.held is None else f"hold: {item.held}"
        self._slice(self._track(ROBOT, CONTROL), item.start_ns, item.end_ns, name, args)

    def _look(self, item: Look) -> None:
        self._slice(self._track(ROBOT, item.port), item.start_ns, item.end_ns, item.port, {})

    def _episode(self, item: Episode) -> None:
        args: dict[str, object] = {"number": item.began.number, "seed": item.began.seed}
        if item.over is not None:
            args |= {"success": item.over.success, "ticks": item.over.ticks, "held": item.over.held}
        self._slice(self._track(ROBOT, "episodes"), item.began.now_ns, item.end_ns, item.began.task, args)

    def _mark(self, item: Mark) -> None:
        self._instant(self._track(ROBOT, "marks"), item.at_ns, f"{item.what}: {item.text}", {})

    def _moved(self, item: Moved) -> None:
        for name, value in item.telemetry.items():
            packet = self._packet(item.now_ns, self._counter(TELEMETRY, name), self._event.TYPE_COUNTER)
            packet.track_event.double_counter_value = value
            self._write(packet)

    def _grown(self, item: Grown) -> None:
        for what, value in (("tokens", item.tokens), ("pages", item.pages), ("full", item.full)):
            self._count(self._counter(MODULES, f"{item.module}: KV {what}"), item.now_ns, value)

    # -- packets ------------------------------------------------------------------------------------------

    def _slice(
        self,
        track: int,
        start_ns: int,
        end_ns: int,
        name: str,
        args: Mapping[str, object],
        flows: Iterable[int] = (),
    ) -> None:
        packet = self._packet(start_ns, track, self._event.TYPE_SLICE_BEGIN)
        packet.track_event.name = name
        packet.track_event.flow_ids.extend(flows)
        self._annotate(packet, args)
        self._write(packet)
        self._write(self._packet(end_ns, track, self._event.TYPE_SLICE_END))

    def _instant(self, track: int, at_ns: int, name: str, args: Mapping[str, object]) -> None:
        packet = self._packet(at_ns, track, self._event.TYPE_INSTANT)
        packet.track_event.name = name
        self._annotate(packet, args)
        self._write(packet)

    def _count(self, counter: int, at_ns: int, value: int) -> None:
        packet = self._packet(at_ns, counter, self._event.TYPE_COUNTER)
        packet.track_event.counter_value = value
        self._write(packet)

    def _annotate(self, packet: Any, args: Mapping[str, object]) -> None:
        for name, value in args.items():
            if value is None or value == "":
                continue
            note = packet.track_event.debug_annotations.add(name=name)
            if isinstance(value, bool):
                note.bool_value = value
            elif isinstance(value, int):
                note.int_value = value
            else:
                note.string_value = str(value)

    def _flow(self, context: int, port: str, seq: int) -> int:
        """One arrow for each version of a port of a context."""
        return (self._flows.setdefault((context, port), len(self._flows)) + 1 << 40) + seq

    def _packet(self, at_ns: int, track: int, kind: int) -> Any:
        packet = self._builder.create_packet()
        packet.timestamp = at_ns
        packet.track_event.type = kind
        packet.track_event.track_uuid = track
        return packet

    def _write(self, packet: Any) -> None:
        packet.trusted_packet_sequence_id = _SEQUENCE
        if not self.packets:
            packet.sequence_flags = self._protos.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
        self.packets += 1
        self._builder.write_packet(packet)

    # -- tracks -------------------------------------------------------------------------------------------

    def _process(self, process: str, pid: int, name: str) -> None:
        packet = self._builder.create_packet()
        packet.track_descriptor.uuid = self._uuids[process,] = len(self._uuids) + 1
        packet.track_descriptor.process.pid = pid
        packet.track_descriptor.process.process_name = name
        self._write(packet)

    def _track(self, process: str, *key: str, name: str = "") -> int:
        known = self._uuids.get((process, *key))
        return known if known is not None else self._describe(process, key, name or key[0])

    def _counter(self, process: str, name: str, *, nanoseconds: bool = False) -> int:
        known = self._uuids.get((process, name))
        if known is not None:
            return known
        return self._describe(process, (name,), name, counter=True, nanoseconds=nanoseconds)

    def _describe(
        self,
        process: str,
        key: tuple[str, ...],
        name: str,
        *,
        counter: bool = False,
        nanoseconds: bool = False,
    ) -> int:
        packet = self._builder.create_packet()
        described = packet.track_descriptor
        described.uuid = self._uuids[process, *key] = len(self._uuids) + 1
        described.parent_uuid = self._uuids[process,]
        described.name = name
        if counter:
            described.counter.SetInParent()
        if nanoseconds:
            described.counter.unit = self._protos.CounterDescriptor.UNIT_TIME_NS
        self._write(packet)
        return int(described.uuid)


def _spliced(splice: Splice | None) -> dict[str, object]:
    """What a chunk was to be joined to when the making of it began, in control ticks."""
    if splice is None:
        return {}
    return {
        "start_tick": splice.start_tick, "cursor": splice.cursor, "delay": splice.delay, "left": splice.left,
    }  # fmt: skip
