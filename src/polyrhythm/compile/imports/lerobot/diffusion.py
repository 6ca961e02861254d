"""Diffusion Policy: ``begin`` (noise), ``encode`` (what was seen), as many ``step``s as asked, ``finish``.

A step takes the time t from 0 to 1 and what a step is of it, as the steps of flows do: of n = 1/dt steps the
one at t is at the training step ``(n - 1 - t n) * (T // n)``, so their number can be chosen at run time.
Formulas: arXiv 2006.11239 (DDPM, its variance from the input `noise`), arXiv 2010.02502 (DDIM without noise),
as `diffusers` has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.imports.lerobot.description import Description, port
from polyrhythm.compile.imports.lerobot.files import CONFIG, Checkpoint
from polyrhythm.compile.imports.lerobot.normalise import normalise, parameters, restore
from polyrhythm.compile.policy import EntrySource, ModuleSource
from polyrhythm.compile.torch_source import function
from polyrhythm.compile.torch_source import parameters as parameters_of

_KEPT = "schedule.alphas_cumprod"
_LEAST_VARIANCE = 1e-20
Weights = Mapping[str, torch.Tensor]


def describe(policy: Any, checkpoint: Checkpoint) -> Description:
    """The policy, a `DiffusionPolicy`, as a module."""
    config, model = policy.config, policy.diffusion
    action, scaling = checkpoint.outputs["action"].shape[0], checkpoint.scaling
    features, images = list(checkpoint.inputs), list(config.image_features)
    sampler = _Sampler(model, checkpoint)
    x, noise = ("f32", (config.horizon, action)), ("f32", sampler.noise_shape(config.horizon, action))
    observations = {
        port(feature): ("f32", (config.n_obs_steps, *spec.shape))
        for feature, spec in checkpoint.inputs.items()
    }
    conditioning = function(
        policy, lambda policy, batch: policy.diffusion._prepare_global_conditioning(batch)
    )
    network = function(policy, lambda p, x, k, cond: p.diffusion.unet(x, k, global_cond=cond))
    first = config.n_obs_steps - 1
    zero = torch.zeros(())

    def encode(weights: Weights, *observed: torch.Tensor) -> torch.Tensor:
        batch = {
            feature: normalise(weights, feature, scaling[feature], value)[None]
            for feature, value in zip(features, observed, strict=True)
        }
        if images:
            batch["observation.images"] = torch.stack([batch[feature] for feature in images], dim=-4)
        found: torch.Tensor = conditioning(weights, batch)[0]
        return found

    def step(weights: Weights, cond: Any, x: Any, t: Any, dt: Any, *drawn: Any) -> tuple[Any, Any]:
        def predict(x: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
            found: torch.Tensor = network(weights, x[None], at[None], cond[None])[0]
            return found

        return sampler.step(weights[_KEPT], predict, x, t, dt, *drawn), t + dt

    cond = _condition(encode, checkpoint, observations)
    taken: dict[str, Any] = {"cond": cond, "x": x, "t": ("f32", ()), "dt": ("f32", ())}
    entries = {
        "begin": EntrySource(
            lambda weights, noise: (noise[0].clone() if sampler.draws else noise.clone(), zero.clone()),
            {"noise": noise}, ("x", "t"),
        ),
        "encode": EntrySource(encode, observations, ("cond",)),
        "step": EntrySource(
            step, {**taken, **({"noise": noise} if sampler.draws else {})}, ("x", "t"),
            samples=lambda rng: {"t": np.float32(rng.integers(sampler.steps) / sampler.steps),
                                 "dt": np.float32(1 / sampler.steps)},
        ),
        "finish": EntrySource(
            lambda weights, x: restore(weights, "action", scaling["action"], x[first:]), {"x": x},
            ("actions",),
        ),
    }  # fmt: skip
    kept = {_KEPT: np.asarray(model.noise_scheduler.alphas_cumprod.numpy(), np.float32)}
    return Description(
        ModuleSource({**parameters_of(policy), **parameters(checkpoint), **kept}, entries, frontend="torch"),
        observations, action, config.horizon - first, ("begin", "encode", "step", "finish"), sampler.steps,
        notes=(
            f"inputs are the last {config.n_obs_steps} observations, oldest first",
            f"the chunk has all {config.horizon - first} actions from now on, LeRobot plays "
            f"{config.n_action_steps} of them",
        ),
    )  # fmt: skip


class _Sampler:
    """The noise scheduler, as a function of tensors."""

    def __init__(self, model: Any, checkpoint: Checkpoint) -> None:
        self._of = model.noise_scheduler.config
        self.steps = int(model.num_inference_steps)
        #: Whether every step adds noise.
        self.draws = type(model.noise_scheduler).__name__ == "DDPMScheduler"
        wanted = {"timestep_spacing": "leading", "steps_offset": 0, "thresholding": False}
        if self.draws:
            wanted["variance_type"] = "fixed_small"
        else:
            wanted["set_alpha_to_one"] = True
        for name, value in wanted.items():
            if self._of.get(name, value) != value:
                message, where = (
                    f"its noise scheduler has {name} {self._of[name]!r}",
                    checkpoint.root / CONFIG,
                )
                mend = "export the policy yourself: `polyrhythm import torch`"
                raise BuildError(
                    problem("PI061", where, message, self._of[name], repr(value), mend, path=name)
                )

    def noise_shape(self, horizon: int, action: int) -> tuple[int, ...]:
        return (1 + self.steps, horizon, action) if self.draws else (horizon, action)

    def step(self, kept: Any, predict: Any, x: Any, t: Any, dt: Any, *drawn: Any) -> torch.Tensor:
        """x after one more step; `kept` is how much of the signal is left at every training step."""
        total = int(self._of.num_train_timesteps)
        count = torch.round(1 / dt)
        done = torch.round(t * count).long()
        stride = torch.floor(total / count + 1e-4).long()
        at = (count.long() - 1 - done) * stride
        now, before = _row(kept, at), _row(kept, (at - stride).clamp(min=0))
        after = torch.where(at >= stride, before, 1.0)
        said = predict(x, at)
        epsilon = self._of.prediction_type == "epsilon"
        clean = (x - (1 - now).sqrt() * said) / now.sqrt() if epsilon else said
        if self._of.clip_sample:
            clean = clean.clamp(-self._of.clip_sample_range, self._of.clip_sample_range)
        if not self.draws:
            noise = said if epsilon else (x - now.sqrt() * said) / (1 - now).sqrt()
            return after.sqrt() * clean + (1 - after).sqrt() * noise
        lost = 1 - now / after
        mean = after.sqrt() * lost / (1 - now) * clean + (now / after).sqrt() * (1 - after) / (1 - now) * x
        variance = ((1 - after) / (1 - now) * lost).clamp(min=_LEAST_VARIANCE)
        return mean + torch.where(at > 0, variance.sqrt(), 0.0) * _row(drawn[0], done + 1)


def _row(rows: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    """Not ``rows[index]``, which asks on the host what the index is."""
    return rows.index_select(0, index[None])[0]


def _condition(encode: Any, checkpoint: Checkpoint, observations: Any) -> tuple[str, tuple[int, ...]]:
    weights = {name: torch.from_numpy(array) for name, array in parameters(checkpoint).items()}
    with torch.no_grad():
        found = encode(weights, *(torch.zeros(shape) for _, shape in observations.values()))
    return ("f32", tuple(found.shape))
