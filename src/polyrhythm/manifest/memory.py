"""How much memory a bundle may occupy, and what is planned of it: the declared side of the ledger."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from polyrhythm.manifest.part import Part, one_or_many_schema
from polyrhythm.manifest.values import MAX_NAME_LENGTH, NAME_PATTERN, Name, Size, SizeOrZero, one_or_many

_MODULE_NAME = {"type": "string", "pattern": f"^{NAME_PATTERN}$", "maxLength": MAX_NAME_LENGTH}


class Group(Part):
    """Modules with a hard budget in common: what they allocate beyond it is their error alone."""

    modules: Annotated[
        tuple[Name, ...],
        Field(min_length=1, max_length=256),
        BeforeValidator(one_or_many),
        one_or_many_schema(_MODULE_NAME),
    ] = Field(description="The modules; each in one group at most.", examples=[["vit", "depth"]])
    budget: Size = Field(
        description="What they may occupy together, all contexts and their weights included.",
        examples=["512 MiB"],
    )


class Memory(Part):
    """The memory that a bundle may occupy."""

    total: Size | None = Field(
        default=None,
        description="What there is for all bundles of the machine; not judged if absent.",
        examples=["8 GiB"],
    )
    process: Size | None = Field(
        default=None,
        description="What the process itself takes: interpreter, libraries, robot adapter.",
        examples=["150 MiB"],
    )
    groups: dict[Name, Group] = Field(
        default={},
        description="Groups of modules by name, each with a hard budget.",
        max_length=64,
        examples=[{"perception": {"modules": ["vit", "depth"], "budget": "512 MiB"}}],
    )

    def groups_of(self, module: str) -> tuple[str, ...]:
        """The group of a module: one name, or none."""
        return tuple(name for name, group in self.groups.items() if module in group.modules)


class Bytes(Part):
    """Planned memory of a module: weights, packed, code and pages of `kv` once, all else in each context."""

    weights: SizeOrZero | None = Field(default=None, description="Weights.", examples=["1.8 GiB"])
    packed: SizeOrZero | None = Field(
        default=None, description="Weights as the machine code lays them out anew.", examples=["1.8 GiB"]
    )
    code: SizeOrZero | None = Field(default=None, description="Machine code.", examples=["4 MiB"])
    kv: SizeOrZero | None = Field(
        default=None, description="Pages of keys and values; of a module without `kv`, in each context.",
        examples=["256 MiB"],
    )  # fmt: skip
    state: SizeOrZero | None = Field(
        default=None, description="What the module updates in place, from tick to tick.", examples=["1 MiB"]
    )
    slot: SizeOrZero | None = Field(
        default=None, description="All slots of its linked outputs.", examples=["12 MiB"]
    )
    chunk: SizeOrZero | None = Field(
        default=None, description="All buffers of its action chunks.", examples=["64 KiB"]
    )
    inner: SizeOrZero | None = Field(
        default=None, description="Tensors between its stages.", examples=["16 MiB"]
    )
    input: SizeOrZero | None = Field(
        default=None, description="Inputs that the runtime writes, such as noise.", examples=["64 KiB"]
    )
    scratch: SizeOrZero | None = Field(
        default=None, description="What a call needs beside inputs and outputs.", examples=["64 MiB"]
    )

    @property
    def declared(self) -> dict[str, int]:
        """Bytes by kind, of those that are declared."""
        return {kind: nbytes for kind, nbytes in self.model_dump().items() if nbytes is not None}
