"""Taints that a CSI driver removes from new nodes: not of Ready nodes, and not tolerated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.kubernetes_nodes import kubernetes_nodes
from neuron_cluster.schedulers.kubernetes.software.component_context import tolerations_of, tolerations_of_group

CATALOG = load_catalog()

TAINTS = [
    {"key": "fsx.csi.aws.com/agent-not-ready", "value": "true", "effect": "no_execute"},
    {"key": "example.com/slow", "value": "true", "effect": "no_execute"},
]


def test_a_startup_taint_is_on_the_node_group_and_not_in_schedule_or_tolerations(
    plan_of: Callable[..., Any],
) -> None:
    plan = plan_of("train-trn1", {"eks.node_groups.1.taints": TAINTS})
    groups = plan.kubernetes.node_groups
    group = next(each for each in groups if each.name == "trn1")
    assert [taint.key for taint in group.taints][1:] == [each["key"] for each in TAINTS]
    lasting = {"aws.amazon.com/neuron", "example.com/slow"}
    (node,) = (each for each in kubernetes_nodes(plan, CATALOG) if each.group == "trn1")
    assert {taint.key for taint in node.taints} == lasting
    for tolerations in (tolerations_of((group,)), tolerations_of_group(group, groups)):
        assert {each.as_values()["key"] for each in tolerations} == lasting


@pytest.mark.parametrize("key", CATALOG.startup_taints.names)
def test_a_startup_taint_names_a_flag_of_the_file(key: str) -> None:
    from neuron_cluster.providers.eks.config.addons import Addons

    assert CATALOG.startup_taints[key].component in Addons.model_fields
