"""Tables of the resources of an environment in EKS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.table import Table

if TYPE_CHECKING:
    from neuron_cluster.providers.eks.existing import ExistingEks, ExistingNodeGroup


def eks_tables(existing: ExistingEks) -> list[Table]:
    return [
        _clusters(existing),
        _addons(existing),
        _access(existing),
        *(_node_group(group) for group in existing.node_groups),
        _charts(existing),
    ]


def _clusters(existing: ExistingEks) -> Table:
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


def _addons(existing: ExistingEks) -> Table:
    rows = tuple((addon.name, addon.version or "-", addon.status) for addon in existing.addons)
    return Table("Managed add-ons", ("add-on", "version", "status"), rows)


def _access(existing: ExistingEks) -> Table:
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
        ("purchase option", group.capacity_type),
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


def _charts(existing: ExistingEks) -> Table:
    charts = existing.charts or ()
    rows = tuple((chart.release, chart.chart, chart.version, chart.namespace) for chart in charts)
    note = "Recorded, not installed: the local AWS has no Kubernetes to install them in."
    return Table("Requested charts", ("release", "chart", "version", "namespace"), rows, note)
