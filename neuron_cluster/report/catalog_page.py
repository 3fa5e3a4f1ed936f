"""The catalog as pages: a table of each kind of row, and everything about one row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.findings import Finding, Location
from neuron_cluster.report.plain_data import plain
from neuron_cluster.table import Table


@dataclass(frozen=True, slots=True)
class CatalogPage:
    """One kind of row: where the rows are, and which fields stand in the table, by title."""

    title: str
    rows: Callable[[Catalog], Sequence[SourcedRow]]
    near: Callable[[Catalog, str], list[str]]
    fields: dict[str, str]


PAGES: dict[str, CatalogPage] = {
    "instances": CatalogPage(
        "EC2 instance types",
        lambda catalog: catalog.instance_types,
        lambda catalog, name: catalog.near_instance_types(name),
        {
            "type": "name",
            "chip": "chip",
            "devices": "neuron_devices",
            "cores": "neuron_cores",
            "device GiB": "device_memory_gib",
            "vCPU": "vcpus",
            "GiB": "memory_gib",
            "EFA": "efa_interfaces",
            "cards": "network_cards",
        },
    ),
    "amis": CatalogPage(
        "EKS AMI types",
        lambda catalog: catalog.ami_types,
        lambda catalog, name: catalog.near_ami_types(name),
        {
            "AMI type": "name",
            "chips": "chips",
            "root device": "root_device_name",
            "least GiB": "root_volume_minimum_gib",
        },
    ),
    "dlamis": CatalogPage(
        "Neuron Deep Learning AMIs",
        lambda catalog: catalog.dlamis,
        lambda catalog, name: catalog.near_dlamis(name),
        {
            "DLAMI": "name",
            "families": "families",
            "virtual environments": "virtual_environment_names",
            "Neuron SDK": "neuron_sdk",
        },
    ),
    "eks": CatalogPage(
        "Kubernetes versions of EKS",
        lambda catalog: catalog.kubernetes_versions,
        lambda catalog, name: catalog.near_kubernetes_versions(name),
        {
            "version": "name",
            "released": "released",
            "standard support ends": "standard_support_ends",
            "extended support ends": "extended_support_ends",
            "kernel": "al2023_kernel",
        },
    ),
    "addons": CatalogPage(
        "EKS managed add-ons",
        lambda catalog: catalog.managed_addons,
        lambda catalog, name: catalog.near_managed_addons(name),
        {"add-on": "name", "purpose": "purpose", "namespace": "namespace", "needs nodes": "needs_nodes"},
    ),
    "charts": CatalogPage(
        "Helm charts",
        lambda catalog: catalog.charts,
        lambda catalog, name: catalog.near_charts(name),
        {"chart": "name", "version": "version", "namespace": "namespace", "repository": "repository"},
    ),
    "regions": CatalogPage(
        "AWS Regions",
        lambda catalog: catalog.regions,
        lambda catalog, name: catalog.near_regions(name),
        {"Region": "name", "partition": "partition", "zone ids": "zone_ids"},
    ),
    "sdk": CatalogPage(
        "Neuron SDK releases",
        lambda catalog: catalog.neuron_sdks,
        lambda catalog, name: catalog.near_neuron_sdks(name),
        {
            "release": "name",
            "released": "released",
            "driver": "driver",
            "runtime": "runtime",
            "collectives": "collectives",
            "compiler": "compiler",
        },
    ),
}


def is_wanted(row: InstanceType, family: str | None, min_chips: int, *, efa: bool) -> bool:
    """Whether an instance type passes the filters of ``catalog instances``."""
    return (
        (family is None or row.family == family)
        and row.neuron_devices >= min_chips
        and (row.efa_interfaces > 0 or not efa)
    )


def unknown_row(page: CatalogPage, name: str, near: Sequence[str]) -> Finding:
    """The finding for a name that the catalog does not have."""
    hint = f"did you mean {' or '.join(near)}?" if near else "leave the name out to see all"
    return Finding("E0017", Location(name), f'{page.title}: the catalog has no "{name}"', hint)


def rows_as_data(rows: Sequence[SourcedRow]) -> list[Any]:
    """Every field of every row, source and date included."""
    return [plain(row) for row in rows]


def rows_table(page: CatalogPage, rows: Sequence[SourcedRow]) -> Table:
    """The fields that people compare. ``catalog KIND NAME`` shows the rest."""
    cells = tuple(tuple(_cell(getattr(row, field)) for field in page.fields.values()) for row in rows)
    return Table(page.title, tuple(page.fields), cells)


def row_table(page: CatalogPage, row: SourcedRow) -> Table:
    """Everything about one row."""
    fields = {name: value for name, value in plain(row).items() if name not in ("name", "doubt")}
    rows = [(name.replace("_", " "), _cell(value)) for name, value in fields.items()]
    rows += [(f"doubt about {name.replace('_', ' ')}", reason) for name, reason in row.doubt.items()]
    return Table(f"{page.title}: {row.name}", ("what", "value"), tuple(rows))


def _cell(value: Any) -> str:
    match plain(value):
        case None | []:
            return "-"
        case bool() as answer:
            return "yes" if answer else "no"
        case int() as number:
            return f"{number:,}"
        case list() as items:
            return ", ".join(_cell(item) for item in items)
        case dict() as pairs:
            return "; ".join(f"{key}: {_cell(item)}" for key, item in pairs.items()) or "-"
        case other:
            return str(other)
