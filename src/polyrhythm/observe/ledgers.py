"""What `check` tells about memory: the ledger by module and kind, budgets, and how many contexts fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from polyrhythm.analysis import KINDS, contexts_that_fit
from polyrhythm.analysis.ledger import Ledger
from polyrhythm.observe.tables import table
from polyrhythm.runtime.memory_check import MemoryProof, size_text

Json = Mapping[str, Any]


def describe_memory(proof: MemoryProof | None) -> dict[str, Any] | None:
    """The whole ledger ready for `json.dumps`, in bytes; None if nothing could be said."""
    if proof is None:
        return None
    ledger, memory = proof.ledger, proof.manifest.memory
    groups = ledger.by_group()
    return {
        "contexts": proof.manifest.contexts,
        "total": ledger.total,
        "once": ledger.once,
        "each_context": ledger.each,
        "budget": memory.total,
        "contexts_that_fit": _contexts(ledger, memory.total),
        "modules": _by_module(ledger),
        "kinds": ledger.by_kind(),
        "groups": {
            name: {
                "modules": list(group.modules),
                "bytes": groups.get(name, 0),
                "budget": group.budget,
                "contexts_that_fit": _contexts(ledger.of_group(name), group.budget),
            }
            for name, group in memory.groups.items()
        },
        "together": [
            {"how": t.how, "bundles": list(t.bundles), "bytes": t.needed, "budget": t.budget}
            for t in proof.together
        ],
        "lines": [
            {
                "owners": list(line.owners),
                "kind": line.kind,
                "name": line.name,
                "bytes": line.nbytes,
                "times": line.times,
                "once": line.key is not None,
                "declared": line.declared,
            }
            for line in ledger.lines
        ],
        "unknown": list(proof.unknown),
    }


def _contexts(ledger: Ledger, budget: int | None) -> int | None:
    """How many contexts a budget has room for; None: there is no budget, or contexts cost nothing."""
    return None if budget is None or not ledger.each else contexts_that_fit([ledger], budget)


def _by_module(ledger: Ledger) -> dict[str, dict[str, int]]:
    """Owner -> kind -> bytes, what contexts have in one context; ``total``: in all of them."""
    found: dict[str, dict[str, int]] = {}
    for line in ledger.lines:
        kinds = found.setdefault(line.owner, {})
        kinds[line.kind] = kinds.get(line.kind, 0) + line.nbytes
    return {
        owner: {kind: kinds[kind] for kind in KINDS if kind in kinds} | {"total": total}
        for (owner, kinds), total in zip(found.items(), ledger.by_module().values(), strict=True)
    }


# -- tables -------------------------------------------------------------------------------------------------


def render_memory(found: Json | None) -> RenderableType:
    """The tables of a described ledger, then the verdict."""
    if found is None:
        return Group()
    parts: list[RenderableType] = [Text(), _modules(found)] if found["lines"] else [Text()]
    if found["budget"] is not None or found["groups"] or found["together"]:
        parts.append(_budgets(found))
    return Group(*parts, Text("\n".join(_verdict(found))))


def _modules(found: Json) -> RenderableType:
    kinds, contexts = list(found["kinds"]), found["contexts"]
    once = {line["kind"] for line in found["lines"] if line["once"]}
    # A star marks what every context has: in the column one of them, in the sum all.
    heads = [kind if kind in once else f"{kind} *" for kind in kinds]
    made = table("memory", "module", *heads, "in all")
    for owner, sizes in found["modules"].items():
        made.add_row(owner, *(_size(sizes.get(kind)) for kind in kinds), _size(sizes["total"]))
    made.add_section()
    made.add_row("in all", *(_size(found["kinds"][kind]) for kind in kinds), _size(found["total"]))
    each = "the one context" if contexts == 1 else f"each of {contexts} contexts"
    made.caption = f"* in {each}" if len(once) < len(kinds) else None
    made.caption_justify = "left"
    return made


def _budgets(found: Json) -> RenderableType:
    made = table("budgets", "", "needs", "has", "left", "contexts that fit")
    if found["budget"] is not None:
        made.add_row("at rest", *_row(found["total"], found["budget"]), _count(found["contexts_that_fit"]))
    for name, group in found["groups"].items():
        fits = _count(group["contexts_that_fit"])
        made.add_row(f"group {name}", *_row(group["bytes"], group["budget"]), fits)
    for both in found["together"]:
        words = " -> ".join(both["bundles"]) if both["how"] == "swap" else " + ".join(both["bundles"])
        made.add_row(f"{both['how']} {words}", *_row(both["bytes"], both["budget"]), "-")
    return made


def _row(needed: int, budget: int | None) -> tuple[str, str, str | Text]:
    if budget is None:
        return size_text(needed), "-", "-"
    left = budget - needed
    shown = size_text(left) if left >= 0 else Text(f"-{size_text(-left)}", "red")
    return size_text(needed), size_text(budget), shown


def _verdict(found: Json) -> Iterator[str]:
    contexts, fits = found["contexts"], found["contexts_that_fit"]
    needs = f"{contexts} context{'s' * (contexts != 1)} of {size_text(found['each_context'])}"
    sum_ = f"memory: {needs}, and {size_text(found['once'])} once: {size_text(found['total'])}"
    if found["budget"] is None:
        yield f"{sum_}; `memory: {{ total: ... }}` in the manifest says what there is"
    elif found["total"] > found["budget"]:
        yield f"{sum_}, of {size_text(found['budget'])}: does not fit"
    else:
        more = "" if fits is None or fits == contexts else f"; {fits} contexts would fit"
        yield f"{sum_}, of {size_text(found['budget'])}{more}"
    if found["unknown"]:
        yield "not known yet"
        yield from (f"- {line}" for line in found["unknown"])


def _size(nbytes: int | None) -> str:
    return "-" if nbytes is None else size_text(nbytes)


def _count(fits: int | None) -> str:
    return "any" if fits is None else str(fits)
