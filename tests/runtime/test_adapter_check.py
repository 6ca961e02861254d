"""Adapters that cannot be imported or made, as if they were installed: told with their place, by `check`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from polyrhythm.runtime import Checked, RunError, check, play
from tests.cli.bundles import MANIFEST, make_bundle
from tests.runtime.said import rendered

ROBOT = """\
robot:
  use: arm
  options: OPTIONS
  control_hz: 100
  action: { dtype: f32, shape: [4] }
"""
LINK = "  - { from: head.actions, to: robot.action }\n"
MADE = """\
class Arm:
    def __init__(self, port=""):
        self.joints = self.found(port)

    def found(self, port):
        return BODY
"""


@pytest.fixture
def checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Checked]]:
    """Install the adapter, and check a bundle that uses it."""
    metadata = tmp_path / "site" / "arm-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: arm\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[polyrhythm.robots]\narm = an_arm.arm:Arm\n")
    (tmp_path / "site" / "an_arm").mkdir()
    (tmp_path / "site" / "an_arm" / "__init__.py").write_text("from an_arm.arm import Arm\n")
    monkeypatch.syspath_prepend(str(metadata.parent))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def checked(adapter: str, options: str = "{}", more: str = "") -> Checked:
        (tmp_path / "site" / "an_arm" / "arm.py").write_text(adapter)
        robot = ROBOT.replace("OPTIONS", options)
        return check(make_bundle(tmp_path / "duet", robot + more + MANIFEST + LINK))

    yield checked
    for name in [name for name in sys.modules if name.partition(".")[0] == "an_arm"]:
        del sys.modules[name]


@pytest.mark.parametrize(
    "adapter",
    ["import numpy\n\nclass Arm\n", "PORTS = {}\n\nPORT = PORTS['left']\n", "open('/dev/none/arm')\n",
     "import numpy\n\nRATE = float('fast')\n", "Leg = object\n"],
    ids=["syntax", "KeyError", "OSError", "ValueError", "no such name"],
)  # fmt: skip
def test_an_adapter_that_cannot_be_imported(checked, adapter, tmp_path, snapshot):
    result = checked(adapter)
    assert result.plan is None and [d.code for d in result.diagnostics] == ["PC024"]
    said = rendered(result.diagnostics, tmp_path / "duet").replace(f"{tmp_path.resolve()}/", "")
    assert said == snapshot


@pytest.mark.parametrize(
    "needs",
    ["import simulator_of_arms", "raise ImportError('libarm.so.1: cannot open shared object file')"],
    ids=["module", "library"],
)
def test_what_its_import_lacks_may_be_where_the_robot_is(checked, needs, tmp_path, snapshot):
    """A bundle is checked on other machines too; there it cannot be played."""
    result = checked(f"import numpy\n{needs}\n")
    assert rendered(result.diagnostics, tmp_path / "duet") == snapshot(name="check")
    with pytest.raises(RunError) as caught:
        play(result.plan, lockstep=True, seconds=0.1)
    assert str(caught.value) == snapshot(name="play")


@pytest.mark.parametrize(
    ("body", "options"),
    [("len(5)", "{}"), ("{}[port]", "{ port: left }"), ("None", "{ prot: left }")],
    ids=["TypeError", "KeyError", "refused"],
)
def test_an_adapter_that_cannot_be_made(checked, body, options, snapshot):
    """A mistake inside is none of the options."""
    result = checked(MADE.replace("BODY", body), options)
    assert [d for d in result.diagnostics if d.is_error] == []
    with pytest.raises(RunError) as caught:
        play(result.plan, lockstep=True, seconds=0.1)
    assert str(caught.value) == snapshot
