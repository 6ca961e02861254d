"""``docs/howto/write-a-driver.md`` as files: the driver package that it describes, installed in a folder."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from .outside import distribution

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "write-a-driver.md"
_BLOCK = re.compile(r"```(python|text|toml|yaml)\n(.*?)```", re.DOTALL)
_NAMED = re.compile(r"# (\S+\.(?:py|yaml))\n")


def blocks() -> list[tuple[str, str]]:
    """Kind and content of each block that is no part of a file, in the page's order."""
    found = _BLOCK.findall(PAGE.read_text())
    return [(kind, content) for kind, content in found if not _NAMED.match(content)]


def files() -> dict[str, str]:
    """Blocks that say which file they are part of, put together."""
    found: dict[str, str] = {}
    for _, content in _BLOCK.findall(PAGE.read_text()):
        if named := _NAMED.match(content):
            found[named[1]] = found.get(named[1], "") + content[named.end() :] + "\n\n"
    return found


def install(folder: Path) -> Path:
    """Write the files, and what pip would write to make the driver known."""
    for name, content in files().items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
    (table,) = (tomllib.loads(content) for kind, content in blocks() if kind == "toml")
    distribution(folder, "my-package", table["project"]["entry-points"])
    return folder
