"""Instances of others in the VPC: each by itself, or what would start it again after its end."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from neuron_cluster.aws.vpc_resources import VpcResource
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.left_over_item import LeftOver

OF_THIS_TOOLKIT = "neuron-cluster:"
"""How tags begin that the toolkit gives instances."""


class Starter(Struct, frozen=True):
    """A resource that starts instances, which AWS names in a tag of them."""

    tag: str
    noun: str
    operation: str
    option: str


STARTERS = (
    Starter(
        "aws:cloudformation:stack-name",
        "CloudFormation stack with all its resources",
        "cloudformation delete-stack",
        "stack_name",
    ),
    Starter(
        "aws:autoscaling:groupName",
        "Auto Scaling group",
        "autoscaling delete-auto-scaling-group --force-delete",
        "auto_scaling_group_name",
    ),
    Starter("aws:ec2:fleet-id", "EC2 Fleet", "ec2 delete-fleets --terminate-instances", "fleet_ids"),
    Starter(
        "aws:ec2spot:fleet-request-id",
        "Spot Fleet request",
        "ec2 cancel-spot-fleet-requests --terminate-instances",
        "spot_fleet_request_ids",
    ),
)
"""The first whose tag an instance has decides: a group may be of a stack, and starts its instances with a fleet.

Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-resource-tags.html;
https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-tagging.html
"""


def instances_of_others(
    found: Sequence[VpcResource], of_services: Collection[str], ours: Collection[str]
) -> list[VpcResource]:
    """Without those of the toolkit, of the services of its providers, and of stacks, groups and fleets of ours.

    ``of_services`` are how tags of services begin, ``ours`` the names and ids of stacks and of their resources.
    """
    hidden = (OF_THIS_TOOLKIT, *of_services)
    starters = [each.tag for each in STARTERS]
    return [
        each
        for each in found
        if not any(key.startswith(hidden) for key in each.tags)
        and not any(each.tags.get(tag) in ours for tag in starters)
    ]


def instance_items(destination: Destination, found: Sequence[VpcResource]) -> Iterator[LeftOver]:
    """Instances that nothing starts again, then what starts others."""
    started: dict[tuple[Starter, str], list[str]] = {}
    for each in found:
        starter = next((kind for kind in STARTERS if kind.tag in each.tags), None)
        if starter is not None:
            started.setdefault((starter, each.tags[starter.tag]), []).append(each.id)
            continue
        name = f", {each.tags['Name']}" if each.tags.get("Name") else ""
        yield LeftOver(
            f"instance {each.id} ({each.detail}{name}), whose root volume goes with it",
            destination.aws_command("ec2 terminate-instances", instance_ids=each.id),
        )
    for (starter, name), ids in started.items():
        yield LeftOver(
            f"{starter.noun}: {name}, which started {', '.join(ids)}",
            destination.aws_command(starter.operation, **{starter.option: name}),
        )
