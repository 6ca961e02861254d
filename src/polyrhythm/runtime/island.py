"""The island of a plan: checked with the rest, started or found for a run, counted at its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from polyrhythm.bundle import Bundle, BundleError
from polyrhythm.hal.cores import cores_text, online_cores
from polyrhythm.island import LiveIsland, NoCompilerError, RefusedError, VirtualIsland, ports_path
from polyrhythm.island.build import library, program
from polyrhythm.island.settings import TooLongError
from polyrhythm.manifest import Island, Manifest
from polyrhythm.runtime.adapter_check import options_of
from polyrhythm.runtime.island_policy import check_policy, config_of

if TYPE_CHECKING:
    from polyrhythm.runtime.check import Checker

#: Code -> what it is about.
CODES = {
    "PC090": "an action that does not fit the island's joints",
    "PC091": "a robot that has no use for an island",
    "PC092": "no C compiler for the island",
    "PC093": "no such core for the island",
    "PC094": "a network that the island cannot run",
    "PC095": "a robot that needs an island",
}
#: The name of an adapter's option that takes the island.
OPTION = "island"

AnyIsland = LiveIsland | VirtualIsland


def check_island(checker: Checker) -> None:
    """What is wrong between the island, the robot, the bundle and this machine."""
    manifest, island = checker.manifest, checker.manifest.island
    if manifest.robot is None:
        return
    options = options_of(checker, manifest.robot.use)
    if island is None:
        if options is not None and options.get(OPTION):
            checker.say(
                "PC095", ("robot", "use"),
                f"{manifest.robot.use} does what an island tells it, and there is none",
                manifest.robot.use, "a manifest with `island:`", "add `island:` with its joints and gains",
            )  # fmt: skip
        return
    if options is not None and OPTION not in options:
        checker.say(
            "PC091", ("robot", "use"),
            f"{manifest.robot.use} takes actions itself: an island would do nothing",
            manifest.robot.use, "an adapter with the option `island`",
            "remove `island:`, or use another robot",
        )  # fmt: skip
    _check_action(checker, manifest, island)
    told = len(checker.diagnostics)
    check_policy(checker, island)
    _check_machine(checker, island, sound=len(checker.diagnostics) == told)


def _check_action(checker: Checker, manifest: Manifest, island: Island) -> None:
    assert manifest.robot is not None
    size, joints = manifest.robot.action.shape[0], len(island.joints)
    if size not in (joints, 2 * joints):
        checker.say(
            "PC090", ("robot", "action", "shape"),
            f"the action has {size} numbers, and the island has {joints} joints: {', '.join(island.joints)}",
            size, f"{joints}, a position for each joint, or {2 * joints}: all positions, then all velocities",
            "add the joints that are missing, or change the action",
        )  # fmt: skip


def _check_machine(checker: Checker, island: Island, *, sound: bool) -> None:
    if island.core is not None and island.core not in online_cores():
        checker.say(
            "PC093", ("island", "core"), f"this machine has no core {island.core}", island.core,
            cores_text(), "name a core that exists, or leave `core` out",
        )  # fmt: skip
    try:
        program(), library()  # a run finds them then, whichever it needs
        # A policy without a plan is planned at first use, and checked again then.
        if island.network is not None or (checker.bundle.policy is not None and sound):
            VirtualIsland(config_of(checker.bundle)).close()
    except NoCompilerError as error:
        checker.say(
            "PC092", ("island",), str(error).partition("\n")[0], None, "a C compiler called `cc`",
            "apt install gcc libc6-dev",
        )  # fmt: skip
    except BundleError:
        pass  # opening the bundle has spoken of it
    except (RefusedError, TooLongError) as error:
        _say_unusable(checker, island, error)


def _say_unusable(checker: Checker, island: Island, error: RefusedError | TooLongError) -> None:
    """The policy, or else the network."""
    if island.policy is None:
        code, key, value = "PC094", "network", island.network
        allowed = "a file by `polyrhythm.island.write_network`, for these joints and sensors"
        mend = "make it again"
    else:
        code, key, value = "PC135", "policy", island.policy.artefact
        allowed = "a plan made on this machine, for these joints and sensors"
        mend = "remove the cache of machine code, and let it be made again"
    if isinstance(error, TooLongError):
        allowed, mend = error.allowed, error.mend
    why = str(error).replace(f"{checker.bundle.root}/", "")
    checker.say(code, ("island", key), why, value, allowed, mend)


def ports_of(island: Island) -> FilePath:
    """Where the shared memory of a manifest's island lies."""
    return ports_path(island.ports)


@contextmanager
def playing(bundle: Bundle, *, lockstep: bool, drives: bool = True) -> Iterator[AnyIsland | None]:
    """The bundle's island for a run: a virtual one in lockstep, else the live one, found or started.

    One that was started here ends here; one that was found goes on.

    Args:
        drives: this process sends it its targets, and nobody else.

    Raises:
        IslandError, NoCompilerError, PortsError, RefusedError: there can be none.
    """
    island = bundle.manifest.island
    if island is None:
        yield None
        return
    config = config_of(bundle)
    if lockstep:
        virtual = VirtualIsland(config)
        try:
            yield virtual
        finally:
            virtual.close()
        return
    live = LiveIsland.open(ports_of(island), config)
    try:
        if drives:
            live.claim()
        yield live
    finally:
        if live.attached:
            live.detach()
        else:
            live.stop()
