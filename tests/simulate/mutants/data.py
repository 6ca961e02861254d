"""What is read, written and played."""

from tests.simulate.mutants.planting import Mutant

MUTANTS = (
    # -- slots -----------------------------------------------------------------------------------------------
    Mutant(
        "a slot is free while somebody reads it",
        "schedule.slots",
        "if not newest and not self._pins[slot]:",
        "if not newest:",
    ),
    Mutant(
        "the newest slot is free once nobody reads it",
        "schedule.slots",
        "if not newest and not self._pins[slot]:",
        "if not self._pins[slot]:",
    ),
    Mutant(
        "a job that ends keeps its inputs",
        "schedule.work",
        "            deck.rings[read.port].unpin(read.slot)",
        "            pass",
    ),
    Mutant(
        "a job that is given up keeps its outputs",
        "schedule.work",
        "            deck.rings[port].abandon(slot)\n        del",
        "            pass\n        del",
    ),
    Mutant(
        "a version is numbered like the one before",
        "schedule.slots",
        "        self.published += 1\n",
        "        self.published += previous is None\n",
    ),
    Mutant(
        "an input is stale at twice its age",
        "schedule.slots",
        "age_ns > max_age_ns",
        "age_ns > 2 * max_age_ns",
    ),
    Mutant(
        "inputs are always taken at the start",
        "schedule.work",
        "            if deck.latches:",
        "            if False:",
    ),
    Mutant(
        "an output is as new as its end, not as its inputs",
        "schedule.work",
        "job.deck, port, slot, job.stamp_ns, job.robot_tick)",
        "job.deck, port, slot, self.now_ns, job.robot_tick)",
    ),
    Mutant(
        "a late observation is asked for again",
        "schedule.control",
        "if (self._live.context, sight.port) in self._writing:",
        "if False:",
    ),
    Mutant(
        "an output that comes too late is thrown away",
        "schedule.work",
        "            version = self._publish(job.deck, port, slot, job.stamp_ns, job.robot_tick)",
        "            if self.now_ns > job.deadline_ns:\n"
        "                job.deck.rings[port].abandon(slot)\n"
        "                continue\n"
        "            version = self._publish(job.deck, port, slot, job.stamp_ns, job.robot_tick)",
    ),
    Mutant(
        "an output is for the tick that is next when it comes",
        "schedule.work",
        "job.deck, port, slot, job.stamp_ns, job.robot_tick)",
        "job.deck, port, slot, job.stamp_ns, 0 if self.control is None else self.control.cursor)",
    ),
    Mutant(
        "an output is for the tick before that of its inputs",
        "schedule.work",
        "job.deck, port, slot, job.stamp_ns, job.robot_tick)",
        "job.deck, port, slot, job.stamp_ns, max(0, job.robot_tick - 1))",
    ),
    Mutant(
        "what has no inputs is for the first tick",
        "schedule.work",
        "job.robot_tick = 0 if self.control is None else self.control.cursor",
        "job.robot_tick = 0",
    ),
    # -- the splice ------------------------------------------------------------------------------------------
    Mutant(
        "a chunk answers the tick after its own",
        "chunks.player",
        "        return chunk, tick - chunk.start_tick\n",
        "        return chunk, max(0, tick - chunk.start_tick - 1)\n",
        "chunks",
    ),
    Mutant(
        "a chunk that is wholly late takes over",
        "chunks.player",
        "if chunk.end_tick > cursor:",
        "if True:",
        "chunks",
    ),
    Mutant(
        "a late chunk is thrown away",
        "chunks.player",
        "if chunk.end_tick > cursor:",
        "if chunk.end_tick > cursor and chunk.start_tick >= cursor - 1:",
        "chunks",
    ),
    Mutant(
        "the splice forgets what has been executed already",
        "chunks.player",
        "delay = max(self._delay.ticks, cursor - start_tick)",
        "delay = self._delay.ticks",
        "chunks",
    ),
    Mutant(
        "the splice begins a tick before the cursor",
        "chunks.player",
        "return Splice(start_tick, cursor, delay, chunk.slot, row,",
        "return Splice(start_tick, cursor, delay, chunk.slot, max(0, row - 1),",
        "chunks",
    ),
    Mutant(
        "a chunk starts at the cursor, not at its observation",
        "schedule.work",
        "            job.robot_tick = seen\n",
        "            job.robot_tick = 0 if self.control is None else self.control.cursor\n",
        "chunks",
    ),
    Mutant(
        "the first chunk counts for the delay",
        "chunks.delay",
        "        self._skip = warm_up",
        "        self._skip = 0",
        "chunks",
    ),
    Mutant(
        "the delay is the longest there was",
        "chunks.delay",
        "return self._ranked[max(rank, 1) - 1]",
        "return self._ranked[-1]",
        "chunks",
    ),
    Mutant(
        "a buffered chunk begins at its observation",
        "chunks.player",
        "self._current = self._waiting.popleft()._replace(start_tick=tick)",
        "self._current = self._waiting.popleft()",
        "chunks",
    ),
    Mutant(
        "one chunk too many is held",
        "chunks.player",
        "return playing + len(self._waiting) < self._depth",
        "return playing + len(self._waiting) <= self._depth",
        "chunks",
    ),
    Mutant(
        "a chunk of the last episode plays on",
        "chunks.player",
        "        freed = [] if self._current is None else [self._current]\n        self._current = None\n",
        "        freed = [] if self._current is None else [self._current]\n",
        "chunks",
    ),
    Mutant(
        "an answer is skipped while the robot is busy",
        "schedule.control",
        "                self._owed = False\n",
        "                self._owed = False\n                self.cursor += 1\n",
        "chunks",
    ),
    Mutant(
        "an answer that is owed is forgotten",
        "schedule.control",
        "        else:\n            self._owed = True",
        "        else:\n            self._owed = False",
        "chunks",
    ),
    Mutant(
        "the robot gets an answer while it executes one",
        "schedule.control",
        "        if self.acting is None:\n            self._serve",
        "        if True:\n            self._serve",
        "chunks",
    ),
    Mutant(
        "hold outlives the stale input",
        "schedule.work",
        "                self.control.waiting_links.discard(link.label)",
        "                pass",
    ),
    Mutant(
        "hold outlives the stale input of a job that takes its inputs on the grid",
        "schedule.work",
        "            if self.control is not None and self.control.waiting_links:",
        "            if self.control is not None and not job.deck.latches:",
    ),
    Mutant(
        "a job that takes its inputs on the grid holds nobody",
        "schedule.work",
        "if on_stale is OnStale.HOLD and self.control is not None:",
        "if on_stale is OnStale.HOLD and self.control is not None and not job.deck.latches:",
    ),
    Mutant(
        "the robot decelerates before its first action",
        "schedule.control",
        "elif self._played and self._plan.late is Late.DECELERATE:",
        "elif self._plan.late is Late.DECELERATE:",
        "chunks",
    ),
    # -- steps -----------------------------------------------------------------------------------------------
    Mutant(
        "fewer steps than the fewest",
        "schedule.jobs",
        "max(loop.fast, fit))",
        "max(1, fit))",
        "chunks",
    ),
    Mutant(
        "fewer steps are asked for, and nobody cares",
        "schedule.scheduler",
        "                    module.most = event.most",
        "                    pass",
        "chunks",
    ),
    Mutant(
        "steps take what they are planned to take",
        "schedule.jobs",
        "return max((self.plan.costs_ns[stage], *self.took_ns[stage]))",
        "return self.plan.costs_ns[stage]",
        "chunks",
    ),
    Mutant(
        "steps take what they took lately, however much is planned",
        "schedule.jobs",
        "return max((self.plan.costs_ns[stage], *self.took_ns[stage]))",
        "return max(self.took_ns[stage], default=self.plan.costs_ns[stage])",
        "chunks",
    ),
    Mutant(
        "what the device holds takes no time",
        "schedule.jobs",
        "others_ns += self.queue.lane.busy_ns",
        "pass",
        "chunks",
    ),
    Mutant(
        "the stages after the loop take no time",
        "schedule.jobs",
        "others_ns = sum([self.slowest_ns(i) for i in range(loop.first + loop.full, len(self.plan.stages))])",
        "others_ns = 0",
        "chunks",
    ),
    Mutant(
        "the first steps are run, not the last",
        "schedule.jobs",
        "return position if loop is None or position < loop.first else position + (self.skipped or 0)",
        "return position",
        "chunks",
    ),
    # -- control ---------------------------------------------------------------------------------------------
    Mutant(
        "instants that passed unseen are not counted",
        "schedule.control",
        '            out.append(Drop("control", "host_late", missed))',
        "            pass",
    ),
    Mutant(
        "observations that passed unseen are made up for",
        "schedule.control",
        "missed, self._next = last - self._next, last + 1",
        "missed, self._next = 0, self._next + 1",
    ),
    Mutant(
        "an observation that is due now is told to be missed",
        "schedule.control",
        "                if (self._live.context, sight.port) in self._writing:",
        "                if self.cursor % 5 == 3:\n"
        '                    out.append(Drop(sight.port, "missed", context=self._live.context))\n'
        "                elif (self._live.context, sight.port) in self._writing:",
    ),
    Mutant(
        "an observation precedes the tick after",
        "schedule.control",
        "= (slot, self.cursor)",
        "= (slot, self.cursor + 1)",
    ),
)
