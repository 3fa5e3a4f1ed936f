"""Which key of the environment file a resource comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.left_over import key_of
from neuron_cluster.changes.guards.network_edit import CIDR, SUBNET, VPC, ZONES, network_edit
from neuron_cluster.changes.resource_name import NODE_GROUP, home_name
from neuron_cluster.changes.summary.node_group_state import NodeGroupState
from neuron_cluster.changes.summary.workstation_change import INSTANCE, name_of
from neuron_cluster.findings.finding import Finding

KEYS: Mapping[str, tuple[str, ...]] = {
    VPC: CIDR,
    SUBNET: ZONES,
    "AWS::FSx::FileSystem": ("storage", "lustre"),
    "AWS::FSx::DataRepositoryAssociation": ("storage", "lustre", "sync"),
    "AWS::S3::Bucket": ("storage", "checkpoint_bucket"),
    "AWS::EKS::Cluster": ("eks",),
    "AWS::EKS::AccessEntry": ("eks", "access"),
    "AWS::EKS::Addon": ("eks", "addons"),
}
"""By the type of a resource that one key of the file makes."""
OF_VERSION = ("E9012", "E9020")
"""Findings about a cluster that one key of ``eks`` makes alone."""
HOME = "AWS::EC2::Volume"
NAMED = {NODE_GROUP: ("eks", "node_groups"), INSTANCE: ("workstations",), HOME: ("storage", "homes")}
"""By type: the list of the file whose item has the name that the resource carries."""


def source_keys(comparison: Comparison, findings: Sequence[Finding]) -> dict[tuple[str, str], tuple[str, ...]]:
    """Keys of the file by stack and logical id of findings; the last part is a name where the key is an item of a list.

    What follows from an edit of the network has the edited key; a resource that no key makes alone, its stack's.
    """
    network = network_edit(comparison)
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    known = comparison.before.addresses() | comparison.after.addresses()
    for finding in findings:
        address = Address(finding.location.file, finding.location.path)
        if address not in known:
            continue
        origin = comparison.origin(address) if address in comparison.replaced else address
        is_of_network = network is not None and comparison.type_of(origin) in (VPC, SUBNET)
        key = network.key if network is not None and is_of_network else _key(comparison, address)
        key = ("eks", "version") if finding.id in OF_VERSION else key
        found[address.stack, address.logical_id] = key
    return found


def _key(comparison: Comparison, address: Address) -> tuple[str, ...]:
    kind = comparison.type_of(address)
    if kind not in NAMED:
        return KEYS.get(kind, tuple(key_of(address.stack).split(".")))
    stacks = comparison.after if address in comparison.after.addresses() else comparison.before
    if kind == NODE_GROUP:
        return (*NAMED[kind], NodeGroupState(stacks, address).name)
    if kind == HOME:
        return (*NAMED[kind], home_name(stacks.properties(address)))
    return (*NAMED[kind], name_of(stacks.properties(address), address))
