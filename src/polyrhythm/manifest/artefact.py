"""What has code in the bundle: a module of the orchestration, the island's policy."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field

from polyrhythm.manifest.part import Part, one_or_many_schema
from polyrhythm.manifest.values import PARAMETER_FILE, BundlePath, Name, ParameterPath, one_or_many

#: The artefact is named under exactly one of these.
ARTEFACT_KEYS = ("vmfb", "artefact")


class Identified(Part):
    """What is referred to by its name, which comes first."""

    id: Name = Field(description="Name of the module; not `robot` or `runtime`.", examples=["dit"])


class WithArtefact(Part):
    """What names a compiled model of the bundle and its weights."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": [key]} for key in ARTEFACT_KEYS]},
    )

    vmfb: BundlePath | None = Field(
        default=None,
        description="The compiled artefact of a module of IREE, a file of the bundle.",
        examples=["dit.vmfb"],
    )
    artefact_: BundlePath | None = Field(
        default=None,
        alias="artefact",
        description="The artefact of a module of any driver, a file of the bundle; in the place of `vmfb`.",
        examples=["dit.onnx"],
    )
    parameters: Annotated[
        tuple[ParameterPath, ...], BeforeValidator(one_or_many), one_or_many_schema(PARAMETER_FILE)
    ] = Field(default=(), description="Weights, one file or a list.", examples=["dit.safetensors"])

    @property
    def artefact_key(self) -> str:
        """The key under which the manifest names the artefact: one of `ARTEFACT_KEYS`."""
        return "artefact" if self.vmfb is None else "vmfb"

    @property
    def artefact(self) -> str:
        """The file of the bundle that holds the module, under whichever of the two keys."""
        name = self.artefact_ if self.vmfb is None else self.vmfb
        assert name is not None  # the loader refuses a module without one (PM021)
        return name
