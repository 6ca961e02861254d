"""From models to bundles, and from portable bundles to machine code.

    bundle = build("examples/dual_system/policy.py", "bundle", portable=True)    # needs its framework: `jax`
    artefacts = prepare(open_bundle("bundle"))                                   # needs the extra `compile`

`build` runs a policy description (`Policy`), lets the front ends of its frameworks lower its functions to
StableHLO (`polyrhythm.compile.frontends`), merges the entries of each module into one source with shared
weights beside it, compiles it with IREE, holds every output against the framework, and writes bundle and
lock, all or nothing. `prepare` makes the machine code that a bundle lacks on the machine at hand and keeps
it in a cache. `lock_existing` writes the lock for modules from elsewhere.
`cut_bundle`, and `build` with `max_stage_ms`, cut what takes long into stages (`polyrhythm.compile.stages`).

Never imported at run time.
"""

from polyrhythm.compile.codes import CODES, BuildError, MissingExtra
from polyrhythm.compile.existing import lock_existing
from polyrhythm.compile.machine import prepare
from polyrhythm.compile.pipeline import build
from polyrhythm.compile.policy import EntrySource, ModuleSource, Policy
from polyrhythm.compile.progress import progress_bar
from polyrhythm.compile.recut import cut_bundle

__all__ = [
    "CODES",
    "BuildError",
    "EntrySource",
    "MissingExtra",
    "ModuleSource",
    "Policy",
    "build",
    "cut_bundle",
    "lock_existing",
    "prepare",
    "progress_bar",
]
