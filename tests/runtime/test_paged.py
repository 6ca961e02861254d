"""Paged KV in a run: sequences grow with ticks that end well, end with their episode, and leak nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from polyrhythm.bundle import Tensor, open_bundle
from polyrhythm.compile import build, prepare
from polyrhythm.hal import HalError
from polyrhythm.manifest import render_all
from polyrhythm.memory import Arena, BudgetError, LinkStorage, PagedKV, footprint
from polyrhythm.observe.eventlog import record_to
from polyrhythm.observe.replay import diff, replay
from polyrhythm.runtime import Runtime, check, check_plan
from polyrhythm.runtime.ledger import ledger_of, planned_account
from polyrhythm.runtime.listener import Grown, Note
from polyrhythm.runtime.outcome import KVOutcome
from polyrhythm.runtime.paged import Paging, Pools, Sequences
from polyrhythm.runtime.paged_check import CODES
from polyrhythm.runtime.storage import Storage
from polyrhythm.schedule import WARM_TICK
from polyrhythm.schedule.events import Command, Event, Finish, Launch
from polyrhythm.simulate.piece import open_piece
from tests.effort import examples
from tests.runtime.robot import Diary
from tests.runtime.test_contexts import At, edited
from tests.runtime.test_runs import BOTH, accounts_balance

#: Every tick appends as many of three tokens as the scene's first number says; the action is the sum of all
#: that the sequence holds, and how many tokens that were before. A negative first number makes NaN of it.
POLICY = """
import jax.numpy as jnp
from polyrhythm.compile import EntrySource, ModuleSource, Policy
from polyrhythm.compile.attention import read_rows, write_rows

POOL = ("f32", (13, 1, 2, 4, 1, 1))

def note(p, kv, page_table, length, scene):
    count = jnp.abs(scene[0]).astype(jnp.int32)
    rows = (scene[1:] * p["one"])[:, None, None]
    kv = write_rows(kv, 0, page_table, length, count, rows, -rows)
    return count, scene[1:].astype(jnp.int32), kv

def recall(p, kv, page_table, length, scene, count, ids):
    keys, values = read_rows(kv, 0, page_table)
    there = (jnp.arange(20) < length + count)[:, None, None]
    kept = jnp.where(there, keys - values, 0.0).sum() / 2
    kept = kept * jnp.sqrt(scene[0]) / jnp.sqrt(scene[0])
    # The pages are not written here, and still belong to the module.
    tokens = jnp.where(jnp.arange(3) < count, ids, -1)
    return jnp.broadcast_to(jnp.stack([kept, length.astype(jnp.float32)]), (6, 2)), tokens

def samples(rng):
    return {"page_table": [3, 1, 2, 5, 4], "length": rng.integers(0, 17), "scene": [2.0, 1, 2, 3], "count": 2}

def policy():
    four, scalar = ("f32", (4,)), ("i32", ())
    paged = {"kv": POOL, "page_table": ("i32", (5,)), "length": scalar, "scene": four}
    carried = {"count": scalar, "ids": ("i32", (3,))}
    entries = {
        "note": EntrySource(note, paged, ("count", "ids", "kv"), consumed=("kv",), samples=lambda rng: {
            name: value for name, value in samples(rng).items() if name in paged}),
        "recall": EntrySource(recall, {**paged, **carried}, ("chunk", "tokens"), samples=samples),
    }
    return Policy("manifest.yaml", {"memo": ModuleSource({"one": jnp.ones(3)}, entries)})
"""

MANIFEST = """
robot:
  use: gymnasium
  control_hz: 100
  observations: { scene: { dtype: f32, shape: [4] } }
  action: { dtype: f32, shape: [2] }
orchestration:
  mode: parallel
  modules:
  - id: memo
    vmfb: memo.vmfb
    parameters: memo.safetensors
    entry: [note, recall]
    rate_hz: 25
    cost_ms: [1, 1]
    kv: {}
  links:
  - { from: robot.scene, to: memo.scene }
  - { from: memo.chunk, to: robot.action }
"""
#: A page holds four tokens, a table five pages.
ROOM = 20


@pytest.fixture(scope="module")
def bundle(tmp_path_factory) -> Path:
    home = tmp_path_factory.mktemp("paged")
    (home / "policy.py").write_text(POLICY)
    (home / "manifest.yaml").write_text(MANIFEST)
    build(home / "policy.py", home / "bundle")
    prepare(open_bundle(home / "bundle"))
    return home / "bundle"


@pytest.fixture
def opened(bundle, tmp_path):
    """Makes a runtime of the bundle with texts of its manifest replaced."""
    made = []

    def make(*changes: tuple[str, str]) -> Runtime:
        checked = check(edited(bundle, tmp_path / f"bundle{len(made)}", *changes))
        assert checked.plan is not None, render_all(checked.diagnostics)
        made.append(Runtime(checked.plan))
        return made[-1]

    yield make
    for runtime in made:
        runtime.close()


class Seen:
    """A listener that keeps how sequences grew."""

    def __init__(self) -> None:
        self.grown: list[Grown] = []

    def step(self, event, commands) -> None:
        pass

    def note(self, note: Note) -> None:
        if type(note) is Grown:
            self.grown.append(note)


def two(tick: int) -> tuple[float, ...]:
    """Two tokens a tick, 5 and 7."""
    return 2, 5, 7, 0


def played(runtime: Runtime, robot: Diary, lockstep: bool = True, episodes: int = 1, listeners=(), **how):
    """An episode or more; returns the actions of the last one as they changed, and the account."""
    outcome = runtime.run(
        robot, episodes=episodes, tasks=["left"], lockstep=lockstep, listeners=listeners, **how
    )
    assert accounts_balance(outcome)
    actions = [action for _, action in robot.entries if action is not None]
    return [a for a, b in zip(actions, [None, *actions], strict=False) if a != b], outcome.kv["memo"]


def pool(runtime: Runtime) -> PagedKV:
    return runtime.storage.pools.of["memo"]


@BOTH
def test_a_sequence_grows_and_ends_with_its_episode(opened, lockstep):
    runtime, seen = opened(), Seen()
    for _ in range(2):
        actions, account = played(runtime, Diary(30, two), lockstep, listeners=[seen])
        assert actions[:6] == [(12.0 * n, 2.0 * (n - 1)) for n in range(1, len(actions) + 1)][:6]
        assert len(actions) >= (7 if lockstep else 3)
        assert account.pages == 12 and account.most_held <= 5 and (account.full == 0 or not lockstep)
    first = [g.tokens for g in seen.grown]
    assert first.count(2) == 2, "each run begins anew"
    actions, _ = played(runtime, Diary(30, two), lockstep, episodes=2)
    assert actions[0] == (12.0, 0.0), "and each episode"


@pytest.mark.parametrize(
    ("on_full", "after"),
    [
        # The tenth tick finds 18 of 20 tokens, and might append three.
        ("reset", [(12.0, 0.0), (24.0, 2.0)]),
        # One page of four tokens goes.
        ("slide", [(96.0, 14.0), (108.0, 16.0)]),
        ("slide, keep_tokens: 5", [(96.0, 14.0), (108.0, 16.0)]),
    ],
)
def test_a_full_sequence_does_what_the_manifest_says(opened, on_full, after):
    runtime = opened(("kv: {}", f"kv: {{ on_full: {on_full} }}"))
    actions, account = played(runtime, Diary(60, two))
    assert actions[:9] == [(12.0 * n, 2.0 * (n - 1)) for n in range(1, 10)]
    assert actions[9:11] == after
    assert account.full >= 1 and account.most_held <= 5


def test_what_slides_away_is_what_is_oldest_behind_what_is_kept(opened):
    """Tokens are numbered by the control tick that they were seen at."""
    runtime = opened(("kv: {}", "kv: { on_full: slide, keep_tokens: 4 }"))
    robot = Diary(200, lambda tick: (2, tick, tick, 0))
    played(runtime, robot)
    context = pool(runtime)._contexts["context 0"]
    rows = [pool(runtime).array[page, 0, 0, :, 0, 0] for page in context.pages]
    held = np.concatenate(rows)[: context.length].tolist()
    assert held[:4] == sorted(held[:4]) and held[3] <= 8, "the first two ticks"
    assert held[4:] == sorted(held[4:]) and held[4] > 100


def test_stop_fails_its_ticks_and_nothing_else(opened):
    runtime = opened(("kv: {}", "kv: { on_full: stop }\n    max_failures: 2"))
    robot, watch = Diary(80, two), At()
    outcome = runtime.run(robot, episodes=1, tasks=["left"], lockstep=True, listeners=[watch])
    assert accounts_balance(outcome)
    assert outcome.reason == "complete" and outcome.kv["memo"].full == 2
    memo = outcome.modules["memo"]
    assert memo.isolated and memo.finished == 9 and memo.drops["failed"] == 2
    details = [
        c.detail for _, commands in watch.steps for c in commands if getattr(c, "reason", 0) == "failed"
    ]
    assert details[0] == (
        "its sequence is full: 18 of 20 tokens, a tick may append 3 (on_full: stop)"
    )  # fmt: skip
    assert pool(runtime).usage()["held"] == 5


@BOTH
def test_a_tick_that_fails_appends_nothing(opened, lockstep):
    """Every other tick the outputs are NaN; in the end no page is held for them."""
    runtime, seen = opened(), Seen()

    def scene(tick: int) -> tuple[float, ...]:
        return (2 if tick % 8 < 4 else -3), 5, 7, 1

    actions, account = played(runtime, Diary(60, scene), lockstep, listeners=[seen])
    assert actions[:4] == [(12.0 * n, 2.0 * (n - 1)) for n in range(1, len(actions) + 1)][:4]
    last = seen.grown[-1]
    assert account.tokens == 2 * len(seen.grown) and (account.full or last.tokens == account.tokens)
    assert pool(runtime).usage()["held"] == last.pages == -(-last.tokens // 4)


def test_contexts_that_see_the_same_share_pages(opened):
    runtime = opened(("robot:\n", "contexts: 2\nrobot:\n"))
    robot = Diary(60, two)
    actions, account = played(runtime, robot, listeners=[At((30, lambda: runtime.switch(1)))])
    assert [length for _, length in actions].count(0.0) == 2, "the second context begins with nothing"
    assert all(total == 6 * length + 12 for total, length in actions)
    first, second = (pool(runtime)._contexts[f"context {n}"] for n in (0, 1))
    full = min(first.length, second.length) // 4
    assert full >= 2 and first.pages[:full] == second.pages[:full]
    assert account.shared == full
    assert pool(runtime).usage()["held"] == len({*first.pages, *second.pages})


def test_the_context_that_is_left_has_its_sequence_when_it_plays_again(opened):
    runtime = opened(("robot:\n", "contexts: 2\nrobot:\n"))
    acts = ((20, lambda: runtime.switch(1)), (40, lambda: runtime.switch(0)))
    actions, _ = played(runtime, Diary(48, two), listeners=[At(*acts)])
    lengths = [length for _, length in actions]
    assert lengths.count(0.0) == 2 and lengths[-1] > max(lengths[: lengths.index(0.0, 1)])


def test_a_bundle_that_is_swapped_in_has_pages_of_its_own_and_gives_them_back(opened):
    runtime = opened()
    first, own, before = runtime.live, pool(runtime), runtime.budgets.account()
    other = runtime.load(runtime.plan)
    assert other.wait("loaded", timeout_s=20) == "loaded"
    assert other.storage.pools.of["memo"] is not own
    assert runtime.budgets.account()["memo", "kv"] == 2 * before["memo", "kv"]
    played(runtime, Diary(60, two), listeners=[At((20, lambda: runtime.switch(other)))])
    assert runtime.live is other
    runtime.retire(first)
    assert first.wait_freed(20) and own.usage()["held"] == 0
    assert runtime.budgets.account() == before


def test_the_seat_of_a_context_that_can_not_be_bound_is_free_again(opened, monkeypatch):
    runtime = opened(("robot:\n", "contexts: 2\nrobot:\n"))
    plan, other = runtime.plan, runtime.contexts[1]
    runtime.retire(other)
    assert other.wait_freed(20)

    def take_seat() -> Storage:
        code = runtime._contexts._code(plan)
        return Storage(plan, runtime.devices, code, pools=runtime.storage.pools, seat=1)

    def fails(*args) -> None:
        raise HalError("no such luck")

    with monkeypatch.context() as patch, pytest.raises(HalError):
        patch.setattr(Storage, "_bind", fails)
        take_seat()
    take_seat().close()


class Resident:
    """A listener that measures the process in memory when so many ticks of a module have ended, and again."""

    def __init__(self, module: str, first: int, last: int) -> None:
        self.module, self.ticks, self.at = module, 0, {first: 0, last: 0}

    def step(self, event: Event, commands: list[Command]) -> None:
        self.ticks += sum(type(c) is Finish and c.module == self.module for c in commands)
        if self.at.get(self.ticks) == 0:
            self.at[self.ticks] = int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    def note(self, note: object) -> None:
        pass


def test_memory_is_flat_over_many_ticks(opened):
    """Without a robot, which would remember what it was told."""
    begin, end = MANIFEST.index("robot:\n"), MANIFEST.index("orchestration:\n")
    links = MANIFEST[MANIFEST.index("  links:\n") :]
    runtime = opened((MANIFEST[begin:end], ""), (links, ""), ("kv: {}", "kv: { on_full: slide }"))
    runtime.storage.own["memo", "scene"][:] = two(0)
    resident, held = Resident("memo", 300, 2000), runtime.budgets.account()
    outcome = runtime.run(seconds=81, lockstep=True, listeners=[resident])
    account, usage = outcome.kv["memo"], pool(runtime).usage()
    assert account.tokens == 2 * outcome.modules["memo"].finished > 4000 and account.full > 900
    assert account.most_held <= 5 and usage["held"] + usage["cached"] + usage["free"] == 12
    assert runtime.budgets.account() == held
    before, after = resident.at.values()
    assert after - before < 2 << 20, f"grew by {after - before} bytes"


# -- what is reserved --------------------------------------------------------------------------------------


def test_the_pool_is_in_the_ledger_once_and_what_lives_is_what_it_says(opened):
    runtime = opened(("robot:\n", "contexts: 3\nrobot:\n"))
    ledger = ledger_of(runtime.plan)
    (line,) = [line for line in ledger.lines if line.kind == "kv"]
    assert (line.owner, line.name, line.nbytes, line.times) == ("memo", "kv", 13 * 32 + 32, 1)
    assert runtime.budgets.account() == planned_account(ledger)
    arrays = {c.storage.own["memo", "kv"].ctypes.data for c in runtime.contexts.values()}
    assert len(arrays) == 1
    played(runtime, Diary(30, two))
    assert runtime.budgets.account() == planned_account(ledger)


def test_a_group_that_the_pages_do_not_fit_into_is_refused(bundle, tmp_path):
    memory = "memory: { groups: { mind: { modules: memo, budget: 300 } } }\nrobot:\n"
    checked = check(edited(bundle, tmp_path / "small", ("robot:\n", memory)))
    (found,) = [d for d in checked.diagnostics if d.code == "PC061"]
    assert checked.plan is None and "group `mind` does not fit" in found.message
    plan = check(bundle).plan
    assert plan is not None
    with Runtime(plan) as runtime:
        runtime.budgets.machine.nbytes = runtime.budgets.machine.used + 100
        loaded = runtime.load(plan)
        assert loaded.wait("ready", timeout_s=20) == "failed" and "memo/" in loaded.reason
        with pytest.raises(BudgetError):
            runtime.budgets.take("memo", "kv", 448)


def test_planned_bytes_of_a_pool_count_once(tmp_path):
    text = MANIFEST.replace("kv: {}", "kv: {}\n    bytes: { kv: 1 MiB }")
    (tmp_path / "manifest.yaml").write_text("contexts: 3" + text)
    memory = check_plan(tmp_path).memory
    assert memory is not None and memory.ledger.by_kind()["kv"] == 1 << 20
    (tmp_path / "manifest.yaml").write_text("contexts: 3" + MANIFEST)
    unknown = check_plan(tmp_path).memory
    assert (
        unknown is not None and "memo: `bytes` says nothing of weights, scratch, kv, chunk" in unknown.unknown
    )


# -- what is recorded --------------------------------------------------------------------------------------


def test_runs_in_lockstep_are_the_same_and_replay(opened, tmp_path):
    for name in ("a", "b"):
        runtime = opened(("kv: {}", "kv: { on_full: slide }"), ("robot:\n", "contexts: 2\nrobot:\n"))
        with record_to(tmp_path / name, runtime) as writer:
            acts = At((30, lambda runtime=runtime: runtime.switch(1)))
            played(runtime, Diary(90, two), episodes=2, listeners=[writer, acts])
        found = replay(tmp_path / name)
        assert (found.difference, found.end) == (None, "complete")
    assert diff(tmp_path / "a", tmp_path / "b").difference is None


def test_a_full_sequence_that_stops_replays(opened, tmp_path):
    runtime = opened(("kv: {}", "kv: { on_full: stop }"))
    with record_to(tmp_path / "log", runtime) as writer:
        played(runtime, Diary(90, two), listeners=[writer])
    assert replay(tmp_path / "log").difference is None


def test_it_can_be_simulated(bundle):
    assert [m.id for m in open_piece(bundle).plan.modules] == ["memo"]


# -- what is refused ---------------------------------------------------------------------------------------

MISTAKES = {
    "PC141 pool": ("kv: {}", "kv: { pool: pages }"),
    "PC141 table": ("kv: {}", "kv: { table: page_tabel }"),
    "PC141 tokens": ("kv: {}", "kv: { tokens: scene }"),
    "PC142 pool": ("kv: {}", "kv: { pool: length, length: kv }"),
    "PC142 table": ("kv: {}", "kv: { table: length, length: page_table }"),
    "PC142 tokens": ("kv: {}", "kv: { tokens: count }"),
    "PC143": ("robot:\n", "contexts: 13\nrobot:\n"),
    "PC144": ("robot:\n", "contexts: 3\nrobot:\n"),
    "PC145": ("kv: {}", "kv: { on_full: slide, keep_tokens: 13 }"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_are_told(bundle, tmp_path, case: str, snapshot: SnapshotAssertion):
    root = edited(bundle, tmp_path / "bundle", MISTAKES[case])
    found = [d for d in check(root).diagnostics if d.code in CODES]
    assert case.partition(" ")[0] in [d.code for d in found]
    assert render_all(found).replace(f"{root.resolve()}/", "") == snapshot


def test_every_code_has_a_message_test():
    assert {case.partition(" ")[0] for case in MISTAKES} == set(CODES)


# -- everything at once ------------------------------------------------------------------------------------

PAGES, SIZE, TABLE, MOST = 13, 4, 5, 3


def sequences(contexts: int, on_full: str) -> tuple[Pools, list[Sequences], list[dict]]:
    """Contexts without devices; the dictionaries have their arrays."""
    kv = Tensor("kv", "f32", (PAGES, 1, 2, SIZE, 1, 1))
    share = (PAGES - 1) // contexts
    paging = Paging(kv, "table", "length", "m.tokens", MOST, share, min(share, TABLE), on_full, 0)
    pools, made, arrays = Pools({"m": paging}), [], []
    for seat in range(contexts):
        tokens = Tensor("tokens", "i32", (MOST,))
        link = LinkStorage(tokens, 2, Arena(footprint([tokens] * 2)))
        own = {("m", "table"): np.zeros(TABLE, np.int32), ("m", "length"): np.zeros((), np.int32)}
        made.append(Sequences({"m": paging}, pools, seat, own, {"m.tokens": link}))
        made[-1].count_in({"m": KVOutcome()})
        arrays.append({"table": own["m", "table"], "length": own["m", "length"], "link": link})
    return pools, made, arrays


def launch(job: int, stage: int = 0, tick: int = 0) -> Launch:
    return Launch(job, "m", tick, stage, "cpu", (), (("m.tokens", job % 2),))


def finish(job: int) -> Finish:
    return Finish(job, "m", 0, 0, 0)


OPS = st.lists(
    st.tuples(
        st.integers(0, 1),
        st.sampled_from(["works", "works", "works", "fails", "reset", "hangs", "warms"]),
        st.lists(st.integers(0, 1), max_size=MOST),
    ),
    max_size=40,
)


@given(OPS, st.sampled_from(["reset", "slide", "stop"]), st.integers(1, 2))
@examples(60)
def test_sequences_are_as_long_as_what_ended_well_and_no_page_leaks(ops, on_full, contexts):
    pools, made, arrays = sequences(contexts, on_full)
    kv, lengths = pools.of["m"], [0] * contexts
    for job, (number, what, tokens) in enumerate(ops):
        at, own = number % contexts, arrays[number % contexts]
        other = arrays[1 - at]["table"].copy() if contexts == 2 else None
        if what == "reset":
            made[at].reset()
            lengths[at] = 0
        elif what == "warms":
            assert made[at].begin(launch(job, tick=WARM_TICK)) is None
            assert not own["table"].any() and own["length"] == 0
        else:
            refusal = made[at].begin(launch(job))
            full = lengths[at] + MOST > min((PAGES - 1) // contexts, TABLE) * SIZE
            assert (refusal is not None) == (full and on_full == "stop")
            if refusal is not None:
                continue
            start, table = int(own["length"]), own["table"].copy()
            assert (start < lengths[at]) if full else (start == lengths[at])
            used = -(-(start + MOST) // SIZE)
            assert (table[:used] > 0).all() and not table[used:].any() and len(set(table[:used])) == used
            # A later stage of the job finds the same.
            assert made[at].begin(launch(job, stage=1)) is None
            assert (own["table"] == table).all() and own["length"] == start
            lengths[at] = start
            if what == "works":
                written = own["link"].array(job % 2)
                written[:] = [*tokens, *[-1] * (MOST - len(tokens))]
                assert made[at].finish(finish(job + 1)) is None, "another job's"
                grown = made[at].finish(finish(job))
                lengths[at] += len(tokens)
                assert grown is not None and (grown.appended, grown.length) == (len(tokens), lengths[at])
            elif what == "hangs":
                # The episode ends, and what still runs may write to its pages.
                made[at].reset({"m"})
                lengths[at] = 0
                theirs = set(kv._contexts[f"context {1 - at}"].pages) if contexts == 2 else set()
                if contexts == 2 and made[1 - at].begin(launch(1000 + job)) is None:
                    other = arrays[1 - at]["table"].copy()
                    lengths[1 - at] = int(arrays[1 - at]["length"])
                    assert not set(table[:used].tolist()) & (set(other.tolist()) - theirs - {0})
        if other is not None:
            assert (arrays[1 - at]["table"] == other).all(), "another context's table"
        usage = kv.usage()
        assert usage["held"] + usage["cached"] + usage["free"] == PAGES - 1
    for each in made:
        each.close()
    assert kv.usage()["held"] == 0
