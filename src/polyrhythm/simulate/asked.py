"""What a user asks for, as a setting, or what is wrong with it."""

from __future__ import annotations

from pathlib import Path

from polyrhythm.manifest import Diagnostic
from polyrhythm.manifest.diagnostics import Location, nearest
from polyrhythm.simulate.faults import FAULTS, Injection
from polyrhythm.simulate.piece import Piece, PieceError

ALL, NONE = "all", "none"


def faults_of(text: str) -> tuple[str, ...]:
    """The faults of ``all``, ``none`` or ``late,lost``.

    Raises:
        PieceError: PS003.
    """
    if text in (ALL, NONE):
        return tuple(FAULTS) if text == ALL else ()
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in FAULTS:
            near = nearest(name, FAULTS)
            raise PieceError([
                Diagnostic(
                    "PS003", "error", f"there is no fault {name!r}", Location("--faults"), name,
                    f"`{ALL}`, `{NONE}`, or some of {', '.join(FAULTS)}",
                    f"write `{near}`" if near else f"write `--faults {ALL}`",
                )
            ])  # fmt: skip
    return names


def unfit(piece: Piece, faults: tuple[str, ...]) -> tuple[str, ...]:
    """A note about faults that can't strike, if there are any."""
    names = [name for name in faults if not FAULTS[name].fits(piece)]
    return (f"nothing here that could strike: {', '.join(names)}",) if names else ()


def strikes_of(text: str) -> tuple[Injection, ...]:
    """The strikes of ``late@12345,swap@500000``; none for an empty text.

    Raises:
        PieceError: PS004.
    """
    strikes = []
    for part in text.split(",") if text.strip() else ():
        try:
            strikes.append(Injection.parse(part))
        except ValueError:
            raise PieceError([
                Diagnostic(
                    "PS004", "error", "this is not a strike", Location("--only"), part.strip(),
                    f"FAULT@NANOSECONDS, with a fault of {', '.join(FAULTS)}",
                    "copy the list that a failed simulation has printed",
                )
            ]) from None  # fmt: skip
    return tuple(strikes)


def refuse(manifest: Path | None, other: Path | None, *, swarm: bool) -> None:
    """What cannot be simulated at all.

    Raises:
        PieceError: PS006, PS005, PS010.
    """
    if not __debug__:
        raise PieceError([without_assertions()])
    if (manifest is None) != swarm:
        raise nothing_asked()
    if manifest is None and other is not None:
        raise PieceError([
            Diagnostic(
                "PS010", "error", "there is nothing that it could take turns with", Location("--with"),
                str(other), "a MANIFEST beside it: the swarm makes up what it swaps in",
                "name a manifest, or leave `--with` out",
            )
        ])  # fmt: skip


def without_assertions() -> Diagnostic:
    """PS006: a simulation under `python -O` would check nothing."""
    return Diagnostic(
        "PS006", "error", "assertions are switched off: nothing would be checked", Location("python"),
        "-O", "Python without `-O`, and no PYTHONOPTIMIZE", "run it without `-O`",
    )  # fmt: skip


def nothing_asked() -> PieceError:
    """PS005: neither a manifest nor the swarm."""
    return PieceError([
        Diagnostic(
            "PS005", "error", "there is nothing to simulate", Location("polyrhythm simulate"), None,
            "either MANIFEST (a bundle, a directory with one in `bundle/`, a manifest alone), or `--swarm`",
            "name a manifest",
        )
    ])  # fmt: skip
