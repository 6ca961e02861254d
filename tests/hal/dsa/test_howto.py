"""``docs/howto/write-a-driver.md`` runs, and prints what it says."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from polyrhythm.hal.dsa import KEYS

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "write-a-driver.md"
BLOCK = re.compile(r"```(python|text)\n(.*?)```", re.DOTALL)


def test_every_block_runs_and_prints_what_stands_below_it() -> None:
    found = BLOCK.findall(PAGE.read_text())
    assert len(found) > 12
    names: dict[str, object] = {}
    printed = ""
    for number, (kind, content) in enumerate(found):
        if kind == "text":
            assert printed == content, f"block {number}"
            printed = ""
            continue
        assert not printed, f"block {number - 1} prints {printed!r}"
        output = StringIO()
        with redirect_stdout(output):
            exec(compile(content, f"{PAGE.name}, block {number}", "exec"), names)
        printed = output.getvalue()
    names["device"].close()  # type: ignore[attr-defined]


def test_the_table_has_every_key_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| (\S.*?) \|$", PAGE.read_text(), re.MULTILINE))
    assert rows == {name: key.default or "a quarter" for name, key in KEYS.items()}
