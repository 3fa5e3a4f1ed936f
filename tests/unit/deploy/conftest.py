"""Plans to deploy."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.line import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan

PROJECT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def training() -> ClusterPlan:
    return check_environment(PROJECT / "environments" / "train-trn1.yaml").require_plan()
