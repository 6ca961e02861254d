"""Random manifests that `check` accepts: every module is proven to be in time, so every job can be judged."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from polyrhythm.simulate.piece import Piece, PieceError, beside, open_piece
from polyrhythm.simulate.plans import coin, one_in

#: So many manifests are tried; the last ones ask for next to nothing.
TRIES = 40


def random_manifest(rng: Random, second: Random) -> Piece:
    """The piece of a random manifest, with all that one can declare that `simulate` plays.

    Args:
        second: where the chance of another one comes from, of the same robot, that takes turns with it.
    """
    piece, text, path = _accepted(rng)
    if coin(second):
        other, _, path = _accepted(second, text)
        with suppress(PieceError):  # or the first one plays alone
            return beside(piece, other, path)
    return piece


def _accepted(rng: Random, like: Mapping[str, Any] | None = None) -> tuple[Piece, dict[str, Any], Path]:
    """One that `check` accepts: its piece, what it says, and where it was."""
    for attempt in range(TRIES):
        text = _manifest(rng, 0.9 * (1 - attempt / TRIES), like)
        with tempfile.TemporaryDirectory(prefix="polyrhythm-simulate-") as folder:
            path = Path(folder) / "manifest.yaml"
            path.write_text(json.dumps(text))  # JSON is YAML
            try:
                return open_piece(path), text, path
            except PieceError:
                continue
    raise AssertionError("no manifest is accepted, not even one that asks for next to nothing")


def _manifest(rng: Random, load: float, like: Mapping[str, Any] | None) -> dict[str, Any]:
    """One whose devices are busy for `load` of their time or less; its robot is that of `like`."""
    names = [f"m{i}" for i in range(rng.randint(1, 5))]
    devices = [f"d{i}" for i in range(rng.randint(1, 2))]
    robot = coin(rng) if like is None else "robot" in like
    modules = [_module(rng, name, devices, load / len(names)) for name in names]
    manifest: dict[str, Any] = {
        "name": "random",
        "devices": {
            name: {"driver": "null", "uri": "immediate", "policy": rng.choice(["fixed", "edf", "laxity"])}
            | ({"in_flight": 2} if one_in(rng, 4) else {})
            for name in devices
        },
        "contexts": rng.choice([1, 1, 2]),
        "orchestration": {
            "mode": rng.choice(["sequential", "pipelined", "parallel", "rtc"]),
            "modules": modules,
            "links": _links(rng, names, robot),
            "qos": {name: i for i, name in enumerate(rng.sample(names, len(names)))},
        },
    }
    if robot:
        manifest["robot"] = {
            "use": "null",
            "control_hz": rng.choice([50, 80, 100]),
            "observations": {"a": {"dtype": "f32", "shape": [4], "rate_hz": rng.choice([10, 25, 50])}},
            "action": {"dtype": "f32", "shape": [4]},
        }
    if coin(rng):
        manifest["power"] = _power(rng, names, devices)
    if like is not None:
        manifest["devices"] |= like["devices"]
        manifest |= {part: like[part] for part in ("robot",) if part in like}
    return manifest


def _module(rng: Random, name: str, devices: list[str], share: float) -> dict[str, Any]:
    rate_hz = rng.choice([5, 10, 20, 30, 50, 100])
    stages = rng.randint(1, 3)
    cost_ms = round(1000 / rate_hz * share * rng.random() / stages, 3)
    module: dict[str, Any] = {
        "id": name, "vmfb": f"{name}.vmfb", "rate_hz": rate_hz, "device": rng.choice(devices),
        "entry": [f"s{i}" for i in range(stages)], "cost_ms": [cost_ms] * stages,
        "on_overrun": rng.choice(["skip", "catch_up", "shift"]), "max_failures": rng.randint(1, 4),
        "phase_ms": rng.choice([0, 0, 3, 7.5]),
        "bytes": {"weights": rng.randint(1, 10**6), "scratch": rng.randint(1, 10**4)},
    }  # fmt: skip
    if one_in(rng, 5):
        module["budget"] = {"ms": max(0.1, cost_ms), "period_ms": 2000 / rate_hz}
    return module


def _links(rng: Random, names: list[str], robot: bool) -> list[dict[str, Any]]:
    links: list[dict[str, Any]] = []
    for i, name in enumerate(names):
        sources = [f"{n}.out" for n in names[:i]] + (["robot.a"] if robot else [])
        for port, source in enumerate(rng.sample(sources, min(len(sources), rng.randint(0, 2)))):
            link: dict[str, Any] = {"from": source, "to": f"{name}.in{port}"}
            if coin(rng):
                link |= {
                    "max_age_ms": rng.choice([50, 200]),
                    "on_stale": rng.choice(["use", "skip", "hold", "stop"]),
                }
            links.append(link)
    if robot:
        links.append({"from": f"{names[-1]}.out", "to": "robot.action"})
    return links


def _power(rng: Random, names: list[str], devices: list[str]) -> dict[str, Any]:
    saver: dict[str, Any] = {"rate_scale": {rng.choice(names): rng.choice([0.5, 0.75])}}
    if len(names) > 2:
        saver["drop"] = [names[0]]
    if coin(rng):
        saver["cost_scale"] = {rng.choice(devices): 1.3}
    levels = [{"profile": "saver", "at": 80, "back": 75}]
    source = {"kind": "thermal", "path": "/sys/class/thermal/thermal_zone0/temp", "levels": levels}
    return {"profiles": {"normal": {}, "saver": saver}, "source": source}
