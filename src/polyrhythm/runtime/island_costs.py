"""What the island's policy takes, measured in the island's own process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep

import numpy as np

from polyrhythm.bundle import Bundle
from polyrhythm.island import IslandError, LiveIsland, NoCompilerError, PortsError, RobotSide, ports_path
from polyrhythm.island.counts import quantiles_us
from polyrhythm.island.layout import NO_END_NS
from polyrhythm.island.settings import signed
from polyrhythm.runtime.costs import Measured
from polyrhythm.runtime.island_policy import config_of
from polyrhythm.runtime.outcome import RunError
from polyrhythm.runtime.signals import stopping_on_signals

#: Between two runs, so that none finds its weights in the caches only because it has just been there.
#: One that takes longer is measured whole, and the next begins at a later period.
SPACING_NS = 10_000_000
#: How long a signal is waited with.
_LOOK_S = 0.05


class Timing:
    """A measurement that goes on; `found` is what periods took, once it is over."""

    def __init__(self) -> None:
        self.found: list[Measured] = []
        self.asked: list[str] = []  # for its end, by signals

    def wait(self, seconds: float) -> None:
        """Let time pass, until a signal asks for the end."""
        end_s = monotonic() + seconds
        while not self.asked and (left_s := end_s - monotonic()) > 0:
            sleep(min(left_s, _LOOK_S))


@contextmanager
def timing(bundle: Bundle) -> Iterator[Timing]:
    """The island with its policy, core and priority, beside whatever runs. It ends with the thread that began
    this: it is never blind, and nobody else would find it.

    Raises:
        RunError: it does not start, or its policy has not run.
        KeyboardInterrupt: a signal asked for the end.
    """
    config = config_of(bundle)
    config["period_ns"] = max(int(config["period_ns"]), SPACING_NS)
    config["policy_budget_ns"] = config["blind_ns"] = NO_END_NS
    config["ends_with"] = os.getpid()
    measuring = Timing()
    with stopping_on_signals(measuring.asked.append), _started(config) as island:
        joints, sensors = int(config["joints"]), int(config["sensors"])
        random = np.random.default_rng(0)
        RobotSide(island.ports).send(np.zeros(joints), np.zeros(joints), random.random(sensors))
        yield measuring
        counts = island.ports.read_record("counts")
    if measuring.asked:
        raise KeyboardInterrupt
    runs = int(counts["policy_runs"])
    took = quantiles_us(counts["execution"], int(counts["execution_max_ns"]))
    if not runs or took is None:
        raise RunError("the island's policy has not run: it fails, or gives what is not finite")
    ns = {name: round(us * 1e3) for name, us in took.items()}
    measuring.found.append(Measured(samples=runs, p50_ns=ns["p50"], p99_ns=ns["p99"], max_ns=ns["max"]))


@contextmanager
def _started(config: np.ndarray) -> Iterator[LiveIsland]:
    try:
        island = LiveIsland.open(ports_path(f"profile-{os.getpid()}"), signed(config))
    except (IslandError, NoCompilerError, PortsError) as error:
        raise RunError(str(error)) from error
    try:
        yield island
    finally:
        island.stop()
