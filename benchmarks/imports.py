"""Models of others, imported: ONNX files of packages on PyPI, a ResNet-18, a decoder, five kinds of LeRobot.

The packages (policies of a walking and dancing humanoid, the kinematics of a small robot, a detector of file
types and one of voices) are installed without what they depend on into an environment of their own,
`.venv-imports`; nothing of them is kept in this repository. Each file becomes a bundle that is checked, or is
refused with a diagnostic; what it became, why, how far its outputs are from the original's and what a call
takes (on one thread) is one line of a table. `--quick` needs no network: only the two models that are made
here, the ResNet on ONNX Runtime alone.

LeRobot's policies have a table of their own (`lerobot_policies.py`), in the environment that
`make test-lerobot` makes; without it they are left out, which is said.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import onnx_models
from measure import Figure, finish, parser
from rich.console import Console
from rich.table import Table

from polyrhythm.compile.codes import BuildError
from polyrhythm.compile.imports.onnx_edit import Edits
from polyrhythm.compile.imports.onnx_import import import_onnx
from polyrhythm.runtime import check

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT, LEROBOT = ROOT / ".venv-imports", ROOT / ".venv-lerobot"
PACKAGES = ("holosoma-inference==0.1.3", "reachy-mini==1.13.0", "magika==1.0.3", "silero-vad==6.2.3")
_VOICE: dict[str, Any] = {"shapes": {"input": (1, 576), "state": (2, 1, 128)}, "edits": Edits({"sr": 16000})}
#: What the files leave open, by name.
OPTIONS: dict[str, dict[str, Any]] = {
    "silero_vad.onnx": _VOICE,
    "silero_vad_half.onnx": {"shapes": _VOICE["shapes"]},
    "silero_vad_16k_op15.onnx": _VOICE,
    "silero_vad_op18_ifless.onnx": _VOICE,
    "silero_vad_openvino_16k.onnx": {"shapes": _VOICE["shapes"]},
}
#: What takes a minute to compile is not compiled in a hurry.
FAST = {"resnet18.onnx": {"using": "onnxruntime"}}
LEAST = 6


@dataclass
class Row:
    """What came of one file."""

    package: str
    file: str
    nbytes: int
    to: str
    why: str
    max_rel: float | None
    latency_ms: dict[str, float]
    seconds: float


def shipped() -> list[tuple[str, Path]]:
    """The ONNX files in the packages, which are installed at the first use."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-deps"]
    subprocess.run([*pip, *PACKAGES], check=True)
    found: list[tuple[str, Path]] = []
    for site in sorted(ENVIRONMENT.glob("lib/python*/site-packages")):
        found += [(path.relative_to(site).parts[0], path) for path in sorted(site.rglob("*.onnx"))]
    return found


def made(folder: Path) -> Iterator[tuple[str, Path]]:
    """Models of other kinds."""
    yield "made here", onnx_models.resnet18(folder / "resnet18.onnx")
    yield "made here", onnx_models.decoder(folder / "decoder.onnx")


def lerobot(quick: bool) -> list[Figure]:
    """The table of LeRobot's kinds, printed there, and its figures here."""
    python, script = LEROBOT / "bin" / "python", Path(__file__).with_name("lerobot_policies.py")
    if not python.exists():
        print(
            f"LeRobot's kinds are left out: there is no {LEROBOT.name} (`make {LEROBOT.name}/.ready`)",
            file=sys.stderr,
        )
        return []
    command = [str(python), str(script), "--json", *(["--quick"] if quick else [])]
    told = subprocess.run(command, check=False, stdout=subprocess.PIPE)  # 1: a target was missed
    if not told.stdout:
        told.check_returncode()  # 0: it has said what is missing in that environment
        return []
    found = [Figure.of(figure) for figure in json.loads(told.stdout)]
    kinds = len({figure.name.partition(":")[0] for figure in found})
    return [Figure("kinds of LeRobot imported", kinds, "", 1 if quick else 5, at_least=True), *found]


def imported(package: str, path: Path, folder: Path, **options: Any) -> Row:
    """Import a file, check the bundle, and say what came of it."""
    began, out = monotonic(), folder / f"{package}-{path.stem}"
    row = Row(package, path.name, path.stat().st_size, "refused", "", None, {}, 0.0)
    try:
        report = import_onnx(path, out, force=True, **OPTIONS.get(path.name, {}), **options)
    except BuildError as error:
        row.why = f"{error.diagnostics[0].code}: {error.diagnostics[0].message}"
    else:
        row.to, row.why, row.latency_ms = report.driver, report.why, dict(report.latency_ms)
        row.max_rel = max(report.to_dict()["max_rel"].values())
        if not check(out).ok:
            row.to, row.why = "broken", "the bundle is refused by `check`"
    row.seconds = monotonic() - began
    return row


def shown(rows: list[Row]) -> None:
    """The table."""
    table = Table("package", "file", "KB", "imported to", "why", "max rel", "IREE ms", "ORT ms", "s")
    for row in rows:
        ms = [
            f"{row.latency_ms[name]:.3g}" if name in row.latency_ms else "-"
            for name in ("iree", "onnxruntime")
        ]
        error = "-" if row.max_rel is None else f"{row.max_rel:.1g}"
        table.add_row(
            row.package,
            row.file,
            str(row.nbytes // 1000),
            row.to,
            row.why[:200],
            error,
            *ms,
            f"{row.seconds:.0f}",
        )
    Console(width=150).print(table)


def main() -> int:
    """Import everything; 1 if a file is neither imported nor refused for a reason."""
    options = parser(__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, help="keep the bundles in this directory")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="polyrhythm-bench-") as temporary:
        folder = given.out or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        files = [*made(Path(temporary)), *([] if given.quick else shipped())]
        rows = [
            imported(package, path, folder, **(FAST if given.quick else {}).get(path.name, {}))
            for package, path in files
        ]
    good = [row for row in rows if row.to in ("iree", "onnxruntime")]
    figures = [
        Figure("files imported", len(good), "", 2 if given.quick else LEAST + 2, at_least=True),
        Figure(
            "files neither imported nor refused for a reason", sum(row.to == "broken" for row in rows), "", 0
        ),
        Figure("largest difference of an output, relative", max(row.max_rel or 0 for row in good), "", 1e-4),
        Figure("on IREE", sum(row.to == "iree" for row in rows), ""),
        Figure("on ONNX Runtime", sum(row.to == "onnxruntime" for row in rows), ""),
    ]
    if given.json:
        print(json.dumps([asdict(row) for row in rows], indent=1), file=sys.stderr)
    else:
        shown(rows)
    figures += lerobot(given.quick)
    return finish(figures, given.json)


if __name__ == "__main__":
    sys.exit(main())
