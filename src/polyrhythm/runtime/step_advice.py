"""What would bring a chunk in time that is not proven to be: fewer steps, or a smaller cost."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from polyrhythm.analysis.advice import largest
from polyrhythm.runtime.proof import TimeProof, capped, prove_time
from polyrhythm.schedule import ModulePlan


def most_steps(proof: TimeProof, name: str, driver: str, whole: bool) -> int | None:
    """The most steps of module `name` with which what `driver` gives the robot is proven to be in time; None:
    fewer steps do not help, or it has none to leave out.

    `whole`: the driver gives whole chunks, each of which has to be there before the last one runs out.
    """
    module = proof.modules[name].plan
    loop = module.loop
    if loop is None:
        return None

    def fits(steps: int) -> bool:
        return _in_time(proof, capped(replace(module, loop=replace(loop, most=steps))), driver, whole)

    return largest(fits, loop.fast, loop.full - 1)


def cost_helps(proof: TimeProof, name: str, driver: str) -> bool | None:
    """Whether the whole chunks of `driver` would be in time if module `name` cost next to nothing; None: that
    is not known, because of others.
    """
    module = proof.modules[name].plan
    again = _again(proof, replace(module, costs_ns=(1,) * len(module.costs_ns)), {driver})
    chunk = again.chunks.get(driver)
    return None if chunk is None else chunk.feasible


def _in_time(proof: TimeProof, changed: ModulePlan, driver: str, whole: bool) -> bool:
    again = _again(proof, changed, {driver} if whole else ())
    judged, chunk = again.modules[driver].verdict, again.chunks.get(driver)
    # What gives single actions is among the chunks only if it may not come.
    there = chunk is not None and chunk.feasible if whole else driver not in again.chunks
    return there and (judged.feasible or judged.best_effort)


def _again(proof: TimeProof, changed: ModulePlan, whole: Collection[str]) -> TimeProof:
    modules = tuple(changed if m.id == changed.id else m for m in proof.schedule.modules)
    sources = {name: judged.source for name, judged in proof.modules.items()}
    return prove_time(replace(proof.schedule, modules=modules), sources, whole)
