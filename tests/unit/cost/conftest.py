"""Costs of shipped environments, after edits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.cost.environment_cost import EnvironmentCost, environment_cost

ON = date(2026, 11, 27)
"""Kubernetes 1.34 and 1.35 have standard support."""

CostOf = Callable[..., EnvironmentCost]


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture
def cost_of(plan_of: Callable[..., Any], catalog: Catalog) -> CostOf:
    """``cost_of("train-trn1", {"network.nat": "per_zone"}, on=…)``."""

    def cost(environment: str, edits: Mapping[str, Any] | None = None, on: date = ON) -> EnvironmentCost:
        return environment_cost(plan_of(environment, edits), catalog, on)

    return cost
