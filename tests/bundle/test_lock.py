"""The lock file: one text for one lock, and nothing else is accepted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import BundleError, Lock, LockedModule, read_lock, write_lock
from polyrhythm.bundle.lock import LockedCompiler, dumps
from tests.effort import examples

from .conftest import lock_of


def test_its_text(bundle: Path, snapshot: SnapshotAssertion) -> None:
    lock = lock_of(bundle)
    dit = lock.modules["dit.vmfb"]
    assert dit.machine_code is not None
    code = dit.machine_code.model_copy(update={"arch": "x86_64", "features": ["avx", "avx2"]})
    modules = lock.modules | {"dit.vmfb": dit.model_copy(update={"machine_code": code})}
    assert dumps(lock.model_copy(update={"modules": modules})) == snapshot


def test_there_and_back(bundle: Path) -> None:
    lock = lock_of(bundle)
    write_lock(lock, bundle)
    assert read_lock(bundle) == lock
    assert dumps(read_lock(bundle)) == dumps(lock)


def test_names_that_look_like_lists_stay_as_they_are() -> None:
    odd = ["a [ 1 2 ].onnx", "[ 0 ]", "[\n 1\n]", "n[  3,  4 ].bin"]
    file = {"sha256": "0" * 64, "bytes": 1}
    lock = Lock.model_validate(
        {
            "files": dict.fromkeys(odd, file),
            "modules": {
                odd[0]: {
                    "format": "onnx",
                    "parameters": {"files": odd[1:]},
                    "entries": {"[ 1 ]": {"inputs": [{"name": "x[ 0 ]", "dtype": "f32", "shape": [1, 2]}],
                                          "outputs": []}},
                }
            },
        }
    )  # fmt: skip
    text = dumps(lock)
    assert Lock.model_validate_json(text) == lock
    assert '"shape": [1, 2]' in text


def test_order_does_not_matter(bundle: Path) -> None:
    lock = lock_of(bundle)
    other = Lock(files=dict(reversed(lock.files.items())), modules=dict(reversed(lock.modules.items())))
    assert dumps(other) == dumps(lock)


def test_a_module_needs_code_or_source() -> None:
    with pytest.raises(ValueError, match="neither source nor machine code"):
        Lock(files={}, modules={"a.vmfb": LockedModule.model_validate({"entries": {}})})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("source", "a.mlir"),
        ("packed", "a.irpa"),
        ("compiler", LockedCompiler(name="iree", version="1", flags=[])),
    ],
)
def test_what_only_modules_of_iree_have(key: str, value: object) -> None:
    module = LockedModule.model_validate({"format": "onnx", "entries": {}, key: value})
    with pytest.raises(ValueError, match=f"a.onnx is onnx, which has no {key}"):
        Lock(files={}, modules={"a.onnx": module})


@examples(100)
@given(data=st.data())
def test_damage_never_passes_as_something_else(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Any part replaced by any other JSON value: another valid lock, or a `BundleError`."""
    root = tmp_path_factory.mktemp("lock")
    (root / "vlm.mlir").write_text("")
    (root / "vlm.safetensors").write_text("")
    (root / "dit.vmfb").write_text("")
    tree = json.loads(dumps(lock_of(root)))
    node, key = tree, data.draw(st.sampled_from(sorted(tree)))
    while isinstance(node[key], dict | list) and node[key] and data.draw(st.booleans()):
        node = node[key]
        key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
    node[key] = data.draw(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False)
        | st.text()
        | st.just([])
        | st.just({})
    )
    (root / "bundle.lock").write_text(json.dumps(tree, allow_nan=True))
    try:
        found = read_lock(root)
        (root / "bundle.lock").write_text(dumps(found))
        assert read_lock(root) == found
    except BundleError as error:
        assert {found.code for found in error.diagnostics} <= {"PB003", "PB004"}


def test_other_machine_code_has_other_sizes_whoever_asked_before(bundle: Path) -> None:
    module = lock_of(bundle).modules["dit.vmfb"]
    before = {name: entry.scratch_bytes for name, entry in module.entries.items()}
    sizes = {name: nbytes + 64 for name, nbytes in before.items()}
    assert {n: e.scratch_bytes for n, e in module.with_code(sizes, None).entries.items()} == sizes
    assert {n: e.scratch_bytes for n, e in module.entries.items()} == before
