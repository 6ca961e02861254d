"""Small bundles for the null driver: real manifests and locks around models that do nothing."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from polyrhythm.bundle import Lock, LockedEntry, LockedFile, LockedMachineCode, LockedModule, host, write_lock
from polyrhythm.bundle.lock import LockedTensor

MANIFEST = """\
name: duet
devices:
  cpu: { driver: "null", uri: immediate }
orchestration:
  modules:
  - id: vlm
    vmfb: vlm.vmfb
    rate_hz: 10
    cost_ms: 15
  - id: head
    vmfb: head.vmfb
    rate_hz: 50
    cost_ms: [1, 2]
    entry: [encode, step]
  links:
  - from: vlm.hidden
    to: head.condition
    max_age_ms: 250
"""


def _tensor(name: str, *shape: int) -> LockedTensor:
    return LockedTensor(name=name, dtype="f32", shape=list(shape))


def modules() -> dict[str, LockedModule]:
    """`vlm.vmfb` gives ``hidden``; `head.vmfb` takes it as ``condition`` in two stages."""
    code = LockedMachineCode(arch=host().arch, cpu="generic")
    vlm = {"main": LockedEntry(inputs=[], outputs=[_tensor("hidden", 4, 8)])}
    head = {
        "encode": LockedEntry(inputs=[_tensor("condition", 4, 8)], outputs=[_tensor("state", 16)]),
        "step": LockedEntry(
            inputs=[_tensor("state", 16)], outputs=[_tensor("actions", 16, 4)], scratch_bytes=64
        ),
    }
    return {
        "vlm.vmfb": LockedModule(machine_code=code, loaded_bytes=0, entries=vlm),
        "head.vmfb": LockedModule(
            machine_code=code, loaded_bytes=0, entries=head, operations={"stablehlo.add": 3}
        ),
    }


def make_bundle(
    root: Path, manifest: str = MANIFEST, found: Mapping[str, LockedModule] | None = None
) -> Path:
    """Write the bundle to `root`; `found` are its modules, if not those of `modules`."""
    root.mkdir(parents=True)
    (root / "manifest.yaml").write_text(manifest)
    found = found or modules()
    for name in found:
        (root / name).write_bytes(b"nothing to run: " + name.encode())
    files = {
        path.name: LockedFile(sha256=sha256(path.read_bytes()).hexdigest(), size=path.stat().st_size)
        for path in sorted(root.iterdir())
    }
    write_lock(Lock(files=files, modules=dict(found)), root)
    return root
