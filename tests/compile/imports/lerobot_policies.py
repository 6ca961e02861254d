"""Small policies of LeRobot with random weights, made offline, saved as `policy.save_pretrained` does.

Needs the extra `lerobot` (Python 3.12 or later).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import torch
from lerobot.configs.types import FeatureType, NormalizationMode, PolicyFeature
from lerobot.policies.factory import get_policy_class, make_policy_config
from lerobot.processor import NormalizerProcessorStep, PolicyProcessorPipeline, UnnormalizerProcessorStep

STATE, IMAGE, ACTION = "observation.state", "observation.images.top", "action"
KINDS = ("act", "diffusion", "smolvla", "pi0", "pi05")
VLM = "vlm"
SETTINGS: dict[str, dict[str, Any]] = {
    "act": {
        "chunk_size": 8, "n_action_steps": 8, "dim_model": 32, "n_heads": 4, "dim_feedforward": 64,
        "n_encoder_layers": 2, "latent_dim": 8, "n_vae_encoder_layers": 1,
        "pretrained_backbone_weights": None,
    },
    "diffusion": {
        "n_obs_steps": 2, "horizon": 16, "n_action_steps": 8, "down_dims": (32, 64), "crop_shape": None,
        "num_train_timesteps": 10, "spatial_softmax_num_keypoints": 8, "diffusion_step_embed_dim": 32,
        "pretrained_backbone_weights": None, "use_group_norm": True,
    },
    "smolvla": {
        "vlm_model_name": VLM, "load_vlm_weights": False, "chunk_size": 8, "n_action_steps": 8,
        "max_state_dim": 8, "max_action_dim": 8, "tokenizer_max_length": 12, "num_steps": 5,
        "num_vlm_layers": 2, "resize_imgs_with_padding": (64, 64), "self_attn_every_n_layers": 2,
    },
    "pi0": {
        "chunk_size": 8, "n_action_steps": 8, "max_state_dim": 8, "max_action_dim": 8,
        "tokenizer_max_length": 12, "num_inference_steps": 5, "image_resolution": (28, 28),
        "dtype": "float32",
    },
}  # fmt: skip
SETTINGS["pi05"] = SETTINGS["pi0"]
MODES = {
    "act": "MEAN_STD",
    "diffusion": "MIN_MAX",
    "smolvla": "MEAN_STD",
    "pi0": "MEAN_STD",
    "pi05": "QUANTILES",
}


def features() -> tuple[dict[str, PolicyFeature], dict[str, PolicyFeature]]:
    inputs = {
        IMAGE: PolicyFeature(FeatureType.VISUAL, (3, 48, 64)), STATE: PolicyFeature(FeatureType.STATE, (6,)),
    }  # fmt: skip
    return inputs, {ACTION: PolicyFeature(FeatureType.ACTION, (5,))}


def statistics() -> dict[str, dict[str, np.ndarray]]:
    """Of state and action; images are taken as they are, but for ACT and Diffusion."""
    rng = np.random.default_rng(7)
    found = {}
    for name, size in ((STATE, (6,)), (ACTION, (5,)), (IMAGE, (3, 1, 1))):
        low, high = -1 - rng.random(size), 1 + rng.random(size)
        found[name] = {
            "mean": (low + high) / 2, "std": (high - low) / 3, "min": low, "max": high, "q01": low,
            "q99": high,
        }  # fmt: skip
    return {name: {k: v.astype(np.float32) for k, v in of.items()} for name, of in found.items()}


@contextlib.contextmanager
def small() -> Iterator[None]:
    """pi0 and pi0.5 in a size that a test can carry: theirs is written in LeRobot's code."""
    from lerobot.policies.pi0 import modeling_pi0
    from lerobot.policies.pi05 import modeling_pi05

    def shrunk(network: Any) -> Any:
        def make(config: Any) -> Any:
            for part, sizes in _SMALL.items():
                for name, size in sizes.items():
                    setattr(getattr(config, part, config), name, size)
            return network(config=config)

        return make

    with contextlib.ExitStack() as stack:
        for module in (modeling_pi0, modeling_pi05):
            sizes = module.GemmaConfig(
                width=32, depth=2, mlp_dim=64, num_heads=4, num_kv_heads=1, head_dim=16
            )
            stack.enter_context(patch.object(module, "get_gemma_config", lambda _, sizes=sizes: sizes))
            for name in ("PaliGemmaForConditionalGenerationWithPiGemma", "PiGemmaForCausalLM"):
                stack.enter_context(patch.object(module, name, shrunk(getattr(module, name))))
        yield


#: The vision tower of PaliGemma, and the vocabulary.
_SMALL = {
    "vision_config": {
        "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
        "patch_size": 14, "projection_dim": 32,
    },
    "text_config": {"vocab_size": 256},
}  # fmt: skip


def save(kind: str, root: Path, **settings: Any) -> Any:
    """Make a policy of this kind, save it in `root`, and give it back."""
    torch.manual_seed(0)
    inputs, outputs = features()
    mode = NormalizationMode(MODES[kind])
    modes = {"STATE": mode, "ACTION": mode, "VISUAL": NormalizationMode.IDENTITY}
    if kind in ("act", "diffusion"):
        modes["VISUAL"] = NormalizationMode.MEAN_STD
    config = make_policy_config(
        kind, input_features=inputs, output_features=outputs, device="cpu", normalization_mapping=modes,
        **{**SETTINGS[kind], **settings},
    )  # fmt: skip
    root.mkdir(parents=True, exist_ok=True)
    if kind == "smolvla":
        _save_vlm(root / VLM)
        config.vlm_model_name = str(root / VLM)
    from polyrhythm.compile.imports.lerobot.loading import _quiet, _without_processor

    with _quiet(), _without_processor(config):
        policy = get_policy_class(kind)(config).eval()
    for parameter in policy.parameters():
        parameter.data += 0.02 * torch.randn_like(parameter)  # some begin at zero
    if kind == "smolvla":
        config.vlm_model_name = VLM
    policy.save_pretrained(root)
    for step, name in processors(policy):
        PolicyProcessorPipeline(steps=[step], name=name).save_pretrained(root)
    if kind == "smolvla":
        config.vlm_model_name = str(root / VLM)
    return policy


def processors(policy: Any) -> list[tuple[Any, str]]:
    """LeRobot's own normalisation."""
    inputs, outputs = features()
    modes = policy.config.normalization_mapping
    return [
        (
            NormalizerProcessorStep(features={**inputs, **outputs}, norm_map=modes, stats=statistics()),
            "policy_preprocessor",
        ),
        (
            UnnormalizerProcessorStep(features=outputs, norm_map=modes, stats=statistics()),
            "policy_postprocessor",
        ),
    ]


def _save_vlm(root: Path) -> None:
    from transformers import SmolVLMConfig

    SmolVLMConfig(
        text_config={
            "model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 4,
            "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 16, "vocab_size": 256,
            "pad_token_id": 0,
        },
        vision_config={
            "hidden_size": 48, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4,
            "image_size": 64, "patch_size": 16,
        },
        scale_factor=2,
    ).save_pretrained(root)  # fmt: skip


def batch(observed: Mapping[str, np.ndarray]) -> dict[str, torch.Tensor]:
    """Observations with the axis that LeRobot counts samples along."""
    return {name: torch.from_numpy(array)[None] for name, array in observed.items()}
