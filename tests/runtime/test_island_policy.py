"""A module of the bundle as the island's policy: built, planned, checked, measured, counted."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic

import numpy as np
import pytest

from polyrhythm.bundle import LOCK_FILE, open_bundle, static_code, write_lock
from polyrhythm.bundle.files import locked_file
from polyrhythm.bundle.lock import read_lock
from polyrhythm.compile import build, prepare
from polyrhythm.island import IslandError, VirtualIsland, config_record, ports_path, settings
from polyrhythm.island.live import running
from polyrhythm.manifest import render_all
from polyrhythm.runtime import CostChoice, check, check_plan, island_costs
from polyrhythm.runtime.admission import misfits
from polyrhythm.runtime.costs import Measured, write_costs
from polyrhythm.runtime.island_policy import CODES, config_of, entry_of
from polyrhythm.runtime.ledger import ledger_of
from polyrhythm.runtime.profiling import profile
from tests.island.plans import ENTRY, WAIT, through, vector, written
from tests.island.test_process import until
from tests.island.virtual import declared

HERE = Path(__file__).parent
MANIFEST = (HERE / "island_policy.yaml").read_text()
POLICY = "{ vmfb: prior.vmfb, entry: act, budget_ms: 0.6 }"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("policy") / "bundle"
    build(HERE / "island_policy.py", root)
    prepare(open_bundle(root))
    return root


def varied(
    built: Path, root: Path, policy: str = POLICY, text: str = MANIFEST, without_source: str | None = None
) -> Path:
    """A copy whose island has another policy, of which nothing is planned yet."""
    out = root / "bundle"
    shutil.copytree(built, out)
    (out / "manifest.yaml").write_text(text.replace(POLICY, policy))
    lock = read_lock(out)
    files = {**lock.files, "manifest.yaml": locked_file(out / "manifest.yaml")}
    modules = {name: m.model_copy(update={"island_plan": None}) for name, m in lock.modules.items()}
    if without_source is not None:
        modules[without_source] = modules[without_source].model_copy(update={"source": None})
    (out / LOCK_FILE).unlink()
    write_lock(lock.model_copy(update={"files": files, "modules": modules}), out)
    return out


def said(checked, root: Path) -> str:
    return render_all(checked.diagnostics).replace(f"{(root / 'bundle').resolve()}/", "")


def test_a_module_of_the_bundle_runs_in_the_island(built: Path) -> None:
    checked = check(built)
    assert checked.plan is not None and checked.diagnostics == []
    assert checked.plan.bundle.missing == ()
    island = VirtualIsland(config_of(checked.plan.bundle))
    weights = np.random.default_rng(3)
    first, second = weights.normal(size=(16, 4)), weights.normal(size=(2, 16))
    sensors = np.array([0.3, -0.2])
    island.send("state", 1_000_000, position=[0.0, 0.0], velocity=[0.0, 0.0], sensors=sensors)
    command = island.step(1_000_000)
    residual = second @ np.tanh(first @ np.concatenate([np.zeros(2), sensors]))
    assert command["torque"][:2] == pytest.approx(np.clip(residual, -0.15, 0.15), abs=1e-5)
    assert island.read_counts()["policy"] == {"runs": 1, "late": 0, "dropped": 0}
    island.close()


def test_its_bytes_are_in_the_ledger(built: Path) -> None:
    plan = check(built).plan
    assert plan is not None and plan.bundle.policy is not None
    ledger, code = ledger_of(plan), plan.bundle.policy
    mine = {line.name: line.nbytes for line in ledger.lines if line.kind == "island"}
    assert set(mine) == {"ports", "plan and weights", "kernels", "packed", "arena and tensors"}
    assert mine["plan and weights"] == code.path.stat().st_size > 4 * (16 * 4 + 2 * 16)
    assert mine["kernels"] == code.library.stat().st_size and mine["packed"] == code.state_bytes
    assert {line.owner for line in ledger.lines if line.kind == "island"} == {"island"}
    assert ledger.by_kind()["island"] == sum(mine.values())
    planned = check_plan(built)
    assert planned.memory is not None
    assert [li.name for li in planned.memory.ledger.lines if li.kind == "island"] == ["ports"]
    assert "what the island's policy takes" in planned.memory.unknown


MISTAKES = {
    "PC131": "{ vmfb: prior.vmfb, entry: acts }",
    "PC131 none": "{ vmfb: prior.vmfb }",
    "PC132": "{ vmfb: prior.vmfb, entry: wrong }",
    "PC134": "{ vmfb: prior.vmfb, entry: act, budget_ms: 0.6, cost_ms: 0.61 }",
    "PB014": "{ vmfb: priors.vmfb, entry: act }",
    "PB015": "{ vmfb: prior.vmfb, entry: act, parameters: drive.safetensors }",
}


@pytest.mark.parametrize("code", MISTAKES)
def test_mistake(built: Path, tmp_path: Path, snapshot, code: str) -> None:
    checked = check(varied(built, tmp_path, MISTAKES[code]))
    assert {d.code for d in checked.diagnostics} == {code.partition(" ")[0]}
    assert checked.plan is None
    assert said(checked, tmp_path) == snapshot


def test_a_policy_without_a_source(built: Path, tmp_path: Path, snapshot) -> None:
    checked = check(varied(built, tmp_path, without_source="prior.vmfb"))
    assert [d.code for d in checked.diagnostics] == ["PC130"]
    assert said(checked, tmp_path) == snapshot


def test_a_device_on_the_islands_core(built: Path, tmp_path: Path, online, snapshot) -> None:
    online("0-1")
    text = MANIFEST.replace("  ports: policy-test\n", "  ports: policy-test\n  core: 0\n").replace(
        "orchestration:", "devices: { cpu: { cores: [0] } }\norchestration:"
    )
    checked = check(varied(built, tmp_path, text=text))
    assert [d.code for d in checked.diagnostics] == ["PC136"] and checked.ok
    assert said(checked, tmp_path) == snapshot


CORES = MANIFEST.replace("  ports: policy-test\n", "  ports: policy-test\n  core: 0\n")


def test_a_device_on_the_core_of_the_second_thread(built: Path, tmp_path: Path, online, snapshot) -> None:
    online("0-1")
    text = CORES.replace("orchestration:", "devices: { cpu: { cores: [1] } }\norchestration:")
    checked = check(varied(built, tmp_path, "{ vmfb: prior.vmfb, entry: act, second_core: 1 }", text))
    assert [d.code for d in checked.diagnostics] == ["PC136"] and checked.ok
    assert said(checked, tmp_path) == snapshot


def test_more_threads_than_cores(built: Path, tmp_path: Path, online, snapshot) -> None:
    online("0")
    checked = check(varied(built, tmp_path, "{ vmfb: prior.vmfb, entry: act, second_core: 1 }", CORES))
    assert [d.code for d in checked.diagnostics] == ["PC140"] and not checked.ok
    assert said(checked, tmp_path) == snapshot


@pytest.mark.parametrize(("core", "codes"), [(5, []), (1, ["PC140"])])
def test_numbers_of_cores_may_have_gaps(built: Path, tmp_path: Path, online, core: int, codes) -> None:
    online("0,5")
    policy = f"{{ vmfb: prior.vmfb, entry: act, second_core: {core} }}"
    assert [d.code for d in check(varied(built, tmp_path, policy, CORES)).diagnostics] == codes


def test_a_policy_is_named_as_any_module_is(built: Path, tmp_path: Path, snapshot) -> None:
    checked = check(varied(built, tmp_path / "1", "{ artefact: prior.vmfb, entry: act, budget_ms: 0.6 }"))
    assert checked.plan is not None and checked.diagnostics == []
    assert checked.plan.bundle.policy_identity() == open_bundle(built).policy_identity()
    assert entry_of(checked.plan.bundle) is not None
    other = check(
        varied(built, tmp_path / "2", "{ artefact: prior.vmfb, entry: act }", without_source="prior.vmfb")
    )
    assert [d.code for d in other.diagnostics] == ["PC130"]
    assert said(other, tmp_path / "2") == snapshot


def test_a_policy_that_cannot_be_planned(built: Path, tmp_path: Path, monkeypatch, snapshot) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    bundle = open_bundle(varied(built, tmp_path))
    why = "cf.cond_br: it depends on a number of the device, read by hal.buffer.load"
    static_code.store(
        bundle.policy_identity(),
        b"plan",
        b"so",
        b"{}",
        scratch_bytes={},
        refused={"act": why},
        state_bytes=0,
    )
    checked = check(tmp_path / "bundle")
    assert [d.code for d in checked.diagnostics] == ["PC133"]
    assert said(checked, tmp_path) == snapshot


def test_a_policy_that_the_island_cannot_run(built: Path, tmp_path: Path, monkeypatch, snapshot) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    bundle = open_bundle(varied(built, tmp_path))
    static_code.store(
        bundle.policy_identity(), b"plan", b"so", b"{}", scratch_bytes={"act": 0}, refused={}, state_bytes=0
    )
    checked = check(tmp_path / "bundle")
    assert [d.code for d in checked.diagnostics] == ["PC135"]
    cache = str(static_code.cache_directory())
    assert said(checked, tmp_path).replace(cache, "CACHE") == snapshot


@pytest.mark.parametrize("what", ["path", "entry"])
def test_a_name_that_is_too_long(built: Path, monkeypatch, snapshot, what: str) -> None:
    room = "MAX_PATH_BYTES" if what == "path" else "MAX_ENTRY_BYTES"
    monkeypatch.setattr(settings, room, 3)
    checked = check(built)
    assert [d.code for d in checked.diagnostics] == ["PC135"]
    text = render_all(checked.diagnostics).replace(f"{built.resolve()}/", "")
    assert re.sub(r"plan has \d+ bytes", "plan has N bytes", text) == snapshot


def test_every_code_has_a_message_test() -> None:
    assert {name.partition(" ")[0] for name in MISTAKES} | {
        "PC130",
        "PC133",
        "PC135",
        "PC136",
        "PC140",
    } >= set(CODES)


def test_a_plan_is_made_at_first_use(built: Path, tmp_path: Path, monkeypatch) -> None:
    out = varied(built, tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    fresh = check(out)
    assert fresh.plan is not None and "prior.vmfb" in fresh.plan.bundle.missing
    with pytest.raises(IslandError, match=r"no plan for this CPU yet: prior\.vmfb"):
        config_of(fresh.plan.bundle)


def test_time_is_told_and_judged_by_what_was_measured(built: Path, tmp_path: Path, snapshot) -> None:
    bundle = open_bundle(built)
    plain = check(built)
    assert plain.proof is not None
    assert "island: nothing says what its policy takes" in plain.proof.assumptions[0]
    found = profile(bundle, 0.2)
    measured = found.modules["island"]
    assert (measured.artefact, measured.device) == ("prior.vmfb", "island")
    (stage,) = measured.stages
    assert stage.stage == "act" and 0 < stage.alone.p50_ns <= stage.alone.max_ns
    costs = tmp_path / "costs.json"
    for took_ns, fits in ((400_000, True), (600_000, False)):
        alone = stage.alone.model_copy(update={"max_ns": took_ns})
        loaded = stage.loaded.model_copy(update={"max_ns": took_ns})
        costly = stage.model_copy(update={"alone": alone, "loaded": loaded})
        island = measured.model_copy(update={"stages": (costly,)})
        update = {"modules": {"island": island}, "release": Measured.of([1000])}
        write_costs(found.model_copy(update=update), costs)
        checked = check(built, CostChoice(costs))
        assert checked.ok is fits
        if fits:
            assert checked.proof is not None
            told = [line for line in checked.proof.assumptions if line.startswith("island:")]
            assert told == [
                "island: its policy takes 0.48 ms, as measured, with the margin, and has 0.6 ms of every 1 ms"
            ]
        else:
            assert render_all(checked.diagnostics).replace(f"{built.resolve()}/", "") == snapshot
    stale = measured.model_copy(update={"digest": "0" * 64})
    write_costs(found.model_copy(update={"modules": {"island": stale}}), costs)
    assert [d.code for d in check(built, CostChoice(costs)).diagnostics] == ["PC020"]
    json.loads(costs.read_text())
    two = measured.model_copy(update={"threads": 2})
    write_costs(found.model_copy(update={"modules": {"island": two}}), costs)
    assert "another number of threads" in check(built, CostChoice(costs)).diagnostics[0].message


def test_a_run_longer_than_its_period_is_measured_whole(built: Path, tmp_path: Path, monkeypatch) -> None:
    two_waits = written(
        tmp_path,
        [vector("sensors", 2)],
        [vector("residual", 2)],
        through(2, (WAIT, WAIT), wait_ns=15_000_000),
    )
    island = declared(policy={"vmfb": "act.vmfb", "budget_ms": 0.5}, sensors=2, priority=0)
    config = config_record(island, None, (two_waits, ENTRY))
    monkeypatch.setattr(island_costs, "config_of", lambda bundle: config)
    with island_costs.timing(open_bundle(built)) as timing:
        timing.wait(0.5)
    (found,) = timing.found
    assert found.samples >= 1 and found.p50_ns >= 30_000_000


SIGNALS = (signal.SIGKILL, signal.SIGHUP, signal.SIGINT, signal.SIGTERM)


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_the_island_of_a_measurement_ends_with_it(built: Path, number: signal.Signals) -> None:
    """At once, however long it was to take; those that ask for the end are an interruption."""
    script = (
        "import sys\n"
        "from polyrhythm.bundle import open_bundle\n"
        "from polyrhythm.runtime.island_costs import timing\n"
        "with timing(open_bundle(sys.argv[1])) as measuring:\n"
        "    print('up', flush=True)\n"
        "    measuring.wait(3600)\n"
    )
    run, pipe = [sys.executable, "-c", script, built], subprocess.PIPE
    with subprocess.Popen(run, stdout=pipe, stderr=subprocess.DEVNULL) as measuring:
        path = ports_path(f"profile-{measuring.pid}")
        assert measuring.stdout is not None and measuring.stdout.readline()
        ports = running(path)
        assert ports is not None
        measuring.send_signal(number)
    ended = signal.SIGINT if number == signal.SIGTERM else number  # as by Ctrl-C
    assert measuring.returncode == -ended
    until(lambda: not ports.played)
    assert not path.exists()
    ports.close()


def test_a_measurement_that_was_interrupted_is_none(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def interrupted(stop: Callable[[str], None]) -> Iterator[None]:
        yield
        stop("interrupted")

    monkeypatch.setattr(island_costs, "stopping_on_signals", interrupted)
    with pytest.raises(KeyboardInterrupt), island_costs.timing(open_bundle(built)):
        pass
    assert running(ports_path(f"profile-{os.getpid()}")) is None


def test_time_passes_where_no_signal_comes() -> None:
    began_s = monotonic()
    island_costs.Timing().wait(0.1)
    assert monotonic() - began_s >= 0.1


def test_a_bundle_with_another_policy_is_not_swapped_in(built: Path, tmp_path: Path) -> None:
    live = check(built).plan
    assert live is not None
    other = replace(live, bundle=replace(live.bundle, lock=changed_weights(live.bundle.lock)))
    found = [d.message for d in misfits(live, other, live.devices)]
    assert found == ["the island is another one than in what plays"]
    assert misfits(live, live, live.devices) == []


def changed_weights(lock):
    (name,) = lock.modules["prior.vmfb"].parameters.files
    file = lock.files[name].model_copy(update={"sha256": "0" * 64})
    return lock.model_copy(update={"files": {**lock.files, name: file}})
