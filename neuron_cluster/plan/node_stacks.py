"""Which stack holds which node group: the first fifty in the first, the next fifty in the second (ADR 0007)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

Group = TypeVar("Group")

GROUPS_PER_STACK = 50
"""Never changed: another number would move groups from stack to stack, and so replace them.

A group is three resources and, at the most, about 20 KB of a template, of which CloudFormation takes 1 MB.
"""

NODE_STACKS = ("nodes", "nodes-2", "nodes-3", "nodes-4")
"""All that an environment can have, whatever its file says today: `destroy` looks for each of them."""


def divided(groups: Sequence[Group]) -> Mapping[str, tuple[Group, ...]]:
    """The stacks that there are, with their groups by position; the first is there without a group too.

    Groups beyond the last stack stay in it: rule E2015 refuses them.
    """
    last = len(NODE_STACKS) - 1
    stacks: dict[str, tuple[Group, ...]] = {NODE_STACKS[0]: ()}
    for position, group in enumerate(groups):
        name = NODE_STACKS[min(position // GROUPS_PER_STACK, last)]
        stacks[name] = (*stacks.get(name, ()), group)
    return stacks
