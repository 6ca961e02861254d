from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("gymnasium")

from tests.faults.world import make_bundle


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bundle(tmp_path_factory.mktemp("faults") / "faulty")
