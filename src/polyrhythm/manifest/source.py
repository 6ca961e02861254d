"""From text to plain values with their places: bounded, and without surprises.

PyYAML supplies the events and their marks. Everything it would do beyond that (YAML 1.1 scalars, anchors,
tags, object construction) is not used: a manifest is data, and a hostile one costs hardly more time and
memory than a good one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import yaml

from polyrhythm.manifest.diagnostics import Diagnostic, Location, Path, path_text, value_text
from polyrhythm.manifest.scalars import FORBIDDEN_CHARACTER, MAX_EXPONENT, NotExact, resolve

MAX_BYTES = 1 << 20
MAX_DEPTH = 32
MAX_VALUES = 10_000
MAX_PROBLEMS = 100


@dataclass
class Source:
    """The plain values of one text and where each of them stands.

    Mappings are dicts with text keys, sequences are lists, numbers int or Decimal. `keys` and `values` hold
    the place of a mapping's key and of a value; `reported` holds the paths that a diagnostic speaks of, and
    `origins` the paths that values of another text have there.
    """

    file: str
    data: Any = None
    keys: dict[Path, Location] = field(default_factory=dict)
    values: dict[Path, Location] = field(default_factory=dict)
    reported: set[Path] = field(default_factory=set)
    origins: dict[Path, Path] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def locate(self, path: Path, *, key: bool = False) -> Location:
        """The place of the value at `path` (or of its key), or of the nearest value around it."""
        if key and path in self.keys:
            return self.keys[path]
        for length in range(len(path), -1, -1):
            place = self.values.get(path[:length])
            if place is not None:
                return replace(place, path=path_text(path[length:], place.path))
        return Location(self.file, path=path_text(path))

    def get(self, path: Path) -> Any:
        """The plain value at `path`; None if it is absent."""
        value = self.data
        for part in path:
            if isinstance(value, dict) and isinstance(part, str):
                value = value.get(part)
            elif isinstance(value, list) and isinstance(part, int) and part < len(value):
                value = value[part]
            else:
                return None
        return value

    def is_reported(self, path: Path) -> bool:
        """Whether a diagnostic already speaks of `path` or of something around it."""
        return any(path[:length] in self.reported for length in range(len(path) + 1))

    def add(self, diagnostic: Diagnostic) -> bool:
        """Record a problem; False if there are too many, in which case it is time to stop looking."""
        if len(self.diagnostics) < MAX_PROBLEMS:
            self.diagnostics.append(diagnostic)
            return True
        if len(self.diagnostics) == MAX_PROBLEMS:
            self.diagnostics.append(
                Diagnostic(
                    "PM016",
                    "error",
                    f"there are more than {MAX_PROBLEMS} problems; the rest is not shown",
                    Location(self.file),
                    mend="mend these first",
                )
            )
        return False


class _Stop(Exception):
    """Reading ends here; why is already recorded."""


def read(text: str | bytes, file: str) -> Source:
    """Read one YAML text. Never raises for what the text holds: problems are in `Source.diagnostics`."""
    return _Reading(file).read(text)


class _Reading:
    """One pass over the events of a text."""

    def __init__(self, file: str) -> None:
        self.source = Source(file)
        self.whole = Location(file)
        self.lines: list[str] = []
        self.count = 0
        self.events: Iterator[Any] = iter(())

    def read(self, text: str | bytes) -> Source:
        try:
            self._documents(self._accept(text))
        except _Stop:
            self.source.reported.add(())
        return self.source

    # -- before YAML ---------------------------------------------------------------------------------------

    def _accept(self, content: str | bytes) -> str:
        size = len(content if isinstance(content, bytes) else content.encode(errors="surrogatepass"))
        if size > MAX_BYTES:
            self._stop(
                "PM003",
                f"the file has more than {MAX_BYTES} bytes",
                self.whole,
                allowed=f"at most {MAX_BYTES} bytes",
                mend="keep data out of the manifest: it only names files",
            )
        text = self._decode(content) if isinstance(content, bytes) else content
        text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.lines = text.split("\n")
        if found := FORBIDDEN_CHARACTER.search(text):
            self._forbidden(found[0], self._at_offset(found.start(), text), "stands here")
        return text

    def _decode(self, content: bytes) -> str:
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            before = content[: error.start].decode()
            line = before.rsplit("\n", 1)[-1]
            byte = f"0x{content[error.start]:02x}"
            self._stop(
                "PM002",
                f"the byte {byte} is not UTF-8",
                Location(self.source.file, before.count("\n") + 1, len(line) + 1, text=line + "\ufffd"),
                value=byte,
                allowed="UTF-8 text",
                mend="save the file as UTF-8",
            )

    def _not_yaml(self, error: yaml.MarkedYAMLError) -> NoReturn:
        mark = error.problem_mark or error.context_mark
        place = self._at(mark, mark, ()) if mark else self.whole
        problem = str(error.problem or error.context or error)
        if "'\\t'" in problem:
            self._tab(place)
        context = f" ({error.context})" if error.context and error.problem else ""
        start = error.context_mark
        self._stop(
            "PM006",
            f"this is not YAML: {problem}{context}",
            place,
            also=(self._at(start, start, ()),) if start and mark and start.line != mark.line else (),
            allowed="YAML 1.2",
            mend="look here and at the line before: indentation, missing `:` or `-`, open bracket or quote",
        )

    # -- the events ----------------------------------------------------------------------------------------

    def _documents(self, text: str) -> None:
        try:
            self.events = yaml.parse(text, Loader=yaml.SafeLoader)
            self._first_document()
        except yaml.MarkedYAMLError as error:
            self._not_yaml(error)
        except (ValueError, OverflowError):
            # PyYAML converts escapes and %YAML versions without looking at their range.
            self._stop(
                "PM006",
                "this is not YAML: an escape or a `%` line holds a number that is out of range",
                self.whole,
                allowed="YAML 1.2",
                mend="remove the escape (`\\U...`) or the `%` line",
            )

    def _first_document(self) -> None:
        started = False
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if started:
                    self._stop(
                        "PM011",
                        "a second document starts here",
                        self._at(event.start_mark, event.end_mark, ()),
                        allowed="one document",
                        mend="remove `---`, or put the second document in its own file",
                    )
                started = True
                self.source.data = self._value(next(self.events), ())

    def _value(self, event: Any, path: Path) -> Any:
        place = self._at(event.start_mark, event.end_mark, path)
        self.source.values[path] = place
        self._count(place)
        if len(path) > MAX_DEPTH:
            self._stop(
                "PM007",
                f"this value lies more than {MAX_DEPTH} levels deep",
                place,
                allowed=f"at most {MAX_DEPTH} levels",
                mend="remove brackets or indentation around it",
            )
        self._refuse_references(event, path, place)
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(path)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path)
        return None if isinstance(event, yaml.AliasEvent) else self._scalar(event, path, place)

    def _sequence(self, path: Path) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self._value(event, (*path, len(items))))
        return items

    def _mapping(self, path: Path) -> dict[str, Any]:
        items: dict[str, Any] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self._key(event, path)
            if key in items:
                self._key_again(event, (*path, key))
                continue
            at = (*path, key)
            self.source.keys[at] = self._at(event.start_mark, event.end_mark, at)
            items[key] = self._value(next(self.events), at)
        return items

    def _key(self, event: Any, path: Path) -> str:
        place = self._at(event.start_mark, event.end_mark, path)
        self._count(place)
        if not isinstance(event, yaml.ScalarEvent):
            self._stop(
                "PM013",
                "a key has to be plain text, this one is a list, a mapping or an alias",
                place,
                allowed="a name",
                mend="write `name: value`; text that starts with `{`, `[` or `*` needs quotes",
            )
        self._refuse_references(event, path, place)
        self._refuse_characters(event.value, place)
        return str(event.value)

    def _key_again(self, event: Any, path: Path) -> None:
        first = self.source.keys[path]
        self._report(
            "PM012",
            f"the key {value_text(path[-1])} is given twice",
            self._at(event.start_mark, event.end_mark, path),
            value=path[-1],
            allowed="each key once",
            mend=f"remove this one or the one on line {first.line}",
            also=(first,),
        )
        # The value is read for its own problems; the first one keeps its places.
        kept = self.source.keys, self.source.values
        self.source.keys, self.source.values = {}, {}
        self._value(next(self.events), path)
        self.source.keys, self.source.values = kept

    def _scalar(self, event: Any, path: Path, place: Location) -> Any:
        text: str = event.value
        self._refuse_characters(text, place)
        is_quoted = not event.implicit[0]
        try:
            return text if is_quoted else resolve(text)
        except NotExact:
            self.source.reported.add(path)
            self._report(
                "PM014",
                f"`{text[:40]}` is not a number that can be held exactly",
                place,
                value=text[:40],
                allowed=f"integers of 64 bits, decimals from 1e-{MAX_EXPONENT} to 1e{MAX_EXPONENT}",
                mend="write another number, or put the value in quotes if it is text",
            )
            return None

    # -- refusals ------------------------------------------------------------------------------------------

    def _count(self, place: Location) -> None:
        self.count += 1
        if self.count > MAX_VALUES:
            self._stop(
                "PM008",
                f"the text holds more than {MAX_VALUES} keys and values",
                place,
                allowed=f"at most {MAX_VALUES} keys and values",
                mend="keep data out of the manifest: it only names files",
            )

    def _refuse_references(self, event: Any, path: Path, place: Location) -> None:
        anchor, tag = event.anchor, getattr(event, "tag", None)
        if anchor is not None:
            is_alias = isinstance(event, yaml.AliasEvent)
            name = ("*" if is_alias else "&") + anchor
            self._report(
                "PM009",
                f"`{name}` refers to another place in the text" if is_alias else f"`{name}` is an anchor",
                place,
                value=name,
                allowed="the value itself",
                mend="write the value itself; text that starts with `*` or `&` needs quotes",
            )
            if is_alias:
                self.source.reported.add(path)
        if tag is not None:
            self.source.reported.add(path)
            self._report(
                "PM010",
                f"the tag `{tag}` asks for a special type",
                place,
                value=tag,
                allowed="values without a tag",
                mend="remove the tag; text that starts with `!` needs quotes",
            )

    def _refuse_characters(self, text: str, place: Location) -> None:
        if found := FORBIDDEN_CHARACTER.search(text):
            self._forbidden(found[0], place, "is made by an escape")

    def _forbidden(self, character: str, place: Location, how: str) -> NoReturn:
        name = f"U+{ord(character):04X}"
        self._stop(
            "PM004",
            f"the character {name} {how}",
            place,
            value=name,
            allowed="printable characters, spaces and line feeds",
            mend="remove it",
        )

    def _tab(self, place: Location) -> NoReturn:
        self._stop(
            "PM005",
            "a tab stands where YAML wants spaces",
            place,
            value="\t",
            allowed="spaces",
            mend="replace the tab by spaces, two for each level",
        )

    def _stop(self, code: str, message: str, where: Location, **more: Any) -> NoReturn:
        self._report(code, message, where, **more)
        raise _Stop

    def _report(self, code: str, message: str, where: Location, **more: Any) -> None:
        if not self.source.add(Diagnostic(code, "error", message, where, **more)):
            raise _Stop

    # -- places --------------------------------------------------------------------------------------------

    def _at(self, start: Any, end: Any, path: Path) -> Location:
        line = self.lines[start.line] if start.line < len(self.lines) else ""
        stop = end.column if end.line == start.line else len(line)
        span = max(1, stop - start.column)
        return Location(self.source.file, start.line + 1, start.column + 1, path_text(path), line, span)

    def _at_offset(self, offset: int, text: str) -> Location:
        line = text.count("\n", 0, offset)
        column = offset - (text.rfind("\n", 0, offset) + 1)
        return Location(self.source.file, line + 1, column + 1, "", self.lines[line])
