"""Plans in few words."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from polyrhythm.schedule import ControlPlan, InputPlan, Late, Mode, ModulePlan, Policy, SchedulePlan

MS = 1_000_000
S = 1_000_000_000


def module(name: str, rate_hz: Fraction | int | str, cost_ms: float = 0, **more: object) -> ModulePlan:
    """A module on device ``d`` with a deadline of one period; `more` overrides any field."""
    period_ns = S / Fraction(rate_hz)
    numbers: dict[str, object] = {
        "device": "d", "period_ns": period_ns, "deadline_ns": int(period_ns),
        "costs_ns": (round(cost_ms * MS),),
    } | more  # fmt: skip
    return ModulePlan(name, **numbers)  # type: ignore[arg-type]


def reads(*sources: str, **link: object) -> tuple[InputPlan, ...]:
    """One input for each source port; `link` is `max_age_ns`, `on_stale`."""
    return tuple(InputPlan(f"in{i}", source, **link) for i, source in enumerate(sources))  # type: ignore[arg-type]


def plan_of(
    *modules: ModulePlan,
    mode: Mode = Mode.PARALLEL,
    k: int = 1,
    control_hz: Fraction | int | str | None = None,
    observations: dict[str, Fraction | int] | None = None,
    late: Late = Late.HOLD,
    buffers: int = 2,
    policies: Mapping[str, Policy] = {},
    gives_way: tuple[str, ...] = (),
) -> SchedulePlan:
    """A plan whose ports are as deep as the runtime makes them: a slot for each reader, and two (for chunks:
    and `buffers`)."""
    sources = [link.source for m in modules for link in m.inputs]
    chunks = [m.chunk[0] for m in modules if m.chunk is not None and control_hz is not None]
    observed = {port: S / Fraction(hz) for port, hz in (observations or {}).items()}
    ports = {p for m in modules for p in m.outputs} | set(observed)
    return SchedulePlan(
        mode,
        modules,
        devices=dict.fromkeys(sorted({m.device for m in modules}), k),
        ports={port: (1 + buffers if port in chunks else 2) + sources.count(port) for port in sorted(ports)},
        control=None if control_hz is None else ControlPlan(S / Fraction(control_hz), observed, late),
        policies=policies,
        gives_way=gives_way,
    )
