"""What exists, in tables for people."""

from __future__ import annotations

from neuron_cluster.deploy.existing import Existing, ExistingFileSystem, ExistingNodeGroup
from neuron_cluster.table import Table


def existing_tables(existing: Existing) -> list[Table]:
    """One table for each kind of thing that there is."""
    tables = [
        _stacks(existing),
        _subnets(existing),
        _clusters(existing),
        _addons(existing),
        _access(existing),
        *(_node_group(group) for group in existing.node_groups),
        *(_file_system(file_system) for file_system in existing.file_systems),
        _buckets(existing),
        _homes(existing),
        _workstations(existing),
        _keys(existing),
        _charts(existing),
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


def _clusters(existing: Existing) -> Table:
    rows: list[tuple[str, ...]] = []
    for cluster in existing.clusters:
        public = f"public from {', '.join(cluster.public_cidrs)}" if cluster.is_public else ""
        endpoint = " and ".join(part for part in ("private" if cluster.is_private else "", public) if part)
        rows += [
            ("name", f"{cluster.name} ({cluster.status})"),
            ("Kubernetes", cluster.version),
            ("endpoint", endpoint),
            ("authentication", cluster.authentication_mode),
            ("logs", ", ".join(cluster.log_types) or "none"),
        ]
    return Table("Cluster", ("what", "value"), tuple(rows))


def _addons(existing: Existing) -> Table:
    rows = tuple((addon.name, addon.version or "-", addon.status) for addon in existing.addons)
    return Table("Managed add-ons", ("add-on", "version", "status"), rows)


def _access(existing: Existing) -> Table:
    rows = tuple(
        (entry.principal, ", ".join((*entry.policies, *entry.groups)) or entry.type)
        for entry in existing.access_entries
    )
    return Table("Access entries", ("principal", "policies"), rows)


def _node_group(existing: ExistingNodeGroup) -> Table:
    group, template = existing.group, existing.template
    rows = [
        ("status", group.status),
        *(("issue", issue) for issue in group.issues),
        ("AMI type", group.ami_type),
        ("bought", group.capacity_type),
        ("min / desired / max", f"{group.min} / {group.desired} / {group.max}"),
        ("taints", ", ".join(group.taints) or "none"),
    ]
    if template is not None:
        cards = ", ".join(map(str, template.efa_cards))
        rows += [
            ("launch template", f"{template.id}, version {template.version}"),
            ("EFA on network cards", cards or "none"),
            ("placement group", template.placement_group or "none"),
        ]
    return Table(f"Node group {group.name}", ("what", "value"), tuple(rows))


def _file_system(existing: ExistingFileSystem) -> Table:
    system = existing.file_system
    tier = f", {system.throughput_mbps_per_tib} MB/s per TiB" if system.throughput_mbps_per_tib else ""
    rows = [
        ("file system", f"{system.id}: {system.capacity_gib:,} GiB {system.deployment_type}{tier} ({system.status})")
    ]
    rows += [("DNS name", system.dns_name), ("mount name", system.mount_name)]
    rows += [
        ("association", f"{link.file_system_path} mirrors {link.repository} ({link.status})")
        for link in existing.associations
    ]
    return Table("Lustre", ("what", "value"), tuple(rows))


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


def _charts(existing: Existing) -> Table:
    charts = existing.charts or ()
    rows = tuple((chart.release, chart.chart, chart.version, chart.namespace) for chart in charts)
    note = "Recorded, not installed: the local AWS has no Kubernetes to install them in."
    return Table("Charts asked for", ("release", "chart", "version", "namespace"), rows, note)


def _yes(*, answer: bool) -> str:
    return "yes" if answer else "no"
