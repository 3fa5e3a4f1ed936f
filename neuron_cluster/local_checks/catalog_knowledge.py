"""The catalog as the ``Knowledge`` of the local AWS."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from msgspec import Struct

from local_aws.knowledge.knowledge import Knowledge, Row
from local_aws.knowledge.rows import ResourceSchema
from neuron_cluster.catalog.ami_release import ami_releases
from neuron_cluster.catalog.ami_type import ami_types
from neuron_cluster.catalog.dlami import dlamis
from neuron_cluster.catalog.endpoint import endpoint_services
from neuron_cluster.catalog.instance_type import instance_types
from neuron_cluster.catalog.kubernetes_version import kubernetes_versions
from neuron_cluster.catalog.limit import limits
from neuron_cluster.catalog.lustre import lustre_deployments
from neuron_cluster.catalog.managed_addon import managed_addons
from neuron_cluster.catalog.published_code import published_code
from neuron_cluster.catalog.pull_through_upstream import pull_through_upstreams
from neuron_cluster.catalog.region import regions
from neuron_cluster.catalog.resource_schema import create_only_properties, resource_schemas


def _published_packages() -> Mapping[str, Struct]:
    """Without the toolkit's own function, which ``log_group_keeper`` knows."""
    return {name: row for name, row in published_code().items() if row.package_version}


def _schemas() -> Mapping[str, Struct]:
    return {
        name: ResourceSchema(
            name=name,
            source=row.source,
            checked_on=row.checked_on,
            create_only=tuple(sorted(create_only_properties(name))),
            primary_identifier=row.primary_identifier,
            given_identifier=row.given_identifier,
            tags_follow_stack=row.tags_follow_stack,
        )
        for name, row in resource_schemas().items()
    }


TABLES: Mapping[str, Callable[[], Mapping[str, Struct]]] = {
    "instance_types": instance_types,
    "regions": regions,
    "limits": limits,
    "kubernetes_versions": kubernetes_versions,
    "ami_types": ami_types,
    "ami_releases": ami_releases,
    "managed_addons": managed_addons,
    "lustre_deployments": lustre_deployments,
    "endpoint_services": endpoint_services,
    "pull_through_upstreams": pull_through_upstreams,
    "machine_images": dlamis,
    "published_code": _published_packages,
    "resource_schemas": _schemas,
}


class CatalogKnowledge(Knowledge):
    def rows(self, table: str, kind: type[Row]) -> Mapping[str, Row]:
        return {name: msgspec.convert(row, kind, from_attributes=True) for name, row in TABLES[table]().items()}


CATALOG_KNOWLEDGE = CatalogKnowledge()
