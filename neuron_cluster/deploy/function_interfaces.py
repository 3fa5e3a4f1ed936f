"""Network interfaces of the cluster's Lambda functions, which outlive them and hold the network's subnets and groups.

Lambda reclaims them 20 to 45 minutes after the functions are gone, unless their roles are gone too: then they stay,
``available``. Source: aws/aws-cdk#34400, awslabs/aws-support-tools#174.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.vpc_contents import NetworkInterface, delete_interface, interfaces_of_groups
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.stack_names import AnyEnvironment
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.core_stacks import NETWORK

PREFIX = "AWS Lambda VPC ENI-"
LONGEST_WAIT_MINUTES = 45
AWS_PAUSE_SECONDS, LOCAL_PAUSE_SECONDS = 15.0, 0.2
LOOKS = LONGEST_WAIT_MINUTES * 60 // int(AWS_PAUSE_SECONDS)


class InterfacesLeftError(ToolkitError):
    """Lambda has not reclaimed the interfaces of deleted functions in time."""

    finding_id = "E9529"


def wait_for_interfaces(
    plan: AnyEnvironment,
    destination: Destination,
    show: Callable[[int, int], None],
    pause: Callable[[float], None] = time.sleep,
    *,
    looks: int = LOOKS,
) -> None:
    """Deletes what is free of them, and waits for the others: before the network's deletion, which they would fail.

    ``show`` gets how many are gone, and how many there were. Raises ``InterfacesLeftError`` after the longest wait.
    """
    first = found = _left(plan, destination)
    seconds = LOCAL_PAUSE_SECONDS if destination.is_local else AWS_PAUSE_SECONDS
    for _ in range(looks):
        for each in found:
            if not each.is_attached:
                delete_interface(destination.target, each.id)
        if not found:
            return
        show(len(first) - len(found), len(first))
        pause(seconds)
        found = _left(plan, destination)
    raise InterfacesLeftError(
        f"after {LONGEST_WAIT_MINUTES} minutes Lambda still holds {_named(found)}: the network cannot be deleted",
        hint="run the same command again later: it continues from here, and deletes interfaces that are available then",
    )


def _left(plan: AnyEnvironment, destination: Destination) -> list[NetworkInterface]:
    """Returns the interfaces of functions in the environment's security groups: other functions in the VPC are kept."""
    held = resources(destination.target, plan.stack_name(NETWORK.stack_key))
    ours = {each.physical_id for each in held if each.type == "AWS::EC2::SecurityGroup" and each.physical_id}
    found = interfaces_of_groups(destination.target, sorted(ours)) if ours else []
    return [each for each in found if each.description.startswith(PREFIX)]


def _named(found: Sequence[NetworkInterface]) -> str:
    return f"{len(found)} network interface{'' if len(found) == 1 else 's'} ({', '.join(each.id for each in found)})"
