"""The accelerator's figures, and how long its commands take: a roofline, in whole nanoseconds."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from polyrhythm.hal.dsa.program import Command
from polyrhythm.manifest.diagnostics import nearest


class Key(NamedTuple):
    """A figure of the URI: from, to, what stands if it is left out, whether it is a whole number, meaning."""

    least: Fraction
    most: Fraction
    default: str
    whole: bool
    meaning: str


def _key(least: str, most: str, default: str, whole: bool, meaning: str) -> Key:
    return Key(Fraction(least), Fraction(most), default, whole, meaning)


KEYS = {
    "cores": _key("1", "64", "2", True, "cores; each has a queue and an equal share of the peak rate"),
    "sram_kib": _key("1", "1048576", "1024", True, "SRAM that all cores share, in KiB"),
    "work_kib": _key("1", "1048576", "", True, "as much of it as calls work on; a quarter if absent"),
    "dram_gbps": _key("0.001", "100000", "10", False, "GB/s of the memory behind the DMA channels"),
    "channels": _key("1", "64", "2", True, "DMA channels; each has a queue, they take turns at the memory"),
    "gflops": _key("0.001", "10000000", "100", False, "peak rate of all cores together"),
    "sram_gbps": _key("0.001", "1000000", "200", False, "GB/s of SRAM for all cores together"),
    "launch_ns": _key("0", "1000000000", "500", True, "what it takes a core to begin a command"),
    "dma_ns": _key("0", "1000000000", "200", True, "what it takes a channel to begin a transfer"),
}


class MachineError(ValueError):
    """A URI that describes no machine: what is wrong, the value, what is allowed there, how to mend it."""

    def __init__(self, message: str, value: str, allowed: str, mend: str) -> None:
        super().__init__(f"{message}; allowed: {allowed}")
        self.message, self.value, self.allowed, self.mend = message, value, allowed, mend


@dataclass(frozen=True, slots=True)
class Machine:
    """What `KEYS` describes; rates are bytes and operations per nanosecond."""

    cores: int
    channels: int
    sram_bytes: int
    work_bytes: int
    dram_rate: Fraction
    flop_rate: Fraction
    sram_rate: Fraction
    launch_ns: int
    dma_ns: int

    @classmethod
    def parse(cls, uri: str) -> Machine:
        """The machine of a URI such as ``cores=4,sram_kib=2048,dram_gbps=50``; empty: all as by default.

        Raises:
            MachineError: a key that is unknown or comes twice, a number that is none or out of bounds.
        """
        given: dict[str, Fraction] = {}
        for part in filter(None, uri.split(",")):
            name, sign, text = part.partition("=")
            if not sign or name not in KEYS:
                near = nearest(name, KEYS)
                mend = f"did you mean `{near}`?" if near and sign else "write KEY=NUMBER, with commas between"
                raise MachineError(f"a dsa device knows no {name!r}", part, ", ".join(KEYS), mend)
            if name in given:
                raise MachineError(f"{name} is there twice", part, "each key once", "leave one of them out")
            given[name] = _number(name, text)
        values = {name: given.get(name, Fraction(key.default or 0)) for name, key in KEYS.items()}
        sram = int(values["sram_kib"]) << 10
        work = int(values["work_kib"]) << 10 if "work_kib" in given else max(sram // 4 // 64 * 64, 64)
        if work > sram:
            allowed = f"1 to {values['sram_kib']}"
            text = f"work_kib is {values['work_kib']}, and there are {values['sram_kib']} KiB of SRAM"
            raise MachineError(text, f"work_kib={values['work_kib']}", allowed, "make sram_kib larger")
        return cls(
            cores=int(values["cores"]),
            channels=int(values["channels"]),
            sram_bytes=sram,
            work_bytes=work,
            dram_rate=values["dram_gbps"],
            flop_rate=values["gflops"],
            sram_rate=values["sram_gbps"],
            launch_ns=int(values["launch_ns"]),
            dma_ns=int(values["dma_ns"]),
        )

    def core(self, number: int) -> str:
        """The queue of a core, any number."""
        return f"core{number % self.cores}"

    def setup_ns(self, command: Command) -> int:
        """From when a queue takes a command to when it begins; the one before may still be running."""
        return self.launch_ns if command.kind == "compute" else self.dma_ns

    def compute_ns(self, flops: int, nbytes: int) -> int:
        """How long a core has `flops` operations on `nbytes` to do: as long as the slower of the two."""
        return max(ceil(flops * self.cores / self.flop_rate), ceil(nbytes * self.cores / self.sram_rate))

    def transfer_ns(self, nbytes: int) -> int:
        """How long the memory is busy with a transfer."""
        return ceil(nbytes / self.dram_rate)


def _number(name: str, text: str) -> Fraction:
    key = KEYS[name]
    allowed = f"{float(key.least):.10g} to {float(key.most):.10g}" + (", a whole number" if key.whole else "")
    mend = f"{name} means: {key.meaning}"
    try:
        number = Decimal(text)
        value = Fraction(number) if number.is_finite() and abs(number.adjusted()) < 20 else Fraction(-1)
    except (InvalidOperation, ValueError, OverflowError):
        raise MachineError(f"{name} is {text[:40]!r}, which is no number", text[:40], allowed, mend) from None
    if not key.least <= value <= key.most or (key.whole and value.denominator != 1):
        raise MachineError(f"{name} is {text[:40]}", text[:40], allowed, mend)
    return value
