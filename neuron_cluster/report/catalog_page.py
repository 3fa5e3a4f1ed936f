"""The catalog as pages: which rows each kind has, and which of their fields are in a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.lustre_client import ClientKernels
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.suggestions import did_you_mean, suggestions

Column = str | Callable[[Any], Any]
"""A field of the row, or what to work out of the row."""


class CatalogPage(Struct, frozen=True):
    """One kind of row: where the rows are, and which columns are in the table, by title."""

    title: str
    rows: Callable[[Catalog], Sequence[SourcedRow]]
    columns: dict[str, Column]

    def near(self, catalog: Catalog, name: str) -> list[str]:
        """Names of rows that look like ``name``."""
        return suggestions(name, [row.name for row in self.rows(catalog)])


def _still_built(row: Any) -> str:
    return "retired" if row.successor is not None else "supported"


def _chip_and_status(row: Any) -> str:
    is_plain = row.status in ("available", "ultraserver")  # the name of an UltraServer is its type
    return row.chip or "-" if is_plain else f"{row.chip}\n({row.status})"


def _laid(row: Any, cards: str) -> str:
    here = [each for each in row.interfaces if each.cards == cards]
    return ", ".join(f"device {each.device_index} {each.interface_type}" for each in here) or "-"


def _usd(row: Any, region: str) -> str:
    return f"{row.regions[region]:g}" + (" ?" if region in row.doubtful_regions else "")


def _seconds(row: Any, operation: str) -> str:
    seconds = getattr(row, operation)
    if seconds is None:
        return "-"
    text = f"{seconds.low:,} to {seconds.high:,}" if seconds.low != seconds.high else f"{seconds.low:,}"
    return f"{text} ?" if row.doubt_about(operation) else text


def _kernels(row: ClientKernels) -> str:
    if row.first is None:
        return row.series
    return f"{row.first} to {row.last or row.series}"


PAGES: dict[str, CatalogPage] = {
    "instances": CatalogPage(
        "EC2 instance types",
        lambda catalog: catalog.instance_types.rows,
        {
            "type": lambda row: row.name.replace(" Ultra", "\nUltra"),
            "chip": _chip_and_status,
            "devices": "neuron_devices",
            "cores": "neuron_cores",
            "dev. GiB": "device_memory_gib",
            "vCPU": "vcpus",
            "EFA": "efa_interfaces",
        },
    ),
    "chips": CatalogPage(
        "Neuron chips",
        lambda catalog: catalog.chips.rows,
        {
            "chip": "name",
            "families": "families",
            "cores": "cores_per_chip",
            "GiB": "device_memory_gib",
            "last SDK": "last_sdk",
            "driver below": "driver_below",
            "successor": "successor",
        },
    ),
    "sdk": CatalogPage(
        "Neuron SDK releases",
        lambda catalog: catalog.neuron_sdks.rows,
        {
            "release": "name",
            "released": "released",
            "driver": "driver",
            "runtime": "runtime",
            "collectives": "collectives",
            "compiler": "compiler",
        },
    ),
    "conflicts": CatalogPage(
        "Neuron runtimes and drivers that do not work together",
        lambda catalog: catalog.driver_conflicts.rows,
        {
            "conflict": "name",
            "runtime from": "runtime_from",
            "below": "runtime_below",
            "driver from": "driver_from",
            "below ": "driver_below",
        },
    ),
    "frameworks": CatalogPage(
        "Frameworks",
        lambda catalog: catalog.frameworks.rows,
        {"framework": "name", "what": "title", "purposes": "purposes", "successor": "successor"},
    ),
    "containers": CatalogPage(
        "Neuron Deep Learning Containers",
        lambda catalog: catalog.containers.rows,
        {
            "container": lambda row: row.name.replace(":", ":\n"),
            "state": _still_built,
            "families": "families",
        },
    ),
    "amis": CatalogPage(
        "EKS AMI types",
        lambda catalog: catalog.ami_types.rows,
        {"AMI type": "name", "state": "state", "chips": "chips", "successor": "successor"},
    ),
    "releases": CatalogPage(
        "Releases of the EKS AMIs",
        lambda catalog: catalog.ami_releases.rows,
        {
            "release": "name",
            "Neuron driver": "driver",
            "Kubernetes": lambda row: tuple(row.kubernetes_patches.values()),
        },
    ),
    "dlamis": CatalogPage(
        "Neuron Deep Learning AMIs",
        lambda catalog: catalog.dlamis.rows,
        {
            "DLAMI": "name",
            "state": _still_built,
            "Neuron SDK": "neuron_sdk",
            "families": "families",
            "virtual environments": "virtual_environment_names",
        },
    ),
    "ecs": CatalogPage(
        "ECS Neuron AMIs",
        lambda catalog: catalog.ecs_amis.rows,
        {"AMI": "name", "state": "state", "chips": "chips", "SSM parameter": "ssm_parameter"},
    ),
    "eks": CatalogPage(
        "Kubernetes versions of EKS",
        lambda catalog: catalog.kubernetes_versions.rows,
        {
            "version": "name",
            "released": "released",
            "standard support ends": "standard_support_ends",
            "extended support ends": "extended_support_ends",
            "kernel": "al2023_kernel",
        },
    ),
    "slurm": CatalogPage(
        "Slurm versions of AWS PCS",
        lambda catalog: catalog.slurm_versions.rows,
        {"version": "name", "offered from": "offered_from", "support ends": "support_ends"},
    ),
    "sizes": CatalogPage(
        "Sizes of an AWS PCS cluster",
        lambda catalog: catalog.pcs_sizes.rows,
        {"size": "name", "instances": "nodes", "jobs": "jobs"},
    ),
    "settings": CatalogPage(
        "Slurm settings that AWS PCS accepts",
        lambda catalog: catalog.slurm_settings.rows,
        {
            "level": "name",
            "settings": lambda row: "\n".join(row.lines_by_version()),
            "need accounting": "need_accounting",
        },
    ),
    "software": CatalogPage(
        "Software of the AMI of Slurm nodes",
        lambda catalog: catalog.slurm_software.rows,
        {"software": "name", "what": "title", "version": "version", "for Slurm": "slurm_version"},
    ),
    "parallelcluster": CatalogPage(
        "Releases of AWS ParallelCluster",
        lambda catalog: catalog.parallelcluster_releases.rows,
        {"release": "name", "Slurm": "slurm_version", "support ends": "support_ends", "queues": "queues"},
    ),
    "doubts": CatalogPage(
        "Open questions about Neuron instances on AWS PCS",
        lambda catalog: catalog.slurm_doubts.rows,
        {"question": "name", "what": "title", "not known": "unknown"},
    ),
    "hyperpod-types": CatalogPage(
        "Instance types of SageMaker HyperPod",
        lambda catalog: catalog.hyperpod_types.rows,
        {
            "type": "name",
            "EFA": "efa_interfaces",
            "pods": "max_pods",
            "addr. EKS": "addresses_on_eks",
            "addr. Slurm": "addresses_on_slurm",
            "deep checks": "has_deep_health_checks",
            "plans": "in_training_plans",
        },
    ),
    "hyperpod-amis": CatalogPage(
        "AMIs of SageMaker HyperPod",
        lambda catalog: catalog.hyperpod_amis.rows,
        {
            "orchestrator": "name",
            "operating system": "operating_system",
            "Neuron driver": "neuron_driver",
            "mounts": "mount_path",
        },
    ),
    "hyperpod-doubts": CatalogPage(
        "Open questions about Neuron instances on SageMaker HyperPod",
        lambda catalog: catalog.hyperpod_doubts.rows,
        {"question": "name", "what": "title", "not known": "unknown"},
    ),
    "layouts": CatalogPage(
        "Layouts of EFA interfaces",
        lambda catalog: catalog.interface_layouts.rows,
        {
            "efa": "name",
            "what": "title",
            "card 0": lambda row: _laid(row, "first"),
            "each further card": lambda row: _laid(row, "further"),
        },
    ),
    "repairs": CatalogPage(
        "Actions of EKS node auto repair for Neuron errors",
        lambda catalog: catalog.node_repairs.rows,
        {"reason": "name", "documents say": "advice", "we do": "action", "after minutes": "wait_minutes"},
    ),
    "devices": CatalogPage(
        "Device allocation modes in Kubernetes",
        lambda catalog: catalog.device_managements.rows,
        {
            "way": "name",
            "what": "title",
            "Kubernetes from": "kubernetes_from",
            "nodes from": "node_kubernetes_from",
            "Auto Mode": "works_with_auto_mode",
        },
    ),
    "metrics": CatalogPage(
        "Metrics of Neuron devices, EFA and Lustre",
        lambda catalog: catalog.neuron_metrics.rows,
        {"metric": "name", "what": "title", "unit": "unit", "Prometheus": "prometheus"},
    ),
    "alarms": CatalogPage(
        "CloudWatch alarms",
        lambda catalog: catalog.neuron_alarms.rows,
        {"alarm": "name", "what": "title", "threshold": "threshold", "in": "measured_in"},
    ),
    "floors": CatalogPage(
        "Minimum bus bandwidth of collectives between nodes",
        lambda catalog: catalog.minimum_bus_bandwidths.rows,
        {
            "type": "name",
            "operation": "operation",
            "EFA, Gbps": "efa_gbps",
            "percent": "percent_of_efa",
            "bus GiB/s": "bus_bandwidth_gibps",
            "enforced": "enforced",
        },
    ),
    "addons": CatalogPage(
        "EKS managed add-ons",
        lambda catalog: catalog.managed_addons.rows,
        {"add-on": "name", "purpose": "purpose", "namespace": "namespace", "needs nodes": "needs_nodes"},
    ),
    "charts": CatalogPage(
        "Helm charts",
        lambda catalog: catalog.charts.rows,
        {"chart": "name", "version": "version", "namespace": "namespace", "repository": "repository"},
    ),
    "lustre": CatalogPage(
        "FSx for Lustre on SSD",
        lambda catalog: catalog.lustre_performances.rows,
        {
            "deployment type": "name",
            "write MB/s per TiB": lambda row: list(row.write_mbps_per_tib.values()),
            "read MB/s per TiB": lambda row: list(row.read_mbps_per_tib.values()),
            "metadata IOPS": lambda row: list(row.metadata_iops.values()),
            "full at": lambda row: f"{row.fill_limit:.0%}",
        },
    ),
    "clients": CatalogPage(
        "Lustre clients for FSx by operating system",
        lambda catalog: catalog.lustre_clients.rows,
        {
            "operating system": "name",
            "kernels": lambda row: "\n".join(map(_kernels, row.kernels)),
            "client": lambda row: "\n".join(kernels.client for kernels in row.kernels),
            "mounts versions": lambda row: "\n".join(", ".join(kernels.servers) for kernels in row.kernels),
        },
    ),
    "express": CatalogPage(
        "Zones of S3 Express One Zone",
        lambda catalog: catalog.express_zones.rows,
        {"Region": "name", "zone ids": "zone_ids"},
    ),
    "types": CatalogPage(
        "Resource types of CloudFormation that not every Region has",
        lambda catalog: catalog.resource_type_regions.rows,
        {"type": "name", "Regions": "regions"},
    ),
    "durations": CatalogPage(
        "Time that CloudFormation takes for a resource, in seconds",
        lambda catalog: catalog.durations.rows,
        {
            "type": "name",
            "create": lambda row: _seconds(row, "create"),
            "update": lambda row: _seconds(row, "update"),
            "delete": lambda row: _seconds(row, "delete"),
        },
    ),
    "prices": CatalogPage(
        "Reference prices of storage in USD",
        lambda catalog: catalog.storage_prices.rows,
        {
            "what": "name",
            "unit": "unit",
            "by Region": lambda row: "\n".join(f"{name} {_usd(row, name)}" for name in row.regions),
        },
    ),
    "services": CatalogPage(
        "Reference prices of services in USD",
        lambda catalog: catalog.service_prices.rows,
        {
            "what": "name",
            "for": lambda row: f"GB of {row.of}" if row.unit == "GB" else f"{row.of} and {row.unit}",
            "included": lambda row: row.included or None,
            "by Region": lambda row: (
                f"every Region {row.usd_everywhere:g}"
                if row.usd_everywhere is not None
                else "\n".join(f"{name} {_usd(row, name)}" for name in row.regions)
            ),
        },
    ),
    "purchases": CatalogPage(
        "Prices of instances on Spot and in capacity blocks in USD an hour",
        lambda catalog: catalog.purchase_prices.rows,
        {
            "what": "name",
            "by Region": "regions",
            "seen on": "checked_on",
        },
    ),
    "registries": CatalogPage(
        "Registries that ECR pull through cache supports",
        lambda catalog: catalog.pull_through_upstreams.rows,
        {"registry": "name", "what": "title", "host": "host", "needs a secret": "needs_secret"},
    ),
    "regions": CatalogPage(
        "AWS Regions",
        lambda catalog: catalog.regions.rows,
        {"Region": "name", "partition": "partition", "zone ids": "zone_ids"},
    ),
}


def unknown_row(page: CatalogPage, name: str, near: Sequence[str], families: Collection[str] = ()) -> Finding:
    """The finding for a name that the catalog does not have. ``families`` are those that ``--family`` can choose."""
    if name in families:
        hint = f"{name} is a family: leave the name out and choose with --family {name}"
        return Finding("E0017", Location(name), f'{page.title}: the catalog has no "{name}"', hint)
    hint = did_you_mean(near).rstrip() or "leave the name out to see all"
    return Finding("E0017", Location(name), f'{page.title}: the catalog has no "{name}"', hint)
