"""The loop on virtual time: as fast as it goes, and the same every time.

Models and robot are the real ones; only time is not. A stage takes what the manifest plans for it (`cost_ms`,
under the present power profile) or what its device's own model says, the robot takes no time, and the clock
jumps from one instant to the next. A power source is not read: virtual time has no temperature.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from itertools import count
from queue import Empty, SimpleQueue

from polyrhythm.hal.api import Call, Completion, HalError, Queue, modelled
from polyrhythm.hal.blame import blaming
from polyrhythm.robots import Robot
from polyrhythm.runtime.context import Context
from polyrhythm.runtime.engine import COMPLETE, Engine, News
from polyrhythm.runtime.hands import Done, Hands, Request
from polyrhythm.runtime.outcome import Outcome
from polyrhythm.runtime.power import ProfileChange
from polyrhythm.schedule import VirtualClock
from polyrhythm.schedule.events import Launch, Stop, Wake

#: A stage that takes longer than this on the real clock is taken for hung, which lockstep can't play.
PATIENCE_S = 120.0


class Lockstep:
    """Owns the virtual clock and the list of what will have happened by when."""

    def __init__(self, contexts: Mapping[int, Context], robot: Robot | None) -> None:
        self.clock = VirtualClock()
        self._contexts = contexts
        self._free_ns: dict[str, int] = {}
        self._profile = ""
        #: What a module's stages cost under the last profile that did not drop it.
        self._costs: dict[tuple[int, str], tuple[int, ...]] = {}
        self._hands = None if robot is None else Hands(robot, self.clock.now_ns)
        self._coming: list[tuple[int, int, Completion | Done]] = []
        self._order = count()
        self._stop: str | None = None
        self._news: SimpleQueue[News] = SimpleQueue()

    def submit(self, launch: Launch, call: Call, queue: Queue) -> None:
        """Run the stage now; it will have ended when its device has served it for its cost."""
        box: SimpleQueue[Completion] = SimpleQueue()
        known = modelled(call)
        if known is not None:
            call = known.unpaced
        with blaming("device", launch.device):
            queue.submit(call, token=launch, done=box.put)
        try:
            real = box.get(timeout=PATIENCE_S)
        except Empty:
            raise HalError(
                f"stage {launch.stage} of {launch.module} did not end within {PATIENCE_S:.0f} s"
            ) from None
        now_ns = self.clock.now_ns()
        started_ns = free_ns = max(now_ns, self._free_ns.get(launch.device, 0))
        took_ns = self._costs_ns(launch)[launch.stage] if known is None else known.modelled_ns
        if launch.cuts_in:
            self._leave(launch.device, took_ns)
            started_ns = now_ns
        ended_ns = started_ns + took_ns
        self._free_ns[launch.device] = free_ns + took_ns
        self._push(ended_ns, Completion(real.token, started_ns, ended_ns, real.error))

    def _leave(self, device: str, for_ns: int) -> None:
        """What a device is at ends so much later."""
        for i, (at_ns, order, item) in enumerate(self._coming):
            if isinstance(item, Completion) and item.token.device == device and at_ns > self.clock.now_ns():
                ended_ns, away_ns = item.ended_ns + for_ns, item.away_ns + for_ns
                self._coming[i] = at_ns + for_ns, order, item._replace(ended_ns=ended_ns, away_ns=away_ns)
        heapq.heapify(self._coming)

    def _costs_ns(self, launch: Launch) -> tuple[int, ...]:
        plan = self._contexts[launch.context].plan
        planned, at = plan.module(launch.module), (launch.context, launch.module)
        # What a profile drops may have a job under way: that costs what it did.
        if (module := plan.schedule.module_under(self._profile, planned)) is not None:
            self._costs[at] = module.costs_ns
        return self._costs.get(at, planned.costs_ns)

    def ask(self, request: Request) -> None:
        """Carry the request out now."""
        assert self._hands is not None
        self._push(self.clock.now_ns(), self._hands.do(request))

    def stop(self, reason: str) -> None:
        """End the run at the next instant."""
        self._stop = reason

    def set_profile(self, change: ProfileChange) -> None:
        """Change to a power profile at the next instant; from a listener, the same every time."""

        def begin(engine: Engine, now_ns: int) -> None:
            self._profile = change.name
            engine.set_profile(now_ns, change)

        self.tell(begin)

    def tell(self, news: News) -> None:
        """Have the engine told something at the next instant; safe from any thread."""
        self._news.put(news)

    def run(self, engine: Engine) -> Outcome:
        """Play until everything is done."""
        self._profile = engine.scheduler.profiles.name
        self._listen(engine)
        engine.begin(self.clock.now_ns())
        while not engine.over:
            self._turn(engine)
        return engine.account(self.clock.now_ns())

    def close(self) -> bool:
        """Nothing to wait for: everything ran in the caller's thread or was waited for."""
        return True

    def within(self) -> bool:
        """Whether the caller is in another thread that the run waits for: there is none."""
        return False

    def _turn(self, engine: Engine) -> None:
        if self._stop is not None and engine.scheduler.phase != "stopped":
            engine.handle(Stop(self.clock.now_ns(), self._stop))
            return
        self._listen(engine)
        wake_ns, ends_ns = engine.scheduler.wakeup_ns(), engine.ends_ns
        at_ns = min(
            t for t in (self._coming[0][0] if self._coming else None, wake_ns, ends_ns) if t is not None
        )
        self.clock.advance_to(at_ns)
        if ends_ns == at_ns:
            engine.handle(Stop(at_ns, COMPLETE))
        elif self._coming and self._coming[0][0] == at_ns:
            item = heapq.heappop(self._coming)[2]
            if isinstance(item, Completion):
                engine.stage_done(at_ns, engine.take(item))
            else:
                engine.robot_done(at_ns, item)
        else:
            engine.handle(Wake(at_ns))

    def _listen(self, engine: Engine) -> None:
        while not self._news.empty():
            self._news.get()(engine, self.clock.now_ns())

    def _push(self, at_ns: int, item: Completion | Done) -> None:
        heapq.heappush(self._coming, (at_ns, next(self._order), item))
