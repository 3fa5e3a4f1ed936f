"""The stacks that an environment can have, whatever is in its file today."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from neuron_cluster.aws.cloudformation import Stack, stacks_named
from neuron_cluster.aws.session import Target
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.stack_table import stack_keys

NOT_MADE = frozenset({"REVIEW_IN_PROGRESS", "ROLLBACK_COMPLETE"})
"""Statuses of a stack without resources: its first change is only planned, or was rolled back."""


NOT_THERE = "not there"
"""In place of a status: there is no such stack."""


class EnvironmentName(Struct, frozen=True):
    """An environment without its file: enough to remove what is deployed."""

    name: str
    account: str
    region: str
    partition: str

    def stack_name(self, stack_key: str) -> str:
        """CloudFormation name of one stack."""
        return f"{self.name}-{stack_key}"


AnyEnvironment = ClusterPlan | EnvironmentName
"""An environment with stacks: as a file describes it, or only its name."""


def deployed_stacks(target: Target, plan: AnyEnvironment) -> dict[str, Stack]:
    """The stacks of this environment that exist, by key, in deploy order."""
    keys = {plan.stack_name(stack_key): stack_key for stack_key in stack_keys()}
    return {keys[name]: present for name, present in stacks_named(target, keys).items()}


def stack_states(target: Target, names: Sequence[str]) -> list[tuple[str, str]]:
    """CloudFormation's status of each stack by name; ``not there`` for one that does not exist."""
    found = stacks_named(target, names)
    return [(name, found[name].status if name in found else NOT_THERE) for name in names]
