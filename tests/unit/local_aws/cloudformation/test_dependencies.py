"""The order of resources."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from local_aws.cloudformation.dependencies import check_references, creation_order
from local_aws.cloudformation.errors import TemplateError
from local_aws.cloudformation.template import parse_template


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no finding
@given(st.lists(st.sets(st.integers(0, 30)), max_size=12))
def test_everything_comes_once_and_after_what_it_depends_on(edges):
    """Edges are cut so that each name depends on later ones only: there is no cycle."""
    graph = {str(i): [str(j) for j in found if i < j < len(edges)] for i, found in enumerate(edges)}
    order = creation_order(graph)
    assert sorted(order) == sorted(graph)
    assert all(order.index(dependency) < order.index(name) for name in graph for dependency in graph[name])


def test_independent_names_keep_the_order_of_the_template():
    assert creation_order({"B": (), "A": (), "C": ("A",)}) == ["B", "A", "C"]


def test_cycle_names_the_resources_in_it():
    with pytest.raises(TemplateError) as refused:
        creation_order({"Start": ("A",), "A": ("B",), "B": ("C",), "C": ("A",)})
    assert refused.value.message == "Circular dependency between resources: [A, B, C]"


@pytest.mark.parametrize("argument", [["A"], ["A", "Arn", "x"], 5])
def test_an_attribute_of_nothing_is_refused_before_a_stack_begins(argument):
    resources = {"A": {"Type": "T"}, "B": {"Type": "T", "Properties": {"X": {"Fn::GetAtt": argument}}}}
    with pytest.raises(TemplateError, match="every Fn::GetAtt object requires two non-empty parameters"):
        check_references(parse_template(json.dumps({"Resources": resources})))


def test_dependency_on_something_outside_is_no_part_of_the_order():
    assert creation_order({"A": ("Elsewhere",)}) == ["A"]
