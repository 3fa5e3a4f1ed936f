"""The running releases of a cluster, and their cost."""

from __future__ import annotations

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.schedulers.kubernetes.running.cluster_state import ClusterState
from neuron_cluster.schedulers.kubernetes.running.release import releases_in
from neuron_cluster.schedulers.kubernetes.running.running_list import RunningRelease, running_releases
from neuron_cluster.schedulers.kubernetes.workloads.recipes import RECIPES

from .observed import NOW, Body, condition, deployment, job_set, node, pod, running_pod

REGION, TYPE = "us-east-2", "trn1.32xlarge"


def listed(*objects: Body) -> list[RunningRelease]:
    state = ClusterState(objects, NOW)
    return running_releases(releases_in(state, RECIPES.keys()), state, load_catalog(), REGION)


def priced_node(name: str) -> Body:
    found = node(name)
    found["metadata"]["labels"]["node.kubernetes.io/instance-type"] = TYPE
    return found


def price() -> float:
    row = load_catalog().instance_types.get(TYPE)
    assert row is not None
    usd = row.on_demand_price(REGION)
    assert usd is not None
    return usd


def test_whole_nodes_cost_their_price() -> None:
    [found] = listed(job_set(), running_pod(0), running_pod(1), priced_node("ip-1"), priced_node("ip-2"))
    assert (found.state, found.nodes, found.ready_pods, found.expected_pods) == ("running", 2, 2, 2)
    assert found.usd_hour == pytest.approx(2 * price())


def test_a_part_of_a_node_costs_its_share_and_pods_that_ended_nothing() -> None:
    part = running_pod(0)
    part["spec"]["containers"][0]["resources"] = {"requests": {"aws.amazon.com/neuron": "4"}}
    over = pod(1, node="ip-2", status={"phase": "Succeeded"})
    [found] = listed(job_set(), part, over, priced_node("ip-1"), priced_node("ip-2"))
    assert found.usd_hour == pytest.approx(price() / 4)


def test_cores_cost_the_share_of_their_devices() -> None:
    part = running_pod(0)
    part["spec"]["containers"][0]["resources"] = {"requests": {"aws.amazon.com/neuroncore": "8"}}
    of_node = priced_node("ip-1")
    of_node["status"]["allocatable"]["aws.amazon.com/neuroncore"] = "32"
    [found] = listed(job_set(), part, of_node)
    assert found.usd_hour == pytest.approx(price() / 4)


def test_a_claim_of_devices_counts_as_the_node() -> None:
    claimed = running_pod(0)
    claimed["spec"] |= {"resourceClaims": [{"name": "neuron"}], "containers": [{"name": "trainer"}]}
    [found] = listed(job_set(), claimed, priced_node("ip-1"))
    assert found.usd_hour == pytest.approx(price())


def test_without_a_price_none_is_shown() -> None:
    unknown = node("ip-1")
    unknown["metadata"]["labels"]["node.kubernetes.io/instance-type"] = "trn9.48xlarge"
    assert listed(job_set(), running_pod(0), unknown)[0].usd_hour is None
    assert listed(job_set())[0].usd_hour == 0


def test_what_completed_comes_last() -> None:
    done = job_set(conditions=[condition("Completed", True)])
    assert [each.release for each in listed(done, deployment(1))] == ["chat", "llama"]
