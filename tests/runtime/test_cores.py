"""`check` on machines whose cores have numbers with gaps: some are off line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from polyrhythm.manifest import render_all
from polyrhythm.runtime import check
from polyrhythm.runtime import partitions as partitions_room
from tests.cli.bundles import MANIFEST, make_bundle


@pytest.fixture
def asked(online: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The machine has the cores 0 and 5, and this process may use both; which it was asked for."""
    online("0,5")
    found: list[tuple[int, ...]] = []
    monkeypatch.setattr(partitions_room, "require_cores", found.append)
    return found


def told(root: Path, cores: str) -> str:
    """What `check` says of a device with these cores."""
    make_bundle(root, MANIFEST.replace("uri: immediate", f"uri: immediate, cores: {cores}"))
    return render_all(check(root).diagnostics).replace(f"{root.resolve()}/", "")


def test_a_core_behind_a_gap_is_there(asked: list[tuple[int, ...]], tmp_path: Path) -> None:
    assert told(tmp_path / "bundle", "[5]") == "" and asked == [(5,)]


def test_a_core_in_a_gap_is_not(
    asked: list[tuple[int, ...]], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    assert told(tmp_path / "bundle", "[0, 1]") == snapshot and asked == []
