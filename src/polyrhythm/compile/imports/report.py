"""What an import tells: where the model went and why, what was changed, how far it is from the original."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from polyrhythm.bundle import Bundle, LockedGate


@dataclass(frozen=True)
class Report:
    """The outcome of an import.

    Attributes:
        source: the name of the file (or directory) that was imported.
        driver: where it went.
        why: why there, in a sentence without a full stop.
        changed: what is not as it was in the original, a line each.
        operations: those of the original, by kind.
        latency_ms: median of a call by driver, in this process, on one thread; what was not measured is not
            there.
        gates: how far every entry's outputs are from the original's.
    """

    source: str
    driver: str
    why: str
    changed: tuple[str, ...] = ()
    operations: Mapping[str, int] = field(default_factory=dict)
    latency_ms: Mapping[str, float] = field(default_factory=dict)
    gates: Mapping[str, LockedGate] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """The report as text."""
        yield f"{self.source} -> {self.driver}: {self.why}"
        for line in self.changed:
            yield f"  changed: {line}"
        if self.operations:
            counts = sorted(self.operations.items(), key=lambda item: (-item[1], item[0]))
            listed = ", ".join(f"{count} {name}" for name, count in counts[:12])
            more = f" and {len(counts) - 12} kinds more" if counts[12:] else ""
            yield f"  operations: {listed}{more}"
        if self.latency_ms:
            yield "  a call: " + ", ".join(f"{name} {ms:.3g} ms" for name, ms in self.latency_ms.items())
        for entry, gate in self.gates.items():
            for name, error in gate.outputs.items():
                yield (
                    f"  {entry}.{name}: max_rel {error.max_rel:.2g} (at most {error.tolerance:.2g}) over "
                    f"{gate.samples} random inputs"
                )

    def to_dict(self) -> dict[str, Any]:
        """The same, ready for `json.dumps`."""
        return {
            "source": self.source,
            "driver": self.driver,
            "why": self.why,
            "changed": list(self.changed),
            "operations": dict(self.operations),
            "latency_ms": dict(self.latency_ms),
            "max_rel": {
                f"{entry}.{name}": error.max_rel
                for entry, gate in self.gates.items()
                for name, error in gate.outputs.items()
            },
        }


def report_of(source: str, bundle: Bundle, what: str, changed: Iterable[str]) -> Report:
    """What is told of a bundle that torch-mlir made of `what`: counts and gates are those of its lock."""
    operations: Counter[str] = Counter()
    gates: dict[str, LockedGate] = {}
    for module in bundle.lock.modules.values():
        operations.update(module.operations)
        gates |= {name: entry.gate for name, entry in module.signatures.items() if entry.gate is not None}
    entries = "1 entry" if len(gates) == 1 else f"{len(gates)} entries"
    return Report(
        source, "iree", f"{what}, {entries} through torch-mlir", tuple(changed), operations, {}, gates
    )
