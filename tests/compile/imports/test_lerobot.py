"""`import lerobot`: whole chunks as LeRobot makes them, for the same noise; needs its environment.

`make test-lerobot` makes one and runs this.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import Bundle, open_bundle
from polyrhythm.chunks.guidance import weights
from polyrhythm.compile import BuildError
from polyrhythm.compile.imports.lerobot import import_lerobot
from polyrhythm.runtime import check, play

from .player import Player

os.environ["HF_HUB_OFFLINE"] = "1"
torch = pytest.importorskip("torch", reason="needs the extra `lerobot`: see `make test-lerobot`")
pytest.importorskip("lerobot", reason="needs the extra `lerobot`: see `make test-lerobot`")

from . import lerobot_policies as made  # noqa: E402

#: The largest difference of an action from LeRobot's, in units of what the robot takes.
CLOSE = 1e-4
FLOWS = ("smolvla", "pi0", "pi05")
Case = tuple[Any, Bundle, Player]


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Case]]:
    """Policies by kind with their bundles, each made when it is first asked for."""

    class Cases(dict[str, Case]):
        def __missing__(self, kind: str) -> Case:
            root = tmp_path_factory.mktemp(kind)
            with made.small():
                settings = {"noise_scheduler_type": "DDIM"} if kind == "ddim" else {}
                policy = made.save("diffusion" if kind == "ddim" else kind, root / "policy", **settings)
                import_lerobot(root / "policy", root / "bundle")
            bundle = open_bundle(root / "bundle")
            self[kind] = policy, bundle, Player(bundle)
            return self[kind]

    found = Cases()
    yield found
    for _, _, player in found.values():
        player.close()


def observed(kind: str, policy: Any) -> dict[str, np.ndarray]:
    """What a robot measures, by the names of the features."""
    rng = np.random.default_rng(11)
    steps = (policy.config.n_obs_steps,) if kind in ("diffusion", "ddim") else ()
    image = rng.random((*steps, 3, 48, 64)).astype(np.float32)
    return {made.IMAGE: image, made.STATE: rng.standard_normal((*steps, 6)).astype(np.float32)}


def words(policy: Any) -> np.ndarray:
    """A sentence of token ids that leaves room."""
    found = np.arange(3, 3 + policy.config.tokenizer_max_length, dtype=np.int32)
    found[-4:] = -1
    return found


def original(kind: str, policy: Any, noise: np.ndarray, **more: Any) -> np.ndarray:
    """The chunk that LeRobot makes, normalised and restored by its own processors."""
    (before, _), (after, _) = made.processors(policy)
    batch = before._normalize_observation(made.batch(observed(kind, policy)), inverse=False)
    if kind in FLOWS:
        tokens = torch.from_numpy(words(policy))[None]
        batch["observation.language.tokens"] = tokens.clamp(min=0).long()
        batch["observation.language.attention_mask"] = tokens >= 0
        chunk = policy.predict_action_chunk(batch, noise=torch.from_numpy(noise)[None], **more)
    elif kind == "act":
        chunk = policy.predict_action_chunk(batch)
    else:
        chunk = _diffused(policy, batch, noise)
    return after._normalize_action(chunk, inverse=True)[0].detach().numpy()


def _diffused(policy: Any, batch: dict[str, Any], noise: np.ndarray) -> Any:
    """LeRobot's own sampling with our noise in place of what it would draw."""
    from diffusers.schedulers import scheduling_ddpm

    drawn = iter(torch.from_numpy(noise[1:])[:, None]) if noise.ndim == 3 else iter(())
    first = torch.from_numpy(noise[0] if noise.ndim == 3 else noise)[None]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scheduling_ddpm, "randn_tensor", lambda *_, **__: next(drawn))
        return policy.predict_action_chunk(batch, noise=first)


def inputs(kind: str, policy: Any, bundle: Bundle) -> dict[str, Any]:
    """The same for the bundle."""
    found: dict[str, Any] = {"images_top": observed(kind, policy)[made.IMAGE]}
    found["state"] = observed(kind, policy)[made.STATE]
    if kind in FLOWS:
        found["tokens"] = words(policy)
    entries = bundle.module("policy.vmfb").entries
    if "begin" in entries:
        (noise,) = entries["begin"].inputs
        found["noise"] = np.random.default_rng(12).standard_normal(noise.shape).astype(np.float32)
    return found


def stages(bundle: Bundle, guided: str = "") -> tuple[list[str], int]:
    """Every stage in order, the step as often as the manifest says; and how often that is."""
    (module,) = bundle.manifest.orchestration.modules
    count = module.steps.full if module.steps else 1
    found: list[str] = []
    for stage in module.stages or ():
        plain = stage if guided else stage.replace("_identity", "").replace("_guided", "")
        name = plain.replace("identity", guided) if guided else plain
        found += [name] * (count if name.startswith("step") else 1)
    return found, count


@pytest.mark.parametrize("kind", [*made.KINDS, "ddim"])
def test_a_chunk_is_lerobots(kind: str, cases: dict[str, Case]) -> None:
    """Of the same observations and the same noise, every dimension within 1e-4."""
    policy, bundle, player = cases[kind]
    given = inputs(kind, policy, bundle)
    order, count = stages(bundle)
    found = player.play(order, {**given, "dt": np.float32(1 / count)})["actions"]
    wanted = original(kind, policy, given.get("noise", np.zeros(())))
    assert found.shape[1:] == wanted.shape[1:] == (5,)
    assert np.abs(wanted).max() > 0.1, "there is something to compare"
    for dimension in range(5):
        error = np.abs(found[: len(wanted), dimension] - wanted[:, dimension]).max()
        assert error <= CLOSE, f"dimension {dimension}: {error}"


@pytest.mark.parametrize("kind", FLOWS)
def test_identity_is_lerobots_real_time_chunking(kind: str, cases: dict[str, Case]) -> None:
    """LeRobot's RTC leaves the Jacobian out: our `identity`, with its schedule `exp`."""
    from lerobot.policies.rtc.configuration_rtc import RTCConfig
    from lerobot.policies.rtc.modeling_rtc import RTCProcessor

    policy, bundle, player = cases[kind]
    given, horizon = inputs(kind, policy, bundle), policy.config.chunk_size
    previous = np.random.default_rng(13).standard_normal((horizon, 5)).astype(np.float32)
    order, count = stages(bundle, "identity")
    mask = weights("exp", 2, 6, horizon).astype(np.float32)
    guided = {**given, "previous": previous, "weights": mask, "beta": np.float32(5)}
    found = player.play(order, {**guided, "dt": np.float32(1 / count)})["actions"]

    (before, _), _ = made.processors(policy)
    left = before._normalize_action(torch.from_numpy(previous)[None], inverse=False)[0]
    settings = RTCConfig(enabled=True, prefix_attention_schedule="EXP", max_guidance_weight=5.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(policy.config, "rtc_config", settings)
        patch.setattr(policy.model, "rtc_processor", RTCProcessor(settings))
        more = {"inference_delay": 2, "prev_chunk_left_over": left, "execution_horizon": 6}
        wanted = original(kind, policy, given["noise"], **more)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=CLOSE)


@pytest.mark.parametrize("kind", FLOWS)
def test_vjp_is_autograd_through_the_policy(kind: str, cases: dict[str, Case]) -> None:
    """One step against PyTorch's gradient of LeRobot's own denoiser."""
    policy, bundle, player = cases[kind]
    given, horizon = inputs(kind, policy, bundle), policy.config.chunk_size
    known = player.play(["prefill"], given)
    rng = np.random.default_rng(14)
    x, target = rng.standard_normal((2, horizon, policy.config.max_action_dim)).astype(np.float32)
    mask = weights("exp", 2, 6, horizon).astype(np.float32)
    step = {
        **given, **known, "x": x, "t": np.float32(0.4), "dt": np.float32(0.2), "target": target,
        "weights": mask, "beta": np.float32(5),
    }  # fmt: skip
    found = player.play(["step_vjp"], step)["x"]
    plain = player.play(["step_identity"], step)["x"]

    from polyrhythm.compile.imports.lerobot.vla import _cache

    leaf = torch.from_numpy(x)[None].requires_grad_()
    given_state = {}
    if kind == "pi0":
        (before, _), _ = made.processors(policy)
        state = before._normalize_observation(made.batch(observed(kind, policy)), inverse=False)[made.STATE]
        given_state = {"state": torch.nn.functional.pad(state, (0, policy.config.max_state_dim - 6))}
    v = -policy.model.denoise_step(
        prefix_pad_masks=torch.from_numpy(known["prefix_mask"].astype(bool))[None],
        past_key_values=_cache(torch.from_numpy(known["kv"])),
        x_t=leaf, timestep=torch.tensor([0.6]), **given_state,
    )  # fmt: skip
    end = leaf + 0.6 * v
    error = (torch.from_numpy(target)[None] - end.detach()) * torch.from_numpy(mask)[None, :, None]
    (pulled,) = torch.autograd.grad(end, leaf, error)
    strength = min(5.0, (0.4**2 + 0.6**2) / (0.4 * 0.6))
    wanted = (leaf + 0.2 * (v + strength * pulled)).detach().numpy()[0]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=CLOSE)
    assert np.abs(found - plain).max() > 1e-3, "the Jacobian makes a difference"


@pytest.mark.parametrize("kind", made.KINDS)
def test_the_bundle_is_ready_to_run(kind: str, cases: dict[str, Case]) -> None:
    _, bundle, _ = cases[kind]
    checked = check(bundle.root)
    assert checked.plan is not None, checked.diagnostics
    outcome = play(checked.plan, lockstep=True, episodes=1)
    assert outcome.reason == "complete"


# -- what cannot be imported ---------------------------------------------------------------------------------


def refused(root: Path, tmp_path: Path) -> str:
    with made.small(), pytest.raises(BuildError) as caught:
        import_lerobot(root, tmp_path / "bundle")
    assert not (tmp_path / "bundle").exists()
    return str(caught.value).replace(str(tmp_path), "TMP")


def test_weights_of_another_policy(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """LeRobot would go on with random numbers in their place."""
    from safetensors.torch import load_file, save_file

    made.save("act", tmp_path / "policy")
    file = tmp_path / "policy" / "model.safetensors"
    state = load_file(file)
    state["model.action_head.weight"] = torch.zeros(7, 32)
    state["model.extra"] = state.pop("model.action_head.bias")
    save_file(state, file)
    assert refused(tmp_path / "policy", tmp_path) == snapshot


def test_a_setting_that_changes_actions_outside_of_the_network(tmp_path: Path, snapshot) -> None:
    made.save("smolvla", tmp_path / "policy", adapt_to_pi_aloha=True)
    assert refused(tmp_path / "policy", tmp_path) == snapshot


def test_a_configuration_that_lerobot_refuses(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    made.save("act", tmp_path / "policy")
    file = tmp_path / "policy" / "config.json"
    file.write_text(file.read_text().replace('"n_action_steps": 8', '"n_action_steps": 80'))
    assert refused(tmp_path / "policy", tmp_path) == snapshot


def test_chunks_beyond_any_memory(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    made.save("smolvla", tmp_path / "policy")
    file = tmp_path / "policy" / "config.json"
    file.write_text(file.read_text().replace('"chunk_size": 8', f'"chunk_size": {10**12}'))
    assert refused(tmp_path / "policy", tmp_path) == snapshot
