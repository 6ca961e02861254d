from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.world import make_bundle


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("gymnasium")
    return make_bundle(tmp_path_factory.mktemp("faults") / "faulty")
