"""A module as it is compiled, and its files in a bundle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from polyrhythm.bundle.open import PACK_FROM_BYTES
from polyrhythm.compile.iree_compiler import HOST, Compiled, compile_packed, compile_source
from polyrhythm.compile.jobs import packed_name
from polyrhythm.compile.machine import Made, loaded_bytes, signatures
from polyrhythm.compile.packing import pack
from polyrhythm.compile.source import Lowered, Source
from polyrhythm.compile.stages import Cut


@dataclass(frozen=True)
class Parts:
    """A module as it is compiled: its entries, their source, its code for this machine, and what was cut."""

    lowered: Mapping[str, Lowered]
    source: Source
    made: Made
    cuts: tuple[Cut, ...] = ()

    @property
    def stages(self) -> dict[str, list[str]]:
        """The entries that were cut, and into which."""
        return {cut.entry: list(cut.stages) for cut in self.cuts if cut.stages}


@dataclass(frozen=True)
class Written:
    """Code of a module as it is in the bundle; `packed` and `loaded_bytes`: see `polyrhythm.bundle.lock`.

    `here`, with its files of `weights`, is what runs on this machine: that code itself if it is for this one,
    else what was made of the same source.
    """

    compiled: Compiled
    packed: str | None
    loaded_bytes: int | None
    here: Made
    weights: Sequence[Path]


def write_code(
    parts: Parts, place: Path, mlir: str, vmfb: str, target: str | None, weights: Sequence[Path], where: str
) -> Written:
    """Write the source of a module, and its machine code for `target` unless that is None."""
    (place / mlir).parent.mkdir(parents=True, exist_ok=True)
    (place / mlir).write_text(parts.source.text, encoding="utf-8")
    here, final, packed = parts.made, parts.made.compiled, None
    if target is not None:
        found = None
        if sum(file.stat().st_size for file in weights) >= PACK_FROM_BYTES:
            found = compile_packed(parts.source.text, where=where, target=target)
        if found is not None and found.encoder is not None:
            final, packed = found, packed_name(vmfb)
            pack(found.encoder, found.content, weights, place / packed)
        elif target != HOST:
            final = compile_source(parts.source.text, where=where, target=target)
        (place / vmfb).write_bytes(final.content)
    if target not in (None, HOST):  # code for another machine may lay matrices out differently
        return Written(final, packed, None, here, weights)
    if target is not None:
        here, weights = Made(place / vmfb, final), [place / packed] if packed else weights
    entries = list(signatures(parts.lowered, parts.source, final).values())
    return Written(final, packed, loaded_bytes(here.path, entries, weights), here, weights)
