"""The nodes of an environment as the scheduler reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from local_kubernetes.model.scheduling.node import NodeInfo
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.kubernetes_nodes import kubernetes_nodes

CATALOG = load_catalog()
MIB = 1024**2


@pytest.fixture
def nodes(plan_of: Callable[..., Any]) -> Callable[..., dict[str, NodeInfo]]:
    def of(environment: str, edits: Any = None) -> dict[str, NodeInfo]:
        return {node.group: node for node in kubernetes_nodes(plan_of(environment, edits), CATALOG)}

    return of


def test_a_node_has_the_labels_of_its_group_of_eks_and_of_the_kubelet(nodes: Callable[..., Any]) -> None:
    labels = nodes("train-trn1")["trn1"].labels
    assert labels["node.kubernetes.io/instance-type"] == "trn1.32xlarge"
    assert labels["eks.amazonaws.com/nodegroup"].startswith("trn1-")
    assert labels["eks.amazonaws.com/capacityType"] == "ON_DEMAND"
    assert labels["kubernetes.io/arch"] == "amd64"
    assert labels["neuron-cluster/node-group"] == "trn1"
    assert labels["topology.k8s.aws/zone-id"] == "usw2-az4"


def test_what_only_the_account_or_the_day_tells_is_a_doubt_with_a_reason(nodes: Callable[..., Any]) -> None:
    system = nodes("train-trn1")["system"]
    assert "topology.k8s.aws/zone-id" not in system.labels
    assert "usw2-az4, usw2-az1" in system.doubts["topology.k8s.aws/zone-id"]
    assert "account" in system.doubts["topology.kubernetes.io/zone"]


def test_a_neuron_node_offers_chips_cores_at_its_lnc_and_efa(nodes: Callable[..., Any]) -> None:
    lnc1 = nodes("train-trn2", {"eks.node_groups.1.logical_nc_config": 1})["trn2"].allocatable
    lnc2 = nodes("train-trn2")["trn2"].allocatable
    assert (lnc2["aws.amazon.com/neuron"], lnc2["vpc.amazonaws.com/efa"]) == (16, 16)
    assert (lnc1["aws.amazon.com/neuroncore"], lnc2["aws.amazon.com/neuroncore"]) == (128, 64)
    assert "aws.amazon.com/neuron" not in nodes("train-trn2")["system"].allocatable


def test_with_the_dra_driver_in_its_place_no_neuron_device_is_a_resource(nodes: Callable[..., Any]) -> None:
    assert "aws.amazon.com/neuron" not in nodes("train-trn2u")["trn2u"].allocatable


def test_users_may_bring_a_device_plugin_of_their_own(nodes: Callable[..., Any]) -> None:
    without = nodes("dev-inf2", {"eks.addons": {"neuron_device_plugin": False}})
    assert without["inf2"].allocatable["aws.amazon.com/neuron"] == 1


def test_huge_pages_come_with_efa_and_are_in_doubt(nodes: Callable[..., Any]) -> None:
    with_efa, without = nodes("train-trn1")["trn1"], nodes("train-trn1")["system"]
    assert with_efa.allocatable["hugepages-2Mi"] == 5128 * 2 * MIB
    assert with_efa.doubts["hugepages-2Mi"]
    assert "hugepages-2Mi" not in without.allocatable


def test_processors_and_memory_are_what_nodeadm_leaves(nodes: Callable[..., Any]) -> None:
    """m7i.xlarge: 4 vCPUs, 16 GiB, 58 pods by its interfaces, for which 893 MiB are reserved."""
    system = nodes("train-trn1")["system"]
    assert system.allocatable["cpu"] == 3920
    assert system.upper_bounds["memory"] == (16 * 1024 - 893 - 100) * MIB
    assert system.allocatable["memory"] < system.upper_bounds["memory"]
    assert system.doubts["memory"]


def test_planning_few_pods_stops_none(nodes: Callable[..., Any]) -> None:
    few = nodes("train-trn1", {"eks.node_groups.0.pods_per_node": 5})["system"]
    assert few.allocatable["pods"] == nodes("train-trn1")["system"].allocatable["pods"] == 56


def test_prefixes_give_addresses_for_more_pods(nodes: Callable[..., Any]) -> None:
    assert nodes("train-trn1", {"eks.prefix_delegation": True})["system"].allocatable["pods"] == 110


def test_the_disk_of_pods_is_the_local_one_where_there_is_one(nodes: Callable[..., Any]) -> None:
    root, local = nodes("train-trn1")["system"], nodes("train-trn1")["trn1"]
    assert root.upper_bounds["ephemeral-storage"] == 89 * 1024 * MIB  # 100 GiB, less a tenth and 1 GiB
    assert local.allocatable["ephemeral-storage"] > 6 * 10**12


def test_images_take_their_part_of_the_disk(nodes: Callable[..., Any]) -> None:
    small = nodes("dev-inf2", {"eks.node_groups.1.root_volume": {"size_gib": 58}})["inf2"]
    assert small.upper_bounds["ephemeral-storage"] - small.allocatable["ephemeral-storage"] == 20 * 10**9
    assert "20 GB" in small.doubts["ephemeral-storage"]
    listed = {"neuron.containers": ["public.ecr.aws/mine/a:1", "public.ecr.aws/mine/b:1"]}
    two = nodes("dev-inf2", {"eks.node_groups.1.root_volume": {"size_gib": 58}, **listed})["inf2"]
    assert small.allocatable["ephemeral-storage"] - two.allocatable["ephemeral-storage"] == 20 * 10**9


def test_without_a_size_of_its_own_a_node_holds_its_images(nodes: Callable[..., Any]) -> None:
    edits = {f"eks.node_groups.{position}.root_volume": None for position in (0, 1)}
    found = nodes("dev-inf2", edits)
    whole = {name: node.upper_bounds["ephemeral-storage"] // 1024**3 for name, node in found.items()}
    assert whole == {"system": 44, "inf2": 89}  # of 50 and 100 GiB


def test_numbers_that_no_source_says_are_doubts(nodes: Callable[..., Any]) -> None:
    announced = nodes("train-trn3")["trn3"]
    assert "cpu" not in announced.allocatable
    assert announced.doubts["cpu"] == announced.doubts["memory"] == "no source gives it for trn3.48xlarge"


def test_an_image_that_nothing_is_recorded_of_leaves_kubelet_and_labels_open(plan_of: Callable[..., Any]) -> None:
    plan = plan_of("dev-inf2")
    groups = tuple(
        replace(g, image=replace(g.image, family="BOTTLEROCKET_x86_64")) for g in plan.kubernetes.node_groups
    )
    (system, _) = kubernetes_nodes(replace(plan, providers=(replace(plan.kubernetes, node_groups=groups),)), CATALOG)
    assert set(system.labels) == {"neuron-cluster/node-group"}
    assert {"cpu", "memory", "ephemeral-storage"} <= set(system.doubts)


def test_without_a_cluster_there_are_no_nodes(plan_of: Callable[..., Any]) -> None:
    assert kubernetes_nodes(plan_of("workstation"), CATALOG) == ()
