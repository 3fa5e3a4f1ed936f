"""Whatever lets a pod get the devices that it claims is missed when it is gone.

Every workload that claims devices is rendered for the shipped environment with the DRA driver, and for another one with
the driver in place of the plugin; then each part of the claim is taken away in turn, and the driver from the nodes.
Noticed is what a manifest rule or the schedule finds.
"""

from __future__ import annotations

import copy
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from local_kubernetes.model.manifests import read_manifests
from local_kubernetes.model.scheduling.pod import PodInfo
from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.kube.project_tools import project_helm
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.manifest_rules.run import check_manifests
from neuron_cluster.schedulers.kubernetes.software.recorded_pods import recorded_pods
from neuron_cluster.schedulers.kubernetes.workloads.bundled_chart import bundled_chart
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.evaluation import evaluate
from neuron_cluster.schedulers.kubernetes.workloads.values import workload_values

pytestmark = pytest.mark.slow
PROJECT = Path(__file__).parents[2]
CATALOG = load_catalog()
ENVIRONMENTS: Mapping[str, Mapping[str, Any] | None] = {
    "train-trn2u": None,
    "train-trn1": {"eks.addons": {"neuron_dra_driver": True}},
}
CAPTURE = {"capture": {"enabled": True, "command": ["python3"]}}
WORKLOADS: Mapping[str, Mapping[str, Any]] = {
    "collectives-check": {},
    "neuron-training": {},
    "neuron-serving": {},
    "neuron-explorer": CAPTURE,
}
Objects = list[dict[str, Any]]


def rendered(chart: str, plan: ClusterPlan) -> Objects:
    assert plan.kubernetes is not None
    version = CATALOG.kubernetes_versions.get(plan.kubernetes.version)
    assert version is not None
    assert version.kubectl_layer is not None
    helm = project_helm(PROJECT, version.kubectl_layer.package, CATALOG)
    own = bundled_chart(PROJECT / "charts", chart)
    wish = WorkloadOptions(claim="c" if own.recipe.locations else None, given=WORKLOADS[chart])
    chosen = workload_values(own, plan, CATALOG, wish, {}, software=recorded_pods(plan, CATALOG))
    text = helm.template_text(own.folder, chart, "default", chosen.values, plan.kubernetes.version)
    return [copy.deepcopy(dict(body)) for body in read_manifests(text)]


def pod_spec(objects: Objects) -> dict[str, Any]:
    """The one that claims."""
    (found,) = (spec for body in objects for spec in _pod_specs(body) if "resourceClaims" in spec)
    return found


def _pod_specs(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, dict):
        if "containers" in tree:
            yield tree
        for value in tree.values():
            yield from _pod_specs(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _pod_specs(value)


def request(objects: Objects) -> dict[str, Any]:
    (template,) = (body for body in objects if body["kind"] == "ResourceClaimTemplate")
    exactly: dict[str, Any] = template["spec"]["spec"]["devices"]["requests"][0]["exactly"]
    return exactly


def container_resources(objects: Objects) -> dict[str, Any]:
    found: dict[str, Any]
    (found,) = (each["resources"] for each in pod_spec(objects)["containers"] if "claims" in each.get("resources", {}))
    return found


MUTANTS: Mapping[str, Callable[[Objects], Any]] = {
    "device class": lambda objects: request(objects).pop("deviceClassName"),
    "name of the device class": lambda objects: request(objects).update(deviceClassName="neuron.aws.co"),
    "count": lambda objects: request(objects).pop("count"),
    "a count that a node has": lambda objects: request(objects).update(count=request(objects)["count"] + 64),
    "template": lambda objects: objects.remove(
        next(body for body in objects if body["kind"] == "ResourceClaimTemplate")
    ),
    "claim of the pod": lambda objects: pod_spec(objects).pop("resourceClaims"),
    "claim of the container": lambda objects: container_resources(objects).pop("claims"),
    "the only way": lambda objects: container_resources(objects)["limits"].update({"aws.amazon.com/neuron": 1}),
}
"""Removals by their names."""


def findings(objects: Objects, plan: ClusterPlan, software: tuple[PodInfo, ...]) -> list[str]:
    """Returns findings of the rules, and of the schedule where it surely fails."""
    found = [each.id for each in check_manifests(objects, source="-", namespace="default", pod_security="restricted")]
    pods = pods_of(objects)
    results = evaluate(plan, CATALOG, [*software, *pods]).results(pods)
    return found + [failure.message for result in results for failure in result.failures]


def without_driver(software: tuple[PodInfo, ...]) -> tuple[PodInfo, ...]:
    return tuple(pod for pod in software if pod.device_class is None)


def off_the_nodes(software: tuple[PodInfo, ...]) -> tuple[PodInfo, ...]:
    """The driver is there, and its selector leads elsewhere."""
    return tuple(replace(pod, node_selector={"no": "where"}) if pod.device_class else pod for pod in software)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_each_part_of_a_claim_that_is_taken_away_is_noticed(
    name: str, plan_of: Callable[..., ClusterPlan], capsys: pytest.CaptureFixture[str]
) -> None:
    plan = plan_of(name, ENVIRONMENTS[name])
    software = recorded_pods(plan, CATALOG)
    counts: Counter[str] = Counter()
    missed: list[str] = []
    for chart in WORKLOADS:
        objects = rendered(chart, plan)
        assert findings(objects, plan, software) == [], chart
        for what, take in MUTANTS.items():
            mutant = copy.deepcopy(objects)
            take(mutant)
            counts[what] += 1
            if not findings(mutant, plan, software):
                missed.append(f"{chart} without {what}")
        for change in (without_driver, off_the_nodes):
            counts["driver"] += 1
            if not findings(objects, plan, change(software)):
                missed.append(f"{chart}: {change.__name__}")
    with capsys.disabled():
        sys.stdout.write(f"\n{name}: " + ", ".join(f"{what} {count}" for what, count in counts.items()) + "\n")
    assert missed == []
