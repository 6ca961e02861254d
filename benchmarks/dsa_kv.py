"""The prefix KV of a policy in the SRAM of an accelerator, and outside of it: what a chunk moves, and how
long it takes.

The policy is `examples/flow_policy` (its prefix KV has 128 KiB) on a simulated accelerator (driver `dsa`), in
the real runtime on virtual time: a chunk is begin, prefill, n steps, finish. The SRAM grows around the point
where the KV fits; what is measured in the run stands beside what the placement planner said before it: bytes
over the DMA channels in a chunk, and the time of a chunk.

A spilled KV is written once by the prefill and read by each step: (n + 1) x 128 KiB in a chunk. What remains
of the SRAM goes to weights.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from flow_modules import EXAMPLES
from measure import Figure, arguments, finish

from polyrhythm.bundle import open_bundle, relock
from polyrhythm.compile import prepare
from polyrhythm.hal.drivers.dsa import DsaDevice
from polyrhythm.runtime import Note, Runtime, check
from polyrhythm.schedule.events import Command, Event, Finish, Launch

KV_BYTES = 4 * 2 * 4 * 32 * 32 * 4
KV = ("input.kv", "output.kv")
WORK_KIB = 512
#: KiB of SRAM beside what calls work on.
KEEPS = (0, 64, 120, 127, 132, 192, 512, 4096)
MANIFEST = """
devices:
  npu: {{ driver: dsa, uri: "cores=2,sram_kib={sram},work_kib={work},dram_gbps={dram}" }}
orchestration:
  mode: parallel
  modules:
  - id: policy
    vmfb: policy.vmfb
    parameters: policy.safetensors
    entry: [begin, prefill, step, finish]
    steps: {{ full: {steps} }}
    rate_hz: 8
    device: npu
    cost_ms: [1, 6, 3, 1]
  links:
  - {{ from: runtime.noise, to: policy.noise }}
  - {{ from: runtime.dt, to: policy.dt }}
"""


@dataclass(frozen=True)
class Chunk:
    """A chunk as the planner foresaw it, and as it was: bytes over the DMA channels, and nanoseconds."""

    resident: bool
    kv_bytes: float
    foreseen_bytes: int
    moved_bytes: float
    foreseen_ns: int
    took_ns: float
    spilled: str

    @property
    def off_percent(self) -> float:
        """How far the planner was off, in bytes or in time, whichever is more."""
        return 100 * max(
            abs(self.foreseen_bytes / self.moved_bytes - 1), abs(self.foreseen_ns / self.took_ns - 1)
        )


class Watch:
    """Notes how long every chunk took."""

    def __init__(self) -> None:
        self.took_ns: list[int] = []
        self._begun: dict[int, int] = {}

    def step(self, event: Event, commands: list[Command]) -> None:
        """See `polyrhythm.runtime.Listener`."""
        for command in commands:
            if type(command) is Launch:
                self._begun.setdefault(command.job, event.now_ns)
            elif type(command) is Finish:
                self.took_ns.append(event.now_ns - self._begun.pop(command.job))

    def note(self, note: Note) -> None:
        """No robot, no notes."""


def play(root: Path, keep_kib: int, steps: int, dram: str, seconds: float) -> Chunk:
    """Run the policy on one accelerator."""
    text = MANIFEST.format(sram=WORK_KIB + keep_kib, work=WORK_KIB, dram=dram, steps=steps)
    (root / "manifest.yaml").write_text(text)
    relock(root)
    prepare(open_bundle(root))
    checked = check(root)
    if checked.plan is None:
        raise SystemExit("\n\n".join(d.render() for d in checked.diagnostics))
    watch, times = Watch(), {"begin": 1, "prefill": 1, "step": steps, "finish": 1}
    with Runtime(checked.plan) as runtime:
        npu = runtime.devices["npu"]
        assert isinstance(npu, DsaDevice)
        placement, foreseen = npu.placement(), npu.foreseen()
        modelled_ns = runtime.storage.modelled_ns("policy")
        runtime.run(seconds=seconds, lockstep=True, listeners=[watch])
        account = npu.account()
    chunks = account["finish"].calls
    kv = sum(n for entry in account.values() for name, n in entry.traffic.items() if name in KV)
    spilled = [item for item in placement.spilled if item.memory.startswith("kv@")]
    return Chunk(
        resident=not spilled,
        kv_bytes=kv / chunks,
        foreseen_bytes=sum(times[name] * nbytes for name, nbytes in foreseen.items()),
        moved_bytes=sum(entry.dram_bytes for entry in account.values()) / chunks,
        foreseen_ns=sum(modelled_ns.values()),
        took_ns=median(watch.took_ns),
        spilled=f"{len(placement.spilled)} of {len(placement.spilled) + len(placement.held)}",
    )


def table(title: str, chunks: dict[int, Chunk]) -> None:
    """What every size of SRAM gave."""
    print(title)
    print(
        f"{'SRAM':>10} {'prefix KV':>10} {'spilled':>10} {'KV/chunk':>11} {'moved/chunk':>24} {'chunk':>23}"
    )
    for keep, chunk in chunks.items():
        print(
            f"{WORK_KIB + keep:>6} KiB {'in SRAM' if chunk.resident else 'spilled':>10} {chunk.spilled:>10} "
            f"{chunk.kv_bytes / 1024:>7.0f} KiB "
            f"{chunk.moved_bytes / 1024:>7.0f} KiB, said {chunk.foreseen_bytes / 1024:>5.0f} "
            f"{chunk.took_ns / 1e6:>8.3f} ms, said {chunk.foreseen_ns / 1e6:>6.3f}"
        )


def main() -> int:
    """Run all."""
    options = arguments("What it is worth to keep a policy's prefix KV in an accelerator's SRAM.")
    keeps, counts = (KEEPS[::2], (5,)) if options.quick else (KEEPS, (1, 5, 10))
    keeps = sorted({*keeps, 127, 132})
    seconds = 0.5 if options.quick else 2.0
    found: dict[tuple[int, int], Chunk] = {}
    with tempfile.TemporaryDirectory(prefix="polyrhythm-bench-") as place:
        root = Path(place, "bundle")
        shutil.copytree(EXAMPLES / "flow_policy" / "bundle", root)
        for steps in counts:
            for keep in keeps:
                found[steps, keep] = play(root, keep, steps, "2", seconds)
    if not options.json:
        for steps in counts:
            table(f"{steps} steps, 2 GB/s", {keep: found[steps, keep] for keep in keeps})
            print()
    figures = []
    for steps in counts:
        out, within = found[steps, 127], found[steps, 132]
        if out.resident or not within.resident:
            raise SystemExit("the prefix KV is not where its size says")
        figures += [
            Figure(f"KV moved in a chunk of {steps} steps, spilled", out.kv_bytes / 1024, "KiB"),
            Figure(f"KV moved in a chunk of {steps} steps, in SRAM", within.kv_bytes / 1024, "KiB", 0.0),
            Figure(f"a chunk of {steps} steps, KV spilled", out.took_ns / 1e6, "ms"),
            Figure(f"a chunk of {steps} steps, KV in SRAM", within.took_ns / 1e6, "ms"),
            Figure(
                f"KV moved of {steps} steps against (n + 1) times its size",
                abs(out.kv_bytes / ((steps + 1) * KV_BYTES) - 1) * 100, "% off", 1.0,
            ),
        ]  # fmt: skip
    worst = max(chunk.off_percent for chunk in found.values())
    figures.append(Figure("planner against run, bytes and time, worst", worst, "% off", 1.0))
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
