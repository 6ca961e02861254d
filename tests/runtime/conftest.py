"""A real bundle, compiled once for the session."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrhythm.bundle import open_bundle
from polyrhythm.compile import build, prepare
from polyrhythm.runtime import Runtime, check

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def bundle(tmp_path_factory) -> Path:
    """The directory of the bundle that `policy.py` describes."""
    out = tmp_path_factory.mktemp("runtime") / "bundle"
    build(HERE / "policy.py", out)
    prepare(open_bundle(out))
    return out


@pytest.fixture(scope="session")
def plan(bundle):
    checked = check(bundle)
    assert checked.plan is not None, "\n\n".join(d.render() for d in checked.diagnostics)
    return checked.plan


@pytest.fixture
def runtime(plan):
    with Runtime(plan) as opened:
        yield opened
