"""Every row that ships is valid, sourced and dated, and the rows of one file agree with those of the others."""

import inspect
import re
from datetime import date

import pytest

from neuron_cluster.catalog.catalog import Catalog, load_catalog
from neuron_cluster.catalog.source_data import DATA_DIRECTORY
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table
from tests.every_case import every_case

CATALOG = load_catalog()
TABLES: dict[str, Table[SourcedRow]] = dict(
    inspect.getmembers_static(Catalog, lambda member: isinstance(member, Table))
)
ROWS: dict[str, SourcedRow] = {f"{name}-{row.name}": row for name, table in TABLES.items() for row in table}


SOURCES_IN_WORDS = {
    *("beyond_schemas", "model_families", "node_failure_rates", "placeholder_accounts", "public_indexes"),
    *("published_code", "resource_schemas"),
}
"""Tables with rows whose source is a package, or no page."""


def test_every_table_has_rows() -> None:
    assert len(TABLES) > 60
    assert [name for name, table in TABLES.items() if not table.rows] == []


def test_every_data_file_is_read_by_one_table() -> None:
    further = DATA_DIRECTORY / "service_principals_documented.yaml"
    places = [table.place for table in TABLES.values()]
    assert sorted([*places, further]) == sorted(file for file in DATA_DIRECTORY.iterdir() if file.name != "__pycache__")


def test_every_row_has_a_source_and_a_date() -> None:
    source = re.compile(r"https://|[\w-]+/[\w.-]+|moto \d|this toolkit")
    rows = {f"{name}-{row.name}": row for name in TABLES.keys() - SOURCES_IN_WORDS for row in TABLES[name]}
    assert [name for name, row in rows.items() if not source.search(row.source)] == []
    known = {name: row.checked_on for name, row in ROWS.items()}
    assert [name for name, day in known.items() if day < date(2026, 1, 1)] == []


def test_every_doubt_gives_a_reason() -> None:
    assert [name for name, row in ROWS.items() if any(len(reason) <= 10 for reason in row.doubt.values())] == []


@every_case("name", [str(path.relative_to(DATA_DIRECTORY)) for path in sorted(DATA_DIRECTORY.rglob("*.yaml"))])
def test_no_data_file_holds_a_tab_or_a_space_at_a_line_s_end(name: str) -> None:
    text = (DATA_DIRECTORY / name).read_text()
    assert not re.search(r"\t|[ \t]$", text, re.MULTILINE)


def test_every_instance_type_s_zones_are_zones_of_their_region() -> None:
    for row in CATALOG.instance_types:
        for region, zone_ids in row.zone_ids.items():
            assert set(zone_ids) <= set(CATALOG.regions.zone_ids(region)), (row.name, region)


def test_every_instance_type_s_ami_type_is_known_and_drives_its_chip() -> None:
    for row in CATALOG.instance_types:
        ami_type = CATALOG.ami_types.get(row.eks_ami_type or "")
        assert (ami_type is not None) == row.can_be_planned, row.name
        if ami_type is not None and row.chip is not None and row.chip not in ami_type.chips:
            assert row.doubt_about("eks_ami_type"), row.name


def test_no_root_volume_minimum_is_below_that_of_the_image() -> None:
    for row in CATALOG.instance_types:
        ami_type = CATALOG.ami_types.get(row.eks_ami_type or "")
        if ami_type is not None and row.root_volume_minimum_gib is not None:
            assert row.root_volume_minimum_gib >= ami_type.root_volume_minimum_gib


def test_prices_are_for_regions_that_offer_the_type_or_of_which_no_zone_is_known() -> None:
    known = {region.name for region in CATALOG.regions}
    for row in CATALOG.instance_types:
        assert set(row.on_demand_usd_hour) & known <= set(row.zone_ids), row.name


def test_the_neuron_chart_reaches_every_neuron_type() -> None:
    chart = CATALOG.charts.get("neuron-helm-chart")
    assert chart is not None
    assert {row.name for row in CATALOG.instance_types if row.chip and row.launchable} <= set(chart.instance_types)


def test_the_efa_chart_reaches_every_neuron_type_with_efa() -> None:
    chart = CATALOG.charts.get("aws-efa-k8s-device-plugin")
    assert chart is not None
    with_efa = {row.name for row in CATALOG.instance_types if row.chip and row.launchable and row.efa_interfaces}
    assert with_efa <= set(chart.instance_types)


@pytest.mark.parametrize(
    ("table", "wrong", "expected"),
    [
        ("instance_types", "trn1.32xl", "trn1.32xlarge"),
        ("regions", "us-west2", "us-west-2"),
        ("neuron_sdks", "2.32", "2.32.0"),
        ("service_principals", "ec2.amazonaws.co", "ec2.amazonaws.com"),
    ],
)
def test_a_wrong_name_is_answered_with_near_names(table: str, wrong: str, expected: str) -> None:
    assert TABLES[table].similar(wrong)[0] == expected


@pytest.mark.parametrize("table", TABLES)
def test_every_row_is_found_by_its_name_and_an_unknown_name_is_not(table: str) -> None:
    assert all(TABLES[table].get(row.name) is row for row in TABLES[table])
    assert TABLES[table].get("no such thing") is None


def test_no_table_of_a_catalog_can_be_replaced() -> None:
    with pytest.raises(AttributeError):
        CATALOG.instance_types = CATALOG.instance_types.with_rows(())


def test_a_subclass_has_other_rows_and_the_shipped_catalog_keeps_its_own() -> None:
    class Smaller(Catalog):
        chips = Catalog.chips.with_rows(Catalog.chips.rows[:1])

    assert len(Smaller().chips) == 1
    assert len(CATALOG.chips) > 1
