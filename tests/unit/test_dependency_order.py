"""Dependencies come first, and nothing waits in a circle."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neuron_cluster.dependency_order import in_order


def test_needs_come_first_and_the_rest_keeps_its_order() -> None:
    assert in_order({"a": ["c"], "b": [], "c": []}) == ("b", "c", "a")


def test_a_need_that_nobody_brings_is_there_already() -> None:
    assert in_order({"a": ["coredns"]}) == ("a",)


def test_a_circle_is_an_error() -> None:
    with pytest.raises(ValueError, match="cycle"):
        in_order({"a": ["b"], "b": ["a"], "c": []})


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no finding
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30))
def test_in_any_graph_without_circles_every_need_is_before_its_user(edges: list[tuple[int, int]]) -> None:
    needs: dict[str, list[str]] = {str(name): [] for name in range(10)}
    for one, other in edges:
        if one != other:
            needs[str(max(one, other))].append(str(min(one, other)))
    order = in_order(needs)
    assert sorted(order) == sorted(needs)
    assert all(order.index(need) < order.index(name) for name, all_needs in needs.items() for need in all_needs)
