"""What a compiled module says of its own functions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from polyrhythm.bundle import Tensor
from polyrhythm.compile.codes import BuildError, problem

#: Reflection attributes that carry the names of a function's tensors, separated by commas.
INPUTS, OUTPUTS = "polyrhythm.inputs", "polyrhythm.outputs"

_DECLARATION = re.compile(r"^\w+ func @(?P<name>.*?)\((?P<args>.*?)\) -> \((?P<results>.*)\)$")
_TENSOR = re.compile(r"^tensor<((?:\d+x)*)(\w+)>$")
_ENCODING = re.compile(r"iree\.abi\.encoding = (tensor<[^>]*>)")
_DTYPES = {
    "f64": "f64", "f32": "f32", "f16": "f16", "bf16": "bf16", "i1": "bool", "index": "i64",
    **{f"{sign}i{bits}": f"i{bits}" for bits in (8, 16, 32, 64) for sign in ("", "s")},
    **{f"ui{bits}": f"u{bits}" for bits in (8, 16, 32, 64)},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Function:
    """A public function of a module.

    `caller_owned` says whether scratch and every output are the caller's; `consumed` names the inputs that
    outputs replace where they lie.
    """

    name: str
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    scratch_bytes: int
    caller_owned: bool
    named: bool
    consumed: tuple[str, ...] = ()


def functions(content: bytes, where: str) -> dict[str, Function]:
    """The public functions of a module, sorted by name.

    Raises:
        BuildError: PK030, not a module, or a function that can't be described.
    """
    import iree.runtime as rt

    from polyrhythm.hal.drivers.iree_native import instance, reason

    try:
        module = rt.VmModule.copy_buffer(instance, content)
        reflections = {name: module.lookup_function(name).reflection for name in module.function_names}
    except (RuntimeError, ValueError, TypeError) as error:
        raise _unreadable(where, f"this is not an IREE module: {reason(error)}") from error
    helpers = {reflection.get("iree.abi.transients.size") for reflection in reflections.values()}
    found = {}
    for name in sorted(reflections):
        if not name.startswith("__") and name not in helpers and not name.endswith("$async"):
            found[name] = describe(name, reflections[name], where)
    return found


def describe(name: str, reflection: Mapping[str, str], where: str) -> Function:
    """A function by what it says of itself.

    Raises:
        BuildError: PK030, it can't be described.
    """
    declaration = reflection.get("iree.abi.declaration", "")
    match = _DECLARATION.match(declaration)
    if match is None:
        raise _unreadable(where, f"function {name!r} does not say what it takes")
    arguments, results = _split(match["args"]), _split(match["results"])
    storage = {text for text in arguments if "iree.abi.output" in text}
    scratch = [text for text in arguments if "iree.abi.transients" in text]
    input_names = [item for item in reflection.get(INPUTS, "").split(",") if item]
    # Only the names tell an input that is updated in place from storage of an output: inputs come first.
    replaced = [i for i, text in enumerate(arguments[: len(input_names)]) if text in storage]
    inputs = [
        text
        for i, text in enumerate(arguments)
        if i in replaced or (text not in storage and text not in scratch)
    ]
    output_names = [item for item in reflection.get(OUTPUTS, "").split(",") if item]
    named = len(input_names) == len(inputs) and len(output_names) == len(results)
    if not named:
        input_names = [f"input{index}" for index in range(len(inputs))]
        output_names = [f"output{index}" for index in range(len(results))]
    return Function(
        name,
        tuple(_tensor(*pair, name, where) for pair in zip(input_names, inputs, strict=True)),
        tuple(_tensor(*pair, name, where) for pair in zip(output_names, results, strict=True)),
        int(reflection.get("iree.abi.transients.size.constant", "0")),
        bool(scratch) and len(storage) == len(results),
        named,
        tuple(input_names[i] for i in replaced) if named else (),
    )


def _tensor(name: str, text: str, function: str, where: str) -> Tensor:
    kind, _, attributes = text.partition(": ")[2].partition(" {")
    encoding = _ENCODING.search(attributes)
    kind = encoding[1] if encoding else kind.strip()
    match = _TENSOR.match(kind)
    dtype = _DTYPES.get(match[2] if match else kind)
    if dtype is None:
        raise _unreadable(where, f"{name!r} of function {function!r} is {kind}, not a tensor of static shape")
    shape = tuple(int(extent) for extent in match[1].split("x")[:-1]) if match else ()
    return Tensor(name, dtype, shape)


def _split(text: str) -> list[str]:
    """The parts between commas that are outside of brackets."""
    depth, cuts = 0, [-1]
    for position, character in enumerate(text):
        depth += (character in "<{([") - (character in ">})]")
        if character == "," and depth == 0:
            cuts.append(position)
    parts = (text[a + 1 : b].strip() for a, b in pairwise([*cuts, len(text)]))
    return [part for part in parts if part]


def _unreadable(where: Any, message: str) -> BuildError:
    return BuildError(
        problem(
            "PK030",
            where,
            message,
            None,
            "an IREE module with functions of static tensors",
            "compile it again, with the compiler of constraints.txt",
        )
    )
