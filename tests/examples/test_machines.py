"""The plans of examples/machines: their bytes are those of the README's sums, their verdicts its verdicts."""

from __future__ import annotations

from math import ceil
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.cli._common import console
from polyrhythm.manifest import render_all
from polyrhythm.observe.ledgers import describe_memory, render_memory
from polyrhythm.runtime import check_plan

MACHINES = Path(__file__).parents[2] / "examples" / "machines"
#: Codes, contexts asked for, contexts that fit.
VERDICTS = {
    "workstation-128": ([], 3, 47),
    "edge-16": (["PC060"], 3, 2),
    "edge-8": (["PC060"], 1, 0),
    "edge-8-small": ([], 2, 2),
}


def megabytes(nbytes: float) -> int:
    """Up to a whole number of MB, as the plans have it."""
    return ceil(nbytes / 1e6) * 1_000_000


@pytest.mark.parametrize("name", VERDICTS)
def test_table(name: str, snapshot: SnapshotAssertion) -> None:
    checked = check_plan(MACHINES / f"{name}.yaml")
    codes, contexts, fit = VERDICTS[name]
    assert [d.code for d in checked.diagnostics] == codes
    assert checked.proof is not None and checked.proof.complete
    found = describe_memory(checked.memory)
    assert found is not None
    assert (found["contexts"], found["contexts_that_fit"]) == (contexts, fit)
    out = console()
    with out.capture() as captured:
        out.print(render_memory(found))
    assert [line.rstrip() for line in captured.get().splitlines()] == snapshot(name="table")
    assert render_all(checked.diagnostics).replace(str(MACHINES), "machines") == snapshot(name="diagnostics")


@pytest.mark.parametrize("name", VERDICTS)
def test_bytes_are_those_of_the_sums(name: str) -> None:
    memory = check_plan(MACHINES / f"{name}.yaml").memory
    assert memory is not None
    small = name == "edge-8-small"
    parameters, layers, heads, width, tokens = (
        (3.09e9, 36, 2, 2048, 8192) if small else (7.61e9, 28, 4, 3584, 32768)
    )
    images = 224 * 224 * 3
    page = -(-images // 4096) * 4096
    wanted = {
        ("vlm", "weights"): megabytes(parameters * 4.5 / 8),
        ("vlm", "kv"): 2 * layers * heads * 128 * 2 * tokens,
        ("vlm", "slot"): 3 * 1024 * width * 2,
        ("dit", "weights"): megabytes((2.2e9 - 1.34e9) * 2),
        ("dit", "inner"): 2 * 16 * 1024 * 1536 * 2,
        ("dit", "chunk"): 3 * 16 * 32 * 4,
        ("dit", "input"): 16 * 32 * 4,
        ("vit", "weights"): megabytes(0.428e9 * 2),
        ("vit", "slot"): 4 * 3 * 256 * 1152 * 2,
        ("depth", "weights"): 49_600_000,
    }
    lines = {(line.owner, line.kind): line.nbytes for line in memory.ledger.lines if line.declared}
    assert {key: lines[key] for key in wanted} == wanted
    slots = sum(line.nbytes for line in memory.ledger.lines if line.owner == "robot")
    # Three cameras, one of which has two readers: ten versions, each from a page boundary on.
    assert 10 * images <= slots <= 10 * page + 3 * 4096


def test_the_readme_tells_the_verdicts() -> None:
    text = " ".join((MACHINES / "README.md").read_text().split())
    (refused,) = check_plan(MACHINES / "edge-16.yaml").diagnostics
    assert refused.message in text and refused.mend in text
