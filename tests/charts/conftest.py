"""Real helm binaries, and each render of an own chart once in a session."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for bundled_charts, renders and object_schemas
sys.path.insert(0, str(Path(__file__).parents[2] / "charts" / "neuron-training" / "files"))  # for job

from renders import Renders

from neuron_cluster.kube.helm import Helm


@pytest.fixture(scope="session")
def renders(kept_helm: Callable[[str], Helm]) -> Renders:
    return Renders(kept_helm)
