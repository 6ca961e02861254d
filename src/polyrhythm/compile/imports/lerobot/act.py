"""ACT: one entry, a whole chunk from one observation (the latent is zero, as always when it runs)."""

from __future__ import annotations

from typing import Any

import torch

from polyrhythm.compile.imports.lerobot.description import Description, port
from polyrhythm.compile.imports.lerobot.files import Checkpoint
from polyrhythm.compile.imports.lerobot.normalise import normalise, parameters, restore
from polyrhythm.compile.policy import EntrySource, ModuleSource
from polyrhythm.compile.torch_source import function
from polyrhythm.compile.torch_source import parameters as parameters_of


def describe(policy: Any, checkpoint: Checkpoint) -> Description:
    """The policy, an `ACTPolicy`, as a module."""
    config, features = policy.config, list(checkpoint.inputs)
    images = list(config.image_features)
    inner = function(policy, lambda policy, batch: policy.model(batch)[0])

    def act(weights: Any, *observed: torch.Tensor) -> torch.Tensor:
        batch: dict[str, Any] = {
            feature: normalise(weights, feature, checkpoint.scaling[feature], value)[None]
            for feature, value in zip(features, observed, strict=True)
        }
        if images:
            batch["observation.images"] = [batch[feature] for feature in images]
        return restore(weights, "action", checkpoint.scaling["action"], inner(weights, batch)[0])

    observations = {port(feature): ("f32", spec.shape) for feature, spec in checkpoint.inputs.items()}
    notes = () if config.temporal_ensemble_coeff is None else (_ENSEMBLE,)
    return Description(
        ModuleSource(
            {**parameters_of(policy), **parameters(checkpoint)},
            {"act": EntrySource(act, observations, ("actions",))},
            frontend="torch",
        ),
        observations, checkpoint.outputs["action"].shape[0], config.chunk_size, ("act",), notes=notes,
    )  # fmt: skip


_ENSEMBLE = "the temporal ensemble of chunks is left out: a chunk is played as it is"
