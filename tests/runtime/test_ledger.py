"""The ledger of real bundles: every byte that is reserved is in it, and what does not fit is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.analysis import admit, overlap
from polyrhythm.bundle import Lock, LockedParameters, read_lock, write_lock
from polyrhythm.bundle.files import locked_file
from polyrhythm.manifest import render_all
from polyrhythm.memory import BudgetError
from polyrhythm.runtime import Plan, Runtime, check, check_plan, check_together
from polyrhythm.runtime.ledger import budgets_of, ledger_of, planned_account, release, reserve, rows
from polyrhythm.runtime.storage import Storage
from tests.cli.bundles import MANIFEST, make_bundle

#: What `MANIFEST` takes: 768 bytes in each context, 49 once.
EACH, ONCE = 768, 49


def with_memory(memory: str, contexts: int = 1, text: str = MANIFEST) -> str:
    return f"contexts: {contexts}\nmemory: {{ {memory} }}\n{text}"


def planned(root: Path, text: str = MANIFEST) -> Plan:
    plan = check(make_bundle(root, text)).plan
    assert plan is not None
    return plan


def told(checked, root: Path) -> str:
    return render_all(checked.diagnostics).replace(f"{root.resolve()}/", "")


def test_a_ledger_has_every_line(tmp_path: Path) -> None:
    text = with_memory("process: 1 MB, groups: { head: { modules: head, budget: 1 MiB } }", 3)
    ledger = ledger_of(planned(tmp_path / "duet", text))
    lines = [
        (line.owner, line.kind, line.name, line.nbytes, line.times, line.groups) for line in ledger.lines
    ]
    assert lines == [
        ("runtime", "process", "declared", 1_000_000, 1, ()),
        ("vlm", "code", "vlm.vmfb", 24, 1, ()),
        ("head", "code", "head.vmfb", 25, 1, ("head",)),
        ("vlm", "slot", "vlm.hidden", 384, 3, ()),
        ("head", "inner", "state", 64, 3, ("head",)),
        ("head", "inner", "actions", 256, 3, ("head",)),
        ("head", "scratch", "scratch", 64, 3, ("head",)),
    ]
    assert (ledger.once - 1_000_000, ledger.each) == (ONCE, EACH)


def test_what_lives_is_what_the_ledger_says(tmp_path: Path) -> None:
    text = with_memory("total: 5 kB, process: 100, groups: { head: { modules: head, budget: 3 kB } }", 3)
    plan = planned(tmp_path / "duet", text)
    ledger = ledger_of(plan)
    with Runtime(plan) as runtime:
        assert runtime.storage.arena.ledger() == rows(plan)
        assert runtime.storage.arena.used == ledger.each
        assert runtime.budgets.account() == planned_account(ledger)
        runtime.run(seconds=1, lockstep=True)
        assert runtime.budgets.account() == planned_account(ledger)
        budgets = runtime.budgets
    assert budgets.account() == {}


def test_a_context_beyond_the_budget_is_an_error_of_its_own(tmp_path: Path) -> None:
    text = with_memory("groups: { head: { modules: head, budget: 900 } }", 2)
    plan = planned(tmp_path / "duet", text)
    ledger = ledger_of(plan)
    with Runtime(plan) as runtime:
        executables = runtime.storage._executables
        assert runtime.budgets.account() == planned_account(ledger)
        with pytest.raises(BudgetError, match=r"head/inner needs 256 bytes, group 'head' has 43 left of 900"):
            Storage(plan, runtime._contexts.devices, executables, runtime.budgets, "context 3")
        assert runtime.budgets.account() == planned_account(ledger)
        assert runtime.run(seconds=1, lockstep=True).reason == "complete"
        second = runtime.retire(1)
        assert second.wait_freed(10)
        assert runtime.budgets.account() == planned_account(ledger.with_contexts(1))


def with_weights(root: Path, share: Path | None = None) -> Plan:
    """The bundle with 100 bytes of weights for `vlm`, in the file `share` if there is one."""
    make_bundle(root)
    weights = root / "vlm.safetensors"
    if share is None:
        weights.write_bytes(bytes(100))
    else:
        os.link(share, weights)
    lock = read_lock(root)
    vlm = lock.modules["vlm.vmfb"].model_copy(
        update={"parameters": LockedParameters(files=[weights.name], count=1, size=100)}
    )
    files = {**lock.files, weights.name: locked_file(weights)}
    write_lock(Lock(files=files, modules={**lock.modules, "vlm.vmfb": vlm}), root)
    plan = check(root).plan
    assert plan is not None
    return plan


def test_a_file_is_reserved_once_however_many_bundles_hold_it(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    old = with_weights(tmp_path / "duet")
    new = with_weights(tmp_path / "new" / "duet", tmp_path / "duet" / "vlm.safetensors")
    before, after = ledger_of(old), ledger_of(new)
    assert before.once == after.once == ONCE + 100
    assert overlap(before, after).once == 2 * ONCE + 100
    # A copy is another file. Even the same bundle is loaded anew: its code is there twice.
    assert overlap(before, ledger_of(with_weights(tmp_path / "copy"))).once == 2 * (ONCE + 100)
    assert overlap(before, before).once == 2 * ONCE + 100
    budgets = budgets_of(old.manifest)
    reserve(budgets, before)
    others = budgets_of(new.manifest, budgets.machine)
    reserve(others, after)
    assert budgets.machine.used == overlap(before, after).once
    release(budgets, before)
    assert budgets.machine.used == after.once
    release(others, after)
    assert budgets.machine.used == 0


def test_a_load_that_does_not_fit_leaves_nothing_reserved(tmp_path: Path) -> None:
    plan = planned(tmp_path / "duet", with_memory("groups: { head: { modules: head, budget: 1 kB } }"))
    budgets = budgets_of(plan.manifest)
    budgets.take("head", "kv", 980)
    with pytest.raises(BudgetError, match="head/code needs 25 bytes"):
        reserve(budgets, ledger_of(plan))
    assert budgets.account() == {("head", "kv"): 980}


REFUSED = {
    "PC060": with_memory("total: 2 kB, process: 100", 3),
    "PC060 not one": with_memory("total: 500"),
    "PC060 nothing helps": with_memory("total: 20"),
    "PC061": with_memory("groups: { head: { modules: head, budget: 500 } }", 2),
    "PC064": MANIFEST.replace("    cost_ms: 15", "    cost_ms: 15\n    bytes: { slot: 383, kv: 1 MiB }"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusal(case: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    checked = check(make_bundle(tmp_path / "duet", REFUSED[case]))
    assert [d.code for d in checked.diagnostics] == [case.split(maxsplit=1)[0]]
    assert checked.plan is None and checked.memory is not None and checked.proof is not None
    assert told(checked, tmp_path) == snapshot


def test_case_21_two_bundles_that_fit_at_rest_but_not_together(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """Seen in triton server #1507."""
    text = with_memory("total: 1500")
    one, two = (make_bundle(tmp_path / name, text.replace("duet", name)) for name in ("one", "two"))
    alone, other = check(one), check(two)
    assert alone.diagnostics == other.diagnostics == []
    beside = check_together(alone, [other], "beside")
    assert [d.code for d in beside.diagnostics] == ["PC062"] and beside.plan is None
    assert told(beside, tmp_path) == snapshot(name="beside")
    swap = check_together(alone, [other], "swap")
    assert [d.code for d in swap.diagnostics] == ["PC063"] and swap.plan is None
    assert told(swap, tmp_path) == snapshot(name="swap")
    assert alone.memory is not None and other.memory is not None
    assert admit(alone.memory.ledger, other.memory.ledger, 1500) is not None
    assert admit(alone.memory.ledger, other.memory.ledger, 2 * (EACH + ONCE)) is None


@pytest.mark.parametrize("old", [None, "total: 100 kB"])
def test_case_21_at_run_time(old: str | None, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """The total of a bundle that is loaded counts as long as it is there, as that of the first does."""
    room = 2 * (EACH + ONCE)
    one = planned(tmp_path / "one", MANIFEST if old is None else with_memory(old))
    tight, wide = (
        planned(tmp_path / name, with_memory(f"total: {total}").replace("duet", name))
        for name, total in (("tight", room - 1), ("wide", room))
    )
    with Runtime(one) as runtime:
        machine, before = runtime.budgets.machine, runtime.budgets.account()
        refused = runtime.load(tight)
        assert refused.wait("loaded", timeout_s=10) == "failed" and refused.wait_freed(10)
        assert refused.reason == snapshot(name="refused")
        assert machine.nbytes == one.manifest.memory.total and machine.account() == before
        loaded = runtime.load(wide)
        assert loaded.wait("loaded", timeout_s=10) == "loaded"
        assert machine.nbytes == machine.used == room
        third = runtime.load(one)
        assert third.wait("loaded", timeout_s=10) == "failed" and f"0 left of {room}" in third.reason
        runtime.switch(loaded)
        assert runtime.retire(0).wait_freed(10)
        assert machine.nbytes == room == 2 * machine.used
        back = runtime.load(one)
        assert back.wait("loaded", timeout_s=10) == "loaded"
        runtime.switch(back)
        assert runtime.retire(loaded).wait_freed(10)
        assert machine.nbytes == one.manifest.memory.total


def test_together_they_fit_where_there_is_room(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    one = check(make_bundle(tmp_path / "one", with_memory("total: 2 kB")))
    two = check(make_bundle(tmp_path / "two"))
    both = check_together(one, [two], "beside")
    assert both.diagnostics == [] and both.plan is one.plan
    assert both.memory is not None and both.memory.together[0].needed == 2 * (EACH + ONCE)
    # Nothing says how much there is: a note.
    noted = check_together(two, [two], "swap")
    assert [(d.code, d.is_error) for d in noted.diagnostics] == [("PC065", False)]
    assert told(noted, tmp_path) == snapshot
    assert noted.memory is not None and noted.memory.together[0].needed == 2 * (EACH + ONCE)


def test_a_broken_other_is_told_and_nothing_is_judged(tmp_path: Path) -> None:
    one = check(make_bundle(tmp_path / "one"))
    broken = check(make_bundle(tmp_path / "two", MANIFEST.replace('"null"', "nul")))
    both = check_together(one, [broken], "beside")
    assert [d.code for d in both.diagnostics] == ["PC007"] and both.plan is None
    assert both.memory is not None and both.memory.together == ()


def test_declared_pages_are_counted_and_drawn_by_who_opens_the_pool(tmp_path: Path) -> None:
    text = MANIFEST.replace("    cost_ms: 15", "    cost_ms: 15\n    bytes: { kv: 1 MiB }")
    plan = planned(tmp_path / "duet", text)
    assert ledger_of(plan).by_kind()["kv"] == 1 << 20
    with Runtime(plan) as runtime:
        assert ("vlm", "kv") not in runtime.budgets.account()


# -- manifests alone ---------------------------------------------------------------------------------------

PLAN = """\
name: plan
memory: { total: 1 GiB }
orchestration:
  modules:
  - { id: vlm, vmfb: vlm.vmfb, parameters: base.irpa, rate_hz: 2, cost_ms: 100, bytes: { weights: 300 MiB } }
  - { id: dit, vmfb: dit.vmfb, parameters: base.irpa, rate_hz: 10, cost_ms: [1, 5, 2], entry: [a, b, c],
      steps: { full: 4, fast: 2 }, bytes: { weights: 300 MiB, kv: 8 MiB, scratch: 1 MiB } }
  links:
  - { from: vlm.hidden, to: dit.condition }
"""


def test_a_manifest_alone_is_judged_by_its_numbers(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(PLAN)
    checked = check_plan(file)
    assert [d.code for d in checked.diagnostics] == ["PC018"] and not checked.ok
    assert checked.memory is not None and checked.proof is not None
    # Both modules use one file.
    assert checked.memory.ledger.by_module() == {"vlm + dit": 300 << 20, "dit": 9 << 20}
    # The costliest stage is taken for the step: 1 + 4 x 5 + 2.
    full = checked.proof.modules["dit"].full
    assert full is not None and full.bound.cost_ns == 23_000_000
    assert checked.memory.unknown == (
        "vlm: `bytes` says nothing of scratch, slot",
        "dit: which stage is the step of its flow; `b`, the costliest, was taken",
        "whether the tensors at the two ends of links fit",
        "whether the files, drivers, cores and robot adapter that it names are there",
    )
    file.write_text(PLAN + "  qos: { dit: 0, vlm: 1 }\n")
    assert [d.code for d in check_plan(file).diagnostics] == ["PC018"]  # 100 ms block it still
    file.write_text(PLAN.replace("cost_ms: 100", "cost_ms: 40"))
    assert check_plan(file).ok


def test_a_manifest_alone_is_judged_like_a_bundle_by_its_text(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(PLAN.replace("rate_hz: 2", "rate: 2"))
    assert [d.code for d in check_plan(file).diagnostics] == ["PM020"]
    assert [d.code for d in check_plan(tmp_path / "none.yaml").diagnostics] == ["PM001"]
    file.write_text(PLAN.replace("1 GiB", "200 MiB"))
    assert "PC060" in [d.code for d in check_plan(tmp_path / "plan.yaml").diagnostics]


def test_plans_of_bundles_that_exist_agree_with_them(tmp_path: Path) -> None:
    """The same time, and no more memory than the bundle itself."""
    root = make_bundle(tmp_path / "duet")
    real, alone = check(root), check_plan(root)
    assert real.proof is not None and alone.proof is not None
    assert {n: m.verdict.bound_ns for n, m in real.proof.modules.items()} == {
        n: m.verdict.bound_ns for n, m in alone.proof.modules.items()
    }
    assert real.proof.chains == alone.proof.chains
