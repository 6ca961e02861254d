"""Large weights are laid out for the machine once, and mapped from then on."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import iree.runtime as rt
import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import Bundle, open_bundle
from polyrhythm.compile import BuildError, build, gate, machine, prepare, written
from polyrhythm.compile.iree_compiler import compile_source
from polyrhythm.compile.packing import pack
from polyrhythm.compile.recut import cut_bundle
from polyrhythm.hal import DeviceConfig, driver
from polyrhythm.memory import Arena

POLICY = """
import numpy as np
from polyrhythm.compile import EntrySource, ModuleSource, Policy

def act(p, x):
    return (x @ p["large"]) @ p["back"] + p["bias"]

def policy():
    rng = np.random.default_rng(0)
    large, back = (rng.standard_normal(shape).astype(np.float32) for shape in ((256, 2048), (2048, 256)))
    entry = EntrySource(act, inputs={"x": ("f32", (4, 256))}, outputs=("y",))
    weights = {"large": large, "back": back, "bias": np.ones(256, np.float32)}
    return Policy("manifest.yaml", {"net": ModuleSource(weights, {"act": entry})})
"""
MANIFEST = "orchestration: { modules: [{ id: net, vmfb: net.vmfb, rate_hz: 10 }] }\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("packing")
    (home / "policy.py").write_text(POLICY)
    (home / "manifest.yaml").write_text(MANIFEST)
    return home


@pytest.fixture(scope="module")
def portable(home: Path) -> Bundle:
    bundle = build(home / "policy.py", home / "portable", portable=True)
    assert bundle.missing == ("net.vmfb",)  # the build made code that takes the weights as they are
    prepare(bundle)
    return open_bundle(bundle.root)


@pytest.fixture(scope="module")
def ahead(home: Path) -> Bundle:
    return build(home / "policy.py", home / "ahead")


def outputs(code: Path, bundle: Bundle, weights: tuple[Path, ...]) -> tuple[np.ndarray, int]:
    """What the entry gives, and what the device allocated."""
    entry = bundle.module("net.vmfb").entries["act"]
    device = driver("iree").open(DeviceConfig("test", "local-sync"))
    arena = Arena(1 << 20)
    arrays = [arena.take("net", "tensor", tensor) for tensor in (*entry.inputs, *entry.outputs)]
    arrays[0][...] = np.random.default_rng(1).standard_normal(arrays[0].shape)
    scratch = arena.take("net", "scratch", max(1, entry.scratch_bytes))
    executable = device.load(code, [entry], weights)
    x, y = (device.buffer(array) for array in arrays)
    queue = device.queue()
    queue.submit(executable.bind("act", [x], [y], device.buffer(scratch))).wait()
    queue.close()
    allocated = int(device.statistics()["device_bytes_allocated"])
    device.close()
    return arrays[1].copy(), allocated


def test_the_same_numbers_without_a_copy_in_memory(portable: Bundle, tmp_path: Path) -> None:
    (net,) = portable.manifest.orchestration.modules
    (packed,) = portable.parameters(net)
    assert packed.suffix == ".irpa"
    assert packed.stat().st_mode & 0o777 == 0o644
    have, allocated = outputs(portable.artefacts["net.vmfb"], portable, (packed,))
    assert allocated == portable.module("net.vmfb").loaded_bytes
    assert allocated < 1 << 16

    plain = tmp_path / "plain.vmfb"
    plain.write_bytes(compile_source((portable.root / "net.mlir").read_text(), where="net").content)
    want, copied = outputs(plain, portable, (portable.root / "net.safetensors",))
    assert copied >= 4 << 20
    assert np.array_equal(have, want)


def test_a_bundle_with_machine_code_brings_its_packed_weights(ahead: Bundle, portable: Bundle) -> None:
    assert ahead.missing == ()
    assert ahead.module("net.vmfb").packed == "net.irpa"
    (net,) = ahead.manifest.orchestration.modules
    assert ahead.parameters(net) == (ahead.root / "net.irpa",)
    have, _ = outputs(ahead.artefacts["net.vmfb"], ahead, ahead.parameters(net))
    want, _ = outputs(portable.artefacts["net.vmfb"], portable, portable.parameters(net))
    assert np.array_equal(have, want)


@pytest.fixture
def half_zeros(monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoder that goes wrong: the archive is whole, half of its numbers are zeros."""

    def broken(*arguments: Any) -> None:
        pack(*arguments)
        archive = Path(arguments[-1])
        content = archive.read_bytes()
        archive.write_bytes(content[: len(content) // 2].ljust(len(content), b"\0"))

    monkeypatch.setattr(written, "pack", broken)


@pytest.mark.usefixtures("half_zeros")
@pytest.mark.parametrize(("limit_ms", "code"), [(None, "PK020"), (1e-9, "PK040")])
def test_what_is_in_the_bundle_is_what_was_compared(
    home: Path, tmp_path: Path, limit_ms: float | None, code: str
) -> None:
    with pytest.raises(BuildError) as caught:
        build(home / "policy.py", tmp_path / "bundle", max_stage_ms=limit_ms)
    assert [found.code for found in caught.value.diagnostics] == [code]
    assert not (tmp_path / "bundle").exists()


@pytest.mark.usefixtures("half_zeros")
def test_what_is_cut_again_is_compared_as_it_is_written(ahead: Bundle, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="PK040"):
        cut_bundle(ahead.root, tmp_path / "cut", 1e-9)


def test_every_call_of_the_gate_is_of_what_the_bundle_holds(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And there is one call for a module."""
    seen, run = [], gate.run

    def spy(code: Path, weights: Sequence[Path], *more: Any) -> Any:
        seen.append((sha256(code.read_bytes()).hexdigest(), [file.name for file in weights]))
        return run(code, weights, *more)

    monkeypatch.setattr(gate, "run", spy)
    bundle = build(home / "policy.py", tmp_path / "bundle")
    assert seen == [(bundle.lock.files["net.vmfb"].sha256, ["net.irpa"])]


def originals(archive: Path) -> set[str]:
    """What an archive has beside what the encoder made."""
    index = rt.ParameterIndex()
    index.load(str(archive))
    return {key for key, _ in index.items() if not key.startswith("parameter")}


def test_an_original_is_kept_only_if_the_code_asks_for_it(portable: Bundle, tmp_path: Path) -> None:
    """By its name, not by one that is part of another: `l` is in nearly every word. So many long names are a
    member of their own in the file of the code."""
    assert originals(portable.packed["net.vmfb"]) == {"bias"}
    names = [f"{'long' * 60}{index}" for index in range(20)]
    (tmp_path / "policy.py").write_text(
        POLICY.replace('p["large"]', 'p["l"]')
        .replace('"large": large', f'"l": large, **{{name: large[0, :256] for name in {names}}}')
        .replace('p["bias"]', f"sum(x * p[name] for name in {names})")
    )
    (tmp_path / "manifest.yaml").write_text(MANIFEST)
    bundle = build(tmp_path / "policy.py", tmp_path / "bundle")
    assert originals(bundle.packed["net.vmfb"]) == set(names)


def test_packed_weights_that_rot_are_made_anew(portable: Bundle) -> None:
    packed = portable.packed["net.vmfb"]
    whole = packed.read_bytes()
    packed.write_bytes(whole[:-1] + b"?")
    again = open_bundle(portable.root)
    assert again.missing == ("net.vmfb",)
    prepare(again)
    assert packed.read_bytes() == whole


def test_code_that_wants_its_weights_as_they_are_is_noted_so(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "policy.py").write_text(
        POLICY.replace('(x @ p["large"]) @ p["back"]', 'x + (p["large"] * x[0, 0]).sum(axis=1)')
    )
    (tmp_path / "manifest.yaml").write_text(MANIFEST)
    bundle = build(tmp_path / "policy.py", tmp_path / "bundle", portable=True)
    prepare(bundle)
    monkeypatch.setattr(machine, "compile_packed", lambda *_, **__: pytest.fail("tried again"))
    again = open_bundle(bundle.root)
    assert not again.missing
    assert not again.packed
    prepare(again)


def test_an_encoder_that_does_not_run_leaves_nothing(
    portable: Bundle, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    weights = [portable.root / "net.safetensors"]
    with pytest.raises(BuildError) as caught:
        pack(portable.artefacts["net.vmfb"].read_bytes(), b"", weights, tmp_path / "archive.irpa")
    assert str(caught.value).replace(str(portable.root), "BUNDLE") == snapshot
    assert not (tmp_path / "archive.irpa").exists()
