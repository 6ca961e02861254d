"""The runner of static plans, seen from Python: modules, plans, and weights that they read where they lie."""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from polyrhythm.hal import native
from polyrhythm.hal.api import HalError
from polyrhythm.hal.binding import ALIGNMENT, address

DONE, PREEMPTED = 0, 1
_ERROR_BYTES = 1024
_POINTER, _SIZE, _TEXT, _INT = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_int
_FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "pr_module_read": (_POINTER, (_TEXT, _POINTER, _SIZE)),
    "pr_module_load": (_INT, (_POINTER, _TEXT, _POINTER, _SIZE, _POINTER, _SIZE)),
    "pr_module_plan": (_POINTER, (_POINTER, _SIZE, _POINTER, _SIZE)),
    "pr_module_close": (None, (_POINTER,)),
    "pr_module_entry_count": (_SIZE, (_POINTER,)),
    "pr_module_entry_name": (_TEXT, (_POINTER, _SIZE)),
    "pr_module_entry_declaration": (_TEXT, (_POINTER, _SIZE)),
    "pr_module_entry_refusal": (_TEXT, (_POINTER, _SIZE)),
    "pr_module_entry_scratch": (_SIZE, (_POINTER, _SIZE)),
    "pr_module_parameter_count": (_SIZE, (_POINTER,)),
    "pr_module_parameter_name": (_TEXT, (_POINTER, _SIZE)),
    "pr_module_state": (_SIZE, (_POINTER,)),
    "pr_module_compiler": (_TEXT, (_POINTER,)),
    "pr_module_library_digest": (_POINTER, (_POINTER,)),
    "pr_plan_bind_input": (_INT, (_POINTER, _SIZE, _POINTER, _SIZE)),
    "pr_plan_bind_output": (_INT, (_POINTER, _SIZE, _POINTER, _SIZE)),
    "pr_plan_bind_scratch": (_INT, (_POINTER, _POINTER, _SIZE)),
    "pr_plan_run": (_INT, (_POINTER, _POINTER)),
    "pr_plan_reset": (None, (_POINTER,)),
    "pr_plan_steps": (_SIZE, (_POINTER, _POINTER)),
    "pr_plan_join": (_INT, (_POINTER, _POINTER)),
    "pr_team_start": (_POINTER, (_INT, _INT)),
    "pr_team_dismiss": (None, (_POINTER,)),
    "pr_team_stop": (None, (_POINTER,)),
    "pr_team_close": (None, (_POINTER,)),
    "pr_plan_close": (None, (_POINTER,)),
}


class _Parameter(ctypes.Structure):
    _fields_ = (("name", _TEXT), ("data", _POINTER), ("nbytes", _SIZE))


@cache
def library() -> ctypes.CDLL:
    """The runner, with its functions declared.

    Raises:
        HalError: see `polyrhythm.hal.native.compile_c`.
    """
    found = native.runner()
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(found, name)
        function.restype, function.argtypes = result, arguments
    return found


class PlanModule:
    """A loaded plan file with its kernels and weights.

    Raises:
        HalError: the runner's message, with the file.
    """

    def __init__(self, artefact: Path, parameters: Sequence[Path] = ()) -> None:
        self._lib = library()
        self.artefact = artefact
        error = ctypes.create_string_buffer(_ERROR_BYTES)
        self.handle = self._lib.pr_module_read(os.fsencode(artefact), error, _ERROR_BYTES)
        if not self.handle:
            raise HalError(f"{artefact}: {_said(error)}")
        self._finalizer = _closing(self, self._lib.pr_module_close, self.handle)
        lib, count = self._lib, self._lib.pr_module_entry_count(self.handle)
        #: Entry -> its number; 0 is what runs once at the beginning.
        self.entries = {self._name(lib.pr_module_entry_name(self.handle, i)): i for i in range(1, count)}
        names = range(lib.pr_module_parameter_count(self.handle))
        wanted = [self._name(lib.pr_module_parameter_name(self.handle, i)) for i in names]
        self._weights = Weights(wanted, parameters)
        table = (_Parameter * max(1, len(wanted)))(
            *(
                _Parameter(name.encode(), address(array), array.nbytes)
                for name, array in self._weights.arrays.items()
            )
        )
        arguments = (
            os.fsencode(self._library_file()),
            table,
            len(self._weights.arrays),
            error,
            _ERROR_BYTES,
        )
        if lib.pr_module_load(self.handle, *arguments):
            raise HalError(f"{artefact}: {_said(error)}")

    @property
    def compiler(self) -> str:
        """The version of the compiler that made the plan."""
        found: bytes = self._lib.pr_module_compiler(self.handle)
        return found.decode(errors="replace")

    @property
    def state_bytes(self) -> int:
        """What the module keeps beside its weights."""
        return int(self._lib.pr_module_state(self.handle))

    def declaration(self, entry: str) -> str:
        """What an entry takes and gives, as the compiler declares it."""
        found: bytes = self._lib.pr_module_entry_declaration(self.handle, self.entries[entry])
        return found.decode(errors="replace")

    def refusal(self, entry: str) -> str:
        """Why an entry has no plan; empty if it has one."""
        found: bytes = self._lib.pr_module_entry_refusal(self.handle, self.entries[entry])
        return found.decode(errors="replace")

    def scratch_bytes(self, entry: str) -> int:
        """The arena of an entry."""
        return int(self._lib.pr_module_entry_scratch(self.handle, self.entries[entry]))

    def _name(self, found: bytes) -> str:
        try:
            return found.decode()
        except UnicodeDecodeError:
            raise HalError(f"{self.artefact}: a name in it is not UTF-8: {found!r}") from None

    def _library_file(self) -> Path:
        """The kernels: beside the plan under their digest, or under the name of the plan."""
        digest = ctypes.string_at(self._lib.pr_module_library_digest(self.handle), 32).hex()
        named = self.artefact.with_name(f"{digest}.so")
        return named if named.is_file() else self.artefact.with_suffix(".so")


class Plan:
    """One entry of a module with memory bound to it. Run it from one thread at a time."""

    def __init__(self, module: PlanModule, entry: str) -> None:
        lib = self._lib = library()
        error = ctypes.create_string_buffer(_ERROR_BYTES)
        number = module.entries[entry]
        handle = lib.pr_module_plan(module.handle, number, error, _ERROR_BYTES)
        if not handle:
            raise HalError(f"{module.artefact}: {_said(error)}")
        self.handle = ctypes.c_void_p(handle)
        self._keep: list[object] = [module]
        self._finalizer = _closing(self, lib.pr_plan_close, handle)
        self._run = lib.pr_plan_run
        #: Who shares the work; a stopped team must not go before the plans that joined it.
        self.team: Team | None = None

    def bind(
        self, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray], scratch: np.ndarray | None
    ) -> None:
        """Point the plan at memory, which it keeps alive; 64-byte aligned, of the right size."""
        lib = self._lib
        for bind, arrays in ((lib.pr_plan_bind_input, inputs), (lib.pr_plan_bind_output, outputs)):
            for index, array in enumerate(arrays):
                self._check(bind(self.handle, index, address(array), array.nbytes))
        if scratch is not None:
            self._check(lib.pr_plan_bind_scratch(self.handle, address(scratch), scratch.nbytes))
        self._keep += [*inputs, *outputs, scratch]

    def run(self, preempt: ctypes.c_int | None = None) -> bool:
        """Run without the interpreter lock; False if `preempt` became 1 and there is more to do.

        Raises:
            HalError: a kernel failed.
        """
        code: int = self._run(self.handle, None if preempt is None else ctypes.byref(preempt))
        if code < 0:
            self._check(code)
        return code == DONE

    def reset(self) -> None:
        """Forget how far a preempted run came."""
        self._lib.pr_plan_reset(self.handle)

    def steps_ns(self) -> np.ndarray:
        """Run, and tell how long each step took, in nanoseconds ``u64[steps]``."""
        found = np.zeros(self._lib.pr_plan_steps(self.handle, None), np.uint64)
        self._lib.pr_plan_steps(self.handle, address(found) if found.size else None)
        return found

    def join(self, team: Team) -> None:
        """Share workgroups with the team's thread from now on."""
        if self.team is not team:
            self._lib.pr_plan_join(self.handle, team.handle)
            self.team = team

    @staticmethod
    def _check(code: int) -> None:
        if code:
            said = {
                -1: "an input, output or scratch has no memory",
                -2: "there is no such tensor",
                -3: "memory is too small",
                -4: f"memory is not {ALIGNMENT}-byte aligned",
            }
            raise HalError(said.get(code, f"a kernel failed with {-1000 - code}"))


class Team:
    """A second thread for plans that run one after the other. It spins until `dismiss` or `stop`.

    Args:
        core: it is pinned to this one; -1: to none.
        nice: its nice value, whatever its maker's is.

    Raises:
        HalError: it does not start.
    """

    def __init__(self, core: int = -1, nice: int = 0) -> None:
        self._lib = library()
        handle = self._lib.pr_team_start(core, nice)
        if not handle:
            raise HalError("the second thread of a queue does not start")
        self.handle = ctypes.c_void_p(handle)
        self._finalizer = _closing(self, self._lib.pr_team_close, handle)

    def dismiss(self) -> None:
        """Have the thread end, without waiting for it: one that hangs never does. What joined runs alone."""
        self._lib.pr_team_dismiss(self.handle)

    def stop(self) -> None:
        """End the thread; what joined runs alone."""
        self._lib.pr_team_stop(self.handle)


def read_weights(files: Sequence[Path]) -> dict[str, bytes]:
    """All tensors of weight files by name, for a plan that is to hold them."""
    if not files:
        return {}
    from polyrhythm.hal.drivers.iree_native import map_parameters

    mapped = map_parameters(files)
    assert mapped is not None
    return {name: _content(entry).tobytes() for name, entry in mapped.index.items()}


class Weights:
    """Weights where their files are mapped; copied only if they do not begin at a multiple of 64 there."""

    def __init__(self, names: Sequence[str], files: Sequence[Path]) -> None:
        self.arrays: dict[str, np.ndarray] = {}
        if not names:
            return
        if not files:
            raise HalError(f"it needs parameter files, none were given ({names[0]} is wanted)")
        from polyrhythm.hal.drivers.iree_native import map_parameters

        self._mapped = map_parameters(files)
        assert self._mapped is not None
        known = dict(self._mapped.index.items())
        for name in names:
            if name not in known:
                raise HalError(f"weight {name} is in none of {', '.join(file.name for file in files)}")
            self.arrays[name] = _aligned(known[name])


def _content(entry: Any) -> np.ndarray:
    if not entry.is_splat:
        return np.frombuffer(entry.file_view, np.uint8)
    pattern = np.frombuffer(bytes(entry.splat_pattern), np.uint8)
    return np.tile(pattern, entry.length // max(1, pattern.size))


def _aligned(entry: Any) -> np.ndarray:
    content = _content(entry)
    if not entry.is_splat and address(content) % ALIGNMENT == 0:
        return content
    raw = np.zeros(content.nbytes + ALIGNMENT, np.uint8)
    start = -address(raw) % ALIGNMENT
    copy = raw[start : start + content.nbytes]
    copy[:] = content
    return copy


def _said(error: Any) -> str:
    found: bytes = error.value
    return found.decode(errors="replace")


def _closing(owner: object, close: Any, handle: int) -> weakref.finalize[Any, Any]:
    finalizer = weakref.finalize(owner, close, ctypes.c_void_p(handle))
    # At exit a hung call may still be running; the process gives everything back anyway.
    finalizer.atexit = False
    return finalizer
