"""Policy directories of LeRobot as files: what is read, and what is refused before anything of it runs."""

from __future__ import annotations

import json
import os
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import LOCK_FILE
from polyrhythm.compile import BuildError
from polyrhythm.compile.imports import lerobot
from polyrhythm.compile.imports.lerobot.files import read_checkpoint

STATE = "observation.state"
ACTION = {"type": "ACTION", "shape": [6]}
RELATIVE = {"registry_name": "relative_actions_processor", "config": {"enabled": True}}
CONFIG: dict[str, Any] = {
    "type": "act",
    "input_features": {
        STATE: {"type": "STATE", "shape": [6]},
        "observation.images.top": {"type": "VISUAL", "shape": [3, 48, 64]},
    },
    "output_features": {"action": ACTION},
}
MODES = {"VISUAL": "MEAN_STD", "STATE": "MEAN_STD", "ACTION": "MIN_MAX"}
STATISTICS = {
    f"{STATE}.mean": np.arange(6), f"{STATE}.std": np.ones(6), f"{STATE}.count": np.array([9]),
    "observation.images.top.mean": np.zeros((3, 1, 1)), "observation.images.top.std": np.ones(3),
    "action.min": -np.ones(6), "action.max": np.ones(6),
}  # fmt: skip

Edit = Callable[[Path], None]


def write(root: Path) -> Path:
    """A directory that is as it should be."""
    root.mkdir()
    (root / "config.json").write_text(json.dumps(CONFIG))
    save_file({"w": np.zeros((4, 4), np.float32)}, root / "model.safetensors")
    statistics = {name: array.astype(np.float32) for name, array in STATISTICS.items()}
    for name, step in (("pre", "normalizer_processor"), ("post", "unnormalizer_processor")):
        state = f"policy_{name}processor_step_1_{step}.safetensors"
        save_file(statistics, root / state)
        normalising = {
            "registry_name": step, "config": {"eps": 1e-8, "norm_map": MODES}, "state_file": state,
        }  # fmt: skip
        steps = [{"registry_name": "device_processor", "config": {}}, normalising]
        (root / f"policy_{name}processor.json").write_text(json.dumps({"name": name, "steps": steps}))
    return root


def change(name: str, edit: Callable[[Any], None]) -> Edit:
    """Edit the JSON of one file."""

    def apply(root: Path) -> None:
        data = json.loads((root / name).read_text())
        edit(data)
        (root / name).write_text(json.dumps(data))

    return apply


def test_what_is_read(tmp_path: Path) -> None:
    found = read_checkpoint(write(tmp_path / "policy"))
    assert found.kind == "act"
    assert found.inputs[STATE].shape == (6,) and found.outputs["action"].kind == "ACTION"
    assert {name: scaling.mode for name, scaling in found.scaling.items()} == {
        STATE: "MEAN_STD", "observation.images.top": "MEAN_STD", "action": "MIN_MAX",
    }  # fmt: skip
    np.testing.assert_array_equal(found.scaling[STATE].statistics["mean"], np.arange(6))
    assert found.scaling["action"].statistics.keys() == {"min", "max"}


def test_a_feature_that_is_left_as_it_is_needs_no_statistics(tmp_path: Path) -> None:
    root = write(tmp_path / "policy")
    change("policy_preprocessor.json", lambda d: d["steps"][1]["config"]["norm_map"].clear())(root)
    assert read_checkpoint(root).scaling[STATE].mode == "IDENTITY"


def _truncate(name: str, keep: int) -> Edit:
    return lambda root: (root / name).write_bytes((root / name).read_bytes()[:keep])  # type: ignore[return-value]


def _without(root: Path, *names: str) -> None:
    file = root / "policy_preprocessor_step_1_normalizer_processor.safetensors"
    kept = {name: array.astype(np.float32) for name, array in STATISTICS.items() if name not in names}
    save_file(kept, file)


def _statistics(root: Path) -> Path:
    return root / "policy_preprocessor_step_1_normalizer_processor.safetensors"


def _raw(file: Path, header: bytes, content: bytes = b"") -> None:
    file.write_bytes(struct.pack("<Q", len(header)) + header + content)


def _header(file: Path, **changes: object) -> None:
    """Say something else of the first tensor."""
    content = file.read_bytes()
    end = 8 + int(struct.unpack("<Q", content[:8])[0])
    header = json.loads(content[8:end])
    header[next(name for name in header if name != "__metadata__")] |= changes
    _raw(file, json.dumps(header).encode(), content[end:])


def _empty(file: Path, shape: list[int]) -> None:
    """A tensor without a number in it, of this shape."""
    header = {f"{STATE}.mean": {"dtype": "F32", "shape": shape, "data_offsets": [0, 0]}}
    _raw(file, json.dumps(header).encode())


def _sparse(file: Path, size: int) -> None:
    header = {"x": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}}
    _raw(file, json.dumps(header).encode())
    with file.open("r+b") as stream:
        stream.truncate(file.stat().st_size + size)


PRE, POST = "policy_preprocessor.json", "policy_postprocessor.json"
WRONG: dict[str, Edit] = {
    "no configuration": lambda root: (root / "config.json").unlink(),
    "a truncated configuration": _truncate("config.json", 40),
    "a pipe for a configuration": lambda root: (
        (root / "config.json").unlink(),
        os.mkfifo(root / "config.json"),
    ),
    "another kind": change("config.json", lambda d: d.update(type="vqbet")),
    "a misspelt kind": change("config.json", lambda d: d.update(type="smolvl")),
    "no features": change("config.json", lambda d: d.pop("input_features")),
    "absurd features": change("config.json", lambda d: d["input_features"][STATE].update(shape=[1 << 40])),
    "no action": change(
        "config.json", lambda d: d.update(output_features={"x": CONFIG["output_features"]["action"]})
    ),
    "no weights": lambda root: (root / "model.safetensors").unlink(),
    "truncated weights": _truncate("model.safetensors", 100),
    "half a list of weights": _truncate("model.safetensors", 30),
    "weights that are none": lambda root: (root / "model.safetensors").write_bytes(
        b"version https://git-lfs"
    ),
    "no processor": lambda root: (root / PRE).unlink(),
    "a step that we do not know": change(
        PRE,
        lambda d: d["steps"].append(
            {"registry_name": "relative_actions_processor", "config": {"enabled": True}}
        ),
    ),
    "an unknown mode": change(POST, lambda d: d["steps"][1]["config"]["norm_map"].update(ACTION="LOG")),
    "missing statistics": lambda root: _without(root, f"{STATE}.std", "observation.images.top.mean"),
    "no statistics at all": change(POST, lambda d: d["steps"][1].pop("state_file")),
    "an infinite shape": change("config.json", lambda d: d["input_features"][STATE].update(shape=[1e999])),
    "images beyond any memory": change(
        "config.json",
        lambda d: d["input_features"]["observation.images.top"].update(shape=[1 << 20, 1 << 20, 1 << 20]),
    ),
    "axes without end": change(
        "config.json",
        lambda d: d["input_features"]["observation.images.top"].update(shape=[1 << 20] * 60),
    ),
    "offsets beyond any": lambda root: _header(
        root / "model.safetensors", shape=[], dtype="X", data_offsets=[0, int("9" * 4300)]
    ),
    "no state where there has to be one": change(
        "config.json", lambda d: (d.update(type="pi0"), d["input_features"].pop(STATE))
    ),
    "offsets that are no numbers": lambda root: _header(root / "model.safetensors", data_offsets=[0, "x"]),
    "negative offsets": lambda root: _header(root / "model.safetensors", data_offsets=[-8, 0]),
    "a shape that the bytes do not have": lambda root: _header(root / "model.safetensors", shape=[2]),
    "a list of weights without end": lambda root: _raw(root / "model.safetensors", b"[" * 200_000),
    "statistics that the bytes do not have": lambda root: _header(_statistics(root), shape=[7, 9]),
    "statistics that are not numbers": lambda root: save_file(
        {name: np.full(array.shape, np.nan, np.float32) for name, array in STATISTICS.items()},
        _statistics(root),
    ),
    "statistics beyond any": lambda root: _sparse(_statistics(root), 65 << 20),
    "a word for a number": change(PRE, lambda d: d["steps"][1]["config"].update(eps="x")),
    "a number that no division takes": change(PRE, lambda d: d["steps"][1]["config"].update(eps=10**400)),
    "statistics of axes without end": lambda root: _empty(_statistics(root), [1] * 65 + [0]),
    "statistics of nothing that is too long": lambda root: _empty(_statistics(root), [0, 10**30]),
    "a list of modes": change(PRE, lambda d: d["steps"][1]["config"].update(norm_map=["x"])),
    "a list of settings": change(PRE, lambda d: d["steps"][1].update(config=["x"])),
    "statistics of something else": change(
        "config.json", lambda d: d["input_features"][STATE].update(shape=[7])
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_refused(name: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    root = write(tmp_path / "policy")
    WRONG[name](root)
    with pytest.raises(BuildError) as caught:
        read_checkpoint(root)
    assert str(caught.value).replace(str(tmp_path), "TMP") == snapshot


def test_not_a_directory(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    with pytest.raises(BuildError) as caught:
        read_checkpoint(tmp_path / "policy")
    assert str(caught.value).replace(str(tmp_path), "TMP") == snapshot


def test_a_python_that_is_too_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr(lerobot, "_LEAST_PYTHON", (4, 0))
    with pytest.raises(BuildError) as caught:
        lerobot.import_lerobot(write(tmp_path / "policy"), tmp_path / "out", control_hz=30)
    here = ".".join(map(str, sys.version_info[:2]))
    assert str(caught.value).replace(str(tmp_path), "TMP").replace(here, "THIS") == snapshot


def test_a_bundle_that_is_there_already(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (tmp_path / "bundle").mkdir()
    (tmp_path / "bundle" / LOCK_FILE).touch()
    with pytest.raises(BuildError) as caught:
        lerobot.import_lerobot(tmp_path / "policy", tmp_path / "bundle")
    assert str(caught.value).replace(str(tmp_path), "TMP") == snapshot
