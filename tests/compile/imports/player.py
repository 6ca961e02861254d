"""Entries of a bundle called one after the other, each with what came before by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from polyrhythm.bundle import Bundle
from polyrhythm.hal import DeviceConfig, driver
from polyrhythm.memory import Arena, footprint


class Player:
    """The only file of machine code in a bundle, by default on one core; `close` it."""

    def __init__(self, bundle: Bundle, uri: str = "local-sync") -> None:
        ((vmfb, locked),) = bundle.modules.items()
        self._entries = locked.entries
        self._device = driver("iree").open(DeviceConfig("test", uri))
        files = bundle.parameters(bundle.manifest.orchestration.modules[0])
        self._code = self._device.load(bundle.artefacts[vmfb], tuple(self._entries.values()), files)
        self._queue = self._device.queue()
        self._bound: dict[str, Any] = {}

    def call(self, entry: str, **inputs: Any) -> dict[str, np.ndarray]:
        """One call; the outputs by name."""
        call, ins, outs = self._bound.get(entry) or self._bind(entry)
        for name, array in ins.items():
            array[...] = inputs[name]
        assert self._queue.submit(call).wait(600 * 10**9)
        return {name: array.copy() for name, array in outs.items()}

    def play(self, stages: Sequence[str], given: Mapping[str, Any]) -> dict[str, Any]:
        """All that is known after `stages`, of which every one takes what it needs of what is known."""
        known = dict(given)
        for stage in stages:
            known |= self.call(stage, **{t.name: known[t.name] for t in self._entries[stage].inputs})
        return known

    def close(self) -> None:
        self._queue.close(10**9)
        self._device.close()

    def _bind(self, entry: str) -> Any:
        signature = self._entries[entry]
        size = signature.scratch_bytes
        arena = Arena(footprint([*signature.inputs, *signature.outputs, *([size] if size else [])]), entry)
        ins = {t.name: arena.take(entry, "input", t) for t in signature.inputs}
        outs = {
            t.name: ins[t.name] if t.name in signature.consumed else arena.take(entry, "output", t)
            for t in signature.outputs
        }
        scratch = self._device.buffer(arena.take(entry, "scratch", size)) if size else None
        buffers = [[self._device.buffer(array) for array in arrays.values()] for arrays in (ins, outs)]
        self._bound[entry] = self._code.bind(entry, *buffers, scratch), ins, outs
        return self._bound[entry]
