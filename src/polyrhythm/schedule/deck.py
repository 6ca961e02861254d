"""What belongs to one context: a plan, its slots, its modules and their jobs.

The scheduler keeps what all contexts share (time, the robot, what devices hold); everything that must stay as
it is while another context plays lies here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from math import ceil

from polyrhythm.schedule.events import Read
from polyrhythm.schedule.jobs import Input, Job, ModuleState, Tally
from polyrhythm.schedule.lanes import WARM_TICK, Lane, Queue
from polyrhythm.schedule.plan import ModulePlan, OnStale, SchedulePlan
from polyrhythm.schedule.policy import ORDERS
from polyrhythm.schedule.slots import InvariantError, SlotRing


class Deck:
    """One context as the scheduler sees it.

    Args:
        context: its number.
        lanes: the devices, by name; at least those of the plan.

    Attributes:
        latches: a job takes its inputs on the grid, not when it starts.
        queues: per device, the jobs that are released and have not ended.
        suspended: modules that the power profile drops.
        open: its modules release jobs: it is live, the episode runs, its observations have come.
        resumed_ns: when it was opened again in this episode; None: it was not.
        awaits: observations that have not come since it went live; with the last one it opens.
        cold: modules that have yet to be run once before it may go live.
        warming: the job that does so now.
        pace: what the playback remembers of it while another one plays.
        leaving: it was retired, or could not be warmed; once nothing is in flight it is gone.
    """

    def __init__(self, context: int, plan: SchedulePlan, lanes: Mapping[str, Lane]) -> None:
        self.context, self.plan = context, plan
        self.rings = {port: SlotRing(depth) for port, depth in plan.ports.items()}
        self.queues = {name: Queue(lanes[name], ORDERS[plan.policy(name)]) for name in plan.devices}
        delays_ns = _delays_ns(plan)
        self.modules = [self._module(module, index, delays_ns) for index, module in enumerate(plan.modules)]
        self.latches = plan.mode.latches_at_release
        self.resumed_ns: int | None = None
        self.named = {module.plan.id: module for module in self.modules}
        self.on_demand = [m for m in self.modules if m.plan.on_demand]
        self.chunk_port = next((m.chunk[0] for m in plan.modules if m.chunk), None)
        self.suspended: list[ModuleState] = []
        self.open = False
        self.awaits: set[str] = set()
        self.cold: deque[ModuleState] = deque()
        self.warming: Job | None = None
        self.pace: object = None
        self.leaving = False

    def _module(self, plan: ModulePlan, index: int, delays_ns: Mapping[str, int]) -> ModuleState:
        inputs = [
            Input(
                link,
                self.rings[link.source],
                f"{link.source} -> {plan.id}",
                link.source.startswith("robot."),
                (link.max_age_ns or 0) + delays_ns.get(link.source, 0),
            )
            for link in plan.inputs
        ]
        return ModuleState(plan, index, self.queues[plan.device], tuple(inputs), self.context)

    @property
    def ready(self) -> bool:
        """Whether it may go live."""
        return not (self.cold or self.warming or self.leaving)

    @property
    def busy(self) -> bool:
        """Whether anything of it is in flight: a stage, an observation, a chunk that plays."""
        jobs = self.warming is not None or any(queue.jobs for queue in self.queues.values())
        return jobs or any(ring.busy for ring in self.rings.values())

    @property
    def chunk_ticks(self) -> int:
        """How many control ticks the making of a chunk is planned to take under the power profile; 0 if no
        costs are known."""
        maker = next((m.plan for m in self.modules if m.plan.chunk), None)
        if maker is None or self.plan.control is None:
            return 0
        return ceil(sum(maker.costs_ns) / self.plan.control.period_ns)

    def begin(self, now_ns: int, *, afresh: bool) -> None:
        """Release its modules from now on: from tick 0 if `afresh`, else from where they stopped."""
        self.open = True
        self.resumed_ns = None if afresh else now_ns
        for module in self.modules:
            module.anchor(now_ns, 0 if afresh else module.next_tick)

    def excuses(self, link: Input, now_ns: int) -> bool:
        """Whether it is not the link's fault that its newest version is stale: it was made before the context
        came back, and a new one need not be there yet."""
        since_ns, latest = self.resumed_ns, link.ring.latest
        if since_ns is None or latest is None or latest.stamp_ns >= since_ns:
            return False
        return now_ns - since_ns <= link.grace_ns

    def forget(self) -> None:
        """An episode ended: nothing that was made in it is seen any more."""
        for ring in self.rings.values():
            ring.clear()
        for module in self.modules:
            module.next_tick = 0

    def claim(self, ports: Sequence[str]) -> tuple[tuple[str, int], ...]:
        """A slot of each port for a job to write."""
        return tuple([(port, self._claim(port)) for port in ports])

    def _claim(self, port: str) -> int:
        slot = self.rings[port].acquire()
        if slot is None:
            raise InvariantError(f"{port}: no slot to write, though the ring holds readers + 2")
        return slot

    def warm_job(self, number: int, now_ns: int) -> Job:
        """The next cold module's job: every stage once, on slots that nobody else looks at (nothing of this
        context is published yet, and one job is warmed at a time)."""
        module = self.cold.popleft()
        plan = module.plan
        self.warming = job = Job(number, module, WARM_TICK, now_ns, now_ns + plan.deadline_ns, self)
        job.skipped = 0
        job.writes = self.claim(plan.outputs)
        job.reads = tuple(
            Read(link.name, link.source, self._unwritten(link.source), -1, 0) for link in plan.inputs
        )
        return job

    def warmed(self, job: Job) -> None:
        """Its job has ended; nothing of it is published."""
        for port, slot in job.writes:
            self.rings[port].abandon(slot)
        self.warming = None

    def tally(self, into: dict[str, Tally]) -> None:
        """Add what its modules did."""
        for module in self.modules:
            into.setdefault(module.plan.id, Tally()).add(module)

    def count_superseded(self, into: dict[str, int]) -> None:
        """Add how many versions of each port were replaced before anybody read them."""
        for port, ring in self.rings.items():
            into[port] = into.get(port, 0) + ring.superseded

    def _unwritten(self, port: str) -> int:
        ring = self.rings[port]
        return next(slot for slot in range(ring.depth) if slot != ring.writing)


def _delays_ns(plan: SchedulePlan) -> dict[str, int]:
    """Port -> for how long after a return its module may leave out ticks: it begins a phase later, and does
    not run on what was made before, if its links say so."""
    delays_ns: dict[str, int] = {}
    for module in sorted(plan.modules, key=lambda module: module.rank):
        refusing = [link for link in module.inputs if link.on_stale is not OnStale.USE]
        waits_ns = [(link.max_age_ns or 0) + delays_ns.get(link.source, 0) for link in refusing]
        delays_ns |= dict.fromkeys(module.outputs, module.phase_ns + max(waits_ns, default=0))
    return delays_ns
