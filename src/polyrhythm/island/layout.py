"""What lies where in the island's shared memory: the one definition that Python and C share.

Every field is eight bytes wide and arrays have a fixed length, so a record has no padding and the NumPy type
and the C struct agree by construction; `c_header` writes the latter. The file is ``header``, then the records
in the order of `PLACES`, each at a multiple of 64 bytes.

A *message* (`MESSAGES`) begins with ``seq`` and ends with ``check`` and ``last``: the writer counts ``seq``
up, writes the rest, and ends with ``last = seq``. A reader takes it only if the two are equal and ``check``
is the CRC-32 of everything between; else it keeps what it had. Times are integers of nanoseconds of the
monotonic clock, which all processes of a machine share.
"""

from __future__ import annotations

import zlib
from types import MappingProxyType

import numpy as np

from polyrhythm.manifest.island import MAX_JOINTS, MAX_SENSORS

MAX_PATH_BYTES, MAX_ENTRY_BYTES, DIGEST_BYTES = 512, 128, 64
#: Bins of a histogram of times, see `bin_edges_ns`.
BINS, SUB_BINS = 512, 16
MAGIC = 0x31444E414C534952  # "RISLAND1", little endian

#: The steps of the ladder, in order.
RUNGS = ("use", "extrapolate", "decelerate", "hold", "stop")
#: Why a message was not taken, by what it says. `torn`: half written, or its checksum is wrong.
REFUSALS = ("torn", "not_finite", "from_the_future", "out_of_order")
#: What the limits have changed. `overspeed`, `end_stop`: torque taken away from a joint that is too fast, or
#: beyond its limit.
LIMITS = ("position", "velocity", "torque", "torque_rate", "overspeed", "end_stop")
#: What the process could not have. The bits of `Counts.lost`, lowest first.
RIGHTS = ("fifo", "memory_lock", "core", "second", "second_fifo")
#: A policy's part of the period that has no end, for who measures what it takes.
NO_END_NS = 1 << 50
#: Bytes of the file that are locked by whoever plays, and by whoever sends targets.
ISLAND_LOCK, WRITER_LOCK = 0, 1
#: Motors get no torque from a command that is older than so many periods: its island counts as dead.
DEAD_PERIODS = 2
#: Bits of `Command.flags`.
BLIND, LIMP = 1, 2
#: Bits of `State.flags`.
ISLAND_DEAD, FALLEN = 1, 2

_J, _S = MAX_JOINTS, MAX_SENSORS
Fields = tuple[tuple[str, str, int], ...]

RECORDS: MappingProxyType[str, Fields] = MappingProxyType(
    {
        "header": (("magic", "u64", 1), ("layout", "u64", 1), ("bytes", "u64", 1)),
        "config": (
            ("joints", "u64", 1),
            ("sensors", "u64", 1),
            ("period_ns", "i64", 1),
            ("extrapolate_ns", "i64", 1),
            ("decelerate_ns", "i64", 1),
            ("hold_ns", "i64", 1),
            ("stop_ns", "i64", 1),
            ("blind_ns", "i64", 1),
            ("core", "i64", 1),
            ("priority", "i64", 1),
            ("position_low", "f64", _J),
            ("position_high", "f64", _J),
            ("velocity", "f64", _J),
            ("torque", "f64", _J),
            ("torque_rate", "f64", _J),
            ("kp", "f64", _J),
            ("kd", "f64", _J),
            ("network", "bytes", MAX_PATH_BYTES),
            ("policy_plan", "bytes", MAX_PATH_BYTES),
            ("policy_library", "bytes", MAX_PATH_BYTES),
            ("policy_entry", "bytes", MAX_ENTRY_BYTES),
            ("policy_budget_ns", "i64", 1),
            ("policy_second", "i64", 1),
            ("made_from", "bytes", DIGEST_BYTES),
            ("ends_with", "u64", 1),
            ("check", "u64", 1),
        ),
        "control": (("stop", "u64", 1),),
        "writer": (("pid", "u64", 1),),
        "request": (
            ("seq", "u64", 1),
            ("stamp_ns", "i64", 1),
            ("seed", "u64", 1),
            ("task", "u64", 1),
            ("check", "u64", 1),
            ("last", "u64", 1),
        ),
        "target": (
            ("seq", "u64", 1),
            ("stamp_ns", "i64", 1),
            ("writer", "u64", 1),
            ("position", "f64", _J),
            ("velocity", "f64", _J),
            ("check", "u64", 1),
            ("last", "u64", 1),
        ),
        "state": (
            ("seq", "u64", 1),
            ("stamp_ns", "i64", 1),
            ("flags", "u64", 1),
            ("answered", "u64", 1),
            ("position", "f64", _J),
            ("velocity", "f64", _J),
            ("sensors", "f64", _S),
            ("check", "u64", 1),
            ("last", "u64", 1),
        ),
        "command": (
            ("seq", "u64", 1),
            ("stamp_ns", "i64", 1),
            ("rung", "u64", 1),
            ("flags", "u64", 1),
            ("position", "f64", _J),
            ("velocity", "f64", _J),
            ("torque", "f64", _J),
            ("check", "u64", 1),
            ("last", "u64", 1),
        ),
        "counts": (
            ("heartbeat", "u64", 1),
            ("heartbeat_ns", "i64", 1),
            ("pid", "u64", 1),
            ("started_ns", "i64", 1),
            ("lost", "u64", 1),
            ("missed", "u64", 1),
            ("rung", "u64", 1),
            ("rung_entered", "u64", len(RUNGS)),
            ("rung_periods", "u64", len(RUNGS)),
            ("targets", "u64", 1),
            ("target_refused", "u64", len(REFUSALS)),
            ("states", "u64", 1),
            ("state_refused", "u64", len(REFUSALS)),
            ("blind_periods", "u64", 1),
            ("blind_entered", "u64", 1),
            ("limited", "u64", len(LIMITS)),
            ("not_finite", "u64", 1),
            ("policy_runs", "u64", 1),
            ("policy_late", "u64", 1),
            ("policy_dropped", "u64", 1),
            ("second_taken", "u64", 1),
            ("second_left", "u64", 1),
            ("writers", "u64", 1),
            ("ports_lost", "u64", 1),
            ("wake_max_ns", "u64", 1),
            ("execution_max_ns", "u64", 1),
            ("response_max_ns", "u64", 1),
            ("age_max_ns", "u64", 1),
            ("wake", "u64", BINS),
            ("execution", "u64", BINS),
            ("response", "u64", BINS),
            ("age", "u64", BINS),
        ),
    }
)
MESSAGES = ("request", "target", "state", "command")

_NUMPY = {"u64": "<u8", "i64": "<i8", "f64": "<f8"}
_C = {"u64": "uint64_t", "i64": "int64_t", "f64": "double"}


def _dtype(fields: Fields) -> np.dtype:
    return np.dtype(
        [
            (name, f"S{count}")
            if kind == "bytes"
            else (name, _NUMPY[kind])
            if count == 1
            else (name, _NUMPY[kind], (count,))
            for name, kind, count in fields
        ]
    )


#: The NumPy type of every record.
DTYPES: MappingProxyType[str, np.dtype] = MappingProxyType({n: _dtype(f) for n, f in RECORDS.items()})


def _places() -> dict[str, int]:
    at, places = 0, {}
    for name, dtype in DTYPES.items():
        places[name] = at
        at += -(-dtype.itemsize // 64) * 64
    return places | {"end": at}


#: Where each record begins; ``end`` is the size of the file in bytes.
PLACES: MappingProxyType[str, int] = MappingProxyType(_places())
FILE_BYTES = PLACES["end"]


def c_header() -> str:
    """The same as C."""
    lines = [
        "/* Made from layout.py. */",
        "#ifndef PR_LAYOUT_H",
        "#define PR_LAYOUT_H",
        "#include <stdint.h>",
    ]
    constants = {
        "PR_MAGIC": f"{MAGIC}ull", "PR_FILE_BYTES": FILE_BYTES, "PR_JOINTS": _J, "PR_SENSORS": _S,
        "PR_BINS": BINS, "PR_SUB_BINS": SUB_BINS, "PR_BLIND": BLIND, "PR_LIMP": LIMP,
        "PR_NO_END_NS": NO_END_NS, "PR_ISLAND_LOCK": ISLAND_LOCK, "PR_WRITER_LOCK": WRITER_LOCK,
        "PR_DEAD_PERIODS": DEAD_PERIODS,
    }  # fmt: skip
    for prefix, names in (("RUNG", RUNGS), ("REFUSED", REFUSALS), ("LIMIT", LIMITS), ("LOST", RIGHTS)):
        constants |= {f"PR_{prefix}_{name.upper()}": index for index, name in enumerate(names)}
    lines += [f"#define {name} {value}" for name, value in constants.items()]
    for record, fields in RECORDS.items():
        lines.append("typedef struct {")
        for name, kind, count in fields:
            size = f"[{count}]" if count > 1 else ""
            lines.append(f"  {'char' if kind == 'bytes' else _C[kind]} {name}{size};")
        lines.append(f"}} pr_{record};")
        lines.append(f"#define PR_AT_{record.upper()} {PLACES[record]}")
        lines.append(f'_Static_assert(sizeof(pr_{record}) == {DTYPES[record].itemsize}, "{record}");')
    return "\n".join([*lines, "#endif", ""])


def layout_digest() -> int:
    """A number that two sides share only if they mean the same layout."""
    return zlib.crc32(c_header().encode())


def bin_edges_ns() -> np.ndarray:
    """Lower edges of the bins, i64 ``[BINS + 1]``: one bin a nanosecond, then 16 to each doubling."""
    index = np.arange(BINS + 1)
    octave, part = index // SUB_BINS, index % SUB_BINS
    return np.where(octave == 0, part, (SUB_BINS + part) * 2.0 ** np.maximum(octave - 1, 0)).astype(np.int64)
