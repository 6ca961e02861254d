"""The manifest reference as Markdown, made from the schema.

python -m polyrhythm.manifest.reference > docs/reference/manifest.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from polyrhythm.manifest.codes import CODES
from polyrhythm.manifest.diagnostics import Path
from polyrhythm.manifest.jsonschema import Fragment, flow_text, fragment_at, json_schema, resolve, type_text

_SECTIONS: tuple[tuple[str, Path], ...] = (
    ("The manifest", ()),
    ("`robot`", ("robot",)),
    ("`robot.observations.NAME`", ("robot", "observations", "NAME")),
    ("`robot.action`", ("robot", "action")),
    ("`devices.NAME`", ("devices", "NAME")),
    ("`devices.NAME.threads`", ("devices", "NAME", "threads")),
    ("`memory`", ("memory",)),
    ("`memory.groups.NAME`", ("memory", "groups", "NAME")),
    ("`power`", ("power",)),
    ("`power.profiles.NAME`", ("power", "profiles", "NAME")),
    ("`power.source`", ("power", "source")),
    ("`power.source.levels[]`", ("power", "source", "levels", 0)),
    ("`island`", ("island",)),
    ("`island.joints.NAME`", ("island", "joints", "NAME")),
    ("`island.ladder_ms`", ("island", "ladder_ms")),
    ("`island.policy`", ("island", "policy")),
    ("`orchestration`", ("orchestration",)),
    ("`orchestration.modules[]`", ("orchestration", "modules", 0)),
    ("`orchestration.modules[].bytes`", ("orchestration", "modules", 0, "bytes")),
    ("`orchestration.modules[].rtc`", ("orchestration", "modules", 0, "rtc")),
    ("`orchestration.modules[].kv`", ("orchestration", "modules", 0, "kv")),
    ("`orchestration.modules[].budget`", ("orchestration", "modules", 0, "budget")),
    ("`orchestration.links[]`", ("orchestration", "links", 0)),
)

_HEAD = """\
# Manifest reference

<!-- Made from the schema by `python -m polyrhythm.manifest.reference`; do not edit by hand. -->

`manifest.yaml` is YAML 1.2 in UTF-8, one document, at most 1 MiB. Only `true` and `false` are booleans;
anchors, aliases, tags, tabs as indentation, keys given twice and keys without a value are refused. Links
may also stand in a file `link.yaml` beside it, under the one key `links`; they follow those of the manifest.

Times and rates are exact: `0.1` is one tenth, and a rate may be a fraction, `rate_hz: 1/3`. A size is a whole
number of bytes, or a number with a unit, `512 MiB` (powers of 1024) or `3.5 GB` (powers of 1000), up to the
next byte.
"""

_TABLE_HEAD = ("| key | type | default | meaning | example |", "|---|---|---|---|---|")

_CODES_HEAD = """\
## Diagnostics

An error stops the bundle from being used, a note does not.

| code | | meaning |
|---|---|---|
"""


def reference() -> str:
    """The whole page."""
    sections = [_section(title, path) for title, path in _SECTIONS]
    codes = "\n".join(f"| {code} | {_severity(code)} | {title} |" for code, title in CODES.items())
    return "\n".join([_HEAD, *sections, _CODES_HEAD + codes]) + "\n"


def _severity(code: str) -> str:
    return "note" if code.startswith("PM06") else "error"


def _section(title: str, path: Path) -> str:
    fragment = fragment_at(path)
    model = json_schema()["$defs"].get(fragment["title"], fragment)
    about = model["description"].splitlines()[0]
    return "\n".join([f"## {title}", "", about, "", *_TABLE_HEAD, *_rows(fragment), ""])


def _rows(fragment: Fragment) -> Iterator[str]:
    required = fragment.get("required", [])
    for key, value in fragment["properties"].items():
        shape = resolve(value)
        default = "**required**" if key in required else _default(shape)
        cells = [f"`{key}`", _type(shape), default, shape["description"], f"`{_example(shape)}`"]
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _type(fragment: Fragment) -> str:
    if fragment.get("type") == "object" and "properties" in fragment:
        return "mapping, see below"
    return type_text(fragment)


def _default(fragment: Fragment) -> str:
    value: Any = fragment.get("default")
    return "" if value is None or value in ([], {}) or isinstance(value, dict) else f"`{flow_text(value)}`"


def _example(fragment: Fragment) -> str:
    return flow_text(fragment["examples"][0])


if __name__ == "__main__":
    sys.stdout.write(reference())
