"""Deployed stacks for which the file has no key any more: a deploy deletes them after everything else."""

from __future__ import annotations

from collections.abc import Iterator

from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.base import Guard, Violation
from neuron_cluster.plan.node_stacks import NODE_STACKS
from neuron_cluster.plan.stack_table import spec_of_stack, stack_spec


class StackLeftOver(Guard):
    """Every deployed stack of the environment has a key in the file.

    With the last workstation, or without `observability`, no key of the file makes their stack, which would be billed
    on. A deploy deletes it, as it deletes any other resource that is taken out of the file; a stack that holds state or
    the cluster is an error instead (E9002, E9004), and one with termination protection ends in a failure.
    """

    id = "W9504"
    only_without_errors = True

    def check(self, comparison: Comparison) -> Iterator[Violation]:
        """Once for each stack that would be deleted."""
        for stack in sorted(comparison.gone_stacks):
            yield _violation(comparison, stack)


def key_of(stack: str) -> str:
    """The key of the file that makes the stack."""
    spec = spec_of_stack(stack)
    return spec.key if spec is not None else _node_groups_key()


def _node_groups_key() -> str:
    return stack_spec(NODE_STACKS[0]).key


def _violation(comparison: Comparison, stack: str) -> Violation:
    count = sum(address.stack == stack for address in comparison.removed)
    key = key_of(stack)
    back = f"its node groups back into {key}" if key == _node_groups_key() else f"{key} back into the file"
    return Violation(
        Address(stack, ""),
        f"no key of the file creates the stack {stack} any longer: a deploy deletes it with its {count} "
        f"resource{'' if count == 1 else 's'}, after everything else",
        f"to keep it, put {back}",
    )
