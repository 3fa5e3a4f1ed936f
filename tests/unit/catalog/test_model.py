"""Sizes of models, and the names under which they are found."""

from __future__ import annotations

import pytest

from neuron_cluster.catalog.catalog import load_catalog

CATALOG = load_catalog()


@pytest.mark.parametrize(
    ("name", "billions"), [("llama-3.1-8b", 8.03), ("llama-3.3-70b", 70.55), ("llama-3.1-405b", 405.85)]
)
def test_the_parameters_are_those_that_are_published(name: str, billions: float) -> None:
    assert round(CATALOG.models[name].parameters / 1e9, 2) == billions


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("llama-3.3-70b-instruct", "llama-3.3-70b"),
        ("meta-llama/Llama-3.3-70B-Instruct", "llama-3.3-70b"),
        ("meta-llama/Meta-Llama-3-8B", "llama-3-8b"),
        ("nvidia/Llama-3.3-70B-Instruct-FP8", None),
        ("llama-3.3-70b-instruct-fp8", None),
        ("mine", None),
        ("", None),
    ],
)
def test_a_model_is_found_by_its_name_and_a_quantized_one_is_another(name: str, found: str | None) -> None:
    row = CATALOG.models.served_as(name)
    assert (row.name if row is not None else None) == found
