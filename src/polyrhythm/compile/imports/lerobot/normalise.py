"""Normalisation compiled in: a module takes what a robot measures and gives what a robot does.

The formulas are those of `lerobot.processor.normalize_processor`; the statistics are parameters of the
bundle, called ``statistics.<feature>.<statistic>``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from polyrhythm.compile.imports.lerobot.files import STATISTICS, Checkpoint, Scaling

Weights = Mapping[str, torch.Tensor]


def parameters(checkpoint: Checkpoint) -> dict[str, np.ndarray]:
    """The statistics of a policy, in shapes that fit the features."""
    return {
        _name(feature, part): array.reshape(_shape(array, checkpoint, feature))
        for feature, scaling in checkpoint.scaling.items()
        for part, array in scaling.statistics.items()
    }


def normalise(weights: Weights, feature: str, scaling: Scaling, x: torch.Tensor) -> torch.Tensor:
    """`x` as the policy was trained to see it; the last axes of `x` are those of the feature."""
    if scaling.mode == "IDENTITY":
        return x
    low, high = (weights[_name(feature, part)] for part in STATISTICS[scaling.mode])
    if scaling.mode == "MEAN_STD":
        return (x - low) / (high + scaling.eps)
    return 2 * (x - low) / _range(low, high, scaling) - 1


def restore(weights: Weights, feature: str, scaling: Scaling, x: torch.Tensor) -> torch.Tensor:
    """What `normalise` makes `x` of."""
    if scaling.mode == "IDENTITY":
        return x
    low, high = (weights[_name(feature, part)] for part in STATISTICS[scaling.mode])
    if scaling.mode == "MEAN_STD":
        return x * high + low
    return (x + 1) * _range(low, high, scaling) / 2 + low


def _range(low: Any, high: Any, scaling: Scaling) -> torch.Tensor:
    width = high - low
    return torch.where(width == 0, torch.full_like(width, scaling.eps), width)


def _name(feature: str, part: str) -> str:
    return f"statistics.{feature}.{part}"


def _shape(array: np.ndarray, checkpoint: Checkpoint, feature: str) -> tuple[int, ...]:
    spec = checkpoint.inputs.get(feature) or checkpoint.outputs[feature]
    return (*array.shape, 1, 1) if spec.kind == "VISUAL" and array.ndim == 1 else array.shape
