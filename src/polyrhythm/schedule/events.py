"""What goes into the scheduler and what comes out: plain immutable tuples, nothing else crosses the border.

Every event carries `now_ns`, the instant at which it is handed over. Times never run backwards.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from polyrhythm.schedule.plan import SchedulePlan
from polyrhythm.schedule.playback import Splice

# -- events -----------------------------------------------------------------------------------------------


class Start(NamedTuple):
    """Begin an episode: take the first observations; the grids start when they have arrived."""

    now_ns: int


class Wake(NamedTuple):
    """Time has passed and nothing else is to report: a timer, or a spurious wake-up (harmless).

    Only this event can find a stage hung, so hand over what the devices have reported first.
    """

    now_ns: int


class Sampled(NamedTuple):
    """The robot has written an observation into the slot it was given; `stamp_ns` is when it was taken."""

    now_ns: int
    port: str
    slot: int
    stamp_ns: int
    context: int = 0


class StageDone(NamedTuple):
    """A launched stage has ended. `error` is None or what went wrong (an exception, a NaN in an output);
    `away_ns` is how long stages that cut in ran in between."""

    now_ns: int
    job: int
    stage: int
    started_ns: int
    ended_ns: int
    error: str | None = None
    away_ns: int = 0

    @property
    def took_ns(self) -> int:
        """What the device did for it."""
        return self.ended_ns - self.started_ns - self.away_ns


class Acted(NamedTuple):
    """The robot has executed the answer to a control tick."""

    now_ns: int
    tick: int


class EpisodeEnd(NamedTuple):
    """The episode is over: everything conditioned on it is void."""

    now_ns: int


class Stop(NamedTuple):
    """Launch nothing more."""

    now_ns: int
    reason: str


class Admit(NamedTuple):
    """There is one more context, with memory of its own. Unless it is `warm`, each stage of it runs once
    before it may go live, with less urgency than anything else; `Ready` says when, `Refused` why not."""

    now_ns: int
    context: int
    plan: SchedulePlan
    warm: bool = False


class Switch(NamedTuple):
    """Let another context play: from the next control instant on; at once without a robot or between
    episodes. Answered with `Switched` or `Refused`."""

    now_ns: int
    context: int


class Retire(NamedTuple):
    """A context that does not play is not needed any more. `Drained` says when its memory is free."""

    now_ns: int
    context: int


class SetProfile(NamedTuple):
    """Run under another power profile; the one asked for already changes nothing. A context whose plan
    has none of that name runs as it was planned."""

    now_ns: int
    name: str


class LimitSteps(NamedTuple):
    """A context's chunks get `most` steps at most from the next one on, of those that its plan and the power
    profile allow; None: as many as those say."""

    now_ns: int
    most: int | None
    context: int = 0


Event = (
    Start | Wake | Sampled | StageDone | Acted | EpisodeEnd | Stop | Admit | Switch | Retire | SetProfile
    | LimitSteps
)  # fmt: skip

# -- commands ---------------------------------------------------------------------------------------------


class Read(NamedTuple):
    """One latched input: the slot that a job reads, and how old its content was then."""

    input: str
    port: str
    slot: int
    seq: int
    age_ns: int


class Launch(NamedTuple):
    """Submit one stage. `reads` and `writes` (port, slot) are fixed for the whole job.

    `skipped` counts the steps that the job leaves out, known from its first step on: the step at ``loop.first
    + skipped`` continues what was before the loop. `splice` comes with the first stage of a job that makes a
    chunk. A launch with a `tick` below 0 warms its module up: nothing of it is published. One that `cuts_in`
    goes before what its device holds: that gives way, and goes on afterwards.
    """

    job: int
    module: str
    tick: int
    stage: int
    device: str
    reads: tuple[Read, ...]
    writes: tuple[tuple[str, int], ...]
    skipped: int = 0
    splice: Splice | None = None
    context: int = 0
    cuts_in: bool = False


class Defer(NamedTuple):
    """A stage has to wait although its device has room: the budget of its module is used up. Told once."""

    job: int
    module: str
    tick: int
    stage: int
    context: int = 0


class Publish(NamedTuple):
    """A port has a new version."""

    port: str
    slot: int
    seq: int
    stamp_ns: int
    tick: int
    context: int = 0


class Finish(NamedTuple):
    """A job has ended well; `deadline_ns` is the instant it had to be done."""

    job: int
    module: str
    tick: int
    release_ns: int
    deadline_ns: int
    context: int = 0


class Drop(NamedTuple):
    """Something will not happen: `what` is a module or a port of `context`, or ``control``; `reason` is what
    is counted."""

    what: str
    reason: str
    times: int = 1
    detail: str = ""
    context: int = 0


class Observe(NamedTuple):
    """Ask the robot to write an observation into a slot and answer with `Sampled`."""

    port: str
    slot: int
    context: int = 0


class Act(NamedTuple):
    """Execute row `row` of the chunk in `slot` of `port` as control tick `tick`."""

    tick: int
    port: str
    slot: int
    row: int
    context: int = 0


#: Why a control tick without a chunk is held.
NO_ACTION: Final = "no_action"


class Hold(NamedTuple):
    """Control tick `tick` has no action: the robot does its safe thing."""

    tick: int
    reason: str


class Decelerate(NamedTuple):
    """Control tick `tick` has no action: slow down."""

    tick: int
    reason: str = "decelerating"


class Isolate(NamedTuple):
    """A module is taken out; the others go on."""

    module: str
    reason: str
    context: int = 0


class Renew(NamedTuple):
    """A device's queue hangs in `module`: leave it behind and open another."""

    device: str
    module: str


class Ready(NamedTuple):
    """A context is warm: it may go live."""

    context: int


class Refused(NamedTuple):
    """What was asked of a context will not happen. One that could not be warmed is `Drained` soon."""

    context: int
    reason: str


class Switched(NamedTuple):
    """This context plays now. The chunk of the last one goes on until the first of this one comes."""

    context: int


class Drained(NamedTuple):
    """Nothing of a context is in flight, and it is forgotten: its memory may be freed."""

    context: int


class Halt(NamedTuple):
    """The run ends; the robot stops."""

    reason: str


class ProfileSet(NamedTuple):
    """A power profile is wholly in force: every module has come to the first release at its new rate."""

    name: str


Command = (
    Launch | Defer | Publish | Finish | Drop | Observe | Act | Hold | Decelerate | Isolate | Renew
    | Ready | Refused | Switched | Drained | Halt | ProfileSet
)  # fmt: skip
