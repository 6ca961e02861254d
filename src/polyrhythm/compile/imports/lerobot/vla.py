"""SmolVLA, pi0 and pi0.5: a prefix that is computed once for a chunk, and a flow on its keys and values.

Stages: ``begin`` (noise), ``prefill`` (images, words and, for SmolVLA, the state become keys and values), as
many ``step``s as there is time for, ``finish`` (actions of the robot). ``begin_guided`` and ``step_identity``
or ``step_vjp`` draw the chunk toward the one being played.

LeRobot's flow runs from time 1 (noise) to 0, ours from 0 to 1: the velocity changes its sign. Words are token
ids, negative where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import torch
from torch.nn.functional import pad

from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.imports.lerobot.description import Description, port
from polyrhythm.compile.imports.lerobot.files import CONFIG, STATE, Checkpoint
from polyrhythm.compile.imports.lerobot.normalise import normalise, parameters, restore
from polyrhythm.compile.policy import EntrySource, ModuleSource
from polyrhythm.compile.torch_flow import euler_step, guided_step
from polyrhythm.compile.torch_graph import described
from polyrhythm.compile.torch_source import function
from polyrhythm.compile.torch_source import parameters as parameters_of

METHODS = ("identity", "vjp")
_SCALAR = ("f32", ())
Weights = Mapping[str, torch.Tensor]


def describe(policy: Any, checkpoint: Checkpoint) -> Description:
    """The policy, a `SmolVLAPolicy`, `PI0Policy` or `PI05Policy`, as a module."""
    config = policy.config
    action = checkpoint.outputs["action"].shape[0]
    x = ("f32", (config.chunk_size, config.max_action_dim))
    cameras = [name for name in config.image_features if "empty_camera" not in name]
    if not cameras:
        message, where = "it has no camera", checkpoint.root / CONFIG
        mend = "take the configuration that the policy was trained with"
        raise BuildError(problem("PI061", where, message, None, "a feature of type VISUAL", mend))
    observations = {port(name): ("f32", checkpoint.inputs[name].shape) for name in cameras}
    if checkpoint.kind != "pi05":
        observations["state"] = ("f32", checkpoint.inputs[STATE].shape)
    observations["tokens"] = ("i32", (config.tokenizer_max_length,))
    if checkpoint.kind == "smolvla":
        _settle_positions(policy, checkpoint.inputs[cameras[0]].shape)
    prefix = _Prefix(policy, checkpoint, cameras)
    taken = {name: spec for name, spec in observations.items() if name != "state" or not prefix.state_in_step}
    conditions = prefix.outputs(taken)
    if prefix.state_in_step:
        conditions["state"] = observations["state"]
    velocity = _velocity(policy, checkpoint, prefix.state_in_step)
    flow = {**conditions, "x": x, "t": _SCALAR, "dt": _SCALAR}
    guidance = {"target": x, "weights": ("f32", (config.chunk_size,)), "beta": _SCALAR}
    scaling = checkpoint.scaling["action"]

    def target(weights: Weights, previous: torch.Tensor) -> torch.Tensor:
        return pad(normalise(weights, "action", scaling, previous), (0, x[1][1] - action))

    zero = torch.zeros(())
    entries = {
        "begin": EntrySource(lambda weights, noise: (noise.clone(), zero.clone()), {"noise": x}, ("x", "t")),
        "begin_guided": EntrySource(
            lambda weights, noise, previous: (noise.clone(), zero.clone(), target(weights, previous)),
            {"noise": x, "previous": ("f32", (config.chunk_size, action))},
            ("x", "t", "target"),
        ),
        "prefill": EntrySource(prefix, taken, ("kv", "prefix_mask"), samples=partial(_words, taken)),
        "step": EntrySource(euler_step(velocity), flow, ("x", "t"), samples=partial(_times, conditions, 0)),
        **{
            f"step_{method}": EntrySource(
                guided_step(velocity, method),  # type: ignore[arg-type]
                {**flow, **guidance},
                ("x", "t"),
                samples=partial(_times, conditions, config.chunk_size),
                guidance=method,
            )
            for method in METHODS
        },
        "finish": EntrySource(
            lambda weights, x: restore(weights, "action", scaling, x[:, :action]), {"x": x}, ("actions",)
        ),
    }
    steps = config.num_steps if checkpoint.kind == "smolvla" else config.num_inference_steps
    heads = _heads(policy)
    weights = {name: array for name, array in parameters_of(policy).items() if name not in heads}
    return Description(
        ModuleSource({**weights, **parameters(checkpoint)}, entries, frontend="torch"),
        observations, action, config.chunk_size, ("begin", "prefill", "step", "finish"), steps,
        ("begin_guided", "prefill", "step_{}", "finish"), _notes(checkpoint),
    )  # fmt: skip


def _heads(policy: Any) -> set[str]:
    """What would write words, which no entry does: as many numbers as there are words."""
    state = policy.state_dict()
    shared = {tensor.data_ptr() for name, tensor in state.items() if "lm_head" not in name}
    return {name for name, tensor in state.items() if "lm_head" in name and tensor.data_ptr() not in shared}


def _settle_positions(policy: Any, image: tuple[int, ...]) -> None:
    """Of every patch of an image, which are all there: the vision tower looks for those that are not."""
    tower = policy.model.vlm_with_expert.get_vlm_model().vision_model
    embeddings, seen = tower.embeddings, []
    hook = embeddings.position_embedding.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
    width, height = policy.config.resize_imgs_with_padding or image[:0:-1]
    with torch.no_grad():
        tower(pixel_values=torch.zeros(1, 3, height, width, dtype=tower.dtype))
    hook.remove()

    def forward(pixel_values: torch.Tensor, patch_attention_mask: Any = None) -> torch.Tensor:
        patches = embeddings.patch_embedding(pixel_values).flatten(2).transpose(1, 2)
        found: torch.Tensor = patches + embeddings.position_embedding(seen[0])
        return found

    embeddings.forward = forward


class _Prefix:
    """``fn(weights, *images, [state], tokens) -> (kv, mask)``.

    kv is ``[layers, 2, heads, prefix, head_dim]``, keys before values, mask bool ``[prefix]``.
    """

    def __init__(self, policy: Any, checkpoint: Checkpoint, cameras: list[str]) -> None:
        self._checkpoint, self._cameras, self._policy = checkpoint, cameras, policy
        #: Whether the state belongs to the flow and not to the prefix.
        self.state_in_step = checkpoint.kind == "pi0"
        self._inner = function(policy, self._call)

    def __call__(self, weights: Weights, *observed: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        scaling = self._checkpoint.scaling
        images = [
            normalise(weights, name, scaling[name], value)[None]
            for name, value in zip(self._cameras, observed, strict=False)
        ]
        state = None
        if self._checkpoint.kind == "smolvla":
            state = normalise(weights, STATE, scaling[STATE], observed[-2])[None]
        found: tuple[torch.Tensor, torch.Tensor] = self._inner(weights, images, state, observed[-1][None])
        return found

    def outputs(self, taken: Mapping[str, Any]) -> dict[str, Any]:
        """What it gives for inputs as they are declared, by running once."""
        inputs = [
            torch.zeros(shape, dtype=torch.int32 if dtype == "i32" else torch.float32)
            for dtype, shape in taken.values()
        ]
        weights = {name: torch.from_numpy(array) for name, array in parameters(self._checkpoint).items()}
        with torch.no_grad():
            kv, mask = self(weights, *inputs)
        return {"kv": described(kv), "prefix_mask": described(mask)}

    def _call(
        self, policy: Any, images: list[torch.Tensor], state: torch.Tensor | None, tokens: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        from lerobot.policies.common.vla_utils import make_att_2d_masks, prepare_attention_masks_4d

        model = policy.model
        batch: dict[str, Any] = dict(zip(self._cameras, images, strict=True))
        written, words = tokens >= 0, tokens.clamp(min=0).long()
        smol = self._checkpoint.kind == "smolvla"
        seen, masks = policy.prepare_images(batch) if smol else policy._preprocess_images(batch)
        if smol:
            padded = pad(state, (0, policy.config.max_state_dim - state.shape[-1]))  # type: ignore[union-attr]
            embedded, known, order = model.embed_prefix(seen, masks, words, written, state=padded)
        else:
            embedded, known, order = model.embed_prefix(seen, masks, words, written)
        attention = make_att_2d_masks(known, order)
        positions = torch.cumsum(known, dim=1) - 1
        both = model.vlm_with_expert if smol else model.paligemma_with_expert
        if not smol:
            attention = prepare_attention_masks_4d(attention)
            both.paligemma.model.language_model.config._attn_implementation = "eager"
        _, cache = both.forward(
            attention_mask=attention, position_ids=positions, past_key_values=None,
            inputs_embeds=[embedded, None], use_cache=True,
        )  # fmt: skip
        layers = [torch.stack([layer.keys[0], layer.values[0]]) for layer in cache.layers]
        return torch.stack(layers), known[0]


def _velocity(policy: Any, checkpoint: Checkpoint, state_in_step: bool) -> Callable[..., torch.Tensor]:
    """``velocity(weights, kv, mask, [state], x, t)``, from noise to action."""

    def call(policy: Any, kv: Any, mask: Any, state: Any, x: Any, time: Any) -> torch.Tensor:
        given = {} if state is None else {"state": state}
        found: torch.Tensor = policy.model.denoise_step(
            prefix_pad_masks=mask, past_key_values=_cache(kv), x_t=x, timestep=time, **given
        )
        return found

    inner = function(policy, call)

    def velocity(weights: Weights, *inputs: torch.Tensor) -> torch.Tensor:
        kv, mask, *rest, x, t = inputs
        state = None
        if state_in_step:
            scaled = normalise(weights, STATE, checkpoint.scaling[STATE], rest[0])
            state = pad(scaled, (0, policy.config.max_state_dim - scaled.shape[-1]))[None]
        found: torch.Tensor = inner(weights, kv, mask[None], state, x[None], (1 - t)[None])
        return -found[0]

    return velocity


def _cache(kv: torch.Tensor) -> Any:
    """The keys and values as transformers keeps them."""
    from transformers import DynamicCache

    return DynamicCache(tuple((layer[0][None], layer[1][None]) for layer in kv))


def _words(taken: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Images within 0..1, and a sentence that does not fill its room."""
    length = taken["tokens"][1][0]
    tokens = rng.integers(0, 8, length)
    tokens[length - length // 3 :] = -1
    images = {name: rng.random(shape) for name, (_, shape) in taken.items() if len(shape) == 3}
    return {"tokens": tokens.astype(np.int32), **{k: v.astype(np.float32) for k, v in images.items()}}


def _times(conditions: Mapping[str, Any], horizon: int, rng: np.random.Generator) -> dict[str, Any]:
    """A time within 0..1, a prefix of which the end is not written, and with `horizon` what guides."""
    length = conditions["prefix_mask"][1][0]
    found: dict[str, Any] = {
        "t": np.float32(rng.integers(5) / 5), "dt": np.float32(0.2),
        "prefix_mask": np.arange(length) < length - 2,
    }  # fmt: skip
    if horizon:
        found |= {"beta": np.float32(5), "weights": np.linspace(1, 0, horizon, dtype=np.float32)}
    return found


def _notes(checkpoint: Checkpoint) -> tuple[str, ...]:
    words = "token ids are inputs, negative where there is none: make them with the policy's own tokenizer"
    if checkpoint.kind == "pi05":
        return (
            words,
            "the state is part of the words, as in LeRobot: `Task: ..., State: 12 200 ...;`, normalised",
        )
    return (words,)
