"""What surprises about thread priorities."""

from __future__ import annotations

import pytest

from polyrhythm.hal import DeviceConfig
from polyrhythm.hal.priority import NORMAL, Priority
from polyrhythm.manifest import loads
from polyrhythm.runtime import ranks
from polyrhythm.runtime.ranks import deliver_of, permitted, ranks_of

TEXT = """\
devices:
  fast: { threads: { policy: fifo, priority: 20 } }
  slow: { uri: %s, threads: { nice: 10 } }
orchestration:
  modules: [{ id: dit, vmfb: dit.vmfb, rate_hz: 10 }]
"""


def devices(text: str):
    manifest = loads(text).manifest
    assert manifest is not None
    found = ranks_of(manifest)
    return {
        name: (d.driver, DeviceConfig(name, d.uri, d.cores, found.get(name)))
        for name, d in manifest.devices.items()
    }


def test_whoever_hands_over_news_is_more_urgent_than_whoever_computes() -> None:
    """Also on the device that was meant to step back: its thread holds the lock that everybody needs."""
    asked = devices(TEXT % "local-sync")
    assert deliver_of(asked) == Priority(True, 21)
    assert [c.ranks and c.ranks.compute for _, c in asked.values()] == [
        Priority(True, 20),
        Priority(False, 10),
    ]


def test_nobody_is_ranked_unless_the_manifest_says_so() -> None:
    """Nice values from priorities would be an inversion by default: whoever steps back holds the lock too."""
    text = TEXT.replace(", threads: { nice: 10 }", "").replace("threads: { policy: fifo, priority: 20 }", "")
    assert deliver_of(devices(text % "local-sync")) is None


def _without_rights(*path: Priority) -> str | None:
    """Of somebody who may only step back."""
    urgencies = [NORMAL.urgency, *(p.urgency for p in path)]
    steps = zip(urgencies, urgencies[1:], path, strict=False)
    up = next((p for before, after, p in steps if after > before), None)
    return None if up is None else f"{up} is refused (Operation not permitted)"


@pytest.mark.parametrize(("uri", "kept"), [("local-sync", NORMAL), ("local-task", Priority(False, 10))])
def test_without_rights_a_thread_that_computes_and_hands_over_can_not_step_back(
    uri: str, kept: Priority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could not come back: a pool's workers may, because they hand over nothing."""
    monkeypatch.setattr(ranks, "refusal", _without_rights)
    only = (TEXT % uri).replace("threads: { policy: fifo, priority: 20 }", "")
    granted, notes = permitted(devices(only))
    config = granted["slow"][1]
    assert config.ranks is not None and config.ranks.compute == kept
    assert len(notes) == (uri == "local-sync")
    assert all("with `uri: local-task`" in note for note in notes)


def test_without_rights_nothing_is_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """If those who hand over news can not be raised, those who compute are not either."""
    monkeypatch.setattr(ranks, "refusal", _without_rights)
    granted, notes = permitted(devices(TEXT % "local-task"))
    assert deliver_of(granted) is None
    assert notes == (
        "threads: SCHED_FIFO 21 is refused (Operation not permitted): no thread gets a priority; computing "
        "devices and other programs may delay the control tick",
    )
