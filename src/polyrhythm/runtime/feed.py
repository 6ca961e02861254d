"""What the runtime itself writes into a module's inputs before a stage is launched.

``noise`` is a function of seed, module, episode and tick alone, so that a run can be repeated whatever the
timing was. The others tell a module that makes chunks what its chunk is joined to.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from polyrhythm.analysis import stride_ticks
from polyrhythm.chunks.guidance import ALL_OR_NOTHING, weights
from polyrhythm.manifest.chunking import Rtc
from polyrhythm.runtime.plan import Plan
from polyrhythm.runtime.storage import Storage
from polyrhythm.schedule import WARM_TICK
from polyrhythm.schedule.events import Launch
from polyrhythm.schedule.playback import Splice

Inputs = dict[str, list[np.ndarray]]


class Past:
    """What left for the last control ticks, whichever context made it."""

    def __init__(self) -> None:
        self._actions = np.zeros((0, 0), np.float32)
        self._ticks = np.zeros(0, np.int64)  # whose action a row is

    def fit(self, horizon: int, size: int) -> None:
        """Remember at least `horizon` actions of `size` numbers."""
        if horizon > len(self._ticks):
            kept = [(int(tick), self._actions[row]) for row, tick in enumerate(self._ticks) if tick >= 0]
            self._actions, self._ticks = np.zeros((horizon, size), np.float32), np.full(horizon, -1, np.int64)
            for tick, action in kept:
                self.executed(tick, action)

    def executed(self, tick: int, action: np.ndarray | None) -> None:
        """What left for a control tick; None if nothing did."""
        if len(self._ticks):
            row = tick % len(self._ticks)
            self._ticks[row] = -1 if action is None else tick
            if action is not None:
                self._actions[row] = action

    def reset(self) -> None:
        """An episode ended."""
        self._ticks[:] = -1

    def look_up(self, ticks: np.ndarray, before: int) -> tuple[np.ndarray, np.ndarray]:
        """The action of each of `ticks` f32 ``[n, size]`` (zeros if unknown), and whether it is known."""
        rows = ticks % max(1, len(self._ticks))
        known = (self._ticks[rows] == ticks) & (ticks < before)
        return np.where(known[:, None], self._actions[rows], np.float32(0.0)), known


class Feed:
    """Fills the inputs that are linked from ``runtime``.

    Args:
        plan, storage: the context.
        seed: of the noise.
        past: what left, shared by contexts that take turns; one of its own if None.
        chunk: the array of the chunk in a slot of a context, by (context, slot); this one's if None.
    """

    def __init__(
        self,
        plan: Plan,
        storage: Storage,
        seed: int,
        past: Past | None = None,
        chunk: Callable[[int, int], np.ndarray] | None = None,
    ) -> None:
        self._seed = seed
        self._index = {module: i for i, module in enumerate(plan.wiring)}
        self._inputs: dict[str, Inputs] = {module: {} for module in plan.wiring}
        for link in sorted(plan.links, key=lambda link: link.sink.port):
            if link.source.owner == "runtime":
                array = storage.own[link.sink.owner, link.sink.port]
                self._inputs[link.sink.owner].setdefault(link.source.port, []).append(array)
        self._loops = {module.id: module.loop for module in plan.schedule.modules}
        port = next((m.chunk[0] for m in plan.schedule.modules if m.chunk is not None), "")
        self._past = past or Past()
        chunk = chunk or (lambda _, slot: storage.links[port].array(slot))
        self._splicer = _Splicer(plan, self._past, chunk)

    def fill(self, launch: Launch, episode: int) -> None:
        """Write what the stage of `launch` is the first of its job to read."""
        inputs = self._inputs[launch.module]
        if not inputs or launch.tick == WARM_TICK:
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
                self._splicer.fill(inputs, launch.splice)
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
        self._past.executed(tick, action)

    def reset(self) -> None:
        """An episode ended."""
        self._past.reset()


class _Splicer:
    """Lines the actions executed and the actions still to come up with the ticks of a new chunk."""

    def __init__(self, plan: Plan, past: Past, chunk: Callable[[int, int], np.ndarray]) -> None:
        self.rtc = plan.rtc
        self.profile = plan.schedule.profile
        self._plan = plan
        self._past = past
        self._chunk = chunk
        made = next((m.chunk for m in plan.schedule.modules if m.chunk is not None), None)
        shape = () if made is None else plan.ports[made[0]].shape
        self._horizon = shape[0] if len(shape) == 2 else 0
        if self._horizon:
            past.fit(*shape)
        module = "" if made is None else made[0].partition(".")[0]
        stages = plan.wiring[module].stages if module else ()
        guidance = {stage.entry.guidance for stage in stages}
        self._all_or_nothing = bool(guidance & ALL_OR_NOTHING)

    def fill(self, inputs: Inputs, splice: Splice) -> None:
        if not inputs.keys() & {"previous", "weights", "beta"}:
            return
        rtc = self.rtc  # once: another thread may set it meanwhile
        previous, known = self._line_up(splice)
        for array in inputs.get("previous", ()):
            array[...] = previous
        for array in inputs.get("weights", ()):
            array[...] = np.where(known, self._weights(rtc, splice.delay), 0.0)
        for array in inputs.get("beta", ()):
            array[...] = 0.0 if rtc is None else rtc.beta

    def _weights(self, rtc: Rtc | None, delay: int) -> np.ndarray:
        horizon = self._horizon
        if rtc is None or rtc.inpaint == "none":
            return np.zeros(horizon)
        schedule, delay = "zeros" if self._all_or_nothing else rtc.schedule, max(delay, rtc.delay)
        return weights(schedule, delay, overlap_end(self._plan, rtc, horizon, self.profile), horizon)

    def _line_up(self, splice: Splice) -> tuple[np.ndarray, np.ndarray]:
        """The action for each tick of the chunk f32 ``[H, A]``, and whether there is one."""
        ticks = splice.start_tick + np.arange(self._horizon)
        previous, known = self._past.look_up(ticks, splice.cursor)
        begin = max(0, splice.cursor - splice.start_tick)
        count = min(splice.left, len(ticks) - begin)
        if count > 0:
            source = self._chunk(splice.context, splice.slot)
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
    return max(0, horizon - stride_ticks(module.period_ns, schedule.control.period_ns))
