"""A plan with node groups."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan

PROJECT = Path(__file__).parents[4]


@pytest.fixture(scope="session")
def training() -> ClusterPlan:
    return check_environment(PROJECT / "environments" / "train-trn1.yaml").require_plan()
