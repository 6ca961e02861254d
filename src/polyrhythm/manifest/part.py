"""What the models of all parts of a manifest are made of."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, WithJsonSchema


class Part(BaseModel):
    """What all parts of a manifest have in common: no unknown keys, no change after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def one_or_many_schema(item: dict[str, Any]) -> WithJsonSchema:
    """One item, or a list of them."""
    return WithJsonSchema({"anyOf": [item, {"type": "array", "items": item, "minItems": 1}]})
