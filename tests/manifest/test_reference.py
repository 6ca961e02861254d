"""The JSON Schema for editors and the reference page made from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from polyrhythm.manifest import json_schema, loads
from polyrhythm.manifest.jsonschema import example_text, fragment_at, resolve
from polyrhythm.manifest.reference import reference

from .bad import MODULES
from .bad import module as only_module
from .texts import GOOD

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "manifest.md"


def properties() -> list[tuple[str, str, dict[str, Any]]]:
    """Every key of every mapping, as (mapping, key, schema)."""
    schema = json_schema()
    models = {"Manifest": schema, **schema["$defs"]}
    return [
        (name, key, value) for name, model in models.items() for key, value in model["properties"].items()
    ]


def test_reference_page_is_current() -> None:
    assert PAGE.read_text() == reference(), "run `python -m polyrhythm.manifest.reference` again"


def test_every_key_is_explained_with_an_example() -> None:
    for model, key, value in properties():
        shape = resolve(value)
        assert shape.get("description"), f"{model}.{key}"
        assert shape.get("examples"), f"{model}.{key}"


def test_schema_uses_the_words_of_the_text() -> None:
    module = fragment_at(("orchestration", "modules", 0))
    assert "class" in module["properties"]
    assert set(fragment_at(("orchestration", "links", 0))["required"]) == {"from", "to"}
    assert fragment_at(("orchestration", "mode"))["enum"][:3] == ["sequential", "pipelined", "parallel"]


def test_changing_the_schema_that_was_given_out_changes_nothing() -> None:
    json_schema()["$defs"].clear()
    assert json_schema()["$defs"]


def test_examples_are_good_manifests() -> None:
    for key in ("version", "name", "devices"):
        assert loads(example_text((key,)) + "\n" + MODULES).errors == (), key
    assert loads(example_text(("orchestration",))).diagnostics == ()
    module = ("orchestration", "modules", 0)
    assert loads(MODULES.replace("vmfb: vlm.vmfb", example_text((*module, "artefact")))).errors == ()
    # A device needs a declaration and a list of costs needs stages; the others stand for themselves.
    for key in set(fragment_at(module)["properties"]) - {"id", "vmfb", "artefact", "rate_hz", "cost_ms"}:
        assert loads(only_module(example_text((*module, key)))).errors == (), key


@pytest.mark.parametrize("name", GOOD)
def test_json_schema_accepts_good_manifests(name: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json_schema())
    jsonschema.Draft202012Validator.check_schema(json_schema())
    validator.validate(yaml.safe_load(GOOD[name]))
    assert not validator.is_valid({"orchestration": {"modules": [], "colour": 1}})
    assert not validator.is_valid({**yaml.safe_load(GOOD[name]), "robot": None})
