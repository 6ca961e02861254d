"""A minute of the swarm: random plans, profiles and contexts, random faults; every rule after every event.

In a file of its own, so that it takes a process of its own.
"""

from __future__ import annotations

import pytest

from polyrhythm.simulate.campaign import Setting, run
from polyrhythm.simulate.faults import FAULTS
from polyrhythm.simulate.report import describe, replay_command

#: The seeds of the trials: also those that have to notice what is planted.
SEEDS = range(20_000, 20_250)
#: More of them, for what is seldom: a stage is lost that another was left for; stages cost more from one to
#: the next, on a device that gives way.
SELDOM = (22_404, 38_144)


@pytest.mark.timeout(900)
def test_every_rule_holds_in_the_swarm() -> None:
    setting = Setting(None)
    result = run(setting, SEEDS.start, trials=len(SEEDS))
    assert result.shrunk is None, replay_command(setting, result)
    found = describe("swarm", setting, SEEDS.start, result, ())
    assert found["ok"] and found["trials"] == len(SEEDS)
    assert found["judged"] > 1000 and found["contexts"]["switched"] > 50
    assert found["faults"].keys() == FAULTS.keys(), "each has struck"
    for seed in SELDOM:
        result = run(setting, seed, trials=1)
        assert result.shrunk is None, replay_command(setting, result)
