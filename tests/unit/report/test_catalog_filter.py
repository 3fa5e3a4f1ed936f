"""Choosing among the rows of the catalog."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.report.catalog_filter import FILTERS, CatalogFilter
from neuron_cluster.report.catalog_page import PAGES


def names(chosen: CatalogFilter, rows: Sequence[SourcedRow], catalog: Catalog) -> set[str]:
    return {row.name for row in rows if chosen.wants(row, catalog)}


def test_nothing_given_chooses_nothing_away(catalog: Catalog) -> None:
    chosen = CatalogFilter()
    assert not chosen.used
    for page in PAGES.values():
        assert names(chosen, page.rows(catalog), catalog) == {row.name for row in page.rows(catalog)}


def test_instances_are_chosen_by_family_chips_efa_region_and_chip(catalog: Catalog) -> None:
    rows = catalog.instance_types.rows
    assert names(CatalogFilter(family="trn1"), rows, catalog) == {"trn1.2xlarge", "trn1.32xlarge"}
    many = names(CatalogFilter(min_chips=16, efa=True, region="us-west-2"), rows, catalog)
    assert many == {"inf1.24xlarge", "trn1.32xlarge", "trn1n.32xlarge"}
    assert {row.chip for row in rows if CatalogFilter(chip="inferentia2").wants(row, catalog)} == {"inferentia2"}


def test_a_type_of_which_nothing_is_known_passes_no_number(catalog: Catalog) -> None:
    assert "trn3n.48xlarge" not in names(CatalogFilter(min_chips=1), catalog.instance_types.rows, catalog)


def test_containers_are_chosen_by_release_and_chip(catalog: Catalog) -> None:
    found = names(CatalogFilter(sdk="2.32.0", chip="trainium2"), catalog.containers.rows, catalog)
    assert {name.partition(":")[0] for name in found} == {"jax-training-neuronx", "pytorch-inference-vllm-neuronx"}
    assert all("sdk2.32.0" in name for name in found)
    on_trn1 = names(CatalogFilter(sdk="2.32.0", chip="trainium"), catalog.containers.rows, catalog)
    assert {name.partition(":")[0] for name in on_trn1} == {"jax-training-neuronx"}


def test_families_with_one_chip_run_the_same_containers(catalog: Catalog) -> None:
    by_family = [names(CatalogFilter(family=family), catalog.containers.rows, catalog) for family in ("trn1", "trn1n")]
    assert by_family[0]
    assert by_family[0] == by_family[1]


def test_images_are_chosen_by_chip(catalog: Catalog) -> None:
    chosen = CatalogFilter(chip="trainium2")
    assert "AL2023_x86_64_NEURON" in names(chosen, catalog.ami_types.rows, catalog)
    assert "AL2023_x86_64_STANDARD" not in names(chosen, catalog.ami_types.rows, catalog)
    assert "vllm_0_24_ubuntu_24_04" in names(chosen, catalog.dlamis.rows, catalog)
    assert names(CatalogFilter(chip="inferentia"), catalog.dlamis.rows, catalog) == set()


def test_frameworks_are_chosen_by_release(catalog: Catalog) -> None:
    assert "torch_neuron_native" not in names(CatalogFilter(sdk="2.32.0"), catalog.frameworks.rows, catalog)
    assert "torch_neuron_native" in names(CatalogFilter(sdk="2.33.0"), catalog.frameworks.rows, catalog)
    assert "torch_neuron" not in names(CatalogFilter(chip="trainium2"), catalog.frameworks.rows, catalog)


@pytest.mark.parametrize(
    ("chosen", "near"),
    [
        (CatalogFilter(chip="trainum2"), "trainium2"),
        (CatalogFilter(sdk="2.32.1"), "2.32.0"),
        (CatalogFilter(family="trn2u"), "trn2"),
        (CatalogFilter(region="us-west-3"), "us-west-2"),
    ],
)
def test_an_unknown_value_is_an_error_with_near_ones(chosen: CatalogFilter, near: str, catalog: Catalog) -> None:
    (finding,) = chosen.unknown_values(catalog)
    assert finding.id == "E0017"
    assert near in finding.hint


def test_a_value_like_none_that_is_known_shows_all(catalog: Catalog) -> None:
    (finding,) = CatalogFilter(chip="h100").unknown_values(catalog)
    assert "trainium3" in finding.hint


def test_filters_name_pages_and_fields_that_exist() -> None:
    assert set(FILTERS) <= set(PAGES)
    assert {field for fields in FILTERS.values() for field in fields} == set(CatalogFilter.__struct_fields__)
