"""Contexts come, are warmed up, take turns at control instants, and go when nothing holds them."""

from __future__ import annotations

from polyrhythm.schedule.events import Admit, Drained, Event, Ready, Refused, Retire, Switch, Switched
from polyrhythm.simulate.audit.books import ContextBook
from polyrhythm.simulate.audit.devices import Devices
from polyrhythm.simulate.harness import Step


class Contexts(Devices):
    """Contexts come, are warmed up, take turns at control instants, and go when nothing holds them."""

    def _ask(self, event: Admit | Switch | Retire) -> None:
        """What is asked of a context is done, or refused in the same step."""
        number = event.context
        if isinstance(event, Admit):
            granted = self._fits(event)
        elif isinstance(event, Switch):
            granted = self._may_play(number)
        else:
            granted = self._may_go(number)
        if not granted:
            self.refuses = number
        elif isinstance(event, Admit):
            self._admitted(event)
        elif isinstance(event, Retire):
            self._leave(self.contexts[number], "retired")

    def _context(self, command: Ready | Refused | Switched | Drained, event: Event) -> None:
        number = command.context
        match command:
            case Ready():
                context = self.contexts[number]
                assert not context.cold and context.warming is None and not context.leaving
                assert not context.spoiled, "it can't be warmed up"
                context.ready = True
            case Refused():
                self._refused(command, event)
            case Switched():
                context = self.contexts[number]
                assert context.ready and not context.leaving
                asked = isinstance(event, Switch) and event.context == number
                assert self.wanted == number or (self.wanted is None and asked), "who waits is told"
                if self.plan.control is not None and self.phase_now in {"priming", "running"}:
                    assert self._due() > self.due_before, "it waits for the next control instant"
                self.wanted = None
                if context is not self.live:
                    assert not any(m.forgo(self.now_ns) for m in self.modules), "not counted any more"
                    self.live.close("switched")
                    self.live = context
                    self.waits.clear()
                    if context.plan.control is not None:
                        self.chunks.switch(number, self._chunk_ticks(context), context.plan.control)
                    if self.phase_now in ("running", "stopped"):  # it may halt right after that
                        control = context.plan.control
                        context.awaits = set(control.observations if control is not None else ())
                        context.opening = True
                        if control is not None:
                            last, period_ns = self._due() - 1, control.period_ns
                            last_ns = last * period_ns.numerator // period_ns.denominator
                            self._look_from(self.origin_ns + last_ns, 0)
                        self._try_open(context)
            case Drained():
                context = self.contexts.pop(number)
                assert context.leaving
                assert context.empty()
                assert context is not self.live
                assert not any(c == number for c, _ in self.asked)
                assert number not in self.chunks.contexts, "a chunk of it plays or waits"
                self.chunks.gone(number)

    def _waits_for_an_instant(self, step: Step) -> None:
        """A switch that is granted happens at once or waits for the robot's next control instant."""
        event = step.event
        if isinstance(event, Switch) and not any(
            isinstance(c, (Refused, Switched)) and c.context == event.context for c in step.commands
        ):
            assert self.plan.control is not None and step.phase in {"priming", "running"}
            assert self.contexts[event.context].ready
            assert self.wanted in {None, event.context}, "a switch that waits gives way, and nobody is told"
            self.wanted = event.context
        due = self._due() if step.phase == "running" and self.plan.control is not None else 0
        if self.wanted is not None:
            assert step.phase == "priming" or due == self.due_before, "the instant has passed"
        self.due_before = due
        assert self.refuses is None, "what is asked for is not done, and nobody is told"

    def _admitted(self, event: Admit) -> None:
        context = self.contexts[event.context] = ContextBook(event.context, event.plan, event.warm)
        self._run_under(context)
        for device, k in context.plan.devices.items():
            gives_way = device in context.plan.gives_way
            if device not in self.k and gives_way:
                self.gives_way.add(device)
            assert self.k.setdefault(device, k) == k and (device in self.gives_way) == gives_way
            self.flying.setdefault(device, [])

    def _refused(self, refused: Refused, event: Event) -> None:
        """What an event asks for is refused, or a switch that waits, or a context that can't be warmed."""
        number = refused.context
        asks = isinstance(event, (Switch, Retire)) and event.context == number
        if number == self.refuses:
            self.refuses = None
        elif self.wanted == number:
            another = isinstance(event, Switch) and not asks and self._may_play(event.context)
            gone = isinstance(event, Retire) and asks
            assert self.stops or another or gone, "a switch that was granted is lost"
            self.wanted = None
        elif isinstance(event, Switch) and asks and self.contexts[number].ready:
            assert self.stops, "a switch that was granted is lost"
        else:
            context = self.contexts[number]
            assert self.stops or context.spoiled, "nothing of it has failed"
            self._leave(context, refused.reason)

    def _fits(self, admit: Admit) -> bool:
        """Whether a context can take turns with those that are here."""
        control, new = self.plan.control, admit.plan.control
        same = control is new is None or (control and new and control.period_ns == new.period_ns)
        same = same and self.plan.buffers == admit.plan.buffers
        known = [d for d in admit.plan.devices if d in self.k]
        ks = all(self.k[d] == admit.plan.devices[d] for d in known)
        alike = all((d in self.gives_way) == (d in admit.plan.gives_way) for d in known)
        return bool(not self.halted and admit.context not in self.contexts and same and ks and alike)

    def _may_play(self, number: int) -> bool:
        return not self.halted and number in self.contexts and self.contexts[number].ready

    def _may_go(self, number: int) -> bool:
        context = self.contexts.get(number)
        return context is not None and context is not self.live and not context.leaving

    def _leave(self, context: ContextBook, reason: str) -> None:
        assert not context.leaving and context is not self.live
        context.leaving, context.ready, context.cold = True, False, []
        context.newest = dict.fromkeys(context.newest)
        context.close(reason)
        if context.warming is not None:
            context.warming.void = reason
            if context.warming.launched == context.warming.done:
                self._warmed(context.warming)
