"""Which workload runs where, and what of that is a mistake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from scheduling_examples import pod, toleration

from local_kubernetes.model.names import INSTANCE_TYPE_LABEL
from local_kubernetes.model.scheduling.evaluation import SchedulingResult, is_required, missing_daemon_sets
from local_kubernetes.model.scheduling.pod import PodInfo, RequiredNodes
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_nodes import kubernetes_nodes
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.evaluation import evaluate

CATALOG = load_catalog()
EVERYTHING = (toleration(None),)


@pytest.fixture
def plan(plan_of: Callable[..., Any]) -> ClusterPlan:
    """Two groups: system (open, m7i.xlarge) and trn1 (tainted)."""
    trained: ClusterPlan = plan_of("train-trn1")
    return trained


def need(nodes: Any) -> RequiredNodes:
    return RequiredNodes(nodes, without="the node is useless")


def evaluated(plan: ClusterPlan, *pods: PodInfo) -> SchedulingResult:
    """The last one."""
    return evaluate(plan, CATALOG, pods).results(pods)[-1]


@pytest.mark.parametrize(("nodes", "missed"), [("every", ["system"]), ("neuron", []), ("efa", []), (None, [])], ids=str)
def test_a_daemon_must_run_where_it_is_needed_and_nowhere_else(
    nodes: Any, missed: list[str], plan: ClusterPlan
) -> None:
    selector = {"neuron-cluster/node-group": "trn1"}
    required_on = need(nodes) if nodes else None
    daemon = pod("DaemonSet", tolerations=EVERYTHING, node_selector=selector, required_on=required_on)
    result = evaluated(plan, daemon)
    assert [failure.group for failure in result.failures] == missed
    assert result.fails is bool(missed)


def test_a_daemon_of_hyperpod_is_needed_on_neuron_nodes_of_hyperpod_alone(plan: ClusterPlan) -> None:
    daemon = pod("DaemonSet", node_selector={"no": "where"}, required_on=need("hyperpod"))
    assert evaluated(plan, daemon).failures == ()
    system, neuron = kubernetes_nodes(plan, CATALOG)
    of_hyperpod = replace(neuron, labels={**neuron.labels, INSTANCE_TYPE_LABEL: "ml.trn1.32xlarge"})
    processors = replace(system, labels={**system.labels, INSTANCE_TYPE_LABEL: "ml.m5.2xlarge"})
    nodes = (system, neuron, of_hyperpod, processors)
    assert [is_required(daemon, each) for each in nodes] == [False, False, True, False]


def test_a_missed_group_is_told_with_the_reason_and_what_it_lacks(plan: ClusterPlan) -> None:
    (failure,) = evaluated(plan, pod("DaemonSet", required_on=need("neuron"))).failures
    assert failure.message == (
        "DaemonSet x/server is not scheduled on trn1: does not tolerate the taint "
        "aws.amazon.com/neuron=true:NoSchedule; so the node is useless"
    )


def test_a_daemon_that_nothing_needs_must_run_somewhere(plan: ClusterPlan) -> None:
    (failure,) = evaluated(plan, pod("DaemonSet", node_selector={"no": "where"})).failures
    assert "fits on no node group (system: " in failure.message
    assert failure.group is None


def test_a_deployment_needs_one_group(plan: ClusterPlan) -> None:
    assert evaluated(plan, pod()).failures == ()
    (failure,) = evaluated(plan, pod(requests={"cpu": 10**6, "pods": 1}, tolerations=EVERYTHING)).failures
    assert "system: requests 1000 CPUs, but a node has 4" not in failure.message
    assert "trn1: requests 1000 CPUs" in failure.message


def test_auto_mode_takes_what_no_group_takes(plan: ClusterPlan) -> None:
    auto = replace(plan, providers=(replace(plan.kubernetes, auto_mode=True),)) if plan.kubernetes is not None else plan
    assert evaluated(auto, pod(requests={"cpu": 10**6, "pods": 1})).failures == ()
    assert evaluated(auto, pod("DaemonSet", node_selector={"no": "where"})).failures != ()


def test_all_pods_of_a_workload_must_run_at_once(plan: ClusterPlan) -> None:
    whole_node = {"aws.amazon.com/neuron": 16, "pods": 1}
    maximum = plan.kubernetes.node_groups[1].max if plan.kubernetes is not None else 0
    fits = evaluated(plan, pod("Job", requests=whole_node, tolerations=EVERYTHING, replicas=maximum))
    assert fits.failures == ()
    assert [each.at_max for each in fits.groups] == [0, maximum]
    (failure,) = evaluated(plan, pod("Job", requests=whole_node, tolerations=EVERYTHING, replicas=maximum + 1)).failures
    assert failure.message.endswith(f"has {maximum + 1} pods, and the groups that it fits on hold {maximum} at most")


def test_daemons_take_room_from_workloads_and_not_from_themselves(plan: ClusterPlan) -> None:
    large = pod("DaemonSet", "x/large", requests={"cpu": 3000, "pods": 1}, tolerations=EVERYTHING)
    server = pod(requests={"cpu": 1500, "pods": 1})
    assert evaluated(plan, server).failures == ()
    assert evaluated(plan, large, server).fails
    assert evaluated(plan, large).failures == ()


def test_daemons_that_are_too_many_for_a_node_together_are_found(plan: ClusterPlan) -> None:
    large = [
        pod("DaemonSet", name, requests={"cpu": 3000, "pods": 1}, tolerations=EVERYTHING, required_on=need("every"))
        for name in ("x/one", "x/other")
    ]
    assert [failure.group for failure in evaluated(plan, *large).failures] == ["system"]


def test_a_reason_that_rests_on_an_estimate_does_not_fail(plan: ClusterPlan) -> None:
    """An m7i.xlarge with 16 GiB offers about 13.8 after what the kernel keeps, and 15.03 if it keeps nothing."""
    result = evaluated(plan, pod(requests={"memory": 14 * 1024**3 + 2**29, "pods": 1}))
    (failure,) = result.failures
    assert (failure.is_certain, result.fails) == (False, False)
    assert evaluated(plan, pod(requests={"memory": 2**34, "pods": 1})).fails


def test_needed_daemons_that_do_not_fit_are_given_with_their_group(plan: ClusterPlan) -> None:
    daemon = pod("DaemonSet", required_on=need("every"))
    ((found, result),) = missing_daemon_sets(evaluate(plan, CATALOG, [daemon]).nodes, [daemon, pod()])
    assert (found, result.group, result.is_certain) == (daemon, "trn1", True)


def test_without_a_cluster_there_is_nothing_to_judge(plan_of: Callable[..., Any]) -> None:
    assert evaluate(plan_of("workstation"), CATALOG, [pod()]).nodes == ()
