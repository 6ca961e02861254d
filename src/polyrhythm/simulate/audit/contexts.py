"""Contexts come, are warmed up, take turns at control instants, and go when nothing holds them."""

from __future__ import annotations

from polyrhythm.schedule.events import Admit, Drained, Event, Ready, Refused, Retire, Switch, Switched
from polyrhythm.simulate.audit.books import ContextBook
from polyrhythm.simulate.audit.devices import Devices
from polyrhythm.simulate.harness import Step


class Contexts(Devices):
    """Contexts come, are warmed up, take turns at control instants, and go when nothing holds them."""

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
                assert self.wanted == number or asked
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
            self.wanted = event.context
        due = self._due() if step.phase == "running" and self.plan.control is not None else 0
        if self.wanted is not None:
            assert step.phase == "priming" or due == self.due_before, "the instant has passed"
        self.due_before = due

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
        asks = isinstance(event, (Admit, Switch, Retire)) and event.context == number
        if isinstance(event, Admit) and asks:
            control, new = self.plan.control, event.plan.control
            same = control is new is None or (control and new and control.period_ns == new.period_ns)
            same = same and self.plan.buffers == event.plan.buffers
            known = [d for d in event.plan.devices if d in self.k]
            ks = all(self.k[d] == event.plan.devices[d] for d in known)
            alike = all((d in self.gives_way) == (d in event.plan.gives_way) for d in known)
            assert self.halted or number in self.contexts or not (same and ks and alike)
        elif isinstance(event, Retire) and number == self.live.number:
            assert asks
        elif self.wanted == number:
            assert isinstance(event, (Switch, Retire)) or self.stops
            self.wanted = None
        elif isinstance(event, Switch) and asks:
            assert self.stops or number not in self.contexts or not self.contexts[number].ready
        elif asks:
            assert not self._may_go(number)
        else:
            context = self.contexts[number]
            assert self.stops or context.spoiled, "nothing of it has failed"
            self._leave(context, refused.reason)

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
