"""A policy as LeRobot makes it, with the weights of its directory and nothing else.

Strict: LeRobot itself goes on with random weights when some do not fit.
"""

from __future__ import annotations

import contextlib
import io
import logging
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from polyrhythm.compile.codes import BuildError, missing_extra, problem
from polyrhythm.compile.imports.lerobot.files import CONFIG, WEIGHTS, Checkpoint

#: Settings that would compile, download or train.
_OFF = {
    "device": "cpu", "compile_model": False, "gradient_checkpointing": False, "load_vlm_weights": False,
    "pretrained_backbone_weights": None, "rtc_config": None,
}  # fmt: skip
_NAMES = 8


def load(checkpoint: Checkpoint) -> Any:
    """The policy, in evaluation mode.

    Raises:
        BuildError: PI061, LeRobot cannot make it; PI063, its weights are not those of the directory; PK014.
    """
    try:
        from lerobot.configs.policies import PreTrainedConfig
        from lerobot.policies.factory import get_policy_class
    except ImportError as error:
        raise missing_extra("lerobot", "lerobot", "importing a LeRobot policy") from error
    file = checkpoint.root / CONFIG
    with _quiet():
        try:
            cls = get_policy_class(checkpoint.kind)
            config = PreTrainedConfig.from_pretrained(checkpoint.root, local_files_only=True)
            beside = checkpoint.root / str(getattr(config, "vlm_model_name", "."))
            if beside != checkpoint.root and beside.is_dir():
                config.vlm_model_name = str(beside)
            for name, value in _OFF.items():
                if hasattr(config, name):
                    setattr(config, name, value)
            with _without_processor(config):
                policy = cls(config)
        except ImportError as error:
            raise missing_extra(
                error.name or "lerobot", "lerobot", f"a policy of {checkpoint.kind}"
            ) from error
        except Exception as error:
            reason: BaseException = error
            while reason.__cause__ is not None:  # a parser's complaint says less than what it is about
                reason = reason.__cause__
            words = str(reason).strip().split("\n")[0][:300]
            message = f"LeRobot cannot make the policy: {type(reason).__name__}: {words}"
            mend = "look at the configuration"
            if "huggingface.co" in str(error) or "offline" in str(error):
                mend = (
                    "put the configuration of its language model beside it, and name it in `vlm_model_name`"
                )
            raise BuildError(problem("PI061", file, message, None, "a policy of LeRobot", mend)) from error
        _check_settings(checkpoint, config)
        _fill(policy, checkpoint)
    return policy.float().eval() if getattr(config, "dtype", "float32") == "float32" else policy.eval()


def _check_settings(checkpoint: Checkpoint, config: Any) -> None:
    """What changes the numbers outside of the network."""
    for name in ("adapt_to_pi_aloha", "use_relative_actions", "use_delta_joint_actions_aloha"):
        if getattr(config, name, False):
            message, mend = f"`{name}` is set", "export the policy yourself: `polyrhythm import torch`"
            where = checkpoint.root / CONFIG
            raise BuildError(problem("PI061", where, message, True, "a policy without it", mend, path=name))


def _fill(policy: Any, checkpoint: Checkpoint) -> None:
    """Load the weights, all of them.

    Raises:
        BuildError: PI060, PI063.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    file = checkpoint.root / WEIGHTS
    try:
        state = load_file(file)
    except (SafetensorError, ValueError, RuntimeError) as error:
        message = f"PyTorch cannot load it: {type(error).__name__}: {error}"[:300]
        raise BuildError(
            problem("PI060", file, message, None, "a .safetensors file", "copy it again")
        ) from error
    if checkpoint.kind in ("pi0", "pi05"):
        state = policy._fix_pytorch_state_dict_keys(state, policy.config)
        state = {
            name if name.startswith("model.") else f"model.{name}": value for name, value in state.items()
        }
    own = policy.state_dict()
    problems = [
        f"{name} is {list(value.shape)}, the policy's {list(own[name].shape)}"
        for name, value in state.items()
        if name in own and value.shape != own[name].shape
    ]
    problems += [f"{name} is not the policy's" for name in state if name not in own]
    # Files hold one of two tensors that are the same memory.
    filled = {own[name].data_ptr() for name in state if name in own}
    problems += [
        f"{name} is missing" for name in own if name not in state and own[name].data_ptr() not in filled
    ]
    if problems:
        more = f", and {len(problems) - _NAMES} more" if problems[_NAMES:] else ""
        message = f"{len(problems)} tensors do not fit: {'; '.join(problems[:_NAMES])}{more}"
        mend = "take configuration and weights of one policy, saved by this version of LeRobot"
        raise BuildError(problem("PI063", file, message, len(problems), "all tensors of the policy", mend))
    policy.load_state_dict(state, strict=False)


@contextlib.contextmanager
def _without_processor(config: Any) -> Iterator[None]:
    """SmolVLA asks the hub for a tokenizer, for two numbers that it needs for special tokens only."""
    if getattr(config, "add_image_special_tokens", None) is not False:
        yield
        return
    from lerobot.policies.smolvla import smolvlm_with_expert

    class Processor:
        @classmethod
        def from_pretrained(cls, *_: Any, **__: Any) -> Any:
            return cls()

        class tokenizer:
            fake_image_token_id = global_image_token_id = 0

    with patch.object(smolvlm_with_expert, "AutoProcessor", Processor):
        yield


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """LeRobot prints what it does."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        logging.disable(before)
