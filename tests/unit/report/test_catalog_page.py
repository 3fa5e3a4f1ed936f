"""The catalog as tables and as data."""

from __future__ import annotations

import json

import pytest

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.report.catalog_page import PAGES, is_wanted, row_table, rows_as_data, rows_table, unknown_row


@pytest.mark.parametrize("kind", PAGES)
def test_every_kind_has_rows_whose_data_is_json_with_source_and_date(kind: str, catalog: Catalog) -> None:
    rows = PAGES[kind].rows(catalog)
    data = json.loads(json.dumps(rows_as_data(rows)))
    assert data
    assert all(row["source"] and row["checked_on"] for row in data)
    assert [cells[0] for cells in rows_table(PAGES[kind], rows).rows] == [row.name for row in rows]


@pytest.mark.parametrize("kind", PAGES)
def test_one_row_shows_its_source(kind: str, catalog: Catalog) -> None:
    row = PAGES[kind].rows(catalog)[0]
    assert ("source", row.source) in row_table(PAGES[kind], row).rows


def test_instances_are_chosen_by_family_chips_and_efa(catalog: Catalog) -> None:
    rows = catalog.instance_types
    assert {row.family for row in rows if is_wanted(row, "trn1", 0, efa=False)} == {"trn1"}
    many = [row for row in rows if is_wanted(row, None, 16, efa=True)]
    assert many
    assert all(row.neuron_devices >= 16 and row.efa_interfaces for row in many)
    assert len(many) < len(rows)


def test_an_unknown_name_is_an_error_with_near_names() -> None:
    finding = unknown_row(PAGES["instances"], "trn1.32xlrge", ["trn1.32xlarge"])
    assert finding.id == "E0017"
    assert "trn1.32xlarge" in finding.hint
