"""Faults that other runtimes have had, as cases for the proof."""

from __future__ import annotations

from dataclasses import replace

import pytest

from polyrhythm.analysis import prove
from polyrhythm.schedule import Policy
from polyrhythm.simulate.harness import Harness
from polyrhythm.simulate.terse import MS, module, plan_of


@pytest.mark.parametrize("policy", list(Policy))
def test_case_22_a_device_that_can_not_interrupt(policy: Policy) -> None:
    """A whole model as one command is one stage, q = C, whatever goes first: refused, and rightly so.
    The same model in 15 stages of 10 ms fits; not by laxity, where no order is counted on."""
    action = module("action", 50, 6)
    whole = module("vlm", 3, 150, priority=1, phase_ns=19 * MS)
    proof = prove(plan_of(action, whole, policies={"d": policy}))
    assert not proof.feasible
    verdict = proof.modules[0]
    # By laxity nobody is known to block: vlm may have gone first as well.
    assert verdict.bound_ns == 156 * MS
    if policy is not Policy.LAXITY:
        assert (verdict.blocker, verdict.blocker_ns) == ("vlm", 150 * MS)
    late = Harness(plan_of(action, whole, policies={"d": policy})).start().run(400 * MS)
    assert late.scheduler.modules[0].late > 0
    cut = replace(whole, stages=tuple(f"s{i}" for i in range(15)), costs_ns=(10 * MS,) * 15)
    feasible = prove(plan_of(action, cut, policies={"d": policy})).feasible
    assert feasible == (policy is not Policy.LAXITY)
