"""Reads what an IREE function says of itself, and lays an `Entry` over it.

The reflection of a function holds its declaration as text, for example::

    sync func @step(%input0: tensor<64xf32>, %input1: tensor<64xf32> {iree.abi.output = 0 : index},
                    %input2: !hal.buffer {iree.abi.transients = unit}) -> (%output0: tensor<64xf32>)

Arguments come in the order inputs, output storage, scratch. A function of somebody else's may have no output
storage: then the driver copies the result. An input that is itself marked as an output is updated in place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal.api import HalError

_DECLARATION = re.compile(r"^(?P<model>\w+) func @(?P<name>[^(]+)\((?P<args>.*?)\) -> \((?P<results>.*)\)$")
_TENSOR = re.compile(r"^tensor<((?:\d+x)*)(\w+)>$")
_OUTPUT = re.compile(r"iree\.abi\.output = (\d+)")
#: The compiler's element types and the dtypes they may stand for; most integers carry no sign there.
_DTYPES: Mapping[str, tuple[str, ...]] = {
    "f64": ("f64",), "f32": ("f32",), "f16": ("f16",), "bf16": ("bf16",), "i1": ("bool",),
    **{f"i{bits}": (f"i{bits}", f"u{bits}") for bits in (8, 16, 32, 64)},
    **{f"si{bits}": (f"i{bits}",) for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": (f"u{bits}",) for bits in (8, 16, 32, 64)},
}  # fmt: skip
_SCALARS = ("f32", "f64", "i32", "i64", "i8", "i16", "i1", "index")


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument or result. `output` is the result whose storage it is; `type` the compiler's text."""

    type: str
    output: int | None = None
    transients: bool = False

    def fits(self, tensor: Tensor) -> bool:
        """Whether this is a tensor (or a plain scalar) of that dtype and shape."""
        if self.scalar:
            kinds = ("i32", "i64") if self.type == "index" else _DTYPES[self.type]
            return tensor.shape == () and tensor.dtype in kinds
        match = _TENSOR.match(self.type)
        if match is None:
            return False
        shape = tuple(int(extent) for extent in match[1].split("x")[:-1])
        return shape == tensor.shape and tensor.dtype in _DTYPES.get(match[2], ())

    @property
    def scalar(self) -> bool:
        """Passed by value: read from its array at every call."""
        return self.type in _SCALARS


@dataclass(frozen=True, slots=True)
class Layout:
    """How the buffers of a call become the arguments of the function."""

    #: Arguments in order: ("input", index), ("output", index) or ("scratch", 0).
    arguments: tuple[tuple[str, int], ...]
    #: Those of `arguments` that the function takes as bare storage, by position.
    storage: frozenset[int]
    #: Inputs passed by value, by index.
    scalars: frozenset[int]
    #: Output index -> index of the input that it replaces.
    aliases: Mapping[int, int]
    #: Outputs that the function allocates itself and the driver has to copy.
    copied: tuple[int, ...]
    results: int


def layout(entry: Entry, reflection: Mapping[str, str]) -> Layout:
    """Check `entry` against the reflection of the function of that name.

    Raises:
        HalError: what differs, with both sides.
    """
    arguments, results = _declaration(entry.name, reflection)
    inputs, rest = arguments[: len(entry.inputs)], arguments[len(entry.inputs) :]
    takes = sum(1 for argument in arguments if not argument.transients and argument.output is None)
    aliases = {
        argument.output: position for position, argument in enumerate(inputs) if argument.output is not None
    }
    if len(inputs) < len(entry.inputs) or any(a.output is None and not a.transients for a in rest):
        named = ", ".join(tensor.name for tensor in entry.inputs)
        raise HalError(
            f"entry {entry.name!r} declares {len(entry.inputs)} inputs ({named}), "
            f"the artefact takes {takes + len(aliases)}"
        )
    if len(results) != len(entry.outputs):
        raise HalError(
            f"entry {entry.name!r} declares {len(entry.outputs)} outputs, the artefact gives {len(results)}"
        )
    for kind, tensors, found in (("input", entry.inputs, inputs), ("output", entry.outputs, results)):
        for tensor, argument in zip(tensors, found, strict=True):
            if not argument.fits(tensor):
                raise HalError(
                    f"{kind} {tensor.name!r} of entry {entry.name!r} is declared {tensor}, "
                    f"the artefact has {argument.type}"
                )
    _check_consumed(entry, aliases)
    _check_scratch(entry, reflection)
    stored = {argument.output for argument in arguments if argument.output is not None}
    return Layout(
        arguments=(
            *(("input", index) for index in range(len(inputs))),
            *(("scratch", 0) if a.output is None else ("output", a.output) for a in rest),
        ),
        storage=frozenset(p for p, a in enumerate(arguments) if a.type == "!hal.buffer"),
        scalars=frozenset(index for index, argument in enumerate(inputs) if argument.scalar),
        aliases=aliases,
        copied=tuple(index for index in range(len(results)) if index not in stored),
        results=len(results),
    )


def _declaration(name: str, reflection: Mapping[str, str]) -> tuple[list[Argument], list[Argument]]:
    text = reflection.get("iree.abi.declaration", "")
    match = _DECLARATION.match(text)
    if match is None:
        raise HalError(
            f"entry {name!r} does not say what it takes (its declaration is {text!r}): recompile it"
        )
    if match["model"] != "sync":
        raise HalError(
            f"entry {name!r} was compiled with --iree-execution-model=async-external: recompile without; "
            "queues run calls on threads of their own"
        )
    return _arguments(match["args"]), _arguments(match["results"])


def _arguments(text: str) -> list[Argument]:
    """Split at the commas that are outside of brackets."""
    depth, cuts = 0, [-1]
    for position, character in enumerate(text):
        depth += (character in "<{([") - (character in ">})]")
        if character == "," and depth == 0:
            cuts.append(position)
    parts = [text[a + 1 : b].strip() for a, b in pairwise([*cuts, len(text)])]
    found = []
    for part in parts:
        if part:
            kind, _, attributes = part.partition(": ")[2].partition(" {")
            output = _OUTPUT.search(attributes)
            found.append(
                Argument(
                    kind.strip(), int(output[1]) if output else None, "iree.abi.transients" in attributes
                )
            )
    return found


def _check_consumed(entry: Entry, aliases: Mapping[int, int]) -> None:
    for output, position in aliases.items():
        name = entry.inputs[position].name
        if name not in entry.consumed:
            raise HalError(
                f"entry {entry.name!r} overwrites its input {name!r} with output "
                f"{entry.outputs[output].name!r}: declare the input consumed"
            )


def _check_scratch(entry: Entry, reflection: Mapping[str, str]) -> None:
    if "iree.abi.transients.size" not in reflection and "iree.abi.transients.size.constant" not in reflection:
        return
    needed = reflection.get("iree.abi.transients.size.constant")
    if needed is None:
        raise HalError(f"the scratch of entry {entry.name!r} has no constant size: its shapes must be static")
    if int(needed) != entry.scratch_bytes:
        raise HalError(
            f"entry {entry.name!r} declares {entry.scratch_bytes} bytes of scratch, the artefact {needed}"
        )
