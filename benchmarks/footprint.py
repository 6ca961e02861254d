"""What an installation weighs: size on disk, time to import, and memory while a bundle plays.

Every tier is installed from this checkout into an environment of its own, then `examples/tiny` is run there,
which has machine code in its bundle and so needs no compiler:

- ``core``: ``pip install .``
- ``core + EXTRA``: what an extra adds on disk (a full run only).

``tiny`` is what runs networks without Python and without IREE: the island, the runner of static plans and a
plan with its kernels, stripped.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import which
from statistics import median

from measure import Figure, arguments, finish

ROOT = Path(__file__).parents[1]
BUNDLE = ROOT / "examples" / "tiny" / "bundle"
EXTRAS = ("compile", "observe", "onnxruntime", "openvino", "litert", "ncnn", "mnn")
SECONDS = "1"
#: What pip brings itself.
_TOOLS = ("pip", "setuptools", "wheel", "pkg_resources", "_distutils_hack", "distutils-precedence.pth")
_PROBE = """\
import json, resource, sys, time
begun = time.process_time()
import polyrhythm.runtime
imported = time.process_time() - begun
from polyrhythm.cli import main
sys.argv = ["polyrhythm", *sys.argv[1:]]
try:
    main()
except SystemExit as end:
    code = end.code or 0
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"import_s": imported, "peak_kb": peak, "code": code, "modules": len(sys.modules)}))
"""


def environment(place: Path, extra: str | None = None) -> Path:
    """A new environment with the checkout in it; its Python."""
    target = place / (extra or "core")
    _run([sys.executable, "-m", "venv", target])
    wanted = f"{ROOT}[{extra}]" if extra else str(ROOT)
    pip = [target / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    _run([*pip, "-c", ROOT / "constraints.txt", wanted])
    return target / "bin" / "python"


def site_bytes(python: Path) -> int:
    """Size of its packages, without pip and compiled Python code."""
    site = next(python.parents[1].glob("lib/python3*/site-packages"))
    return sum(
        path.stat().st_size
        for item in site.iterdir()
        if not item.name.startswith(_TOOLS)
        for path in ([item] if item.is_file() else item.rglob("*"))
        if path.is_file() and path.suffix != ".pyc"
    )


def plays(python: Path, times: int) -> tuple[float, float]:
    """Seconds of computing to import the runtime, and peak MB, of a process that plays the bundle."""
    found = []
    for _ in range(times):
        command = [python, "-c", _PROBE, "run", BUNDLE, "--seconds", SECONDS, "--quiet", "--json"]
        said = _run(command, cwd=python.parent)
        found.append(json.loads(said.splitlines()[-1]))
        if found[-1]["code"]:
            raise SystemExit(f"the bundle does not run with the core alone:\n{said}")
    return median(f["import_s"] for f in found), median(f["peak_kb"] for f in found) * 1024 / 1e6


def _run(command: Sequence[object], cwd: Path | None = None) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def installed(quick: bool) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="polyrhythm-footprint-") as folder:
        place = Path(folder)
        python = environment(place)
        core_mb = site_bytes(python) / 1e6
        import_s, peak_mb = plays(python, 2 if quick else 5)
        yield Figure("core: on disk", core_mb, "MB", 150)
        yield Figure("core: import of polyrhythm.runtime, computing", import_s * 1e3, "ms", 1500)
        yield Figure("core: memory of a process that plays examples/tiny, peak", peak_mb, "MB", 120)
        for extra in () if quick else EXTRAS:
            more_mb = site_bytes(environment(place, extra)) / 1e6 - core_mb
            yield Figure(f"core + {extra}: on disk, more", more_mb, "MB")


def native(place: Path) -> Iterator[Figure]:
    """Binary sizes, stripped."""
    from polyrhythm.compile.machine import plan_here
    from polyrhythm.hal.native import RUNNER, compile_c
    from polyrhythm.island.build import program

    strip = which("strip")
    sizes = {"island": program(), "runner of static plans": compile_c(RUNNER, name="runner")}
    total = 0
    for name, path in sizes.items():
        copy = place / path.name
        copy.write_bytes(path.read_bytes())
        if strip:
            _run([strip, copy])
        total += copy.stat().st_size
        yield Figure(f"tiny: {name}", copy.stat().st_size / 1024, "KiB")
    plan = plan_here((BUNDLE / "hand.mlir").read_text(), where="hand.mlir")
    for name, path in {"a plan (examples/tiny, hand)": plan.path, "its kernels": plan.library}.items():
        total += path.stat().st_size
        yield Figure(f"tiny: {name}", path.stat().st_size / 1024, "KiB")
    network = ROOT / "examples" / "three_rates" / "balance.net"
    total += network.stat().st_size
    yield Figure("tiny: a network of the island (examples/three_rates)", network.stat().st_size / 1024, "KiB")
    yield Figure("tiny: all together", total / 1024, "KiB", 1024)


def main() -> int:
    args = arguments(__doc__ or "")
    figures = list(installed(args.quick))
    with tempfile.TemporaryDirectory() as folder:
        figures += native(Path(folder))
    return finish(figures, args.json)


if __name__ == "__main__":
    sys.exit(main())
