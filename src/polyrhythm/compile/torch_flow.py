"""Flow-matching steps for policies written in PyTorch: `polyrhythm.compile.flow`, word for word.

``velocity(params, *conditions, x, t)`` is a function of tensors. The Jacobian of ``vjp`` is that of the whole
velocity, computed by autograd while the step is traced.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from polyrhythm.bundle.lock import Guidance
from polyrhythm.compile import flow_steps
from polyrhythm.compile.flow_steps import Framework, Step, euler_step

__all__ = ["euler_step", "guided_step"]


def guided_step(velocity: Callable[..., torch.Tensor], method: Guidance) -> Step:
    """``fn(params, *conditions, x, t, dt, target, weights, beta) -> (x, t)``, see `flow.guided_step`.

    Raises:
        ValueError: no such method.
    """
    step = flow_steps.guided_step(velocity, method, _TORCH)
    # `torch.export` does not see through autograd: the front end traces such a function by itself.
    step.differentiates = method == "vjp"  # type: ignore[attr-defined]
    return step


def _pull(end: Callable[..., Any], x: torch.Tensor, pushed: Callable[..., Any]) -> tuple[Any, Any]:
    with torch.enable_grad():
        leaf = x.detach().requires_grad_()
        reached, v = end(leaf)
        (pulled,) = torch.autograd.grad(reached, leaf, pushed(reached.detach()))
    return v.detach(), pulled


def _at_least(x: torch.Tensor, least: float) -> torch.Tensor:
    return torch.clamp(x, min=least)


_TORCH = Framework(torch.minimum, _at_least, torch.where, _pull)
