"""A LeRobot policy directory as files: configuration, weights, and the statistics of its processors.

``config.json`` says what kind of policy it is and which features it takes and gives, ``model.safetensors``
holds its weights, ``policy_preprocessor.json`` and ``policy_postprocessor.json`` list what happens to an
observation before and to an action after it, with statistics in ``.safetensors`` files of their own. Nothing
here needs LeRobot or PyTorch, so a directory that cannot be imported is refused before anything is loaded.
"""

from __future__ import annotations

import json
import math
import struct
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.machine_size import check_size
from polyrhythm.manifest import Diagnostic, nearest
from polyrhythm.manifest.files import open_regular

STATE = "observation.state"
KINDS = ("act", "diffusion", "smolvla", "pi0", "pi05")
CONFIG, WEIGHTS = "config.json", "model.safetensors"
BEFORE, AFTER = "policy_preprocessor.json", "policy_postprocessor.json"

_MAX_JSON = 16 << 20
_MAX_HEADER = 100 << 20
_MAX_STATISTICS = 64 << 20
_MAX_EPS = sys.float_info.max
#: What NumPy can be asked for: axes, and bytes with every axis of nothing counted as one.
_MAX_AXES, _MAX_BYTES = 32, 1 << 62
#: What a feature has at most: axes, and numbers along one.
_FEATURE_AXES, _FEATURE_EXTENT = 8, 1 << 20
#: Steps that change no number of what a module takes or gives, or whose result is an input of the module.
_NEUTRAL = {
    "rename_observations_processor", "to_batch_processor", "device_processor", "tokenizer_processor",
    "smolvla_new_line_processor", "pi0_new_line_processor", "pi05_prepare_state_tokenizer_processor_step",
}  # fmt: skip
#: The statistics that a mode of normalisation needs.
STATISTICS: Mapping[str, tuple[str, ...]] = {
    "IDENTITY": (), "MEAN_STD": ("mean", "std"), "MIN_MAX": ("min", "max"),
    "QUANTILES": ("q01", "q99"), "QUANTILE10": ("q10", "q90"),
}  # fmt: skip
_NUMPY = {"F64": np.float64, "F32": np.float32, "F16": np.float16, "I64": np.int64, "I32": np.int32}


@dataclass(frozen=True)
class Feature:
    """A tensor that a policy takes or gives; `kind` is ``STATE``, ``VISUAL``, ``ENV`` or ``ACTION``."""

    kind: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Scaling:
    """How a feature is normalised: one of `STATISTICS`, with these, and what keeps divisions finite."""

    mode: str
    statistics: Mapping[str, np.ndarray]
    eps: float


@dataclass(frozen=True)
class Checkpoint:
    """What is known of a policy directory before anything of it is run.

    Attributes:
        scaling: of every feature that the policy takes or gives.
    """

    root: Path
    kind: str
    config: Mapping[str, Any]
    inputs: Mapping[str, Feature]
    outputs: Mapping[str, Feature]
    scaling: Mapping[str, Scaling]


def read_checkpoint(root: str | Path) -> Checkpoint:
    """Read a policy directory.

    Raises:
        BuildError: PI054, PI060, PI061 or PI062, all that there are.
    """
    root = Path(root)
    if not root.is_dir():
        allowed, mend = f"a directory with {CONFIG} and {WEIGHTS}", "look at the path"
        raise BuildError(problem("PI060", root, "this is not a directory", None, allowed, mend))
    config = _json(root / CONFIG)
    kind = config.get("type")
    if kind not in KINDS:
        near = nearest(str(kind), KINDS)
        mend = f"did you mean `{near}`?" if near else "export it yourself: `polyrhythm import torch`"
        message = f"its type is {kind!r}"
        raise BuildError(problem("PI061", root / CONFIG, message, kind, ", ".join(KINDS), mend, path="type"))
    inputs = _features(root / CONFIG, config, "input_features")
    outputs = _features(root / CONFIG, config, "output_features")
    if "action" not in outputs:
        message, allowed = "it gives no action", "an output feature called `action`"
        raise BuildError(problem("PI060", root / CONFIG, message, None, allowed, "", path="output_features"))
    if kind in ("smolvla", "pi0") and STATE not in inputs:
        message, allowed = "it takes no state", f"an input feature called `{STATE}`"
        raise BuildError(problem("PI061", root / CONFIG, message, None, allowed, "", path="input_features"))
    safetensors_header(root / WEIGHTS)
    check_size((root / WEIGHTS).stat().st_size, "its weights")
    numbers = sum(math.prod(feature.shape) for feature in (*inputs.values(), *outputs.values()))
    check_size(4 * numbers, "its features")
    found: list[Diagnostic] = []
    scaling = dict(_scaling(root, BEFORE, "normalizer_processor", inputs, config, found))
    scaling |= dict(_scaling(root, AFTER, "unnormalizer_processor", outputs, config, found))
    if found:
        raise BuildError(*found)
    return Checkpoint(root, kind, config, inputs, outputs, scaling)


def safetensors_header(file: Path) -> dict[str, Any]:
    """What a `.safetensors` file says that it holds, if it holds as much: name -> dtype, shape, data_offsets.

    Raises:
        BuildError: PI060.
    """
    mend = "copy it again"
    if not file.is_file():
        raise BuildError(
            problem("PI060", file, "there is no such file", None, "the weights", "look at the path")
        )
    size = file.stat().st_size
    with file.open("rb") as stream:
        first = stream.read(8)
        (length,) = struct.unpack("<Q", first) if len(first) == 8 else (0,)
        text = stream.read(length) if 2 <= length <= min(size - 8, _MAX_HEADER) else b""
    try:
        header = json.loads(text)
        header.pop("__metadata__", None)
        end = max((item["data_offsets"][1] for item in header.values()), default=0)
        sound = all(map(_sound, header.values()))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        header, end, sound = None, 0, False
    if not sound or header is None:
        message, allowed = "this is not a file of weights", "a .safetensors file"
        if text:
            message = "its list of tensors is damaged"
        raise BuildError(problem("PI060", file, message, None, allowed, mend))
    if 8 + length + end != size:
        message = f"it has {size} bytes, its list of tensors speaks of {8 + length + end}"
        raise BuildError(problem("PI060", file, message, size, "the whole file", mend))
    return dict(header)


def _sound(item: Mapping[str, Any]) -> bool:
    """Whether a tensor lies somewhere, and is as large as its shape if we know its dtype."""
    shape, (first, last), dtype = item["shape"], item["data_offsets"], item["dtype"]
    numbers = (*shape, first, last)
    if not isinstance(dtype, str) or any(type(n) is not int or not 0 <= n <= _MAX_BYTES for n in numbers):
        return False
    if len(shape) > _MAX_AXES or math.prod(max(1, n) for n in shape) > _MAX_BYTES // 8:
        return False
    size = np.dtype(_NUMPY[dtype]).itemsize * math.prod(shape) if dtype in _NUMPY else last - first
    return bool(first <= last and size == last - first)


def _json(file: Path) -> dict[str, Any]:
    try:
        with open_regular(file) as stream:
            content = stream.read(_MAX_JSON + 1)
        data = json.loads(content) if len(content) <= _MAX_JSON else None
    except FileNotFoundError:
        message, allowed = "there is no such file", "what `policy.save_pretrained` writes"
        raise BuildError(problem("PI060", file, message, None, allowed, "look at the path")) from None
    except (OSError, ValueError, RecursionError) as error:
        message = f"it cannot be read: {error}"[:300]
        raise BuildError(problem("PI060", file, message, None, "JSON", "copy it again")) from None
    if not isinstance(data, dict):
        raise BuildError(problem("PI060", file, "it holds no object", None, "an object", "copy it again"))
    return data


def _features(file: Path, config: Mapping[str, Any], key: str) -> dict[str, Feature]:
    try:
        found = {
            str(name): Feature(str(item["type"]), tuple(int(extent) for extent in item["shape"]))
            for name, item in config[key].items()
        }
        if not found or not all(_is_shape(feature.shape) for feature in found.values()):
            raise ValueError(key)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        message, allowed = (
            f"`{key}` are not features",
            f"names with a type and a shape of at most {_FEATURE_AXES} whole numbers, "
            f"each from 1 to {_FEATURE_EXTENT}",
        )
        value = str(config.get(key))[:80]
        mend = "take the configuration that the policy was trained with"
        raise BuildError(problem("PI060", file, message, value, allowed, mend, path=key)) from None
    return found


def _is_shape(shape: tuple[int, ...]) -> bool:
    return len(shape) <= _FEATURE_AXES and all(1 <= extent <= _FEATURE_EXTENT for extent in shape)


def _scaling(
    root: Path, name: str, step: str, features: Mapping[str, Feature], config: Mapping[str, Any],
    found: list[Diagnostic],
) -> Iterator[tuple[str, Scaling]]:  # fmt: skip
    """How the features are normalised by the processor `name`, in its step called `step`."""
    file = root / name
    if not file.is_file():
        found.append(_no_processor(file, config))
        return
    normalising: Mapping[str, Any] = {}
    for item in _steps(file):
        known = str(item.get("registry_name"))
        if known == step:
            normalising = item
        elif known not in _NEUTRAL and item["config"].get("enabled", True):
            message, allowed = f"it has a step {known!r}", ", ".join(sorted({*_NEUTRAL, step}))
            mend = "export the policy yourself: `polyrhythm import torch`"
            found.append(problem("PI061", file, message, known, allowed, mend, path="steps"))
    statistics = _statistics(root, normalising)
    settings = normalising.get("config", {})
    modes, eps = settings.get("norm_map") or {}, settings.get("eps", 1e-8)
    if not isinstance(modes, dict) or type(eps) not in (int, float) or not 0 <= eps <= _MAX_EPS:
        message, allowed = "it does not say how to normalise", "`norm_map`, an object, and `eps`, a number"
        value = str({"norm_map": modes, "eps": eps})[:80]
        raise BuildError(problem("PI060", file, message, value, allowed, "copy it again", path="config"))
    for feature, spec in features.items():
        mode = str(modes.get(spec.kind, "IDENTITY"))
        if mode not in STATISTICS:
            message, mend = f"{feature} is normalised by {mode!r}", "export the policy yourself"
            found.append(problem("PI061", file, message, mode, ", ".join(STATISTICS), mend, path="norm_map"))
            continue
        have = statistics.get(feature, {})
        if lacking := [part for part in STATISTICS[mode] if part not in have]:
            message = f"{feature} is normalised by {mode}, without its {' and '.join(lacking)}"
            allowed = f"{', '.join(STATISTICS[mode])} of every {spec.kind} feature"
            mend = "save the processors with the statistics of the data set that the policy was trained on"
            found.append(problem("PI062", file, message, lacking, allowed, mend, path=feature))
            continue
        kept = {part: have[part] for part in STATISTICS[mode]}
        if wrong := [part for part, array in kept.items() if not _fits(array, spec)]:
            message = f"the {wrong[0]} of {feature} has shape {list(kept[wrong[0]].shape)}"
            allowed = f"a shape that fits {list(spec.shape)}"
            found.append(
                problem("PI062", file, message, None, allowed, "take those of its data", path=feature)
            )
            continue
        if wrong := [part for part, array in kept.items() if not np.isfinite(array).all()]:
            message, mend = f"the {wrong[0]} of {feature} is not finite", "compute the statistics again"
            found.append(problem("PI062", file, message, None, "finite numbers", mend, path=feature))
            continue
        yield feature, Scaling(mode, kept, float(eps))


def _fits(array: np.ndarray, spec: Feature) -> bool:
    channels = spec.shape[:1]
    return array.shape == spec.shape or (
        spec.kind == "VISUAL" and array.shape in (channels, (*channels, 1, 1))
    )


def _no_processor(file: Path, config: Mapping[str, Any]) -> Diagnostic:
    message = "there is no such file, and so no statistics to normalise with"
    mend = (
        "policies of before LeRobot 0.4 keep them among the weights: convert them with "
        "`python -m lerobot.processor.migrate_policy_normalization`"
    )
    return problem("PI062", file, message, None, "the processors beside the weights", mend)


def _steps(file: Path) -> list[Mapping[str, Any]]:
    steps = _json(file).get("steps")
    if not isinstance(steps, list) or not all(
        isinstance(step, dict) and isinstance(step.get("config") or {}, dict) for step in steps
    ):
        raise BuildError(
            problem("PI060", file, "it lists no steps", None, "a list of steps", "copy it again")
        )
    return [{**step, "config": step.get("config") or {}} for step in steps]


def _statistics(root: Path, step: Mapping[str, Any]) -> dict[str, dict[str, np.ndarray]]:
    """feature -> statistic -> array; empty if the step has none."""
    name = step.get("state_file")
    if not isinstance(name, str):
        return {}
    file = root / Path(name).name
    header = safetensors_header(file)
    if (size := file.stat().st_size) > _MAX_STATISTICS:
        message, allowed = f"its statistics have {size} bytes", f"at most {_MAX_STATISTICS} bytes"
        raise BuildError(problem("PI060", file, message, size, allowed, "take those of its processors"))
    content = file.read_bytes()
    start = 8 + struct.unpack("<Q", content[:8])[0]
    found: dict[str, dict[str, np.ndarray]] = {}
    for key, item in header.items():
        feature, _, part = key.rpartition(".")
        dtype = _NUMPY.get(item["dtype"])
        if dtype is None:
            continue
        first, last = item["data_offsets"]
        array = np.frombuffer(content[start + first : start + last], dtype).reshape(item["shape"])
        found.setdefault(feature, {})[part] = array.astype(np.float32)
    return found
