"""What an installation weighs: size on disk, time to import, and memory while a bundle plays.

Every tier is installed from this checkout into an environment of its own, then `examples/tiny` is run there,
which has machine code in its bundle and so needs no compiler:

- ``core``: ``pip install .``
- ``core + EXTRA``: what an extra adds on disk (a full run only).

``tiny`` is what runs networks without Python and without IREE: what `polyrhythm island export` writes, for
an island of two joints whose policy is a static plan (that of `examples/prior`, narrower).
"""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from measure import Figure, arguments, finish

ROOT = Path(__file__).parents[1]
BUNDLE = ROOT / "examples" / "tiny" / "bundle"
EXTRAS = ("compile", "observe", "onnxruntime", "openvino", "litert", "ncnn", "mnn")
SECONDS = "1"
#: Of the tiny tier's policy.
WIDTHS = (15, 64, 48, 2)
MANIFEST = """\
name: tiny
robot: { use: balancer, control_hz: 100, action: { dtype: f32, shape: [4] } }
island:
  policy: { vmfb: prior.vmfb }
  joints:
    left: { velocity: 40, torque: 0.15, torque_rate: 200, kp: 1, kd: 0.05 }
    right: { velocity: 40, torque: 0.15, torque_rate: 200, kp: 1, kd: 0.05 }
  sensors: 7
devices: { cpu: { driver: static } }
orchestration: { modules: [{ id: prior, vmfb: prior.vmfb, rate_hz: 10 }] }
"""
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


def tiny(place: Path) -> Iterator[Figure]:
    """The files of an exported island, whose policy is a static plan."""
    from polyrhythm.bundle import open_bundle
    from polyrhythm.compile import Policy, prepare
    from polyrhythm.compile.pipeline import build_policy
    from polyrhythm.runtime.island_export import export_island

    prior = runpy.run_path(str(ROOT / "examples" / "prior" / "policy.py"))["prior"](WIDTHS)
    (place / "manifest.yaml").write_text(MANIFEST)
    policy = Policy("manifest.yaml", {"prior": prior})
    build_policy(policy, place, place / "bundle", called=Path(__file__), portable=True)
    prepare(open_bundle(place / "bundle"))
    sizes = export_island(open_bundle(place / "bundle"), place / "island")
    for name, nbytes in sizes.items():
        yield Figure(f"tiny: {name}", nbytes / 1024, "KiB")
    yield Figure("tiny: all together", sum(sizes.values()) / 1024, "KiB", 1024)


def main() -> int:
    args = arguments(__doc__ or "")
    figures = list(installed(args.quick))
    with tempfile.TemporaryDirectory() as folder:
        figures += tiny(Path(folder))
    return finish(figures, args.json)


if __name__ == "__main__":
    sys.exit(main())
