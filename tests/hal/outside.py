"""Packages of others as pip installs them: found through `importlib.metadata`, imported from a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def distribution(folder: Path, name: str, points: Mapping[str, Mapping[str, str]]) -> None:
    """What pip writes about a package called `name` with these entry points, by group."""
    lines = []
    for group, named in points.items():
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in named.items())]
    known = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    known.mkdir()
    (known / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (known / "entry_points.txt").write_text("\n".join(lines) + "\n")


def install_driver(folder: Path, name: str, source: str) -> None:
    """A package whose module ``NAME_vendor`` makes the driver called `name` known."""
    (folder / f"{name}_vendor.py").write_text(source)
    distribution(folder, f"{name}-vendor", {"polyrhythm.drivers": {name: f"{name}_vendor:driver"}})
