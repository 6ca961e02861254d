"""``python -m tests.footguns > docs/concepts/footguns.md``: the list of what surprises, from the tests."""

from __future__ import annotations

from tests.footguns.page import page

print(page(), end="")
