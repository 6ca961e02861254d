"""The examples as bundles, for benchmarks that go through all of them: those in the repository, and the
others, which are built. Whoever is left out is told, with the reason.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator
from pathlib import Path

from polyrhythm.bundle import Bundle, open_bundle
from polyrhythm.compile import BuildError, build
from polyrhythm.compile.pipeline import build_policy
from polyrhythm.compile.policy import open_policy

EXAMPLES = Path(__file__).parents[1] / "examples"
KINETIX, HUMANOID = EXAMPLES / "kinetix", EXAMPLES / "humanoid"
#: Heads of the benchmark that no manifest of the repository names.
HEAD = """\
name: {name}
orchestration: { modules: [{ id: head, vmfb: head.vmfb, rate_hz: 10 }] }
"""


def bundles(place: Path, quick: bool) -> Iterator[tuple[str, Bundle]]:
    """Every example that has modules; a quick run leaves out those that have to be built, in `place`."""
    for root in sorted(EXAMPLES.iterdir()):
        if (root / "bundle" / "bundle.lock").is_file():
            yield root.name, open_bundle(root / "bundle")
        elif root == HUMANOID or (root / "policy.py").is_file():
            if quick:
                leave_out(root.name, "a quick run builds nothing")
            elif root == KINETIX:
                yield from heads(place)
            elif root == HUMANOID:
                yield from humanoid(place)
            else:
                yield root.name, build(root / "policy.py", place / root.name, portable=True)


def leave_out(name: str, why: str) -> None:
    """Say that an example is not among them."""
    print(f"{name}: left out: {why}", file=sys.stderr)


def heads(place: Path) -> Iterator[tuple[str, Bundle]]:
    """The trained heads of all cases of `examples/kinetix`."""
    file = KINETIX / "policy.py"
    with open_policy(file):
        described = runpy.run_path(str(file))
        for case in described["CASES"]:
            root = place / f"{case}-source"
            root.mkdir()
            (root / "manifest.yaml").write_text(HEAD.replace("{name}", case))
            made = build_policy(
                described["policy"](case), root, place / case, called=file, portable=True
            )  # fmt: skip
            yield f"kinetix {case}", made


def humanoid(place: Path) -> Iterator[tuple[str, Bundle]]:
    """Somebody else's policy, if it is here."""
    try:
        walk = runpy.run_path(str(HUMANOID / "walk.py"), run_name="walk")
        if not (policy := walk["PLACE"] / walk["POLICY"]).exists():
            leave_out("humanoid", "its policy is not here; `python examples/humanoid/walk.py` gets it")
            return
        walk["import_onnx"](policy, place / "humanoid", edits=walk["Edits"](no_batch=True), using="iree")
    except (ImportError, BuildError) as problem:
        leave_out("humanoid", str(problem).partition("\n")[0])
        return
    yield "humanoid", open_bundle(place / "humanoid")
