"""Pictures of shipped environments, and of one with 30 groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.diagram.build_picture import build_picture
from neuron_cluster.diagram.model import Picture
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from tests.thirty_groups import write_thirty_groups
from tests.two_clusters import write_two_clusters

PictureOf = Callable[..., Picture]


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture
def picture_of(plan_of: Callable[..., Any], catalog: Catalog) -> PictureOf:
    """``picture_of("train-trn1", {"network.nat": "none"})``."""

    def picture(environment: str, edits: Mapping[str, Any] | None = None) -> Picture:
        return build_picture(plan_of(environment, edits), catalog)

    return picture


@pytest.fixture(scope="session")
def thirty(tmp_path_factory: pytest.TempPathFactory) -> ClusterPlan:
    return check_environment(write_thirty_groups(tmp_path_factory.mktemp("thirty"))).require_plan()


@pytest.fixture(scope="session")
def two_clusters(tmp_path_factory: pytest.TempPathFactory) -> ClusterPlan:
    """EKS and PCS in one environment."""
    return check_environment(write_two_clusters(tmp_path_factory.mktemp("two"))).require_plan()
