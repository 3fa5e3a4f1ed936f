"""The catalog as the ``Knowledge`` of the local AWS."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from local_aws.knowledge.knowledge import Knowledge, Row
from local_aws.knowledge.rows import ResourceSchema
from neuron_cluster.catalog.catalog import Catalog, load_catalog


def _published_packages(catalog: Catalog) -> Iterable[Struct]:
    """Without the toolkit's own function, which ``log_group_keeper`` knows."""
    return (row for row in catalog.published_code if row.package_version)


def _schemas(catalog: Catalog) -> Iterable[Struct]:
    return (
        ResourceSchema(
            name=row.name,
            source=row.source,
            checked_on=row.checked_on,
            create_only=tuple(sorted(catalog.create_only_properties(row.name))),
            primary_identifier=row.primary_identifier,
            given_identifier=row.given_identifier,
            tags_follow_stack=row.tags_follow_stack,
        )
        for row in catalog.resource_schemas
    )


TABLES: Mapping[str, Callable[[Catalog], Iterable[Any]]] = {
    "instance_types": lambda catalog: catalog.instance_types,
    "regions": lambda catalog: catalog.regions,
    "limits": lambda catalog: catalog.limits,
    "kubernetes_versions": lambda catalog: catalog.kubernetes_versions,
    "ami_types": lambda catalog: catalog.ami_types,
    "ami_releases": lambda catalog: catalog.ami_releases,
    "managed_addons": lambda catalog: catalog.managed_addons,
    "lustre_deployments": lambda catalog: catalog.lustre_deployments,
    "endpoint_services": lambda catalog: catalog.endpoint_services,
    "pull_through_upstreams": lambda catalog: catalog.pull_through_upstreams,
    "machine_images": lambda catalog: catalog.dlamis,
    "published_code": _published_packages,
    "resource_schemas": _schemas,
}


class CatalogKnowledge(Knowledge):
    def rows(self, table: str, kind: type[Row]) -> Mapping[str, Row]:
        rows = TABLES[table](load_catalog())
        return {row.name: msgspec.convert(row, kind, from_attributes=True) for row in rows}


CATALOG_KNOWLEDGE = CatalogKnowledge()
