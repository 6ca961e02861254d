"""What `load` says of a bundle whose warm-up may keep waiting what plays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from polyrhythm.runtime import Plan, Runtime, check
from polyrhythm.runtime.warm_check import warm_up_notes
from polyrhythm.schedule import ModulePlan
from polyrhythm.simulate.terse import MS, module
from tests.cli.bundles import MANIFEST, make_bundle

DEVICE = 'cpu: { driver: "null", uri: immediate }'
#: 150 ms in one stage, on a device of its own no trouble.
LONG = MANIFEST.replace("cost_ms: 15", "cost_ms: 150").replace("rate_hz: 10", "rate_hz: 1")


def planned(root: Path, text: str) -> Plan:
    plan = check(make_bundle(root, text)).plan
    assert plan is not None
    return plan


def cheap(text: str = MANIFEST) -> str:
    return text.replace("cost_ms: 15", "cost_ms: 5")


@pytest.fixture
def long(tmp_path: Path) -> Plan:
    """Its `head` has a second for it."""
    return planned(tmp_path / "long", LONG.replace("rate_hz: 50", "rate_hz: 1"))


def test_a_stage_that_is_too_long_for_what_plays_is_told(long: Plan, tmp_path: Path, snapshot) -> None:
    found = list(warm_up_notes(planned(tmp_path / "duet", cheap()), long))
    assert [d.render().replace(f"{tmp_path.resolve()}/", "") for d in found] == snapshot


@pytest.mark.parametrize("more", [", policy: edf", ", policy: laxity", ", in_flight: 2"])
def test_it_comes_last_under_every_policy(more: str, long: Plan, tmp_path: Path) -> None:
    """What fits without it fits with 5 ms more, and not with 150."""
    device = DEVICE.replace(" }", f"{more} }}")
    live = planned(tmp_path / "duet", cheap().replace(DEVICE, device).replace("rate_hz: 50", "rate_hz: 25"))
    assert [d.code for d in warm_up_notes(live, long)] == ["PC035"]
    short = planned(tmp_path / "short", cheap())
    assert list(warm_up_notes(live, short)) == []


def test_in_sequential_mode_all_devices_are_one_queue(long: Plan, tmp_path: Path) -> None:
    text = cheap().replace("orchestration:", "orchestration:\n  mode: sequential")
    live = planned(tmp_path / "duet", text)
    assert [d.code for d in warm_up_notes(live, long)] == ["PC035"]
    assert list(warm_up_notes(live, planned(tmp_path / "short", cheap()))) == []


#: At rest `head` has half a second for what it does, at work 20 ms; `slow` doubles what everything costs.
POWER = """\
power:
  profiles:
    rest: { rate_hz: { head: 1, vlm: 1 } }
    work: {}
    also: { rate_hz: { vlm: 9 } }
    slow: { cost_scale: { cpu: 2 }, rate_hz: { head: 1, vlm: 1 } }
"""


def test_every_power_profile_is_tried(long: Plan, tmp_path: Path, snapshot) -> None:
    found = list(warm_up_notes(planned(tmp_path / "duet", cheap() + POWER), long))
    assert [d.render().replace(f"{tmp_path.resolve()}/", "") for d in found] == snapshot
    assert "under `work`, a stage" in found[0].message and len(found) == 2


def test_what_is_warmed_up_runs_under_the_profile_that_plays(tmp_path: Path) -> None:
    """Its stage fits unless `slow` makes it cost 199 times as much."""
    live = planned(tmp_path / "duet", cheap() + POWER)
    slow = "slow: { cost_scale: { cpu: 199 }, rate_hz: { head: 0.1, vlm: 0.1 } }"
    new = planned(tmp_path / "new", cheap() + POWER[: POWER.index("slow:")] + slow)
    (note,) = warm_up_notes(live, new)
    assert "under `slow`" in note.message


def test_where_a_device_gives_way_the_longest_kernel_blocks(long: Plan, tmp_path: Path, snapshot) -> None:
    """`vlm` takes 20 ms in kernels of 1 ms, `head` 10 ms, of which one takes 8: that is too long for 8 ms."""

    def giving(plan: Plan, *modules: ModulePlan) -> Plan:
        schedule = replace(plan.schedule, modules=modules, gives_way=("cpu",), devices={"cpu": 1})
        return replace(plan, schedule=schedule)

    live = giving(long, module("reflex", 100, 2, device="cpu", deadline_ns=8 * MS, piece_ns=MS))
    vlm = module("vlm", 1, 20, device="cpu", piece_ns=MS)
    head = module("head", 1, 10, device="cpu", piece_ns=8 * MS)
    assert list(warm_up_notes(live, giving(long, vlm))) == []
    (found,) = warm_up_notes(live, giving(long, vlm, head))
    assert found.render().replace(f"{tmp_path.resolve()}/", "") == snapshot
    whole = replace(vlm, piece_ns=None)  # not measured: a whole stage, as far as anybody knows
    (found,) = warm_up_notes(live, giving(long, whole, head))
    assert "a stage of vlm keeps cpu for 20 ms" in found.message


def test_nothing_is_said_of_other_devices_or_of_costs_that_nobody_tells(long: Plan, tmp_path: Path) -> None:
    other = planned(tmp_path / "other", cheap().replace(DEVICE, DEVICE.replace("cpu", "npu")))
    silent = cheap().replace("    cost_ms: 5\n", "").replace("    cost_ms: [1, 2]\n", "")
    assert list(warm_up_notes(other, long)) == []
    assert list(warm_up_notes(planned(tmp_path / "silent", silent), long)) == []
    assert list(warm_up_notes(planned(tmp_path / "duet", cheap()), planned(tmp_path / "new", silent))) == []


def test_a_load_logs_it_and_goes_on(long: Plan, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Runtime(planned(tmp_path / "duet", cheap())) as runtime:
        assert runtime.load(long).wait("loaded") == "loaded"
    assert "note PC035: while it is warmed up" in caplog.text


def test_check_tells_of_contexts_that_are_warmed_up_beside_the_first(tmp_path: Path, snapshot) -> None:
    """They are its own: a stage of 14 ms before 15 ms of the same module is too much for 20."""
    text = cheap().replace("cost_ms: [1, 2]", "cost_ms: [1, 14]").replace("rate_hz: 10", "rate_hz: 5")
    found = {n: check(make_bundle(tmp_path / str(n), f"contexts: {n}\n" + text)) for n in (1, 2)}
    assert [d.code for d in found[1].diagnostics] == [] and found[1].ok and found[2].ok
    root = f"{tmp_path.resolve()}/"
    assert [d.render().replace(root, "") for d in found[2].diagnostics] == snapshot
    told = [line for line in found[2].proof.assumptions if line not in found[1].proof.assumptions]
    assert told == snapshot
