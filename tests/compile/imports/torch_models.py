"""Small models of PyTorch, and functions that `polyrhythm import torch` can be given."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from polyrhythm.compile import ModuleSource
from polyrhythm.compile.torch_flow import euler_step, guided_step
from polyrhythm.compile.torch_source import entry, function, source

HORIZON, ACTION, TOKENS, WIDTH, HEADS = 8, 3, 16, 32, 4


class Mlp(nn.Module):
    """f32 ``[6]`` -> f32 ``[2]``."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.layers = nn.Sequential(nn.Linear(6, 32), nn.LayerNorm(32), nn.GELU(), nn.Linear(32, 2))
        self.register_buffer("scale", torch.tensor([2.0, 0.5]), persistent=False)

    def forward(self, state: torch.Tensor) -> torch.Tensor:
        return self.layers(state) * self.scale


class TwoRates(nn.Module):
    """What sees, and what acts; both read the same table of words."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.patches = nn.Conv2d(3, WIDTH, kernel_size=8, stride=8)
        self.words = nn.Embedding(20, WIDTH)
        self.layer = nn.TransformerEncoderLayer(
            WIDTH, HEADS, 64, dropout=0.1, batch_first=True, activation="gelu", norm_first=True
        )
        self.head = nn.Linear(WIDTH + 4, HORIZON * ACTION)
        self.unused = nn.Linear(3, 3)

    def encode(self, image: torch.Tensor, instruction: torch.Tensor) -> dict[str, torch.Tensor]:
        seen = self.patches(image[None]).flatten(2).transpose(1, 2)
        read = self.words(instruction.long())[None]
        return {"hidden": self.layer(torch.cat([seen, read], 1))[0]}

    def act(self, hidden: torch.Tensor, proprio: torch.Tensor, instruction: torch.Tensor) -> torch.Tensor:
        mean = hidden.mean(0) + self.words(instruction.long()).mean(0)
        return self.head(torch.cat([mean, proprio])).reshape(HORIZON, ACTION)


class Decoder(nn.Module):
    """One token at a time, keys and values f32 ``[2, TOKENS, HEADS, WIDTH / HEADS]`` written row by row."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(2)
        self.words = nn.Embedding(20, WIDTH)
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, 20)

    def decode(
        self, token: torch.Tensor, position: torch.Tensor, kv: torch.Tensor
    ) -> dict[str, torch.Tensor]:
        x = self.words(token.long())
        q, k, v = self.qkv(x).reshape(3, HEADS, WIDTH // HEADS)
        row = position.long().reshape(1)
        kv = kv.index_copy(1, row, torch.stack([k, v])[:, None])
        seen = torch.arange(TOKENS) <= position
        scores = torch.einsum("hd,thd->ht", q, kv[0]) * (WIDTH // HEADS) ** -0.5
        weights = scores.masked_fill(~seen, -torch.inf).softmax(-1)
        return {"logits": self.out(torch.einsum("ht,thd->hd", weights, kv[1]).reshape(-1)), "kv": kv}


class Masked(nn.Module):
    """Truth values as constants."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        seen = torch.tensor([True, False, True, True, False, True])
        return torch.where(seen, x, 0.0) * seen.cumsum(0)


class Flow(nn.Module):
    """A velocity f32 ``[HORIZON, ACTION]`` that depends on what was seen."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(3)
        self.inner = nn.Sequential(
            nn.Linear(ACTION + 6, 32), nn.SiLU(), nn.LayerNorm(32), nn.Linear(32, ACTION)
        )

    def velocity(self, seen: torch.Tensor, x: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
        beside = torch.cat([seen, torch.sin(t)[None], torch.cos(t)[None]]).expand(HORIZON, 6)
        mixed = torch.cat([x, beside], -1)
        return self.inner(mixed) + 0.1 * x.flip(0)


def mlp() -> tuple[nn.Module, torch.Tensor]:
    return Mlp(), torch.zeros(6)


def masked() -> tuple[nn.Module, torch.Tensor]:
    return Masked(), torch.zeros(6)


def two_rates() -> tuple[nn.Module, dict[str, dict[str, torch.Tensor]]]:
    words = torch.zeros(5, dtype=torch.int32)
    return TwoRates(), {
        "encode": {"image": torch.zeros(3, 32, 32), "instruction": words},
        "act": {"hidden": torch.zeros(21, WIDTH), "proprio": torch.zeros(4), "instruction": words},
    }


def decoder() -> ModuleSource:
    net = Decoder()
    examples = {
        "token": torch.zeros((), dtype=torch.int32), "position": torch.zeros((), dtype=torch.int32),
        "kv": torch.zeros(2, TOKENS, HEADS, WIDTH // HEADS),
    }  # fmt: skip
    return source(net, {"decode": entry(net, "decode", examples, consumed=("kv",))})


def flow() -> ModuleSource:
    from polyrhythm.compile import EntrySource

    net = Flow()
    velocity = function(net, Flow.velocity)
    x, scalar = ("f32", (HORIZON, ACTION)), ("f32", ())
    plain = {"seen": ("f32", (4,)), "x": x, "t": scalar, "dt": scalar}
    guided = {**plain, "target": x, "weights": ("f32", (HORIZON,)), "beta": scalar}
    entries = {"step": EntrySource(euler_step(velocity), plain, ("x", "t"), samples=times)}
    for method in ("identity", "vjp"):
        fn = guided_step(velocity, method)
        entries[f"step_{method}"] = EntrySource(fn, guided, ("x", "t"), samples=times, guidance=method)
    return source(net, entries)


def times(rng: Any) -> dict[str, Any]:
    return {"t": rng.integers(5) / 5, "dt": 0.2}
