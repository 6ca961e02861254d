"""`with_stages`: the text of a manifest with other stages, and nothing else changed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from polyrhythm.manifest import loads
from polyrhythm.manifest.edit import Staged, with_stages

TEXT = """\
# what it is
orchestration:
  modules:
  - id: a  # the first
    vmfb: a.vmfb
    entry: [start, step]  # in order
    cost_ms: [4, 1.5]
    rate_hz: 3
  - { id: b, vmfb: b.vmfb, rate_hz: 20 }
  - id: c
    entry:
    - one  # goes
    - two
    # stays
    vmfb: "c.vmfb"
    rate_hz: 1
  - id: d
    vmfb: d.vmfb
    rate_hz: 1/3
  - { id: e, artefact: e.vmfb, rate_hz: 2 }
  - id: f
    vmfb: >-
      f.vmfb
    # folded
    rate_hz: 1
  - id: g
    vmfb: g.vmfb
    entry: >-
      see
    cost_ms:
    - 1
    rate_hz: 1
"""


def test_only_what_is_asked_for_changes() -> None:
    changed = with_stages(
        TEXT,
        {
            0: Staged(("start.0", "start.1", "step"), (Fraction("3.999"), Fraction("0.001"), Fraction(3, 2))),
            1: Staged(("only.0", "only.1")),
            2: Staged(("one.0", "one.1", "two")),
            3: Staged(("0.0", "0.1")),
            4: Staged(("only.0",)),
            5: Staged(("only.0",)),
            6: Staged(("see.0",), (Fraction(2),)),
        },
    )
    wanted = {
        "[start, step]": "[start.0, start.1, step]",
        "[4, 1.5]": "[3.999, 0.001, 1.5]",
        "e.vmfb,": "e.vmfb, entry: [only.0],",
        "b.vmfb,": "b.vmfb, entry: [only.0, only.1],",
        "entry:\n    - one  # goes\n    - two": "entry: [one.0, one.1, two]",
        ">-\n      f.vmfb": ">-\n      f.vmfb\n    entry: [only.0]",
        ">-\n      see": "[see.0]",
        "cost_ms:\n    - 1": "cost_ms: [2]",
        "vmfb: d.vmfb\n": 'vmfb: d.vmfb\n    entry: ["0.0", "0.1"]\n',
    }
    expected = TEXT
    for old, new in wanted.items():
        assert old in expected
        expected = expected.replace(old, new)
    assert changed == expected
    manifest = loads(changed).manifest
    assert manifest is not None
    assert [module.stages for module in manifest.orchestration.modules] == [
        ("start.0", "start.1", "step"), ("only.0", "only.1"), ("one.0", "one.1", "two"), ("0.0", "0.1"),
        ("only.0",), ("only.0",), ("see.0",),
    ]  # fmt: skip


@pytest.mark.parametrize("change", [lambda t: "\ufeff" + t, lambda t: t.replace("\n", "\r\n")])
def test_marks_and_line_ends_of_other_systems(change) -> None:
    staged = {1: Staged(("x.0", "x.1"))}
    assert with_stages(change(TEXT), staged) == with_stages(TEXT, staged)
