"""The island's step, exactly: ladder, limits, guards, on a clock of the test's own."""

from __future__ import annotations

from io import StringIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table

from polyrhythm.island import RUNGS, RefusedError, VirtualIsland, config_record, counts_of
from polyrhythm.island.layout import BINS, BLIND, LIMP, bin_edges_ns
from polyrhythm.island.ports import record
from polyrhythm.island.virtual import time_bin
from polyrhythm.observe.island_table import island_table
from tests.effort import examples

from .virtual import LADDER, MS, Bench, declared


def render(table: Table) -> str:
    console = Console(width=118, file=StringIO(), color_system=None)
    console.print(table)
    return str(console.file.getvalue())


def rung(command: np.ndarray) -> str:
    return RUNGS[command["rung"]]


def test_a_pd_pulls_to_the_target_along_its_velocity() -> None:
    bench = Bench()
    bench.step()
    bench.target([0.005, 0.0], [0.5, 0.0])
    command = bench.step()
    assert command["torque"][0] == pytest.approx(20 * 0.005 + 1 * 0.5)
    bench.position[:] = bench.commands[-1]["position"][:2]
    bench.velocity[0] = 0.2
    command = bench.step()  # a period later the target has gone on by half a thousandth
    assert command["position"][0] == pytest.approx(0.0055)
    assert command["torque"][0] == pytest.approx(20 * 0.0005 + 1 * 0.3)


def test_each_step_of_the_ladder_is_entered_at_its_time() -> None:
    bench = Bench()
    bench.step()
    bench.target([0.1, 0.2], [0.5, 0.0])
    seen = [rung(bench.step()) for _ in range(1100)]
    entered = {name: seen.index(name) for name in RUNGS}
    assert entered == {"use": 0, **LADDER}
    assert seen == sorted(seen, key=RUNGS.index)
    assert counts_of(bench.counts)["entered"] == {
        "use": 1, "extrapolate": 1, "decelerate": 1, "hold": 2, "stop": 1,
    }  # fmt: skip
    assert sum(counts_of(bench.counts)["periods_in"].values()) == 1101


def test_before_the_first_target_it_holds_where_the_robot_was_found() -> None:
    bench = Bench()
    bench.position[:] = [0.3, -2.0]
    command = bench.step(50)
    assert rung(command) == "hold"
    assert command["position"][:2].tolist() == [0.3, -2.0]
    bench.position[:] = [0.25, -2.0]
    assert bench.step()["torque"][0] == pytest.approx(20 * 0.05)


def test_the_reference_moves_on_fades_and_stands() -> None:
    bench = Bench()
    bench.step()
    bench.target([0.0, 0.0], [2.0, 0.0])
    reference, speed = [], []
    for _ in range(400):
        command = bench.step()
        bench.follow()
        reference.append(command["position"][0])
        speed.append(command["velocity"][0])
    steps = np.diff(reference) / 1e-3
    assert np.allclose(steps[:60], 2.0)
    assert (np.diff(steps[60:160]) < 0).all()  # evenly slower
    assert np.allclose(steps[160:], 0.0)
    # 60 ms at full speed, and 100 ms at half of it on the mean.
    assert reference[-1] == pytest.approx(2.0 * (0.060 + 0.100 / 2))
    assert speed[59] == 2.0 and speed[110] == pytest.approx(1.0) and speed[170] == 0.0


@pytest.mark.parametrize("limit", [0.33, 1.05, 2.1])
def test_a_target_beyond_the_limits_is_walked_to_them_and_not_a_bit_further(limit: float) -> None:
    joint = {"position": [-limit, limit], "velocity": 9000, "torque": 5, "torque_rate": 9, "kp": 1, "kd": 0}
    for found in np.random.default_rng(0).uniform(-limit, limit, (50, 2)):
        bench = Bench(joints={"hip": joint, "knee": joint})
        bench.position = found
        bench.step()
        bench.target([limit + 1, -limit - 1])
        assert bench.step()["position"][:2].tolist() == [limit, -limit]
        bench.check_limits()


def test_stop_lets_go_and_damps() -> None:
    bench = Bench()
    bench.step()
    bench.target([0.5, 0.0])
    bench.step(1000)
    bench.velocity[:] = [0.5, 3.0]
    bench.position[:] = [0.2, 0.0]
    bench.step(50)
    command = bench.step()
    assert rung(command) == "stop" and command["flags"] & LIMP
    assert command["torque"][:2].tolist() == [-0.5, 0.0]  # the knee has no damping
    assert command["position"][0] == 0.2


def test_a_target_after_a_stop_begins_where_the_robot_is() -> None:
    bench = Bench()
    bench.step()
    bench.target([0.5, 0.0])
    bench.step(1100)
    bench.position[:] = [-0.5, 0.0]
    bench.step(20)
    bench.target([0.5, 0.0])
    reference = [bench.step()["position"][0] for _ in range(101)]
    assert reference[0] == pytest.approx(-0.5 + 0.01)  # 10 rad/s
    assert np.allclose(np.diff(reference), 0.01, atol=1e-12) or reference[-1] == 0.5
    bench.check_limits()


def test_a_target_ten_seconds_old_is_no_target() -> None:
    bench = Bench()
    bench.step()
    bench.target([0.5, 0.5], age_ns=10_000 * MS)
    assert rung(bench.step()) == "stop"
    assert bench.counts["targets"] == 1
    assert bench.counts["age_max_ns"] == 10_000 * MS


def test_an_older_target_does_not_take_a_newer_ones_place() -> None:
    bench = Bench()
    bench.step()
    bench.target([0.005, 0.0])
    bench.step()
    bench.target([0.5, 0.0], age_ns=30 * MS)
    assert rung(bench.step()) == "use"
    assert counts_of(bench.counts)["targets_refused"]["out_of_order"] == 1


def test_a_target_from_the_future_is_refused() -> None:
    bench = Bench()
    bench.step()
    bench.target([0.5, 0.0], age_ns=-3_600_000 * MS)
    bench.step()
    assert counts_of(bench.counts)["targets_refused"]["from_the_future"] == 1
    assert bench.counts["targets"] == 0


def test_what_comes_while_the_island_is_held_up_is_taken_in_a_later_period() -> None:
    """Between looking at its clock and at its ports: what lies there then is ahead of its clock."""
    bench = Bench()
    bench.step()
    bench.target([0.5, 0.0], age_ns=-5 * MS)
    bench.island.send("state", bench.now_ns + 5 * MS, position=[0.25, 0.0], velocity=[0.0, 0.0])
    taken = []
    for _ in range(6):
        bench.step(see=False)
        taken.append((int(bench.counts["targets"]), int(bench.counts["states"])))
    assert taken == [(0, 1)] * 4 + [(1, 2)] * 2
    counted = counts_of(bench.counts)
    assert counted["targets_refused"]["from_the_future"] == counted["states_refused"]["from_the_future"] == 0


@pytest.mark.parametrize("stamp_ns", [-1, -(2**63)])
def test_a_time_before_the_clock_is_refused(stamp_ns: int) -> None:
    """The age of such a message would overflow, and look like youth."""
    bench = Bench()
    bench.island.send("state", stamp_ns, position=[0.5, 0.5], velocity=[0.0, 0.0])
    bench.island.send("target", stamp_ns, position=[0.5, 0.5], velocity=[0.0, 0.0])
    assert bench.step(see=False)["flags"] & BLIND
    assert bench.counts["targets"] == bench.counts["states"] == 0
    counted = counts_of(bench.counts)
    assert counted["targets_refused"]["out_of_order"] == counted["states_refused"]["out_of_order"] == 1


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_refused_and_the_last_target_goes_on(bad: float) -> None:
    bench = Bench()
    bench.step()
    bench.target([0.1, 0.1])
    before = bench.step()
    for target in ([bad, 0.1], [0.1, bad]):
        bench.target(target)
        bench.step()
    bench.target([0.1, 0.1], [0.0, bad])
    command = bench.step()
    assert counts_of(bench.counts)["targets_refused"]["not_finite"] == 3
    assert rung(before) == rung(command) == "use"
    bench.check_limits()


def test_a_jump_is_walked_at_the_velocity_limit() -> None:
    bench = Bench()
    bench.step()
    for _ in range(120):
        bench.target([100.0, -100.0])
        bench.step()
        bench.follow()
    reference = np.array([command["position"][:2] for command in bench.commands])
    assert np.abs(np.diff(reference, axis=0)).max(axis=0) == pytest.approx([0.010, 0.020])
    assert reference[-1, 0] == 1.0  # the position limit
    limited = counts_of(bench.counts)["limited"]
    assert limited["position"] == 120
    assert limited["velocity"] > 200
    bench.check_limits()


def test_torque_and_its_change_are_limited() -> None:
    bench = Bench()
    bench.position[:] = [0.9, 0.0]
    bench.step()
    bench.position[:] = [-0.9, -5.0]
    torques = [bench.step()["torque"][:2].tolist() for _ in range(8)]
    assert torques[:5] == [pytest.approx([1.0 * k, 0.4 * k]) for k in range(1, 6)]
    assert torques[-1] == [5.0, 2.0]
    bench.check_limits()


def test_a_torque_is_not_rounded_beyond_its_limit() -> None:
    """What it was, and the rest up to the limit, may add up to the next number above it."""
    joint = {"velocity": 40, "torque": 0.15, "torque_rate": 200, "kp": 1, "kd": 0.05}
    bench, chance = Bench(joints={"left": joint, "right": joint}), np.random.default_rng(0)
    most = 0.0
    for _ in range(500):
        bench.position[:] = chance.uniform(-1, 1, 2)
        most = max(most, np.abs(bench.step()["torque"]).max())
    assert most == 0.15


def test_a_joint_that_is_too_fast_or_beyond_its_end_is_not_pushed_further() -> None:
    bench = Bench()
    bench.step()
    bench.velocity[1] = 25.0
    bench.position[:] = [-1.5, -1.0]
    bench.target([-1.0, 0.0])
    bench.step()
    assert bench.commands[-1]["torque"][1] == 0.0
    assert counts_of(bench.counts)["limited"]["overspeed"] == 1
    bench = Bench()
    bench.position[:] = [1.05, 0.0]
    bench.velocity[:] = [-9.0, 0.0]  # damping would push it outwards
    assert bench.step()["torque"][0] == 0.0
    assert counts_of(bench.counts)["limited"]["end_stop"] == 1


def pushing(**changes: Any) -> Bench:
    """A hip that is pushed outwards with all it has, a knee that is pushed the other way."""
    bench = Bench(**changes)
    bench.position[:] = [0.7, 0.0]
    for _ in range(120):
        bench.target([1.0, -5.0])
        bench.step()
    assert bench.commands[-1]["torque"][:2].tolist() == [5.0, -2.0]
    return bench


@pytest.mark.parametrize(
    ("position", "velocity"),
    [((1.05, 0.0), (0.0, 0.0)), ((0.7, 0.0), (11.0, 0.0)), ((1.05, 0.0), (12.0, -25.0))],
    ids=["beyond its end", "too fast", "both"],
)
def test_a_torque_that_the_joint_forbids_is_gone_at_once(
    position: tuple[float, float], velocity: tuple[float, float]
) -> None:
    bench = pushing()
    bench.position[:], bench.velocity[:] = position, velocity
    bench.target([1.0, -5.0])
    first = bench.step()
    assert first["torque"][0] == 0.0 and first["torque"][1] == (0.0 if velocity[1] else -2.0)
    bench.position[:], bench.velocity[:] = (0.7, 0.0), (0.0, 0.0)
    bench.target([1.0, -5.0])
    back = [float(bench.step()["torque"][0]) for _ in range(5)]
    assert back == pytest.approx([1.0, 2.0, 3.0, 4.0, 5.0])  # and comes again at its rate
    bench.check_limits()


def test_the_first_blind_period_has_no_torque() -> None:
    bench = pushing()
    commands = [bench.step(see=False) for _ in range(20)]
    blind = [bool(command["flags"] & BLIND) for command in commands]
    assert blind == [False] * 4 + [True] * 16
    assert [bool(command["torque"][:2].any()) for command in commands] == [True] * 4 + [False] * 16
    bench.step(20)
    bench.check_limits()  # from nothing at its rate


def held_up(bench: Bench, gap_ms: int) -> None:
    """The island takes no step for so long; then the body lies elsewhere, and all that comes is fresh."""
    bench.now_ns += (gap_ms - 1) * MS
    bench.position[:] = [0.2, 0.0]
    bench.target([1.0, -5.0])


def test_an_island_that_was_held_up_begins_from_no_torque() -> None:
    """From the time on at which its motors have let go."""
    bench = pushing()
    held_up(bench, 2)
    assert bench.step()["torque"][:2].tolist() == [5.0, -2.0]
    held_up(bench, 3)
    command = bench.step()
    assert rung(command) == "use" and command["position"][0] == 1.0
    assert command["torque"][:2].tolist() == pytest.approx([1.0, -0.4])
    assert bench.step()["torque"][:2].tolist() == pytest.approx([2.0, -0.8])
    bench.check_limits()


@pytest.mark.parametrize(("blind_ms", "gap_ms"), [(5, 5), (5, 300), (5000, 1000)])
def test_an_island_that_was_held_up_for_long_begins_where_the_robot_is(blind_ms: int, gap_ms: int) -> None:
    """For as long as makes it blind, or as it would have stopped in: the robot may have fallen."""
    bench = pushing(blind_ms=blind_ms)
    held_up(bench, gap_ms)
    command = bench.step()
    assert rung(command) == "use"
    assert command["position"][:2].tolist() == pytest.approx([0.2 + 0.01, -0.02])
    assert command["torque"][:2].tolist() == pytest.approx([20 * 0.01, 10 * -0.02])
    bench.check_limits()


def test_a_period_longer_than_blind_ms_is_not_held_up() -> None:
    bench = Bench(rate_hz=20)
    bench.target([1.0, 1.0])
    assert bench.step(4)["position"][:2].tolist() == [1.0, 1.0]
    bench.check_limits()


def test_without_the_robots_state_there_is_no_torque() -> None:
    bench = Bench()
    assert bench.step(see=False)["torque"].tolist() == [0.0] * 32
    bench.position[:] = [0.1, 0.0]
    bench.step()
    bench.target([0.6, 0.0])
    bench.step(5)
    assert bench.commands[-1]["torque"][0] > 0
    commands = [bench.step(see=False).copy() for _ in range(10)]
    blind = [bool(command["flags"] & BLIND) for command in commands]
    assert blind == [False] * 4 + [True] * 6  # the last state was a period old at the first of them
    assert commands[-1]["torque"][0] == 0.0
    assert counts_of(bench.counts)["blind"] == {"entered": 1, "periods": 7}
    bench.position[:] = [-0.3, 0.0]
    bench.target([-0.3, 0.0])
    assert bench.step()["position"][0] == -0.3  # it begins where the robot is
    bench.check_limits()


def test_a_broken_message_is_counted_once_and_the_last_whole_one_kept() -> None:
    bench = Bench()
    bench.step()
    bench.target([0.005, 0.0])
    bench.step()
    bench.target([0.9, 0.9])
    bench.island.port("target")["position"][0] = 0.5  # its checksum is wrong now
    for _ in range(10):
        bench.step()
    refused = counts_of(bench.counts)["targets_refused"]
    assert refused == {"torn": 1, "not_finite": 0, "from_the_future": 0, "out_of_order": 0}
    assert bench.commands[-1]["position"][0] == 0.005
    bench.island.port("target")["last"] += 1  # half written, for ever
    bench.step(10)
    assert counts_of(bench.counts)["targets_refused"]["torn"] == 2
    bench.target([0.006, 0.0])
    bench.step()
    assert bench.counts["targets"] == 2


def test_writers_are_told_apart() -> None:
    bench = Bench()
    bench.step()
    for writer in (7, 7, 8):
        bench.target([0.0, 0.0], writer=writer)
        bench.step()
    assert bench.counts["writers"] == 2


_number = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True), st.floats(-2, 2), st.floats(-1e308, 1e308)
)


_gap_ms = st.one_of(st.just(0), st.integers(1, 1100))
_move = st.tuples(_number, _number, _number, _number, st.integers(-5, 2000), st.booleans(), _gap_ms)
_scribble = st.tuples(st.integers(0, 100), st.binary(min_size=1, max_size=16))


@examples(75)
@given(st.lists(_move, min_size=1, max_size=40))
def test_no_input_gets_a_command_out_of_its_limits(
    moves: list[tuple[float, float, float, float, int, bool, int]],
) -> None:
    for bench in (Bench(), pushing()):
        for a, b, c, d, age_ms, see, gap_ms in moves:
            bench.now_ns += gap_ms * MS
            bench.target([a, b], [c, d], age_ns=age_ms * MS)
            bench.position[:] = [b, d]
            bench.velocity[:] = [c, a]
            bench.step(3, see=see)
        bench.check_limits()


@examples(50)
@given(st.lists(_scribble, min_size=1, max_size=20))
def test_scribbling_over_the_ports_changes_no_command_beyond_limits(
    scribbles: list[tuple[int, bytes]],
) -> None:
    bench = Bench()
    bench.step()
    bench.target([0.1, 0.1])
    bench.step()
    for at, junk in scribbles:
        for name in ("target", "state"):
            memory = np.frombuffer(bench.island.port(name).data.cast("B"), np.uint8)
            part = memory[at * 5 % len(memory) :][: len(junk)]
            part[:] = np.frombuffer(junk, np.uint8)[: len(part)]
        bench.step(2)
    bench.check_limits()


def test_a_configuration_that_cannot_be_is_refused() -> None:
    good = config_record(declared())
    broken = good.copy()
    broken["kp"][0] = 1.0
    with pytest.raises(RefusedError, match="checksum"):
        VirtualIsland(broken)
    with pytest.raises(RefusedError, match="limits or gains"):
        VirtualIsland(signed(good, torque=[0.0]))
    with pytest.raises(RefusedError, match="do not rise"):
        VirtualIsland(signed(good, hold_ns=1))
    with pytest.raises(RefusedError, match="too many joints"):
        VirtualIsland(signed(good, joints=33))
    with pytest.raises(RefusedError, match="period"):
        VirtualIsland(signed(good, period_ns=0))


def signed(config: np.ndarray, **changes: object) -> np.ndarray:
    import zlib

    made = record("config", **{n: config[n] for n in config.dtype.names if n != "network"} | changes)
    made["check"] = zlib.crc32(made.tobytes()[:-8])
    return made


@pytest.mark.parametrize("junk", [2**52, 2**62, 2**63 + 5, 2**64 - 1])
@pytest.mark.parametrize("where", [slice(None), 0, BINS - 1])
def test_counts_that_were_scribbled_over_are_still_told(junk: int, where: slice | int) -> None:
    counts = record("counts")
    for name in ("wake", "execution", "response", "age"):
        counts[name][where] = junk
        counts[f"{name}_max_ns"] = junk
    for name in ("missed", "lost", "rung", "rung_periods", "pid", "heartbeat"):
        counts[name] = junk
    found = counts_of(counts)
    assert found["times"]["wake_us"]["p50"] <= found["times"]["wake_us"]["max"] <= 2**52 / 1e3
    assert render(island_table(found))


def test_bins_are_where_python_thinks_they_are() -> None:
    edges = bin_edges_ns()
    for bin_ in [*range(BINS)]:
        assert time_bin(int(edges[bin_])) == bin_
        assert time_bin(int(edges[bin_ + 1]) - 1) == bin_
    assert time_bin(2**63) == BINS - 1


def test_a_closed_island_takes_no_step() -> None:
    island = VirtualIsland(config_record(declared()))
    island.step(0)
    island.close()
    island.close()
    with pytest.raises(ValueError, match="closed island"):
        island.step(MS)
