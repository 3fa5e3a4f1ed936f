"""The number of pods of a node in `plan` names the key that allows more."""

from __future__ import annotations

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.machines_page import _pods
from neuron_cluster.report.marks import Marks


def test_the_maximum_with_prefixes_names_the_key_of_prefix_delegation(training: ClusterPlan) -> None:
    group = training.node_groups[0]
    assert group.node_addresses is not None
    most = group.node_addresses.pods_with_prefixes
    assert _pods(group, Marks([(*group.path, "pods_per_node")])).endswith(
        f" at most ({most} with eks.prefix_delegation)"
    )
