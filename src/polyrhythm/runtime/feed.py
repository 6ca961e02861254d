"""What the runtime itself writes into a module's inputs before a stage is launched.

``noise`` is a function of seed, module, episode and tick alone, so that a run can be repeated whatever the
timing was. The others tell a module that makes chunks what its chunk is joined to.
"""

from __future__ import annotations

import numpy as np

from polyrhythm.chunks.guidance import ALL_OR_NOTHING, weights
from polyrhythm.manifest.chunking import Rtc
from polyrhythm.runtime.plan import Plan
from polyrhythm.runtime.storage import Storage
from polyrhythm.schedule.events import Launch
from polyrhythm.schedule.playback import Splice

Inputs = dict[str, list[np.ndarray]]


class Feed:
    """Fills the inputs that are linked from ``runtime``.

    Args:
        plan, storage: the context.
        seed: of the noise.
    """

    def __init__(self, plan: Plan, storage: Storage, seed: int) -> None:
        self._seed = seed
        self._storage = storage
        self._index = {module: i for i, module in enumerate(plan.wiring)}
        self._inputs: dict[str, Inputs] = {module: {} for module in plan.wiring}
        for link in sorted(plan.links, key=lambda link: link.sink.port):
            if link.source.owner == "runtime":
                array = storage.own[link.sink.owner, link.sink.port]
                self._inputs[link.sink.owner].setdefault(link.source.port, []).append(array)
        self._loops = {module.id: module.loop for module in plan.schedule.modules}
        self._splicer = _Splicer(plan)

    def fill(self, launch: Launch, episode: int) -> None:
        """Write what the stage of `launch` is the first of its job to read."""
        inputs = self._inputs[launch.module]
        if not inputs:
            return
        loop = self._loops[launch.module]
        first_step = -1 if loop is None else loop.first + launch.skipped
        # A job whose steps come first begins with the first that it takes.
        if launch.stage == (first_step if loop is not None and loop.first == 0 else 0):
            for lane, array in enumerate(inputs.get("noise", ())):
                key, counter = [self._seed, self._index[launch.module]], [0, lane, episode, launch.tick]
                bits = np.random.Philox(key=key, counter=counter)
                np.random.Generator(bits).standard_normal(out=array, dtype=np.float32)
            if launch.splice is not None:
                self._splicer.fill(inputs, launch.splice, self._storage)
        if loop is not None and launch.stage == first_step:
            for array in inputs.get("dt", ()):
                array[...] = 1.0 / (loop.full - launch.skipped)

    def retune(self, rtc: Rtc) -> None:
        """Guide like this from the next chunk on."""
        self._splicer.rtc = rtc

    def under(self, profile: str) -> None:
        """A power profile is in force: with another rate chunks overlap otherwise."""
        self._splicer.profile = profile

    def executed(self, tick: int, action: np.ndarray | None) -> None:
        """What left for a control tick; None if nothing did."""
        self._splicer.executed(tick, action)

    def reset(self) -> None:
        """An episode ended."""
        self._splicer.reset()


class _Splicer:
    """Lines the actions executed and the actions still to come up with the ticks of a new chunk."""

    def __init__(self, plan: Plan) -> None:
        self.rtc = plan.rtc
        self.profile = plan.schedule.profile
        self._plan = plan
        self._chunk = next((m.chunk for m in plan.schedule.modules if m.chunk is not None), None)
        shape = () if self._chunk is None else plan.ports[self._chunk[0]].shape
        self._past = np.zeros(shape if len(shape) == 2 else (0, 0), np.float32)
        self._ticks = np.full(len(self._past), -1, np.int64)  # whose action a row of `_past` is
        module = "" if self._chunk is None else self._chunk[0].partition(".")[0]
        stages = plan.wiring[module].stages if module else ()
        guidance = {stage.entry.guidance for stage in stages}
        self._all_or_nothing = bool(guidance & ALL_OR_NOTHING)

    def executed(self, tick: int, action: np.ndarray | None) -> None:
        if len(self._ticks):
            row = tick % len(self._ticks)
            self._ticks[row] = -1 if action is None else tick
            if action is not None:
                self._past[row] = action

    def reset(self) -> None:
        self._ticks[:] = -1

    def fill(self, inputs: Inputs, splice: Splice, storage: Storage) -> None:
        if not inputs.keys() & {"previous", "weights", "beta"}:
            return
        previous, known = self._line_up(splice, storage)
        for array in inputs.get("previous", ()):
            array[...] = previous
        for array in inputs.get("weights", ()):
            array[...] = np.where(known, self._weights(splice.delay), 0.0)
        for array in inputs.get("beta", ()):
            array[...] = 0.0 if self.rtc is None else self.rtc.beta

    def _weights(self, delay: int) -> np.ndarray:
        rtc, horizon = self.rtc, len(self._ticks)
        if rtc is None or rtc.inpaint == "none":
            return np.zeros(horizon)
        schedule = "zeros" if self._all_or_nothing else rtc.schedule
        return weights(schedule, delay, overlap_end(self._plan, rtc, horizon, self.profile), horizon)

    def _line_up(self, splice: Splice, storage: Storage) -> tuple[np.ndarray, np.ndarray]:
        """The action for each tick of the chunk f32 ``[H, A]``, and whether there is one."""
        assert self._chunk is not None
        ticks = splice.start_tick + np.arange(len(self._ticks))
        rows = ticks % max(1, len(self._ticks))
        known = (self._ticks[rows] == ticks) & (ticks < splice.cursor)
        previous = np.where(known[:, None], self._past[rows], np.float32(0.0))
        begin = max(0, splice.cursor - splice.start_tick)
        count = min(splice.left, len(ticks) - begin)
        if count > 0:
            source = storage.links[self._chunk[0]].array(splice.slot)
            previous[begin : begin + count] = source[splice.row : splice.row + count]
            known[begin : begin + count] = True
        return previous, known


def overlap_end(plan: Plan, rtc: Rtc, horizon: int, profile: str = "") -> int:
    """The first tick of a chunk without guidance: as declared, or the horizon less the stride."""
    if rtc.overlap_end is not None:
        return rtc.overlap_end
    schedule = plan.schedule
    module = schedule.module_under(profile, next(m for m in schedule.modules if m.chunk is not None))
    assert schedule.control is not None and module is not None
    return max(0, horizon - round(module.period_ns / schedule.control.period_ns))
