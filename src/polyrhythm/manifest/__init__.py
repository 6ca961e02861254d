"""The manifest: what a bundle declares, and the judgement of that declaration.

A manifest is a YAML text that names the compiled models of a bundle, the rate of each, the tensors they hand
each other and the robot they drive. This room turns the text into frozen models, or into diagnostics that say
where each problem stands and how to mend it; all of them at once, none of them as an exception.

    loaded = load("bundle/manifest.yaml")
    for diagnostic in loaded.diagnostics:
        print(diagnostic.render())
    if loaded.manifest is not None:
        for module in loaded.manifest.orchestration.modules:
            print(module.id, module.period_ns, module.deadline_ns)

Only the text is judged here: whether the files exist and whether the tensors fit is for the rooms that open
the bundle. They speak with the same `Diagnostic` and find their place with `Loaded.locate`.
"""

from polyrhythm.manifest.chunking import Rtc, Steps
from polyrhythm.manifest.codes import CODES
from polyrhythm.manifest.diagnostics import Diagnostic, Location, Severity, nearest, render_all
from polyrhythm.manifest.island import Island, IslandPolicy, Joint, Ladder
from polyrhythm.manifest.jsonschema import json_schema
from polyrhythm.manifest.loader import (
    LINK_FILE,
    MANIFEST_FILE,
    Loaded,
    ManifestError,
    load,
    load_or_raise,
    loads,
)
from polyrhythm.manifest.power import Level, Power, PowerProfile, PowerSource
from polyrhythm.manifest.schema import (
    MODES,
    ROBOT,
    RUNNING_MODES,
    RUNTIME,
    Action,
    Device,
    Dtype,
    Link,
    Manifest,
    Mode,
    Module,
    Observation,
    OnOverrun,
    OnStale,
    Orchestration,
    Qos,
    Robot,
)
from polyrhythm.manifest.values import Endpoint

__all__ = [
    "CODES",
    "LINK_FILE",
    "MANIFEST_FILE",
    "MODES",
    "ROBOT",
    "RUNNING_MODES",
    "RUNTIME",
    "Action",
    "Device",
    "Diagnostic",
    "Dtype",
    "Endpoint",
    "Island",
    "IslandPolicy",
    "Joint",
    "Ladder",
    "Level",
    "Link",
    "Loaded",
    "Location",
    "Manifest",
    "ManifestError",
    "Mode",
    "Module",
    "Observation",
    "OnOverrun",
    "OnStale",
    "Orchestration",
    "Power",
    "PowerProfile",
    "PowerSource",
    "Qos",
    "Robot",
    "Rtc",
    "Severity",
    "Steps",
    "json_schema",
    "load",
    "load_or_raise",
    "loads",
    "nearest",
    "render_all",
]
