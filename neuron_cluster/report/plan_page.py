"""The plan as a page: what will be built, in tables."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable
from datetime import date
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.checkpoints.spec import BucketRetention
from neuron_cluster.findings.text import listed
from neuron_cluster.orchestrators.registry import registered
from neuron_cluster.plan.backup_plan import BackupPlan
from neuron_cluster.plan.checkpoint_storage import checkpoint_storage
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compile_cache_plan import CompileCachePlan
from neuron_cluster.plan.existing_policies import existing_policies
from neuron_cluster.plan.network_plan import NetworkPlan, SubnetPlan, SubnetTier
from neuron_cluster.plan.replication_plan import ReplicationPlan
from neuron_cluster.plan.stack_table import planned_stacks
from neuron_cluster.plan.storage_plan import AssociationPlan, ExpressPlan, LustrePlan, TieringPlan
from neuron_cluster.report.addresses_page import addresses_as_data, addresses_table
from neuron_cluster.report.checkpoint_page import checkpoint_plan_as_data, checkpoint_tables
from neuron_cluster.report.control_plane_price import control_plane_price, control_plane_sentences
from neuron_cluster.report.efs_page import efs_rows, s3_files_text
from neuron_cluster.report.machines_page import machine_tables
from neuron_cluster.report.marks import DEFAULT_MARK, DEFAULT_NOTE, Marks, PathInFile
from neuron_cluster.report.observability_page import observability_tables
from neuron_cluster.report.plain_data import plain
from neuron_cluster.report.plan_data import plan_data
from neuron_cluster.report.price import price_of, price_sentence
from neuron_cluster.report.versions_page import versions_table
from neuron_cluster.report.workstations_page import workstation_tables
from neuron_cluster.table import Table

KEY_DIGITS = 12
"""The last part of a key id."""
ROUTES = {"nat": "NAT", "internet_gateway": "internet gateway", "other": "another default route", "none": "none"}
"""Default routes of subnets that exist, by the words of the lock."""


def plan_as_data(plan: ClusterPlan, catalog: Catalog, as_of: date | None = None) -> dict[str, Any]:
    """The whole plan and its prices, for ``--format json``; that of the control plane on the day, if one is given."""
    stacks = [plan.stack_name(part) for part in plan.stacks]
    checkpoints = checkpoint_storage(plan.storage, plan.region)
    return {
        "plan": plan_data(plan),
        "stacks": stacks,
        "addresses": addresses_as_data(plan),
        "price": plain(price_of(plan, catalog)),
        "control_plane_price": plain(control_plane_price(plan, catalog, as_of)),
        "checkpoints": checkpoint_plan_as_data(checkpoints) if checkpoints is not None else None,
        "existing_policies": [{"of": what, "add": each} for what, each in existing_policies(plan)],
    }


def plan_tables(plan: ClusterPlan, catalog: Catalog, written: Container[PathInFile], width: int) -> list[Table]:
    """Tables for people. ``written`` holds the key paths that the file names; the rest is marked as a default."""
    marks = Marks(written)
    tables = [_stacks(plan), versions_table(plan, catalog), _subnets(plan, marks), addresses_table(plan)]
    if plan.cluster_groups:
        tables += machine_tables(plan.cluster_groups, price_of(plan, catalog), catalog, marks, width)
    if plan.storage is not None:
        tables.append(_storage(plan, marks))
    tables.append(_additions(plan))
    checkpoints = checkpoint_storage(plan.storage, plan.region)
    if checkpoints is not None:
        tables += checkpoint_tables(checkpoints)
    tables += (table for each in registered() for table in each.plan_tables(plan, written))
    tables += workstation_tables(plan, price_of(plan, catalog), marks)
    tables += observability_tables(plan.observability, marks)
    return [table for table in tables if table.rows]


def closing_lines(plan: ClusterPlan, catalog: Catalog, as_of: date | None = None) -> list[str]:
    """The lines below the tables: what the mark means, and the prices."""
    extended = control_plane_sentences(control_plane_price(plan, catalog, as_of))
    return [f"{DEFAULT_MARK.strip()} {DEFAULT_NOTE}", price_sentence(price_of(plan, catalog)), *extended]


def _stacks(plan: ClusterPlan) -> Table:
    rows = tuple((plan.stack_name(spec.part), spec.purpose) for spec in planned_stacks(plan))
    lifecycle = "durable" if plan.is_durable else "ephemeral"
    title = f"{plan.name}: account {plan.account}, {plan.region}, {lifecycle}, Neuron SDK {plan.neuron_sdk}"
    return Table(title, ("stack", "holds"), rows, "Deployed in this order.")


def _subnets(plan: ClusterPlan, marks: Marks) -> Table:
    rows: list[tuple[str, ...]] = []
    has = {(subnet.zone_id, subnet.kind): f"{subnet.has:,}" for subnet in plan.addresses}
    zones = [zone.zone_id for zone in plan.network.zones]
    in_zones = [subnet for subnet in plan.network.subnets if subnet.tier is not SubnetTier.SECONDARY]
    in_zones.sort(key=lambda subnet: zones.index(subnet.zone_id))
    for subnet in (*in_zones, *plan.network.subnets_of(SubnetTier.SECONDARY)):
        tier = subnet.tier.value
        rows.append((subnet.zone_id, tier, subnet.cidr, has[subnet.zone_id, tier], _way_out(subnet, plan.network)))
    endpoints = _services(endpoint.service for endpoint in plan.network.endpoints)
    mark = marks.mark((*plan.network.path, "endpoints"))
    note = f"Addresses: without those that AWS keeps. VPC endpoints: {endpoints}{mark}"
    columns = ("zone id", "subnet", "CIDR", "addresses", "egress")
    existing = plan.network.existing
    if existing is not None:
        title = f"Network {existing.vpc_id} ({', '.join(existing.cidrs)}), which exists and is not changed"
        note += f". Endpoints of the VPC itself: {_services(existing.endpoints)}"
        return Table(title, columns, tuple(rows), note)
    return Table(f"Network {plan.network.cidr}", columns, tuple(rows), note)


def _services(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _way_out(subnet: SubnetPlan, network: NetworkPlan) -> str:
    if subnet.route is not None:
        return ROUTES[subnet.route]
    if subnet.tier is SubnetTier.PUBLIC:
        return "internet gateway"
    zone = network.zone(subnet.zone_id)
    return f"NAT in {zone.nat_zone_id}" if zone is not None and zone.nat_zone_id else "none"


def _storage(plan: ClusterPlan, marks: Marks) -> Table:
    rows: list[tuple[str, ...]] = []
    storage = plan.storage
    if storage is not None and storage.bucket is not None:
        bucket = storage.bucket
        days = f"{bucket.noncurrent_version_days} days{marks.mark((*bucket.path, 'noncurrent_version_days'))}"
        uploads = f"{bucket.abort_incomplete_upload_days} days"
        uploads += marks.mark((*bucket.path, "abort_incomplete_upload_days"))
        how = f"versioned; old versions kept {days}; broken uploads removed after {uploads}"
        if bucket.existing is not None:
            how = f"{bucket.existing.name}, which exists and is not changed"
        rows.append(("checkpoint bucket", how))
        if bucket.replication is not None:
            rows.append(("replication", _replication(bucket.replication, marks)))
    if storage is not None and storage.compile_cache is not None:
        rows += _compile_cache(storage.compile_cache, marks)
    if storage is not None and storage.lustre is not None:
        rows += _lustre(storage.lustre, marks)
    if storage is not None and storage.express is not None:
        rows.append(("S3 Express bucket", _express(storage.express, marks)))
    if storage is not None and storage.efs is not None:
        rows += efs_rows(storage.efs, plan.region, marks)
    if storage is not None and storage.s3_files is not None:
        rows.append(("S3 Files file system", s3_files_text(storage.s3_files, plan.region, marks)))
    homes = storage.homes if storage is not None else ()
    rows += _backup(storage.backup) if storage is not None and storage.backup is not None else []
    rows += [(f"home {home.name}", f"volume of {home.size_gib:,} GiB in {home.zone_id}") for home in homes]
    key_arn = storage.key_arn if storage is not None else None
    key = f"the key that exists, {key_arn}" if key_arn is not None else "a key of its own"
    return Table("Storage", ("what", "how"), tuple(rows), f"Encrypted with {key}; survives `destroy`.")


def _replication(replication: ReplicationPlan, marks: Marks) -> str:
    prefixes = f"{listed(replication.prefixes)}{marks.mark((*replication.path, 'prefixes'))}"
    account = f" of account {replication.account}" if replication.is_other_account else ""
    deletions = "with" if replication.delete_markers else "without"
    return f"of {prefixes} to {replication.bucket} in {replication.region}{account}, {deletions} delete markers"


def _backup(backup: BackupPlan) -> list[tuple[str, ...]]:
    """A row for each rule, and one for the lock."""
    resources = [f"home {name}" for name in backup.homes]
    resources += ["Lustre"] * backup.takes_lustre + ["the checkpoint bucket"] * backup.takes_bucket
    rows: list[tuple[str, ...]] = [
        (f"backup {rule.name}", f"of {listed(resources)}: {rule.schedule}, kept {rule.delete_after_days} days")
        for rule in backup.rules
    ]
    lock = backup.vault_lock
    if lock is not None:
        most = f"to {lock.max_days} days" if lock.max_days is not None else "days or more"
        mode = "governance mode"
        if lock.changeable_days is not None:
            mode = f"compliance mode, permanent after {lock.changeable_days} days"
        rows.append(("vault lock", f"recovery points are kept {lock.min_days} {most}; {mode}"))
    return rows


def _additions(plan: ClusterPlan) -> Table:
    """What owners of existing keys and buckets add; no rows without such."""
    rows = tuple((_shortened(what), json.dumps(each)) for what, each in existing_policies(plan))
    note = "Added by their owners: a deploy changes nothing of a resource that exists."
    return Table("Policies of resources that exist", ("of", "add"), rows, note)


def _shortened(what: str) -> str:
    """With the end of the key id in the place of its ARN."""
    words, _, arn = what.partition("arn:")
    return f"{words}…{arn[-KEY_DIGITS:]}" if arn else what


def _compile_cache(cache: CompileCachePlan, marks: Marks) -> list[tuple[str, ...]]:
    """A row for each folder, with the groups whose graphs are there."""
    days = f"{cache.expire_days} days{marks.mark((*cache.path, 'expire_days'))}"
    rows: list[tuple[str, ...]] = [("compile cache", f"{cache.prefix} of the bucket; graphs deleted after {days}")]
    groups: dict[str, list[str]] = {}
    for each in cache.compiled_for:
        groups.setdefault(each.folder, []).append(each.group)
    rows += [(f"graphs of {', '.join(names)}", f"{cache.prefix}{folder}/") for folder, names in groups.items()]
    return rows


def _association(association: AssociationPlan, marks: Marks) -> str:
    ends = f"{association.file_system_path} and {association.prefix}/ of the bucket, both ways"
    mode, retention = marks.mark((*association.path, "mode")), association.retention
    if retention.expire_days is None:
        return f"mirror{mode} of {ends}, with deletions"
    days = f"{retention.expire_days} days{marks.mark((*association.path, 'expire_days'))}"
    return f"archive{mode} of {ends}; S3 deletes an object {days} after its write, and its version {_after(retention)}"


def _after(retention: BucketRetention) -> str:
    return "a day later" if retention.noncurrent_days == 1 else f"{retention.noncurrent_days} days later"


def _express(express: ExpressPlan, marks: Marks) -> str:
    days = express.expiration_days
    objects = "stay" if days is None else f"are deleted after {days} days"
    objects += marks.mark((*express.path, "expiration_days"))
    uploads = f"{express.abort_incomplete_upload_days} days"
    uploads += marks.mark((*express.path, "abort_incomplete_upload_days"))
    return f"in {express.zone_id}, without versions; objects {objects}; broken uploads removed after {uploads}"


def _tiering(lustre: LustrePlan, tiering: TieringPlan, marks: Marks) -> str:
    cache = "sized by FSx" if tiering.read_cache_gib is None else f"{tiering.read_cache_gib:,} GiB"
    return (
        f"Intelligent-Tiering in {lustre.zone_id}, version {lustre.file_system_type_version}, "
        f"{tiering.throughput_mbps:,} MB/s{marks.mark((*lustre.path, 'throughput_mbps'))}, "
        f"{tiering.metadata_iops:,} metadata IOPS{marks.mark((*lustre.path, 'metadata_iops'))}, "
        f"read cache {cache}{marks.mark((*lustre.path, 'read_cache_gib'))}"
    )


def _lustre(lustre: LustrePlan, marks: Marks) -> list[tuple[str, ...]]:
    rows = _described(lustre, marks)
    if lustre.existing is None:
        return rows
    what, how = rows[0]
    return [(what, f"{lustre.existing.file_system_id}, which exists and is not changed: {how}"), *rows[1:]]


def _described(lustre: LustrePlan, marks: Marks) -> list[tuple[str, ...]]:
    window = [("maintenance window", f"{lustre.maintenance_window} UTC")] if lustre.maintenance_window else []
    if lustre.tiering is not None:
        return [("Lustre file system", _tiering(lustre, lustre.tiering, marks)), *window]
    kind = f"{lustre.deployment_type}{marks.mark((*lustre.path, 'deployment_type'))}"
    capacity = f"{lustre.capacity_gib:,} GiB{marks.mark((*lustre.path, 'capacity_gib'))}"
    text = f"{capacity} {kind} in {lustre.zone_id}, version {lustre.file_system_type_version}"
    if lustre.throughput_mbps_per_tib is not None:
        tier = f"{lustre.throughput_mbps_per_tib} MB/s per TiB"
        text += f", {tier}{marks.mark((*lustre.path, 'throughput_mbps_per_tib'))}"
    text += f", compression {lustre.data_compression}{marks.mark((*lustre.path, 'data_compression'))}"
    if lustre.takes_metadata:
        text += f", metadata {lustre.metadata_mode or 'none'}{marks.mark((*lustre.path, 'metadata'))}"
    rows: list[tuple[str, ...]] = [("Lustre file system", text), *window]
    if lustre.association is not None:
        rows.append(("association", _association(lustre.association, marks)))
    return rows
