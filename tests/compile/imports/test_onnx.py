"""`import onnx`: where models go, what is changed of them, and every reason to refuse one."""

# ruff: noqa: E402
from __future__ import annotations

import json
import struct
from collections.abc import Callable
from contextlib import suppress
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion
from typer.testing import Result

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

from safetensors.numpy import load_file

from polyrhythm.bundle import Bundle, Tensor, open_bundle
from polyrhythm.compile import written
from polyrhythm.compile.chain import Chain
from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.imports import onnx_import, onnx_model, onnx_shapes
from polyrhythm.compile.imports.onnx_edit import Edits
from polyrhythm.compile.imports.onnx_import import import_onnx
from polyrhythm.hal import DeviceConfig
from polyrhythm.runtime import Runtime, check
from polyrhythm.runtime.costs import packages
from tests.cli.conftest import cli  # noqa: F401
from tests.effort import examples

from . import models

Edit = Callable[[Any], None]
SEEDS = [make().SerializeToString() for make in (models.branch, models.two_named_axes, models.unsigned)]


@pytest.fixture(autouse=True)
def few_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a call takes is no matter here."""
    monkeypatch.setattr(onnx_import, "_ROUNDS", 1)


def imported(proto: Any, root: Path, name: str = "net", **more: Any) -> tuple[Bundle, Any]:
    file = models.write(proto, root / f"{name}.onnx")
    report = import_onnx(file, root / "bundle", **more)
    return open_bundle(root / "bundle"), report


def original(proto: Any, *inputs: np.ndarray) -> list[np.ndarray]:
    session = ort.InferenceSession(proto.SerializeToString())
    return list(session.run(None, dict(zip([i.name for i in session.get_inputs()], inputs, strict=True))))


# -- where it goes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("using", ["iree", "onnxruntime"])
def test_a_bundle_gives_what_the_original_gives(tmp_path: Path, using: Any) -> None:
    proto = models.mlp("batch")
    bundle, report = imported(proto, tmp_path, using=using, shapes={"obs": (3, 64)})
    assert (report.driver, report.why) == (using, "as was asked for")
    assert report.changed == ("input obs is f32[3, 64], was f32[batch, 64]",)
    (module,) = bundle.manifest.orchestration.modules
    locked = bundle.module(module.artefact)
    entry = locked.entries["main"]
    assert entry.inputs == (Tensor("obs", "f32", (3, 64)),)
    assert entry.outputs == (Tensor("action", "f32", (3, 4)),)
    assert (locked.parameters.count, locked.parameters.size) == (2, 4 * (64 * 32 + 32 * 4))
    assert locked.operations == {"MatMul": 2, "Tanh": 1} and locked.frontend["opset"] == "17"
    gate = locked.signatures["main"].gate
    assert gate is not None and gate.outputs["action"].max_rel <= 1e-4
    x = np.random.default_rng(3).standard_normal((3, 64)).astype(np.float32)
    device = bundle.manifest.devices[bundle.manifest.device_of(module)]
    artefact, *_ = bundle.artefacts_of(module)
    with Chain(
        DeviceConfig("t", device.uri), artefact, bundle.parameters(module), [entry], device.driver
    ) as chain:
        found = np.frombuffer(chain.run({"obs": x})["action"], np.float32).reshape(3, 4)
    np.testing.assert_allclose(found, original(proto, x)[0], rtol=1e-5, atol=1e-6)
    plan = check(bundle.root).plan
    assert plan is not None
    with Runtime(plan) as runtime:
        assert runtime.run(seconds=1, lockstep=True).reason == "complete"


def test_with_iree_it_is_a_bundle_like_any_other(tmp_path: Path) -> None:
    bundle, _ = imported(models.mlp(), tmp_path, using="iree")
    locked = bundle.module("net.vmfb")
    assert (locked.format, locked.source, locked.parameters.files) == (
        "iree",
        "net.mlir",
        ["net.safetensors"],
    )
    entry = locked.signatures["main"]
    assert entry.caller_owned and entry.gate is not None and entry.gate.allocated_bytes == 0
    text = (bundle.root / "net.mlir").read_text()
    assert '#flow.parameter.named<"model"::"layer.0/w">' in text and "dense_resource" not in text


def test_with_onnx_runtime_it_is_the_file_itself(tmp_path: Path) -> None:
    bundle, _ = imported(models.mlp(), tmp_path, using="onnxruntime")
    assert (bundle.root / "net.onnx").read_bytes() == (tmp_path / "net.onnx").read_bytes()
    locked = bundle.module("net.onnx")
    assert (locked.format, locked.source, locked.machine_code) == ("onnx", None, None)
    assert locked.loaded_bytes is not None and locked.embedded_bytes == locked.parameters.size
    assert packages(bundle)["onnxruntime"] == ort.__version__  # costs measured with another one are stale


@pytest.mark.parametrize(
    ("iree_ms", "driver", "why"),
    [
        (1.9, "iree", "IREE compiles it, and a call takes 1.9 ms"),
        (2.1, "onnxruntime", "IREE compiles it, but"),
    ],
)
def test_the_faster_one_wins_if_it_is_much_faster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, iree_ms: float, driver: str, why: str
) -> None:
    def measured(chain: Chain, *_: Any) -> list[float]:
        return [iree_ms if type(chain._device).__name__ == "IreeDevice" else 1.0]

    monkeypatch.setattr(Chain, "measure", measured)
    _, report = imported(models.mlp(), tmp_path)
    assert report.driver == driver and report.why.startswith(why)
    assert report.latency_ms == {"onnxruntime": 1.0, "iree": iree_ms}


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (models.branch, "it decides while it runs (If), and IREE would wait for the host each time"),
        (models.unsigned, "input image is u8, and IREE's ONNX front end has signed numbers only"),
    ],
)
def test_what_iree_does_not_take_goes_to_onnx_runtime(
    tmp_path: Path, make: Callable[[], Any], why: str
) -> None:
    bundle, report = imported(make(), tmp_path)
    assert (report.driver, report.why) == ("onnxruntime", why)
    assert next(iter(bundle.modules.values())).format == "onnx"


def test_a_module_that_gives_other_numbers_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    through = onnx_import._through

    def off(name: str, case: Any, *more: Any) -> Any:
        if name == "iree":
            object.__setattr__(case.reference, "outputs", [(a + 1,) for (a,) in case.reference.outputs])
        return through(name, case, *more)

    monkeypatch.setattr(onnx_import, "_through", off)
    _, report = imported(models.mlp(), tmp_path)
    assert report.driver == "onnxruntime"
    assert report.why.startswith("iree: output 'action' (f32[1, 4]) differs from the framework's")


@pytest.mark.parametrize("using", ["iree", "onnxruntime"])
@pytest.mark.parametrize("count", [3, 64], ids=["small", "large"])
def test_an_output_may_be_a_constant(tmp_path: Path, using: Any, count: int) -> None:
    """As constant folding leaves it; the others are still no inputs, where the graph lists them there."""
    strides = np.arange(count, dtype=np.float32)
    proto = models.mlp()
    proto.graph.initializer.append(models.constant("strides", strides))
    proto.graph.input.append(models.value("layer.0/w", [64, 32]))
    proto.graph.output.insert(0, models.value("strides", [count]))
    bundle, _ = imported(proto, tmp_path, using=using)
    module = bundle.manifest.orchestration.modules[0]
    entry = bundle.module(module.artefact).entries["main"]
    assert [tensor.name for tensor in entry.inputs] == ["obs"]
    assert [tensor.name for tensor in entry.outputs] == ["strides", "action"]
    device = bundle.manifest.devices["cpu"]
    place = DeviceConfig("t", device.uri)
    artefact = bundle.artefacts[module.artefact]
    with Chain(place, artefact, bundle.parameters(module), [entry], device.driver) as chain:
        found = chain.run({"obs": np.zeros((1, 64), np.float32)})
    np.testing.assert_array_equal(np.frombuffer(found["strides"], np.float32), strides)


@pytest.mark.parametrize("using", ["iree", "onnxruntime"])
def test_numbers_that_numpy_does_not_have(tmp_path: Path, using: Any) -> None:
    bundle, report = imported(models.brain(), tmp_path, using=using)
    module = bundle.manifest.orchestration.modules[0]
    entry = bundle.module(module.artefact).entries["main"]
    assert [tensor.dtype for tensor in (*entry.inputs, *entry.outputs)] == ["bf16", "f32", "bf16"]
    held = report.gates["main"].outputs
    assert list(held) == ["y", "z"] and all(error.max_rel < 1e-2 for error in held.values())


def test_what_is_compared_and_measured_is_what_the_bundle_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, through = [], onnx_import._through

    def spy(name: str, case: Any, entry: Any, file: Path, weights: Any) -> Any:
        seen.append((file.read_bytes(), [each.name for each in weights]))
        return through(name, case, entry, file, weights)

    monkeypatch.setattr(onnx_import, "_through", spy)
    monkeypatch.setattr(written, "PACK_FROM_BYTES", 0)
    bundle, _ = imported(models.mlp(), tmp_path, using="iree")
    assert bundle.module("net.vmfb").packed == "net.irpa"
    assert seen == [((bundle.root / "net.vmfb").read_bytes(), ["net.irpa"])]


def test_weights_in_a_file_of_their_own(tmp_path: Path) -> None:
    file = models.write(models.mlp(), tmp_path / "net.onnx", external="net.data")
    for using in ("onnxruntime", "iree"):
        import_onnx(file, tmp_path / using, using=using)  # type: ignore[arg-type]
    locked = open_bundle(tmp_path / "onnxruntime").module("net/net.onnx")
    assert locked.parameters.files == ["net/net.data"]
    assert locked.parameters.size == (tmp_path / "net.data").stat().st_size
    plan = check(tmp_path / "onnxruntime").plan
    assert plan is not None
    with Runtime(plan) as runtime:
        assert runtime.run(seconds=1, lockstep=True).reason == "complete"


# -- what is changed -----------------------------------------------------------------------------------


def test_names_become_such_that_links_carry_them(tmp_path: Path) -> None:
    bundle, report = imported(models.two_named_axes(), tmp_path, shapes={"in:0": (1, 5)})
    entry = next(iter(bundle.modules.values())).entries["main"]
    assert [str(t) for t in (*entry.inputs, *entry.outputs)] == ["f32[1, 5]"] * 3
    assert [t.name for t in (*entry.inputs, *entry.outputs)] == ["in_0", "_in_1", "out_put"]
    assert "input in:0 is called in_0" in report.changed
    assert "input /in/1 is f32[1, 5], was f32[1, time]" in report.changed


def test_names_that_would_be_the_same_or_change_the_manifest(tmp_path: Path) -> None:
    proto = models.mlp(-1)
    proto.graph.input[0].name = proto.graph.node[0].input[0] = "obs\x1b[2J"
    for node, tensor, name in zip(proto.graph.node[::2], proto.graph.initializer, ('w"', "w\\"), strict=True):
        node.input[1] = tensor.name = name
    file = models.write(proto, tmp_path / "net\n\u2028name: other.onnx")
    report = import_onnx(file, tmp_path / "bundle", using="iree", shapes={"obs\x1b[2J": (1, 64)})
    bundle = open_bundle(tmp_path / "bundle")
    assert bundle.manifest.name == "net_name_other"
    assert "func.func" in next((tmp_path / "bundle").glob("*.mlir")).read_text()
    (weights,) = (tmp_path / "bundle").glob("*.safetensors")
    assert load_file(weights).keys() == {"w_", "w__2"}
    assert all(line.isprintable() for line in report.lines())


def test_a_first_axis_that_nobody_speaks_of_is_one(tmp_path: Path) -> None:
    _, report = imported(models.mlp(None), tmp_path, using="onnxruntime")  # type: ignore[arg-type]
    assert report.changed == ("input obs is f32[1, 64], was f32[?, 64]",)


@pytest.mark.parametrize("using", ["iree", "onnxruntime"])
def test_without_a_batch(tmp_path: Path, using: Any) -> None:
    proto = models.mlp("batch")
    bundle, report = imported(proto, tmp_path, using=using, edits=Edits(no_batch=True))
    (module,) = bundle.manifest.orchestration.modules
    entry = bundle.module(module.artefact).entries["main"]
    assert (str(entry.inputs[0]), str(entry.outputs[0])) == ("f32[64]", "f32[4]")
    assert report.changed[1:] == (
        "obs is f32[64], without its first axis", "action is f32[4], without its first axis",
    )  # fmt: skip
    x = np.random.default_rng(3).standard_normal((1, 64)).astype(np.float32)
    device = bundle.manifest.devices["cpu"]
    (artefact,), config = bundle.artefacts_of(module), DeviceConfig("t", device.uri)
    with Chain(config, artefact, bundle.parameters(module), [entry], device.driver) as chain:
        found = np.frombuffer(chain.run({"obs": x[0]})["action"], np.float32)
    np.testing.assert_allclose(found, original(proto, x)[0][0], rtol=1e-5, atol=1e-6)


def test_shapes_stay_open_where_fixed_ones_bring_the_runtime_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = onnx_import.reference

    def crashes(model: Any, *more: Any) -> Any:
        if not model.as_it_was:
            raise BuildError(problem("PI017", model.path, "ONNX Runtime ended with it"))
        return told(model, *more)

    monkeypatch.setattr(onnx_import, "reference", crashes)
    bundle, _ = imported(models.mlp("batch"), tmp_path, using="onnxruntime", shapes={"obs": (2, 64)})
    assert (bundle.root / "net.onnx").read_bytes() == (tmp_path / "net.onnx").read_bytes()
    assert bundle.module("net.onnx").entries["main"].inputs[0].shape == (2, 64)
    with pytest.raises(BuildError, match="PI017"):
        imported(models.mlp(), tmp_path, using="onnxruntime", force=True, edits=Edits(no_batch=True))


def test_inputs_that_are_not_random(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="PI017"):
        imported(models.fails(), tmp_path)
    bundle, _ = imported(models.fails(), tmp_path, numbers={"token": 1}, using="onnxruntime")
    assert bundle.modules


def test_what_helps_is_an_option_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(BuildError) as caught:
        imported(models.root(), tmp_path)
    said = [str(caught.value)]
    assert imported(models.root(), tmp_path, numbers={"x": 4})[0].modules
    monkeypatch.setitem(onnx_import.gate.TOLERANCE, "f32", -1.0)
    with pytest.raises(BuildError) as caught:
        imported(models.mlp(), tmp_path, "mlp", using="onnxruntime", force=True)
    assert [*said, str(caught.value)] == snapshot


def test_an_input_that_is_always_the_same_is_taken_off(tmp_path: Path) -> None:
    bundle, report = imported(models.branch(), tmp_path, edits=Edits({"fast": 0.0}))
    entry = next(iter(bundle.modules.values())).entries["main"]
    assert [t.name for t in entry.inputs] == ["x"]
    assert report.changed == ("input fast is always 0",)
    (module,) = bundle.manifest.orchestration.modules
    (artefact,), device = bundle.artefacts_of(module), bundle.manifest.devices["cpu"]
    x = np.float32([1, 2, 3, 4])
    with Chain(
        DeviceConfig("t", device.uri), artefact, bundle.parameters(module), [entry], device.driver
    ) as chain:
        assert chain.run({"x": x})["y"] == (x * x).tobytes()


# -- the command ---------------------------------------------------------------------------------------


def test_the_command(
    tmp_path: Path,
    cli: Callable[..., Result],  # noqa: F811
    snapshot: SnapshotAssertion,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = models.write(models.branch(), tmp_path / "gate.onnx")
    out = tmp_path / "out"
    out.mkdir()
    monkeypatch.chdir(out)
    result = cli("import", "onnx", file, "--out", ".")
    assert result.exit_code == 0
    lines = [line for line in result.stdout.replace(str(out), "out").splitlines() if "a call" not in line]
    assert lines == snapshot
    told = [line for line in (out / "manifest.yaml").read_text().splitlines() if "cost_ms" not in line]
    assert told == snapshot(name="manifest")
    again = cli("import", "onnx", file, "--out", out)
    assert again.exit_code == 2
    assert again.stderr.replace(str(tmp_path), "TMP") == snapshot(name="again")
    found = json.loads(cli("import", "onnx", file, "--out", out, "--force", "--json").stdout)
    assert (found["driver"], found["max_rel"]) == ("onnxruntime", {"main.y": 0.0})


def test_help(cli: Callable[..., Result], snapshot: SnapshotAssertion) -> None:  # noqa: F811
    assert cli("import", "onnx", "--help").stdout == snapshot


def test_what_was_there_stays_if_it_goes_wrong(tmp_path: Path) -> None:
    imported(models.mlp(), tmp_path, using="onnxruntime")
    before = {path: path.read_bytes() for path in (tmp_path / "bundle").iterdir()}
    with pytest.raises(BuildError):
        imported(models.depends(), tmp_path, force=True)
    assert {path: path.read_bytes() for path in (tmp_path / "bundle").iterdir()} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bundle", "net.onnx"]


# -- what is refused -----------------------------------------------------------------------------------


def _file(content: bytes) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / "net.onnx").write_bytes(content)
        return folder / "net.onnx"

    return write


def _model(make: Callable[[], Any], edit: Edit = lambda _: None) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        proto = make()
        edit(proto)
        (folder / "net.onnx").write_bytes(proto.SerializeToString())
        return folder / "net.onnx"

    return write


def _cut(folder: Path) -> Path:
    file = models.write(models.mlp(), folder / "net.onnx")
    file.write_bytes(file.read_bytes()[:-700])
    return file


def _external(edit: Callable[[Path], None] = lambda _: None, location: str = "net.data", **said: str) -> Any:
    def write(folder: Path) -> Path:
        file = models.write(models.mlp(), folder / "net.onnx", external="net.data")
        proto = onnx.load(str(file), load_external_data=False)
        for tensor in proto.graph.initializer:
            for item in tensor.external_data:
                changed = {"location": location, **said}
                item.value = changed.get(item.key, item.value)
        file.write_bytes(proto.SerializeToString())
        edit(folder)
        return file

    return write


def _link_out(folder: Path) -> None:
    (folder / "net.data").unlink()
    (folder.parent / "secret").write_bytes(bytes(10_000))
    (folder / "net.data").symlink_to(folder.parent / "secret")


def _absurd(proto: Any) -> None:
    proto.graph.initializer[0].dims[0] = 1 << 40


def _many_axes(proto: Any) -> None:
    proto.graph.initializer[0].dims.extend([1] * 60)


def _huge_axes(proto: Any) -> None:
    proto.graph.initializer[0].dims.extend([(1 << 63) - 1] * 1000)


def _an_input_of_many_axes(proto: Any) -> None:
    for _ in range(20):
        proto.graph.input[0].type.tensor_type.shape.dim.add().dim_value = 1


def _wrong_size(proto: Any) -> None:
    proto.graph.initializer[0].dims[0] = 63


def _dangling(proto: Any) -> None:
    proto.graph.node[1].input[0] = "nobody"


#: What cannot be imported: name -> (the file, options).
BAD: dict[str, tuple[Callable[[Path], Path], dict[str, Any]]] = {
    "PI001 missing": (lambda folder: folder / "no.onnx", {}),
    "PI001 directory": (lambda folder: folder, {}),
    "PI002 text": (_file(b"# not a model\n"), {}),
    "PI002 PyTorch": (_file(b"PK\x03\x04" + bytes(100)), {}),
    "PI002 LFS": (_file(b"version https://git-lfs.github.com/spec/v1\n"), {}),
    "PI002 safetensors": (_file(struct.pack("<Q", 2) + b"{}"), {}),
    "PI003 empty": (_file(b""), {}),
    "PI003 truncated": (_cut, {}),
    "PI003 bytes": (_model(models.mlp, _wrong_size), {}),
    "PI003 contradiction": (_model(models.mlp, _dangling), {}),
    "PI003 offset": (_external(offset="-5"), {}),
    "PI003 offset beyond any": (_external(offset="9" * 4300), {}),
    "PI004 weights": (_model(models.mlp, _absurd), {}),
    "PI004 many axes": (_model(models.mlp, _many_axes), {}),
    "PI004 huge axes": (_model(models.mlp, _huge_axes), {}),
    "PI054 inputs together": (_model(lambda: models.many(1024, 1 << 30)), {}),
    "PI004 input": (_model(lambda: models.mlp("batch")), {"shapes": {"obs": (1 << 32, 64)}}),
    "PI010 missing": (_external(lambda folder: (folder / "net.data").unlink()), {}),
    "PI010 short": (_external(lambda folder: (folder / "net.data").write_bytes(b"short")), {}),
    "PI011 above": (_external(location="../secret"), {}),
    "PI011 absolute": (_external(location="/etc/passwd"), {}),
    "PI011 link": (_external(_link_out), {}),
    "PI012 name": (_model(models.mlp), {"shapes": {"ops": (1, 64)}}),
    "PI012 rank": (_model(models.mlp), {"shapes": {"obs": (64,)}}),
    "PI012 fixed": (_model(models.mlp), {"shapes": {"obs": (1, 65)}}),
    "PI012 named": (_model(models.two_named_axes), {"shapes": {"in:0": (1, 5), "/in/1": (1, 6)}}),
    "PI012 set": (_model(models.mlp), {"edits": Edits({"sr": 16000})}),
    "PI012 sample": (_model(models.mlp), {"numbers": {"sr": 16000}}),
    "PI012 set nan": (_model(models.fails), {"edits": Edits({"token": nan})}),
    "PI012 sample infinite": (_model(models.fails), {"numbers": {"token": inf}}),
    "PI012 sample beyond": (_model(models.fails), {"numbers": {"token": 1e30}}),
    "PI012 sample half": (_model(models.fails), {"numbers": {"token": 0.5}}),
    "PI012 sample bool": (_model(models.branch), {"numbers": {"fast": 2.0}}),
    "PI012 sample unsigned": (_model(models.unsigned), {"numbers": {"image": -1.0}}),
    "PI012 set f16": (_model(models.half), {"edits": Edits({"x": 1e5})}),
    "PI012 set f32 nan": (_model(models.mlp), {"edits": Edits({"obs": nan})}),
    "PI013": (_model(models.two_named_axes), {}),
    "PI013 negative": (_model(lambda: models.mlp(-3)), {}),
    "PI014": (_model(models.text), {}),
    "PI014 axes": (_model(models.mlp, _an_input_of_many_axes), {}),
    "PI015": (_model(models.depends), {}),
    "PI016 vendor": (_model(models.unknown), {}),
    "PI016 ONNX": (_model(lambda: models.unknown("")), {}),
    "PI017": (_model(models.fails), {}),
    "PI018": (_model(models.unsigned), {"using": "iree"}),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_message(tmp_path: Path, snapshot: SnapshotAssertion, name: str) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    make, options = BAD[name]
    with pytest.raises(BuildError) as refused:
        import_onnx(make(folder), tmp_path / "out", **options)
    assert str(refused.value).replace(f"{folder}/", "").replace(str(folder), "models") == snapshot
    assert name.partition(" ")[0] in {d.code for d in refused.value.diagnostics}
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["--sample", "--set"])
@pytest.mark.parametrize("number", ["nan", "1e30"])
def test_a_number_that_an_input_does_not_hold(
    tmp_path: Path,
    cli: Callable[..., Result],  # noqa: F811
    option: str,
    number: str,
) -> None:
    file = models.write(models.fails(), tmp_path / "net.onnx")
    result = cli("import", "onnx", file, "--out", tmp_path / "out", option, f"token={number}")
    assert result.exit_code == 2
    assert "error PI012: input 'token' is i64, and" in result.stderr


@pytest.mark.parametrize("number", [inf, -inf, 1e30])
def test_a_mask_may_be_infinite(tmp_path: Path, number: float) -> None:
    file = models.write(models.mlp(), tmp_path / "net.onnx")
    assert onnx_shapes.misfits(onnx_model.read(file), {"obs": number}, "set") == []


@examples(75)
@given(data=st.data())
def test_a_damaged_file_is_refused_or_read(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Bytes changed, left out and put in: nothing but a `BuildError` comes of it."""
    content = bytearray(data.draw(st.sampled_from(SEEDS)))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        length = data.draw(st.integers(0, 4))
        content[place : place + length] = data.draw(st.binary(max_size=4))
    file = tmp_path_factory.getbasetemp() / "damaged.onnx"
    file.write_bytes(content)
    with suppress(BuildError):
        onnx_shapes.fix(onnx_model.read(file), {})


def test_a_file_beyond_any_model_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "net.onnx").open("wb") as stream:
        stream.truncate(onnx_model.MAX_FILE_BYTES + 1)
    with pytest.raises(BuildError, match=r"PI004: the file has 2147483649 bytes"):
        import_onnx(tmp_path / "net.onnx", tmp_path / "out")


@pytest.mark.parametrize(
    "text", ["obs", "obs=1,x", "=1,2", "obs=0,4", "obs=-1", "obs=1,,2", "obs=" + "9" * 30]
)
def test_what_is_no_shape(text: str) -> None:
    with pytest.raises(BuildError, match=r"PI012.*is not a shape"):
        onnx_shapes.parse([text])


def test_shapes_are_read() -> None:
    assert onnx_shapes.parse(["a=1, 2", "b:0=3", "c="]) == {"a": (1, 2), "b:0": (3,), "c": ()}
    assert onnx_shapes.parse_numbers(["sr=16000", "x=-1.5"], "set") == {"sr": 16000.0, "x": -1.5}
    with pytest.raises(BuildError, match=r"PI012.*is not a number"):
        onnx_shapes.parse_numbers(["sr=fast"], "set")
