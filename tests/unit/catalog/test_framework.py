"""Frameworks: state by chip and release."""

from datetime import date

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.framework import (
    Framework,
    FrameworkSupport,
)
from neuron_cluster.catalog.frozen_map import FrozenMap

CATALOG = load_catalog()


def a_framework(*support: FrameworkSupport) -> Framework:
    return Framework(
        name="dance",
        source="a/b",
        checked_on=date(2026, 11, 21),
        title="Dance",
        purposes=("training",),
        support=support,
        successor="waltz",
        virtual_environments=FrozenMap(),
    )


OLD = FrameworkSupport(chips=("quartz",), sdk_from=None, sdk_until="2.9.0", state="supported")
GONE = FrameworkSupport(chips=("quartz",), sdk_from="2.10.0", sdk_until=None, state="retired", successor="tango")


def test_a_range_includes_both_ends_and_compares_versions_number_by_number() -> None:
    row = a_framework(OLD, GONE)
    assert row.support_on("quartz", "2.9.0") is OLD
    assert row.support_on("quartz", "2.10.0") is GONE
    assert row.support_on("quartz", "2.9.1") is None
    assert row.support_on("flint", "2.9.0") is None


def test_what_is_retired_does_not_run() -> None:
    row = a_framework(OLD, GONE)
    assert row.runs_on("quartz", "2.9.0")
    assert not row.runs_on("quartz", "2.10.0")
    assert not row.runs_on("flint", "2.9.0")


def test_the_successor_on_a_chip_goes_before_that_of_the_framework() -> None:
    row = a_framework(OLD, GONE)
    assert row.successor_on("quartz", "2.10.0") == "tango"
    assert row.successor_on("quartz", "2.9.0") is None


def test_a_range_that_ends_before_it_begins_is_a_contradiction() -> None:
    upside_down = FrameworkSupport(chips=("quartz",), sdk_from="2.10.0", sdk_until="2.9.0", state="beta")
    assert [field for field, _ in a_framework(OLD, upside_down).contradictions()] == ["support[1]"]


@pytest.mark.parametrize(
    ("name", "chip", "sdk", "state"),
    [
        ("torch_neuronx_training", "trainium", "2.29.1", "supported"),
        ("torch_neuronx_training", "trainium", "2.30.0", "retired"),
        ("torch_neuronx_inference", "inferentia2", "2.31.1", "maintenance"),
        ("torch_neuronx_inference", "inferentia2", "2.32.0", "retired"),
        ("vllm", "trainium2", "2.32.0", "beta"),
        ("vllm", "inferentia2", "2.32.0", None),
        ("vllm", "trainium", "2.32.0", None),
        ("torch_neuron_native", "trainium3", "2.33.0", "beta"),
        ("torch_neuron_native", "trainium", "2.33.0", None),
        ("torch_neuron_native", "trainium2", "2.32.0", None),
        ("nxd_training", "trainium", "2.31.0", "retired"),
        ("jax", "inferentia2", "2.33.1", "supported"),
        ("torch_neuron", "inferentia", "2.27.0", "retired"),
    ],
)
def test_what_release_notes_say(name: str, chip: str, sdk: str, state: str | None) -> None:
    """Neuron SDK announcements and release notes of 2.29 to 2.33."""
    row = CATALOG.frameworks.get(name)
    assert row is not None
    found = row.support_on(chip, sdk)
    assert (found.state if found is not None else None) == state


def test_a_misspelt_framework_finds_its_neighbours() -> None:
    assert "torchtitan" in CATALOG.frameworks.similar("torch_titan")
    assert CATALOG.frameworks.get("torch_titan") is None


def test_a_successor_is_named_with_the_instances_that_run_it() -> None:
    """JAX never ran on Inferentia, the chip of torch-neuron."""
    row = CATALOG.frameworks.get("torch_neuron")
    assert row is not None
    assert CATALOG.frameworks.successor_in_words(row, CATALOG.chips["inferentia"], "2.33.0") == "jax on inf2"
