"""Rendered workloads of an environment fit its nodes by the rules of ``schedule``."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from merged_text import merged_text

from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import has_error
from neuron_cluster.kube.cluster_tools import helm_of
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.workloads.recipes import RECIPES
from neuron_cluster.schedulers.kubernetes.workloads.rendering import render_workload
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.evaluation import evaluate
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.software_pods import software_pods
from tests.every_run import in_every_run
from tests.unit.schedulers.kubernetes.conftest import CHARTS, Choose

from .test_values import ENVIRONMENTS, EVERYWHERE

CLUSTERS = sorted(set(ENVIRONMENTS) - set(EVERYWHERE))
EVERYTHING = (
    "ebs_csi_driver",
    "efs_csi_driver",
    "mountpoint_s3_csi_driver",
    "metrics_server",
    "jobset",
    "leader_worker_set",
    "keda",
)
WITH_ALL = "cloudwatch and all add-ons"
REJECTED = ("hyperpod-trn2", WITH_ALL)
"""neuron-monitor of CloudWatch is not scheduled on types of SageMaker (E5040)."""
CASES = in_every_run(
    [case for case in itertools.product(CLUSTERS, ("as shipped", "prometheus", WITH_ALL)) if case != REJECTED],
    [*((each, "as shipped") for each in CLUSTERS), ("train-trn1", WITH_ALL), ("train-trn2u", WITH_ALL)],
)
"""Each shipped environment; with all add-ons one of device plugins and one of the DRA driver."""


def edits_of(environment: str, which: str) -> dict[str, Any]:
    shipped = yaml.safe_load(merged_text(CHARTS.parent / "environments" / f"{environment}.yaml"))
    edits: dict[str, Any] = {} if which == "as shipped" else {"observability": {"metrics": which.split(maxsplit=1)[0]}}
    if which.endswith("all add-ons"):
        edits["eks.addons"] = {**(shipped["eks"].get("addons") or {}), **dict.fromkeys(EVERYTHING, True)}
    return edits


@pytest.mark.slow
@pytest.mark.parametrize(("environment", "which"), CASES)
def test_every_chart_renders_pods_that_fit(
    environment: str,
    which: str,
    choose: Choose,
    cached_plan: Callable[..., ClusterPlan],
    catalog: Catalog,
) -> None:
    edits = edits_of(environment, which)
    plan = cached_plan(environment, edits)
    assert plan.kubernetes is not None
    software = [pod for _, pod in software_pods(plan, catalog, str(CHARTS.parent))]
    helm, charts = helm_of(plan.kubernetes, catalog, CHARTS.parent), 0
    namespace = min(plan.kubernetes.governed_namespaces, default="default")
    for chart, recipe in RECIPES.items():
        try:
            chosen = choose(chart, environment, edits, claim="c" if recipe.locations else None)
        except InvalidEnvironment:
            continue  # the reasons are the subject of test_values
        rendered = render_workload(chosen, plan.kubernetes, helm, catalog, release=chart, namespace=namespace)
        if has_error(rendered.findings):
            assert {found.id for found in rendered.findings} & {"E9209", "E9211"}, rendered.findings
            continue
        charts += 1
        pods = pods_of(rendered.objects)
        results = evaluate(plan, catalog, [*software, *pods]).results(pods)
        assert [failure.message for result in results for failure in result.failures] == []
    assert charts, "no chart was rendered, and the test shows nothing"
