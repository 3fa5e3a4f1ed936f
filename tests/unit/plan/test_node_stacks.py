"""System groups are in one stack, others by fifties, and none changes its stack when the environment grows."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from neuron_cluster.plan.node_stacks import GROUPS_PER_STACK, NODE_STACKS, SYSTEM_STACK, divided
from neuron_cluster.plan.stack_table import stack_keys

SYSTEM = "s"


def names(number: int) -> list[str]:
    return [f"g{position}" for position in range(number)]


def stacks(groups: list[str]) -> Mapping[str, tuple[str, ...]]:
    return divided(groups, lambda name: name.startswith(SYSTEM))


def places(groups: list[str]) -> dict[str, str]:
    return {group: stack for stack, held in stacks(groups).items() for group in held}


@pytest.mark.parametrize(
    ("number", "sizes"),
    [(0, []), (1, [1]), (50, [50]), (51, [50, 1]), (200, [50, 50, 50, 50]), (201, [50, 50, 50, 51])],
)
def test_groups_fill_one_stack_after_the_other(number: int, sizes: list[int]) -> None:
    found = stacks(names(number))
    assert [len(groups) for groups in found.values()] == sizes
    assert tuple(found) == NODE_STACKS[: len(sizes)]
    assert [group for groups in found.values() for group in groups] == names(number)


def test_no_group_moves_when_groups_are_appended() -> None:
    for number in range(1, 130, 7):
        before, after = places(names(number)), places(names(number + 60))
        assert {group: after[group] for group in before} == before


def test_a_system_group_is_in_its_own_stack_and_keeps_its_place_among_the_others() -> None:
    """Before it had a stack, it filled one of the fifty places: the fifty-first group must stay where it is."""
    groups = ["s0", *names(50), "s1"]
    assert places(groups) == {"s0": SYSTEM_STACK, "s1": SYSTEM_STACK} | {
        name: place for name, place in places(["g", *names(50)]).items() if name != "g"
    }
    assert stacks(groups)[NODE_STACKS[1]] == ("g49",)


def test_a_stack_without_a_group_is_not_made() -> None:
    assert list(stacks(["s0"])) == [SYSTEM_STACK]
    assert list(stacks([*(f"s{number}" for number in range(50)), "g"])) == [SYSTEM_STACK, NODE_STACKS[1]]


def test_the_number_of_groups_in_a_stack_is_a_promise() -> None:
    assert GROUPS_PER_STACK == 50, "another number moves groups that run from stack to stack: see ADR 0007"


def test_destroy_looks_for_every_stack_that_there_can_be_and_for_neuron_nodes_first() -> None:
    assert [stack_key for stack_key in stack_keys() if stack_key in NODE_STACKS] == list(NODE_STACKS)
    order = [
        stack_key for stack_key in stack_keys() if stack_key in ("cluster", SYSTEM_STACK, "software", *NODE_STACKS)
    ]
    assert order == ["cluster", SYSTEM_STACK, "software", *NODE_STACKS]
