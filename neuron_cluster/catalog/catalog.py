"""The catalog as one object, which rules and plan receive as an argument and query."""

from __future__ import annotations

from ipaddress import IPv4Network

from msgspec import Struct

from neuron_cluster.catalog import (
    ami_release,
    ami_type,
    chart,
    chip,
    container,
    device_management,
    dlami,
    driver_conflict,
    ecs_ami,
    eks_price,
    eks_role,
    endpoint,
    framework,
    helper_image,
    iam_service,
    instance_type,
    interface_layout,
    kubernetes_version,
    limit,
    lustre,
    managed_addon,
    manifest,
    minimum_bus_bandwidth,
    neuron_alarm,
    neuron_metric,
    neuron_sdk,
    node_allocatable,
    node_repair,
    pod_permission,
    pull_through_upstream,
    region,
    reserved_label_domain,
    vpc_cidr_restriction,
    workload_shape,
)
from neuron_cluster.catalog.ami_release import AmiRelease
from neuron_cluster.catalog.ami_type import AmiType
from neuron_cluster.catalog.chart import Chart
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.catalog.container import Container
from neuron_cluster.catalog.device_management import DeviceManagement
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.catalog.driver_conflict import DriverConflict, DriverWindow
from neuron_cluster.catalog.ecs_ami import EcsAmi
from neuron_cluster.catalog.eks_price import EksPrice
from neuron_cluster.catalog.eks_role import EksRole
from neuron_cluster.catalog.endpoint import EndpointService
from neuron_cluster.catalog.framework import Framework
from neuron_cluster.catalog.helper_image import HelperImage
from neuron_cluster.catalog.iam_service import IamService
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.catalog.interface_layout import InterfaceLayout
from neuron_cluster.catalog.kubernetes_version import KubernetesVersion
from neuron_cluster.catalog.limit import Limit
from neuron_cluster.catalog.lustre import LustreDeploymentFacts
from neuron_cluster.catalog.managed_addon import ManagedAddon
from neuron_cluster.catalog.manifest import Manifest
from neuron_cluster.catalog.minimum_bus_bandwidth import MinimumBusBandwidth
from neuron_cluster.catalog.neuron_alarm import NeuronAlarm
from neuron_cluster.catalog.neuron_metric import NeuronMetric
from neuron_cluster.catalog.neuron_sdk import NeuronSdk
from neuron_cluster.catalog.node_allocatable import NodeAllocatable
from neuron_cluster.catalog.node_repair import NodeRepair
from neuron_cluster.catalog.pod_permission import PodPermission
from neuron_cluster.catalog.pull_through_upstream import PullThroughUpstream
from neuron_cluster.catalog.region import Region
from neuron_cluster.catalog.reserved_label_domain import ReservedLabelDomain
from neuron_cluster.catalog.vpc_cidr_restriction import VpcCidrRestriction
from neuron_cluster.catalog.workload_shape import WorkloadShape


class Catalog(Struct, frozen=True):
    """Every query reads its data file at its first call, and not again in this process.

    A query by name returns None for an unknown name; ``near_…`` then returns similar names.
    Raises CatalogError when a data file is wrong.
    """

    def instance_type(self, name: str) -> InstanceType | None:
        return instance_type.instance_type(name)

    @property
    def instance_types(self) -> tuple[InstanceType, ...]:
        return tuple(instance_type.instance_types().values())

    def near_instance_types(self, name: str) -> list[str]:
        return instance_type.near_instance_types(name)

    @property
    def vpc_cidr_restrictions(self) -> tuple[VpcCidrRestriction, ...]:
        return tuple(vpc_cidr_restriction.vpc_cidr_restrictions().values())

    def refused_vpc_range(self, added: IPv4Network, associated: IPv4Network) -> IPv4Network | None:
        """The range for which EC2 does not add ``added`` to a VPC that has ``associated``; None where it does."""
        return vpc_cidr_restriction.refused_range(added, associated)

    def interface_layout(self, name: str) -> InterfaceLayout:
        """Unlike the others, an unknown name raises LookupError: the model of the file knows the same names."""
        return interface_layout.interface_layout(name)

    @property
    def interface_layouts(self) -> tuple[InterfaceLayout, ...]:
        return tuple(interface_layout.interface_layouts().values())

    @property
    def node_repairs(self) -> tuple[NodeRepair, ...]:
        """The repair actions for a Neuron node that reports one of these reasons."""
        return tuple(node_repair.node_repairs().values())

    def node_allocatable(self, ami_type: str) -> NodeAllocatable | None:
        """The allocatable resources of nodes with this AMI type."""
        return node_allocatable.node_allocatable(ami_type)

    @property
    def node_allocatables(self) -> tuple[NodeAllocatable, ...]:
        return tuple(node_allocatable.node_allocatables().values())

    @property
    def neuron_metrics(self) -> tuple[NeuronMetric, ...]:
        """The metrics of dashboards."""
        return tuple(neuron_metric.neuron_metrics().values())

    def minimum_bus_bandwidth(self, instance_type: str) -> MinimumBusBandwidth | None:
        """The minimum bus bandwidth of collectives between nodes of this type."""
        return minimum_bus_bandwidth.minimum_bus_bandwidth(instance_type)

    @property
    def minimum_bus_bandwidths(self) -> tuple[MinimumBusBandwidth, ...]:
        return tuple(minimum_bus_bandwidth.minimum_bus_bandwidths().values())

    @property
    def neuron_alarms(self) -> tuple[NeuronAlarm, ...]:
        """The alarms, with their default thresholds."""
        return tuple(neuron_alarm.neuron_alarms().values())

    def ami_type(self, name: str) -> AmiType | None:
        return ami_type.ami_type(name)

    @property
    def ami_types(self) -> tuple[AmiType, ...]:
        return tuple(ami_type.ami_types().values())

    def kubernetes_version(self, version: str) -> KubernetesVersion | None:
        return kubernetes_version.kubernetes_version(version)

    @property
    def kubernetes_versions(self) -> tuple[KubernetesVersion, ...]:
        """The oldest first."""
        return tuple(kubernetes_version.kubernetes_versions().values())

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

    def chart(self, name: str) -> Chart | None:
        return chart.chart(name)

    @property
    def charts(self) -> tuple[Chart, ...]:
        return tuple(chart.charts().values())

    def manifest(self, name: str) -> Manifest | None:
        """Software that has no chart."""
        return manifest.manifest(name)

    @property
    def manifests(self) -> tuple[Manifest, ...]:
        return tuple(manifest.manifests().values())

    def eks_price(self, support: str) -> EksPrice:
        """The price of a control plane with this support, of which there is a row."""
        return eks_price.eks_prices()[support]

    @property
    def eks_prices(self) -> tuple[EksPrice, ...]:
        return tuple(eks_price.eks_prices().values())

    def helper_image(self, name: str) -> HelperImage | None:
        """A small image that the toolkit's own objects run."""
        return helper_image.helper_image(name)

    @property
    def helper_images(self) -> tuple[HelperImage, ...]:
        return tuple(helper_image.helper_images().values())

    @property
    def pod_permissions(self) -> tuple[PodPermission, ...]:
        return tuple(pod_permission.pod_permissions().values())

    def pod_permissions_of(self, chart: str) -> tuple[PodPermission, ...]:
        """The IAM permissions of the pods of a chart."""
        return pod_permission.pod_permissions_of(chart)

    @property
    def workload_shapes(self) -> tuple[WorkloadShape, ...]:
        return tuple(workload_shape.workload_shapes().values())

    def workload_shapes_of(self, software: str) -> tuple[WorkloadShape, ...]:
        """The DaemonSets, Deployments, … that a chart, managed add-on or manifest creates."""
        return workload_shape.workload_shapes_of(software)

    def lustre_deployment(self, deployment_type: str) -> LustreDeploymentFacts | None:
        return lustre.lustre_deployment(deployment_type)

    @property
    def lustre_deployments(self) -> tuple[LustreDeploymentFacts, ...]:
        return tuple(lustre.lustre_deployments().values())

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

    def ecs_ami(self, name: str) -> EcsAmi | None:
        return ecs_ami.ecs_ami(name)

    @property
    def ecs_amis(self) -> tuple[EcsAmi, ...]:
        return tuple(ecs_ami.ecs_amis().values())

    def chip(self, name: str) -> Chip | None:
        return chip.chip(name)

    @property
    def chips(self) -> tuple[Chip, ...]:
        return tuple(chip.chips().values())

    def framework(self, name: str) -> Framework | None:
        return framework.framework(name)

    @property
    def frameworks(self) -> tuple[Framework, ...]:
        return tuple(framework.frameworks().values())

    def near_frameworks(self, name: str) -> list[str]:
        return framework.near_frameworks(name)

    def container(self, name: str) -> Container | None:
        """By name, or by full reference (repository and tag)."""
        return container.container(name)

    @property
    def containers(self) -> tuple[Container, ...]:
        return tuple(container.containers().values())

    def container_runs_on(self, image: Container, machine: InstanceType) -> bool:
        """Whether the image supports the instance type: families of one chip generation (trn1, trn1n) share images."""
        chip = self.chip(machine.chip) if machine.chip is not None else None
        families = {machine.family, *(chip.families if chip is not None else ())}
        return not families.isdisjoint(image.families)

    def near_containers(self, name: str) -> list[str]:
        return container.near_containers(name)

    def ami_release(self, release_version: str) -> AmiRelease | None:
        """By AMI release version (``1.36.2-20260714``) or date."""
        return ami_release.ami_release(release_version)

    def why_impossible_release(self, release_version: str) -> str | None:
        """Why no EKS AMI can have this release version; None where one may have it."""
        return ami_release.why_impossible(release_version)

    @property
    def ami_releases(self) -> tuple[AmiRelease, ...]:
        """The newest first."""
        return tuple(ami_release.ami_releases().values())

    @property
    def driver_conflicts(self) -> tuple[DriverConflict, ...]:
        return tuple(driver_conflict.driver_conflicts().values())

    def conflicts_between(self, runtime: str, driver: str) -> tuple[DriverConflict, ...]:
        """The conflicts of these two, those without doubt first; empty without a known conflict."""
        return driver_conflict.conflicts_between(runtime, driver)

    def driver_window(self, runtime: str) -> DriverWindow:
        """The drivers that a runtime works with."""
        return driver_conflict.driver_window(runtime)

    @property
    def device_managements(self) -> tuple[DeviceManagement, ...]:
        return tuple(device_management.device_managements().values())

    def device_management(self, name: str) -> DeviceManagement:
        """Unlike the others, an unknown name raises LookupError: code writes it, not a user."""
        return device_management.device_management(name)

    @property
    def pull_through_upstreams(self) -> tuple[PullThroughUpstream, ...]:
        """Upstream registries that ECR's pull-through cache supports."""
        return tuple(pull_through_upstream.pull_through_upstreams().values())

    def pull_through_upstream_of(self, host: str) -> PullThroughUpstream | None:
        """By the host in image references."""
        return pull_through_upstream.pull_through_upstream_of(host)

    def eks_role(self, name: str) -> EksRole:
        """Unlike the others, an unknown name raises LookupError: code writes it, not a user."""
        return eks_role.eks_role(name)

    @property
    def eks_roles(self) -> tuple[EksRole, ...]:
        """Roles of nodes and of Auto Mode."""
        return tuple(eks_role.eks_roles().values())

    @property
    def reserved_label_domains(self) -> tuple[ReservedLabelDomain, ...]:
        """Label domains that EKS rejects on managed node groups."""
        return tuple(reserved_label_domain.reserved_label_domains().values())

    @property
    def endpoint_services(self) -> tuple[EndpointService, ...]:
        return tuple(endpoint.endpoint_services().values())


def load_catalog() -> Catalog:
    """The catalog that this release ships. Reads no file yet."""
    return Catalog()
