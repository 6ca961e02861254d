"""Properties are tried on the same examples at every run, and no clock judges them."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "same",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("same")


@pytest.fixture
def online(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], None]:
    """Says which cores this machine has, as Linux does: ``0-1``."""
    file = tmp_path_factory.mktemp("cores") / "online"

    def say(listed: str) -> None:
        file.write_text(f"{listed}\n")
        monkeypatch.setattr("polyrhythm.hal.cores.ONLINE", file)

    return say
