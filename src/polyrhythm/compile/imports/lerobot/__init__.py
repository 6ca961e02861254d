"""`import lerobot`: a policy directory of LeRobot becomes a bundle that runs without LeRobot and PyTorch.

    import_lerobot("outputs/train/act/checkpoints/last/pretrained_model", "bundle")

ACT is one entry; Diffusion, SmolVLA, pi0 and pi0.5 are split into what is computed once for a chunk and a
step that is repeated. Normalisation is compiled in. One file for each kind says how (`act`, `diffusion`,
`vla`); `files` reads the directory, `loading` makes the policy with LeRobot's own code, and nothing is taken
from a hub but the configuration of SmolVLA's language model, unless that is in the directory too.
"""

from __future__ import annotations

import sys
import tempfile
from importlib import import_module
from pathlib import Path

from rich.progress import Progress

from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.imports.lerobot.description import GUIDANCE, manifest_text
from polyrhythm.compile.imports.lerobot.files import Checkpoint, read_checkpoint
from polyrhythm.compile.imports.report import Report, report_of
from polyrhythm.compile.imports.write import check_new
from polyrhythm.compile.machine_size import check_size
from polyrhythm.compile.pipeline import build_policy
from polyrhythm.compile.policy import Policy
from polyrhythm.manifest import MANIFEST_FILE

__all__ = ["GUIDANCE", "import_lerobot", "read_checkpoint"]

_MODULES = {"act": "act", "diffusion": "diffusion", "smolvla": "vla", "pi0": "vla", "pi05": "vla"}
_LEAST_PYTHON = (3, 12)


def import_lerobot(
    directory: str | Path,
    out: str | Path,
    *,
    control_hz: float = 30,
    guidance: str = "identity",
    portable: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Make the bundle `out` of the policy in `directory`, as `policy.save_pretrained` writes it.

    Args:
        control_hz: the rate of the robot that the policy was trained on.
        guidance: how a chunk is drawn toward the one being played, one of `GUIDANCE`: what the manifest asks
            for; a bundle of a flow-matching policy has the steps for all.
        portable, progress: see `polyrhythm.compile.build`.
        force: replace a bundle that is there.

    Raises:
        BuildError: PI005, PI052 to PI054, PI060 to PI064, or what a build raises; `out` is as it was.
    """
    if guidance not in GUIDANCE:
        raise ValueError(f"no guidance is called {guidance!r}; there are {', '.join(GUIDANCE)}")
    check_new(Path(out).absolute(), force=force)
    checkpoint = read_checkpoint(directory)
    _check_python(checkpoint)
    from polyrhythm.compile.imports.lerobot.loading import load

    policy = load(checkpoint)
    described = import_module(f"{__name__}.{_MODULES[checkpoint.kind]}").describe(policy, checkpoint)
    for name, entry in described.source.entries.items():
        check_size(sum(tensor.nbytes for tensor in entry.tensors), f"what its {name} takes")
    changed = list(described.notes)
    with tempfile.TemporaryDirectory(prefix="polyrhythm-") as temporary:
        text = manifest_text(checkpoint.kind, described, control_hz=control_hz, guidance=guidance)
        Path(temporary, MANIFEST_FILE).write_text(text, encoding="utf-8")
        bundle = build_policy(
            Policy(MANIFEST_FILE, {"policy": described.source}), temporary, out,
            called=str(directory), portable=portable, progress=progress, told=changed.append,
        )  # fmt: skip
    return report_of(str(directory), bundle, f"LeRobot's {checkpoint.kind}", changed)


def _check_python(checkpoint: Checkpoint) -> None:
    if sys.version_info >= _LEAST_PYTHON:
        return
    version, least = (".".join(map(str, found)) for found in (sys.version_info[:2], _LEAST_PYTHON))
    message = f"LeRobot needs Python {least}, and this is {version}"
    mend = f"import it in an environment with Python {least}, after `pip install 'polyrhythm[lerobot]'`"
    raise BuildError(problem("PI064", checkpoint.root, message, version, f"Python {least} or later", mend))
