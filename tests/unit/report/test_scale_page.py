"""Limits and how close an environment comes to them, as a table and as data."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.limit_use import LimitUse
from neuron_cluster.plan.scale import build_scale
from neuron_cluster.report.scale_page import scale_as_data, scale_table, source_lines

USE = LimitUse(
    name="nodes_per_managed_node_group",
    path=("eks",),
    what="group trn1",
    unit="nodes",
    used=360,
    limit=450,
    adjustable=True,
    advice=False,
    is_least=False,
    source="a page",
    doubt="",
    own_rule=True,
)


@pytest.mark.parametrize(
    ("changed", "row"),
    [
        ({}, ("360", "450", "80%", "yes")),
        ({"adjustable": False}, ("360", "450", "80%", "no")),
        ({"adjustable": False, "advice": True}, ("360", "450", "80%", "advice")),
        ({"doubt": "by hearsay"}, ("360", "450 ?", "80%", "yes")),
        ({"is_least": True, "used": 1000}, (">1,000", "450", "222%", "yes")),
    ],
)
def test_a_row_says_use_limit_share_and_whether_it_can_be_raised(changed: dict, row: tuple[str, ...]) -> None:
    (found,) = scale_table([replace(USE, **changed)], "limits").rows
    assert found == ("nodes_per_managed_node_group", "group trn1", *row)


def test_data_is_json_with_the_share(training: ClusterPlan, catalog: Catalog) -> None:
    found = json.loads(json.dumps(scale_as_data(build_scale(training, catalog))))
    group = next(row for row in found if row["name"] == "nodes_per_managed_node_group")
    assert (group["used"], group["limit"], group["share"]) == (16, 450, 0.0356)
    assert {"source", "adjustable", "advice", "doubt", "unit", "what"} <= set(group)


def test_each_source_is_named_once_with_its_limits() -> None:
    other = replace(USE, name="managed_node_groups_per_cluster")
    lines = source_lines([USE, other, replace(USE, what="another"), replace(USE, source="b page", name="x")])
    assert lines == ["a page: nodes_per_managed_node_group, managed_node_groups_per_cluster", "b page: x"]
