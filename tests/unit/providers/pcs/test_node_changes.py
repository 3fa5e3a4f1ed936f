"""Lines of `diff` on the nodes of a compute node group."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.summary.deployed_machines import deployed_machines
from neuron_cluster.changes.summary.node_change import NodeChangeKind, node_changes
from neuron_cluster.providers.pcs.changes.resource_kinds import COMPUTE_NODE_GROUP


def _start(checksum: str) -> dict[str, Any]:
    source = {"ScriptLocation": f"s3://scripts/{checksum}.sh", "Checksum": checksum}
    return {"Stages": {"NodeBootstrapped": [{"Name": "node-start", "ScriptSource": source}]}}


def _stacks(**properties: Any) -> dict[str, dict[str, Any]]:
    group = {
        "Name": "trn1-e98115",
        "ScalingConfiguration": {"MinInstanceCount": 2, "MaxInstanceCount": 4},
        "InstanceConfigs": [{"InstanceType": "trn1.32xlarge"}],
        "NodeLifecycleActions": _start("a" * 64),
    }
    resource = {"Type": COMPUTE_NODE_GROUP, "Properties": {**group, **properties}}
    return {"slurm-trn1-compute": {"Resources": {"Group": resource}}}


@pytest.mark.parametrize(
    ("edit", "kind"),
    [
        ({"NodeLifecycleActions": _start("b" * 64)}, NodeChangeKind.ROLLED),
        ({"AmiId": "ami-0123456789abcdef0"}, NodeChangeKind.ROLLED),
        ({"PurchaseOption": "SPOT"}, NodeChangeKind.CHANGED),
    ],
)
def test_another_start_script_replaces_nodes_and_another_purchase_option_does_not(
    edit: dict[str, Any], kind: NodeChangeKind
) -> None:
    (change,) = node_changes(Comparison(_stacks(), _stacks(**edit), load_catalog()))
    assert (change.group, change.kind) == ("trn1", kind)
    assert ("its nodes are replaced when their jobs end" in change.what) == (kind is NodeChangeKind.ROLLED)


@pytest.mark.parametrize(
    ("option", "bought"),
    [("ONDEMAND", "ON_DEMAND"), ("SPOT", "SPOT"), ("CAPACITY_BLOCK", "CAPACITY_BLOCK"), (None, "ON_DEMAND")],
)
def test_a_deployed_group_has_its_purchase_option_which_its_price_follows(option: str | None, bought: str) -> None:
    """PCS has it in the group: the launch template of Spot Instances does not."""
    (machines,) = deployed_machines(_stacks(**({"PurchaseOption": option} if option else {})))
    assert machines.capacity_type == bought
