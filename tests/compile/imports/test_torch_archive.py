"""Exported programs made to do harm: PyTorch would run what they bring, the importer refuses it."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import open_bundle
from polyrhythm.compile.imports.torch_import import import_torch

torch = pytest.importorskip("torch", reason="needs the extra `torch`: see `make test-torch`")
pytest.importorskip("torch_mlir", reason="needs the extra `torch`: see `make test-torch`")


class Touch:
    """Unpickled, it makes a file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[Any, tuple[Path]]:
        return Path.touch, (self.file,)


def saved(file: Path, module: Any, *examples: Any, **options: Any) -> None:
    """An exported program."""
    torch.export.save(torch.export.export(module, examples, **options), file)


def rewritten(file: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    """Change the records of an archive by name; what is not in there comes with PyTorch's writer."""
    reader = torch._C.PyTorchFileReader(str(file))
    own = {".data/serialization_id", ".data/version", "version"}
    records = {name: reader.get_record(name) for name in reader.get_all_records() if name not in own}
    del reader
    change(records)
    writer = torch._C.PyTorchFileWriter(str(file))
    for name, content in records.items():
        writer.write_record(name, content, len(content))
    writer.write_end_of_file()


@pytest.mark.parametrize("record", ["data/constants/Opaque_obj_0", "data/sample_inputs/model.pt"])
def test_a_program_runs_nothing_that_it_brings(record: str, tmp_path: Path, refused, snapshot) -> None:
    ran, file, evil = tmp_path / "ran", tmp_path / "arm.pt2", io.BytesIO()
    saved(file, torch.nn.Linear(4, 2), torch.zeros(4))
    torch.save({"x": Touch(ran)}, evil)
    rewritten(file, lambda records: records.update({record: evil.getvalue()}))
    said = refused(str(file))
    assert not ran.exists()
    if "constants" in record:
        assert said == snapshot
    else:  # in the words of this PyTorch
        assert re.search("PI050: PyTorch .* cannot load it", said)


def touching(ran: Path) -> str:
    """Evaluated, it makes a file."""
    return f"__import__('pathlib').Path({str(ran)!r}).touch()"


def symbolic(program: dict[str, Any], ran: Path) -> None:
    value = next(iter(program["graph_module"]["graph"]["tensor_values"].values()))
    value["sizes"][0] = {"as_expr": {"expr_str": touching(ran), "hint": {"as_int": 4}}}


def hidden(program: dict[str, Any], ran: Path) -> None:
    """Under a name that would be passed over if it were the key of a text."""
    values = program["graph_module"]["graph"]["tensor_values"]
    values["stack_trace"] = values.pop(next(iter(values)))
    symbolic({"graph_module": {"graph": {"tensor_values": {"x": values["stack_trace"]}}}}, ran)


def ranges(program: dict[str, Any], ran: Path) -> None:
    program["range_constraints"] = {"u9999999999": {"min_val": 0, "max_val": 4}}


def named(program: dict[str, Any], ran: Path) -> None:
    """The text of the function that PyTorch writes goes on with a statement."""
    graph, name = program["graph_module"]["graph"], f"x=[{touching(ran)}]"
    old = program["graph_module"]["signature"]["input_specs"][-1]["user_input"]["arg"]["as_tensor"]["name"]
    text = json.dumps(graph).replace(f'"{old}"', json.dumps(name))
    program["graph_module"]["graph"] = json.loads(text)


def structured(kind: str, context: Any) -> Callable[[dict[str, Any], Path], None]:
    def change(program: dict[str, Any], ran: Path) -> None:
        signature = program["graph_module"]["module_call_graph"][0]["signature"]
        node = {"type": kind, "context": context, "children_spec": []}
        signature["out_spec"] = json.dumps([1, node])

    return change


def called(target: str, **argument: Any) -> Callable[[dict[str, Any], Path], None]:
    """The last operation of the graph."""

    def change(program: dict[str, Any], ran: Path) -> None:
        node = program["graph_module"]["graph"]["nodes"][-1]
        arguments = {name: str(ran) if value is None else value for name, value in argument.items()}
        node["target"] = target
        node["inputs"] = [{"name": "x", "arg": arguments, "kind": 1}] if argument else node["inputs"]

    return change


HOSTILE: dict[str, Callable[[dict[str, Any], Path], None]] = {
    "symbolic shape": symbolic,
    "hidden shape": hidden,
    "many symbols": ranges,
    "name": named,
    "defaultdict": structured(
        "collections.defaultdict",
        {"default_factory_module": "antigravity", "default_factory_name": "x", "dict_context": []},
    ),
    "enumeration": structured(
        "builtins.dict", json.dumps([{"__enum__": True, "fqn": "antigravity:x", "name": "y"}])
    ),
    "key": structured("builtins.dict", json.dumps(["x', __import__('antigravity'): '"])),
    "function of Python": called("torch.os.system", as_string=None),
    "function as a number": called("torch.ops.aten.relu.default", as_operator="torch.os.system"),
    "file": called("torch.ops.aten.from_file.default", as_string=None),
    "method": called("torch.ops.aten.__class__.mro"),
    "operation of another": called("torch.ops.inductor._alloc_from_pool.default"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_program_brings_only_tensors_and_operations(name: str, tmp_path: Path, refused, snapshot) -> None:
    ran, file = tmp_path / "ran", tmp_path / "arm.pt2"
    saved(file, torch.nn.Linear(4, 2), torch.zeros(4))

    def change(records: dict[str, bytes]) -> None:
        program = json.loads(records["models/model.json"])
        HOSTILE[name](program, ran)
        records["models/model.json"] = json.dumps(program).encode()

    rewritten(file, change)
    assert refused(str(file)) == snapshot
    assert not ran.exists()


def test_text_that_no_model_has(tmp_path: Path, refused, snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few kilobytes that unpack to more than may be read."""
    from polyrhythm.compile.imports import torch_archive

    monkeypatch.setattr(torch_archive, "MAX_TEXT_BYTES", 1 << 20)
    with zipfile.ZipFile(tmp_path / "arm.pt2", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("arm/models/model.json", bytes((1 << 20) + 1))
    assert refused(str(tmp_path / "arm.pt2")) == snapshot


def test_guards_of_a_program_are_not_run(tmp_path: Path, out: Path) -> None:
    ran, file = tmp_path / "ran", tmp_path / "arm.pt2"
    saved(file, torch.nn.Linear(4, 2), torch.zeros(4))

    def change(records: dict[str, bytes]) -> None:
        program = json.loads(records["models/model.json"])
        program["guards_code"] = [f"{touching(ran)} is None"]
        records["models/model.json"] = json.dumps(program).encode()

    rewritten(file, change)
    import_torch(str(file), out)
    assert not ran.exists()


def test_symbolic_shapes_are_refused(tmp_path: Path, refused, snapshot: SnapshotAssertion) -> None:
    batch = torch.export.Dim("batch")
    saved(tmp_path / "arm.pt2", torch.nn.Linear(4, 2), torch.zeros(3, 4), dynamic_shapes=({0: batch},))
    assert refused(str(tmp_path / "arm.pt2")) == snapshot


def test_a_program_of_long_ago(tmp_path: Path, refused, snapshot: SnapshotAssertion) -> None:
    with zipfile.ZipFile(tmp_path / "arm.pt2", "w") as archive:
        archive.writestr("version", "8.5")
        archive.writestr("serialized_exported_program.json", "{}")
    assert refused(str(tmp_path / "arm.pt2")) == snapshot


def test_inputs_and_outputs_in_containers(tmp_path: Path, out: Path) -> None:
    """Structures that hold nothing but tensors are as they were."""

    class Net(torch.nn.Module):
        def forward(self, seen: Any, *, scale: Any) -> Any:
            return {"left.arm": seen["a.b"][0] * scale, "right": [seen["a.b"][1]]}

    given = {"seen": {"a.b": (torch.ones(3), torch.ones(2))}, "scale": torch.ones(())}
    file = tmp_path / "arm.pt2"
    torch.export.save(torch.export.export(Net(), (), given), file)
    import_torch(str(file), out)
    outputs = open_bundle(out).module("arm.vmfb").entries["forward"].outputs
    assert [tensor.shape for tensor in outputs] == [(3,), (2,)]
