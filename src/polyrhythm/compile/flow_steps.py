"""The formulas of flow-matching steps, the same for every framework: `flow` and `torch_flow` call them.

x is f32 ``[H, A]``, t f32 ``[]``, weights f32 ``[H]``. Formulas: arXiv 2506.07339 (``identity``, ``vjp``),
arXiv 2512.05964 (``trained``); ``hard`` is inpainting along the straight path.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

from polyrhythm.bundle.lock import Guidance

Step = Callable[..., tuple[Any, Any]]

#: Keeps divisions by t and by 1 - t finite; far below any step that a chunk is made with.
_EPSILON = 1e-6


@dataclass(frozen=True)
class Framework:
    """What the formulas need beyond arithmetic.

    Attributes:
        minimum: of two tensors.
        at_least: of a tensor and a number, the larger.
        where: ``where(condition, one, other)``, one of them may be a number.
        pull: ``pull(end, x, pushed)`` with ``end(x) -> (reached, v)`` gives ``(v, g)``, where g is
            ``pushed(reached)`` pulled back through the Jacobian of ``reached`` by ``x``.
    """

    minimum: Callable[[Any, Any], Any]
    at_least: Callable[[Any, float], Any]
    where: Callable[[Any, Any, Any], Any]
    pull: Callable[..., tuple[Any, Any]]


def euler_step(velocity: Callable[..., Any]) -> Step:
    """``fn(params, *conditions, x, t, dt) -> (x + dt v, t + dt)``."""

    def step(params: Any, *inputs: Any) -> tuple[Any, Any]:
        *conditions, x, t, dt = inputs
        return x + dt * velocity(params, *conditions, x, t), t + dt

    return step


def guided_step(velocity: Callable[..., Any], method: Guidance, framework: Framework) -> Step:
    """See `polyrhythm.compile.flow.guided_step`."""
    if method not in get_args(Guidance):
        raise ValueError(f"no guidance is called {method!r}; there are {', '.join(get_args(Guidance))}")

    def step(params: Any, *inputs: Any) -> tuple[Any, Any]:
        *conditions, x, t, dt, target, weights, beta = inputs

        def flow(x: Any, t: Any) -> Any:
            return velocity(params, *conditions, x, t)

        return _GUIDED[method](framework, flow, x, t, dt, target, weights[:, None], beta), t + dt

    return step


def _strength(framework: Framework, t: Any, beta: Any) -> Any:
    """See `polyrhythm.chunks.guidance.strength`."""
    return framework.minimum(beta, (t * t + (1 - t) ** 2) / framework.at_least(t * (1 - t), _EPSILON))


def _identity(
    framework: Framework, flow: Any, x: Any, t: Any, dt: Any, target: Any, weights: Any, beta: Any
) -> Any:
    v = flow(x, t)
    error = (target - (x + (1 - t) * v)) * weights
    return x + dt * (v + _strength(framework, t, beta) * error)


def _vjp(
    framework: Framework, flow: Any, x: Any, t: Any, dt: Any, target: Any, weights: Any, beta: Any
) -> Any:
    def end(x: Any) -> tuple[Any, Any]:
        v = flow(x, t)
        return x + (1 - t) * v, v

    v, pulled = framework.pull(end, x, lambda reached: (target - reached) * weights)
    return x + dt * (v + _strength(framework, t, beta) * pulled)


def _hard(
    framework: Framework, flow: Any, x: Any, t: Any, dt: Any, target: Any, weights: Any, beta: Any
) -> Any:
    straight = (target - x) / framework.at_least(1 - t, _EPSILON)
    return x + dt * framework.where(weights >= 1.0, straight, flow(x, t))


def _trained(
    framework: Framework, flow: Any, x: Any, t: Any, dt: Any, target: Any, weights: Any, beta: Any
) -> Any:
    given = weights >= 1.0
    x = framework.where(given, target, x)
    return x + dt * framework.where(given, 0.0, flow(x, framework.where(given[:, 0], 1.0, t)))


def _ramp(
    framework: Framework, flow: Any, x: Any, t: Any, dt: Any, target: Any, weights: Any, beta: Any
) -> Any:
    x = framework.where((t <= 0.0) & (weights > 0.0), target, x)
    return x + dt * (1 - weights) * flow(x, t)


_GUIDED: dict[str, Callable[..., Any]] = {
    "identity": _identity, "vjp": _vjp, "hard": _hard, "trained": _trained, "ramp": _ramp,
}  # fmt: skip
