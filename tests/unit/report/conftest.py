"""The shipped training environment, planned once."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from tests.two_clusters import write_two_clusters

TRAINING = Path(__file__).parents[3] / "environments" / "train-trn1.yaml"


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="session")
def training_file() -> Path:
    return TRAINING


@pytest.fixture(scope="session")
def training() -> ClusterPlan:
    return check_environment(TRAINING).require_plan()


@pytest.fixture(scope="session")
def two_clusters(tmp_path_factory: pytest.TempPathFactory) -> ClusterPlan:
    """EKS and PCS in one environment."""
    return check_environment(write_two_clusters(tmp_path_factory.mktemp("two"))).require_plan()
