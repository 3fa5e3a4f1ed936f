"""The plan as tables and as data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.config.loader import load_environment
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.addon_plan import DeviceManagementPlan
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.eks.report.cluster_page import cluster_tables
from neuron_cluster.report.marks import Marks
from neuron_cluster.report.plan_page import plan_as_data, plan_tables
from neuron_cluster.table import Table

CATALOG = load_catalog()

PRIVATE = Path(__file__).parents[3] / "environments" / "private-trn1.yaml"


@pytest.fixture(scope="module")
def tables(training: ClusterPlan, training_file: Path, catalog: Catalog) -> dict[str, Table]:
    written = load_environment(training_file).source.places
    return {table.title.partition(" ")[0]: table for table in plan_tables(training, catalog, written, 80)}


def cell(table: Table, row: str, column: str) -> str:
    position = table.columns.index(column)
    return next(cells[position] for cells in table.rows if cells[0] == row)


def test_every_stack_is_listed_with_what_it_holds(tables: dict[str, Table], training: ClusterPlan) -> None:
    rows = tables["train-trn1:"].rows
    assert [row[0] for row in rows] == [training.stack_name(stack_key) for stack_key in training.stacks]
    assert all(row[1] for row in rows)


def test_addresses_are_counted_without_those_aws_keeps(tables: dict[str, Table]) -> None:
    assert tables["Network"].rows[0] == ("usw2-az4", "private", "10.20.0.0/19", "8,187", "NAT in usw2-az4")


def test_endpoints_show_price_caller_and_purpose(catalog: Catalog) -> None:
    plan = check_environment(PRIVATE).require_plan()
    (table,) = (each for each in plan_tables(plan, catalog, (), 100) if each.title.startswith("VPC endpoints"))
    assert [row[:3] for row in table.rows if row[0] in ("fsx", "s3")] == [
        ("fsx", "$14.60", "fsx_csi_driver"),
        ("s3", "free", "nodes"),
    ]
    assert all(row[3] for row in table.rows)


def test_machines_show_chips_cards_and_prices(tables: dict[str, Table]) -> None:
    machines = tables["Instances"]
    assert cell(machines, "Neuron devices, each node", "trn1") == "16 x trainium"
    assert cell(machines, "Neuron devices at desired", "trn1") == "256"
    assert cell(machines, "EFA", "trn1") == "8 on cards 0-7 (1 efa, 7 efa-only)"
    assert cell(machines, "EFA", "system").startswith("none")


def test_what_the_file_does_not_say_is_marked(tables: dict[str, Table]) -> None:
    machines = tables["Instances"]
    assert cell(machines, "placement group", "trn1") == "cluster *"
    assert cell(machines, "purchase option", "trn1") == "on demand"
    assert cell(machines, "purchase option", "system") == "on demand *"


def test_the_way_to_neuron_devices_is_shown_with_its_reason(tables: dict[str, Table]) -> None:
    way = cell(tables["Cluster"], "Neuron devices", "value")
    assert "aws.amazon.com/neuron" in way
    assert way.endswith("neuron_dra_driver is not on *")
    assert cell(tables["Cluster"], "Auto Mode", "value") == "off *"


def test_the_dra_driver_and_auto_mode_are_shown_where_they_are_asked_for(
    training: ClusterPlan, catalog: Catalog
) -> None:
    assert training.kubernetes is not None
    management = DeviceManagementPlan(("eks", "addons", "neuron_dra_driver"), ("dra",), "it is asked for")
    eks = replace(training.kubernetes, device_management=management, auto_mode=True)
    written = {("eks", "auto_mode"), management.path}
    tables = plan_tables(replace(training, providers=(eks,)), catalog, written, 80)
    (table,) = [table for table in tables if table.title.startswith("Cluster ")]
    assert cell(table, "Neuron devices", "value").endswith("device class neuron.aws.com): it is asked for")
    assert "price is in no sum" in cell(table, "Auto Mode", "value")


@pytest.mark.parametrize(("width", "tables_of_machines"), [(80, 1), (60, 2), (200, 1)])
def test_machines_are_cut_into_tables_that_fit(
    training: ClusterPlan, catalog: Catalog, width: int, tables_of_machines: int
) -> None:
    found = [table for table in plan_tables(training, catalog, (), width) if table.title == "Instances"]
    assert len(found) == tables_of_machines
    assert sorted(name for table in found for name in table.columns[1:]) == ["system", "trn1"]


def test_what_kubernetes_alone_has_is_shown_of_its_groups_alone(
    two_clusters: ClusterPlan, catalog: Catalog, plan_of: Callable[..., Any]
) -> None:
    of_kubernetes = ("neuroncore, each node", "AMI type", "pods, each instance", "taints", "node repair")
    (alone,) = [each for each in plan_tables(plan_of("slurm-trn1"), catalog, (), 200) if each.title == "Instances"]
    assert not {*of_kubernetes} & {row[0] for row in alone.rows}
    assert cell(alone, "NeuronCores, each", "trn1") == "32"
    (both,) = [each for each in plan_tables(two_clusters, catalog, (), 200) if each.title == "Instances"]
    assert [cell(both, row, "trn1") for row in of_kubernetes] == ["-"] * len(of_kubernetes)
    assert cell(both, "neuroncore, each node", "serve") == "12"
    assert cell(both, "queue", "trn1") == "training, everything"


def test_data_is_json_and_holds_plan_stacks_and_price(training: ClusterPlan, catalog: Catalog) -> None:
    data = json.loads(json.dumps(plan_as_data(training, catalog)))
    assert data["plan"]["eks"]["node_groups"][1]["machine"]["interfaces"][7]["interface_type"] == "efa-only"
    assert data["stacks"][0] == "train-trn1-network"
    assert data["price"]["groups"][1]["as_of"]


def test_charts_say_what_they_come_after_and_objects_what_they_wait_for(plan_of: Callable[..., Any]) -> None:
    tables = {table.title: table for table in cluster_tables(plan_of("train-trn2").kubernetes, Marks(set()), CATALOG)}
    charts = {row[1]: row for row in tables["Helm charts, in order"].rows}
    assert charts["kueue"][-2:] == ("waited for", "coredns, jobset")
    assert charts["neuron"][-2:] == ("", "")
    objects = tables["Objects after the charts"].rows
    assert ("ClusterQueue", "training", "kueue, ResourceFlavor trn2") in objects
    plain = {table.title for table in cluster_tables(plan_of("dev-inf2").kubernetes, Marks(set()), CATALOG)}
    assert "Objects after the charts" not in plain
