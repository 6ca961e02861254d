"""``docs/howto/from-python.md``: its blocks run one after the other, and print what the page says."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from tests.cli.bundles import MANIFEST, make_bundle

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "from-python.md"
ROBOT = """\
robot:
  use: rehearsal
  options: { episode_s: 1 }
  control_hz: 50
  action: { dtype: f32, shape: [4] }
"""


def test_every_block_runs_and_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_bundle(tmp_path / "bundle", ROBOT + MANIFEST + "  - { from: head.actions, to: robot.action }\n")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    said, printed = "", StringIO()
    for number, (kind, content) in enumerate(
        re.findall(r"```(python|text)\n(.*?)```", PAGE.read_text(), re.DOTALL)
    ):
        if kind == "text":
            said += content
            continue
        with redirect_stdout(printed):
            exec(compile(content, f"{PAGE.name}, block {number}", "exec"), names)
    assert printed.getvalue() == said
