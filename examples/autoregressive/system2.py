"""The host's side of the decoder: it keeps the pages' books and calls the compiled entries.

Everything is bound once, at the start; a tick allocates no memory but Python's small change.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType

import numpy as np

from polyrhythm.bundle import Entry, open_bundle
from polyrhythm.compile import prepare
from polyrhythm.hal import Buffer, Call, DeviceConfig, driver
from polyrhythm.hal.binding import in_place
from polyrhythm.memory import Arena, KVContext, KVShape, Lease, PagedKV, footprint

sys.path.insert(0, str(Path(__file__).parent))

import model

SHAPE = KVShape(model.LAYERS, model.PAGE_TOKENS, model.HEADS, model.HEAD_DIM)
PROMPT_PAGES = model.WORDS // model.PAGE_TOKENS
TICK_PAGES = -(-model.TICK_TOKENS // model.PAGE_TOKENS)
_TIMEOUT_NS = 60_000_000_000


class System2:
    """The decoder of a bundle on one device, for any number of contexts.

    Args:
        bundle: a bundle made from `policy.py`.
        uri: the device.
        budgets: pages by group of contexts; see `polyrhythm.memory.PagedKV`.
    """

    def __init__(self, bundle: Path, uri: str = "local-sync", budgets: dict[str, int] | None = None) -> None:
        opened = open_bundle(bundle)
        prepare(opened)
        opened = open_bundle(bundle)
        module = opened.module("s2.vmfb")
        self.entries = {name: module.entries[name] for name in ("observe", "think")}
        self.device = driver("iree").open(DeviceConfig("s2", uri))
        parameters = opened.parameters(opened.manifest.orchestration.modules[0])
        code = opened.artefacts["s2.vmfb"]
        self._executable = self.device.load(code, list(self.entries.values()), parameters)
        pool = SHAPE.tensor(model.PAGES)
        tensors = {
            tensor.name: tensor
            for entry in self.entries.values()
            for tensor in (*entry.inputs, *entry.outputs)
            if tensor != pool
        }
        scratch_bytes = max(entry.scratch_bytes for entry in self.entries.values())
        self.arena = Arena(footprint([pool, *tensors.values(), scratch_bytes]), "system 2")
        self.kv = PagedKV(SHAPE, model.PAGES, model.TABLE, self.arena, owner="s2", budgets=budgets)
        self._arrays = {name: self.arena.take("s2", "tensor", tensor) for name, tensor in tensors.items()}
        self._arrays["kv"] = self.kv.array
        buffers = {name: self.device.buffer(array) for name, array in self._arrays.items()}
        scratch = self.device.buffer(self.arena.take("s2", "scratch", scratch_bytes))
        self._calls = {name: self._bind(entry, buffers, scratch) for name, entry in self.entries.items()}
        self._queue = self.device.queue()

    def begin(self, name: str, words: np.ndarray, group: str | None = None) -> KVContext:
        """A context that has read its instruction, i32 ``[16]``; what another has read is not read again."""
        prompt = [*words.tolist(), model.BEGIN]
        context = self.kv.open(name, prompt, group)
        while context.length < len(prompt):
            self._observe(context, prompt[context.length : context.length + model.PATCHES])
        return context

    def tick(self, context: KVContext, depth: np.ndarray) -> np.ndarray:
        """Look at depth f32 ``[64, 64]`` and think: hidden f32 ``[8, 64]``, overwritten by the next tick.

        A context that is full loses its oldest pages, but not the instruction.
        """
        if context.length + model.TICK_TOKENS > model.TABLE * model.PAGE_TOKENS:
            self.kv.slide(context, pages=TICK_PAGES, keep=PROMPT_PAGES)
        self._observe(context, model.patch_tokens(depth).tolist())
        for row in range(model.THOUGHTS):
            self._think(context, row)
        return self._arrays["hidden"]

    def launch(self, entry: str, lease: Lease) -> None:
        """Run an entry on the pages of a lease, to the end."""
        lease.write_table(self._arrays["page_table"])
        self._arrays["start"][...], self._arrays["count"][...] = lease.start, lease.count
        if not self._queue.submit(self._calls[entry]).wait(_TIMEOUT_NS):
            raise TimeoutError(f"{entry} of context {lease.context.name!r} is not done")

    def close(self) -> None:
        """Stop the device."""
        self._queue.close(_TIMEOUT_NS)
        self.device.close()

    def __enter__(self) -> System2:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _observe(self, context: KVContext, tokens: list[int]) -> None:
        self._arrays["tokens"][: len(tokens)] = tokens
        self._step("observe", context, tokens)

    def _think(self, context: KVContext, row: int) -> None:
        thought = int(self._arrays["thought"])
        self._arrays["token"][...], self._arrays["row"][...] = thought, row
        self._step("think", context, [thought])

    def _step(self, entry: str, context: KVContext, tokens: list[int]) -> None:
        with self.kv.step(context, tokens) as lease:
            self.launch(entry, lease)

    def _bind(self, entry: Entry, buffers: dict[str, Buffer], scratch: Buffer) -> Call:
        """Inputs and outputs of a name are one memory: allowed where an output replaces its input."""
        both = {t.name for t in entry.inputs} & {t.name for t in entry.outputs}
        assert both == {entry.outputs[index].name for index in in_place(entry)}
        inputs = [buffers[tensor.name] for tensor in entry.inputs]
        outputs = [buffers[tensor.name] for tensor in entry.outputs]
        return self._executable.bind(entry.name, inputs, outputs, scratch)
