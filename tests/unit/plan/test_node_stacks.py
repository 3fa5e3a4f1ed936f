"""Fifty node groups stand in a stack, and none changes its stack when the environment grows."""

from __future__ import annotations

import pytest

from neuron_cluster.deploy.stack_names import PARTS
from neuron_cluster.plan.node_stacks import GROUPS_PER_STACK, NODE_STACKS, divided


def names(number: int) -> list[str]:
    return [f"g{position}" for position in range(number)]


def places(number: int) -> dict[str, str]:
    return {group: stack for stack, groups in divided(names(number)).items() for group in groups}


@pytest.mark.parametrize(
    ("number", "sizes"),
    [(0, [0]), (1, [1]), (50, [50]), (51, [50, 1]), (200, [50, 50, 50, 50]), (201, [50, 50, 50, 51])],
)
def test_groups_fill_one_stack_after_the_other(number: int, sizes: list[int]) -> None:
    stacks = divided(names(number))
    assert [len(groups) for groups in stacks.values()] == sizes
    assert tuple(stacks) == NODE_STACKS[: len(sizes)]
    assert [group for groups in stacks.values() for group in groups] == names(number)


def test_no_group_moves_when_groups_are_appended() -> None:
    for number in range(1, 130, 7):
        before, after = places(number), places(number + 60)
        assert {group: after[group] for group in before} == before


def test_the_number_of_groups_in_a_stack_is_a_promise() -> None:
    assert GROUPS_PER_STACK == 50, "another number moves groups that run from stack to stack: see ADR 0007"


def test_destroy_looks_for_every_stack_that_there_can_be() -> None:
    assert [part for part in PARTS if part in NODE_STACKS] == list(NODE_STACKS)
    assert PARTS.index("cluster") < PARTS.index(NODE_STACKS[0])
    assert PARTS.index(NODE_STACKS[-1]) < PARTS.index("software")
