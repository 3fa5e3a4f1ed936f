"""State is neither replaced nor orphaned by a deploy."""

from __future__ import annotations

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.wording import place, why_replaced
from neuron_cluster.changes.normal_form import Address
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.findings.finding import Finding

KEEPING = ("Retain", "RetainExceptOnCreate", "Snapshot")
"""Deletion policies of what holds state: the author of the template decided so, whatever the type."""

MIGRATE = (
    "undo the edit to keep the data where it is. To move it: deploy a second environment with the new setting under "
    "another name, copy the data, then `neuron-cluster destroy NAME --delete-data NAME`"
)
REMOVE = (
    "put it back into the file. To be rid of it with its data: copy what you need, then "
    "`neuron-cluster destroy NAME --delete-data NAME`, then deploy the edited file"
)


IN_A_CLUSTER = "Custom::AWSCDK-EKS-"
"""Objects inside a cluster, such as namespaces: what the template keeps of them is in the cluster's care."""


def holds_state(stacks: StackSet, address: Address) -> bool:
    """Whether the template keeps this resource of AWS when its stack is deleted."""
    resource = stacks.resource(address)
    return resource.get("DeletionPolicy") in KEEPING and not resource["Type"].startswith(IN_A_CLUSTER)


def state_refusals(comparison: Comparison) -> list[Finding]:
    """E9001: state would be replaced. E9002: state would be left behind."""
    return [
        Finding(
            "E9001",
            place(address),
            f"{name_in(comparison, address)} holds data and would be replaced by an empty one, because "
            f"{why_replaced(comparison, address)}",
            MIGRATE,
        )
        for address in comparison.replaced
        if holds_state(comparison.before, address) or holds_state(comparison.after, address)
    ] + [
        Finding(
            "E9002",
            place(address),
            f"{name_in(comparison, address)} holds data and is no longer in the file: a deploy would leave it behind, "
            "billed and in no stack",
            REMOVE,
        )
        for address in comparison.removed
        if holds_state(comparison.before, address)
    ]
