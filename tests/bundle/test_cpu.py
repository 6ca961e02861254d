"""CPUs by the names of /proc/cpuinfo."""

from __future__ import annotations

import platform

import pytest

from polyrhythm.bundle import host
from polyrhythm.bundle.cpu import cpu_of, required_features

X86 = """\
processor\t: 0
vendor_id\t: AuthenticAMD
cpu family\t: 25
model\t\t: 17
flags\t\t: fpu avx avx2 avx512f

processor\t: 1
vendor_id\t: AuthenticAMD
cpu family\t: 25
model\t\t: 17
flags\t\t: fpu avx avx2
"""
ARM = """\
processor\t: 0
Features\t: fp asimd atomics asimddp
CPU implementer\t: 0x41
CPU part\t: 0xd42
"""


def test_x86_has_what_all_cores_have() -> None:
    cpu = cpu_of(X86, "x86_64")
    assert (cpu.arch, cpu.model) == ("x86_64", "AuthenticAMD 25 17")
    assert cpu.features == {"fpu", "avx", "avx2"}
    assert cpu.missing_features(["avx512f", "avx2", "amx_tile"]) == ("amx_tile", "avx512f")
    assert cpu.identity == "x86_64 AuthenticAMD 25 17 avx avx2"


def test_arm() -> None:
    cpu = cpu_of(ARM, "arm64")
    assert (cpu.arch, cpu.model) == ("aarch64", "0x41 0xd42")
    assert cpu.missing_features(["asimddp", "sve"]) == ("sve",)


def test_nothing_known() -> None:
    assert cpu_of("", "riscv64").features == frozenset()


@pytest.mark.skipif(platform.system() != "Linux", reason="/proc/cpuinfo")
def test_this_machine() -> None:
    assert host().features
    assert host().missing_features(host().features) == ()


def test_what_the_compiler_calls_features() -> None:
    listed = "+avx2,+avx512f,+bmi,+64bit,+pku,+shstk,-avx512f,+sse4.1,-amx-tile,+sha"
    assert required_features("x86_64", listed) == ("avx2", "bmi1", "sha_ni", "sse4_1")
    assert required_features("aarch64", "+v8.2a,+dotprod,+lse,+reserve-x18") == ("asimddp", "atomics")
    assert required_features("riscv64", "+v") == ()
