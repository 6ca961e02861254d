"""Source text to machine code, in a process of its own with limits on time and memory.

The flags are the ones that measurements found best for small models on CPUs: data tiling (off by default,
and the one flag that matters), no ``-O2``/``-O3`` (slower), and always a real target CPU, never ``generic``
(forty times slower). If a module does not compile with data tiling, it is compiled without.
Modules with convolutions get two flags more (`polyrhythm.compile.convolutions`), those that take, give or
hold f64 another: by default the compiler makes f32 of it.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from polyrhythm.bundle import LockedMachineCode, host
from polyrhythm.bundle.cpu import required_features
from polyrhythm.bundle.machine_code import compiler_version
from polyrhythm.compile import convolutions
from polyrhythm.compile.codes import BuildError, missing_extra, problem
from polyrhythm.compile.reflection import Function, functions
from polyrhythm.compile.source import SCOPE
from polyrhythm.hal.ending import ending_with_me
from polyrhythm.manifest import nearest

COMPILER = "iree-base-compiler"
HOST = "host"
LADDER: tuple[tuple[str, ...], ...] = (("--iree-global-opt-data-tiling",), ())
_TARGET = ("--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu")
#: A module may say how its weights are to be laid out, in a module of its own.
_ENCODER, _ENCODED_KEY = "encoder.mlir", "parameter"  # and a number
_ENCODED = (
    f"--iree-parameter-encoder-output-file={_ENCODER}",
    f"--iree-parameter-encoder-output-scope={SCOPE}",
    "--iree-parameter-encoder-mode=overlay",
)
#: Where the compiler leaves a module as it is after each phase, if asked to.
_PHASES, _KERNELS = "phases", "*.executable-sources.mlir"
#: Numbers of 64 bits that a module takes, gives or has as weights, and what keeps the compiler from making
#: 32 of them. Inside of a module it may: not every function is there for 64.
_WIDE = re.compile(r"^\s*(?:func\.func public|util\.global)\b.*[x<]f64\b", re.MULTILINE)
_WIDE_FLAGS = ("--iree-input-demote-f64-to-f32=false",)
_TIMEOUT_S = 900.0
_PATIENCE = 8
_MINIMUM_MEMORY_KIB = 4 << 20
_TRIPLES = {"x86_64": "x86_64-linux-gnu", "aarch64": "aarch64-linux-gnu"}
#: What the module says of the machine that it is for: ARCH, CPU and LLVM's feature list.
_EMBEDDED = re.compile(rb'"embedded-elf-(\w+)", \{cpu = "([^"]*)", cpu_features = "([^"]*)"')
_ARCH = {"x86_64": "x86_64", "arm_64": "aarch64"}


@dataclass(frozen=True, slots=True)
class Compiled:
    """Machine code: its bytes, the flags that made it, what it says of its functions, and its CPU.

    `encoder`: machine code that lays out the weights as `content` wants them (see `compile.packing`).
    """

    content: bytes
    flags: tuple[str, ...]
    functions: Mapping[str, Function]
    target: LockedMachineCode
    encoder: bytes | None = None

    @property
    def scratch_bytes(self) -> dict[str, int]:
        """Scratch of every function."""
        return {name: function.scratch_bytes for name, function in self.functions.items()}


@dataclass(frozen=True, slots=True)
class Hal:
    """A module at the HAL level, as MLIR text: its kernels are machine code, its host part is a program.

    `kernels` is the module somewhat earlier, where its kernels are still functions of tensors.
    """

    text: str
    kernels: str
    flags: tuple[str, ...]
    target: LockedMachineCode


class Refused(BuildError):
    """The compiler does not accept the module (PK011), whatever the flags."""


def compile_source(text: str, *, where: str, target: str = HOST, timeout_s: float = _TIMEOUT_S) -> Compiled:
    """Compile the portable source of a module.

    Args:
        where: what diagnostics call it.
        target: ``host``, a CPU name of the host's architecture (``x86-64-v3``, ``znver4``), or
            ``ARCH/CPU`` (``aarch64/cortex-a78``).

    Raises:
        Refused: no rung of the ladder compiles.
        BuildError: PK012 for an unknown CPU, PK011 for too much time or if the compiler was killed, PK014
            without it.
    """
    content, used, _ = _climb(text, where, target, timeout_s)
    return _compiled(content, used, where, target)


def compile_packed(text: str, *, where: str, target: str = HOST) -> Compiled | None:
    """The same for code that takes its weights laid out anew, with the encoder that does that on this
    machine; None if it wants them as they are.

    Raises:
        Refused, BuildError: see `compile_source`.
    """
    if f'"{SCOPE}"::"{_ENCODED_KEY}' in text:
        return None  # the compiler would give two of them the same name
    content, used, encoder = _climb(text, where, target, _TIMEOUT_S, _ENCODED, _ENCODER)
    if encoder is None:
        return None
    made, _, _ = _climb(encoder.decode(), where, HOST, _TIMEOUT_S)
    return _compiled(content, used, where, target, made)


def compile_to_hal(text: str, *, where: str, target: str = HOST, timeout_s: float = _TIMEOUT_S) -> Hal:
    """The same as far as the HAL level, with the same kernels; see `compile_source`."""
    more = ("--compile-to=hal", f"--dump-compilation-phases-to={_PHASES}")
    content, used, kernels = _climb(
        text, where, target, timeout_s, more, f"{_PHASES}/*.executable-sources.mlir"
    )
    # The target is told in a message of the module, with its quotes escaped.
    found = embedded_target(content.replace(b"\\22", b'"'), target.rpartition("/")[2])
    return Hal(content.decode(), (kernels or b"").decode(), used, found)


def _compiled(
    content: bytes, flags: tuple[str, ...], where: str, target: str, encoder: bytes | None = None
) -> Compiled:
    cpu = target.rpartition("/")[2]
    return Compiled(content, flags, functions(content, where), embedded_target(content, cpu), encoder)


def _climb(
    text: str, where: str, target: str, timeout_s: float, more: tuple[str, ...] = (), beside: str = ""
) -> tuple[bytes, tuple[str, ...], bytes | None]:
    """What the first rung of the ladder that compiles makes, the flags that mattered for its kernels, and the
    file that they made it write `beside`."""
    arch, _, cpu = target.rpartition("/")
    flags = [*_TARGET, f"--iree-llvmcpu-target-cpu={cpu}"]
    if arch:
        flags.append(f"--iree-llvmcpu-target-triple={_TRIPLES.get(arch, arch)}")
    if wide := _WIDE.search(text) is not None:
        flags += _WIDE_FLAGS
    if cpu == "generic":
        raise BuildError(
            problem(
                "PK012",
                where,
                "code for a generic CPU is forty times slower",
                cpu,
                "a real CPU",
                "use x86-64-v3, or the name of the CPU",
            )
        )
    complaint = ""
    for rung in _ladder(text):
        used = (*flags, *rung)
        content, errors, written = _run(text, (*used, *more), where, timeout_s, beside)
        if content is not None:
            return content, used, written
        _check_cpu(errors, where, cpu)
        complaint = complaint or errors
    raise Refused(
        problem(
            "PK011",
            where,
            "the compiler refuses the module:\n" + _shortened(complaint),
            None,
            "StableHLO that IREE compiles",
            "do in f32 what it has no function for in f64"
            if wide and "undefined symbol" in complaint
            else "look at the operation that it names",
        )
    )


def _ladder(text: str) -> tuple[tuple[str, ...], ...]:
    """The rungs for a module; one more for one with convolutions."""
    return ((*LADDER[0], *convolutions.FLAGS), *LADDER) if convolutions.concerned(text) else LADDER


def embedded_target(content: bytes, cpu: str = HOST) -> LockedMachineCode:
    """For which machine a module is, as it says itself; features are empty if it doesn't say."""
    match = _EMBEDDED.search(content)
    if match is None:
        return LockedMachineCode(arch=host().arch, cpu=cpu)
    arch = _ARCH.get(match[1].decode(), match[1].decode())
    features = required_features(arch, match[3].decode())
    return LockedMachineCode(arch=arch, cpu=match[2].decode() or cpu, features=list(features))


def _run(
    text: str, flags: tuple[str, ...], where: str, timeout_s: float, beside: str
) -> tuple[bytes | None, str, bytes | None]:
    """The module, or None and what the compiler said; and the file of that pattern that it wrote `beside`."""
    with tempfile.TemporaryDirectory(prefix="polyrhythm-") as name:
        source, output = Path(name, "module.mlir"), Path(name, "module.vmfb")
        source.write_text(text, encoding="utf-8")
        Path(name, convolutions.SPECIFICATION_FILE).write_text(convolutions.specification(), encoding="utf-8")
        command = [str(compiler_path()), source.name, "-o", output.name, *flags]
        try:
            status, _, errors = limited(command, Path(name), timeout_s)
        except subprocess.TimeoutExpired:
            raise BuildError(
                problem(
                    "PK011",
                    where,
                    f"the compiler was stopped after {timeout_s:g} s",
                    None,
                    f"at most {timeout_s:g} s",
                    "make the model smaller, or loop instead of unrolling",
                )
            ) from None
        if status == -signal.SIGKILL:
            # The next rung may get through where this one was only unlucky: slower code, and nobody told.
            raise BuildError(
                problem(
                    "PK011",
                    where,
                    "the compiler was killed: the machine was out of memory, or somebody stopped it",
                    None,
                    "as much memory as the compiler takes",
                    "build again with less beside it, or make the model smaller",
                )
            )
        if status == 0 and output.is_file():
            written = next(Path(name).glob(beside), None) if beside else None
            return output.read_bytes(), errors, None if written is None else written.read_bytes()
        return None, errors or f"it ended with status {status}", None


def limited(command: Sequence[str], place: Path, timeout_s: float, given: str = "") -> tuple[int, str, str]:
    """Run a command in the directory `place`, with a limit on its memory: status, output and complaints. It
    ends with the calling thread, if not before.

    Args:
        timeout_s: how long it may take, where a busy machine lets it compute: what it waits for others does
            not count, up to `_PATIENCE` times as long.
        given: its standard input.

    Raises:
        subprocess.TimeoutExpired: it took longer than `timeout_s`; it is gone then.
    """
    with subprocess.Popen(
        ending_with_me(command, memory_kib=_memory_kib()), cwd=place, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True,
    ) as process:  # fmt: skip
        try:
            said, complaints = _communicated(process, given, timeout_s)
        except BaseException:
            # Its own session: Ctrl-C reaches only us.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise
    return process.returncode, said, complaints


def _communicated(process: subprocess.Popen[str], given: str, timeout_s: float) -> tuple[str, str]:
    until_s, left_s, rest = monotonic() + _PATIENCE * timeout_s, timeout_s, given or None
    while True:
        try:
            return process.communicate(rest, timeout=left_s)
        except subprocess.TimeoutExpired:
            left_s, rest = timeout_s - _computed_s(process.pid), None
            if left_s <= 0 or monotonic() >= until_s:
                raise
            left_s = max(left_s, timeout_s / 100)  # one that only sleeps is not asked without a pause


def _computed_s(pid: int) -> float:
    """How long a process of ours has computed, with all of its threads."""
    fields = (
        Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    )
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def compiler_path(tool: str = "iree-compile") -> Path:
    """The compiler of the installed package, or another of its tools."""
    try:
        from iree.compiler.tools import binaries
    except ImportError as error:
        raise missing_extra(COMPILER, "compile", "making machine code") from error
    return Path(binaries.find_tool(tool))


def version() -> str:
    """The version of the compiler."""
    return compiler_version()


def _memory_kib() -> int:
    """Three quarters of the machine's memory: a compile that runs away must not take the machine with it."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 10
    return max(_MINIMUM_MEMORY_KIB, total * 3 // 4)


def _check_cpu(errors: str, where: str, cpu: str) -> None:
    match = re.search(r"List of accepted CPUs: (.*)", errors)
    if match is None and "is not a recognized processor" not in errors:
        return
    known = match[1].split(", ") if match else []
    near = nearest(cpu, known)
    raise BuildError(
        problem(
            "PK012",
            where,
            f"the compiler knows no CPU {cpu!r}",
            cpu,
            ", ".join(known) or "a CPU that LLVM knows",
            f"did you mean `{near}`?" if near else "use x86-64-v3, or the name of the CPU",
        )
    )


def _shortened(errors: str) -> str:
    """The first errors of the compiler, without the module that it prints after each."""
    lines = [line for line in errors.splitlines() if "error:" in line or "ERROR" in line]
    return "\n".join(f"    {line[:300]}" for line in (lines or errors.splitlines())[:8])
