"""Which stack holds which node group: ``system`` those without Neuron devices, the rest by fifties (ADR 7 and 16)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

Group = TypeVar("Group")

CLUSTER_STACK = "cluster"
"""The control plane of the Kubernetes cluster."""

SOFTWARE_STACK = "software"
"""Charts and add-ons that need nodes."""

SYSTEM_STACK = "system"
"""Groups without Neuron devices: the software of the cluster runs on them and is deployed after them."""

GROUPS_PER_STACK = 50
"""Never changed: another number would move groups from stack to stack, and so replace them.

A group is three resources and, at the most, about 20 KB of a template, and CloudFormation accepts 1 MB.
"""

NODE_STACKS = ("nodes", "nodes-2", "nodes-3", "nodes-4")
"""Stacks of groups with Neuron devices, deployed after the software; all that an environment can have, whatever is in
its file today: `destroy` looks for each of them."""


def divided(groups: Sequence[Group], is_system: Callable[[Group], bool]) -> Mapping[str, tuple[Group, ...]]:
    """The stacks that have a group, in deploy order, with their groups in the order of the file.

    A place in the file counts every group before it, system groups too, as it did when they had no stack of their own:
    so none moves on the day of the upgrade. Groups beyond the last stack stay in it: rule E2015 rejects them.
    """
    last = len(NODE_STACKS) - 1
    stacks: dict[str, tuple[Group, ...]] = dict.fromkeys((SYSTEM_STACK, *NODE_STACKS), ())
    for position, group in enumerate(groups):
        stack_key = SYSTEM_STACK if is_system(group) else NODE_STACKS[min(position // GROUPS_PER_STACK, last)]
        stacks[stack_key] = (*stacks[stack_key], group)
    return {stack_key: held for stack_key, held in stacks.items() if held}
