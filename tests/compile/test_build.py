"""`build`: a bundle that opens, agrees with the framework, and is the same every time; or nothing at all."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from safetensors.numpy import load_file
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import Bundle, BundleError, Tensor, open_bundle
from polyrhythm.compile import CODES, BuildError, EntrySource, build, prepare, progress_bar
from polyrhythm.compile import gate as gate_module

from .conftest import MANIFEST, NEIGHBOUR, POLICY, write_policy

Refused = Callable[..., str]


def _names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def _content(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


# -- what is in it -------------------------------------------------------------------------------------------


def test_its_files_are_portable(built: Bundle) -> None:
    assert sorted(_content(built.root)) == [
        "act.mlir", "act.safetensors", "bundle.lock", "eye.mlir", "eye.safetensors", "manifest.yaml",
    ]  # fmt: skip
    source = (built.root / "act.mlir").read_text()
    assert "loc(" not in source
    assert str(built.root) not in source
    assert 'dense<"0x' not in source, "weights belong beside the source"
    assert built.artefacts.keys() == {"eye.vmfb", "act.vmfb"}
    assert all(built.root not in path.parents for path in built.artefacts.values())


def test_its_signatures(built: Bundle) -> None:
    entries = built.module("act.vmfb").entries
    assert sorted(entries) == ["finish", "start", "step"]
    step = entries["step"]
    assert [tensor.name for tensor in step.inputs] == ["cond", "x", "t", "dt"]
    assert step.inputs[2] == Tensor("t", "f32", ())
    assert step.outputs == (Tensor("x", "f32", (16, 4)), Tensor("t", "f32", ()))
    assert built.module("eye.vmfb").entries["encode"].inputs[1] == Tensor("word", "i32", (8,))


def test_its_lock(built: Bundle) -> None:
    eye = built.module("eye.vmfb")
    assert eye.source == "eye.mlir"
    assert eye.machine_code is None
    assert eye.parameters.files == ["eye.safetensors"]
    assert (eye.parameters.count, eye.parameters.size) == (3, 4 * (64 * 32 + 3 + 5 * 32))
    assert eye.operations["stablehlo.dot_general"] == 1
    assert eye.operation_count > 5
    assert eye.compiler is not None
    assert "--iree-global-opt-data-tiling" in eye.compiler.flags
    assert set(eye.frontend) == {"jax"}
    for module in built.modules.values():
        for entry in module.signatures.values():
            assert entry.caller_owned
            assert entry.gate is not None
            assert list(entry.gate.outputs) == sorted(tensor.name for tensor in entry.outputs)
            assert all(error.max_rel <= 1e-5 for error in entry.gate.outputs.values())


def test_weights_can_be_read_by_anybody(built: Bundle) -> None:
    weights = load_file(built.root / "eye.safetensors")
    assert {name: array.shape for name, array in weights.items()} == {
        "w": (64, 32), "unused": (3,), "table": (5, 32),
    }  # fmt: skip


def test_two_builds_are_equal_to_the_byte(built: Bundle, tmp_path: Path) -> None:
    """In another process, from another directory, with other hashes."""
    script = (
        "import sys; from polyrhythm.compile import build; build(sys.argv[1], sys.argv[2], portable=True)"
    )
    file, out = write_policy(tmp_path / "elsewhere"), tmp_path / "bundle"
    environment = os.environ | {"PYTHONHASHSEED": "4711"}
    command = [sys.executable, "-X", "dev", "-W", "error::ResourceWarning", "-c", script, str(file), str(out)]
    subprocess.run(command, env=environment, check=True)
    assert _content(out) == _content(built.root)


def test_it_can_be_moved(built: Bundle, tmp_path: Path) -> None:
    shutil.copytree(built.root, tmp_path / "moved")
    moved = open_bundle(tmp_path / "moved")
    assert moved.artefacts == built.artefacts


def test_a_link_file_comes_along(tmp_path: Path) -> None:
    before, after = MANIFEST.split("  links:\n")
    file = write_policy(tmp_path / "p", manifest=before)
    (file.parent / "link.yaml").write_text("links:\n" + after)
    bundle = build(file, tmp_path / "bundle", portable=True)
    assert len(bundle.manifest.orchestration.links) == 1
    assert "link.yaml" in bundle.lock.files


def test_progress(policy_file: Path, tmp_path: Path) -> None:
    with progress_bar(Console(file=open(os.devnull, "w"))) as progress:  # noqa: PTH123
        build(policy_file, tmp_path / "bundle", portable=True, progress=progress)
        (task,) = progress.tasks
        assert (task.completed, task.total) == (6, 6)
        assert task.description == "built bundle"


# -- machine code in it --------------------------------------------------------------------------------------


def test_with_machine_code_for_this_cpu(policy_file: Path, tmp_path: Path) -> None:
    bundle = build(policy_file, tmp_path / "bundle")
    assert bundle.artefacts == {name: bundle.root / name for name in ("eye.vmfb", "act.vmfb")}
    code = bundle.module("act.vmfb").machine_code
    assert code is not None
    assert code.features
    assert prepare(bundle) == bundle.artefacts


def test_with_machine_code_for_another(policy_file: Path, built: Bundle, tmp_path: Path) -> None:
    bundle = build(policy_file, tmp_path / "bundle", target_cpu="aarch64/cortex-a78")
    code = bundle.module("eye.vmfb").machine_code
    assert code is not None
    assert (code.arch, code.cpu) == ("aarch64", "cortex-a78")
    assert "asimddp" in code.features
    # The source beside it lets this machine run it nevertheless.
    assert [found.code for found in bundle.diagnostics] == ["PB020", "PB020"]
    assert bundle.artefacts == built.artefacts
    # Without it, the bundle is refused here.
    lock = json.loads((bundle.root / "bundle.lock").read_text())
    lock["modules"]["eye.vmfb"]["source"] = None
    (bundle.root / "bundle.lock").write_text(json.dumps(lock))
    with pytest.raises(BundleError, match="PB012"):
        open_bundle(bundle.root)


def test_portable_and_for_a_cpu_contradict_each_other(policy_file: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="portable"):
        build(policy_file, tmp_path / "bundle", portable=True, target_cpu="x86-64-v3")


# -- all or nothing ------------------------------------------------------------------------------------------


def _nothing(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("where", ["gate.run", "write_lock", "open_new", "_copy_manifest"])
def test_an_interrupted_build_leaves_the_old_bundle(
    where: str, policy_file: Path, built: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "bundle"
    shutil.copytree(built.root, out)
    before = _content(out)
    monkeypatch.setattr(f"polyrhythm.compile.pipeline.{where}", _nothing)
    with pytest.raises(KeyboardInterrupt):
        build(policy_file, out, portable=True)
    assert _content(out) == before
    assert _names(tmp_path) == ["bundle"]


def test_a_new_build_replaces_the_old_one_whole(policy_file: Path, tmp_path: Path) -> None:
    build(policy_file, tmp_path / "bundle")
    bundle = build(policy_file, tmp_path / "bundle", portable=True)
    assert "eye.vmfb" not in _content(bundle.root)
    assert _names(tmp_path) == ["bundle"]


# -- what is refused -----------------------------------------------------------------------------------------


def _policy(**changes: str) -> str:
    """The policy with ``old => new`` replaced."""
    text = POLICY
    for change in changes.values():
        old, new = change.split(" => ")
        assert old in text
        text = text.replace(old, new)
    return text


SPOILT: dict[str, tuple[str, dict[str, str]]] = {
    "no_such_file": ("PK001", {}),
    "raises": ("PK001", {"policy": _policy(a="    rng = => \n    rng = 1 / 0  #")}),
    "import_fails": ("PK001", {"policy": _policy(a="import neighbour => import neighbor")}),
    "no_function": ("PK001", {"policy": _policy(a="def policy => def police")}),
    "returns_something_else": ("PK001", {"policy": "def policy():\n    return {}\n"}),
    "no_source": ("PK002", {"policy": _policy(a='"eye": => "eyes":')}),
    "no_such_stage": ("PK004", {"manifest": MANIFEST.replace("[start, step, step", "[start, stpe, step")}),
    "odd_entries": (
        "PK005",
        {
            "policy": _policy(
                a='("hidden",) => "hidden"',
                b='("cond", "x", "t", "dt") => ("x", "x", "t", "dt")',
                c='{"x": x}, ("actions",) => {"x": ("float32", (16, -4))}, ("actions",), consumed=("y",)',
            )
        },
    ),
    "wrong_number_of_outputs": ("PK005", {"policy": _policy(a='("x", "t") => ("x",)')}),
    "wide_numbers": ("PK005", {"policy": _policy(a='"word": ("i32" => "word": ("i64"')}),
    "odd_parameters": (
        "PK006",
        {"policy": _policy(a='"b": draw(4) => "b": np.array(["text"]), "": draw(1)')},
    ),
    "wide_parameters": ("PK006", {"policy": _policy(a='"b": draw(4) => "b": draw(4).astype(np.float64)')}),
    "shared_files": ("PK007", {"manifest": MANIFEST.replace("act.safetensors", "eye.safetensors")}),
    "weights_where_packed_ones_go": (
        "PK007",
        {"manifest": MANIFEST.replace("act.safetensors", "act.irpa")},
    ),
    "code_of_iree_in_another_file": (
        "PK008",
        {"manifest": MANIFEST.replace("vmfb: eye.vmfb", "artefact: eye.onnx")},
    ),
    "cannot_be_lowered": (
        "PK010",
        {"neighbour": NEIGHBOUR.replace("return jnp.clip", "return x if x[0, 0] > 0 else jnp.clip")},
    ),
    "shapes_that_do_not_fit": (
        "PK010",
        {"neighbour": NEIGHBOUR.replace("hidden @ p[", "(hidden + noise) @ p[")},
    ),
    "returns_nothing": ("PK005", {"neighbour": NEIGHBOUR.replace("return jnp.clip", "jnp.clip")}),
    "another_result": (
        "PK020",
        {"policy": _policy(a='("actions",) => ("actions",), tolerance=0.0')},
    ),
    "nowhere_finite": (
        "PK023",
        {"neighbour": NEIGHBOUR.replace("return jnp.clip(x, -1.0, 1.0)", "return jnp.log(-jnp.exp(x))")},
    ),
    "odd_sample": (
        "PK005",
        {"policy": _policy(a='("actions",) => ("actions",), samples=lambda rng: {"x": [1.0]}')},
    ),
    "manifest_none": ("PK001", {"policy": _policy(a='"manifest.yaml" => None')}),
    "modules_in_a_list": (
        "PK001",
        {"policy": _policy(a="def policy(): => def policy():\n    return Policy('m', [])")},
    ),
    "module_named_by_a_number": ("PK001", {"policy": _policy(a='"eye": M => 3: M')}),
    "other_types": (
        "PK005",
        {
            "policy": _policy(
                a='{"depth": ("f32", (8, 64)), "word": ("i32", (8,))} => [("f32", (8, 64))]',
                b='("cond", "x", "t", "dt") => (["cond"], "x")',
                c='"t": scalar, "dt": scalar} => "t": (["f32"], ())}',
                d='("actions",) => None, consumed=3, samples={}, tolerance="low"',
            )
        },
    ),
    "tolerance_without_an_end": (
        "PK005",
        {"policy": _policy(a='("actions",) => ("actions",), tolerance=1e999')},
    ),
    "entries_in_a_list": (
        "PK005",
        {
            "policy": "from polyrhythm.compile import *\ndef policy():\n"
            "    return Policy('manifest.yaml', {'eye': ModuleSource({}, [1])})\n"
        },
    ),
    "parameters_in_none": (
        "PK006",
        {"policy": _policy(a="                hand, => None,", b="                eye, => [],")},
    ),
    "ragged_parameter": ("PK006", {"policy": _policy(a='"b": draw(4) => "b": [[1.0], [1.0, 2.0]]')}),
    "samples_that_raise": (
        "PK005",
        {"policy": _policy(a='("actions",) => ("actions",), samples=lambda rng: {"x": 1 / 0}')},
    ),
    "samples_that_are_a_number": (
        "PK005",
        {"policy": _policy(a='("actions",) => ("actions",), samples=lambda rng: 3')},
    ),
    "ragged_sample": (
        "PK005",
        {"policy": _policy(a='("actions",) => ("actions",), samples=lambda rng: {"x": [[1], [1, 2]]}')},
    ),
    "manifest": ("PM024", {"manifest": MANIFEST.replace("rate_hz: 3", "rate_hz: 0")}),
}


@pytest.mark.parametrize("case", SPOILT)
def test_what_cannot_be_built(
    case: str, tmp_path: Path, refused: Refused, snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, changes = SPOILT[case]
    file = write_policy(tmp_path / "p", **changes)
    if case == "no_such_file":
        file.unlink()
    if case == "another_result":
        _falsify(monkeypatch)
    text = refused(file, portable=True)
    assert code in text
    assert text == snapshot


def _falsify(monkeypatch: pytest.MonkeyPatch) -> None:
    """The framework disagrees about one element of one output."""
    from polyrhythm.compile import jax_frontend

    honest = jax_frontend.reference

    def reference(entry: EntrySource, *rest: object) -> list[tuple[np.ndarray, ...]]:
        found = honest(entry, *rest)  # type: ignore[arg-type]
        if tuple(entry.outputs) != ("actions",):
            return found
        return [(np.where(np.arange(64).reshape(16, 4) == 5, 0.5, array),) for (array,) in found]

    monkeypatch.setattr(jax_frontend, "reference", reference)


def test_a_source_that_nothing_uses(tmp_path: Path, refused: Refused, snapshot: SnapshotAssertion) -> None:
    manifest = "orchestration:\n  modules:\n  - { id: eye, vmfb: eye.vmfb, rate_hz: 3 }\n"
    assert refused(write_policy(tmp_path / "p", manifest=manifest)) == snapshot


def test_an_unknown_cpu(policy_file: Path, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    said = []
    for cpu in ("x86_64/znver44", "generic"):
        with pytest.raises(BuildError) as caught:
            build(policy_file, tmp_path / "bundle", target_cpu=cpu)
        text = str(caught.value).replace(str(policy_file), "policy.py")
        said.append(re.sub(r"(allowed: nocona, core2).*", r"\1, ...", text))
    assert said == snapshot
    assert _names(tmp_path) == []


def test_without_the_extras(policy_file: Path, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """What a machine without JAX, and one without the compiler, says."""
    script = """
import sys
sys.modules[sys.argv[3]] = None
from polyrhythm.compile import build, MissingExtra
try:
    build(sys.argv[1], sys.argv[2], portable=True)
except MissingExtra as error:
    print(error)
"""
    policy = "from polyrhythm.compile import *\nimport numpy as np\ndef policy():\n" + (
        "    e = EntrySource(lambda p, x: x, {'x': ('f32', (1,))}, ('y',))\n"
        "    return Policy('manifest.yaml', {'a': ModuleSource({}, {'f': e})})\n"
    )
    manifest = "orchestration:\n  modules:\n  - { id: a, vmfb: a.vmfb, rate_hz: 3 }\n"
    file = write_policy(tmp_path / "p", policy, manifest)
    said = [
        subprocess.run(
            [sys.executable, "-c", script, str(file), str(tmp_path / "bundle"), package],
            capture_output=True, text=True, check=True,
        ).stdout
        for package in ("jax", "iree.compiler")
    ]  # fmt: skip
    assert said == snapshot


def test_every_code_is_tested() -> None:
    here = {code for code, _ in SPOILT.values()} - {"PM024"}
    elsewhere = {
        "PK003",
        "PK011",
        "PK012",
        "PK013",
        "PK014",
        "PK015",
        "PK021",
        "PK022",
        "PK030",
        "PK031",
        "PK032",
        "PK033",
        "PK050",
        "PK051",
    }
    elsewhere |= {"PK016", "PK040", "PK041", "PK042", "PK043"}  # test_packing.py, test_stages.py
    assert here | elsewhere == set(CODES)
    assert gate_module.SAMPLES >= 2
