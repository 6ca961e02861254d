"""What `Runtime.retune` changes while a context plays: how its chunks are guided, how many steps they get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from polyrhythm.manifest.chunking import Rtc
from polyrhythm.runtime.chunk_check import GUIDANCE, without_effect
from polyrhythm.runtime.plan import Plan
from polyrhythm.schedule import ModulePlan

KNOBS = ("steps", *GUIDANCE)


class Tuning(NamedTuple):
    """How a context makes its chunks: `rtc`, and `steps` at most; None: as the manifest says."""

    rtc: Rtc
    steps: int | None = None

    def changed(self, plan: Plan, changes: Mapping[str, Any]) -> Tuning:
        """With some knobs turned.

        Raises:
            ValueError: there is no such knob, a value does not fit, or it would have no effect.
        """
        if unknown := changes.keys() - set(KNOBS):
            raise ValueError(f"{sorted(unknown)[0]!r} can't be changed in a run; {', '.join(KNOBS)} can")
        guidance = {name: value for name, value in changes.items() if name != "steps"}
        try:
            rtc = Rtc.model_validate({**self.rtc.model_dump(), **guidance})
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
        maker = next(m for m in plan.schedule.modules if m.chunk is not None)
        _has_effect(plan, maker, rtc, guidance)
        steps = changes.get("steps", self.steps)
        if steps is not None:
            _fits(steps, maker)
        return Tuning(rtc, steps)


def _has_effect(plan: Plan, maker: ModulePlan, rtc: Rtc, guidance: Mapping[str, Any]) -> None:
    """What `check` only notes is refused: who turns a knob waits for something to happen."""
    guidances = [stage.entry.guidance for stage in plan.wiring[maker.id].stages]
    does = {method for method in guidances if method is not None}
    fed = {link.source.port for link in plan.links if link.source.owner == "runtime"}
    for knob, reason in without_effect(rtc, does, fed).items():
        if knob in guidance:
            raise ValueError(f"{reason}: `{knob}: {getattr(rtc, knob)}` has no effect")


def _fits(steps: object, module: ModulePlan) -> None:
    """What is proven is the range in the manifest: more take longer, and fewer it does not want."""
    if (loop := module.loop) is None:
        raise ValueError(
            f"steps: {module.id} has none; `steps` in the manifest says which of its stages is one"
        )
    if type(steps) is not int or not loop.fast <= steps <= loop.full:
        allowed = f"{loop.fast} to {loop.full}" if loop.fast < loop.full else f"{loop.full}"
        raise ValueError(
            f"steps: {steps!r} was not proven; `steps` of {module.id} in the manifest allows {allowed}"
        )
