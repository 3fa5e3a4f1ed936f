"""The catalog as the ``Knowledge`` of the local AWS."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import Struct

from local_aws.knowledge import rows
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
from neuron_cluster.catalog.resource_schema import RESOURCE_SCHEMAS

if TYPE_CHECKING:
    from local_aws.cloudformation.schemas import ResourceSchemas

Row = TypeVar("Row", bound=Struct)


def _as_rows(table: Mapping[str, Struct], kind: type[Row]) -> Mapping[str, Row]:
    return {name: msgspec.convert(row, kind, from_attributes=True) for name, row in table.items()}


class CatalogKnowledge:
    """Reads each table at its first use."""

    @cached_property
    def instance_types(self) -> Mapping[str, rows.InstanceType]:
        return _as_rows(instance_types(), rows.InstanceType)

    @cached_property
    def regions(self) -> Mapping[str, rows.Region]:
        return _as_rows(regions(), rows.Region)

    @cached_property
    def limits(self) -> Mapping[str, rows.Limit]:
        return _as_rows(limits(), rows.Limit)

    @cached_property
    def kubernetes_versions(self) -> Mapping[str, rows.KubernetesVersion]:
        return _as_rows(kubernetes_versions(), rows.KubernetesVersion)

    @cached_property
    def ami_types(self) -> Mapping[str, rows.AmiType]:
        return _as_rows(ami_types(), rows.AmiType)

    @cached_property
    def ami_releases(self) -> Mapping[str, rows.AmiRelease]:
        return _as_rows(ami_releases(), rows.AmiRelease)

    @cached_property
    def managed_addons(self) -> Mapping[str, rows.ManagedAddon]:
        return _as_rows(managed_addons(), rows.ManagedAddon)

    @cached_property
    def lustre_deployments(self) -> Mapping[str, rows.LustreDeployment]:
        return _as_rows(lustre_deployments(), rows.LustreDeployment)

    @cached_property
    def endpoint_services(self) -> Mapping[str, rows.EndpointService]:
        return _as_rows(endpoint_services(), rows.EndpointService)

    @cached_property
    def pull_through_upstreams(self) -> Mapping[str, rows.PullThroughUpstream]:
        return _as_rows(pull_through_upstreams(), rows.PullThroughUpstream)

    @cached_property
    def machine_images(self) -> Mapping[str, rows.MachineImage]:
        return _as_rows(dlamis(), rows.MachineImage)

    @cached_property
    def published_code(self) -> Mapping[str, rows.PublishedCode]:
        return _as_rows(published_code(), rows.PublishedCode)

    @property
    def resource_schemas(self) -> ResourceSchemas:
        return RESOURCE_SCHEMAS


CATALOG_KNOWLEDGE = CatalogKnowledge()
