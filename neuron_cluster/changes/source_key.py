"""Which key of the environment file a resource comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.normal_form import Address
from neuron_cluster.changes.outline.node_group_state import NodeGroupState
from neuron_cluster.changes.outline.workstation_change import INSTANCE, name_of
from neuron_cluster.changes.refusals.network_edit import CIDR, SUBNET, VPC, ZONES, undo
from neuron_cluster.findings import Finding

KEYS: Mapping[str, tuple[str, ...]] = {
    VPC: CIDR,
    SUBNET: ZONES,
    "AWS::FSx::FileSystem": ("storage", "lustre"),
    "AWS::FSx::DataRepositoryAssociation": ("storage", "lustre"),
    "AWS::S3::Bucket": ("storage", "checkpoint_bucket"),
    "AWS::EC2::Volume": ("storage", "homes"),
    "AWS::EKS::Cluster": ("eks",),
    "AWS::EKS::AccessEntry": ("eks", "access"),
    "AWS::EKS::Addon": ("eks", "addons"),
}
"""By the type of a resource that one key of the file makes."""
NODE_GROUP = "AWS::EKS::Nodegroup"
NAMED = {NODE_GROUP: ("eks", "node_groups"), INSTANCE: ("workstations",)}
"""By type: the list of the file whose item has the name that the resource carries."""


def source_keys(comparison: Comparison, findings: Sequence[Finding]) -> dict[tuple[str, str], tuple[str, ...]]:
    """Keys of the file by stack and logical id of findings; the last part is a name where the key is an item of a list.

    What follows from an edit of the network has the edited key.
    """
    network = undo(comparison)
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    known = comparison.before.addresses() | comparison.after.addresses()
    for finding in findings:
        address = Address(finding.location.file, finding.location.path)
        if address not in known:
            continue
        origin = comparison.origin(address) if address in comparison.replaced else address
        if network is not None and comparison.type_of(origin) in (VPC, SUBNET):
            found[address.stack, address.logical_id] = network[0]
        elif key := _key(comparison, address):
            found[address.stack, address.logical_id] = key
    return found


def _key(comparison: Comparison, address: Address) -> tuple[str, ...] | None:
    kind = comparison.type_of(address)
    if kind not in NAMED:
        return KEYS.get(kind)
    stacks = comparison.after if address in comparison.after.addresses() else comparison.before
    if kind == NODE_GROUP:
        return (*NAMED[kind], NodeGroupState(stacks, address).name)
    return (*NAMED[kind], name_of(stacks.properties(address), address))
