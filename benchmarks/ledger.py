"""Is what the ledger predicts what a process takes?

Builds a bundle of some 170 MB of weights (670 MB without `--quick`) and 60 MB a context, and plays it in a
process of its own, with one and with three contexts. There the arenas and budgets have to agree with the
ledger to the byte; the growth of the resident memory, from before the weights are mapped to the middle of
the run, and its peak on the way, within 2 %.

The interpreter and its libraries are there before: a manifest declares them as `memory.process`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from measure import Figure, finish

MANIFEST = """\
name: ledger
contexts: CONTEXTS
memory: { total: 2 GiB, process: 200 MiB, groups: { head: { modules: head, budget: 1 GiB } } }
devices:
  slow: { uri: local-sync }
  fast: { uri: local-sync }
orchestration:
  mode: parallel
  modules:
  - { id: vlm, vmfb: vlm.vmfb, parameters: vlm.safetensors, rate_hz: 5, device: slow, cost_ms: 60 }
  - id: head
    vmfb: head.vmfb
    parameters: head.safetensors
    entry: [spread, gather]
    rate_hz: 5
    device: fast
    cost_ms: [30, 30]
  links:
  - { from: vlm.hidden, to: head.hidden }
"""

POLICY = """\
import jax
import jax.numpy as jnp
import numpy as np

from polyrhythm.compile import EntrySource, ModuleSource, Policy

ROWS, WIDE, DEEP = 512, SIZE, 4096


def look(parameters, image):
    x = jnp.tanh(image[:16] @ parameters["first"])
    return jnp.broadcast_to((x @ parameters["second"]).mean(axis=0), (ROWS, DEEP))


def spread(parameters, hidden):
    return jnp.tanh(hidden * parameters["scale"]), hidden[:, ::-1] * parameters["scale"]


def gather(parameters, grid, mirror):
    return jnp.tanh(grid) * 0.5 + mirror * parameters["scale"]


def policy():
    big = ("f32", (ROWS, DEEP))
    draw = np.random.default_rng(0).standard_normal
    return Policy(
        manifest="manifest.yaml",
        modules={
            "vlm": ModuleSource(
                {
                    "first": draw((DEEP, WIDE), np.float32) / np.float32(64),
                    "second": draw((WIDE, DEEP), np.float32) / np.float32(64),
                },
                {"look": EntrySource(look, inputs={"image": big}, outputs=("hidden",))},
            ),
            "head": ModuleSource(
                {"scale": np.full((1, DEEP), 0.5, np.float32)},
                {
                    "spread": EntrySource(spread, inputs={"hidden": big}, outputs=("grid", "mirror")),
                    "gather": EntrySource(gather, inputs={"grid": big, "mirror": big}, outputs=("found",)),
                },
            ),
        },
    )
"""


def resident() -> int:
    """Bytes of this process in memory, pages of files included; exact, unlike /proc/self/statm."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("Rss:"))


def peak() -> int:
    """The most that it was since `5` was written to /proc/self/clear_refs."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


class Look:
    """A listener that looks at the resident memory in the middle of the run."""

    def __init__(self) -> None:
        self.resident = self.events = 0

    def step(self, event, commands) -> None:
        """Look once."""
        self.events += 1
        if self.events == 30:
            self.resident = resident()

    def note(self, note) -> None:
        """Episodes do not matter here."""


def child(bundle: Path, contexts: int) -> None:
    """Load, play for a moment, tell what was predicted and what there is."""
    from polyrhythm.hal.drivers import iree
    from polyrhythm.runtime import Runtime, check
    from polyrhythm.runtime.ledger import ledger_of, planned_account

    assert iree
    plan = check(bundle).plan
    if plan is None:
        raise SystemExit("the bundle does not pass `polyrhythm check`")
    manifest = plan.manifest.model_copy(update={"contexts": contexts})
    plan = replace(plan, bundle=replace(plan.bundle, manifest=manifest))
    ledger = ledger_of(plan)
    # A child begins with its parent's peak.
    Path("/proc/self/clear_refs").write_text("5")
    before = resident()
    with Runtime(plan) as runtime:
        look = Look()
        outcome = runtime.run(seconds=2, listeners=[look])
        after = look.resident
        arenas = sum(storage.arena.used for storage in (c.storage for c in runtime.contexts.values()))
        reserved, planned = runtime.budgets.account(), planned_account(ledger)
    predicted = sum(line.total for line in ledger.lines if not line.declared)
    print(
        json.dumps(
            {
                "grown": after - before,
                "peak": peak() - before,
                "predicted": predicted,
                "arena_error": abs(arenas - contexts * ledger.each),
                "account_error": sum(
                    abs(reserved.get(at, 0) - planned.get(at, 0)) for at in {*reserved, *planned}
                ),
                "jobs": sum(module.finished for module in outcome.modules.values()),
            }
        )
    )


def build_bundle(root: Path, wide: int, contexts: int) -> Path:
    """The bundle with `wide` x 32 kB of weights."""
    from polyrhythm.bundle import open_bundle
    from polyrhythm.compile import build, prepare

    root.mkdir(parents=True)
    (root / "manifest.yaml").write_text(MANIFEST.replace("CONTEXTS", str(contexts)))
    (root / "policy.py").write_text(POLICY.replace("SIZE", str(wide)))
    build(root / "policy.py", root / "bundle")
    prepare(open_bundle(root / "bundle"))
    return root / "bundle"


def measured(bundle: Path, contexts: int) -> dict[str, int]:
    """What a process that plays the bundle tells."""
    command = [sys.executable, __file__, "--child", str(bundle), str(contexts)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def figures_of(bundle: Path, contexts: int) -> list[Figure]:
    """Prediction and measurement of one process."""
    found = measured(bundle, contexts)
    words = f"{contexts} context" + "s" * (contexts != 1)
    error, peak_error = (100 * abs(found[key] / found["predicted"] - 1) for key in ("grown", "peak"))
    return [
        Figure(f"{words}, predicted", found["predicted"] / 1e6, "MB"),
        Figure(f"{words}, resident memory grew by", found["grown"] / 1e6, "MB"),
        Figure(f"{words}, jobs", found["jobs"], "", 1.0, at_least=True),
        Figure(f"{words}, arenas differ from the ledger by", found["arena_error"], "bytes", 0.0),
        Figure(f"{words}, reservations differ from the ledger by", found["account_error"], "bytes", 0.0),
        Figure(f"{words}, resident memory differs by", error, "%", 2.0),
        Figure(f"{words}, its peak differs by", peak_error, "%", 2.0),
    ]


def main() -> int:
    """Build once, measure with one context and with three."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="as it is: under 45 s")
    parser.add_argument("--json", action="store_true", help="figures as JSON on standard output")
    parser.add_argument("--child", nargs=2, metavar=("BUNDLE", "CONTEXTS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(Path(options.child[0]), int(options.child[1]))
        return 0
    wide = 5120 if options.quick else 20480
    with tempfile.TemporaryDirectory(prefix="polyrhythm-bench-") as place:
        bundle = build_bundle(Path(place) / "ledger", wide, 3)
        figures = [figure for contexts in (1, 3) for figure in figures_of(bundle, contexts)]
    return finish(figures, options.json)


if __name__ == "__main__":
    sys.exit(main())
