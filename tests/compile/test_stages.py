"""Finding the cut, on a bench whose clock is exact; and builds that cut for real."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import Bundle, BundleError, LockedMachineCode, host, open_bundle, relock, write_lock
from polyrhythm.bundle.files import locked_file
from polyrhythm.compile import BuildError, EntrySource, build, cut_bundle, gate, jax_frontend, prepare
from polyrhythm.compile.chain import Chain
from polyrhythm.compile.cut import Cuttable
from polyrhythm.compile.iree_compiler import HOST, compile_source
from polyrhythm.compile.plans_ahead import ON_DEVICE, write_plans
from polyrhythm.compile.source import Lowered
from polyrhythm.compile.stages import Bench, partition, search
from polyrhythm.hal import DeviceConfig
from polyrhythm.runtime import Runtime, check
from tests.runtime.robot import Diary

from .conftest import MANIFEST, POLICY, write_policy

LAYERS = 12


def deep(p, x):
    for _ in range(LAYERS):
        x = jnp.tanh(x @ p["w"]) + x
    return x


class Watched(Cuttable):
    """Remembers where it was cut last."""

    places: tuple[int, ...] = ()

    def cut(self, positions: Sequence[int]) -> dict[str, Lowered]:
        self.places = tuple(positions)
        return super().cut(positions)


class ExactBench:
    """A machine on which operations take what `true` says, and cuts at `wrong` places change bits."""

    def __init__(self, entry: Watched, true: Sequence[float], wrong: Sequence[int] = ()) -> None:
        self.entry, self.true, self.wrong = entry, np.array(true), set(wrong)
        self.uncut_ms = float(sum(true))
        self.tried: list[int] = []

    def build(self, stages: Mapping[str, Lowered]) -> list[float] | None:
        self.tried.append(len(stages))
        if self.wrong & set(self.entry.places):
            return None
        return [float(self.true[a:b].sum()) for a, b in pairwise([0, *self.entry.places, len(self.true)])]


@pytest.fixture
def cuttable() -> Watched:
    entry = EntrySource(deep, {"x": ("f32", (8, 16))}, ("y",))
    return Watched("deep", jax_frontend.lower(entry, {"w": np.ones((16, 16), np.float32)}, "deep"))


def heavy(cuttable: Watched, **weights: float) -> list[float]:
    """Costs by kind of operation, in milliseconds."""
    kinds = [cuttable.describe(i).split()[0].partition(".")[2] for i in range(len(cuttable.costs))]
    return [weights.get(kind, 0.0) for kind in kinds]


def test_it_stays_whole_if_it_is_short_enough(cuttable: Watched) -> None:
    bench = ExactBench(cuttable, heavy(cuttable, dot_general=1.0))
    found = search(cuttable, 12.0, bench)  # type: ignore[arg-type]
    assert (found.stages, found.fits, bench.tried) == ({}, True, [])
    assert str(found) == "deep takes 12 ms and stays whole (at most 12 ms a stage)"


def test_what_is_measured_corrects_what_was_guessed(cuttable: Watched) -> None:
    """Nearly all of the time is in what looked like nothing."""
    true = heavy(cuttable, dot_general=0.1, tanh=1.0)
    true[next(i for i, cost in enumerate(true) if cost == 1.0)] = 5.0
    found = search(cuttable, 5.5, ExactBench(cuttable, true))  # type: ignore[arg-type]
    assert found.fits
    assert len(found.stages) <= 4
    assert sum(found.took_ms) == pytest.approx(sum(true))


def test_a_place_where_bits_differ_is_not_used(cuttable: Watched) -> None:
    true = heavy(cuttable, dot_general=1.0)
    first = ExactBench(cuttable, true)
    search(cuttable, 7.0, first)  # type: ignore[arg-type]
    places = cuttable.places
    found = search(cuttable, 7.0, ExactBench(cuttable, true, wrong=places))  # type: ignore[arg-type]
    assert found.fits
    assert cuttable.places
    assert not {*cuttable.places} & {*places}


def test_where_slicing_stops_helping(cuttable: Watched) -> None:
    true = heavy(cuttable, dot_general=0.5, tanh=0.1)
    true[true.index(0.5)] = 4.0
    found = search(cuttable, 2.0, ExactBench(cuttable, true))  # type: ignore[arg-type]
    assert not found.fits
    assert max(found.took_ms) < 5.0
    assert found.largest.startswith("stablehlo.dot_general -> tensor<8x16xf32>, about ")


COSTS = st.lists(
    st.tuples(st.floats(0, 10).map(lambda cost: round(cost, 3)), st.one_of(st.none(), st.integers(0, 1000))),
    min_size=1,
    max_size=40,
)


@given(COSTS, st.floats(0.1, 30))
def test_a_partition_uses_allowed_places_and_as_few_as_will_do(
    items: list[tuple[float, int | None]], cap: float
) -> None:
    costs, crossing = np.array([c for c, _ in items]), [n for _, n in items]
    places = partition(costs, crossing, cap)
    assert list(places) == sorted(set(places))
    assert all(0 < p < len(costs) and crossing[p] is not None for p in places)
    allowed = [0, *(p for p in range(1, len(costs)) if crossing[p] is not None), len(costs)]
    finest = max(costs[a:b].sum() for a, b in pairwise(allowed))
    most = max(cap, finest) * (1 + 1e-6)
    assert all(costs[a:b].sum() <= most for a, b in pairwise([0, *places, len(costs)]))
    # Going as far as possible each time is the fewest that there can be.
    fewest, begin = 1, 0
    for a, b in pairwise(allowed):
        if costs[begin:b].sum() > most:
            fewest, begin = fewest + 1, a
    assert len(places) + 1 <= fewest


# -- for real ------------------------------------------------------------------------------------------------


@pytest.fixture
def even_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """However it is cut, 4 ms are shared evenly: what is built does not depend on the machine's load."""

    def measure(self: Chain, *_: object) -> list[float]:
        count = len(self._calls)
        return [4.0 / count] * count

    monkeypatch.setattr(Chain, "measure", measure)


def _played(bundle: Bundle, module: str) -> list[dict[str, bytes]]:
    """All outputs of a module of the policy, its stages run as the manifest names them."""
    declared = bundle.manifest.orchestration.module(module)
    entries = bundle.module(declared.artefact).entries
    chosen = [entries[name] for name in declared.stages or entries]
    inputs = {"hidden": (8, 32), "noise": (16, 4), "depth": (8, 64)}
    rng = np.random.default_rng(0)
    sample = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in inputs.items()}
    sample["word"] = np.arange(8, dtype=np.int32)
    weights = bundle.parameters(declared)
    with Chain(
        DeviceConfig("t", "local-sync"), bundle.artefacts[declared.artefact], weights, chosen
    ) as chain:
        return [chain.run(sample)]


def test_a_build_cuts_and_writes_it_into_manifest_and_lock(
    built: Bundle, tmp_path: Path, even_clock: None
) -> None:
    manifest = MANIFEST.replace("rate_hz: 20 }", "rate_hz: 20, cost_ms: [1, 2, 2, 1] }")
    policy = POLICY.replace('("x", "t")\n', '("x", "t"), max_stage_ms=3.9,\n')
    assert policy != POLICY
    lines: list[str] = []
    file = write_policy(tmp_path / "p", policy=policy, manifest=manifest)
    bundle = build(file, tmp_path / "cut", portable=True, max_stage_ms={"eye": 3.0}, told=lines.append)
    eye, hand = bundle.manifest.orchestration.modules
    assert eye.stages == ("encode.0", "encode.1")
    assert hand.stages == ("start", "step.0", "step.1", "step.0", "step.1", "finish")
    assert hand.cost_ms == (1, 1, 1, 1, 1, 1)
    assert bundle.module("act.vmfb").stages == {"step": ["step.0", "step.1"]}
    locked = bundle.module("act.vmfb").signatures
    gates = [entry.gate for entry in locked.values() if entry.gate]
    assert len(gates) == len(locked) == 4
    assert {name for gate in gates for name in gate.outputs} >= {"x", "t", "cond", "actions"}
    assert lines == [
        "eye.encode takes 4 ms, cut into 2 stages of at most 2 ms (asked for 3), 4 ms together",
        "act.step takes 4 ms, cut into 2 stages of at most 2 ms (asked for 3.9), 4 ms together",
    ]
    for module in ("eye", "hand"):
        (whole,), (cut,) = _played(built, module), _played(bundle, module)
        assert {name: cut[name] for name in whole} == whole


def test_a_bundle_is_cut_from_its_sources(built: Bundle, tmp_path: Path, even_clock: None) -> None:
    bundle = cut_bundle(built.root, tmp_path / "cut", {"hand.step": 3.9})
    assert bundle.module("act.vmfb").stages == {"step": ["step.0", "step.1"]}
    assert bundle.module("eye.vmfb") == built.module("eye.vmfb")
    (whole,), (cut,) = _played(built, "hand"), _played(bundle, "hand")
    assert {name: cut[name] for name in whole} == whole
    again = cut_bundle(bundle.root, bundle.root, {"hand.step.0": 3.9})
    assert again.module("act.vmfb").stages == {"step": ["step.0.0", "step.0.1", "step.1"]}
    (finer,) = _played(again, "hand")
    assert {name: finer[name] for name in whole} == whole


def test_a_bundle_that_changes_while_it_is_copied_is_not_cut(
    built: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    root = Path(shutil.copytree(built.root, tmp_path / "bundle"))
    copy = shutil.copyfile

    def meanwhile(source: Path, target: Path) -> Path:
        (root / "act.mlir").write_text("something else")
        return Path(copy(source, target))

    monkeypatch.setattr("shutil.copyfile", meanwhile)
    with pytest.raises(BundleError) as caught:
        cut_bundle(root, tmp_path / "cut", {"eye": 1e-9})
    said = str(caught.value).replace(f"{root.resolve()}/", "")
    assert re.sub(r"\b([0-9a-f]{12,64}|\d+ bytes)\b", "N", said) == snapshot
    assert [path.name for path in tmp_path.iterdir()] == ["bundle"]


def test_a_bundle_that_changes_while_it_is_cut_is_cut_as_it_was(
    built: Bundle, tmp_path: Path, even_clock: None
) -> None:
    """The last module of the manifest is cut first; by then nobody reads the other one's files there."""
    root = Path(shutil.copytree(built.root, tmp_path / "bundle"))
    lines: list[str] = []

    def told(line: str) -> None:
        lines.append(line)
        for name in ("eye.mlir", *built.module("eye.vmfb").parameters.files):
            (root / name).write_text("something else")

    bundle = cut_bundle(root, tmp_path / "cut", {"eye.encode": 3.0, "hand.step": 3.9}, told=told)
    assert [line.split()[0] for line in lines] == ["hand.step", "eye.encode"]
    assert (root / "eye.mlir").read_text() == "something else"
    (whole,), (cut,) = _played(built, "eye"), _played(bundle, "eye")
    assert {name: cut[name] for name in whole} == whole


def test_a_plan_in_the_bundle_is_made_again_of_the_stages(
    built: Bundle, tmp_path: Path, even_clock: None
) -> None:
    root = Path(shutil.copytree(built.root, tmp_path / "bundle"))
    text, weights = (root / "act.mlir").read_text(), [root / "act.safetensors"]
    plans = write_plans((ON_DEVICE,), text, root, "act.vmfb", HOST, weights, "hand")
    files = {name: locked_file(root / name) for name in (*built.lock.files, *plans[ON_DEVICE].files)}
    modules = {**built.lock.modules, "act.vmfb": built.lock.modules["act.vmfb"].model_copy(update=plans)}
    write_lock(built.lock.model_copy(update={"files": files, "modules": modules}), root)
    assert plans[ON_DEVICE].scratch_bytes.keys() == {"start", "step", "finish"}
    plan = cut_bundle(root, root, {"hand.step": 3.9}).lock.modules["act.vmfb"].plan
    assert plan is not None
    assert plan.scratch_bytes.keys() == {"start", "step.0", "step.1", "finish"}
    assert plan.machine_code == plans[ON_DEVICE].machine_code


@pytest.mark.skipif(host().arch != "x86_64", reason="its CPUs have other names")
def test_code_is_for_the_cpu_that_it_was_for(built: Bundle, tmp_path: Path, even_clock: None) -> None:
    """Cutting measures here; the bundle may be for another machine."""
    root, target = Path(shutil.copytree(built.root, tmp_path / "bundle")), "x86-64-v2"
    text, weights = (root / "act.mlir").read_text(), [root / "act.safetensors"]
    code = compile_source(text, where="hand", target=target)
    (root / "act.vmfb").write_bytes(code.content)
    plans = write_plans((ON_DEVICE,), text, root, "act.vmfb", target, weights, "hand")
    files = {n: locked_file(root / n) for n in (*built.lock.files, "act.vmfb", *plans[ON_DEVICE].files)}
    update = {"machine_code": code.target, **plans}
    before = built.lock.modules["act.vmfb"].model_copy(update=update)
    modules = {**built.lock.modules, "act.vmfb": before}
    write_lock(built.lock.model_copy(update={"files": files, "modules": modules}), root)
    after = cut_bundle(root, root, {"hand.step": 3.9}).lock.modules["act.vmfb"]
    assert after.plan is not None
    assert (after.machine_code, after.plan.machine_code) == (code.target, code.target)


def test_a_cut_that_changes_bits_is_refused(
    built: Bundle,
    tmp_path: Path,
    even_clock: None,
    monkeypatch: pytest.MonkeyPatch,
    snapshot: SnapshotAssertion,
) -> None:
    """Every cut is wrong: then it stays whole, and a note says how long it is."""
    honest = Chain.run

    def run(self: Chain, sample: gate.Sample) -> dict[str, bytes]:
        found = honest(self, sample)
        return found if len(self._calls) == 1 else dict.fromkeys(found, b"other")

    monkeypatch.setattr(Chain, "run", run)
    lines: list[str] = []
    bundle = cut_bundle(built.root, tmp_path / "cut", {"hand.finish": 2.5}, told=lines.append)
    assert bundle.module("act.vmfb").stages == {}
    assert lines[0] == "hand.finish takes 4 ms and stays whole (at most 2.5 ms a stage)"
    assert lines[1] == snapshot
    assert lines[2:] == ["nothing was cut: the stages are the same without a limit"]


def test_a_module_whose_code_differs_from_what_was_tried_is_refused(
    built: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr(Bench, "build", lambda _, stages: [0.0] * len(stages))
    monkeypatch.setattr(Bench, "run", lambda *_: None)
    with pytest.raises(BuildError) as caught:
        cut_bundle(built.root, tmp_path / "cut", {"hand.step": 1e-9})
    assert re.sub(r"into \d+ stages", "into N stages", str(caught.value)) == snapshot


def test_a_device_that_is_not_here(
    built: Bundle, tmp_path: Path, snapshot: SnapshotAssertion, online: Callable[[str], None]
) -> None:
    online("0-1")
    root = tmp_path / "bundle"
    _copy(built.root, root, "devices: { far: { cores: [4095] } }\n" + MANIFEST)
    with pytest.raises(BuildError) as caught:
        cut_bundle(root, tmp_path / "cut", {"eye": 1.0})
    assert str(caught.value) == snapshot
    assert not (tmp_path / "cut").exists()


def test_a_bundle_that_cannot_be_cut(built: Bundle, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """Its source is gone, or was not made by a build."""
    said = []
    for text in (None, "module { func.func @f() { return } }"):
        root = tmp_path / f"bundle{len(said)}"
        shutil.copytree(built.root, root)
        lock = built.lock.modules["eye.vmfb"]
        shutil.copyfile(built.artefacts["eye.vmfb"], root / "eye.vmfb")
        if text is not None:
            (root / "eye.mlir").write_text(text)
        module = lock.model_copy(
            update={
                "source": lock.source if text else None,
                "machine_code": LockedMachineCode(arch=host().arch, cpu="x"),
            }
        )
        files = {n: locked_file(root / n) for n in (*built.lock.files, "eye.vmfb")}
        modules = {**built.lock.modules, "eye.vmfb": module}
        write_lock(built.lock.model_copy(update={"files": files, "modules": modules}), root)
        with pytest.raises(BuildError, match="PK043") as caught:
            cut_bundle(root, tmp_path / "cut", {"eye": 1.0})
        said.append(re.sub(r"\S*/bundle\d/", "", str(caught.value)))
    assert said == snapshot


def test_a_file_where_packed_weights_would_go_stays(built: Bundle, tmp_path: Path) -> None:
    root = Path(shutil.copytree(built.root, tmp_path / "bundle"))
    (root / "eye.irpa").write_bytes(b"somebody's")
    files = {**built.lock.files, "eye.irpa": locked_file(root / "eye.irpa")}
    write_lock(built.lock.model_copy(update={"files": files}), root)
    with pytest.raises(BuildError, match=r"PK007: eye.irpa would be written for eye.vmfb"):
        cut_bundle(root, root, {"eye": 1e-9})
    assert (root / "eye.irpa").read_bytes() == b"somebody's"


OTHER = "  - { id: other, vmfb: act.vmfb, parameters: act.safetensors, entry: [step, finish], rate_hz: 5 }\n"
SHARED = MANIFEST.replace("  links:\n", f"{OTHER}  links:\n")


@pytest.mark.parametrize("asked", [{"other.step": 3.9}, {"hand": 5.0, "other": 3.9, "other.finish": 5.0}])
def test_modules_that_share_an_entry_share_its_stages(
    built: Bundle, tmp_path: Path, even_clock: None, asked: dict[str, float]
) -> None:
    """The least that is asked for any of them is for all."""
    root, lines = tmp_path / "bundle", []
    _copy(built.root, root, SHARED)
    bundle = cut_bundle(root, tmp_path / "cut", asked, told=lines.append)
    _, hand, other = bundle.manifest.orchestration.modules
    assert hand.stages == ("start", "step.0", "step.1", "step.0", "step.1", "finish")
    assert other.stages == ("step.0", "step.1", "finish")
    assert "hand.step takes 4 ms, cut into 2 stages of at most 2 ms (asked for 3.9), 4 ms together" in lines


def test_a_limit_for_an_entry_that_the_module_does_not_run(built: Bundle, tmp_path: Path) -> None:
    root = tmp_path / "bundle"
    _copy(built.root, root, SHARED)
    with pytest.raises(BuildError, match=r"PK041: `max_stage_ms` is for 'other.start', which"):
        cut_bundle(root, tmp_path / "cut", {"other.start": 3.9})


def test_a_stage_that_would_be_called_like_an_entry(
    tmp_path: Path, even_clock: None, refused: Callable[..., str], snapshot: SnapshotAssertion
) -> None:
    policy = POLICY.replace('"finish": ', '"step.0": ')
    manifest = MANIFEST.replace("finish]", "step.0]")
    file = write_policy(tmp_path / "p", policy=policy, manifest=manifest)
    assert refused(file, portable=True, max_stage_ms={"act.step": 3.9}) == snapshot


ISLAND = (
    """\
robot:
  use: rehearsal
  control_hz: 50
  observations: { noise: { dtype: f32, shape: [16, 4] } }
  action: { dtype: f32, shape: [1] }
island:
  joints: { knee: { velocity: 20, torque: 2.5, torque_rate: 500, kp: 20, kd: 0.5 } }
  policy: { vmfb: act.vmfb, parameters: act.safetensors, entry: step }
"""
    + MANIFEST
)


def test_the_policy_of_the_island_stays_whole(
    tmp_path: Path, even_clock: None, refused: Callable[..., str], snapshot: SnapshotAssertion
) -> None:
    lines: list[str] = []
    file = write_policy(tmp_path / "p", manifest=ISLAND)
    bundle = build(file, tmp_path / "cut", portable=True, max_stage_ms={"act": 3.9}, told=lines.append)
    assert "act.step is the island's policy and stays whole" in lines
    assert list(bundle.module("act.vmfb").stages) == ["finish"]
    assert refused(file, portable=True, max_stage_ms={"act.step": 3.9}) == snapshot


LOOPING = MANIFEST.replace(
    "entry: [start, step, step, finish]", "entry: [start, step, finish], steps: 2"
).replace("  links:\n", "  links:\n  - { from: runtime.dt, to: hand.dt }\n")


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        ("PK041", {"eyes": 3.0}),
        ("PK041", {"hand.finish": -1.0, "eye": float("nan")}),
        ("PK041", {"hand.step": 1.0}),
    ],
)
def test_limits_that_cannot_be_used(
    code: str, asked: dict[str, float], tmp_path: Path, built: Bundle, snapshot: SnapshotAssertion
) -> None:
    root = tmp_path / "bundle"
    _copy(built.root, root, LOOPING)
    with pytest.raises(BuildError, match=code) as caught:
        cut_bundle(root, tmp_path / "cut", asked)
    assert re.sub(r"\S*/bundle/", "", str(caught.value)) == snapshot
    assert not (tmp_path / "cut").exists()


def test_steps_of_a_loop_stay_whole(built: Bundle, tmp_path: Path, even_clock: None) -> None:
    root = tmp_path / "bundle"
    _copy(built.root, root, LOOPING)
    lines: list[str] = []
    cut_bundle(root, tmp_path / "cut", {"hand": 5.0}, told=lines.append)
    assert "hand.step is the step of a loop and stays whole" in lines


def test_that_nothing_was_cut_is_told(built: Bundle, tmp_path: Path, even_clock: None) -> None:
    lines: list[str] = []
    file = write_policy(tmp_path / "p", policy=POLICY, manifest=MANIFEST)
    cut_bundle(built.root, tmp_path / "cut", {"hand": 1000.0}, told=lines.append)
    build(file, tmp_path / "built", portable=True, max_stage_ms=1000.0, told=lines.append)
    build(file, tmp_path / "plain", portable=True, told=lines.append)
    assert lines.count("nothing was cut: the stages are the same without a limit") == 2


def _copy(source: Path, root: Path, manifest: str) -> None:
    shutil.copytree(source, root)
    (root / "manifest.yaml").write_text(manifest)
    relock(root)


SPOILT: dict[str, str] = {"a number": "max_stage_ms=0.0", "text": 'max_stage_ms="5"'}


@pytest.mark.parametrize("case", SPOILT)
def test_a_description_with_an_odd_limit(
    case: str, tmp_path: Path, refused: Callable[..., str], snapshot: SnapshotAssertion
) -> None:
    policy = POLICY.replace('("x", "t")\n', f'("x", "t"), {SPOILT[case]}\n')
    assert refused(write_policy(tmp_path / "p", policy=policy), portable=True) == snapshot


# -- runs, and the models of the examples ------------------------------------------------------------

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_run_of_stages_does_what_a_run_without_them_does(tmp_path: Path, even_clock: None) -> None:
    """The same actions at the same ticks, in the runtime itself."""
    description = Path(__file__).parents[1] / "runtime" / "policy.py"
    whole = build(description, tmp_path / "whole")
    cut = cut_bundle(whole.root, tmp_path / "cut", {"mover": 3.9, "seer": 3.9})
    assert cut.module("mover.vmfb").stages
    diaries = []
    for bundle in (whole, cut):
        plan = check(bundle.root).plan
        assert plan is not None
        diary = Diary()
        with Runtime(plan) as runtime:
            runtime.run(diary, episodes=1, lockstep=True)
        diaries.append(diary.entries)
    assert any(action is not None for _, action in diaries[0])
    assert diaries[1] == diaries[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("example", "module", "limit_ms"), [("dual_system", "vlm", 0.9), ("flow_policy", "policy.prefill", 0.5)]
)
def test_examples_give_the_same_bits(
    example: str, module: str, limit_ms: float, tmp_path: Path, even_clock: None
) -> None:
    whole = open_bundle(EXAMPLES / example / "bundle")
    prepare(whole)
    whole = open_bundle(whole.root)
    cut = cut_bundle(whole.root, tmp_path / "cut", {module: limit_ms})
    prepare(cut)
    cut = open_bundle(cut.root)
    name = module.partition(".")[0]
    declared = [bundle.manifest.orchestration.module(name) for bundle in (whole, cut)]
    entries = [bundle.module(declared[0].artefact).entries for bundle in (whole, cut)]
    assert len(entries[1]) >= len(entries[0]) + 4
    chosen = [[e[n] for n in d.stages or e] for e, d in zip(entries, declared, strict=True)]
    tensors = {t.name: t for entry in chosen[0] for t in entry.inputs}
    (sample,) = gate.draw_tensors(list(tensors.values()), name, count=1)
    outputs = []
    for bundle, stages in zip((whole, cut), chosen, strict=True):
        weights = bundle.parameters(declared[0])
        code = bundle.artefacts[declared[0].artefact]
        with Chain(DeviceConfig("t", "local-sync"), code, weights, stages) as chain:
            outputs.append(chain.run(sample))
    assert {key: outputs[1][key] for key in outputs[0]} == outputs[0]
