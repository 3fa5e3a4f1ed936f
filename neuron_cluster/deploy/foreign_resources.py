"""Resources in the VPC of an environment and in none of its stacks, in the order in which they can be deleted.

Owners of interfaces in the subnets are first, then rules that refer to a group, groups, subnets, and the rest.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator

from neuron_cluster.aws import vpc_resources
from neuron_cluster.aws.vpc_contents import NetworkInterface, interfaces
from neuron_cluster.aws.vpc_resources import GroupRule, VpcResource
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.foreign_databases import database_items
from neuron_cluster.deploy.foreign_instances import instance_items, instances_of_others
from neuron_cluster.deploy.left_over_item import LeftOver
from neuron_cluster.errors import ToolkitError
from neuron_cluster.protocol.registry import registered_operations

DEFAULT = "default"
"""The security group that goes with the VPC, and cannot be deleted."""
OF_LOAD_BALANCERS = "ELB "
"""Prefix of the description of an interface of a load balancer; it is deleted with the load balancer."""
WITH_OWNER = frozenset({"nat_gateway", "vpc_endpoint", "gateway_load_balancer_endpoint", "transit_gateway"})
"""Kinds of interfaces that go with an owner that is listed by itself, or that a stack has."""
DATABASE_INTERFACE = "RDSNetworkInterface"


class ForeignResources:
    """Finds foreign resources of one VPC. A call that AWS does not answer adds nothing.

    ``ours`` are the names of the stacks and the ids of everything in them.
    """

    def __init__(self, destination: Destination, environment: str, vpc: str, ours: Collection[str]) -> None:
        self._destination, self._environment = destination, environment
        self._vpc, self._ours = vpc, frozenset(ours)

    def of_others(self) -> list[LeftOver]:
        """While the services of the stacks run: without interfaces and groups that may be theirs."""
        found = [*self._owners(), *self._groups(is_running=True)]
        return [*found, *self._plain()]

    def everything(self) -> list[LeftOver]:
        """When no service of the stacks runs any more."""
        loose = self.answered(self._loose_interfaces)
        return [*self._owners(), *loose, *self._groups(is_running=False), *self._plain()]

    def answered(self, find: Callable[[], Iterable[LeftOver]]) -> list[LeftOver]:
        """Returns the result of a query; empty where AWS does not answer it."""
        with contextlib.suppress(ToolkitError):
            return list(find())
        return []

    def _owners(self) -> list[LeftOver]:
        """Returns the owners of interfaces in the subnets."""
        finders = (
            self._instances,
            self._databases,
            self._owners_of_interfaces,
            self._lattice,
            self._endpoints,
            self._nat_gateways,
            self._peerings,
            self._internet_gateways,
            self._egress_only_gateways,
            self._carrier_gateways,
            self._vpn_gateways,
        )
        return [each for find in finders for each in self.answered(find)]

    def _endpoints(self) -> Iterator[LeftOver]:
        for each in self._foreign(vpc_resources.endpoints):
            by = ", made by GuardDuty" if each.tags.get("GuardDutyManaged") == "true" else ""
            yield self._item(
                f"VPC endpoint {each.id} of {each.detail}{by}", "ec2 delete-vpc-endpoints", vpc_endpoint_ids=each.id
            )

    def _nat_gateways(self) -> Iterator[LeftOver]:
        for each in self._foreign(vpc_resources.nat_gateways):
            yield self._item(
                f"NAT gateway {each.id} in {each.detail}", "ec2 delete-nat-gateway", nat_gateway_id=each.id
            )

    def _peerings(self) -> Iterator[LeftOver]:
        for each in self._foreign(vpc_resources.peerings):
            operation = "ec2 delete-vpc-peering-connection"
            yield self._item(f"VPC peering connection {each.id}", operation, vpc_peering_connection_id=each.id)

    def _internet_gateways(self) -> Iterator[LeftOver]:
        for each in self._foreign(vpc_resources.internet_gateways):
            what, options = f"internet gateway {each.id}", {"internet_gateway_id": each.id}
            yield self._item(f"{what}, attached", "ec2 detach-internet-gateway", **options, vpc_id=self._vpc)
            yield self._item(f"{what}, after it is detached", "ec2 delete-internet-gateway", **options)

    def _egress_only_gateways(self) -> Iterator[LeftOver]:
        operation = "ec2 delete-egress-only-internet-gateway"
        for each in self._foreign(vpc_resources.egress_only_gateways):
            what = f"egress-only internet gateway {each.id}"
            yield self._item(what, operation, egress_only_internet_gateway_id=each.id)

    def _carrier_gateways(self) -> Iterator[LeftOver]:
        for each in self._foreign(vpc_resources.carrier_gateways):
            yield self._item(f"carrier gateway {each.id}", "ec2 delete-carrier-gateway", carrier_gateway_id=each.id)

    def _vpn_gateways(self) -> Iterator[LeftOver]:
        for each in self._foreign(vpc_resources.vpn_gateways):
            what = f"virtual private gateway {each.id}, attached: it stays with its VPN connections"
            yield self._item(what, "ec2 detach-vpn-gateway", vpn_gateway_id=each.id, vpc_id=self._vpc)

    def _instances(self) -> Iterator[LeftOver]:
        yield from instance_items(self._destination, self._instances_of_others())

    def _instances_of_others(self) -> list[VpcResource]:
        of_services = [prefix for each in registered_operations() for prefix in each.instance_tags]
        return instances_of_others(self._foreign(vpc_resources.instances), of_services, self._ours)

    def _answered_instances(self) -> list[VpcResource]:
        with contextlib.suppress(ToolkitError):
            return self._instances_of_others()
        return []

    def _databases(self) -> Iterator[LeftOver]:
        """Asks RDS only where an interface is that of a database."""
        if any(each.description.startswith(DATABASE_INTERFACE) for each in self._interfaces()):
            yield from database_items(self._destination, vpc_resources.databases(self._destination.target, self._vpc))

    def _lattice(self) -> Iterator[LeftOver]:
        operation = "vpc-lattice delete-service-network-vpc-association"
        for each in self._foreign(vpc_resources.lattice_associations):
            yield self._item(
                f"association {each.id} with the service network {each.detail} of VPC Lattice",
                operation,
                service_network_vpc_association_identifier=each.id,
            )

    def _owners_of_interfaces(self) -> Iterator[LeftOver]:
        found = ((owner, each) for each in self._interfaces() for owner in load_catalog().interface_owners)
        named = {
            (identity, owner) for owner, each in found if (identity := owner.owner_in(each.description)) is not None
        }
        for identity, owner in sorted(named, key=lambda pair: (pair[1].name, pair[0])):
            if identity not in self._ours:
                data = ", which holds data: copy it first" if owner.holds_data else ""
                yield self._item(f"{owner.name} {identity}{data}", owner.operation, **{owner.option: identity})

    def _loose_interfaces(self) -> Iterator[LeftOver]:
        named = {each.id for each in self._answered_instances()}
        for each in self._interfaces():
            if each.goes_with in named:
                continue
            if each.kind in WITH_OWNER or each.description.startswith(OF_LOAD_BALANCERS) or self._has_owner(each):
                continue
            state = ", attached: delete first what it belongs to" if each.is_attached else ""
            what = f"interface {each.id} in {each.subnet_id} ({each.description or 'no description'}{state})"
            yield self._item(what, "ec2 delete-network-interface", network_interface_id=each.id)

    def _has_owner(self, interface: NetworkInterface) -> bool:
        owners = load_catalog().interface_owners.rows
        is_of_database = interface.description.startswith(DATABASE_INTERFACE)
        return is_of_database or any(each.owner_in(interface.description) is not None for each in owners)

    def _groups(self, *, is_running: bool) -> list[LeftOver]:
        """Rules that refer to a group of the VPC from outside of it or from a group that stays, then foreign groups."""
        with contextlib.suppress(ToolkitError):
            groups = vpc_resources.groups(self._destination.target, self._vpc)
            of_cluster = {each.id for each in groups if is_running and self._is_of_cluster(each)}
            ours = self._ours | of_cluster
            foreign = [each for each in groups if each.id not in ours and each.detail != DEFAULT]
            ids = sorted(each.id for each in groups)
            rules = vpc_resources.references_to(self._destination.target, ids)
            gone = {each.id for each in foreign}
            return [
                *(self._rule(rule, ids) for rule in rules if _holds(rule, gone, ours)),
                *(
                    self._item(
                        f"security group {each.id} ({each.detail})", "ec2 delete-security-group", group_id=each.id
                    )
                    for each in foreign
                ),
            ]
        return []

    def _is_of_cluster(self, group: VpcResource) -> bool:
        """Whether a service made the group for the cluster of the environment, with which it goes."""
        return any(each.owns_group(group.tags, self._environment) for each in registered_operations())

    def _rule(self, rule: GroupRule, in_vpc: Collection[str]) -> LeftOver:
        direction = "egress" if rule.is_egress else "ingress"
        elsewhere = "" if rule.group_id in in_vpc else ", which is in another VPC"
        return self._item(
            f"rule {rule.id} of security group {rule.group_id}{elsewhere}, which refers to {rule.referred_id}",
            f"ec2 revoke-security-group-{direction}",
            group_id=rule.group_id,
            security_group_rule_ids=rule.id,
        )

    def _plain(self) -> list[LeftOver]:
        kinds = (
            ("subnet", vpc_resources.subnets, "ec2 delete-subnet", "subnet_id"),
            ("route table", vpc_resources.route_tables, "ec2 delete-route-table", "route_table_id"),
            ("network ACL", vpc_resources.network_acls, "ec2 delete-network-acl", "network_acl_id"),
        )
        found = []
        for what, find, operation, option in kinds:
            with contextlib.suppress(ToolkitError):
                found += [
                    self._item(f"{what} {each.id}", operation, **{option: each.id}) for each in self._foreign(find)
                ]
        return found

    def _foreign(self, find: Callable[..., list[VpcResource]]) -> list[VpcResource]:
        return [each for each in find(self._destination.target, self._vpc) if each.id not in self._ours]

    def _interfaces(self) -> list[NetworkInterface]:
        return [each for each in interfaces(self._destination.target, self._vpc) if each.id not in self._ours]

    def _item(self, what: str, operation: str, **options: str) -> LeftOver:
        return LeftOver(what, self._destination.aws_command(operation, **options))


def _holds(rule: GroupRule, gone: Collection[str], ours: Collection[str]) -> bool:
    """Whether a rule keeps a group from being deleted: one of ours that a foreign one names, or one that is to go."""
    if rule.group_id == rule.referred_id:
        return False
    return rule.referred_id in gone or (rule.referred_id in ours and rule.group_id not in ours)
