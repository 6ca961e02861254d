"""How hard properties are tried: on the same examples at every run, on more of them by `make test-slow`."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

#: How many times as many examples as in the default suite.
EFFORT = int(os.environ.get("POLYRHYTHM_EFFORT", "1"))


def examples(count: int, **more: Any) -> settings:
    """So many examples, times `EFFORT`, with more `settings`."""
    return settings(max_examples=count * EFFORT, **more)
