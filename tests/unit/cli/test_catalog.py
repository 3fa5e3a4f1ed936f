"""`catalog` on the command line."""

from __future__ import annotations

import pytest

from neuron_cluster.cli.catalog import KINDS
from neuron_cluster.report.catalog_page import PAGES

from .conftest import Command


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_both_forms(kind: str, command: Command) -> None:
    assert command("catalog", kind).status == 0
    rows = command("catalog", kind, "--format", "json").document
    assert all(row["source"] and row["checked_on"] for row in rows)
    one = command("catalog", kind, rows[0]["name"], "--format", "json")
    assert one.document == rows[:1]


def test_the_kinds_are_the_pages() -> None:
    assert tuple(PAGES) == KINDS


def test_filters_choose_instances(command: Command) -> None:
    rows = command("catalog", "instances", "--min-chips", "16", "--efa", "--format", "json").document
    assert {"trn1.32xlarge", "trn2.48xlarge"} <= {row["name"] for row in rows}
    assert all(row["neuron_devices"] >= 16 for row in rows)


def test_an_unknown_name_is_an_error_with_a_near_one(command: Command) -> None:
    ran = command("catalog", "instances", "trn1.32xlarg", "--format", "json")
    assert ran.status == 1
    assert "trn1.32xlarge" in ran.document["findings"][0]["hint"]
