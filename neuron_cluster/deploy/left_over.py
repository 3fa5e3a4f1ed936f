"""Resources that pods and users created outside of the stacks: they outlive the cluster and block subnets."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from neuron_cluster.aws.cloudformation import StackResource, resources
from neuron_cluster.aws.elb import load_balancers
from neuron_cluster.aws.vpc_contents import claimed_volumes
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.foreign_resources import ForeignResources
from neuron_cluster.deploy.left_over_item import LeftOver
from neuron_cluster.deploy.stack_names import AnyEnvironment
from neuron_cluster.plan.stack_table import stack_keys
from neuron_cluster.protocol.registry import registered_operations

WAITS = (
    "An endpoint, a NAT gateway, a load balancer, instances or a database take some minutes to go: a command after "
    "them that ends with DependencyViolation succeeds then"
)


def made_by_pods(plan: AnyEnvironment, destination: Destination) -> list[LeftOver]:
    """Load balancers in the VPC and volumes of claims, which the deletion of the cluster leaves."""
    vpc = _vpc(_held(plan, destination))
    balancers = list(_load_balancers(destination, vpc)) if vpc else []
    return balancers + list(_volumes(plan, destination))


def made_in_network(plan: AnyEnvironment, destination: Destination) -> list[LeftOver]:
    """Returns resources of others in the VPC, before a deletion: without those of the services of the stacks."""
    held = _held(plan, destination)
    vpc = _vpc(held)
    return ForeignResources(destination, plan.name, vpc, _ours(plan, held)).of_others() if vpc else []


def in_the_way(plan: AnyEnvironment, destination: Destination) -> list[LeftOver]:
    """Returns what blocks the deletion of the VPC, its subnets or groups after one that failed, as far as AWS answers.

    While the cluster is there, interfaces and groups may be those of its services: they are left out.
    """
    held = _held(plan, destination)
    vpc = _vpc(held)
    if not vpc:
        return []
    owners = {kind for operations in registered_operations() for kind in operations.interface_owners.values()}
    foreign = ForeignResources(destination, plan.name, vpc, _ours(plan, held))
    found = foreign.of_others() if any(each.type in owners for each in held) else foreign.everything()
    return [*foreign.answered(lambda: _load_balancers(destination, vpc)), *found]


def left_over_lines(found: Collection[LeftOver]) -> list[str]:
    """Each thing, and on a line of its own the command that deletes it."""
    return [line for each in found for line in (f"  {each.what}", f"    {each.command}")]


def _held(plan: AnyEnvironment, destination: Destination) -> list[StackResource]:
    """The resources of all stacks of the environment that are not deleted yet."""
    return [each for name in _stack_names(plan) for each in resources(destination.target, name)]


def _stack_names(plan: AnyEnvironment) -> list[str]:
    return [plan.stack_name(stack_key) for stack_key in stack_keys()]


def _ours(plan: AnyEnvironment, held: Collection[StackResource]) -> frozenset[str]:
    """Names of the stacks, and ids of their resources."""
    return frozenset((*_stack_names(plan), *(each.physical_id for each in held if each.physical_id)))


def _vpc(held: Collection[StackResource]) -> str:
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
