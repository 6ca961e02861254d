"""What artefacts of libraries take and give, and which tensors of an entry are bound to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.hal.api import HalError


@dataclass(frozen=True, slots=True)
class Port:
    """An input or output as an artefact has it; None: the artefact doesn't say."""

    name: str
    dtype: str | None = None
    shape: tuple[int | None, ...] | None = None
    #: Other names that the artefact has for it.
    also: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All its names, what it is called first."""
        return (self.name, *self.also)

    def fits(self, tensor: Tensor) -> bool:
        """Whether a tensor of an entry may be bound to it."""
        if self.dtype not in (None, tensor.dtype):
            return False
        if self.shape is None:
            return True
        return len(self.shape) == len(tensor.shape) and all(
            there in (None, here) for there, here in zip(self.shape, tensor.shape, strict=True)
        )

    def __str__(self) -> str:
        extents = ["?"] if self.shape is None else ["?" if n is None else str(n) for n in self.shape]
        return f"{self.dtype or '?'}[{', '.join(extents)}]"


@dataclass(frozen=True, slots=True)
class Signature:
    """What an entry of an artefact takes and gives, in the library's order.

    Attributes:
        ordered: that order is the artefact's; without, only names tell ports apart.
    """

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    ordered: bool = True


def orders(entry: Entry, signatures: Mapping[str, Signature]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For every port of the artefact, the index of the entry's tensor that is bound to it.

    Raises:
        HalError: what differs, with both sides.
    """
    found = signatures.get(entry.name)
    if found is None:
        raise HalError(f"there is no entry {entry.name!r}; there are: {', '.join(signatures) or 'none'}")
    if entry.scratch_bytes:
        raise HalError(
            f"entry {entry.name!r} declares {entry.scratch_bytes} bytes of scratch, the library has its own"
        )
    if entry.consumed:
        raise HalError(
            f"entry {entry.name!r} declares {', '.join(sorted(entry.consumed))} consumed, "
            "the library leaves inputs as they are"
        )
    return (
        _order(entry.name, "input", entry.inputs, found.inputs, found.ordered),
        _order(entry.name, "output", entry.outputs, found.outputs, found.ordered),
    )


def _order(
    name: str, kind: str, tensors: Sequence[Tensor], ports: Sequence[Port], ordered: bool
) -> tuple[int, ...]:
    declared = ", ".join(tensor.name for tensor in tensors) or "none"
    has = ", ".join(f"{port.name} {port}" for port in ports) or "none"
    if len(tensors) != len(ports):
        raise HalError(
            f"entry {name!r} declares {len(tensors)} {kind}s ({declared}), "
            f"the artefact has {len(ports)} ({has})"
        )
    order = matched(tensors, ports)
    known = {tensor.name for tensor in tensors}
    for index, port in zip(order, ports, strict=True):
        tensor = tensors[index]
        by_name = known.intersection(port.names) if ordered else len(ports) > 1
        if by_name and tensor.name not in port.names:
            why = f"{port.name!r} is in another place" if ordered else "only names tell which is which"
            raise HalError(
                f"{kind}s of entry {name!r} are declared as {declared}, the artefact has {has}: {why}; "
                "declare them by these names"
            )
        if not port.fits(tensor):
            raise HalError(
                f"{kind} {tensor.name!r} of entry {name!r} is declared {tensor}, the artefact has {port}"
            )
    return order


def matched(tensors: Sequence[Tensor], ports: Sequence[Port]) -> tuple[int, ...]:
    """For every port, the index of its tensor; there are as many.

    By name where all agree, else by place: converters rename, but rarely reorder.
    """
    places = {tensor.name: index for index, tensor in enumerate(tensors)}
    named = [next((places[n] for n in port.names if n in places), -1) for port in ports]
    whole = tuple(range(len(ports)))
    return tuple(named) if sorted(named) == list(whole) else whole


def check_made(what: object, made: Sequence[int], declared: Sequence[int]) -> None:
    """Raise `HalError` unless a call has made an output of the shape that is declared."""
    if tuple(made) != tuple(declared):
        raise HalError(f"output {what!r} came out as {list(made)}, declared is {list(declared)}")


def copy_out(what: object, made: np.ndarray, array: np.ndarray) -> None:
    """Copy what a call has made, which NumPy would repeat to fill what is larger."""
    check_made(what, made.shape, array.shape)
    np.copyto(array, made)


def one_entry(own: str, entries: Sequence[Entry], signature: Signature) -> Mapping[str, Signature]:
    """Signatures of an artefact that holds one graph, whose name `own` says little or nothing.

    The graph is the entry that is asked for, whatever it is called, if it is the only one.
    """
    name = entries[0].name if len(entries) == 1 else own
    return {name: signature}
