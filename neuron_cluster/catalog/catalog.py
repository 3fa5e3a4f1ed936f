"""The catalog as one object: what rules, plan and laws receive as an argument and ask their questions of."""

from __future__ import annotations

from dataclasses import dataclass

from neuron_cluster.catalog import (
    ami_type,
    chart,
    dlami,
    endpoint,
    iam_service,
    instance_type,
    kubernetes_version,
    limit,
    lustre,
    managed_addon,
    neuron_sdk,
    region,
)
from neuron_cluster.catalog.ami_type import AmiType
from neuron_cluster.catalog.chart import Chart
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.catalog.endpoint import EndpointService
from neuron_cluster.catalog.iam_service import IamService
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.kubernetes_version import KubernetesVersion
from neuron_cluster.catalog.limit import Limit
from neuron_cluster.catalog.lustre import LustreDeployment
from neuron_cluster.catalog.managed_addon import ManagedAddon
from neuron_cluster.catalog.neuron_sdk import NeuronSdk
from neuron_cluster.catalog.region import Region


@dataclass(frozen=True, slots=True)
class Catalog:
    """Every question reads its data file when it is first asked, and never again in this process.

    A question about one name answers None when the name is not known; ``near_…`` then says which names look like it.
    Raises CatalogError when a data file is wrong.
    """

    def instance_type(self, name: str) -> InstanceType | None:
        return instance_type.instance_type(name)

    @property
    def instance_types(self) -> tuple[InstanceType, ...]:
        return tuple(instance_type.instance_types().values())

    def near_instance_types(self, name: str) -> list[str]:
        return instance_type.near_instance_types(name)

    def ami_type(self, name: str) -> AmiType | None:
        return ami_type.ami_type(name)

    @property
    def ami_types(self) -> tuple[AmiType, ...]:
        return tuple(ami_type.ami_types().values())

    def near_ami_types(self, name: str) -> list[str]:
        return ami_type.near_ami_types(name)

    def kubernetes_version(self, version: str) -> KubernetesVersion | None:
        return kubernetes_version.kubernetes_version(version)

    @property
    def kubernetes_versions(self) -> tuple[KubernetesVersion, ...]:
        """The oldest first."""
        return tuple(kubernetes_version.kubernetes_versions().values())

    def near_kubernetes_versions(self, version: str) -> list[str]:
        return kubernetes_version.near_kubernetes_versions(version)

    def region(self, name: str) -> Region | None:
        return region.region(name)

    @property
    def regions(self) -> tuple[Region, ...]:
        return tuple(region.regions().values())

    def near_regions(self, name: str) -> list[str]:
        return region.near_regions(name)

    def zone_ids(self, region_name: str) -> tuple[str, ...]:
        return region.zone_ids(region_name)

    def region_of_zone_id(self, zone_id: str) -> str | None:
        return region.region_of_zone_id(zone_id)

    def managed_addon(self, name: str) -> ManagedAddon | None:
        return managed_addon.managed_addon(name)

    @property
    def managed_addons(self) -> tuple[ManagedAddon, ...]:
        return tuple(managed_addon.managed_addons().values())

    def near_managed_addons(self, name: str) -> list[str]:
        return managed_addon.near_managed_addons(name)

    def chart(self, name: str) -> Chart | None:
        return chart.chart(name)

    @property
    def charts(self) -> tuple[Chart, ...]:
        return tuple(chart.charts().values())

    def near_charts(self, name: str) -> list[str]:
        return chart.near_charts(name)

    def lustre_deployment(self, deployment_type: str) -> LustreDeployment | None:
        return lustre.lustre_deployment(deployment_type)

    @property
    def lustre_deployments(self) -> tuple[LustreDeployment, ...]:
        return tuple(lustre.lustre_deployments().values())

    def near_lustre_deployments(self, deployment_type: str) -> list[str]:
        return lustre.near_lustre_deployments(deployment_type)

    def limit(self, name: str) -> Limit:
        """Unlike the others, an unknown name raises LookupError: code writes it, not a user."""
        return limit.limit(name)

    @property
    def limits(self) -> tuple[Limit, ...]:
        return tuple(limit.limits().values())

    def iam_service(self, prefix: str) -> IamService | None:
        return iam_service.iam_services().get(prefix)

    @property
    def iam_services(self) -> tuple[IamService, ...]:
        return tuple(iam_service.iam_services().values())

    @property
    def service_principals(self) -> frozenset[str]:
        return iam_service.service_principals()

    def near_service_principals(self, name: str) -> list[str]:
        return iam_service.near_service_principals(name)

    def neuron_sdk(self, release: str) -> NeuronSdk | None:
        return neuron_sdk.neuron_sdk(release)

    @property
    def neuron_sdks(self) -> tuple[NeuronSdk, ...]:
        """The newest first."""
        return tuple(neuron_sdk.neuron_sdks().values())

    def near_neuron_sdks(self, release: str) -> list[str]:
        return neuron_sdk.near_neuron_sdks(release)

    def dlami(self, name: str) -> Dlami | None:
        return dlami.dlami(name)

    @property
    def dlamis(self) -> tuple[Dlami, ...]:
        return tuple(dlami.dlamis().values())

    def near_dlamis(self, name: str) -> list[str]:
        return dlami.near_dlamis(name)

    @property
    def endpoint_services(self) -> tuple[EndpointService, ...]:
        return tuple(endpoint.endpoint_services().values())


def load_catalog() -> Catalog:
    """The catalog that this release ships. Reads no file yet."""
    return Catalog()
