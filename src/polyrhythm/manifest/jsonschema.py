"""The manifest's JSON Schema, for editors, for the reference and for the words of the diagnostics."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import NullableSchema, WithDefaultSchema

from polyrhythm.manifest.diagnostics import Path, value_text
from polyrhythm.manifest.schema import Manifest

Fragment = dict[str, Any]

_TYPES = {
    "string": "text", "integer": "whole number", "number": "number", "boolean": "`true` or `false`",
    "object": "mapping", "array": "list",
}  # fmt: skip


class _AsWritten(GenerateJsonSchema):
    """Keys stay in the order of the models, which is the order people write them in; what may be absent has
    no value for that."""

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:
        return value

    def nullable_schema(self, schema: NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: WithDefaultSchema) -> JsonSchemaValue:
        made = super().default_schema(schema)
        return {key: value for key, value in made.items() if (key, value) != ("default", None)}


@cache
def _schema() -> Fragment:
    schema = Manifest.model_json_schema(by_alias=True, schema_generator=_AsWritten)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Polyrhythm manifest",
        **{key: value for key, value in schema.items() if key != "title"},
    }


def json_schema() -> Fragment:
    """The JSON Schema (draft 2020-12) of ``manifest.yaml``; a new copy each time, free to be changed.

    What needs two places of the text at once (a link to an unknown module, say) is beyond JSON Schema; the
    loader checks it.
    """
    return deepcopy(_schema())


def fragment_at(path: Path) -> Fragment:
    """The part of the schema that speaks of `path`; empty where the schema says nothing."""
    fragment = resolve(_schema())
    for part in path:
        if isinstance(part, int):
            inner = fragment.get("items")
        else:
            inner = fragment.get("properties", {}).get(part, _named_values(fragment))
        if not isinstance(inner, dict):
            return {}
        fragment = resolve(inner)
    return fragment


def _named_values(fragment: Fragment) -> Any:
    """What a mapping from free names says of its values; None if its keys are fixed."""
    by_pattern = fragment.get("patternProperties", {})
    return next(iter(by_pattern.values()), fragment.get("additionalProperties"))


def resolve(fragment: Fragment) -> Fragment:
    """`fragment` with its reference followed.

    What stands beside a reference (description, default, examples) overrides what it refers to.
    """
    if "$ref" in fragment:
        name = fragment["$ref"].rsplit("/", 1)[-1]
        fragment = {**_schema()["$defs"][name], **{k: v for k, v in fragment.items() if k != "$ref"}}
    return fragment


def type_text(fragment: Fragment) -> str:
    """What a fragment allows, in words: "whole number from 1 to 64", "list, each a name"."""
    if "enum" in fragment:
        return ", ".join(f"`{choice}`" for choice in fragment["enum"])
    if "anyOf" in fragment:
        return " or ".join(type_text(resolve(option)) for option in fragment["anyOf"])
    kind = fragment.get("type", "")
    if kind == "array":
        items = resolve(fragment.get("items", {}))
        return "list of mappings" if "properties" in items else "list, each a " + type_text(items)
    if kind == "string":
        return _string_text(fragment)
    if kind == "object":
        return _object_text(fragment)
    return _TYPES.get(kind, "anything") + _range_text(fragment)


def _object_text(fragment: Fragment) -> str:
    inner = _named_values(fragment)
    if isinstance(inner, dict):
        inner = resolve(inner)
        return "mapping, each value a " + ("mapping" if "properties" in inner else type_text(inner))
    keys = fragment.get("properties", {})
    return "mapping with the keys " + ", ".join(f"`{key}`" for key in keys) if keys else "mapping"


def _string_text(fragment: Fragment) -> str:
    if "maxLength" in fragment:
        return "name"
    if "examples" in fragment and "description" not in fragment:  # one way among others to write a value
        return f"text such as `{fragment['examples'][0]}`"
    return "text"


def _range_text(fragment: Fragment) -> str:
    low, high = fragment.get("minimum"), fragment.get("maximum")
    if low is not None and low == high:
        return f" {low}"
    if "exclusiveMinimum" in fragment:
        return f" above {fragment['exclusiveMinimum']}, up to {high}"
    if high is not None:
        return f" from {low} to {high}"
    return f", {low} or more" if low is not None else ""


def example_text(path: Path) -> str:
    """An example of the key at `path`, or of the nearest key around it that has one: ``rate_hz: 10``."""
    for length in range(len(path), 0, -1):
        examples = fragment_at(path[:length]).get("examples")
        if examples and isinstance(path[length - 1], str):
            return f"{path[length - 1]}: {flow_text(examples[0])}"
    return f"orchestration: {flow_text(fragment_at(('orchestration',))['examples'][0])}"


def flow_text(value: Any) -> str:
    """A value in YAML's flow style."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key}: {flow_text(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(flow_text(item) for item in value) + "]"
    return value if isinstance(value, str) and value else value_text(value)
