"""`import torch`: programs and modules of PyTorch as bundles that agree with it, or a reason why not."""

from __future__ import annotations

import re
import shutil
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import Bundle, Tensor, open_bundle
from polyrhythm.compile import EntrySource, torch_frontend
from polyrhythm.compile.imports.torch_import import import_torch
from polyrhythm.compile.source import merge
from polyrhythm.compile.weights import numpy_dtype
from polyrhythm.runtime import check

from .player import Player

torch = pytest.importorskip("torch", reason="needs the extra `torch`: see `make test-torch`")
pytest.importorskip("torch_mlir", reason="needs the extra `torch`: see `make test-torch`")

MODELS = "tests.compile.imports.torch_models"


def imported(source: str, out: Path, **options: Any) -> Bundle:
    """The new bundle."""
    import_torch(source, out, **options)
    return open_bundle(out)


def call(bundle: Bundle, entry: str, **inputs: object) -> dict[str, np.ndarray]:
    """One call of an entry."""
    player = Player(bundle)
    found = player.call(entry, **inputs)
    player.close()
    return found


@pytest.fixture(scope="module")
def two_rates(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Look, do not touch."""
    return imported(f"{MODELS}:two_rates", tmp_path_factory.mktemp("out") / "bundle")


def test_an_mlp_gives_what_pytorch_gives(out: Path) -> None:
    from .torch_models import Mlp

    bundle = imported(f"{MODELS}:mlp", out, name="mlp")
    assert sorted(path.name for path in out.iterdir()) == [
        "bundle.lock", "manifest.yaml", "mlp.mlir", "mlp.safetensors", "mlp.vmfb",
    ]  # fmt: skip
    state = np.linspace(-1, 1, 6, dtype=np.float32)
    wanted = Mlp()(torch.from_numpy(state)).detach().numpy()
    np.testing.assert_allclose(call(bundle, "forward", state=state)["output"], wanted, rtol=0, atol=1e-5)


def test_entries_share_the_weights_by_the_names_of_the_checkpoint(two_rates: Bundle) -> None:
    from safetensors.numpy import load_file

    from .torch_models import TwoRates

    weights = load_file(two_rates.root / "torch_models.safetensors")
    net = TwoRates()
    state = net.state_dict()
    assert weights.keys() == state.keys()
    for name, array in weights.items():
        np.testing.assert_array_equal(array, state[name].numpy())
    text = (two_rates.root / "torch_models.mlir").read_text()
    assert text.count('named<"model"::"words.weight">') == 1, "one copy for both entries"
    assert 'dense<"0x' not in text and "dense_resource" not in text


def test_the_lock_holds_gate_and_versions(two_rates: Bundle) -> None:
    module = two_rates.module("torch_models.vmfb")
    assert module.frontend.keys() == {"torch", "torch-mlir"}
    for entry, output in (("encode", "hidden"), ("act", "output")):
        gate = module.signatures[entry].gate
        assert gate is not None and gate.outputs[output].max_rel <= 1e-4
    assert module.entries["encode"].outputs == (Tensor("hidden", "f32", (21, 32)),)


def test_entries_that_pass_tensors_on_become_stages(two_rates: Bundle) -> None:
    (module,) = two_rates.manifest.orchestration.modules
    assert module.stages == ("encode", "act")
    assert not [found for found in check(two_rates.root).diagnostics if found.is_error]


@pytest.mark.parametrize(
    ("outputs", "extents"), [(("b", "a"), [2, 4]), (("a", "b"), [4, 2]), (("c", "d"), [4, 2])]
)
def test_a_dictionary_is_taken_by_the_names_of_its_outputs(
    outputs: tuple[str, str], extents: list[int]
) -> None:
    """Names that are not its keys are other names for them, in their order."""
    entry = EntrySource(lambda p, x: {"a": x * 2, "b": x[:2] - 1}, {"x": ("f32", (4,))}, outputs)
    source = merge({"f": torch_frontend.lower(entry, {}, "m.f")}, {})
    assert [(t.name, *t.shape) for t in source.outputs["f"]] == list(zip(outputs, extents, strict=True))
    (found,) = torch_frontend.reference(entry, {}, [{"x": np.ones(4, np.float32)}])
    assert [array.size for array in found] == extents


def test_keys_and_values_are_written_in_place(out: Path) -> None:
    from .torch_models import Decoder

    bundle = imported(f"{MODELS}:decoder", out)
    net, kv = Decoder(), np.zeros((2, 16, 4, 8), np.float32)
    wanted_kv = torch.zeros(2, 16, 4, 8)
    for position, token in enumerate((3, 1, 4, 1, 5)):
        wanted = net.decode(torch.tensor(token), torch.tensor(position), wanted_kv)
        found = call(bundle, "decode", token=token, position=position, kv=kv)
        kv, wanted_kv = found["kv"], wanted["kv"]
        for name in ("logits", "kv"):
            np.testing.assert_allclose(found[name], wanted[name].detach().numpy(), rtol=0, atol=1e-5)
    assert bundle.module("torch_models.vmfb").entries["decode"].consumed == {"kv"}


def test_guided_steps_differentiate_through_the_model(out: Path) -> None:
    """The Jacobian is that of PyTorch's autograd, in both its kinds; without weight it is the plain step."""
    from .torch_models import flow

    bundle = imported(f"{MODELS}:flow", out)
    rng = np.random.default_rng(5)
    x, target = rng.standard_normal((2, 8, 3)).astype(np.float32)
    given = {"seen": np.ones(4, np.float32), "x": x, "t": np.float32(0.4), "dt": np.float32(0.2)}
    mask = {"target": target, "weights": np.linspace(1, 0, 8, dtype=np.float32), "beta": np.float32(5)}
    plain = call(bundle, "step", **given)["x"]
    found = {name: call(bundle, f"step_{name}", **given, **mask)["x"] for name in ("identity", "vjp")}
    assert np.abs(found["identity"] - found["vjp"]).max() > 1e-3, "they are not the same"
    assert np.abs(found["vjp"] - plain).max() > 1e-2
    none = {**mask, "weights": np.zeros(8, np.float32)}
    for method in ("identity", "vjp"):
        free = call(bundle, f"step_{method}", **given, **none)["x"]
        np.testing.assert_allclose(free, plain, rtol=0, atol=1e-6)
    # By hand, from the whole Jacobian.
    source = flow()
    velocity = source.entries["step"].fn.__closure__[0].cell_contents  # type: ignore[attr-defined]
    seen, t = torch.ones(4), torch.tensor(0.4)
    leaf = torch.from_numpy(x)
    end = lambda x: x + (1 - t) * velocity({}, seen, x, t)  # noqa: E731
    jacobian = torch.autograd.functional.jacobian(end, leaf)
    error = (torch.from_numpy(target) - end(leaf)) * torch.linspace(1, 0, 8)[:, None]
    pulled = torch.einsum("hakb,ha->kb", jacobian, error)
    strength = min(5.0, (0.4**2 + 0.6**2) / (0.4 * 0.6))
    wanted = leaf + 0.2 * (velocity({}, seen, leaf, t) + strength * pulled)
    np.testing.assert_allclose(found["vjp"], wanted.detach().numpy(), rtol=0, atol=1e-5)


def test_an_exported_program(tmp_path: Path, out: Path) -> None:
    from .torch_models import Mlp

    file = tmp_path / "arm.pt2"
    torch.export.save(torch.export.export(Mlp().eval(), (torch.zeros(6),)), file)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # PyTorch's own words are no part of what is told
        bundle = imported(str(file), out)
    assert bundle.manifest.name == "arm"
    state = np.linspace(-1, 1, 6, dtype=np.float32)
    wanted = Mlp()(torch.from_numpy(state)).detach().numpy()
    np.testing.assert_allclose(call(bundle, "forward", state=state)["output"], wanted, rtol=0, atol=1e-5)
    assert "layers.0.weight" in (out / "arm.mlir").read_text()


def test_truth_values_as_constants(out: Path) -> None:
    bundle = imported(f"{MODELS}:masked", out)
    found = call(bundle, "forward", x=np.ones(6, np.float32))["output"]
    np.testing.assert_array_equal(found, [1, 0, 2, 3, 0, 4])


def test_bf16_weights_stay_bf16(tmp_path: Path, out: Path) -> None:
    file = tmp_path / "half.py"
    file.write_text(
        "import torch\n"
        "def make():\n"
        "    torch.manual_seed(0)\n"
        "    layers = torch.nn.Linear(8, 16), torch.nn.LayerNorm(16), torch.nn.Linear(16, 4)\n"
        "    net = torch.nn.Sequential(*layers)\n"
        "    return net.to(torch.bfloat16), torch.zeros(3, 8, dtype=torch.bfloat16)\n"
    )
    bundle = imported(f"{file}:make", out)
    module = bundle.module("half.vmfb")
    assert module.entries["forward"].outputs == (Tensor("output", "bf16", (3, 4)),)
    assert module.parameters.size == 2 * (8 * 16 + 16 + 32 + 16 * 4 + 4)
    text = (out / "half.mlir").read_text()
    arithmetic = re.findall(r"stablehlo\.(?:reduce|dot_general|add|multiply).*f64", text)
    assert not arithmetic, "sums are float32, as PyTorch's are"
    assert numpy_dtype("bf16").itemsize == 2


def test_what_was_changed_is_told(out: Path) -> None:
    report = import_torch(f"{MODELS}:mlp", out)
    assert report.driver == "iree" and report.gates["forward"].outputs["output"].max_rel < 1e-5
    assert report.changed == (
        "torch_models.forward: addmm is a product and a sum",
        "torch_models.forward: layer normalisation is written out, with float32 sums",
    )


def test_a_bundle_runs_without_pytorch(two_rates: Bundle, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(two_rates.root, copy)
    assert open_bundle(copy).module("torch_models.vmfb").entries.keys() == {"encode", "act"}


# -- what cannot be imported ---------------------------------------------------------------------------------

FUNCTIONS = {
    "fft": "return torch.fft.rfft(x).abs()",
    "branch": "return x if x.sum() > 0 else -x",
    "sort by value": "return x[x > 0]",
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_operations_without_a_way(name: str, tmp_path: Path, refused, snapshot: SnapshotAssertion) -> None:
    file = tmp_path / "model.py"
    file.write_text(
        "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        f"        {FUNCTIONS[name]}\n\n\ndef make():\n    return Net(), torch.ones(8)\n"
    )
    assert refused(f"{file}:make") == snapshot


WRONG = {
    "wrong shapes": "return torch.nn.Linear(4, 2), torch.zeros(5)",
    "no such method": "return torch.nn.Linear(4, 2), {'run': {'input': torch.zeros(4)}}",
    "wrong arguments": "return torch.nn.Linear(4, 2), {'forward': {'state': torch.zeros(4)}}",
    "not tensors": "return torch.nn.Linear(4, 2), {'forward': {'input': 3}}",
    "no examples": "return torch.nn.Linear(4, 2), {}",
    "not a pair": "return torch.nn.Linear(4, 2)",
    "returns no tensor": (
        "return type('Net', (torch.nn.Module,), {'forward': lambda self, x: 3})(), torch.ones(2)"
    ),
    "raises": "raise ValueError('no checkpoint here')",
    "absurd input": "return torch.nn.Linear(4, 2), torch.zeros(1, dtype=torch.float32).expand(1 << 50, 4)",
    "absurd weights": (
        "return torch.nn.Linear(1 << 24, 1 << 24, device='meta'), {'forward': {'input': torch.zeros(4)}}"
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_functions_that_do_not_fit(name: str, tmp_path: Path, refused, snapshot: SnapshotAssertion) -> None:
    file = tmp_path / "model.py"
    file.write_text(f"import torch\n\n\ndef make():\n    {WRONG[name]}\n")
    assert refused(f"{file}:make") == snapshot


def test_a_function_that_is_not_there(tmp_path: Path, refused, snapshot: SnapshotAssertion) -> None:
    (tmp_path / "model.py").write_text("import torch\n")
    assert [refused(f"{tmp_path}/{name}") for name in ("model.py:make", "other.py:make")] == snapshot


@pytest.mark.parametrize("keep", [0, 200, -400])
def test_a_truncated_program(keep: int, tmp_path: Path, refused, snapshot: SnapshotAssertion) -> None:
    file = tmp_path / "arm.pt2"
    torch.export.save(torch.export.export(torch.nn.Linear(4, 2), (torch.zeros(4),)), file)
    content = file.read_bytes()
    file.write_bytes(content[:keep] if keep else b"PK\x03\x04 not what it seems")
    assert refused(str(file)) == snapshot


def test_a_program_that_unpacks_to_more_than_there_is(tmp_path: Path, refused, snapshot) -> None:
    import struct
    import zipfile

    file = tmp_path / "arm.pt2"
    with zipfile.ZipFile(file, "w") as archive:
        for index in range(1024):
            archive.writestr(f"arm/data/weights/weight_{index}", b"0")
    content = bytearray(file.read_bytes())
    place = content.find(b"PK\x01\x02")
    while place >= 0:  # the size that the directory states: 4 GiB each
        content[place + 24 : place + 28] = struct.pack("<I", 0xFFFFFFF0)
        place = content.find(b"PK\x01\x02", place + 4)
    file.write_bytes(content)
    assert refused(str(file)) == snapshot
