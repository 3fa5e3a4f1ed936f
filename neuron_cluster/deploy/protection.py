"""Protections of a durable environment: which there are, and turning them off before a destroy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from neuron_cluster.aws.cloudformation import Stack, resources, set_termination_protection
from neuron_cluster.aws.session import Target
from neuron_cluster.deploy.stack_names import AnyEnvironment
from neuron_cluster.plan.stack_table import protectable_stack_keys
from neuron_cluster.protocol.operations import ProtectedResource
from neuron_cluster.protocol.registry import registered_operations


class Protection(Struct, frozen=True):
    """A setting that prevents a deletion: termination protection of a stack, or deletion protection of a resource."""

    stack: str
    resource: ProtectedResource | None = None

    @property
    def description(self) -> str:
        return (
            self.resource.description
            if self.resource is not None
            else f"termination protection of the stack {self.stack}"
        )


def protections(target: Target, plan: AnyEnvironment, stacks: Sequence[Stack]) -> list[Protection]:
    """Returns active protections of the toolkit's stacks among ``stacks``; that of another stack is set by a user."""
    ours = {plan.stack_name(stack_key) for stack_key in protectable_stack_keys()}
    return [found for stack in stacks if stack.name in ours for found in _of_stack(target, stack)]


def turn_off(target: Target, found: Sequence[Protection]) -> None:
    """Disables them. Raises ``ToolkitError`` when AWS rejects a call; the same command can be run again."""
    for protection in found:
        if protection.resource is not None:
            protection.resource.turn_off(target)
        else:
            set_termination_protection(target, protection.stack, on=False)


def _of_stack(target: Target, stack: Stack) -> Iterator[Protection]:
    held = resources(target, stack.name)
    for operations in registered_operations():
        yield from (Protection(stack.name, each) for each in operations.protected(target, held))
    if stack.is_protected:
        yield Protection(stack.name)
