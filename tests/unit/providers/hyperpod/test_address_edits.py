"""Edits that E1010 proposes where instance groups take the addresses of a subnet."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_fixture import Case

from neuron_cluster.pipeline import check_environment

INSTANCES = "lower count.desired in hyperpod.groups"
PODS = "pods_per_node in eks.node_groups"


@pytest.mark.parametrize(("desired", "has_pods"), [(122, True), (400, False)])
def test_pods_are_limited_on_nodes_of_eks_and_only_where_that_can_be_enough(
    desired: int, has_pods: bool, tmp_path: Path
) -> None:
    file = Case("hyperpod-trn2", {"hyperpod.groups[0].count.desired": str(desired)}).write(tmp_path)
    (found,) = (each for each in check_environment(file).findings if each.id == "E1010")
    assert INSTANCES in found.hint
    assert (PODS in found.hint) == ("pods_per_node" in found.hint) == has_pods
