"""The catalog as tables and as data."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.report.catalog_page import PAGES, unknown_row
from neuron_cluster.report.catalog_table import DOUBT_MARK, DOUBT_NOTE, row_table, rows_as_data, rows_table


def in_one_line(name: str) -> str:
    """Long names stand on two lines of a cell, doubtful ones bear the mark."""
    return name.removesuffix(DOUBT_MARK).replace(":\n", ":").replace("\n", " ")


@pytest.mark.parametrize("kind", PAGES)
def test_every_kind_has_rows_whose_data_is_json_with_source_and_date(kind: str, catalog: Catalog) -> None:
    rows = PAGES[kind].rows(catalog)
    data = json.loads(json.dumps(rows_as_data(rows)))
    assert data
    assert all(row["source"] and row["checked_on"] for row in data)
    assert [in_one_line(cells[0]) for cells in rows_table(PAGES[kind], rows).rows] == [row.name for row in rows]


@pytest.mark.parametrize("kind", PAGES)
def test_one_row_shows_its_source(kind: str, catalog: Catalog) -> None:
    row = PAGES[kind].rows(catalog)[0]
    assert ("source", row.source) in row_table(PAGES[kind], row).rows


@pytest.mark.parametrize("kind", PAGES)
def test_a_page_finds_the_neighbours_of_a_misspelt_name(kind: str, catalog: Catalog) -> None:
    name = PAGES[kind].rows(catalog)[0].name
    assert name in PAGES[kind].near(catalog, name.upper())


def test_doubtful_cells_bear_a_mark_and_the_table_says_what_it_means(catalog: Catalog) -> None:
    page = PAGES["chips"]
    (sure,) = (row for row in page.rows(catalog) if row.name == "trainium2")
    assert rows_table(page, [sure]).note == ""
    doubted = replace(sure, doubt=FrozenMap({"cores_per_chip": "nobody counted them"}))
    table = rows_table(page, [doubted])
    assert table.rows[0][table.columns.index("cores")] == f"8{DOUBT_MARK}"
    assert table.note == DOUBT_NOTE
    assert ("doubt about cores per chip", "nobody counted them") in row_table(page, doubted).rows


def test_nested_rows_are_told_one_in_a_line(catalog: Catalog) -> None:
    row = catalog.frameworks.get("nki")
    assert row is not None
    reported = dict(row_table(PAGES["frameworks"], row).rows)
    assert len(reported["support"].splitlines()) == len(row.support)
    assert "state: beta" in reported["support"]


def test_an_announced_type_and_a_retired_image_are_seen_in_the_tables(catalog: Catalog) -> None:
    instances = {row[0]: row[1] for row in rows_table(PAGES["instances"], catalog.instance_types.rows).rows}
    assert "announced" in instances["trn3.48xlarge"]
    assert "announced" not in instances["trn2.48xlarge"]
    images = {row[0]: row[1] for row in rows_table(PAGES["dlamis"], catalog.dlamis.rows).rows}
    assert (images["vllm_0_16_ubuntu_24_04"], images["vllm_0_24_ubuntu_24_04"]) == ("retired", "supported")


def test_an_unknown_name_is_an_error_with_near_names() -> None:
    finding = unknown_row(PAGES["instances"], "trn1.32xlrge", ["trn1.32xlarge"])
    assert finding.id == "E0017"
    assert "trn1.32xlarge" in finding.hint
