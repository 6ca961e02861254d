"""`examples/flow_policy` written as one would in PyTorch: what `eager.py` compares with. Needs ``torch``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from flow_modules import flow_model
from torch import Tensor


class TorchPolicy:
    """The same functions as `flow_model`, on tensors; without gradients and without a batch dimension."""

    def __init__(self, size: flow_model.Size, params: Mapping[str, np.ndarray]) -> None:
        self.size = size
        self.p = {name: torch.from_numpy(np.array(array)) for name, array in params.items()}
        self.frequencies = torch.from_numpy(np.geomspace(1.0, 100.0, size.expert // 2).astype(np.float32))

    def chunk(self, depth: Tensor, instruction: Tensor, proprio: Tensor, noise: Tensor, steps: int) -> Tensor:
        """An action chunk f32 ``[24, 4]``."""
        kv = self.prefill(depth, instruction)
        x, dt = noise, 1.0 / steps
        for index in range(steps):
            x = x + dt * self.velocity(kv, proprio, x, torch.tensor(index * dt))
        return (x * self.p["action_std"] + self.p["action_mean"]).clip(-1.0, 1.0)

    def prefill(self, depth: Tensor, instruction: Tensor) -> list[tuple[Tensor, Tensor]]:
        """Keys and values ``[heads, tokens, head]`` of every layer."""
        p, size = self.p, self.size
        side = flow_model.IMAGE // size.patch
        x = torch.stack([(depth - 0.6) * 4.0, (p["empty"] - depth) * 20.0], dim=-1)
        x = x.reshape(side, size.patch, side, size.patch, 2).permute(0, 2, 1, 3, 4).reshape(size.patches, -1)
        words = p["embedding"][instruction] + p["word_position"]
        tokens = torch.cat([x @ p["patch"] + p["patch_position"], words])
        kv = []
        for i in range(size.layers):
            h = _normalise(tokens)
            key, value = (self._split(part) for part in (h @ p[f"prefix{i}.kv"]).chunk(2, dim=-1))
            kv.append((key, value))
            if i < size.layers - 1:
                seen = self._attend(self._split(h @ p[f"prefix{i}.query"]), key, value)
                tokens = tokens + seen @ p[f"prefix{i}.out"]
                tokens = tokens + self._feed_forward(f"prefix{i}", tokens)
        return kv

    def velocity(self, kv: Any, proprio: Tensor, x: Tensor, t: Tensor) -> Tensor:
        """The flow's velocity f32 ``[24, 4]``."""
        p = self.p
        angles = t * self.frequencies
        clock = torch.cat([angles.cos(), angles.sin()]) @ p["clock"]
        actions = F.silu(x @ p["action_in"] + clock + p["action_bias"]) @ p["action_mix"]
        now, before = proprio.chunk(2)
        body = (torch.cat([now, now - before]) - p["motion_mean"]) / p["motion_std"]
        tokens = torch.cat([(body @ p["state_in"])[None], actions]) + p["suffix_position"]
        for i, (prefix_key, prefix_value) in enumerate(kv):
            qkv = (_normalise(tokens) @ p[f"expert{i}.qkv"]).chunk(3, dim=-1)
            query, key, value = (self._split(part) for part in qkv)
            key, value = torch.cat([prefix_key, key], dim=1), torch.cat([prefix_value, value], dim=1)
            tokens = tokens + self._attend(query, key, value) @ p[f"expert{i}.out"]
            tokens = tokens + self._feed_forward(f"expert{i}", tokens)
        return _normalise(tokens[1:]) @ p["action_out"]

    def _split(self, x: Tensor) -> Tensor:
        return x.reshape(len(x), self.size.heads, -1).transpose(0, 1)

    def _attend(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        seen = F.scaled_dot_product_attention(query, key, value)
        return seen.transpose(0, 1).reshape(query.shape[1], -1)

    def _feed_forward(self, name: str, x: Tensor) -> Tensor:
        gate, up = (_normalise(x) @ self.p[f"{name}.up"]).chunk(2, dim=-1)
        return (F.silu(gate) * up) @ self.p[f"{name}.down"]


def _normalise(x: Tensor) -> Tensor:
    return F.rms_norm(x, x.shape[-1:], eps=1e-6)
