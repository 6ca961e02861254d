"""Which cores there are, also where their numbers have gaps."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from polyrhythm.hal import HalError, cores
from polyrhythm.hal.worker import require_cores


@pytest.mark.parametrize(
    ("listed", "there", "text"),
    [
        ("0", (0,), "0"),
        ("0-3", (0, 1, 2, 3), "0 to 3"),
        ("0,5", (0, 5), "0, 5"),
        ("0-1,4,6-7", (0, 1, 4, 6, 7), "0 to 1, 4, 6 to 7"),
    ],
)
def test_what_linux_lists(
    online: Callable[[str], None], listed: str, there: tuple[int, ...], text: str
) -> None:
    online(listed)
    assert (cores.online_cores(), cores.cores_text()) == (there, text)


@pytest.mark.parametrize("listed", [None, "", "all of them"])
def test_where_nothing_is_listed_they_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listed: str | None
) -> None:
    monkeypatch.setattr(cores, "ONLINE", tmp_path / "online")
    if listed is not None:
        cores.ONLINE.write_text(listed)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert (cores.online_cores(), cores.cores_text()) == ((0, 1), "0 to 1")


def test_here_they_are_those_that_this_process_has_at_least() -> None:
    assert os.sched_getaffinity(0) <= set(cores.online_cores())


def test_who_may_not_have_one_is_told_which_there_are(online: Callable[[str], None]) -> None:
    online("0,5")
    with pytest.raises(HalError, match=r"core 4095 does not exist here or is not ours; there are 0, 5$"):
        require_cores((4095,))
