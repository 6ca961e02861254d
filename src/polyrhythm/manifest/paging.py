"""Paged keys and values of a module: which of its tensors they are, and what happens without room."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictInt

from polyrhythm.manifest.part import Part
from polyrhythm.manifest.values import Port


class KV(Part):
    """A sequence of tokens that grows from tick to tick, by the names that the module has for its tensors.

    How many pages there are, and how large, their shapes say.
    """

    pool: Port = Field(
        default="kv",
        description=(
            "Input with the pages, updated in place: `[pages, layers, 2, page_tokens, heads, head_dim]`. All "
            "contexts share it."
        ),
        examples=["kv"],
    )
    table: Port = Field(
        default="page_table",
        description="Input for the pages of the sequence in their order, `i32[n]`; 0 where there is none.",
        examples=["page_table"],
    )
    length: Port = Field(
        default="length",
        description="Input for the number of tokens in the sequence before the tick, `i32[]`.",
        examples=["length"],
    )
    tokens: Port = Field(
        default="tokens",
        description=(
            "Output that tells which tokens the tick has appended, `i32[n]`, at most `n`: numbers from 0 on, "
            "then -1. Sequences that begin with the same tokens share pages."
        ),
        examples=["tokens"],
    )
    on_full: Literal["reset", "slide", "stop"] = Field(
        default="reset",
        description=(
            "When the sequence has no room for another tick: `reset` begins it anew, `slide` lets go of its "
            "oldest pages, with `stop` the module's ticks fail."
        ),
        examples=["slide"],
    )
    keep_tokens: Annotated[StrictInt, Field(ge=0, le=1_000_000_000)] = Field(
        default=0,
        description="With `slide`: how many tokens of the beginning stay, in whole pages.",
        examples=[16],
    )

    @property
    def written(self) -> tuple[str, str]:
        """The inputs that the runtime writes before every tick."""
        return self.table, self.length
