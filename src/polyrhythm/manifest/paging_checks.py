"""Checks of `kv`: each of its names is another tensor, which nothing else writes."""

from __future__ import annotations

from collections.abc import Iterator

from polyrhythm.manifest.diagnostics import Diagnostic, Path
from polyrhythm.manifest.draft import MODULES, Draft
from polyrhythm.manifest.paging import KV

#: The keys that name tensors of the module.
_NAMES = ("pool", "table", "length", "tokens")
_INPUTS = ("pool", "table", "length")


def check_paging(draft: Draft) -> Iterator[Diagnostic]:
    """All contradictions about paged keys and values."""
    for module in draft.items(MODULES):
        path = (*module, "kv")
        if isinstance(draft.source.get(path), dict) and not draft.source.is_reported(path):
            names = {
                key: draft.leaf(*path, key) or KV.model_fields[key].default
                for key in _NAMES
                if draft.is_sound((*path, key))
            }
            yield from _alike(draft, path, names)
            yield from _linked(draft, module, names)
            yield from _keep(draft, path)


def _alike(draft: Draft, path: Path, names: dict[str, str]) -> Iterator[Diagnostic]:
    first: dict[str, str] = {}
    for key, name in names.items():
        known = first.setdefault(name, key)
        if known != key:
            given = key if draft.leaf(*path, key) is not None else known
            yield draft.error(
                "PM124",
                (*path, given),
                f"`{known}` and `{key}` are both called `{name}`",
                allowed="a tensor of its own for each",
                mend=f"write the name that the module has for its `{given}`",
            )


def _linked(draft: Draft, module: Path, names: dict[str, str]) -> Iterator[Diagnostic]:
    own = draft.leaf(*module, "id")
    for link, _, end in draft.links:
        for key in _INPUTS:
            if end is not None and (end.owner, end.port) == (own, names.get(key)):
                yield draft.error(
                    "PM125",
                    (*link, "to"),
                    f"`{end}` is the `{key}` of `kv`: the runtime gives it to the module",
                    allowed="links to its other inputs",
                    mend=f"remove the link, or write `{key}: ...` with the name that was meant",
                    also=[(*module, "kv")],
                )


def _keep(draft: Draft, path: Path) -> Iterator[Diagnostic]:
    keep, on_full = draft.leaf(*path, "keep_tokens"), draft.leaf(*path, "on_full") or "reset"
    if keep and on_full != "slide" and draft.is_sound((*path, "on_full")):
        yield draft.error(
            "PM126",
            (*path, "keep_tokens"),
            f"with `on_full: {on_full}` nothing of the sequence is kept",
            allowed="`keep_tokens` together with `on_full: slide`",
            mend="write `on_full: slide`, or remove `keep_tokens`",
        )
