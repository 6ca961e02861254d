"""Changing a few values of a manifest's text, and nothing else of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import yaml

from polyrhythm.manifest.artefact import ARTEFACT_KEYS
from polyrhythm.manifest.scalars import resolve


@dataclass(frozen=True, slots=True)
class Staged:
    """The stages of a module in order, and what each is planned to cost; no costs: none are declared."""

    entry: Sequence[str]
    cost_ms: Sequence[Fraction] = ()


def with_stages(text: str, modules: Mapping[int, Staged]) -> str:
    """The text of a sound manifest with other stages for some of its modules, by their index.

    Comments and everything else stay; comments within an `entry` or `cost_ms` that is replaced are lost.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    listed = _child(_child(yaml.compose(text, Loader=yaml.SafeLoader), "orchestration"), "modules").value
    changes: list[tuple[int, int, str]] = []
    for index, staged in modules.items():
        node = listed[index]
        values = {"entry": _flow([name_text(name) for name in staged.entry])}
        if staged.cost_ms:
            values["cost_ms"] = _flow([number_text(cost) for cost in staged.cost_ms])
        for key, value in values.items():
            changes.append(_change(text, node, key, value))
    # From the end, so that places before stay what they are.
    for begin, end, new in sorted(changes, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def _child(node: Any, key: str) -> Any:
    return next((value for name, value in node.value if name.value == key), None)


def _change(text: str, node: Any, key: str, value: str) -> tuple[int, int, str]:
    """(from, to, new text) to give a mapping's `key` a value; a missing key comes behind the artefact."""
    for name, known in node.value:
        if name.value == key and isinstance(known, yaml.SequenceNode) and not known.flow_style:
            # A block list "ends" where the next key begins: its last item says where its text does.
            colon = text.index(":", name.end_mark.index)
            return colon + 1, _end(text, known.value[-1]), f" {value}"
        if name.value == key:
            return known.start_mark.index, _end(text, known), value
    after = _end(text, next(found for key in ARTEFACT_KEYS if (found := _child(node, key))))
    if node.flow_style:
        return after, after, f", {key}: {value}"
    indent = " " * node.start_mark.column
    return after, after, f"\n{indent}{key}: {value}"


def _end(text: str, node: Any) -> int:
    """Where the text of a value ends: folded text "ends" where the next line begins."""
    return len(text[: node.end_mark.index].rstrip())


def _flow(items: Sequence[str]) -> str:
    return f"[{', '.join(items)}]"


def name_text(name: str) -> str:
    """A name as a YAML text: in quotes if it would be read as something else."""
    return name if name[0].isalpha() and isinstance(resolve(name), str) else f'"{name}"'


def number_text(value: Fraction) -> str:
    """A number as text: exact, for those that a manifest can hold."""
    return format((Decimal(value.numerator) / Decimal(value.denominator)).normalize(), "f")
