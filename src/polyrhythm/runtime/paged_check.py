"""`check` for paged KV: are the tensors there that `kv` names, and are there pages enough?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from polyrhythm.bundle.signature import Tensor
from polyrhythm.manifest import nearest
from polyrhythm.manifest.draft import counted
from polyrhythm.manifest.paging import KV
from polyrhythm.manifest.schema import Module
from polyrhythm.runtime.binding import resident
from polyrhythm.runtime.paged import Paging, paging_of, tensors_of

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker

CODES = {
    "PC141": "paged KV that names a tensor which the module does not have",
    "PC142": "a tensor of paged KV that is not what it has to be",
    "PC143": "fewer pages than a tick needs",
    "PC144": "a page table longer than a context has pages",
    "PC145": "tokens to keep that leave no room",
}

_POOL = "[pages, layers, 2, page_tokens, heads, head_dim] of floats, at least 2 pages"
_FLOATS = ("f64", "f32", "f16", "bf16")


def check_paging(checker: Checker) -> None:
    """PC141 to PC145, for every module that declares `kv`."""
    for module in checker.manifest.orchestration.modules:
        if module.kv is None or module.id not in checker.stages:
            continue
        entries, kv = checker.stages[module.id], module.kv
        inputs, outputs = tensors_of(entries)
        if _named(checker, module, kv, inputs, outputs) and _fit(checker, module, kv, inputs, outputs):
            paging = paging_of(module, entries, checker.manifest.contexts)
            assert paging is not None
            _room(checker, module, paging, inputs[kv.table])


def _named(
    checker: Checker, module: Module, kv: KV, inputs: Mapping[str, Tensor], outputs: Mapping[str, Tensor]
) -> bool:
    """PC141."""
    all_there = True
    for key, known in (("pool", inputs), ("table", inputs), ("length", inputs), ("tokens", outputs)):
        if (name := getattr(kv, key)) in known:
            continue
        all_there = False
        kind = "output" if key == "tokens" else "input"
        close = nearest(name, known)
        checker.say(
            "PC141", _path(checker, module, key),
            f"{module.id} ({module.artefact}) has no {kind} {name!r}, which `kv` has as its `{key}`", name,
            ", ".join(f"{other} {tensor}" for other, tensor in known.items()) or "nothing",
            f"write `{key}: {close}`" if close else
            f"write `{key}: ...` with the module's name for it, or build the module with one "
            "(`polyrhythm.compile.attention`)",
        )  # fmt: skip
    return all_there


def _fit(
    checker: Checker, module: Module, kv: KV, inputs: Mapping[str, Tensor], outputs: Mapping[str, Tensor]
) -> bool:
    """PC142."""
    kept = resident(checker.stages[module.id])
    pool, tokens = inputs[kv.pool], outputs[kv.tokens]
    wanted: list[tuple[str, Tensor, str, Callable[[Tensor], bool]]] = [
        ("pool", pool, _POOL, _is_pool),
        ("table", inputs[kv.table], "i32[n]", lambda t: t.dtype == "i32" and len(t.shape) == 1),
        ("length", inputs[kv.length], "i32[]", lambda t: t.dtype == "i32" and t.shape == ()),
        ("tokens", tokens, "i32[n]", lambda t: t.dtype == "i32" and len(t.shape) == 1),
    ]
    found = {key: (f"is {tensor}", allowed) for key, tensor, allowed, fits in wanted if not fits(tensor)}
    if pool.name not in kept:
        found.setdefault("pool", ("is not updated in place", "an output of the same name, and `consumed`"))
    for key, tensor, _, _ in wanted[1:]:
        if tensor.name in kept:
            found.setdefault(key, ("is updated in place", "a tensor that no stage overwrites"))
    for key, (what, allowed) in found.items():
        name = getattr(kv, key)
        checker.say(
            "PC142", _path(checker, module, key), f"{module.id}.{name}, the `{key}` of `kv`, {what}", name,
            allowed, f"build the module with such a `{key}`, or write the name that was meant",
        )  # fmt: skip
    return not found


def _is_pool(pool: Tensor) -> bool:
    return pool.dtype in _FLOATS and len(pool.shape) == 6 and pool.shape[0] >= 2 and pool.shape[2] == 2


def _room(checker: Checker, module: Module, paging: Paging, table: Tensor) -> None:
    """PC143 to PC145."""
    size, contexts = paging.shape.page_tokens, checker.manifest.contexts
    pages, most = paging.pool.shape[0], paging.most_tokens
    needed = -(-most // size)
    shared = f"{pages - 1} pages that can be given out" + (f", for {contexts} contexts" * (contexts > 1))
    if paging.places < needed:
        few = (
            f"{table.shape[0]} places in its table" if table.shape[0] < needed
            else f"{paging.share} of {shared}"
        )  # fmt: skip
        checker.say(
            "PC143", _path(checker, module, "pool"),
            f"a tick of {module.id} appends up to {counted(most, 'token')}, for which it needs "
            f"{counted(needed, 'page')}; a context has {few}",
            few, f"at least {counted(needed, 'page')} in each context",
            "build the module with more pages and a longer table"
            + (", or lower `contexts`" if contexts > 1 else ""),
        )  # fmt: skip
        return
    if paging.share < table.shape[0]:
        checker.say(
            "PC144", _path(checker, module, "pool"),
            f"a sequence of {module.id} is full at {paging.room} tokens: its table has {table.shape[0]} "
            f"places, a context has {paging.share} of {shared}",
            pages, f"{contexts * table.shape[0] + 1} pages and more fill the table in every context",
            f"build the module with {contexts * table.shape[0] + 1} pages, if sequences are to be so long",
            severity="note",
        )  # fmt: skip
    if paging.on_full == "slide" and paging.keep > paging.most_keep:
        kept, left = paging.keep * size, paging.most_keep * size
        checker.say(
            "PC145", _path(checker, module, "keep_tokens"),
            f"{module.id} keeps {kept} of {paging.room} tokens, and a tick appends up to {most}: there is no "
            "page to let go of",
            kept, f"at most {left}" if left >= 0 else "`on_full: reset`",
            "lower `keep_tokens`, write `on_full: reset`, or build the module with more pages",
        )  # fmt: skip


def _path(checker: Checker, module: Module, key: str) -> tuple[str | int, ...]:
    return (*checker.path(module), "kv", key)
