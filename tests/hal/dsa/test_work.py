"""What kernels work on, from the compiler to the file and back."""

from __future__ import annotations

import pytest

from polyrhythm.hal.conformance import Kit
from polyrhythm.hal.dsa import Span, WorkEntry, read_work
from polyrhythm.hal.dsa.work import dumps

from .programs import entry, layers, step


@pytest.fixture(scope="module")
def work(planned: Kit) -> dict[str, WorkEntry]:
    return read_work(planned.artefact.with_suffix(".work.json"))


def test_a_file_gives_what_was_put_in(tmp_path) -> None:  # type: ignore[no-untyped-def]
    entries = [layers(), entry(step("k", [Span("input.x", 0, 64)], [Span("arena", 64, 128)]), name="other")]
    path = tmp_path / "m.work.json"
    path.write_bytes(dumps(entries))
    assert read_work(path) == {"step": entries[0], "other": entries[1]}


def test_an_addition_reads_two_tensors_and_writes_one(work: dict[str, WorkEntry]) -> None:
    (kernel,) = work["add"].steps
    assert kernel.flops == 64
    assert kernel.reads == (Span("input.a", 0, 256), Span("input.b", 0, 256))
    assert kernel.writes == (Span("output.sum", 0, 256),)
    assert work["add"].results == (Span("output.sum", 0, 256),)


def test_weights_have_their_names(work: dict[str, WorkEntry]) -> None:
    assert work["two"].memories["weight.gain"] == 256
    assert work["two"].moved_bytes("weight.gain") == 256


def test_a_row_that_is_written_in_place_is_a_row(work: dict[str, WorkEntry]) -> None:
    (kernel,) = work["step"].steps
    assert kernel.writes == (Span("input.cache", 768, 1024),)
    assert work["step"].results == (Span("input.cache", 0, 65536),)


def test_a_product_counts_two_operations_for_each_term(work: dict[str, WorkEntry]) -> None:
    """A hundred products of 128 x 128 matrices."""
    assert sum(kernel.flops for kernel in work["grind"].steps) == 100 * 2 * 128**3


def test_bytes_count_once_however_often_they_are_touched() -> None:
    x, y = Span("input.x", 0, 64), Span("input.x", 32, 96)
    assert entry(step("a", [x], [x]), step("b", [y], [])).moved_bytes("input.x") == 96 + 64
