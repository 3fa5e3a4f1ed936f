"""Tables of the resources that exist."""

from __future__ import annotations

from neuron_cluster.aws.efs import EfsFileSystem
from neuron_cluster.deploy.existing import Existing, ExistingFileSystem
from neuron_cluster.table import Table


def existing_tables(existing: Existing) -> list[Table]:
    """One table for each kind of thing that there is."""
    tables = [
        _stacks(existing),
        _subnets(existing),
        *(table for each in existing.providers for table in each.tables()),
        *(_file_system(file_system) for file_system in existing.file_systems),
        *(_efs(file_system) for file_system in existing.efs_file_systems),
        _buckets(existing),
        _homes(existing),
        _workstations(existing),
        _keys(existing),
    ]
    return [table for table in tables if table.rows]


def _stacks(existing: Existing) -> Table:
    rows = tuple(
        (stack.name, stack.status, str(stack.resources), _yes(answer=stack.is_protected)) for stack in existing.stacks
    )
    return Table("Stacks", ("stack", "status", "resources", "protected"), rows)


def _subnets(existing: Existing) -> Table:
    rows = tuple(
        (subnet.zone_id, subnet.cidr, subnet.id, subnet.name or "-", f"{subnet.free_addresses:,}")
        for subnet in existing.subnets
    )
    return Table("Subnets", ("zone id", "CIDR", "subnet", "name", "free"), rows)


def _file_system(existing: ExistingFileSystem) -> Table:
    system = existing.file_system
    tier = f", {system.throughput_mbps_per_tib} MB/s per TiB" if system.throughput_mbps_per_tib else ""
    rows = [("file system", f"{system.id}: {system.size_text} {system.deployment_type}{tier} ({system.status})")]
    rows += [("DNS name", system.dns_name), ("mount name", system.mount_name)]
    rows += [
        ("association", f"{link.file_system_path} is linked to {link.repository} ({link.status})")
        for link in existing.associations
    ]
    return Table("Lustre", ("what", "value"), tuple(rows))


def _efs(system: EfsFileSystem) -> Table:
    rows = [("file system", f"{system.id}: {system.throughput_mode} throughput ({system.status})")]
    rows += [("access point", f"{point.id}: {point.folder}") for point in system.access_points]
    return Table("EFS", ("what", "value"), tuple(rows))


def _buckets(existing: Existing) -> Table:
    rows = tuple(
        (
            bucket.name,
            _yes(answer=bucket.is_versioned),
            bucket.encryption or "none",
            "blocked" if bucket.blocks_public_access else "not blocked",
        )
        for bucket in existing.buckets
    )
    return Table("Bucket", ("bucket", "versioned", "encryption", "public access"), rows)


def _homes(existing: Existing) -> Table:
    rows = tuple(
        (home.id, home.name, f"{home.size_gib:,} GiB", home.zone_id, home.state, _yes(answer=home.is_encrypted))
        for home in existing.homes
    )
    return Table("Homes", ("volume", "name", "size", "zone id", "state", "encrypted"), rows)


def _workstations(existing: Existing) -> Table:
    rows = tuple(
        (machine.name, machine.id, machine.type, machine.image_id, machine.zone_id, machine.state)
        for machine in existing.workstations
    )
    return Table("Workstations", ("name", "instance", "type", "image", "zone id", "state"), rows)


def _keys(existing: Existing) -> Table:
    rows = tuple(
        (key.id, ", ".join(key.aliases) or "-", key.state, "rotates" if key.rotates else "does not rotate")
        for key in existing.keys
    )
    return Table("KMS keys", ("key", "aliases", "state", "rotation"), rows)


def _yes(*, answer: bool) -> str:
    return "yes" if answer else "no"
