"""What pods and users created beside the stacks: it outlives the cluster, is billed, and blocks subnets."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator

from msgspec import Struct

from neuron_cluster.aws.cloudformation import StackResource, resources
from neuron_cluster.aws.elb import load_balancers
from neuron_cluster.aws.vpc_contents import claimed_volumes, interfaces, security_groups
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.stack_names import AnyEnvironment
from neuron_cluster.errors import ToolkitError
from neuron_cluster.orchestrators.registry import registered_operations
from neuron_cluster.plan.core_stacks import NETWORK

OF_STACKS = frozenset({"nat_gateway", "vpc_endpoint", "gateway_load_balancer_endpoint"})
"""Kinds of interfaces that go with what the network stack holds."""
OF_LOAD_BALANCERS = "ELB "
"""What the description of an interface of a load balancer begins with; it is deleted with the load balancer."""


class LeftOver(Struct, frozen=True):
    """One thing, and the command that deletes it."""

    what: str
    command: str


def made_by_pods(plan: AnyEnvironment, destination: Destination) -> list[LeftOver]:
    """Load balancers in the VPC and volumes of claims, which the deletion of the cluster leaves."""
    vpc = _vpc(plan, destination)
    balancers = list(_load_balancers(destination, vpc)) if vpc else []
    return balancers + list(_volumes(plan, destination))


def in_the_way(plan: AnyEnvironment, destination: Destination) -> list[LeftOver]:
    """What holds the VPC, its subnets or groups after a deletion that failed, as far as AWS answers."""
    vpc = _vpc(plan, destination)
    if not vpc:
        return []
    held = _resources(plan, destination)
    owners = {kind for operations in registered_operations() for kind in operations.interface_owners.values()}
    has_owner = any(each.type in owners for each in held)
    found: list[LeftOver] = []
    with contextlib.suppress(ToolkitError):
        found += _load_balancers(destination, vpc)
        if not has_owner:  # else they may be those of the service itself
            found += _interfaces(destination, vpc)
            found += _groups(destination, vpc, {each.physical_id for each in held})
    return found


def left_over_lines(found: Collection[LeftOver]) -> list[str]:
    """Each thing, and on a line of its own the command that deletes it."""
    return [line for each in found for line in (f"  {each.what}", f"    {each.command}")]


def _resources(plan: AnyEnvironment, destination: Destination) -> list[StackResource]:
    parts = (part for operations in registered_operations() for part in operations.interface_owners)
    names = [plan.stack_name(part) for part in (NETWORK.part, *parts)]
    return [each for name in names for each in resources(destination.target, name)]


def _vpc(plan: AnyEnvironment, destination: Destination) -> str:
    held = _resources(plan, destination)
    return next((each.physical_id for each in held if each.type == "AWS::EC2::VPC" and each.physical_id), "")


def _load_balancers(destination: Destination, vpc: str) -> Iterator[LeftOver]:
    for each in load_balancers(destination.target, vpc):
        command = destination.aws_command("elbv2 delete-load-balancer", load_balancer_arn=each.arn)
        yield LeftOver(f"{each.type} load balancer {each.name}", command)


def _volumes(plan: AnyEnvironment, destination: Destination) -> Iterator[LeftOver]:
    for each in claimed_volumes(destination.target, plan.name):
        claim = f", of the claim {each.claim}" if each.claim else ""
        command = destination.aws_command("ec2 delete-volume", volume_id=each.id)
        yield LeftOver(f"volume {each.id} ({each.size_gib:,} GiB{claim})", command)


def _interfaces(destination: Destination, vpc: str) -> Iterator[LeftOver]:
    for each in interfaces(destination.target, vpc):
        if each.kind in OF_STACKS or each.description.startswith(OF_LOAD_BALANCERS):
            continue
        command = destination.aws_command("ec2 delete-network-interface", network_interface_id=each.id)
        state = ", attached: delete first what it belongs to" if each.is_attached else ""
        yield LeftOver(
            f"interface {each.id} in {each.subnet_id} ({each.description or 'no description'}{state})", command
        )


def _groups(destination: Destination, vpc: str, ours: Collection[str]) -> Iterator[LeftOver]:
    for each in security_groups(destination.target, vpc):
        if each.id not in ours:
            command = destination.aws_command("ec2 delete-security-group", group_id=each.id)
            yield LeftOver(f"security group {each.id} ({each.name})", command)
