"""`check` for memory: does a bundle fit into what its manifest allows, alone and beside others?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from polyrhythm.analysis import Ledger, Line, Refusal, overlap, refusal
from polyrhythm.manifest import Diagnostic, Location, Manifest
from polyrhythm.manifest.diagnostics import Path

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker
    from polyrhythm.runtime.plan import Checked

TOTAL: Path = ("memory", "total")
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


@dataclass(frozen=True)
class Together:
    """Two or more bundles at their worst: `beside` each other, or in the `swap` from one to the other.

    `needed` bytes of `budget`; None: nothing says how much there is.
    """

    how: Literal["beside", "swap"]
    bundles: tuple[str, ...]
    needed: int
    budget: int | None


@dataclass(frozen=True)
class MemoryProof:
    """What is known of a bundle's memory.

    Attributes:
        ledger: every byte, in all contexts.
        unknown: what cannot be known yet, in words.
        together: what it was judged together with.
        locate: finds the place of a manifest path.
    """

    manifest: Manifest = field(repr=False)
    ledger: Ledger
    unknown: tuple[str, ...] = ()
    together: tuple[Together, ...] = ()
    locate: Callable[[Path], Location] = field(default=lambda path: Location(""), repr=False, compare=False)

    @property
    def bundle(self) -> str:
        """What the bundle is called in the ledger."""
        return self.ledger.lines[0].bundle if self.ledger.lines else self.manifest.name or "bundle"

    @property
    def least_urgent(self) -> tuple[str, ...]:
        """Its modules, those that can be missed first: by `qos`, then by what they occupy."""
        orchestration, sizes = self.manifest.orchestration, self.ledger.by_module()
        ordered = sorted(
            orchestration.modules, key=lambda m: (-orchestration.priority(m), -sizes.get(m.id, 0))
        )
        return tuple(module.id for module in ordered)

    def freed(self, *modules: str) -> int:
        """Bytes that leaving these modules out gives back."""
        return sum(line.total for line in self.ledger.lines if set(modules).issuperset(line.owners))


def check_memory(checker: Checker, ledger: Ledger, unknown: Sequence[str] = ()) -> MemoryProof:
    """Judge a ledger by the budgets of its manifest, and say what does not fit."""
    memory = checker.manifest.memory
    proof = MemoryProof(checker.manifest, ledger, tuple(unknown), locate=checker.bundle.locate)
    _understated(checker, ledger)
    urgency = proof.least_urgent
    if memory.total is not None and (found := refusal([ledger], memory.total, urgency)):
        checker.diagnostics.append(_refused("PC060", proof, found, TOTAL, ""))
    for name, group in memory.groups.items():
        order = [module for module in urgency if module in group.modules]
        if found := refusal([ledger.of_group(name)], group.budget, order, name):
            path = ("memory", "groups", name, "budget")
            checker.diagnostics.append(_refused("PC061", proof, found, path, ""))
    return proof


def check_together(checked: Checked, others: Sequence[Checked], how: Literal["beside", "swap"]) -> Checked:
    """The same, judged with other bundles in one machine.

    Args:
        checked: the bundle that was asked about; in a swap, the one that runs.
        others: beside it, all at once; in a swap, the one that takes over.
        how: see `Together`.
    """
    proofs = [c.memory for c in (checked, *others) if c.memory is not None]
    found = [d for c in others for d in c.diagnostics if d.is_error and d not in checked.diagnostics]
    own = checked.memory
    if own is None or len(proofs) <= len(others):
        return replace(checked, plan=None if found else checked.plan, diagnostics=checked.diagnostics + found)
    # Advice is about who comes last: the bundle asked about comes to the others, the next one to the present.
    ordered = proofs if how == "swap" else [*proofs[1:], own]
    totals = [p for p in proofs if p.manifest.memory.total is not None]
    limit = min(totals, key=lambda p: p.manifest.memory.total or 0, default=None)
    budget = None if limit is None else limit.manifest.memory.total
    ledgers = [proof.ledger for proof in ordered]
    together = Together(how, tuple(p.bundle for p in proofs), overlap(*ledgers).total, budget)
    if limit is None or budget is None:
        found.append(_unlimited(own))
    elif refused := refusal(ledgers, budget, ordered[-1].least_urgent):
        others_named = " and ".join(p.bundle for p in ordered[:-1])
        words = f" beside {others_named}" if how == "beside" else f" while {others_named} is still there"
        code = "PC062" if how == "beside" else "PC063"
        found.append(_refused(code, ordered[-1], refused, TOTAL, words, limit, ordered[refused.part]))
    memory = replace(own, together=(*own.together, together))
    plan = None if any(d.is_error for d in found) else checked.plan
    return replace(checked, plan=plan, diagnostics=checked.diagnostics + found, memory=memory)


def _understated(checker: Checker, ledger: Ledger) -> None:
    """A plan that others rely on is kept: no file is larger than what was declared for it."""
    for module in checker.manifest.orchestration.modules:
        for kind, declared in module.bytes_.declared.items():
            mine = [
                li for li in ledger.lines if module.id in li.owners and li.kind == kind and not li.declared
            ]
            found = sum(line.nbytes for line in mine)
            if found > declared:
                checker.say(
                    "PC064", (*checker.path(module), "bytes", kind),
                    f"{kind} of {module.id}: {declared} bytes were planned, it takes {found}: "
                    + ", ".join(f"{line.name} {line.nbytes}" for line in mine),
                    declared, f"at least {found} bytes, what the built module takes",
                    f"write `{kind}: {found}`, or leave it out: what is built need not be planned",
                )  # fmt: skip


def _refused(
    code: str,
    proof: MemoryProof,
    found: Refusal,
    path: Path,
    words: str,
    limit: MemoryProof | None = None,
    owner: MemoryProof | None = None,
) -> Diagnostic:
    """The diagnostic of a refusal: the limit as the place, the module whose line it is beside it."""
    subject = f"group `{found.of}`" if found.of else proof.bundle
    contexts = (owner or proof).ledger.contexts
    message = (
        f"{subject} does not fit{words}: {_exactly(found.needed)} are needed, "
        f"{found.missing} more than there are; the line that does not fit is {line_text(found, contexts)}, "
        f"{size_text(found.left)} were left"
    )
    also = _module_place(owner or proof, found.line)
    return Diagnostic(
        code,
        "error",
        message,
        (limit or proof).locate(path),
        found.budget,
        f"at most {_exactly(found.budget)}",
        _mend(proof, found),
        () if also is None else (also,),
    )


def line_text(found: Refusal, contexts: int) -> str:
    """The line of a refusal: ``kv of vlm (declared, 256 MiB) in context 3 of 3``."""
    line = found.line
    context = f" in context {found.context} of {max(contexts, found.context)}" if found.context else ""
    return f"{line.kind} of {line.owner} ({line.name}, {size_text(line.nbytes)}){context}"


def _mend(proof: MemoryProof, found: Refusal) -> str:
    parts, contexts = [], proof.ledger.contexts
    if found.contexts:
        parts.append(f"`contexts: {found.contexts}` fits" if found.contexts < contexts else "")
    elif proof.ledger.each:
        parts.append("not even one context fits")
    for modules in found.drop[:4]:
        names = " and ".join(f"`{name}`" for name in modules) + f" ({size_text(proof.freed(*modules))})"
        fewer = f" and write `contexts: {found.drop_contexts}`" if found.drop_contexts < contexts else ""
        parts.append(f"leave out {names}{fewer}")
    if not found.drop:
        parts.append("leaving out modules does not help as long as one is left")
    parts.append("or raise the budget" if found.of else "or find more memory")
    return "; ".join(part for part in parts if part)


def _module_place(proof: MemoryProof, line: Line) -> Location | None:
    for index, module in enumerate(proof.manifest.orchestration.modules):
        if module.id in line.owners:
            return proof.locate(("orchestration", "modules", index))
    return None


def _unlimited(proof: MemoryProof) -> Diagnostic:
    return Diagnostic(
        "PC065",
        "note",
        "nothing says how much memory there is: whether the bundles fit together is not judged",
        proof.locate(TOTAL),
        None,
        "`memory: { total: ... }` in one of the manifests",
        "add `memory: { total: 8 GiB }`",
    )


def _exactly(nbytes: int) -> str:
    return f"{nbytes} bytes" + (f" ({size_text(nbytes)})" if nbytes >= 1024 else "")


def size_text(nbytes: int) -> str:
    """Bytes for people: three digits and a unit of 1024, ``3.26 GiB``."""
    if nbytes < 1024:
        return f"{nbytes} B"
    value, place = float(nbytes), 0
    while value >= 999.5 and place < len(_UNITS) - 1:
        value, place = value / 1024, place + 1
    return f"{value:.3g} {_UNITS[place]}"
