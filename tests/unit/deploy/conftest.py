"""Plans to deploy."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from tests.kept_sources import kept_sources  # noqa: F401 - a fixture

PROJECT = Path(__file__).parents[3]
sys.path.insert(0, str(PROJECT / "tools"))  # for hint_commands


@pytest.fixture(scope="session")
def training() -> ClusterPlan:
    return check_environment(PROJECT / "environments" / "train-trn1.yaml").require_plan()
