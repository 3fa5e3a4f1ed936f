"""Protections of a durable environment: which there are, and turning them off before a destroy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from neuron_cluster.aws.cloudformation import Stack, resources, set_termination_protection
from neuron_cluster.aws.eks import cluster, turn_off_deletion_protection
from neuron_cluster.aws.session import Target
from neuron_cluster.deploy.stack_names import AnyEnvironment
from neuron_cluster.plan.stack_table import protectable_parts


class Protection(Struct, frozen=True):
    """What refuses a deletion: the termination protection of a stack, or EKS's deletion protection of a cluster."""

    stack: str
    cluster: str | None = None

    @property
    def in_words(self) -> str:
        if self.cluster is not None:
            return f"deletion protection of the EKS cluster {self.cluster}"
        return f"termination protection of the stack {self.stack}"


def protections(target: Target, plan: AnyEnvironment, stacks: Sequence[Stack]) -> list[Protection]:
    """Those of our stacks among ``stacks`` that are on; the protection of another stack is a person's wish."""
    ours = {plan.stack_name(part) for part in protectable_parts()}
    return [found for stack in stacks if stack.name in ours for found in _of_stack(target, stack)]


def turn_off(target: Target, found: Sequence[Protection]) -> None:
    """Turns them off. Raises ``ToolkitError`` when AWS refuses; running the same again goes on."""
    for protection in found:
        if protection.cluster is not None:
            turn_off_deletion_protection(target, protection.cluster)
        else:
            set_termination_protection(target, protection.stack, on=False)


def _of_stack(target: Target, stack: Stack) -> Iterator[Protection]:
    for resource in resources(target, stack.name):
        if resource.type == "AWS::EKS::Cluster" and resource.physical_id:
            present = cluster(target, resource.physical_id)
            if present is not None and present.is_protected:
                yield Protection(stack.name, present.name)
    if stack.is_protected:
        yield Protection(stack.name)
