"""Nodes of a Kubernetes cluster that workloads start as they need them: there is no maximum, and none is guessed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from local_kubernetes.model.scheduling.evaluation import SchedulingResult, evaluate_pods
from local_kubernetes.model.scheduling.pod import PodInfo
from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_nodes import kubernetes_nodes
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.node_group_plan import NodeGroupPlan
from neuron_cluster.report.plan_page import plan_as_data, plan_tables
from neuron_cluster.report.schedule_page import result_tables, schedule_as_data
from neuron_cluster.report.workloads_table import workloads_as_data, workloads_table
from neuron_cluster.resolved.scaling import Scaling, ScalingKind
from neuron_cluster.rules.base import Needs, RuleContext
from neuron_cluster.rules.discover import rules_of
from neuron_cluster.schedulers.kubernetes.software.managed_addons import addons_for
from neuron_cluster.schedulers.kubernetes.workloads.bundled_chart import bundled_chart
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions
from neuron_cluster.schedulers.kubernetes.workloads.pod_checks import pod_findings
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.findings import pending_at_desired_size
from neuron_cluster.schedulers.kubernetes.workloads.values import WorkloadValues, workload_values
from neuron_cluster.schedulers.kubernetes.workloads.workload_list import listed_workload

CHARTS = Path(__file__).parents[2] / "charts"
TRAIN_TRN1 = Path(__file__).parents[2] / "environments" / "train-trn1.yaml"
ON_DEMAND = Scaling(ScalingKind.ON_DEMAND, 0, 0, None)
NODES = 400
"""More than any node group of the shipped environments may have."""


class OnDemandGroup(NodeGroupPlan, frozen=True, kw_only=True):
    """Nodes that are created for pods."""

    noun = "node pool"


class OnDemandCluster(KubernetesPlan, frozen=True, kw_only=True):
    """The part of another provider in the plan: nothing of EKS."""


def copied(kind: Any, given: Any, **changes: Any) -> Any:
    """The fields that every plan of the kind has."""
    return kind(**{name: getattr(given, name) for name in kind.__struct_fields__} | changes)


@pytest.fixture(scope="module")
def plan(plan_of: Callable[..., ClusterPlan]) -> ClusterPlan:
    planned = plan_of("train-trn1")
    assert planned.kubernetes is not None
    groups = tuple(copied(OnDemandGroup, group, scaling=ON_DEMAND) for group in planned.kubernetes.node_groups)
    return replace(planned, providers=(copied(OnDemandCluster, planned.kubernetes, node_groups=groups),))


def chosen(plan: ClusterPlan, **options: Any) -> WorkloadValues:
    own = bundled_chart(CHARTS, "collectives-check")
    return workload_values(own, plan, load_catalog(), WorkloadOptions(**options), {}, software=())


def job(replicas: int) -> dict[str, Any]:
    requests = {"limits": {"aws.amazon.com/neuron": 16}}
    spec = {
        "containers": [{"name": "job", "image": "job", "resources": requests}],
        "tolerations": [{"operator": "Exists"}],
        "restartPolicy": "Never",
    }
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "job", "namespace": "default"},
        "spec": {"parallelism": replicas, "completions": replicas, "template": {"spec": spec}},
    }


def results(plan: ClusterPlan, pods: Sequence[PodInfo]) -> tuple[SchedulingResult, ...]:
    return evaluate_pods(kubernetes_nodes(plan, load_catalog()), pods, has_auto_mode=False)


def test_rules_and_pages_of_the_plan_ask_for_no_maximum(plan: ClusterPlan) -> None:
    environment = check_environment(TRAIN_TRN1).require_resolved()
    context = RuleContext(environment=environment, catalog=load_catalog(), given_plan=plan)
    for rule in rules_of(Needs.PLAN):
        assert {each.path for each in rule.check(context)} <= {("network", "cidr")}, rule.id
    rows = [row for table in plan_tables(plan, load_catalog(), frozenset(), 200) for row in table.rows]
    assert {row[1:] for row in rows if row[0] == "count min/desired/max"} == {("0 / 0 / no limit", "0 / 0 / no limit")}
    assert plan_as_data(plan, load_catalog())["price"]["max_usd"] is None


def test_any_number_of_nodes_may_be_requested(plan: ClusterPlan) -> None:
    assert chosen(plan, nodes=NODES).values["nodes"] == NODES


def test_a_chart_starts_with_its_own_number_of_nodes(plan: ClusterPlan) -> None:
    own = bundled_chart(CHARTS, "collectives-check")
    assert chosen(plan).values["nodes"] == own.recipe.default_nodes


def test_pods_wait_for_no_larger_group(plan: ClusterPlan) -> None:
    found = pod_findings(chosen(plan), [job(NODES)], load_catalog(), namespace="default", has_errors=False)
    assert {each.id for each in found} == {"W9244"}, "of its image alone, which the catalog does not have"


def test_all_pods_run_at_once(plan: ClusterPlan) -> None:
    (result,) = results(plan, list(pods_of([job(NODES)])))
    assert [(each.group, each.at_max, each.required_size) for each in result.fitting] == [("trn1", None, NODES)]
    assert (result.failures, result.stays_pending) == ((), False)
    assert list(pending_at_desired_size([("user.yaml", result)])) == []


def test_the_schedule_page_says_that_there_is_no_limit(plan: ClusterPlan) -> None:
    found = results(plan, list(pods_of([job(NODES)])))
    table, *_ = result_tables(found, "", 200)
    assert "trn1 (no limit)" in str(table.rows)
    (workload,) = schedule_as_data(found, kubernetes_nodes(plan, load_catalog()))["workloads"]
    assert {each["group"]: each["at_max"] for each in workload["groups"]}["trn1"] is None


def test_the_list_of_workloads_says_that_there_is_no_limit(plan: ClusterPlan) -> None:
    listed = [listed_workload(bundled_chart(CHARTS, "collectives-check"), plan, load_catalog())]
    (row,) = workloads_table(listed, plan).rows
    assert "trn1 (trn1.32xlarge, no limit)" in row[2]
    assert [each["max_nodes"] for each in workloads_as_data(listed)[0]["node_groups"]] == [None]


def test_a_choice_of_groups_says_that_there_is_no_limit(plan: ClusterPlan) -> None:
    assert plan.kubernetes is not None
    groups = plan.kubernetes.node_groups
    second = replace(groups[-1], name="second")
    two = replace(plan, providers=(replace(plan.kubernetes, node_groups=(*groups, second)),))
    with pytest.raises(InvalidEnvironment) as caught:
        chosen(two)
    (found,) = caught.value.findings
    assert "second (trn1.32xlarge, any number of nodes)" in found.message


def test_coredns_scales_with_the_nodes(plan: ClusterPlan) -> None:
    (coredns,) = (each for each in addons_for((), plan.node_groups, load_catalog(), ()) if each.name == "coredns")
    assert coredns.configuration == {"autoScaling": {"enabled": True}}
