"""The numerical gate: machine code against the framework, before anything is written.

Every entry runs on a few seeded random inputs, through the same hal, memory and parameter files as at run
time, and each output has to agree with what the framework computes. With ``a`` the output and ``b`` the
reference, over all samples,

    max_abs = max |a - b|,    max_rel = max_abs / max(max |b|, 1e-3)

and the gate lets ``max_rel <= tolerance`` pass. NaN and infinity agree only with themselves, and an output
that is nothing else was not compared; whole numbers and truth values have to be equal. The gate also runs
every sample twice, and refuses an entry that changes an input which it does not declare consumed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from polyrhythm.bundle import Entry, LockedError, LockedGate, Tensor
from polyrhythm.compile.codes import BuildError, problem
from polyrhythm.compile.policy import EntrySource
from polyrhythm.compile.weights import numpy_dtype
from polyrhythm.hal import Device, DeviceConfig, Executable, HalError, open_device
from polyrhythm.hal.binding import in_place
from polyrhythm.manifest import Diagnostic
from polyrhythm.memory import Arena, footprint

SEED = 0
SAMPLES = 3
#: Largest `max_rel` by dtype of the output.
TOLERANCE = {"f64": 1e-4, "f32": 1e-4, "f16": 1e-2, "bf16": 5e-2}
_SMALL = 1e-3
_INTEGERS = 8
_TIMEOUT_NS = 120_000_000_000

Sample = dict[str, np.ndarray]


@dataclass(frozen=True)
class Mends:
    """What helps if an output differs, if one of whole numbers does, and if nothing was compared."""

    differs: str = "give the EntrySource a `tolerance` or `samples`"
    whole: str = "give the EntrySource `samples`"
    nothing: str = "give the EntrySource `samples`"


@dataclass(frozen=True)
class Case:
    """An entry with its inputs and what the framework makes of them, one tuple of outputs per sample."""

    entry: Entry
    source: EntrySource
    samples: Sequence[Sample]
    reference: Sequence[tuple[np.ndarray, ...]]
    mends: Mends = Mends()


def draw(source: EntrySource, path: str, seed: int = SEED, count: int = SAMPLES) -> list[Sample]:
    """Inputs for `count` calls of an entry, the same for the same seed and path.

    Raises:
        BuildError: PK005 for samples of the policy description that are not as the inputs are declared.
    """
    return draw_tensors(source.tensors, path, seed, count, source.samples)


def draw_tensors(
    tensors: Sequence[Tensor],
    path: str,
    seed: int = SEED,
    count: int = SAMPLES,
    given_by: Callable[[np.random.Generator], Mapping[str, Any]] | None = None,
) -> list[Sample]:
    """The same for inputs without a description, or with only its `samples`."""
    rng = np.random.default_rng([seed, zlib.crc32(path.encode())])
    samples = []
    for _ in range(count):
        given = _called(given_by, rng, path) if given_by else {}
        sample = {}
        for tensor in tensors:
            if tensor.name in given:
                sample[tensor.name] = _given(tensor, given.pop(tensor.name), path)
            else:
                sample[tensor.name] = _random(tensor, rng)
        if given:
            raise _bad_sample(path, f"samples name {', '.join(map(repr, given))}, which are no inputs", None)
        samples.append(sample)
    return samples


def run(
    code: Path,
    weights: Sequence[Path],
    cases: Mapping[str, Case],
    target: str,
    device_of: tuple[str, str] = ("iree", "local-sync"),
) -> dict[str, LockedGate]:
    """Put every entry of a module through the gate; `cases` by path (``dit.step``).

    Args:
        target: what the lock says of where it ran.
        device_of: driver and URI of the device to run on.

    Raises:
        BuildError: PK020 to PK023 for every entry and output that fails.
    """
    name, uri = device_of
    device: Device = open_device(name, DeviceConfig("gate", uri))
    try:
        entries = [case.entry for case in cases.values()]
        try:
            executable = device.load(code, entries, weights)
        except HalError as error:
            raise BuildError(_does_not_run(next(iter(cases), "module"), error)) from error
        found: dict[str, LockedGate] = {}
        failures: list[BuildError] = []
        for path, case in cases.items():
            try:
                found[path] = _through(device, executable, path, case, target)
            except BuildError as error:
                failures.append(error)
        if failures:
            raise BuildError(*(diagnostic for error in failures for diagnostic in error.diagnostics))
        return found
    finally:
        device.close()


def _through(device: Device, executable: Executable, path: str, case: Case, target: str) -> LockedGate:
    entry = case.entry
    scratch_bytes = [entry.scratch_bytes] if entry.scratch_bytes else []
    arena = Arena(footprint([*entry.inputs, *entry.outputs, *scratch_bytes]), path)
    inputs = [arena.take(path, "input", tensor) for tensor in entry.inputs]
    replaced = in_place(entry)
    outputs = [
        inputs[replaced[index]] if index in replaced else arena.take(path, "output", tensor)
        for index, tensor in enumerate(entry.outputs)
    ]
    scratch = [device.buffer(arena.take(path, "scratch", size)) for size in scratch_bytes]
    comparison = {
        tensor.name: _Comparison(path, tensor, case.source.tolerance, case.mends) for tensor in entry.outputs
    }
    queue, allocated = device.queue(), 0
    try:
        sources = [device.buffer(array) for array in inputs]
        sinks = [device.buffer(array) for array in outputs]
        call = executable.bind(entry.name, sources, sinks, scratch[0] if scratch else None)
        for sample, reference in zip(case.samples, case.reference, strict=True):
            # Twice: what the first call leaves behind in scratch must not matter.
            for _ in range(2):
                for array, tensor in zip(inputs, entry.inputs, strict=True):
                    array[...] = sample[tensor.name].view(array.dtype)
                for array in (array for index, array in enumerate(outputs) if index not in replaced):
                    array.reshape(-1).view(np.uint8)[:] = 0xA5
                before = _allocated(device)
                if not queue.submit(call).wait(_TIMEOUT_NS):
                    raise HalError(f"it was not done after {_TIMEOUT_NS // 10**9} s")
                allocated = _allocated(device) - before
                _check_inputs(path, entry, inputs, sample)
                for array, tensor, expected in zip(outputs, entry.outputs, reference, strict=True):
                    comparison[tensor.name].add(array, expected)
    except HalError as error:
        raise BuildError(_does_not_run(path, error)) from error
    finally:
        queue.close(_TIMEOUT_NS)
    if failed := [item.diagnostic() for item in comparison.values() if not item.passed]:
        raise BuildError(*failed)
    errors = {name: item.locked() for name, item in comparison.items()}
    return LockedGate(
        seed=SEED, samples=len(case.samples), cpu=target, allocated_bytes=allocated, outputs=errors
    )


class _Comparison:
    """The largest difference of one output over all samples."""

    def __init__(self, path: str, tensor: Tensor, tolerance: float | None, mends: Mends = Case.mends) -> None:
        self.path, self.tensor, self.mends = path, tensor, mends
        self.whole = tensor.dtype not in TOLERANCE
        default = TOLERANCE.get(tensor.dtype, 0.0)
        self.tolerance = default if self.whole or tolerance is None else tolerance
        self.max_abs, self.magnitude, self.worst, self.compared = 0.0, 0.0, "", 0

    def add(self, array: np.ndarray, expected: np.ndarray) -> None:
        given = array.view(numpy_dtype(self.tensor.dtype))
        found, wanted = given.astype(np.float64), expected.astype(np.float64)
        same = np.equal(given, expected) | (np.isnan(found) & np.isnan(wanted))
        with np.errstate(invalid="ignore", over="ignore"):
            distance = np.abs(found - wanted)
        # Large whole numbers that differ may be one number in floating point.
        distance = np.where(np.isnan(distance), np.inf, np.maximum(distance, 1.0 if self.whole else 0.0))
        distance = np.where(same, 0.0, distance)
        finite = np.abs(wanted[np.isfinite(wanted)])
        self.compared += finite.size
        self.magnitude = max(self.magnitude, float(finite.max(initial=0.0)))
        where = np.unravel_index(int(distance.argmax()), distance.shape)
        if distance[where] > self.max_abs:
            self.max_abs = float(distance[where])
            index = ", ".join(str(int(part)) for part in where)
            self.worst = f"[{index}] is {self._shown(given[where])}, should be {self._shown(expected[where])}"

    def _shown(self, value: Any) -> str:
        return str(value) if self.whole else f"{float(value):.6g}"

    @property
    def max_rel(self) -> float:
        return self.max_abs / max(self.magnitude, _SMALL)

    @property
    def passed(self) -> bool:
        return self.agrees and self.compared > 0

    @property
    def agrees(self) -> bool:
        return self.max_rel <= self.tolerance

    def locked(self) -> LockedError:
        # Three digits: the rest is noise.
        max_abs, max_rel = float(f"{self.max_abs:.2e}"), float(f"{self.max_rel:.2e}")
        return LockedError(max_abs=max_abs, max_rel=max_rel, tolerance=self.tolerance)

    def diagnostic(self) -> Diagnostic:
        if self.agrees:
            message = f"output {self.tensor.name!r} ({self.tensor}) is nowhere finite: nothing was compared"
            allowed = "a finite number in one sample at least"
            return problem("PK023", "gate", message, None, allowed, self.mends.nothing, path=self.path)
        message = (
            f"output {self.tensor.name!r} ({self.tensor}) differs from the framework's: "
            f"max_rel {self.max_rel:.3g}, max_abs {self.max_abs:.3g}; {self.tensor.name}{self.worst}"
        )
        value, allowed = float(f"{self.max_rel:.3g}"), f"max_rel at most {self.tolerance:g}"
        mend = f"look for sensitive operations, or {self.mends.whole if self.whole else self.mends.differs}"
        return problem("PK020", "gate", message, value, allowed, mend, path=self.path)


def _allocated(device: Any) -> int:
    """All bytes that the device has ever allocated; 0 if it keeps no account."""
    account = getattr(device, "statistics", None)
    return 0 if account is None else int(account()["device_bytes_allocated"])


def _check_inputs(path: str, entry: Entry, inputs: Sequence[np.ndarray], sample: Sample) -> None:
    for array, tensor in zip(inputs, entry.inputs, strict=True):
        if tensor.name not in entry.consumed and array.tobytes() != sample[tensor.name].tobytes():
            message, mend = (
                f"it overwrites its input {tensor.name!r}",
                f"declare `consumed=({tensor.name!r},)`",
            )
            raise BuildError(
                problem("PK021", "gate", message, tensor.name, "inputs left unchanged", mend, path=path)
            )


def _does_not_run(path: str, error: HalError) -> Diagnostic:
    return problem("PK022", "gate", f"the machine code does not run: {error}", None, "", "", path=path)


def _random(tensor: Tensor, rng: np.random.Generator) -> np.ndarray:
    dtype = numpy_dtype(tensor.dtype)
    if tensor.dtype in TOLERANCE:
        return np.asarray(rng.standard_normal(tensor.shape)).astype(dtype)
    return np.asarray(rng.integers(0, 2 if tensor.dtype == "bool" else _INTEGERS, tensor.shape)).astype(dtype)


def _called(
    given_by: Callable[[np.random.Generator], Mapping[str, Any]], rng: np.random.Generator, path: str
) -> dict[str, Any]:
    try:
        given: object = given_by(rng)
    except Exception as error:  # the description is other people's code
        message = f"its samples raise {type(error).__name__}: {error}"
        raise _bad_sample(path, message, "arrays by input name") from error
    if not isinstance(given, Mapping):
        message = f"its samples are of type {type(given).__name__}, not a dict"
        raise _bad_sample(path, message, "arrays by input name")
    return dict(given)


def _given(tensor: Tensor, value: Any, path: str) -> np.ndarray:
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, RuntimeError) as error:
        raise _bad_sample(path, f"the sample of {tensor.name!r} is no array: {error}", str(tensor)) from error
    dtype = numpy_dtype(tensor.dtype)
    if array.shape != tensor.shape or not np.can_cast(array.dtype, dtype, "same_kind"):
        message = f"the sample of {tensor.name!r} is {array.dtype}{list(array.shape)}"
        raise _bad_sample(path, message, str(tensor))
    return np.ascontiguousarray(array, dtype).reshape(tensor.shape)


def _bad_sample(path: str, message: str, allowed: str | None) -> BuildError:
    mend = "let `samples(rng)` return arrays by input name"
    return BuildError(
        problem("PK005", "policy", message, None, allowed or "inputs of the entry", mend, path=path)
    )
