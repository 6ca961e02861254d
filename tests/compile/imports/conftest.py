"""What tests of importers share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from polyrhythm.compile import BuildError


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "bundle"


@pytest.fixture
def refused(tmp_path: Path) -> Callable[[str], str]:
    """What `import torch` says of a source, with the same paths everywhere; nothing is written."""
    import torch

    from polyrhythm.compile.imports.torch_import import import_torch

    def importing(source: str) -> str:
        before = sorted(tmp_path.iterdir())
        with pytest.raises(BuildError) as caught:
            import_torch(source, tmp_path / "bundle")
        assert sorted(path for path in tmp_path.iterdir() if path.name != "__pycache__") == before
        return str(caught.value).replace(str(tmp_path), "TMP").replace(torch.__version__, "VERSION")

    return importing
