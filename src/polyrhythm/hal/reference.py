"""The page of drivers as Markdown, made from what they declare.

python -m polyrhythm.hal.reference > docs/reference/drivers.md
"""

from __future__ import annotations

import sys
from dataclasses import fields
from importlib import import_module
from pkgutil import iter_modules

from polyrhythm.hal import drivers
from polyrhythm.hal.api import Capabilities, Driver

_HEAD = """\
# Drivers

<!-- Made from what the drivers declare by `python -m polyrhythm.hal.reference`; do not edit by hand. -->

A device of the manifest has a driver. Each passes the conformance suite (`polyrhythm.hal.conformance`), but
for what it says here that it can't do; `polyrhythm doctor` tells which of them work on a machine. Third
parties [add theirs](../howto/write-a-driver.md) through the entry-point group `polyrhythm.drivers`.
"""

_COLUMNS = {
    "non_blocking": "other threads go on",
    "zero_copy_inputs": "reads in place",
    "caller_owned_outputs": "writes in place",
    "allocation_free": "allocates nothing",
    "grain": "gives way after a",
    "several_entries": "several entries",
    "in_place": "state in place",
    "failures": "calls can fail",
}

_MEANING = """\
- **other threads go on**: Python threads run while a call does; without, `submit` may wait for its end.
- **reads in place**, **writes in place**: a call works on the memory of links and slots; without, the driver
  copies before and after it.
- **allocates nothing**: calls after the first allocate no memory for tensors, in the library either.
- **gives way after a**: *call*: only between two calls (cut a long one into stages); *step*: also between two
  kernels of one.
- **several entries**: an artefact may hold the stages of a module; without, a module has one stage.
- **state in place**: an input that is consumed, such as a KV cache, is updated where it lies.
- **calls can fail**: a call can look at its inputs and fail with a message.
"""

_URIS = """\
## What they open

| driver | `uri` |
|---|---|
| `iree` | `local-sync`, `local-task`, and what else the installed IREE opens |
| `static` | `local-sync`, `local-pair` (two threads) |
| `dsa` | `KEY=NUMBER,...`, see [write a driver](../howto/write-a-driver.md#11-put-together) |
| `onnxruntime` | `cpu`, or an execution provider in small letters: `cuda:1`, `tensorrt?trt_fp16_enable=1` |
| `openvino` | `cpu`, or another of its devices in small letters |
| `litert`, `mnn`, `ncnn`, `tvm` | `cpu` |
| `null` | `immediate`, `manual`, `sleep_ns:N` |
"""


def reference() -> str:
    """The whole page."""
    modules = [import_module(f"{drivers.__name__}.{found.name}") for found in iter_modules(drivers.__path__)]
    ours: list[Driver] = [module.driver for module in modules if hasattr(module, "driver")]
    head = ("driver", "artefacts", "needs", *_COLUMNS.values())
    lines = [_row(head), _row(["---"] * len(head)), *(_row(_cells(one)) for one in ours)]
    notes = [f"- `{one.name}`: {one.capabilities.note}" for one in ours if one.capabilities.note]
    return "\n".join([_HEAD, *lines, "", _MEANING, *notes, "", _URIS])


def _cells(one: Driver) -> list[str]:
    formats = ", ".join(f"`{name}`" for name in one.formats)
    return [f"`{one.name}`", formats, f"`{one.package}`" if one.package else "", *_told(one.capabilities)]


def _told(found: Capabilities) -> list[str]:
    values = {field.name: getattr(found, field.name) for field in fields(found)}
    words = {True: "yes", False: "no"}
    return [words[value] if isinstance(value, bool) else value for value in (values[k] for k in _COLUMNS)]


def _row(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.stdout.write(reference())
