"""SmolVLA at its real size (about 400 million parameters, random weights): the bundle against eager PyTorch.

The policy is made and saved with LeRobot, imported, and both make chunks of the same observations in
processes of their own, on all cores: p50 and p99 of a chunk, and the most memory that the process ever held.
The bundle's process has neither PyTorch nor LeRobot. `--quick` takes four layers and small images. Slow: an
import takes minutes. Needs the environment of `make test-lerobot`:
`.venv-lerobot/bin/python benchmarks/smolvla.py`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
from measure import Figure, finish, parser, quantile

STEPS = 10
TEXT = {
    "model_type": "llama", "hidden_size": 960, "intermediate_size": 2560, "num_hidden_layers": 16,
    "num_attention_heads": 15, "num_key_value_heads": 5, "head_dim": 64, "vocab_size": 49280,
    "pad_token_id": 2,
}  # fmt: skip
VISION = {
    "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12,
    "image_size": 512, "patch_size": 16,
}  # fmt: skip
#: At most this many times as long as PyTorch.
_SLOWER = 1.5


def main() -> int:
    """Import, run both, print."""
    made = parser(__doc__ or "")
    made.add_argument("--chunks", type=int, default=0, help="how many to measure")
    made.add_argument("--run", choices=("ours", "eager"), help="what a child does")
    made.add_argument("--directory", help="where the policy and the bundle are")
    options = made.parse_args()
    if options.run:
        print(
            json.dumps((_ours if options.run == "ours" else _eager)(Path(options.directory), options.chunks))
        )
        return 0
    try:
        import lerobot  # noqa: F401
    except ImportError:
        print("skipped: lerobot is not installed (see `make test-lerobot`)", file=sys.stderr)
        return 0
    with tempfile.TemporaryDirectory(prefix="polyrhythm-bench-") as directory:
        root = Path(directory)
        millions = _save(root / "policy", quick=options.quick)
        begun = perf_counter()
        from polyrhythm.compile.imports.lerobot import import_lerobot

        import_lerobot(root / "policy", root / "bundle")
        took = perf_counter() - begun
        chunks = options.chunks or (20 if options.quick else 10)
        ours, eager = (_child(name, root, chunks) for name in ("ours", "eager"))
    error = np.abs(np.array(ours["actions"]) - np.array(eager["actions"])).max()
    ratio = quantile(ours["ms"], 0.5) / quantile(eager["ms"], 0.5)
    figures = [
        Figure("parameters", millions, "million"),
        Figure("import", took, "s"),
        *(
            figure
            for name, found in (("bundle", ours), ("eager PyTorch", eager))
            for figure in (
                Figure(f"{name}: chunk of {STEPS} steps, p50", quantile(found["ms"], 0.5), "ms"),
                Figure(f"{name}: chunk of {STEPS} steps, p99", quantile(found["ms"], 0.99), "ms"),
                Figure(f"{name}: most memory held", found["rss_mb"], "MB"),
            )
        ),
        Figure("bundle over eager PyTorch, p50", ratio, "", _SLOWER),
        Figure(
            "largest difference of the chunks, 1e-4", float(error) * 1e4, "", 1.0 if options.quick else 10.0
        ),
    ]
    return finish(figures, options.json)


def _child(name: str, root: Path, chunks: int) -> dict[str, Any]:
    command = [sys.executable, __file__, "--run", name, "--directory", str(root), "--chunks", str(chunks)]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return found


def _save(root: Path, *, quick: bool) -> float:
    """Make the policy; its parameters in millions."""
    from transformers import SmolVLMConfig

    from tests.compile.imports import lerobot_policies as made

    text = {**TEXT, "num_hidden_layers": 4} if quick else TEXT
    vision = {**VISION, "image_size": 128, "num_hidden_layers": 2} if quick else VISION
    size = vision["image_size"]
    made._save_vlm = lambda place: SmolVLMConfig(
        text_config=text, vision_config=vision, scale_factor=4
    ).save_pretrained(place)
    policy = made.save(
        "smolvla", root, chunk_size=50, n_action_steps=50, max_state_dim=32, max_action_dim=32,
        tokenizer_max_length=48, num_steps=STEPS, num_vlm_layers=text["num_hidden_layers"],
        resize_imgs_with_padding=(size, size),
    )  # fmt: skip
    return sum(parameter.numel() for parameter in policy.parameters()) / 1e6


def _ours(root: Path, chunks: int) -> dict[str, Any]:
    """The bundle's stages, without PyTorch."""
    from polyrhythm.bundle import open_bundle
    from tests.compile.imports.player import Player

    player = Player(open_bundle(root / "bundle"), uri="local-task")
    given = {**_observed(), "dt": np.float32(1 / STEPS)}
    stages = ["begin", "prefill", *["step"] * STEPS, "finish"]

    def chunk() -> np.ndarray:
        found: np.ndarray = player.play(stages, given)["actions"]
        return found

    found = _measured(chunk, chunks)
    player.close()
    return found


def _eager(root: Path, chunks: int) -> dict[str, Any]:
    """LeRobot itself."""
    import torch

    from polyrhythm.compile.imports.lerobot.files import read_checkpoint
    from polyrhythm.compile.imports.lerobot.loading import load
    from tests.compile.imports import lerobot_policies as made

    policy, given = load(read_checkpoint(root / "policy")), _observed()
    (before, _), (after, _) = made.processors(policy)
    tokens = torch.from_numpy(given["tokens"])[None]

    def chunk() -> np.ndarray:
        batch = made.batch({made.IMAGE: given["images_top"], made.STATE: given["state"]})
        batch = before._normalize_observation(batch, inverse=False)
        batch["observation.language.tokens"] = tokens.clamp(min=0).long()
        batch["observation.language.attention_mask"] = tokens >= 0
        made_ = policy.predict_action_chunk(batch, noise=torch.from_numpy(given["noise"])[None])
        found: np.ndarray = after._normalize_action(made_, inverse=True)[0].numpy()
        return found

    return _measured(chunk, chunks)


def _observed() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    tokens = np.arange(3, 51, dtype=np.int32)
    tokens[30:] = -1
    return {
        "images_top": rng.random((3, 48, 64)).astype(np.float32),
        "state": rng.standard_normal(6).astype(np.float32),
        "tokens": tokens,
        "noise": rng.standard_normal((50, 32)).astype(np.float32),
    }


def _measured(chunk: Any, chunks: int) -> dict[str, Any]:
    actions, found = chunk(), []
    for _ in range(chunks):
        begun = perf_counter()
        chunk()
        found.append((perf_counter() - begun) * 1e3)
    held = next(line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
    return {"ms": found, "rss_mb": int(held.split()[1]) / 1024, "actions": actions.tolist()}


if __name__ == "__main__":
    sys.exit(main())
