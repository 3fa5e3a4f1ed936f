"""Which workload runs where, and what of that is a mistake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from shapes import pod, toleration

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.workload_shape import NodeNeed
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedule.pod_shape import PodShape
from neuron_cluster.schedule.verdict import Verdict, judge, judge_daemons

CATALOG = load_catalog()
EVERYTHING = (toleration(None),)


@pytest.fixture
def plan(plan_of: Callable[..., Any]) -> ClusterPlan:
    """Two groups: system (open, m7i.xlarge) and trn1 (tainted)."""
    trained: ClusterPlan = plan_of("train-trn1")
    return trained


def need(nodes: Any) -> NodeNeed:
    return NodeNeed(nodes=nodes, without="the node is useless", source="-")


def judged(plan: ClusterPlan, *pods: PodShape) -> Verdict:
    """The last one."""
    return judge(plan, pods, CATALOG)[-1]


@pytest.mark.parametrize(("nodes", "missed"), [("every", ["system"]), ("neuron", []), ("efa", []), (None, [])], ids=str)
def test_a_daemon_must_run_where_it_is_needed_and_nowhere_else(
    nodes: Any, missed: list[str], plan: ClusterPlan
) -> None:
    selector = {"neuron-cluster/node-group": "trn1"}
    needed_on = need(nodes) if nodes else None
    daemon = pod("DaemonSet", tolerations=EVERYTHING, node_selector=selector, needed_on=needed_on)
    verdict = judged(plan, daemon)
    assert [flaw.group for flaw in verdict.flaws] == missed
    assert verdict.fails is bool(missed)


def test_a_missed_group_is_told_with_the_reason_and_what_it_lacks(plan: ClusterPlan) -> None:
    (flaw,) = judged(plan, pod("DaemonSet", needed_on=need("neuron"))).flaws
    assert flaw.words == (
        "DaemonSet x/server passes over trn1: it does not tolerate the taint aws.amazon.com/neuron=true:NoSchedule; "
        "so the node is useless"
    )


def test_a_daemon_that_nothing_needs_must_run_somewhere(plan: ClusterPlan) -> None:
    (flaw,) = judged(plan, pod("DaemonSet", node_selector={"no": "where"})).flaws
    assert "fits on no node group (system: " in flaw.words
    assert flaw.group is None


def test_a_deployment_needs_one_group(plan: ClusterPlan) -> None:
    assert judged(plan, pod()).flaws == ()
    (flaw,) = judged(plan, pod(requests={"cpu": 10**6, "pods": 1}, tolerations=EVERYTHING)).flaws
    assert "system: it asks for 1000 CPUs, a node has 4" not in flaw.words
    assert "trn1: it asks for 1000 CPUs" in flaw.words


def test_auto_mode_takes_what_no_group_takes(plan: ClusterPlan) -> None:
    auto = replace(plan, eks=replace(plan.eks, auto_mode=True)) if plan.eks is not None else plan
    assert judged(auto, pod(requests={"cpu": 10**6, "pods": 1})).flaws == ()
    assert judged(auto, pod("DaemonSet", node_selector={"no": "where"})).flaws != ()


def test_all_pods_of_a_workload_must_run_at_once(plan: ClusterPlan) -> None:
    whole_node = {"aws.amazon.com/neuron": 16, "pods": 1}
    most = plan.eks.node_groups[1].max if plan.eks is not None else 0
    fits = judged(plan, pod("Job", requests=whole_node, tolerations=EVERYTHING, replicas=most))
    assert fits.flaws == ()
    assert [each.at_most for each in fits.groups] == [0, most]
    (flaw,) = judged(plan, pod("Job", requests=whole_node, tolerations=EVERYTHING, replicas=most + 1)).flaws
    assert flaw.words.endswith(f"is {most + 1} pods, and the groups that it fits on hold {most} at most")


def test_daemons_take_room_from_workloads_and_not_from_themselves(plan: ClusterPlan) -> None:
    large = pod("DaemonSet", "x/large", requests={"cpu": 3000, "pods": 1}, tolerations=EVERYTHING)
    server = pod(requests={"cpu": 1500, "pods": 1})
    assert judged(plan, server).flaws == ()
    assert judged(plan, large, server).fails
    assert judged(plan, large).flaws == ()


def test_daemons_that_are_too_many_for_a_node_together_are_found(plan: ClusterPlan) -> None:
    large = [
        pod("DaemonSet", name, requests={"cpu": 3000, "pods": 1}, tolerations=EVERYTHING, needed_on=need("every"))
        for name in ("x/one", "x/other")
    ]
    assert [flaw.group for flaw in judged(plan, *large).flaws] == ["system"]


def test_a_reason_that_rests_on_an_estimate_does_not_fail(plan: ClusterPlan) -> None:
    """Of 16 GiB, a m7i.xlarge offers about 13.8 after what the kernel keeps, and 15.03 if it keeps nothing."""
    verdict = judged(plan, pod(requests={"memory": 14 * 1024**3 + 2**29, "pods": 1}))
    (flaw,) = verdict.flaws
    assert (flaw.is_certain, verdict.fails) == (False, False)
    assert judged(plan, pod(requests={"memory": 2**34, "pods": 1})).fails


def test_needed_daemons_that_do_not_fit_are_given_with_their_group(plan: ClusterPlan) -> None:
    daemon = pod("DaemonSet", needed_on=need("every"))
    ((found, group, verdict),) = judge_daemons(plan, [daemon, pod()], CATALOG)
    assert (found, group, verdict.surely_not) == (daemon, "trn1", True)


def test_without_a_cluster_there_is_nothing_to_judge(plan_of: Callable[..., Any]) -> None:
    assert judge(plan_of("workstation"), [pod()], CATALOG) == ()
