"""Plans of the shipped environments, each made once, and the workloads."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.workloads.bundled_chart import bundled_chart
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.software_pods import software_pods
from neuron_cluster.schedulers.kubernetes.workloads.values import WorkloadValues, workload_values

CHARTS = Path(__file__).parents[4] / "charts"
sys.path.insert(0, str(CHARTS.parent / "tools"))  # for hint_commands
Choose = Callable[..., WorkloadValues]


@pytest.fixture(autouse=True)
def helm_is_kept_everywhere(helm_is_kept: None) -> None:
    """Rendering takes longer than what these tests are about."""


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="session")
def cached_plan(plan_of: Callable[..., ClusterPlan]) -> Callable[..., ClusterPlan]:
    """As ``plan_of``; the same environment with the same edits is planned once."""
    plans: dict[str, ClusterPlan] = {}

    def plan(environment: str, edits: Mapping[str, Any] | None = None) -> ClusterPlan:
        key = f"{environment} {edits}"
        if key not in plans:
            plans[key] = plan_of(environment, edits)
        return plans[key]

    return plan


@pytest.fixture(scope="session")
def choose(cached_plan: Callable[..., ClusterPlan], catalog: Catalog) -> Choose:
    """``choose("neuron-serving", "train-trn2", {edits}, claim="lustre")``: the values, or ``InvalidEnvironment``."""

    def chosen(
        chart: str,
        environment: str,
        edits: Mapping[str, Any] | None = None,
        digests: Mapping[str, str] | None = None,
        **wish: Any,
    ) -> WorkloadValues:
        plan = cached_plan(environment, edits)
        software = [pod for _, pod in software_pods(plan, catalog, str(CHARTS.parent))]
        own = bundled_chart(CHARTS, chart)
        return workload_values(own, plan, catalog, WorkloadOptions(**wish), digests or {}, software=software)

    return chosen
