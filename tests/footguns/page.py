"""The page of footguns, made from the tests: the name of a test is the surprise, its docstring the story."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "concepts" / "footguns.md"
#: What the page begins with, and its sections in order: a test file, its heading.
HEAD = """\
# Footguns

What surprises and is meant so. Each line is a test that passes (`tests/footguns`), and the page is made
of them: `python -m tests.footguns > docs/concepts/footguns.md`.
"""
SECTIONS = {
    "time": "Ticks, deadlines, grids",
    "links": "Links and ages",
    "chunks": "Chunks",
    "devices": "Devices, policies, budgets",
    "priorities": "Thread priorities",
    "power": "Power profiles",
    "contexts": "Contexts and swaps",
    "runs": "Bundles and runs",
}
#: Names that the words of a test's name stand for.
NAMES = (
    ("in_flight", "`in_flight`"),
    ("max_step", "`max_step`"),
    ("skip", "`skip`"),
    ("shift", "`shift`"),
    ("sequential", "`sequential`"),
    ("pipelined", "`pipelined`"),
    ("parallel", "`parallel`"),
    ("qos", "`qos`"),
    ("edf", "`edf`"),
    ("nan", "NaN"),
    ("late_decelerate", "`late: decelerate`"),
    ("catch_up", "`catch_up`"),
)


def stories(section: str) -> Iterator[tuple[str, str]]:
    """(what surprises, why it is so) of every test of a file."""
    for node in ast.parse((HERE / f"test_{section}.py").read_text()).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            story = ast.get_docstring(node)
            assert story, f"{node.name} tells no story"
            yield _title(node.name), " ".join(story.split())


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for section, heading in SECTIONS.items():
        lines = [f"- **{title}.** {story}" for title, story in stories(section)]
        parts.append(f"## {heading}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def _title(name: str) -> str:
    words = f"_{name.removeprefix('test_')}_"
    for name_, shown in NAMES:
        words = words.replace(f"_{name_}_", f"_{shown.replace('_', '-')}_")
    text = words.strip("_").replace("_", " ")
    for _, shown in NAMES:
        text = text.replace(shown.replace("_", "-"), shown)
    return text[0].upper() + text[1:]
