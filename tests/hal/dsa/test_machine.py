"""The figures of a machine: what a URI may say, and what follows from it."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from polyrhythm.hal.dsa import KEYS, Command, Machine, MachineError
from tests.effort import examples


def test_what_is_left_out_is_by_default() -> None:
    machine = Machine.parse("")
    assert (machine.cores, machine.channels, machine.sram_bytes, machine.work_bytes) == (
        2,
        2,
        1 << 20,
        1 << 18,
    )
    assert machine == Machine.parse(",".join(f"{n}={key.default}" for n, key in KEYS.items() if key.default))


def test_rates_are_exact() -> None:
    machine = Machine.parse("dram_gbps=12.8,gflops=0.3,cores=3")
    assert machine.dram_rate == Fraction(64, 5) and machine.transfer_ns(128) == 10
    assert machine.transfer_ns(129) == 11 and machine.transfer_ns(0) == 0
    assert machine.compute_ns(1, 0) == 10  # a third of 0.3 operations in a nanosecond


def test_a_core_is_as_fast_as_the_slower_of_arithmetic_and_memory() -> None:
    machine = Machine.parse("cores=2,gflops=20,sram_gbps=40")
    assert machine.compute_ns(1000, 0) == 100
    assert machine.compute_ns(1000, 1000) == 100
    assert machine.compute_ns(1000, 4000) == 200


def test_setup_is_by_kind() -> None:
    machine = Machine.parse("launch_ns=70,dma_ns=30")
    assert machine.setup_ns(Command("compute", "k", "core0", 1)) == 70
    assert machine.setup_ns(Command("store", "k", "dma0", 1)) == 30


@pytest.mark.parametrize(
    "uri",
    [
        "local-sync", "cores", "corse=2", "cores=0", "cores=1.5", "cores=two", "cores=2,cores=3", "cores=",
        "sram_kib=-1", "dram_gbps=nan", "dram_gbps=1e999999999", "dram_gbps=" + "9" * 100, "gflops=0",
        "work_kib=2048",
    ],
)  # fmt: skip
def test_messages(uri: str, snapshot: SnapshotAssertion) -> None:
    with pytest.raises(MachineError) as caught:
        Machine.parse(uri)
    error = caught.value
    assert {
        "message": error.message,
        "value": error.value,
        "allowed": error.allowed,
        "mend": error.mend,
    } == snapshot


@examples(30)
@given(st.text(max_size=60))
def test_anything_is_a_machine_or_refused(uri: str) -> None:
    with suppress(MachineError):
        assert Machine.parse(uri).cores
