"""Lines of `diff` on the nodes of instance groups, which are items of the list of their cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.summary.deployed_machines import deployed_machines
from neuron_cluster.changes.summary.node_change import NodeChange, NodeChangeKind, node_changes
from neuron_cluster.providers.hyperpod.changes.resource_kinds import CLUSTER

PLAN_ARN = "arn:aws:sagemaker:us-east-2:111122223333:training-plan/trn2-week-49"
TRN2: Mapping[str, Any] = {
    "InstanceGroupName": "trn2-4d837fd0",
    "InstanceType": "ml.trn2.48xlarge",
    "InstanceCount": 4,
    "KubernetesConfig": {"Labels": {"neuron-cluster/node-group": "trn2"}},
}
CPU: Mapping[str, Any] = {
    "InstanceGroupName": "prepare-data-01234567",
    "InstanceType": "ml.m7i.4xlarge",
    "InstanceCount": 2,
}

Stacks = dict[str, dict[str, Any]]


def stacks(*groups: Mapping[str, Any]) -> Stacks:
    properties = {"ClusterName": "hyperpod-trn2", "InstanceGroups": [*map(dict, groups)]}
    return {"hyperpod-trn2-hyperpod": {"Resources": {"Cluster": {"Type": CLUSTER, "Properties": properties}}}}


def changes(before: Stacks, after: Stacks) -> list[NodeChange]:
    return node_changes(Comparison(before, after, load_catalog()))


def test_groups_in_another_order_change_nothing() -> None:
    assert changes(stacks(TRN2, CPU), stacks(CPU, TRN2)) == []


def test_a_group_that_is_added_starts_its_nodes() -> None:
    (change,) = changes(stacks(TRN2), stacks(TRN2, CPU))
    assert (change.group, change.kind, change.nodes) == ("prepare-data", NodeChangeKind.ADDED, 2)
    assert change.what == "2 x ml.m7i.4xlarge, on demand"


def test_a_group_that_is_removed_ends_its_nodes() -> None:
    (change,) = changes(stacks(TRN2, CPU), stacks(TRN2))
    assert (change.group, change.kind, change.nodes) == ("prepare-data", NodeChangeKind.REMOVED, 2)
    assert change.what == "deleted: 2 x ml.m7i.4xlarge, on demand"


def test_a_cluster_that_is_removed_ends_the_nodes_of_all_its_groups() -> None:
    removed = changes(stacks(TRN2, CPU), {})
    assert [(each.group, each.kind, each.nodes) for each in removed] == [
        ("prepare-data", NodeChangeKind.REMOVED, 2),
        ("trn2", NodeChangeKind.REMOVED, 4),
    ]


def test_a_first_deploy_adds_all_groups() -> None:
    assert [each.kind for each in changes({}, stacks(TRN2, CPU))] == [NodeChangeKind.ADDED] * 2


@pytest.mark.parametrize(("count", "nodes"), [(6, 2), (1, 3), (0, 4)])
def test_a_group_is_scaled_by_the_difference(count: int, nodes: int) -> None:
    (change,) = changes(stacks(TRN2), stacks({**TRN2, "InstanceCount": count}))
    assert (change.kind, change.nodes, change.what) == (NodeChangeKind.SCALED, nodes, f"desired 4 -> {count}")


def test_another_hash_in_the_name_is_another_group_of_the_same_name() -> None:
    other = {**TRN2, "InstanceGroupName": "trn2-01234567", "InstanceType": "ml.trn1.32xlarge", "InstanceCount": 8}
    (change,) = changes(stacks(TRN2), stacks(other))
    assert (change.group, change.kind, change.nodes) == ("trn2", NodeChangeKind.REPLACED, 4)
    assert change.what == "a new group is created (8 x ml.trn1.32xlarge, on demand), and the old one is deleted"


def test_another_release_replaces_root_volumes_and_says_that_nothing_is_drained() -> None:
    (change,) = changes(stacks(TRN2), stacks({**TRN2, "ImageReleaseVersion": "1.2.3"}))
    assert (change.kind, change.nodes) == (NodeChangeKind.ROLLED, 4)
    assert "without a drain, for AMI release 1.2.3" in change.what


def test_a_group_that_grows_with_another_release_has_a_line_for_each() -> None:
    after = {**TRN2, "ImageReleaseVersion": "1.2.3", "InstanceCount": 6}
    found = {each.kind: each.nodes for each in changes(stacks(TRN2), stacks(after))}
    assert found == {NodeChangeKind.SCALED: 2, NodeChangeKind.ROLLED: 4}


def test_a_release_that_is_taken_out_of_the_file_updates_nothing() -> None:
    """Without one, HyperPod keeps what nodes have."""
    released = {**TRN2, "ImageReleaseVersion": "1.2.3"}
    assert changes(stacks(released), stacks(TRN2)) == []


def test_other_keys_change_in_place_and_are_named() -> None:
    edited = {
        **TRN2,
        "MinInstanceCount": 2,
        "KubernetesConfig": {"Labels": {"neuron-cluster/node-group": "trn2", "team": "a"}},
    }
    (change,) = changes(stacks(TRN2), stacks(edited))
    assert (change.kind, change.what, change.nodes) == (
        NodeChangeKind.CHANGED,
        "KubernetesConfig, MinInstanceCount",
        0,
    )


def test_nodes_of_a_training_plan_name_it() -> None:
    """Another group on the same plan must wait for them."""
    planned = {**TRN2, "TrainingPlanArn": PLAN_ARN}
    (change,) = changes(stacks(planned), stacks({**planned, "InstanceCount": 2}))
    assert change.reservation_id == PLAN_ARN
    (change,) = changes(stacks(TRN2), stacks({**TRN2, "InstanceCount": 2}))
    assert change.reservation_id is None


@pytest.mark.parametrize(
    ("bought", "capacity_type"),
    [
        ({}, "ON_DEMAND"),
        ({"CapacityRequirements": {"OnDemand": {}}}, "ON_DEMAND"),
        ({"CapacityRequirements": {"Spot": {}}}, "SPOT"),
        ({"TrainingPlanArn": PLAN_ARN}, "TRAINING_PLAN"),
    ],
)
def test_a_deployed_group_is_listed_with_its_purchase_option(bought: Mapping[str, Any], capacity_type: str) -> None:
    (machines,) = deployed_machines(stacks({**TRN2, **bought}))
    assert (machines.description, machines.maximum) == ("trn2: 4 x ml.trn2.48xlarge", 4)
    assert machines.capacity_type == capacity_type
