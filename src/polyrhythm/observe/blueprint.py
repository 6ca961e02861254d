"""What `check` tells about a bundle: modules, links and devices of the plan, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType

from polyrhythm.observe.stages import stage_labels
from polyrhythm.observe.tables import digits, table
from polyrhythm.runtime import Checked, Plan
from polyrhythm.schedule.grid import NS_PER_S

SCHEMA = 1


def describe_check(checked: Checked) -> dict[str, Any]:
    """The verdict with all diagnostics and the plan, ready for `json.dumps`."""
    return {
        "schema": SCHEMA,
        "ok": checked.ok,
        "diagnostics": [d.to_dict() for d in checked.diagnostics],
        "plan": None if checked.plan is None else describe(checked.plan),
    }


def describe(plan: Plan) -> dict[str, Any]:
    """The numbers of a plan: milliseconds and hertz."""
    return {
        "mode": plan.manifest.orchestration.mode,
        "modules": {module.id: _module(plan, module.id) for module in plan.manifest.orchestration.modules},
        "links": [
            {
                "from": str(link.source),
                "to": str(link.sink),
                "tensor": None if (tensor := plan.ports.get(str(link.source))) is None else str(tensor),
                "bytes": None if tensor is None else tensor.nbytes,
                "depth": plan.schedule.ports.get(str(link.source)),
                "max_age_ms": None if link.max_age_ns is None else link.max_age_ns / 1e6,
                "on_stale": link.on_stale,
            }
            for link in plan.links
        ],
        "devices": {
            name: {
                "driver": driver,
                "uri": config.uri,
                "cores": list(config.cores),
                "in_flight": plan.schedule.devices[name],
            }
            for name, (driver, config) in plan.devices.items()
        },
        "robot": _robot(plan),
    }


def render_plan(found: Mapping[str, Any]) -> RenderableType:
    """The tables of a described plan."""
    parts = [_modules(found["modules"])]
    if found["links"]:
        parts.append(_links(found["links"]))
    parts.append(_devices(found["devices"]))
    if (robot := found["robot"]) is not None:
        made = table("robot", "adapter", "control Hz", "<action", "<observations")
        made.add_row(
            robot["use"],
            digits(robot["control_hz"]),
            robot["action"],
            ", ".join(robot["observations"]),
        )
        parts.append(made)
    return Group(*parts)


def verdict(name: str, found: Mapping[str, Any]) -> str:
    """One line."""
    errors = sum(d["severity"] == "error" for d in found["diagnostics"])
    notes = len(found["diagnostics"]) - errors
    said = ", ".join(f"{n} {word}{'s' * (n != 1)}" for n, word in ((errors, "error"), (notes, "note")) if n)
    return f"{name}: {'ok' if found['ok'] else 'refused'}" + (f" ({said})" if said else "")


def _module(plan: Plan, name: str) -> dict[str, Any]:
    module, declared = plan.module(name), plan.manifest.orchestration.module(name)
    locked, here = plan.bundle.module(declared.artefact), bool(plan.bundle.artefacts_of(declared))
    return {
        "rate_hz": float(NS_PER_S / module.period_ns),
        "deadline_ms": module.deadline_ns / 1e6,
        "priority": module.priority,
        "device": module.device,
        "stages": list(dict.fromkeys(stage_labels(module))),
        "on_overrun": module.on_overrun.value,
        "artefact": declared.artefact,
        "format": locked.format,
        "source": locked.source,
        "machine_code": "here" if here else "made at first use",
        "weight_bytes": locked.parameters.size,
    }


def _robot(plan: Plan) -> dict[str, Any] | None:
    robot = plan.manifest.robot
    if robot is None:
        return None
    return {
        "use": robot.use,
        "control_hz": float(robot.control_hz),
        "action": f"{robot.action.dtype}{list(robot.action.shape)}",
        "observations": {
            name: f"{spec.dtype}{list(spec.shape)} at {float(robot.observation_hz(name)):g} Hz"
            for name, spec in robot.observations.items()
        },
    }


def _modules(found: Mapping[str, Any]) -> RenderableType:
    made = table(
        "modules",
        "module",
        "Hz",
        "deadline ms",
        "priority",
        "<device",
        "<stages",
        "<overrun",
        "<source",
        "<machine code",
    )
    for name, m in found.items():
        made.add_row(
            name, digits(m["rate_hz"]), digits(m["deadline_ms"]), str(m["priority"]), m["device"],
            ", ".join(m["stages"]), m["on_overrun"], m["source"] or m["artefact"], m["machine_code"],
        )  # fmt: skip
    return made


def _links(found: list[Mapping[str, Any]]) -> RenderableType:
    made = table("links", "from", "<to", "<tensor", "slots", "max age ms", "<when stale")
    for link in found:
        age = link["max_age_ms"]
        made.add_row(
            link["from"], link["to"], link["tensor"] or "as the input", str(link["depth"] or "-"),
            "-" if age is None else digits(age), "-" if age is None else link["on_stale"],
        )  # fmt: skip
    return made


def _devices(found: Mapping[str, Any]) -> RenderableType:
    made = table("devices", "device", "<driver", "<uri", "<cores", "in flight")
    for name, d in found.items():
        cores = ", ".join(map(str, d["cores"])) or "any"
        made.add_row(name, d["driver"], d["uri"], cores, str(d["in_flight"]))
    return made
