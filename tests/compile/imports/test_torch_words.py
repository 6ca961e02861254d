"""What `import torch` says and writes, as far as that needs no PyTorch."""

from __future__ import annotations

import importlib.util
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from polyrhythm.compile import BuildError, EntrySource, ModuleSource, iree_compiler
from polyrhythm.compile.frontends import frontend
from polyrhythm.compile.imports.lerobot.description import Description
from polyrhythm.compile.imports.lerobot.description import manifest_text as lerobot_manifest
from polyrhythm.compile.imports.torch_import import import_torch, manifest_text
from polyrhythm.compile.imports.write import module_id, rate_text
from polyrhythm.compile.torch_frontend import operation_of, to_stablehlo
from polyrhythm.compile.torch_lowering import signless
from polyrhythm.manifest import loads
from polyrhythm.manifest.values import MAX_HZ
from tests.effort import examples

AT = 'error: "-":6:10: failed to legalize operation '
X, Y = ("f32", (4,)), ("f32", (5,))


def source(**entries: tuple[dict, tuple[str, ...]]) -> ModuleSource:
    made = {name: EntrySource(lambda: None, inputs, outputs) for name, (inputs, outputs) in entries.items()}
    return ModuleSource({"w": np.zeros(1, np.float32)}, made, frontend="torch")


def modules(made: ModuleSource) -> dict[str, tuple[str, ...]]:
    loaded = loads(manifest_text("arm", made, 10, "arm.pt2"))
    assert loaded.manifest is not None, loaded.diagnostics
    return {module.id: tuple(module.stages or ()) for module in loaded.manifest.orchestration.modules}


def test_entries_that_pass_tensors_on_are_stages_of_one_module() -> None:
    made = source(see=({"x": X}, ("h",)), act=({"h": Y, "x": X}, ("a",)))
    assert modules(made) == {"arm": ("see", "act")}


def test_other_entries_are_modules_that_share_their_weights() -> None:
    apart = source(see=({"x": X}, ("h",)), act=({"y": X}, ("a",)))
    assert modules(apart) == {"see": ("see",), "act": ("act",)}
    # One name for two things: as stages they would contradict each other.
    torn = source(prefill=({"tokens": X}, ("kv",)), decode=({"kv": X, "tokens": Y}, ("kv", "logits")))
    assert modules(torn) == {"prefill": ("prefill",), "decode": ("decode",)}


@pytest.mark.parametrize("name", ["robot", "control", "3dof", "2024", "null", "true", "-", "é", "a b"])
def test_whatever_it_is_called_the_manifest_is_sound(name: str) -> None:
    one = source(forward=({"x": X}, ("y",)))
    loaded = loads(manifest_text(module_id(name), one, 10, name))
    assert loaded.manifest is not None, loaded.diagnostics
    assert loaded.manifest.orchestration.modules[0].id == module_id(name)


def test_methods_whose_names_mean_something_else() -> None:
    apart = source(control=({"x": X}, ("h",)), true=({"y": X}, ("a",)))
    assert modules(apart) == {"control_model": ("control",), "true_model": ("true",)}


@examples(100)
@given(st.floats(0.1, MAX_HZ), st.integers(1, 1000))
def test_rates_are_written_as_they_are(hz: float, actions: int) -> None:
    made = source(forward=({"x": X}, ("y",)))
    described = Description(made, {"x": X}, 4, 2 * actions, ("forward",))
    for text in (
        manifest_text("arm", made, hz, "arm.pt2"),
        lerobot_manifest("arm", described, control_hz=hz, guidance="none"),
    ):
        loaded = loads(text)
        assert "rate_hz" in text and not [d for d in loaded.errors if "rate" in d.message], loaded.errors
    assert abs(Fraction(rate_text(hz)) - Fraction(hz)) < Fraction(1, 10**9)


def test_a_rate_keeps_its_digits() -> None:
    rates = [30, 29.97002997, 30000 / 1001, 1e6, 0.1, 1e-3]
    assert [rate_text(hz) for hz in rates] == [
        "30", "29.97002997", "29.97002997003", "1000000", "0.1", "0.001",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("errors", "name"),
    [
        ("", None),
        ("Traceback\nValueError: nothing known", None),
        (f"{AT}'torch.aten.fft_rfft': %7 = \"torch.aten.fft_rfft\"(%6)", "aten.fft_rfft"),
        (f"{AT}'torch.operator': %1 = x\nnote: %1 = torch.operator \"torch.aten.nope\"(%0)", "aten.nope"),
    ],
)
def test_the_operation_that_torch_mlir_complains_of(errors: str, name: str | None) -> None:
    found, reason = operation_of(errors)
    assert found == name
    assert "%" not in reason and '"-"' not in reason


def test_constants_of_truth_values_lose_their_sign_where_nothing_else_has_one() -> None:
    body = (
        "%c = stablehlo.constant dense<[1, 0]> : tensor<2xui8>\n%0 = f(%c) : (tensor<2xui8>) -> tensor<ui8>"
    )
    head = "func.func @main(%arg0: tensor<2xf32>) -> tensor<f32> {\n"
    assert "ui8" not in signless(head + body) and signless(head + body).count("i8>") == 3
    picture = "func.func @main(%arg0: tensor<4x4x3xui8>) -> tensor<f32> {\n"
    assert signless(picture + body) == picture + body


def test_a_lowering_that_needs_too_much_memory(
    monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    """More text than the process may hold."""
    monkeypatch.setattr(iree_compiler, "_memory_kib", lambda: 128 << 10)
    with pytest.raises(BuildError) as caught:
        to_stablehlo(" " * (128 << 20), None, "arm.act")
    assert str(caught.value) == snapshot


def test_no_such_front_end() -> None:
    with pytest.raises(ValueError, match="no front end is called 'caffe'; there are jax, torch"):
        frontend("caffe")


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="PyTorch is installed")
def test_without_pytorch(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    with pytest.raises(BuildError) as caught:
        import_torch("arm.pt2", tmp_path / "bundle")
    assert str(caught.value) == snapshot


def test_a_lowering_that_takes_too_long(snapshot: SnapshotAssertion) -> None:
    with pytest.raises(BuildError) as caught:
        to_stablehlo("", None, "arm.step", timeout_s=0)
    assert str(caught.value) == snapshot
