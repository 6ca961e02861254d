"""What a manifest means once it is read."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from polyrhythm.manifest import Device, Endpoint, Manifest, Module, loads
from polyrhythm.manifest.values import MAX_MS

from .bad import MODULES, module
from .texts import FULL, SPECIFICATION


def only_module(keys: str) -> Module:
    loaded = loads(module(keys))
    assert loaded.manifest is not None, loaded.diagnostics
    return loaded.manifest.orchestration.modules[0]


@pytest.fixture
def full() -> Manifest:
    loaded = loads(FULL)
    assert loaded.diagnostics == ()
    assert loaded.manifest is not None
    return loaded.manifest


def test_specification_is_accepted_word_for_word() -> None:
    loaded = loads(SPECIFICATION)
    assert loaded.manifest is not None
    assert loaded.errors == ()
    assert [(note.code, note.value) for note in loaded.notes] == [
        ("PM061", "vit"),
        ("PM061", "background"),
    ]
    vlm, dit = loaded.manifest.orchestration.modules
    assert vlm.rate_hz == 3
    assert vlm.rtc is None
    assert dit.rtc is not None
    assert dit.rtc.buffer_depth == 2
    (link,) = loaded.manifest.orchestration.links
    assert (str(link.source), link.sink) == ("vlm.hidden", Endpoint("dit", "condition"))


def test_defaults() -> None:
    loaded = loads(MODULES)
    assert loaded.manifest is not None
    manifest = loaded.manifest
    assert manifest.devices == {"cpu": Device(driver="iree", uri="local-sync", cores=(), in_flight=1)}
    assert manifest.orchestration.mode == "pipelined"
    vlm = manifest.orchestration.module("vlm")
    assert manifest.device_of(vlm) == "cpu"
    assert vlm.stages is None
    assert vlm.cost_ns is None
    assert vlm.on_overrun == "skip"
    assert vlm.max_failures == 3
    assert vlm.check_finite
    assert vlm.period_ns * 3 == 1_000_000_000
    assert vlm.deadline_ns == 333_333_333
    with pytest.raises(KeyError, match="vlm, dit"):
        manifest.orchestration.module("policy")


def test_everything_a_manifest_can_say(full: Manifest) -> None:
    robot = full.robot
    assert robot is not None
    assert robot.options == {
        "task": "button-press",
        "seed": 0,
        "scale": 0.5,
        "weights": [1, 0.25],
        "render": False,
    }
    assert type(robot.options["scale"]) is float
    assert [robot.observation_hz(name) for name in robot.observations] == [5, 80]
    assert robot.control_period_ns == 12_500_000
    assert full.devices["slow"].cores == (0,)
    vlm, dit = full.orchestration.modules
    assert (vlm.parameters, dit.parameters) == (("vlm.safetensors",), ("a.irpa", "b.safetensors"))
    assert (full.device_of(vlm), full.device_of(dit)) == ("slow", "fast")
    assert vlm.period_ns == 3_000_000_000
    assert vlm.cost_ns == (60_000_000,)
    assert dit.stages == ("encode", "step", "step")
    assert dit.cost_ns == (4_000_000, 1_500_000, 1_500_000)
    assert (dit.deadline_ns, dit.phase_ns) == (40_100_000, 100_000)
    assert [full.orchestration.priority(module) for module in (vlm, dit)] == [2, 0]
    ages = [link.max_age_ns for link in full.orchestration.links]
    assert ages == [None, 12_500_000, None, None, None]


def test_priority_of_what_nothing_names_comes_last() -> None:
    loaded = loads(MODULES + "  qos: { dit: 4 }\n")
    assert loaded.manifest is not None
    orchestration = loaded.manifest.orchestration
    assert [orchestration.priority(module) for module in orchestration.modules] == [5, 4]


@pytest.mark.parametrize(
    ("text", "hz"),
    [("1/3", Fraction(1, 3)), ("'1 / 3'", Fraction(1, 3)), ("29.97", Fraction(2997, 100)),
     ("30000/1001", Fraction(30000, 1001)), ('"10"', Fraction(10)), ("1e2", Fraction(100))],
)  # fmt: skip
def test_rates_are_exact(text: str, hz: Fraction) -> None:
    loaded = loads(module("").replace("rate_hz: 10", f"rate_hz: {text}"))
    assert loaded.manifest is not None
    assert loaded.manifest.orchestration.modules[0].rate_hz == hz


@pytest.mark.parametrize(
    ("text", "nbytes"),
    [("4096", 4096), ("0x1000", 4096), ("'4096'", 4096), ("4096 B", 4096), ("1e3", 1000),
     ("512 MiB", 1 << 29), ("512MiB", 1 << 29), ("3.5 GB", 3_500_000_000), ("1.8 GiB", 1_932_735_284),
     ("0.0001 kB", 1), ("1048576 TiB", 1 << 60)],
)  # fmt: skip
def test_sizes_are_exact_up_to_the_next_byte(text: str, nbytes: int) -> None:
    loaded = loads(f"memory: {{ total: {text} }}\n" + MODULES)
    assert loaded.manifest is not None, loaded.diagnostics
    assert loaded.manifest.memory.total == nbytes


@pytest.mark.parametrize("text", ["1048577 TiB", "-1", "1.5", "1 KB/s", "MiB", "'1,5 GB'", "1e9 TiB", "[1]"])
def test_other_sizes_are_refused(text: str) -> None:
    loaded = loads(f"memory: {{ total: {text} }}\n" + MODULES)
    assert loaded.manifest is None
    assert all(d.where.path.startswith("memory.total") for d in loaded.diagnostics)


def test_groups_and_planned_bytes(full: Manifest) -> None:
    memory, vlm = full.memory, full.orchestration.module("vlm")
    assert (memory.total, memory.process) == (16 << 30, 150_000_000)
    assert {name: (g.modules, g.budget) for name, g in memory.groups.items()} == {
        "slow": (("vlm",), 6 << 30), "fast": (("dit",), 1 << 31),
    }  # fmt: skip
    assert [memory.groups_of(name) for name in ("vlm", "dit", "vit")] == [("slow",), ("fast",), ()]
    assert vlm.bytes_.declared == {"weights": 3_500_000_000, "code": 4 << 20, "kv": 1 << 28, "scratch": 0}


@given(st.integers(1, MAX_MS * 1_000_000 - 1))
def test_times_are_exact_to_the_nanosecond(ns: int) -> None:
    text = f"{ns // 1_000_000}.{ns % 1_000_000:06d}"
    read = only_module(f"deadline_ms: {text}\n    phase_ms: {text}\n    cost_ms: [{text}]")
    assert (read.deadline_ns, read.phase_ns, read.cost_ns) == (ns, ns, (ns,))


@given(st.floats(min_value=1e-6, max_value=MAX_MS))
def test_floats_from_python_count_as_their_shortest_text(ms: float) -> None:
    made = Module.model_validate({"id": "dit", "vmfb": "dit.vmfb", "rate_hz": 10, "deadline_ms": ms})
    assert made.deadline_ms == Fraction(repr(ms))


def test_models_do_not_change_after_reading(full: Manifest) -> None:
    with pytest.raises(ValidationError, match="frozen"):
        full.orchestration.modules[0].id = "other"  # type: ignore[misc]


def test_a_manifest_can_be_dumped_and_read_again(full: Manifest) -> None:
    assert Manifest.model_validate(full.model_dump(by_alias=True)) == full
    assert Manifest.model_validate_json(full.model_dump_json(by_alias=True)) == full


@pytest.mark.parametrize("text", ["dit", "dit.", ".x", "a b.c", "dit.x y", "", "1a.x", "a." + "x" * 65])
def test_endpoints_need_an_owner_and_a_port(text: str) -> None:
    assert Endpoint.parse(text) is None


def test_a_port_may_contain_dots() -> None:
    assert Endpoint.parse("robot.observation.images.top") == Endpoint("robot", "observation.images.top")
