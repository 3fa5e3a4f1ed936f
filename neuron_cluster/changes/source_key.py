"""Which key of the environment file a resource comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from local_aws.cloudformation.values import Address
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.deleting_edits import expiring_buckets
from neuron_cluster.changes.guards.deleted_data import DataDeleted, ReplaceableDataDeleted
from neuron_cluster.changes.guards.left_over import key_of
from neuron_cluster.changes.guards.network_edit import CIDR, SUBNET, VPC, ZONES, network_edit
from neuron_cluster.changes.guards.run import all_guards
from neuron_cluster.changes.resource_name import home_name
from neuron_cluster.changes.source import registered_resource_kinds
from neuron_cluster.changes.stack_set import Template
from neuron_cluster.changes.summary.workstation_change import INSTANCE, name_of
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.compile_cache_plan import EXPIRY_RULE
from neuron_cluster.plan.golden_rule import GOLDEN_RULE
from neuron_cluster.plan.storage_plan import ARCHIVE_RULE

KEYS: Mapping[str, tuple[str, ...]] = {
    VPC: CIDR,
    SUBNET: ZONES,
    "AWS::FSx::FileSystem": ("storage", "lustre"),
    "AWS::FSx::DataRepositoryAssociation": ("storage", "lustre", "sync"),
    "AWS::S3::Bucket": ("storage", "checkpoint_bucket"),
    "AWS::S3Express::DirectoryBucket": ("storage", "express"),
    "AWS::S3Files::FileSystem": ("storage", "s3_files"),
    "AWS::S3Files::AccessPoint": ("storage", "s3_files"),
    "AWS::EFS::FileSystem": ("storage", "efs"),
    "AWS::EFS::AccessPoint": ("storage", "efs", "access_points"),
    "AWS::Backup::BackupVault": ("storage", "backup"),
    "AWS::Backup::BackupPlan": ("storage", "backup"),
    "AWS::Backup::BackupSelection": ("storage", "backup"),
}
"""Keys of the file by the type of the resource that one key creates."""
KEYS_OF_RULES: Mapping[str, tuple[str, ...]] = {
    ARCHIVE_RULE: ("storage", "lustre", "sync"),
    GOLDEN_RULE: ("storage", "checkpoints", "golden_days"),
    EXPIRY_RULE: ("storage", "compile_cache"),
}
"""Keys by the Id of a lifecycle rule of the checkpoint bucket; every other rule is of the bucket."""
OF_EXPIRY = (DataDeleted.id, ReplaceableDataDeleted.id)
SourceKeys = dict[tuple[str, str, str], tuple[str, ...]]
HOME = "AWS::EC2::Volume"
NAMED = {INSTANCE: ("workstations",), HOME: ("storage", "homes")}
"""The list of the file whose item has the name of the resource, by type."""


def item_lists() -> frozenset[tuple[str, ...]]:
    """The lists of the file whose items make resources of their own."""
    of_providers = (kind.key for kind in registered_resource_kinds().values() if kind.is_item)
    return frozenset((*NAMED.values(), *of_providers))


def source_keys(comparison: Comparison, findings: Sequence[Finding]) -> SourceKeys:
    """Keys of the file by stack, logical id and id of findings; the last part is a name for an item of a list.

    What follows from an edit of the network has the edited key; a resource that no key makes alone, its stack's.
    """
    network = network_edit(comparison)
    of_guards = {guard.id: guard.key for guard in all_guards()}
    found: SourceKeys = {}
    known = comparison.before.addresses() | comparison.after.addresses()
    for finding in findings:
        address = Address(finding.location.file, finding.location.path)
        if address not in known:
            if key := of_guards.get(finding.id):  # of an output, such as the id of a file system that exists
                found[address.stack, address.logical_id, finding.id] = key
            continue
        origin = comparison.origin(address) if address in comparison.replaced else address
        is_of_network = network is not None and comparison.type_of(origin) in (VPC, SUBNET)
        key = network.key if network is not None and is_of_network else _key(comparison, address)
        expiry = _key_of_expiry(comparison, address) if finding.id in OF_EXPIRY else None
        found[address.stack, address.logical_id, finding.id] = expiry or of_guards.get(finding.id) or key
    return found


def key_of_resource(templates: Mapping[str, Template], stack: str, logical_id: str, catalog: Catalog) -> str:
    """The key that a resource of new templates comes from, ``workstations (anna)``; empty for an unknown one."""
    comparison, address = Comparison({}, templates, catalog), Address(stack, logical_id)
    if address not in comparison.after.addresses():
        return ""
    key = _key(comparison, address)
    return f"{'.'.join(key[:-1])} ({key[-1]})" if key[:-1] in item_lists() else ".".join(key)


def _key_of_expiry(comparison: Comparison, address: Address) -> tuple[str, ...] | None:
    """The key of the rules that delete sooner, where the templates show them and all are of one key."""
    buckets = [each for each in expiring_buckets(comparison) if each.address == address]
    keys = {KEYS_OF_RULES.get(change.rule) for each in buckets for change in each.data or each.made_again}
    return keys.pop() if len(keys) == 1 else None


def _key(comparison: Comparison, address: Address) -> tuple[str, ...]:
    kind = comparison.type_of(address)
    stacks = comparison.after if address in comparison.after.addresses() else comparison.before
    known = registered_resource_kinds().get(kind)
    if known is not None and known.is_item:
        return (*known.key, known.item_name(stacks.properties(address), address.logical_id))
    if kind not in NAMED:
        of_kind = known.key if known is not None else KEYS.get(kind)
        return of_kind or tuple(key_of(address.stack).split("."))
    if kind == HOME:
        return (*NAMED[kind], home_name(stacks.properties(address)))
    return (*NAMED[kind], name_of(stacks.properties(address), address))
