"""The runner of static plans as native code: how it is made, what it refuses, and mutants of plan files."""

from __future__ import annotations

import hashlib
import os
import platform
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from polyrhythm.bundle import Tensor
from polyrhythm.bundle.machine_code import compiler_version
from polyrhythm.compile import plan_file as file
from polyrhythm.hal import HalError, native
from polyrhythm.hal.drivers.static_native import Plan, PlanModule, Team
from polyrhythm.memory import Arena
from tests.hal.mutants import HERE, SANITIZED, STRICT, fuzz, program, write_plans


@pytest.fixture(scope="module")
def plans(tmp_path_factory) -> Path:
    """A folder with the plans of `mutants`."""
    pytest.importorskip("iree.compiler")
    root: Path = tmp_path_factory.mktemp("native")
    write_plans(root)
    return root


def built(source: str, flags: tuple[str, ...]) -> Path:
    """A program around the runner; skips where the compiler has no such flags."""
    try:
        return program(source, flags)
    except HalError as problem:
        if "sanitize" in str(problem) or "asan" in str(problem):
            pytest.skip(f"no sanitizers here: {problem}")
        raise


def test_the_runner_compiles_without_a_warning() -> None:
    assert native.compile_c(native.RUNNER, ("-shared", *STRICT), name="strict").is_file()


def test_every_way_to_run_gives_the_same_bytes_under_sanitizers(plans: Path) -> None:
    program = built("run_plan.c", SANITIZED)
    arguments = [str(program), str(plans / "chain.plan"), str(plans / "chain.so"), "main"]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr


def test_a_run_makes_no_system_call_and_allocates_nothing(plans: Path) -> None:
    wrapped = [f"-Wl,--wrap={name}" for name in ("malloc", "calloc", "aligned_alloc", "free")]
    program = built("quiet_plan.c", (*STRICT, *wrapped))
    arguments = [str(program), str(plans / "chain.plan"), str(plans / "chain.so"), "main"]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode == 3:
        pytest.skip("this kernel has no seccomp")
    assert done.returncode == 0, done.stderr or "a system call (SIGKILL), an allocation or a failure"


def test_mutants_of_plan_files_do_no_harm(plans: Path) -> None:
    files = [plans / "mixed.plan", plans / "chain.plan"]
    accepted = fuzz(built("fuzz_plan.c", SANITIZED), files, 5, 0, 10_000, 100)
    assert 500 < accepted < 9000, "many come as far as running, most do not"


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_million_mutants_of_plan_files_do_no_harm() -> None:
    """In portions: one that was stopped goes on from there."""
    built("fuzz_plan.c", SANITIZED)
    subprocess.run([sys.executable, "-m", "tests.fuzz.plans", "--count", "1000000"], check=True)


# -- by hand -------------------------------------------------------------------------------------------------


def kernels(value: float) -> bytes:
    """A kernel library whose `add` adds that."""
    return native.compile_c(
        [HERE / "kernels.c"], ("-shared", f"-DVALUE={value}f"), name="kernels"
    ).read_bytes()


def write_by_hand(
    root: Path, *steps: file.PlanStep, functions: list[tuple[int, str]], swap: bool = False
) -> Path:
    """A plan over two executables, the first adding 1 and the second 10 (`swap`: the other way round); input
    and output are f32[16]."""
    first, second = (kernels(10.0), kernels(1.0)) if swap else (kernels(1.0), kernels(10.0))
    gap = -len(first) % 64
    library = first + bytes(gap) + second
    tensor = file.PlanTensor("x", "f32[16]", 64)
    entry = file.PlanEntry("main", inputs=[tensor], outputs=[tensor], steps=steps, arena_bytes=64)
    places = [("one", 0, len(first)), ("two", len(first) + gap, len(second))]
    content = file.PlanFile(
        compiler_version(), platform.machine(), [], library, places, functions, [],
        [file.PlanEntry(""), entry], 0, b"",
    )  # fmt: skip
    path = root / "hand.plan"
    path.write_bytes(file.dumps(content))
    path.with_suffix(".so").write_bytes(library)
    return path


def by_hand(root: Path, *steps: file.PlanStep, functions: list[tuple[int, str]]) -> PlanModule:
    """The same, loaded."""
    return PlanModule(write_by_hand(root, *steps, functions=functions))


def adding(function: int, amount: int, source: int, target: int) -> file.PlanStep:
    bindings = [file.Binding(0, 64, source), file.Binding(0, 64, target)]
    return file.PlanStep(file.DISPATCH, bindings, function, (16, 1, 1), (amount,))


def test_several_executables_keep_apart(tmp_path: Path) -> None:
    steps = [adding(1, 100, file.INPUT, file.ARENA), adding(0, 1000, file.ARENA, file.OUTPUT)]
    module = by_hand(tmp_path, *steps, functions=[(0, "add"), (1, "add")])
    arena = Arena(1 << 12)
    x, y, scratch = (arena.take("t", "t", Tensor("t", "f32", (16,))) for _ in range(3))
    x[:] = np.arange(16)
    plan = Plan(module, "main")
    plan.bind([x], [y], scratch)
    for team in (None, Team()):
        if team is not None:
            plan.join(team)
        y[:] = 0
        assert plan.run()
        assert (y == x + 1111).all()


def test_a_dispatch_of_no_workgroups_is_done_at_once(tmp_path: Path) -> None:
    """However many there are along the other axes."""
    none = file.PlanStep(file.DISPATCH, [], 2, (0, 2**31 - 1, 2**16 - 1))
    steps = [none, adding(0, 0, file.INPUT, file.ARENA), adding(0, 0, file.ARENA, file.OUTPUT)]
    plan = Plan(by_hand(tmp_path, *steps, functions=[(0, "add"), (1, "add"), (1, "fail")]), "main")
    arena = Arena(1 << 12)
    x, y, scratch = (arena.take("t", "t", Tensor("t", "f32", (16,))) for _ in range(3))
    plan.bind([x], [y], scratch)
    running = Thread(target=plan.run, daemon=True)  # nothing ends a loop in C but its end
    running.start()
    running.join(20)
    assert not running.is_alive()
    assert (y == x + 2).all()


def test_a_plan_without_memory_does_not_run_and_one_whose_kernel_fails_says_so(tmp_path: Path) -> None:
    failing = file.PlanStep(file.DISPATCH, [], 2)
    module = by_hand(
        tmp_path,
        adding(0, 0, file.INPUT, file.ARENA),
        failing,
        functions=[(0, "add"), (1, "add"), (1, "fail")],
    )
    plan = Plan(module, "main")
    with pytest.raises(HalError, match="an input, output or scratch has no memory"):
        plan.run()
    arena = Arena(1 << 12)
    x, y, scratch = (arena.take("t", "t", Tensor("t", "f32", (16,))) for _ in range(3))
    plan.bind([x], [y], scratch)
    for _ in range(3):
        with pytest.raises(HalError, match="a kernel failed with 7"):
            plan.run()
    with pytest.raises(HalError, match="memory is too small"):
        plan.bind([x[:8]], [y], scratch)


# -- refusals ------------------------------------------------------------------------------------------------


def patched(content: bytes, at: int, form: str, *values: int) -> bytes:
    """Other numbers in a plan, under a good digest."""
    changed = bytearray(content)
    struct.pack_into(form, changed, at, *values)
    changed[24:56] = hashlib.sha256(changed[file.DIGEST_END :]).digest()
    return bytes(changed)


def section(content: bytes, number: int) -> int:
    """Where a section begins."""
    return int(struct.unpack_from("<Q", content, 128 + 16 * number)[0])


def one_bit(content: bytes) -> bytes:
    return content[:-1] + bytes([content[-1] ^ 1])


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda plan: b"",
    "truncated": lambda plan: plan[:200],
    "longer": lambda plan: plan + b"\0",
    "another file": lambda plan: b"\x7fELF" + plan[4:],
    "version": lambda plan: patched(plan, 8, "<I", 2),
    "interface": lambda plan: patched(plan, 12, "<I", 7),
    "one bit": one_bit,
    "library": lambda plan: patched(plan, 56, "<Q", 1),
    "section": lambda plan: patched(plan, 128 + 16 * 7, "<Q", 1 << 30),
    "architecture": lambda plan: patched(plan, 108, "<I", 0),
    "features": lambda plan: patched(plan, 112, "<I", struct.unpack_from("<I", plan, 108)[0]),
    "bounds": lambda plan: patched(plan, section(plan, 7) + 8, "<Q", 1 << 20),
    "alignment": lambda plan: patched(plan, section(plan, 7), "<QQ", 4, 4),
    "groups": lambda plan: patched(plan, section(plan, 6) + 8, "<III", 1 << 31, 1 << 31, 2),
    "no groups": lambda plan: patched(plan, section(plan, 6) + 8, "<III", 0, 1 << 31, 1),
    "kernel": lambda plan: patched(plan, section(plan, 2) + 4, "<I", 0),
    "arguments": lambda plan: patched(plan, section(plan, 6) + 24, "<I", 1),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_plan_that_is_not_right_is_refused_with_the_reason(name, plans, tmp_path, snapshot) -> None:
    path = tmp_path / "chain.plan"
    plan = (plans / "chain.plan").read_bytes()
    path.write_bytes(SPOILT[name](plan))
    path.with_suffix(".so").write_bytes((plans / "chain.so").read_bytes())
    with pytest.raises(HalError) as caught:
        PlanModule(path)
    said = str(caught.value).replace(f"{tmp_path}/", "").replace("aarch64", "x86_64")
    # How large a plan is depends on the processor that it is made for.
    assert said.replace(str(len(plan)), "N").replace(str(len(plan) + 1), "N + 1") == snapshot


def test_missing_and_changed_kernels_are_told(plans: Path, tmp_path: Path) -> None:
    path = tmp_path / "chain.plan"
    path.write_bytes((plans / "chain.plan").read_bytes())
    with pytest.raises(HalError, match=r"the kernel library can't be read: No such file"):
        PlanModule(path)
    kernels = bytearray((plans / "chain.so").read_bytes())
    kernels[1000] ^= 1
    path.with_suffix(".so").write_bytes(kernels)
    with pytest.raises(HalError, match=r"the kernel library is not the one of this plan"):
        PlanModule(path)


# -- what is large, and what changes meanwhile ---------------------------------------------------------------


def checked(path: Path) -> tuple[int, str]:
    """How many steps it took to check a plan, and the verdict."""
    flags = (*STRICT, "-fsanitize-coverage=trace-pc", "-fno-builtin-memchr", "-Wl,--wrap=memchr")
    made = built("count_steps.c", flags)
    done = subprocess.run([str(made), str(path)], capture_output=True, text=True, timeout=60, check=True)
    steps, _, verdict = done.stdout.strip().partition(" ")
    return int(steps), verdict


def hostile(path: Path, count: int) -> Path:
    """A plan of so many weights and inputs that all have the same long name."""
    name = "n" * 65_534
    tensors = [file.PlanTensor(name, name, 64)] * 4096
    entry = file.PlanEntry("main", name, name, inputs=tensors)
    content = file.PlanFile(
        compiler_version(), platform.machine(), [], b"", [], [], [(name, 64)] * count,
        [file.PlanEntry(""), entry], 0, b"",
    )  # fmt: skip
    path.write_bytes(file.dumps(content))
    return path


def test_what_a_plan_costs_to_check_grows_as_its_size(tmp_path: Path) -> None:
    """However many records of it have the same long name: of 3 MB some 10^10 bytes would be looked at."""
    paths = [hostile(tmp_path / f"{count}.plan", count) for count in (100_000, 200_000)]
    (some, said), (more, said_then) = map(checked, paths)
    assert (said, said_then) == ("accepted", "accepted")
    assert paths[1].stat().st_size > 3_000_000
    assert more < 2.2 * some and more < 20 * paths[1].stat().st_size


@pytest.mark.parametrize("how", ["arena and inputs", "state", "library", "many tensors", "long name"])
def test_what_a_plan_asks_for_is_bounded(how: str, tmp_path: Path, snapshot) -> None:
    """2^24 tensors of 2^40 bytes would be none at all in 64 bits; a machine may promise a terabyte."""
    tensors = [file.PlanTensor("x", "u8", 1 << 40)] * 64
    if how == "many tensors":
        tensors = [file.PlanTensor("x", "u8", 1)] * 4097
    name = "n" * 65_535 if how == "long name" else "main"
    inputs = tensors if "arena" in how or "tensors" in how else ()
    entry = file.PlanEntry(name, inputs=inputs, arena_bytes=1 << 40 if "arena" in how else 0)
    content = file.PlanFile(
        compiler_version(), "x86_64", [], b"", [], [], [], [file.PlanEntry(""), entry],
        (1 << 36) + 1 if how == "state" else 0, b"",
    )  # fmt: skip
    path = tmp_path / "large.plan"
    plan = file.dumps(content)
    path.write_bytes(patched(plan, 88, "<Q", (1 << 36) + 64) if how == "library" else plan)
    with pytest.raises(HalError) as caught:
        PlanModule(path)
    assert str(caught.value).replace(f"{tmp_path}/", "") == snapshot


def test_more_than_the_machine_has_is_not_asked_for(tmp_path: Path) -> None:
    """It might be promised, and then the process is killed for touching it."""
    here = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if here >= 1 << 36:
        pytest.skip("this machine has all that a plan may ask for")
    path = tmp_path / "large.plan"
    entries = [file.PlanEntry(""), file.PlanEntry("main")]
    content = file.PlanFile(
        compiler_version(), platform.machine(), [], b"", [], [], [], entries, here + (1 << 20), b""
    )
    path.write_bytes(file.dumps(content))
    with pytest.raises(HalError, match="no memory for what the module keeps"):
        PlanModule(path)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("unharmed", "2"),
        ("digested", "2"),
        ("cut", "2"),
        ("plan", "2"),
        ("shorter", "the kernel library is not the one of this plan"),
    ],
)
def test_a_file_that_changes_while_it_is_loaded(how: str, said: str, tmp_path: Path) -> None:
    """What runs is what was checked, and nobody dies of a file that gets shorter."""
    flags = (*STRICT, "-Wl,--wrap=pr_sha256,--wrap=read")
    made = built("torn_files.c", flags)
    steps = [adding(0, 0, file.INPUT, file.ARENA), adding(0, 0, file.ARENA, file.OUTPUT)]
    adds = [(0, "add"), (1, "add")]
    (tmp_path / "other").mkdir()
    path = write_by_hand(tmp_path, *steps, functions=adds)
    other = write_by_hand(
        tmp_path / "other", adding(0, 0, file.INPUT, file.OUTPUT), functions=adds, swap=True
    )
    arguments = [str(made), str(path), str(path.with_suffix(".so")), str(other.with_suffix(".so")), how]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{said}\n", "")


def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    """In a plan they are refused; in its path they are as good as others."""
    entries = [file.PlanEntry(""), file.PlanEntry("stepX")]
    content = file.PlanFile(compiler_version(), platform.machine(), [], b"", [], [], [], entries, 0, b"")
    raw = file.dumps(content)
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    path = folder / "a.plan"
    path.write_bytes(raw)
    assert PlanModule(path).entries == {"stepX": 1}
    body = raw[56:].replace(b"stepX", b"step\xff")
    path.write_bytes(raw[:24] + hashlib.sha256(body).digest() + body)
    with pytest.raises(HalError, match=r"a name in it is not UTF-8: b'step\\xff'"):
        PlanModule(path)


# -- compiling it --------------------------------------------------------------------------------------------


def test_without_a_compiler_what_is_missing_is_told_when_asked_for(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CC", "no-such-compiler")
    assert native.missing() == "a C compiler (cc, gcc or clang)"
    with pytest.raises(HalError, match=r"need a C compiler once.*no-such-compiler.*apt install gcc"):
        native.compile_c(native.RUNNER)


def test_what_was_compiled_once_needs_no_compiler_again(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    source = tmp_path / "small.c"
    source.write_text("int answer(void) { return 42; }\n")
    made = native.compile_c([source], name="small")
    monkeypatch.setenv("CC", "no-such-compiler")
    assert native.compile_c([source], name="small") == made
    source.write_text("int answer(void) { return 43; }\n")
    with pytest.raises(HalError, match="need a C compiler"):
        native.compile_c([source], name="small")


def test_a_compiler_that_refuses_is_quoted_and_leaves_nothing(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    source = tmp_path / "wrong.c"
    source.write_text("int answer(void) { return fortytwo; }\n")
    with pytest.raises(HalError, match="fortytwo"):
        native.compile_c([source])
    assert list((tmp_path / "polyrhythm" / "native").iterdir()) == []


def test_the_compiler_may_have_arguments(tmp_path, monkeypatch) -> None:
    """As with ``CC="ccache gcc"``."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    launcher = tmp_path / "launch er"
    launcher.write_text('#!/bin/sh\nexec "$@"\n')
    launcher.chmod(0o755)
    (cc,) = native.compiler() or [""]
    monkeypatch.setenv("CC", f"'{launcher}' {cc} -DFORTY=40")
    assert native.compiler() == [str(launcher), cc, "-DFORTY=40"]
    source = tmp_path / "small.c"
    source.write_text("int answer(void) { return FORTY + 2; }\n")
    assert native.load(lambda: native.compile_c([source])).answer() == 42
    monkeypatch.setenv("CC", "gcc 'never ends")
    assert native.compiler() is None


def test_a_library_that_does_not_load_is_made_anew_once(tmp_path) -> None:
    """A disk was full, say; where nothing may be executed at all, that is told."""
    good = native.compile_c(native.RUNNER, name="runner").read_bytes()

    def made(path: Path, content: bytes) -> Path:
        if not path.exists():
            path.write_bytes(content)
        return path

    for name in "ab":
        (tmp_path / name).touch()
    assert native.load(lambda: made(tmp_path / "a", good)).pr_team_start
    with pytest.raises(OSError, match="file too short"):
        native.load(lambda: made(tmp_path / "b", b""))


def test_a_runner_that_does_not_load_is_told(tmp_path, monkeypatch) -> None:
    def refused(name: str) -> None:
        raise OSError(f"{name}: failed to map segment from shared object")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(native, "compile_c", lambda *_, **__: tmp_path / "runner")
    monkeypatch.setattr(native.ctypes, "CDLL", refused)
    with pytest.raises(HalError, match=r"can't be loaded: .*failed to map segment.*set XDG_CACHE_HOME"):
        native.runner.__wrapped__()
