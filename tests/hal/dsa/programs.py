"""Entries and machines drawn by hypothesis, and small ones by hand."""

from __future__ import annotations

from hypothesis import strategies as st

from polyrhythm.hal.dsa import Machine, Span, WorkEntry, WorkStep

#: What an entry of these tests may have, in bytes; the last ones are written.
MEMORIES = {"input.x": 640, "weight.w": 2048, "input.kv": 1024, "arena": 1536, "output.y": 512}
WRITTEN = ("input.kv", "arena", "output.y")


def step(name: str, reads: list[Span], writes: list[Span], flops: int = 1000) -> WorkStep:
    return WorkStep(name, flops, tuple(reads), tuple(writes))


def entry(*steps: WorkStep, name: str = "entry", **memories: int) -> WorkEntry:
    return WorkEntry(name, memories or MEMORIES, steps)


def layers(count: int = 3) -> WorkEntry:
    """Some layers after one another: each reads weights, keys and values, and what the last one left."""
    memories = {
        "input.x": 256,
        "input.kv": 512 * count,
        "weight.w": 1024 * count,
        "arena": 512,
        "output.y": 256,
    }
    steps = []
    last = Span("input.x", 0, 256)
    for i in range(count):
        made = Span("arena", 256 * (i % 2), 256 * (i % 2) + 256)
        reads = [last, Span("weight.w", 1024 * i, 1024 * (i + 1)), Span("input.kv", 512 * i, 512 * (i + 1))]
        steps.append(step(f"layer{i}", reads, [made], 40_000))
        last = made
    steps.append(step("head", [last], [Span("output.y", 0, 256)], 2_000))
    return WorkEntry("step", memories, tuple(steps))


@st.composite
def spans(draw: st.DrawFn, names: tuple[str, ...]) -> Span:
    memory = draw(st.sampled_from(names))
    start = draw(st.integers(0, MEMORIES[memory] // 32 - 1)) * 32
    return Span(memory, start, draw(st.integers(start // 32 + 1, MEMORIES[memory] // 32)) * 32)


@st.composite
def entries(draw: st.DrawFn) -> WorkEntry:
    steps = []
    for number in range(draw(st.integers(1, 5))):
        reads = draw(st.lists(spans(tuple(MEMORIES)), max_size=3))
        writes = draw(st.lists(spans(WRITTEN), min_size=1, max_size=2))
        steps.append(step(f"k{number}", reads, writes, draw(st.integers(0, 100_000))))
    return entry(*steps)


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    work = draw(st.integers(4, 8))
    return Machine.parse(
        f"cores={draw(st.integers(1, 4))},channels={draw(st.integers(1, 3))},sram_kib=16,work_kib={work},"
        f"dram_gbps={draw(st.sampled_from(['0.5', '10', '80']))},launch_ns={draw(st.integers(0, 2000))},"
        f"dma_ns={draw(st.integers(0, 500))},gflops={draw(st.sampled_from(['1', '30', '4000']))}"
    )


helds = st.sets(st.sampled_from(["input.kv", "weight.w", "input.x"])).map(
    lambda names: {name: 8192 + 2048 * index for index, name in enumerate(sorted(names))}
)
