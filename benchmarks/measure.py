"""What the benchmarks share: arguments, directories, pinning, quantiles, verdicts."""

from __future__ import annotations

import argparse
import atexit
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from math import isnan, nan
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from polyrhythm.runtime import Plan

FLAGS = [
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=host",
]


@dataclass(frozen=True)
class Figure:
    """One measured number, beside its target if it has one; NaN: it could not be measured."""

    name: str
    value: float
    unit: str
    target: float | None = None
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether the target is reached; a figure without one always is, if it was measured."""
        if isnan(self.value):
            return False
        if self.target is None:
            return True
        return self.value >= self.target if self.at_least else self.value <= self.target

    def described(self) -> dict[str, object]:
        """Ready for `json.dumps`: the value is None if it could not be measured."""
        return asdict(self) | {"value": None if isnan(self.value) else self.value, "met": self.met}

    @classmethod
    def of(cls, described: Mapping[str, Any]) -> Figure:
        """What `described` gave."""
        value = described["value"]
        kept = {key: each for key, each in described.items() if key != "met"}
        return cls(**kept | {"value": nan if value is None else value})

    def __str__(self) -> str:
        if isnan(self.value):
            return f"{self.name:<58} {'-':>10} {self.unit}   not measured"
        text = f"{self.name:<58} {self.value:>10.2f} {self.unit}"
        if self.target is None:
            return text
        sign, verdict = ">=" if self.at_least else "<=", "ok" if self.met else "MISSED"
        return f"{text}   target {sign} {self.target:g}   {verdict}"


def parser(description: str) -> argparse.ArgumentParser:
    """`--quick` and `--json`, for a benchmark that has more options."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--quick", action="store_true", help="fewer rounds: under 45 s")
    made.add_argument("--json", action="store_true", help="figures as JSON on standard output")
    return made


def arguments(description: str) -> argparse.Namespace:
    """`--quick` and `--json`."""
    return parser(description).parse_args()


def finish(figures: Sequence[Figure], as_json: bool) -> int:
    """Print the figures, those with a target last; the exit code."""
    figures = sorted(figures, key=lambda figure: figure.target is not None)
    if as_json:
        json.dump([figure.described() for figure in figures], sys.stdout, indent=1)
        print()
    else:
        print(*figures, sep="\n")
    return 0 if all(figure.met for figure in figures) else 1


class HostTime:
    """How much of a virtual machine's cores its host takes from now on."""

    def __init__(self) -> None:
        self._taken_s, self._began_s = self._stolen_s(), perf_counter()

    @staticmethod
    def _stolen_s() -> float:
        cpu = Path("/proc/stat").read_text().split("\n", 1)[0].split()
        return int(cpu[8]) / os.sysconf("SC_CLK_TCK")

    def figure(self) -> Figure:
        """The share until now."""
        cores_s = (perf_counter() - self._began_s) * len(os.sched_getaffinity(0))
        share = (self._stolen_s() - self._taken_s) / cores_s
        return Figure("time of the cores that the host took", 100 * share, "%")


def temporary() -> Path:
    """A directory that is gone with the benchmark."""
    made = tempfile.mkdtemp(prefix="polyrhythm-bench-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def planned(source: str, artefact: str, manifest: str) -> Plan:
    """A bundle of one module in MLIR and a manifest, checked."""
    from polyrhythm.compile import lock_existing
    from polyrhythm.runtime import check

    root = temporary()
    compiled(source).rename(root / artefact)
    (root / "manifest.yaml").write_text(manifest)
    lock_existing(root)
    checked = check(root)
    if checked.plan is None:
        raise SystemExit("\n".join(d.render() for d in checked.diagnostics))
    return checked.plan


def quantile(values: Sequence[float], q: float) -> float:
    """The nearest-rank quantile; NaN of nothing."""
    ordered = sorted(values)
    if not ordered:
        return nan
    return ordered[min(int(q * len(ordered)), len(ordered) - 1)]


def largest(values: Iterable[float], default: float = nan) -> float:
    """The largest; NaN if one is: `max` passes over it."""
    found = list(values) or [default]
    return nan if any(map(isnan, found)) else max(found)


def over_rounds(rounds: Sequence[Sequence[float]], q: float) -> float:
    """The median over rounds of each round's quantile: a neighbour's burst spoils some rounds only. NaN if
    there is nothing in one of them."""
    return median(quantile(values, q) for values in rounds) if all(map(len, rounds)) else nan


def cores() -> tuple[int, int]:
    """(host, device): where the measuring thread and the device's threads are pinned; equal on one core."""
    ours = sorted(os.sched_getaffinity(0))
    return ours[0], ours[-1]


@contextmanager
def pinned(core: int) -> Iterator[None]:
    """Pin this thread. Unpinned, this kernel often puts two runnable threads on one virtual core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def compiled(source: str) -> Path:
    """Compile MLIR text for this machine."""
    from iree.compiler import compile_str

    artefact = temporary() / "module.vmfb"
    artefact.write_bytes(compile_str(source, extra_args=FLAGS))
    return artefact
