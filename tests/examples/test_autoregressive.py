"""The System 2 that remembers: it says what a decoder without a cache says, and its memory does not grow."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from polyrhythm.compile import build

ROOT = Path(__file__).parents[2] / "examples" / "autoregressive"
#: Building takes half a minute of one core, and more where cores are busy.
pytestmark = pytest.mark.timeout(600)
WORDS = np.arange(16, dtype=np.int32)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The example's modules, with the bundle's path as `bundle`."""
    place = tmp_path_factory.mktemp("autoregressive")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(place / "cache"))
        patch.syspath_prepend(str(ROOT))
        for name in ("model", "system2", "run"):
            patch.delitem(sys.modules, name, raising=False)
        import run
        import system2

        run.bundle = build(ROOT / "policy.py", place / "bundle", portable=True).root  # type: ignore[attr-defined]
        run.System2 = system2.System2
        yield run
        for name in ("model", "system2", "run"):
            sys.modules.pop(name, None)


def test_it_says_what_a_decoder_without_a_cache_says(example: Any) -> None:
    model = example.model
    parameters, whole = model.init(0), jax.jit(model.whole)

    def without_cache(known: list[int]) -> tuple[np.ndarray, int]:
        """Rows of the last thoughts, and the next one; what is later does not matter to a decoder."""
        padded = np.zeros(128, np.int32)
        padded[: len(known)] = known
        rows, thoughts = whole(parameters, padded)
        return np.asarray(rows)[len(known) - model.THOUGHTS : len(known)], int(thoughts[len(known) - 1])

    with example.System2(example.bundle) as system:
        tokens: dict[str, list[int]] = {}
        contexts = []
        for name in ("left", "right"):
            contexts.append(system.begin(name, WORDS))
            tokens[name] = [*WORDS.tolist(), model.BEGIN]
        assert contexts[0].pages[:2] == contexts[1].pages[:2] and contexts[0].pages[2] != contexts[1].pages[2]
        for tick in range(6):
            context, depth = contexts[tick % 2], example.image(5 * tick)
            found = system.tick(context, depth).copy()
            known = tokens[context.name]
            known += model.patch_tokens(depth).tolist()
            for _ in range(model.THOUGHTS):
                # One after the other: each is what the decoder says about everything before it.
                known.append(without_cache(known)[1])
            wanted, _ = without_cache(known)
            assert context.length == len(known)
            assert np.abs(found - wanted).max() < 1e-4


def test_what_it_sees_matters_and_what_it_saw(example: Any) -> None:
    with example.System2(example.bundle) as system:
        context = system.begin("a", WORDS)
        first = system.tick(context, example.image(0)).copy()
        twin = system.kv.fork(context, "b")
        again = system.tick(context, example.image(0)).copy()
        other = system.tick(twin, example.image(20)).copy()
        assert np.abs(first - again).max() > 1e-3
        assert np.abs(again - other).max() > 1e-3
        assert context.pages[:5] == twin.pages[:5] and context.pages[5:] != twin.pages[5:]
        # A twin that sees the same says the same, bit for bit.
        third = system.kv.fork(context, "c")
        assert np.array_equal(
            system.tick(context, example.image(3)).copy(), system.tick(third, example.image(3))
        )


def play(system: Any, example: Any, ticks: int) -> None:
    contexts = [system.begin(name, WORDS) for name in ("left", "right")]
    for tick in range(ticks):
        if tick % 40 == 39:  # a new episode; the other context goes on and slides
            system.kv.close(contexts[0])
            contexts[0] = system.begin("left", WORDS)
        assert np.isfinite(system.tick(contexts[tick % 2], example.image(tick))).all()
    for context in contexts:
        system.kv.close(context)


def test_memory_is_flat(example: Any) -> None:
    with example.System2(example.bundle) as system:
        play(system, example, 10)
        ledger, before = system.arena.ledger(), system.device.statistics()
        play(system, example, 60)
        after = system.device.statistics()
        assert system.arena.ledger() == ledger and system.arena.used == system.arena.nbytes
        assert after["device_bytes_allocated"] == before["device_bytes_allocated"]
        assert system.kv.usage()["held"] == 0


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_memory_is_flat_over_ten_thousand_ticks(example: Any) -> None:
    with example.System2(example.bundle) as system:
        play(system, example, 1000)
        ledger, before = system.arena.ledger(), system.device.statistics()
        resident = example.resident()
        play(system, example, 10_000)
        grown = example.resident() - resident
        assert grown < 1 << 20, f"grew by {grown} bytes"
        assert system.arena.ledger() == ledger
        after = system.device.statistics()
        assert after["device_bytes_allocated"] == before["device_bytes_allocated"]
