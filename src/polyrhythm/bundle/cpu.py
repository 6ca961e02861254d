"""The CPU of this machine, by the feature names of /proc/cpuinfo; and the compiler's names for them."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")
_FEATURE_KEYS = ("flags", "Features")
#: What tells models of one architecture apart: the compiler schedules instructions by it.
_MODEL_KEYS = ("vendor_id", "cpu family", "model", "CPU implementer", "CPU part")

#: LLVM's feature names for what compute code uses -> /proc/cpuinfo's. What LLVM lists besides (protection
#: keys, cache control, timers) never appears in a kernel, and virtual machines hide it at will.
_X86 = {
    "sse3": "pni", "ssse3": "ssse3", "sse4.1": "sse4_1", "sse4.2": "sse4_2", "sse4a": "sse4a",
    "popcnt": "popcnt", "cx16": "cx16", "sahf": "lahf_lm", "lzcnt": "abm", "movbe": "movbe",
    "bmi": "bmi1", "bmi2": "bmi2", "adx": "adx", "f16c": "f16c", "fma": "fma", "fma4": "fma4", "xop": "xop",
    "avx": "avx", "avx2": "avx2", "aes": "aes", "vaes": "vaes", "pclmul": "pclmulqdq",
    "vpclmulqdq": "vpclmulqdq", "gfni": "gfni", "sha": "sha_ni", "avxvnni": "avx_vnni",
    "avxifma": "avx_ifma", "avxvnniint8": "avx_vnni_int8", "avxneconvert": "avx_ne_convert",
    "avx512f": "avx512f", "avx512bw": "avx512bw", "avx512cd": "avx512cd", "avx512dq": "avx512dq",
    "avx512vl": "avx512vl", "avx512ifma": "avx512ifma", "avx512vbmi": "avx512vbmi",
    "avx512vbmi2": "avx512_vbmi2", "avx512vnni": "avx512_vnni", "avx512bitalg": "avx512_bitalg",
    "avx512vpopcntdq": "avx512_vpopcntdq", "avx512bf16": "avx512_bf16", "avx512fp16": "avx512_fp16",
    "avx512vp2intersect": "avx512_vp2intersect",
    "amx-tile": "amx_tile", "amx-int8": "amx_int8", "amx-bf16": "amx_bf16", "amx-fp16": "amx_fp16",
}  # fmt: skip
_ARM = {
    "fp-armv8": "fp", "neon": "asimd", "crc": "crc32", "lse": "atomics", "rdm": "asimdrdm", "aes": "aes",
    "sha2": "sha2", "sha3": "sha3", "dotprod": "asimddp", "fullfp16": "asimdhp", "fp16fml": "asimdfhm",
    "complxnum": "fcma", "jsconv": "jscvt", "rcpc": "lrcpc", "bf16": "bf16", "i8mm": "i8mm",
    "sve": "sve", "sve2": "sve2", "sme": "sme", "sme2": "sme2",
}  # fmt: skip
_NAMES = {"x86_64": _X86, "aarch64": _ARM}
_ARCH = {"amd64": "x86_64", "arm64": "aarch64"}


@dataclass(frozen=True, slots=True)
class Cpu:
    """A CPU: architecture, what tells its model, and the features that all its cores have."""

    arch: str
    model: str
    features: frozenset[str]

    def missing_features(self, required: Iterable[str]) -> tuple[str, ...]:
        """Those of `required` that this CPU lacks, sorted."""
        return tuple(sorted(set(required) - self.features))

    @property
    def identity(self) -> str:
        """What machine code made for this very CPU depends on; different CPUs may not share such code."""
        known = sorted(self.features & set(_NAMES.get(self.arch, {}).values()))
        return " ".join([self.arch, self.model, *known])


def cpu_of(text: str, machine: str) -> Cpu:
    """Read the text of a /proc/cpuinfo; `machine` as ``uname -m`` says it."""
    features: frozenset[str] | None = None
    model: dict[str, str] = {}
    for line in text.splitlines():
        key, _, value = (part.strip() for part in line.partition(":"))
        if key in _FEATURE_KEYS:
            own = frozenset(value.split())
            features = own if features is None else features & own
        elif key in _MODEL_KEYS:
            model.setdefault(key, value)
    arch = _ARCH.get(machine.lower(), machine.lower())
    return Cpu(arch, " ".join(model.values()), features or frozenset())


@cache
def host() -> Cpu:
    """The CPU of this machine; without features where there is no /proc/cpuinfo."""
    try:
        text = _CPUINFO.read_text(encoding="ascii", errors="replace")
    except OSError:
        text = ""
    return cpu_of(text, platform.machine())


def required_features(arch: str, llvm_features: str) -> tuple[str, ...]:
    """The features that code needs, from LLVM's list (``+avx2,-avx512f,+pku``; the last mention counts).

    Only what compute code uses is kept, by its name in /proc/cpuinfo; empty for an unknown architecture.
    """
    wanted: dict[str, bool] = {}
    for item in llvm_features.split(","):
        if item[:1] in ("+", "-"):
            wanted[item[1:]] = item[0] == "+"
    names = _NAMES.get(arch, {})
    return tuple(sorted(names[name] for name, on in wanted.items() if on and name in names))


@cache
def processor() -> str:
    """The processor's name as Linux tells it."""
    try:
        lines = _CPUINFO.read_text().splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
