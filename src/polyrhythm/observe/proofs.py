"""What `check` tells about time: bounds, chains, chunks, advice, and the sum behind a bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from polyrhythm.analysis import Bound, ChunkVerdict, ModuleVerdict
from polyrhythm.observe.tables import table
from polyrhythm.runtime import TimeProof
from polyrhythm.runtime.proof import ModuleProof, advise, ms

Json = Mapping[str, Any]
#: What is told of a chunk in control ticks.
_CHUNK_TICKS = ("delay", "stride", "horizon", "spare")


def describe_proof(proof: TimeProof | None) -> dict[str, Any] | None:
    """All of a proof ready for `json.dumps`, in milliseconds; None if nothing could be said."""
    if proof is None:
        return None
    return {
        "complete": proof.complete,
        "modules": {name: _module(proof, name, judged) for name, judged in proof.modules.items()},
        "unknown": dict(proof.unknown),
        "chains": [
            {"hops": list(chain.hops), "end_to_end_ms": _float(chain.end_to_end_ns)} for chain in proof.chains
        ],
        "chunks": {name: _chunk(chunk) for name, chunk in proof.chunks.items()},
        "assumptions": list(proof.assumptions),
    }


def names(proof: TimeProof | None) -> list[str]:
    """The modules that something can be said about."""
    return [] if proof is None else [*proof.modules, *proof.unknown]


def _module(proof: TimeProof, name: str, judged: ModuleProof) -> dict[str, Any]:
    verdict, advice = judged.verdict, advise(proof, name)
    return {
        "device": verdict.device,
        "policy": proof.schedule.policy(verdict.device).value,
        "best_effort": verdict.best_effort,
        "feasible": verdict.feasible,
        "bound_ms": _float(verdict.bound_ns),
        "deadline_ms": _float(verdict.deadline_ns),
        "slack_ms": _float(verdict.slack_ns),
        "slack_with_all_steps_ms": None if judged.full is None else _float(judged.full.slack_ns),
        "blocker": verdict.blocker,
        "blocked_ms": _float(verdict.blocker_ns),
        "refusal": verdict.refusal,
        "costs_ms": [_float(cost) for cost in judged.costs_ns],
        "costs_from": judged.source,
        "sum": _terms(verdict.bound),
        "advice": {
            "stages": [
                {
                    "module": a.name,
                    "largest_stage_ms": _float(a.largest_stage_ns),
                    "limit_ms": _float(a.limit_ns),
                }
                for a in advice.stages
            ],
            "largest_cost_ms": _float(advice.largest_cost_ns),
            "text": list(advice.text),
        },
    }


def _chunk(chunk: ChunkVerdict | None) -> dict[str, Any]:
    """The numbers are None where nothing is proven."""
    if chunk is None:
        return {f"{key}_ticks": None for key in _CHUNK_TICKS} | {"fits": False}
    ticks = (chunk.delay + chunk.behind, chunk.stride, chunk.horizon, chunk.spare)
    found = {f"{key}_ticks": n for key, n in zip(_CHUNK_TICKS, ticks, strict=True)}
    return found | {"fits": chunk.feasible}


def _terms(bound: Bound) -> dict[str, Any] | None:
    if bound.bound_ns is None:
        return None
    return {
        "blocked": [
            {"module": b.name, "stages_ms": [_float(stage) for stage in b.stages_ns]} for b in bound.blocked
        ],
        "interference": [
            {
                "module": i.name,
                "jobs": i.jobs,
                "cost_ms": _float(i.cost_ns),
                "overrun_ms": _float(i.overrun_ns),
            }
            for i in bound.interference
        ],
        "own_jobs": bound.own_jobs,
        "cost_ms": _float(bound.cost_ns),
        "release_ms": _float(bound.release_ns),
        "start_ms": _float(bound.start_ns),
        "busy_ms": _float(bound.busy_ns),
        "tried": bound.tried,
        "ties_exact": bound.ties_exact,
        "by_demand": bound.by_demand,
    }


def _float(value_ns: Fraction | int | None) -> float | None:
    return None if value_ns is None else float(value_ns) / 1e6


# -- tables -------------------------------------------------------------------------------------------------


def render_proof(found: Json | None) -> RenderableType:
    """The tables of a described proof, then the verdict and what it stands on."""
    if found is None:
        return Group()
    if not found["modules"]:
        return Text("\n".join(_no_proof(found)))
    parts: list[RenderableType] = [_modules(found)]
    if found["chains"]:
        parts.append(_chains(found["chains"]))
    if found["chunks"]:
        parts.append(_chunks(found["chunks"]))
    if advice := [(n, line) for n, m in found["modules"].items() for line in m["advice"]["text"]]:
        parts.append(Text("advice", style="bold"))
        parts += [Text(f"- {name}: {line}") for name, line in advice]
        parts.append(Text())
    parts.append(Text("\n".join(_verdict(found))))
    return Group(*parts)


def _modules(found: Json) -> RenderableType:
    stepping = any(m["slack_with_all_steps_ms"] is not None for m in found["modules"].values())
    choosing = any(m["policy"] != "fixed" for m in found["modules"].values())
    extra = (*(("slack, all steps",) if stepping else ()), *(("<policy",) if choosing else ()))
    made = table("time (ms, at worst)", "module", "bound", "deadline", "slack", *extra, "<blocked by", "for")
    for name, m in found["modules"].items():
        slack = _ms(m["slack_ms"])
        more = (_ms(m["slack_with_all_steps_ms"]),) if stepping else ()
        more += (m["policy"],) if choosing else ()
        if m["best_effort"]:
            made.add_row(name, "best effort", *["-"] * (4 + len(extra)))
            continue
        made.add_row(
            name, _ms(m["bound_ms"]), _ms(m["deadline_ms"]), slack if m["feasible"] else Text(slack, "red"),
            *more, m["blocker"] or "-", _ms(m["blocked_ms"]) if m["blocker"] else "-",
        )  # fmt: skip
    for name in found["unknown"]:
        made.add_row(name, "unknown", *["-"] * (4 + len(extra)))
    return made


def _chains(found: list[Json]) -> RenderableType:
    made = table("chains (ms, at worst)", "path", "reaction, data age")
    for chain in found:
        made.add_row(" -> ".join(chain["hops"]), _ms(chain["end_to_end_ms"]))
    return made


def _chunks(found: Json) -> RenderableType:
    made = table("chunks (control ticks)", "module", *_CHUNK_TICKS, "<in time")
    for name, c in found.items():
        numbers = [c[f"{key}_ticks"] for key in _CHUNK_TICKS]
        no = Text("not proven" if None in numbers else "no", "red")
        made.add_row(name, *("-" if n is None else str(n) for n in numbers), "yes" if c["fits"] else no)
    return made


def _ms(value_ms: float | None) -> str:
    return "-" if value_ms is None else ms(Fraction(value_ms) * 1_000_000)


def _verdict(found: Json) -> Iterator[str]:
    late = [name for name, m in found["modules"].items() if not m["feasible"]]
    free = [name for name, m in found["modules"].items() if m["best_effort"]]
    if met := [name for name in found["modules"] if name not in late + free]:
        yield f"time: {', '.join(met)} {'meets its' if len(met) == 1 else 'meet their'} deadline every time"
    if late:
        yield f"time: {', '.join(late)} may be late"
    if free:
        verb = "gets" if len(free) == 1 else "get"
        yield f"time: {', '.join(free)} {verb} what is left, within a budget"
    yield "assuming that"
    yield from (f"- {line}" for line in found["assumptions"])
    if found["unknown"]:
        yield from _no_proof(found)


def _no_proof(found: Json) -> Iterator[str]:
    yield f"time: no proof for {', '.join(found['unknown'])}, because costs are not known"
    yield from (f"- {name}: {reason}" for name, reason in found["unknown"].items())
    yield "- measure: `polyrhythm profile BUNDLE --out FILE`, then `polyrhythm check BUNDLE --costs FILE`"
    yield "- or write `cost_ms` in the manifest, to plan for hardware that is not there"


# -- the sum ------------------------------------------------------------------------------------------------


def explain(proof: TimeProof | None, name: str) -> RenderableType:
    """The sum behind the bound of a module, line by line."""
    if proof is None:
        return Text("nothing can be said about time before the errors are mended")
    if name not in proof.modules:
        return Text(f"{name} has no bound: {proof.unknown[name]}")
    judged = proof.modules[name]
    verdict, bound = judged.verdict, judged.verdict.bound
    if verdict.best_effort:
        return Text(
            f"{name} has no bound: it has a budget, so it is best effort.\n"
            + "\n".join(f"- {line}" for line in proof.assumptions if line.startswith(f"{name}:"))
        )
    head = f"{name} on {verdict.device}: how long may it take from its release to its end?"
    if bound.bound_ns is None:
        return Group(Text(head), Text(f"There is no bound: {bound.refusal}."))
    rows = table("", "what stands before its end", "ms")
    for what, value_ns in _rows(judged):
        rows.add_row(what, ms(value_ns))
    rows.add_section()
    rows.add_row("bound", ms(bound.bound_ns))
    rows.add_row("deadline", ms(verdict.deadline_ns))
    rows.add_row("slack", ms(verdict.deadline_ns - bound.bound_ns))
    lines = [*_remarks(judged), *_against(judged), *advise(proof, name).text]
    assumed = ["", "assuming that", *(f"- {line}" for line in proof.assumptions)]
    return Group(Text(head, style="bold"), rows, Text("\n".join([*lines, *assumed])))


def _rows(judged: ModuleProof) -> Iterator[tuple[str, Fraction | int]]:
    bound = judged.verdict.bound
    for blocked in bound.blocked:
        count = len(blocked.stages_ns)
        what = "a stage" if count == 1 else f"{count} stages"
        then = "until the device leaves it" if bound.gives_way else "launched just before"
        yield f"blocked by {what} of {blocked.name}, {then}", blocked.ns
    if bound.by_demand:
        return
    for other in bound.interference:
        if other.overrun_ns:
            spent = f"{other.jobs} x {ms(other.cost_ns)}"
            yield f"the budget of {other.name}, {spent}, and a stage that overruns", other.ns
            continue
        jobs = "1 job" if other.jobs == 1 else f"{other.jobs} jobs"
        yield f"{jobs} of {other.name}, which goes first: {other.jobs} x {ms(other.cost_ns)}", other.ns
    own = _own(judged)
    if bound.own_jobs > 1:
        before = bound.own_jobs - 1
        yield f"jobs of its own before: {before} x {ms(bound.cost_ns)}", before * bound.cost_ns
    yield f"its own stages: {own}", bound.cost_ns
    if ms(bound.release_ns).lstrip("-") != "0":
        late = "the scheduler hears late of its release, by"
        yield "less the time of its release" if bound.release_ns > 0 else late, -bound.release_ns


def _own(judged: ModuleProof) -> str:
    """``start 1 + 2 x step 2 + finish 1``."""
    names = list(judged.plan.stages)
    if len(names) != len(judged.costs_ns) and judged.plan.loop is not None:
        loop = judged.plan.loop
        del names[loop.first : loop.first + loop.full - loop.fast]
    parts = []
    for (name, cost_ns), group in groupby(zip(names, judged.costs_ns, strict=True)):
        count = len(list(group))
        parts.append(f"{name} {ms(cost_ns)}" if count == 1 else f"{count} x {name} {ms(cost_ns)}")
    return " + ".join(parts)


def _remarks(judged: ModuleProof) -> Iterator[str]:
    bound = judged.verdict.bound
    if bound.gives_way:
        yield "The device leaves a stage for a more urgent one. All phases are taken at their worst."
    else:
        yield "A stage that runs is not interrupted, and all phases are taken at their worst."
    if bound.by_demand:
        yield "All deadlines of the device were tried together and are met; so the bound is the deadline."
        return
    if bound.interference and bound.gives_way:
        yield (
            f"The job ends {ms(bound.start_ns)} ms after the wait began, at the latest: what is released "
            "later does not count."
        )
    elif bound.interference:
        yield (
            f"The last stage starts {ms(bound.start_ns)} ms after the wait began, at the latest: what is "
            "released later does not count."
        )
    if bound.tried > 1:
        yield (
            f"{bound.tried} releases were tried, all within the {ms(bound.busy_ns)} ms that the device can "
            "be busy without a pause, as long as they do not repeat earlier ones; number "
            f"{bound.worst_job + 1} is the worst."
        )
    if not bound.ties_exact:
        yield "Modules of the same priority are counted as if they always went first."
    if judged.full is not None and judged.plan.loop is not None:
        yield _steps(judged.full, judged.plan.loop.full, judged.plan.loop.fast)


def _steps(full: ModuleVerdict, most: int, least: int) -> str:
    if full.bound_ns is None or full.slack_ns is None:
        return f"These are {least} steps; with all {most} there is no bound: {full.refusal}."
    return (
        f"These are {least} steps; with all {most} the bound is {ms(full.bound_ns)} ms, the slack "
        f"{ms(full.slack_ns)} ms."
    )


def _against(judged: ModuleProof) -> Iterator[str]:
    if judged.verdict.refusal is not None:
        yield f"But there is no proof: {judged.verdict.refusal}."
