"""The System 2 that remembers, played by the runtime: it says what a decoder without a cache says, contexts
share what they have in common, and its memory does not grow."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import jax
import numpy as np
import pytest
from typer.testing import CliRunner, Result

from polyrhythm.bundle import open_bundle
from polyrhythm.cli import make_app
from polyrhythm.compile import build, prepare
from polyrhythm.manifest import render_all
from polyrhythm.observe.replay import replay
from polyrhythm.runtime import Plan, Runtime, check
from polyrhythm.schedule.events import Command, Event, Publish
from tests.runtime.test_paged import Resident

ROOT = Path(__file__).parents[2] / "examples" / "autoregressive"
#: Building takes half a minute of one core, and more where cores are busy.
pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def model() -> Iterator[ModuleType]:
    """The example's own module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        patch.delitem(sys.modules, "model", raising=False)
        import model

        yield model
        sys.modules.pop("model", None)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = build(ROOT / "policy.py", tmp_path_factory.mktemp("autoregressive") / "bundle").root
    prepare(open_bundle(root))
    return root


@pytest.fixture(scope="module")
def plan(bundle: Path) -> Plan:
    checked = check(bundle)
    assert checked.plan is not None and not checked.diagnostics, render_all(checked.diagnostics)
    return checked.plan


class Ticks:
    """A listener that keeps what System 2 has found at each tick, and switches contexts after so many."""

    def __init__(self, runtime: Runtime, turn: int = 0) -> None:
        #: By context: (hidden f32 [8, 64], tokens) of every tick.
        self.found: dict[int, list[tuple[np.ndarray, list[int]]]] = {}
        self.ticks = 0
        self._runtime, self._turn = runtime, turn

    def step(self, event: Event, commands: list[Command]) -> None:
        at = {c.port: c for c in commands if type(c) is Publish}
        if (hidden := at.get("s2.hidden")) is None:
            return
        links = self._runtime.contexts[hidden.context].storage.links
        told = links["s2.tokens"].array(at["s2.tokens"].slot)
        rows = links["s2.hidden"].array(hidden.slot).copy()
        self.found.setdefault(hidden.context, []).append((rows, told[told >= 0].tolist()))
        self.ticks += 1
        if self._turn and self.ticks % self._turn == 0:
            self._runtime.switch(1 - hidden.context)

    def note(self, note: object) -> None:
        pass


def test_it_says_what_a_decoder_without_a_cache_says(plan: Plan, model: ModuleType) -> None:
    parameters, whole = model.init(0), jax.jit(model.whole)
    with Runtime(plan) as runtime:
        ticks = Ticks(runtime, turn=3)
        outcome = runtime.run(seconds=4.2, lockstep=True, listeners=[ticks])
        kv = runtime.storage.pools.of["s2"]
        pages = [context.pages for context in kv._contexts.values()]
    assert ticks.ticks >= 10 and set(ticks.found) == {0, 1}
    # Both have the same words; what they saw differs once they have looked at different times.
    assert pages[0][:2] == pages[1][:2] and outcome.kv["s2"].shared >= 2
    for found in ticks.found.values():
        known: list[int] = []
        for number, (hidden, tokens) in enumerate(found):
            assert len(tokens) == model.PATCHES + model.THOUGHTS + (0 if number else model.PROMPT)
            known += tokens
            padded = np.zeros(256, np.int32)
            padded[: len(known)] = known
            rows, thoughts = whole(parameters, padded)
            last = slice(len(known) - model.THOUGHTS, len(known))
            assert np.abs(hidden - np.asarray(rows)[last]).max() < 1e-4
            # Each thought is what the decoder says about everything before it.
            assert known[last] == np.asarray(thoughts)[last.start - 1 : last.stop - 1].tolist()
        assert known[: model.PROMPT] == [*range(model.WORDS), model.BEGIN]


def test_the_same_run_says_the_same(plan: Plan) -> None:
    found = []
    for _ in range(2):
        with Runtime(plan) as runtime:
            ticks = Ticks(runtime)
            runtime.run(seconds=3, lockstep=True, listeners=[ticks])
            found.append(ticks.found[0])
    for (hidden, tokens), (again, others) in zip(*found, strict=True):
        assert tokens == others and np.array_equal(hidden, again)
    assert any(tokens[:16] != found[0][1][1][:16] for _, tokens in found[0][2:]), "what it sees changes"


def flat(plan: Plan, ticks: int, grown: int) -> None:
    """Play so many ticks, after as many again as a tenth of that; nothing of it grows beyond `grown` bytes.

    System 2 runs as often as what it looks at, and its reader no more: the ticks are what is measured.
    """
    modules = tuple(
        replace(module, period_ns=plan.module("s2").period_ns, phase_ns=phase_ns)
        for module, phase_ns in zip(plan.schedule.modules, (0, 10_000_000, 0), strict=True)
    )
    plan = replace(plan, schedule=replace(plan.schedule, modules=modules))
    first = ticks // 10
    resident = Resident("s2", first, first + ticks)
    with Runtime(plan) as runtime:
        ledger, held = runtime.storage.arena.ledger(), runtime.budgets.account()
        outcome = runtime.run(seconds=(first + ticks + 1) / 3, lockstep=True, listeners=[resident])
        assert runtime.storage.arena.ledger() == ledger and runtime.budgets.account() == held
        account, usage = outcome.kv["s2"], runtime.storage.pools.of["s2"].usage()
    before, after = resident.at.values()
    assert after - before < grown, f"grew by {after - before} bytes"
    # Ten ticks fill a sequence, and each later one finds it full. No page is lost, or held beside its own.
    assert account.tokens == 17 + 24 * (first + ticks + 1)
    assert account.full == first + ticks + 1 - 9
    assert account.most_held <= 32 and usage["held"] <= 32
    assert usage["held"] + usage["cached"] + usage["free"] == 128


def test_memory_is_flat(plan: Plan) -> None:
    flat(plan, 200, 4 << 20)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_memory_is_flat_over_ten_thousand_ticks(plan: Plan) -> None:
    flat(plan, 10_000, 1 << 20)


def test_the_command_line_plays_records_and_simulates_it(bundle: Path, tmp_path: Path) -> None:
    log, trace, report = (tmp_path / name for name in ("run.log", "run.trace", "run.html"))

    def cli(*args: object) -> Result:
        return CliRunner().invoke(make_app(), [str(arg) for arg in args])

    files = ("--record", log, "--trace", trace, "--report", report)
    run = cli("run", bundle, "--lockstep", "--seconds", 6, "--json", *files)
    assert run.exit_code == 0, run.output
    found = json.loads(run.stdout)
    assert found["kv"]["s2"]["full"] > 0 and found["kv"]["s2"]["pages"] == 128
    assert found["modules"]["s2"]["finished"] >= 16 and not found["modules"]["s2"]["isolated"]
    assert replay(log).difference is None
    assert b"s2: KV tokens" in trace.read_bytes() and "Paged KV" in report.read_text()
    shown = cli("check", bundle)
    assert shown.exit_code == 0 and "kv" in shown.output
    simulated = cli("simulate", bundle, "--seconds", 2, "--length", 10)
    assert simulated.exit_code == 0, simulated.output
