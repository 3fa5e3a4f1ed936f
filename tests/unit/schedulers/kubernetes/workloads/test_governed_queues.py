"""Queues of workloads with task governance of HyperPod: that of the namespace, for every pod."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from local_kubernetes.model.chart_values import value_at
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.software.team_nodes import nodes_of_team
from neuron_cluster.schedulers.kubernetes.workloads.queue_selection import default_namespace, namespace_findings
from tests.unit.schedulers.kubernetes.conftest import Choose

NAME = "hyperpod-teams"
RESEARCH, SERVING = (f"hyperpod-ns-{team}" for team in ("research", "serving"))
QUEUE = f"{RESEARCH}-localqueue"

PlanOf = Callable[..., ClusterPlan]


def found_in(values: Any, rule_id: str) -> Finding:
    (found,) = (each for each in values.findings if each.id == rule_id)
    assert isinstance(found, Finding)
    return found


@pytest.mark.parametrize("chart", ["neuron-training", "collectives-check", "neuron-serving"])
def test_a_workload_has_the_queue_of_its_namespace(choose: Choose, chart: str) -> None:
    claim = None if chart == "collectives-check" else "lustre"
    chosen = choose(chart, NAME, claim=claim)
    assert value_at(chosen.values, "queue.name") == QUEUE, "the first namespace with a compute quota"
    other = choose(chart, NAME, claim=claim, namespace=SERVING)
    assert value_at(other.values, "queue.name") == f"{SERVING}-localqueue"


def test_pods_without_devices_have_a_queue_too(choose: Choose) -> None:
    """Task governance rejects every pod without one."""
    chosen = choose("compile-cache-warmer", NAME, claim="lustre", given={"graphs": [{"name": "g", "command": ["x"]}]})
    assert value_at(chosen.values, "queue.name") == QUEUE


def test_a_namespace_without_a_compute_quota_is_a_warning(choose: Choose) -> None:
    warning = found_in(choose("collectives-check", NAME, namespace="default"), "W9251")
    assert "the nodes of trn1 are in compute quotas: task governance does not count the devices" in warning.message
    assert warning.hint == f"use --namespace {RESEARCH}"
    followed = choose("collectives-check", NAME, namespace=RESEARCH)
    assert "W9251" not in {each.id for each in followed.findings}


def test_a_workload_without_the_queue_of_its_namespace_is_rejected(choose: Choose) -> None:
    warning = found_in(choose("collectives-check", NAME, queue=""), "W9251")
    assert warning.message.endswith("task governance rejects them")
    assert warning.hint == f"set --queue {QUEUE}"


def test_a_queue_that_no_team_has_is_an_error(choose: Choose) -> None:
    with pytest.raises(InvalidEnvironment) as refusal:
        choose("collectives-check", NAME, queue="training")
    (error,) = (each for each in refusal.value.findings if each.id == "E9206")
    assert error.hint == f"queues: {QUEUE}, {SERVING}-localqueue; each is in the namespace of its team"


@pytest.mark.parametrize(
    ("namespace", "queue", "message", "hint"),
    [
        (
            SERVING,
            QUEUE,
            f"{SERVING} has the queue {SERVING}-localqueue",
            f"use --namespace {RESEARCH}, or use --queue",
        ),
        ("default", QUEUE, "default has no compute quota: it has no LocalQueue", f"use --namespace {RESEARCH}"),
    ],
)
def test_the_queue_of_another_namespace_is_an_error(
    plan_of: PlanOf, namespace: str, queue: str, message: str, hint: str
) -> None:
    cluster = plan_of(NAME).kubernetes
    assert cluster is not None
    (error,) = namespace_findings(cluster, {"queue": {"name": queue}}, namespace, "collectives-check")
    assert error.id == "E9228"
    assert error.message.startswith(message)
    assert error.hint is not None
    assert error.hint.startswith(hint)


def test_members_may_use_no_node_past_the_compute_quotas(plan_of: PlanOf) -> None:
    cluster = plan_of(NAME).kubernetes
    assert cluster is not None
    for team in cluster.teams:
        nodes = nodes_of_team(team, cluster.node_groups, cluster.namespaces)
        assert "trn1" in {group.name for group in nodes.usable}
        assert nodes.unqueued == ()


def test_an_environment_without_task_governance_keeps_its_default_namespace(plan_of: PlanOf) -> None:
    cluster = plan_of("research-teams").kubernetes
    assert cluster is not None
    assert default_namespace(cluster) == cluster.job_namespaces[0].name
