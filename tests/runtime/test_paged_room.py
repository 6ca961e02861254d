"""How many tokens a sequence that slides can keep: as many as leave it a page to let go of, and no fewer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polyrhythm.bundle import LockedEntry, LockedMachineCode, LockedModule, Tensor, host
from polyrhythm.bundle.lock import LockedTensor
from polyrhythm.memory import Arena, LinkStorage, footprint
from polyrhythm.runtime import check
from polyrhythm.runtime.outcome import KVOutcome
from polyrhythm.runtime.paged import Paging, Pools, Sequences
from polyrhythm.runtime.paged_check import CODES
from polyrhythm.schedule.events import Launch
from tests.cli.bundles import make_bundle

ONE_TOKEN = """\
devices:
  cpu: { driver: "null", uri: immediate }
orchestration:
  modules:
  - { id: memo, vmfb: memo.vmfb, rate_hz: 10, cost_ms: 1, kv: { on_full: slide, keep_tokens: KEEP } }
"""


def finds_no_room(paging: Paging, length: int) -> bool:
    """Whether a sequence of so many tokens can't be made ready for another tick."""
    pools, table = Pools({"m": paging}), np.zeros(paging.places, np.int32)
    own = {("m", "table"): table, ("m", "length"): np.zeros((), np.int32)}
    tokens = Tensor("tokens", "i32", (paging.most_tokens,))
    link = LinkStorage(tokens, 2, Arena(footprint([tokens] * 2)))
    made, kv = Sequences({"m": paging}, pools, 0, own, {"m.tokens": link}), pools.of["m"]
    made.count_in({"m": KVOutcome()})
    with kv.step(kv._contexts["context 0"], length) as lease:
        lease.done(range(length))
    try:
        return made.begin(Launch(0, "m", 0, 0, "cpu", (), (("m.tokens", 0),))) is not None
    except ValueError:
        return True


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_what_may_be_kept_is_what_leaves_room_whatever_the_length(size: int) -> None:
    """With pages of so many tokens, in every small sequence: one page more, and some length finds no room."""
    for places in range(1, 6):
        kv, room = Tensor("kv", "f32", (places + 1, 1, 2, size, 1, 1)), places * size
        for most in range(1, room + 1):
            for keep in range(places + 1):
                paging = Paging(kv, "table", "length", "m.tokens", most, places, places, "slide", keep)
                stuck = any(finds_no_room(paging, length) for length in range(room - most + 1, room + 1))
                assert stuck == (keep > paging.most_keep), paging


@pytest.mark.parametrize(("keep", "allowed"), [(12, []), (13, ["at most 12"])])
def test_a_tick_of_one_token_needs_one_page_behind_what_is_kept(
    tmp_path: Path, keep: int, allowed: list[str]
) -> None:
    """16 tokens in pages of 4: when they are full, the last page goes."""
    kv, table, length, tokens = (
        LockedTensor(name=name, dtype=dtype, shape=shape)
        for name, dtype, shape in (
            ("kv", "f32", [5, 1, 2, 4, 1, 1]), ("page_table", "i32", [4]), ("length", "i32", []),
            ("tokens", "i32", [1]),
        )
    )  # fmt: skip
    entry = LockedEntry(inputs=[kv, table, length], outputs=[kv, tokens], consumed=["kv"])
    code = LockedMachineCode(arch=host().arch, cpu="generic")
    module = LockedModule(machine_code=code, loaded_bytes=0, entries={"main": entry})
    root = make_bundle(tmp_path / "bundle", ONE_TOKEN.replace("KEEP", str(keep)), {"memo.vmfb": module})
    assert [d.allowed for d in check(root).diagnostics if d.code in CODES] == allowed
