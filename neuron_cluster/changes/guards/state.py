"""A deploy neither replaces nor orphans resources that hold data."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.file_system_move import FILE_SYSTEM, move_steps
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.changes.replacement_cause import why_replaced
from neuron_cluster.changes.resource_name import home_name, name_in
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.findings.commands import Command

KEEPING = ("Retain", "RetainExceptOnCreate", "Snapshot")
"""Deletion policies of what holds state: the author of the template decided so, whatever the type."""

MIGRATE = (
    "undo the edit to keep the data where it is. To move it: deploy a second environment with the new setting under "
    f"another name, copy the data, then `{Command.DESTROY_WITH_DATA}`"
)
REMOVE = (
    "put it back into the file. To delete it together with its data: copy what you need, then "
    f"`{Command.DESTROY_WITH_DATA}`, then deploy the edited file"
)
REMOVE_HOME = (
    "put it back into the file. To delete it alone: copy what you need, deploy with no workstation that mounts it, "
    f"take it out of storage.homes, then `{Command.DESTROY_WITH_DATA} --home {{}}`, then deploy the edited file"
)
VOLUME = "AWS::EC2::Volume"

IN_A_CLUSTER = "Custom::AWSCDK-EKS-"
"""Objects inside a cluster, such as namespaces: the cluster manages what the template keeps of them."""


def holds_state(stacks: StackSet, address: Address) -> bool:
    """Whether the template keeps this resource of AWS when its stack is deleted."""
    resource = stacks.resource(address)
    return resource.get("DeletionPolicy") in KEEPING and not resource["Type"].startswith(IN_A_CLUSTER)


class StateReplaced(Guard):
    """No edit replaces a resource that holds data.

    A bucket, file system, key or volume that is replaced starts empty; the data would stay in the old one, which no
    stack manages. Some properties can be set at creation only, and a replacement of what a resource depends on (its
    subnet, its key) replaces it too.
    """

    id = "E9001"
    source = (
        "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-updating-stacks-update-behaviors.html"
    )

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in comparison.replaced:
            if holds_state(comparison.before, address) or holds_state(comparison.after, address):
                yield Violation(
                    address,
                    f"{name_in(comparison, address)} holds data and would be replaced by an empty one, because "
                    f"{why_replaced(comparison, address)}",
                    _way_to_move(comparison, address),
                )


def _way_to_move(comparison: Comparison, address: Address) -> str:
    if comparison.type_of(address) != FILE_SYSTEM:
        return MIGRATE
    steps = move_steps(comparison.before, comparison.after, address, comparison.catalog)
    return f"undo the edit to keep the data where it is. To move it: {steps}"


class StateOrphaned(Guard):
    """A resource that holds data is not removed from the file.

    It would be retained and billed, and no stack would manage it any more.
    """

    id = "E9002"
    source = "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html"

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        for address in comparison.removed:
            if holds_state(comparison.before, address):
                yield Violation(
                    address,
                    f"{name_in(comparison, address)} holds data and is no longer in the file: a deploy would orphan "
                    "it, retained and billed, managed by no stack",
                    _way_to_remove(comparison, address),
                )


def _way_to_remove(comparison: Comparison, address: Address) -> str:
    name = home_name(comparison.before.properties(address)) if comparison.type_of(address) == VOLUME else ""
    if not name or address.stack in comparison.gone_stacks:
        return REMOVE
    return REMOVE_HOME.format(name)
