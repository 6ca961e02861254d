"""Reading a manifest: text in, models out, with every problem found at once."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path as FilePath
from typing import Any

from pydantic import ValidationError

from polyrhythm.manifest.checks import check
from polyrhythm.manifest.diagnostics import Diagnostic, Location, Path, render_all, value_text
from polyrhythm.manifest.draft import LINKS, Draft
from polyrhythm.manifest.explain import explain, explain_empty
from polyrhythm.manifest.files import open_regular
from polyrhythm.manifest.schema import Manifest
from polyrhythm.manifest.source import MAX_BYTES, Source, read
from polyrhythm.manifest.values import kind_of

MANIFEST_FILE = "manifest.yaml"
LINK_FILE = "link.yaml"


@dataclass(frozen=True)
class Loaded:
    """What came of reading a manifest.

    `manifest` is None exactly if `diagnostics` holds an error. Diagnostics are in the order of the text.
    """

    manifest: Manifest | None
    diagnostics: tuple[Diagnostic, ...]
    source: Source = field(repr=False)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that keep the bundle from being used."""
        return tuple(diagnostic for diagnostic in self.diagnostics if diagnostic.is_error)

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that are only worth knowing."""
        return tuple(diagnostic for diagnostic in self.diagnostics if not diagnostic.is_error)

    def locate(self, path: Path, *, key: bool = False) -> Location:
        """Where the value at `path` stands, for example ``("orchestration", "links", 0, "to")``.

        Links of ``link.yaml`` follow those of the manifest. A path that the text leaves out gives the place
        of the nearest value around it. `key` asks for the place of the key instead.
        """
        return self.source.locate(path, key=key)


class ManifestError(ValueError):
    """A manifest that cannot be used; `diagnostics` says why, its text is all of them rendered."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(render_all(diagnostics))
        self.diagnostics = diagnostics


def load(path: str | PathLike[str], *, inside: FilePath | None = None) -> Loaded:
    """Read the manifest at `path` (a file, or a bundle directory) and the ``link.yaml`` beside it.

    Never raises for what the files hold or because they cannot be read: that is a diagnostic too.

    Args:
        inside: the resolved directory that neither file may be a link out of: such a file is not read.
    """
    file = FilePath(path)
    # Those of `Path` raise where we may not look.
    file = file / MANIFEST_FILE if os.path.isdir(file) else file  # noqa: PTH112
    link_file = file.parent / LINK_FILE
    links = _read_file(link_file, inside) if os.path.isfile(link_file) else None  # noqa: PTH113
    return _load(_read_file(file, inside), links)


def loads(text: str | bytes, name: str = MANIFEST_FILE, *, links: str | bytes | None = None) -> Loaded:
    """Read a manifest from memory; `name` is what diagnostics call it, `links` the text of ``link.yaml``."""
    return _load(read(text, name), None if links is None else read(links, LINK_FILE))


def load_or_raise(path: str | PathLike[str]) -> Manifest:
    """The manifest at `path`. Raises `ManifestError` with all diagnostics if it holds an error."""
    loaded = load(path)
    if loaded.manifest is None:
        raise ManifestError(loaded.diagnostics)
    return loaded.manifest


def _read_file(file: FilePath, inside: FilePath | None) -> Source:
    try:
        if inside is not None and not FilePath(os.path.realpath(file)).is_relative_to(inside):
            raise OSError(errno.EXDEV, "it is a link out of the bundle", str(file))
        with open_regular(file) as stream:
            return read(stream.read(MAX_BYTES + 1), str(file))
    except (OSError, ValueError) as error:
        source = Source(str(file), reported={()})
        source.add(
            Diagnostic(
                "PM001",
                "error",
                f"the file cannot be read: {getattr(error, 'strerror', None) or error}",
                Location(str(file)),
                value=str(file),
                allowed=f"a readable file, or a bundle directory that holds a {MANIFEST_FILE}",
                mend="look at the path, and at who may read the file",
            )
        )
        return source


def _load(source: Source, link_source: Source | None) -> Loaded:
    links_known = link_source is None or _join_links(source, link_source)
    manifest = None
    if not source.is_reported(()):
        if source.data is None:
            source.add(_empty(source))
        else:
            manifest = _validate(source, links_known)
    diagnostics = tuple(sorted(source.diagnostics, key=lambda found: _order(found, source.file)))
    if any(diagnostic.is_error for diagnostic in diagnostics):
        manifest = None
    return Loaded(manifest, diagnostics, source)


def _validate(source: Source, links_known: bool) -> Manifest | None:
    manifest = None
    try:
        manifest = Manifest.model_validate(source.data)
    except ValidationError as error:
        if not explain(error, source):
            return None
    if not explain_empty(source):
        return None
    for diagnostic in check(Draft(source, links_known=links_known)):
        if not source.add(diagnostic):
            return None
    return manifest


def _order(diagnostic: Diagnostic, main_file: str) -> tuple[bool, bool, int, int, str]:
    where, is_last = diagnostic.where, diagnostic.code == "PM016"
    return (is_last, where.file != main_file, where.line, where.column, diagnostic.code)


def _empty(source: Source) -> Diagnostic:
    return Diagnostic(
        "PM015",
        "error",
        "the text declares nothing",
        Location(source.file),
        allowed="a mapping with `orchestration`",
        mend="start with `orchestration: { modules: [{ id: vlm, vmfb: vlm.vmfb, rate_hz: 3 }] }`",
    )


# -- link.yaml ---------------------------------------------------------------------------------------------


def _join_links(source: Source, other: Source) -> bool:
    """Append the links of ``link.yaml`` to those of the manifest; False if they cannot be had."""
    links = None if other.is_reported(()) else _links_of(other)
    for diagnostic in other.diagnostics:
        source.add(diagnostic)
    orchestration = source.data.get("orchestration") if isinstance(source.data, dict) else None
    if links is None or not isinstance(orchestration, dict):
        return False
    if orchestration.get("links") is None:
        orchestration["links"] = []
    own = orchestration["links"]
    if not isinstance(own, list):
        return False
    offset = len(own)
    own.extend(links)
    for path, place in other.values.items():
        if path[:1] == ("links",) and len(path) > 1 and isinstance(path[1], int):
            joined = (*LINKS, path[1] + offset, *path[2:])
            source.values[joined], source.origins[joined] = place, path
            if path in other.keys:
                source.keys[joined] = other.keys[path]
            if path in other.reported:
                source.reported.add(joined)
    return True


def _links_of(other: Source) -> list[Any] | None:
    """The list in ``link.yaml``; None, with a diagnostic in `other`, if there is none."""
    data = other.data
    for name in data if isinstance(data, dict) else ():
        if name != "links":
            other.add(
                Diagnostic(
                    "PM020",
                    "error",
                    f"{value_text(name)} is not a key of {LINK_FILE}",
                    other.locate((name,), key=True),
                    value=name,
                    allowed="`links`",
                    mend="move it to the manifest, or remove it",
                )
            )
    path: Path = ("links",) if isinstance(data, dict) and "links" in data else ()
    links = other.get(path)
    if isinstance(links, list) and path and not other.is_reported(path):
        return links
    if not other.is_reported(path):
        other.add(
            Diagnostic(
                "PM022",
                "error",
                f"{LINK_FILE} holds {kind_of(links)} where a list of links belongs",
                other.locate(path),
                value=links,
                allowed="`links:` with a list of links",
                mend="write `links: [{ from: vlm.hidden, to: dit.condition }]`, or remove the file",
            )
        )
    return None
