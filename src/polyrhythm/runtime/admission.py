"""May a bundle take its turn beside what is resident? All problems at once, by the lines of its manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from polyrhythm.analysis.ledger import Ledger, admit, overlap
from polyrhythm.bundle.files import digest
from polyrhythm.hal.api import DeviceConfig
from polyrhythm.hal.priority import Ranks
from polyrhythm.manifest import Diagnostic, Island
from polyrhythm.manifest.chunking import Rtc
from polyrhythm.manifest.diagnostics import Path as ManifestPath
from polyrhythm.manifest.schema import RUNNING_MODES
from polyrhythm.robots import RobotSpec
from polyrhythm.runtime.ledger import ledger_of
from polyrhythm.runtime.plan import Plan
from polyrhythm.runtime.ranks import deliver_of
from polyrhythm.runtime.robot_fit import unlike

Devices = Mapping[str, tuple[str, DeviceConfig]]


def misfits(
    live: Plan,
    new: Plan,
    devices: Devices,
    resident: Sequence[Ledger] = (),
    spec: RobotSpec | None = None,
) -> list[Diagnostic]:
    """Why `new` can't be swapped in while `live` plays.

    Args:
        devices: those that are open.
        resident: the ledgers of all contexts that hold memory; without, that is `live`'s alone.
        spec: the robot's, while there is a run.
    """
    robot = list(_robot(live, new)) or unfit(spec, new)
    return [
        *_mode(new), *robot, *_devices(live, new, devices), *_threads(new, devices), *_chunks(live, new),
        *admission(resident or (ledger_of(live),), new),
    ]  # fmt: skip


def admission(resident: Sequence[Ledger], new: Plan) -> Iterator[Diagnostic]:
    """Whether one more context of `new` fits into the memory that is free beside everything resident."""
    free = _free_bytes()
    if free is None:
        return
    there = overlap(*resident)
    refused = admit(there, ledger_of(new).with_contexts(1), there.total + free)
    if refused is not None:
        needs, line = refused.needed - there.total, refused.line
        yield _say(
            new, "PC033", (),
            f"the bundle needs {needs / 1e6:.1f} MB beside what is resident; the first that does not fit: "
            f"{line.owner}/{line.kind} {line.name}, {line.nbytes / 1e6:.1f} MB",
            f"{needs / 1e6:.1f} MB", f"at most {free / 1e6:.1f} MB, what is free now",
            "retire a context first, or run a smaller bundle",
        )  # fmt: skip


def unfit(spec: RobotSpec | None, new: Plan) -> list[Diagnostic]:
    """What `new` would have of the robot that it has not; nothing without one."""
    if spec is None or new.manifest.robot is None:
        return []
    say = "declare the robot as it is"
    return [
        _say(new, "PC030", ("robot", *it.path), f"another robot is played: {it.said}", it.wanted, it.had, say)
        for it in unlike(spec, new.manifest)
    ]


def _mode(new: Plan) -> Iterator[Diagnostic]:
    mode = new.manifest.orchestration.mode
    if mode not in RUNNING_MODES:
        yield _say(
            new, "PC034", ("orchestration", "mode"), f"mode {mode} does not run yet", mode,
            ", ".join(RUNNING_MODES), "choose one of these",
        )  # fmt: skip


def _robot(live: Plan, new: Plan) -> Iterator[Diagnostic]:
    have, want = live.manifest.robot, new.manifest.robot
    if have is None or want is None:
        if have is not want:
            yield _say(
                new, "PC030", ("robot",) if want is not None else (),
                "a robot is declared and the bundle that plays has none" if have is None
                else "no robot is declared and the bundle that plays has one",
                None if want is None else want.use, "none" if have is None else have.use,
                "swap bundles of the same robot",
            )  # fmt: skip
        return
    pairs = (
        (("use",), want.use, have.use), (("options",), want.options, have.options),
        (("control_hz",), float(want.control_hz), float(have.control_hz)),
        (("action",), _tensor(want.action), _tensor(have.action)),
        (("action", "kind"), want.action.kind, have.action.kind),
    )  # fmt: skip
    for path, value, allowed in pairs:
        if value != allowed:
            message = f"robot.{'.'.join(path)} is {value} here, and {allowed} in what plays"
            yield _say(
                new, "PC030", ("robot", *path), message, value, str(allowed),
                "declare the robot as in the bundle that plays",
            )  # fmt: skip
    if _island(live) != _island(new):
        yield _say(
            new, "PC030", ("robot",) if new.manifest.island is None else ("island",),
            "the island is another one than in what plays", None, "the island of the bundle that plays",
            "copy `island:` and its network or policy from there",
        )  # fmt: skip


def _island(plan: Plan) -> tuple[Island | None, str | None]:
    """The island of a plan, and the digest of its network, or what the plan of its policy is made from."""
    island = plan.manifest.island
    if island is None or (island.network is None and island.policy is None):
        return island, None
    return island, plan.bundle.policy_identity() if island.network is None else digest(
        plan.bundle.root / island.network
    )


def _devices(live: Plan, new: Plan, devices: Devices) -> Iterator[Diagnostic]:
    depths = live.schedule.devices
    for name, (driver, config) in new.devices.items():
        if name not in devices:
            continue
        open_driver, open_config = devices[name]
        depth = new.schedule.devices[name]
        wanted = (driver, config.uri, config.cores, depth)
        there = (open_driver, open_config.uri, open_config.cores, depths.get(name, depth))
        if wanted != there:
            yield _say(
                new, "PC031", ("devices", name), f"{name} is open as {_device(*there)}",
                _device(*wanted), _device(*there), "declare it as it is open, or give it a name of its own",
            )  # fmt: skip


def _chunks(live: Plan, new: Plan) -> Iterator[Diagnostic]:
    if live.schedule.buffers == new.schedule.buffers:
        return
    have, want = (live.rtc or Rtc()), (new.rtc or Rtc())
    said, allowed = (f"swap {rtc.swap}, buffer_depth {rtc.buffer_depth}" for rtc in (want, have))
    yield _say(
        new, "PC032", ("orchestration",), f"chunks are joined by {said} here, and {allowed} in what plays",
        said, allowed, "use the same `rtc.swap` and `rtc.buffer_depth`",
    )  # fmt: skip


def _tensor(spec: object) -> str:
    return f"{getattr(spec, 'dtype', '')}{list(getattr(spec, 'shape', ()))}"


def _threads(new: Plan, devices: Devices) -> Iterator[Diagnostic]:
    """Ranks that are others than those of an open device, or of threads that have to come first."""
    deliver = deliver_of(devices)
    for name, (_, config) in new.devices.items():
        ranks = config.ranks
        if name in devices:
            allowed = devices[name][1].ranks
        else:
            allowed = None if ranks is None or deliver is None else Ranks(ranks.compute, deliver)
        if ranks != allowed:
            said, there = _ranks(ranks), _ranks(allowed)
            message = f"threads of {name} are {said} here, and {there} in what plays"
            yield _say(
                new, "PC031", ("devices", name), message, said, there,
                "declare `threads:` as in the bundle that plays",
            )  # fmt: skip


def _device(driver: str, uri: str, cores: tuple[int, ...], depth: int) -> str:
    return f"{driver} {uri}, cores {list(cores)}, in_flight {depth}"


def _ranks(ranks: Ranks | None) -> str:
    return "not ranked" if ranks is None else f"{ranks.compute} and {ranks.deliver} to hand over news"


def _say(
    plan: Plan, code: str, path: ManifestPath, message: str, value: object, allowed: str, mend: str
) -> Diagnostic:
    return Diagnostic(code, "error", message, plan.bundle.locate(path), value, allowed, mend)


def _free_bytes() -> int | None:
    """Memory that could be had without swapping; None where the system does not say."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return None
