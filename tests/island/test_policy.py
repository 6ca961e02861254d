"""Static plans in front of the PD: what they are given, what becomes of what they give, and of their time."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from time import monotonic_ns

import numpy as np
import pytest

from polyrhythm.bundle import Tensor
from polyrhythm.bundle.static_code import StaticCode
from polyrhythm.compile import plan_file as file
from polyrhythm.hal import HalError, native
from polyrhythm.hal.drivers.static_native import PREEMPTED, Plan, PlanModule, Team, library
from polyrhythm.island import RefusedError, VirtualIsland, config_record, counts_of
from polyrhythm.island.build import SOURCES, command, layout_header
from polyrhythm.memory import Arena

from .plans import COPY, ENTRY, FAIL, WAIT, meeting, through, vector, written
from .virtual import Bench, declared, two_cores

HERE = Path(__file__).parent
OUT = vector("residual", 2)
#: Of the policy of `sensing`: what the sensors say is added to the reference.
KP = 20


def sensing(root: Path, **how: object) -> StaticCode:
    """A policy that adds what the two sensors say."""
    return written(root, [vector("sensors", 2)], [OUT], through(2, **how))  # type: ignore[arg-type]


def aligned(count: int) -> np.ndarray:
    """Zeros, f32 ``[count]``, where a plan may read and write."""
    return Arena(4096).take("test", "test", Tensor("test", "f32", (count,)))


def policy_counts(bench: Bench) -> dict[str, int]:
    found: dict[str, int] = counts_of(bench.counts)["policy"]
    return found


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("error", (0.005 - 0.002, 0.0)),
        ("target_velocity", (0.02, 0.0)),
        ("position", (0.002, -0.001)),
        ("velocity", (0.015, 0.01)),
        ("sensors", (0.01, 0.02)),
    ],
)
def test_a_policy_is_given_what_it_asks_for_by_name(
    tmp_path: Path, name: str, given: tuple[float, float]
) -> None:
    plan = written(tmp_path, [vector("observation", 10), vector(name, 2)], [OUT], through(2, index=1))
    bench, plain = (Bench(root=tmp_path, sensors=2, **more) for more in ({"plan": plan}, {}))
    for it in (bench, plain):
        it.position[:] = [0.0, -0.001]
        it.step()
        it.target([0.005, -0.001], [0.02, 0.0])
        it.position[:], it.velocity[:], it.sensors = [0.002, -0.001], [0.015, 0.01], [0.01, 0.02]
        it.step()
    more = bench.commands[-1]["torque"][0] - plain.commands[-1]["torque"][0]
    assert more == pytest.approx(KP * given[0], abs=1e-6)
    assert bench.commands[-1]["position"][:2].tolist() == plain.commands[-1]["position"][:2].tolist()


def test_an_observation_is_everything_in_the_order_of_a_network(tmp_path: Path) -> None:
    steps = [
        file.PlanStep(file.COPY, [file.Binding(4 * at, 8, file.INPUT), file.Binding(0, 8, file.OUTPUT)])
        for at in (8,)
    ]
    bench = Bench(plan=written(tmp_path, [vector("observation", 10)], [OUT], steps), sensors=2)
    bench.sensors = [0.03, 0.0]
    assert bench.step()["torque"][0] == pytest.approx(KP * 0.03)


def test_where_it_pulls_to_stays_within_the_limits_of_position(tmp_path: Path) -> None:
    bench = Bench(plan=sensing(tmp_path), sensors=2)
    bench.sensors = [1000.0, 0.0]
    bench.position[:] = [0.9, 0.0]
    bench.step(10)
    assert bench.commands[-1]["torque"][0] == pytest.approx(KP * 0.1)  # the limit is at 1
    assert counts_of(bench.counts)["limited"]["position"] == 10
    bench.check_limits()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_leaves_the_pd(tmp_path: Path, bad: float) -> None:
    # Sensors that are not finite are refused before; so the policy makes it: the largest float times itself.
    fill = file.PlanStep(file.FILL, [file.Binding(0, 8, file.OUTPUT)], pattern=np.float32(bad).tobytes())
    bench = Bench(plan=written(tmp_path, [vector("sensors", 2)], [OUT], [fill]), sensors=2)
    bench.sensors = [0.0, 0.0]
    bench.position[:] = [0.05, 0.0]
    bench.step()
    bench.target([0.06, 0.0])
    command = bench.step(4)
    assert command["torque"][0] == pytest.approx(KP * 0.01)
    assert counts_of(bench.counts)["not_finite"] == 5
    assert policy_counts(bench) == {"runs": 0, "late": 0, "dropped": 0}
    bench.check_limits()


def test_a_run_beyond_its_part_of_the_period_is_given_up_and_the_pd_goes_on(tmp_path: Path) -> None:
    bench = Bench(plan=sensing(tmp_path), sensors=2)
    bench.sensors = [0.01, 0.0]
    assert bench.step()["torque"][0] == pytest.approx(KP * 0.01)
    bench.target([0.005, 0.0])
    assert bench.step(until_ns=1)["torque"][0] == pytest.approx(KP * 0.005)  # the time was over when it began
    assert policy_counts(bench) == {"runs": 1, "late": 1, "dropped": 1}
    bench.sensors = [0.02, 0.0]
    # The next run begins anew, with what is so now.
    assert bench.step()["torque"][0] == pytest.approx(KP * 0.025)
    assert policy_counts(bench) == {"runs": 2, "late": 1, "dropped": 1}
    bench.check_limits()


def test_a_run_is_given_up_between_two_dispatches(tmp_path: Path) -> None:
    bench = Bench(plan=sensing(tmp_path, kernels=(COPY, WAIT, COPY), wait_ns=20_000_000), sensors=2)
    bench.sensors = [0.01, 0.0]
    bench.step(until_ns=monotonic_ns() + 10_000_000)
    assert policy_counts(bench) == {"runs": 0, "late": 1, "dropped": 1}
    assert bench.commands[-1]["torque"][0] == 0.0


def test_a_result_that_is_whole_but_late_is_used_and_counted(tmp_path: Path) -> None:
    bench = Bench(plan=sensing(tmp_path, kernels=(COPY, WAIT), wait_ns=60_000_000), sensors=2)
    bench.sensors = [0.01, 0.0]
    for late in range(1, 50):
        bench.step(until_ns=monotonic_ns() + 30_000_000)
        assert policy_counts(bench)["late"] == late
        if policy_counts(bench)["runs"]:  # on a busy machine the time may be over before it begins
            break
    assert bench.commands[-1]["torque"][0] == pytest.approx(KP * 0.01)


def test_a_second_thread_that_does_not_come_back_costs_its_runs_and_nothing_else(tmp_path: Path) -> None:
    """The period goes on without the policy until that thread has done what it took."""
    code = written(tmp_path, [vector("sensors", 2)], [OUT], meeting(2, 300_000_000))
    lib, arrays = library(), [aligned(2), aligned(2), aligned(64)]
    plan, team = Plan(PlanModule(code.path), ENTRY), Team()
    plan.bind(arrays[:1], arrays[1:2], arrays[2])
    plan.join(team)
    run_until = lib.pr_plan_run_until
    run_until.argtypes = (ctypes.c_void_p, ctypes.c_int64)
    lib.pr_team_left.restype = ctypes.c_uint64
    for afresh in (True, False):
        arrays[0][:] = (1, 2)
        left = lib.pr_team_left(team.handle)
        while (
            lib.pr_team_left(team.handle) == left
        ):  # on a busy machine the time may be over before it begins
            plan.reset()
            said = run_until(plan.handle, monotonic_ns() + 20_000_000)
        assert said == PREEMPTED
        assert run_until(plan.handle, 1) == PREEMPTED
        if afresh:
            plan.reset()
            arrays[0][:] = (3, 4)
        assert plan.run()  # waits, and then begins anew, or goes on
        assert arrays[1].tolist() == ([3, 4] if afresh else [1, 2])
    team.stop()


def test_what_a_second_thread_fails_with_after_it_was_left_is_told_once(tmp_path: Path) -> None:
    code = written(tmp_path, [vector("sensors", 2)], [OUT], meeting(2, 100_000_000, fails=True))
    lib, arrays = library(), [aligned(2), aligned(2), aligned(64)]
    plan, team = Plan(PlanModule(code.path), ENTRY), Team()
    plan.bind(arrays[:1], arrays[1:2], arrays[2])
    plan.join(team)
    run_until = lib.pr_plan_run_until
    run_until.argtypes = (ctypes.c_void_p, ctypes.c_int64)
    while not lib.pr_team_left(team.handle):
        plan.reset()
        run_until(plan.handle, monotonic_ns() + 20_000_000)
    with pytest.raises(HalError, match="a kernel failed with 9"):
        plan.run()
    team.stop()


def test_virtual_time_is_never_over(tmp_path: Path) -> None:
    bench = Bench(plan=sensing(tmp_path, kernels=(COPY, WAIT), wait_ns=2_000_000), sensors=2)
    bench.sensors = [0.0, 0.0]
    bench.step(5)
    assert policy_counts(bench) == {"runs": 5, "late": 0, "dropped": 0}


# -- what is refused -----------------------------------------------------------------------------------------


def refusal(plan: StaticCode, entry: str = ENTRY, **changes: object) -> str:
    island = declared(policy={"vmfb": "act.vmfb"}, **({"sensors": 2} | changes))
    with pytest.raises(RefusedError) as caught:
        VirtualIsland(config_record(island, None, (plan, entry)))
    return str(caught.value).replace(f"{plan.path}: ", "")


def test_a_plan_that_does_not_fit_is_refused(tmp_path: Path, snapshot) -> None:
    sensors, copy = vector("sensors", 2), through(2)
    alias = vector("residual", 2, alias=0)
    kept = [file.PlanStep(file.COPY, [file.Binding(0, 8, file.INPUT), file.Binding(0, 8, file.ARENA)])]
    double = vector("residual", 2)._replace(type="f64[1]")
    said = {
        "unknown": refusal(written(tmp_path / "1", [vector("torque", 2)], [OUT], copy)),
        "too long": refusal(written(tmp_path / "2", [vector("position", 3)], [OUT], copy)),
        "another type": refusal(written(tmp_path / "3", [sensors._replace(type="i32[2]")], [OUT], copy)),
        "no sensors": refusal(written(tmp_path / "4", [sensors], [OUT], copy), sensors=0),
        "two outputs": refusal(written(tmp_path / "5", [sensors], [OUT, vector("more", 2)], copy)),
        "short output": refusal(written(tmp_path / "6", [sensors], [vector("residual", 1)], through(1))),
        "output of doubles": refusal(written(tmp_path / "7", [sensors], [double], copy)),
        "state": refusal(written(tmp_path / "8", [sensors], [alias], kept)),
        "too many inputs": refusal(written(tmp_path / "9", [sensors] * 9, [OUT], copy)),
        "another entry": refusal(written(tmp_path / "10", [sensors], [OUT], copy), "walk"),
        "a kernel that fails": refusal(written(tmp_path / "11", [sensors], [OUT], through(2, (COPY, FAIL)))),
    }
    assert said == snapshot


def test_everything_in_the_files_is_checked_at_load(tmp_path: Path, snapshot) -> None:
    sensors = vector("sensors", 2)
    outside = [file.PlanStep(file.COPY, [file.Binding(0, 8, file.INPUT), file.Binding(0, 8, file.OUTPUT, 1)])]
    said = {
        "bounds": refusal(written(tmp_path / "1", [sensors], [OUT], outside)),
        "features": refusal(written(tmp_path / "2", [sensors], [OUT], through(2), ["no-such-feature"])),
    }
    plan = written(tmp_path / "3", [sensors], [OUT], through(2))
    whole, kernels = plan.path.read_bytes(), plan.library.read_bytes()
    for name, content in {
        "truncated": whole[:-1],
        "empty": b"",
        "version": whole[:8] + b"\x07" + whole[9:],
        "one bit": whole[:-1] + bytes([whole[-1] ^ 1]),
    }.items():
        plan.path.write_bytes(content)
        said[name] = refusal(plan)
    plan.path.write_bytes(whole)
    plan.library.write_bytes(kernels[:-1] + bytes([kernels[-1] ^ 1]))
    said["other kernels"] = refusal(plan)
    plan.library.unlink()
    said["no kernels"] = refusal(plan)
    plan.path.unlink()
    said["no plan"] = refusal(plan)
    assert said == snapshot


def test_a_budget_that_cannot_be_is_refused(tmp_path: Path) -> None:
    from polyrhythm.island.settings import signed

    config = config_record(declared(policy={"vmfb": "act.vmfb"}), None, (sensing(tmp_path), ENTRY))
    for budget_ns in (0, -1, 1_000_001):
        config["policy_budget_ns"] = budget_ns
        with pytest.raises(RefusedError, match="part of the period"):
            VirtualIsland(signed(config))


# -- the path ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
def test_a_period_with_a_policy_makes_no_system_call_and_allocates_nothing(
    tmp_path: Path, threads: int
) -> None:
    plan, policy = sensing(tmp_path), {"vmfb": "act.vmfb"}
    if threads == 2:
        plan = written(tmp_path, [vector("sensors", 2)], [OUT], meeting(2))
        policy |= {"second_core": two_cores()[1]}
    config = config_record(declared(policy=policy, sensors=2), None, (plan, ENTRY))
    (tmp_path / "config").write_bytes(config.tobytes())
    (tmp_path / "pr_layout.h").write_text(layout_header())
    sources = [
        HERE / "native" / "quiet_step.c",
        *(SOURCES / f"pr_{n}.c" for n in ("island", "network", "policy")),
    ]
    wrapped = [f"-Wl,--wrap={name}" for name in ("malloc", "calloc", "aligned_alloc", "free")]
    line = command(tmp_path, [*sources, *native.RUNNER], wrapped, tmp_path / "quiet")
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    done = subprocess.run(
        [tmp_path / "quiet", tmp_path / "config"], capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode == 3:
        pytest.skip("this kernel has no seccomp")
    assert done.returncode == 0, done.stderr or "a system call (SIGSYS), an allocation or a failure"
