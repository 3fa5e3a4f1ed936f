"""The addresses of every subnet as a table and as data."""

from __future__ import annotations

from msgspec.structs import replace

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.addresses_page import addresses_as_data, addresses_table


def test_each_subnet_has_what_is_needed_by_purpose_and_what_is_left(training: ClusterPlan) -> None:
    table = addresses_table(training)
    assert table.columns == ("subnet", "has", "nodes", "EKS", "ELB", "FSx", "other", "left", "efa_all")
    assert table.rows[0] == ("usw2-az4 private", "8,187", "4,240", "6", "8", "5", "1", "3,927", "+112")
    assert table.rows[3] == ("usw2-az1 public", "1,019", "-", "-", "8", "-", "-", "1,011", "-")


def test_a_purpose_of_no_subnet_is_left_out(training: ClusterPlan) -> None:
    assert "endp." not in addresses_table(training).columns


def test_the_column_of_efa_all_is_left_out_where_no_interface_would_get_an_address(training: ClusterPlan) -> None:
    addresses = tuple(replace(each, needs=tuple(replace(need, saved=0) for need in each.needs))
                      for each in training.addresses)  # fmt: skip
    table = addresses_table(replace(training, addresses=addresses))
    assert table.columns[-1] == "left"
    assert {len(row) for row in table.rows} == {len(table.columns)}
    assert "efa_all" not in table.note


def test_a_lower_bound_is_marked_and_explained(training: ClusterPlan) -> None:
    first, *others = training.addresses
    needs = tuple(replace(need, is_least=need.words == "trn1") for need in first.needs)
    table = addresses_table(replace(training, addresses=(replace(first, needs=needs), *others)))
    assert table.rows[0][2] == ">4,240"
    assert table.rows[1][2] == "240"
    assert ">: at least" in table.note
    assert "at least so many" not in addresses_table(training).note


def test_nodes_of_auto_mode_are_said_not_to_be_counted(training: ClusterPlan) -> None:
    assert training.kubernetes is not None
    table = addresses_table(replace(training, providers=(replace(training.kubernetes, auto_mode=True),)))
    assert "Auto Mode are not counted" in table.note


def test_data_holds_the_sums_beside_each_need(training: ClusterPlan) -> None:
    first = addresses_as_data(training)[0]
    assert first["needed"] == sum(need["count"] * need["each"] for need in first["needs"]) == 4260
    assert first["has"] - first["needed"] == first["left"] == 3927
    assert sum(first["by_purpose"].values()) == first["needed"]
    assert first["efa_all_would_add"] == 112


def test_the_column_of_two_control_planes_names_neither(two_clusters: ClusterPlan) -> None:
    table = addresses_table(two_clusters)
    column = table.columns.index("control plane")
    assert [row[column] for row in table.rows] == ["7", "6", "-", "-"]
    assert "Control plane and ELB: " in table.note
