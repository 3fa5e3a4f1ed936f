"""Facts about Regions, limits, prices and names of AWS services."""

from __future__ import annotations

from ipaddress import IPv4Network

from neuron_cluster.catalog import (
    eks_price,
    eks_role,
    endpoint,
    express_zones,
    iam_service,
    limit,
    lustre,
    lustre_client,
    lustre_performance,
    purchase_price,
    region,
    reserved_label_domain,
    resource_type_regions,
    service_price,
    storage_price,
    vpc_cidr_restriction,
)
from neuron_cluster.catalog.eks_price import EksPrice
from neuron_cluster.catalog.eks_role import EksRole
from neuron_cluster.catalog.endpoint import EndpointService
from neuron_cluster.catalog.express_zones import ExpressZones
from neuron_cluster.catalog.iam_service import IamService
from neuron_cluster.catalog.limit import Limit
from neuron_cluster.catalog.lustre import LustreDeploymentFacts
from neuron_cluster.catalog.lustre_client import LustreClient
from neuron_cluster.catalog.lustre_performance import LustrePerformance
from neuron_cluster.catalog.purchase_price import PurchasePrice
from neuron_cluster.catalog.region import Region
from neuron_cluster.catalog.reserved_label_domain import ReservedLabelDomain
from neuron_cluster.catalog.resource_type_regions import ResourceTypeRegions
from neuron_cluster.catalog.service_price import ServicePrice
from neuron_cluster.catalog.storage_price import StoragePrice
from neuron_cluster.catalog.vpc_cidr_restriction import VpcCidrRestriction


class ServiceFacts:
    """Queries of these rows; ``Catalog`` has them all."""

    @property
    def vpc_cidr_restrictions(self) -> tuple[VpcCidrRestriction, ...]:
        return tuple(vpc_cidr_restriction.vpc_cidr_restrictions().values())

    def restricted_vpc_range(self, added: IPv4Network, associated: IPv4Network) -> IPv4Network | None:
        """The range for which EC2 does not add ``added`` to a VPC that has ``associated``; None where it does."""
        return vpc_cidr_restriction.restricted_range(added, associated)

    def region(self, name: str) -> Region | None:
        return region.region(name)

    @property
    def regions(self) -> tuple[Region, ...]:
        return tuple(region.regions().values())

    def similar_regions(self, name: str) -> list[str]:
        return region.similar_regions(name)

    def zone_ids(self, region_name: str) -> tuple[str, ...]:
        return region.zone_ids(region_name)

    def region_of_zone_id(self, zone_id: str) -> str | None:
        return region.region_of_zone_id(zone_id)

    def eks_price(self, support: str) -> EksPrice:
        """The price of a control plane with this support, of which there is a row."""
        return eks_price.eks_prices()[support]

    @property
    def eks_prices(self) -> tuple[EksPrice, ...]:
        return tuple(eks_price.eks_prices().values())

    def lustre_deployment(self, deployment_type: str) -> LustreDeploymentFacts | None:
        return lustre.lustre_deployment(deployment_type)

    @property
    def lustre_deployments(self) -> tuple[LustreDeploymentFacts, ...]:
        return tuple(lustre.lustre_deployments().values())

    def lustre_client(self, operating_system: str) -> LustreClient | None:
        """None for an operating system without a Lustre client for FSx."""
        return lustre_client.lustre_clients().get(operating_system)

    @property
    def lustre_clients(self) -> tuple[LustreClient, ...]:
        return tuple(lustre_client.lustre_clients().values())

    @property
    def express_zones(self) -> tuple[ExpressZones, ...]:
        return tuple(express_zones.express_zones().values())

    def express_zone_ids(self, region_name: str) -> tuple[str, ...]:
        """Zones in which S3 Express One Zone has buckets; none in a Region without it."""
        found = express_zones.express_zones().get(region_name)
        return found.zone_ids if found is not None else ()

    @property
    def resource_type_regions(self) -> tuple[ResourceTypeRegions, ...]:
        return tuple(resource_type_regions.resource_type_regions().values())

    def regions_with(self, resource_type: str) -> ResourceTypeRegions:
        """Where CloudFormation has the type. Raises ``LookupError`` for one that every Region has."""
        return resource_type_regions.resource_type_regions()[resource_type]

    @property
    def lustre_performances(self) -> tuple[LustrePerformance, ...]:
        return tuple(lustre_performance.lustre_performances().values())

    @property
    def storage_prices(self) -> tuple[StoragePrice, ...]:
        return tuple(storage_price.storage_prices().values())

    def service_price(self, name: str) -> ServicePrice:
        """Unlike the others, an unknown name raises LookupError: code writes it, not a user."""
        return service_price.service_prices()[name]

    @property
    def service_prices(self) -> tuple[ServicePrice, ...]:
        return tuple(service_price.service_prices().values())

    def purchase_price(self, instance_type: str, purchase_option: str) -> PurchasePrice | None:
        """None where no source has such a price in any Region."""
        return purchase_price.purchase_price(instance_type, purchase_option)

    @property
    def purchase_prices(self) -> tuple[PurchasePrice, ...]:
        """On Spot and in capacity blocks."""
        return tuple(purchase_price.purchase_prices().values())

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

    def similar_service_principals(self, name: str) -> list[str]:
        return iam_service.similar_service_principals(name)

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
