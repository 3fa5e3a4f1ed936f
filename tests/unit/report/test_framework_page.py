"""Frameworks that run on a chip."""

from __future__ import annotations

import json

import pytest

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.report.framework_page import (
    ORDER,
    FrameworkResult,
    framework_results,
    overview_table,
    results_table,
)


def answers(catalog: Catalog, chip: str, sdk: str | None = None) -> dict[str, FrameworkResult]:
    row = catalog.chips.get(chip)
    assert row is not None
    return {answer.framework.name: answer for answer in framework_results(catalog, row, sdk)}


def test_what_runs_comes_before_what_does_not(catalog: Catalog) -> None:
    states = [ORDER.index(answer.state) for answer in answers(catalog, "trainium2").values()]
    assert states == sorted(states)


def test_a_release_decides_state_images_and_successor(catalog: Catalog) -> None:
    then, now = answers(catalog, "trainium", "2.31.1"), answers(catalog, "trainium", "2.32.0")
    inference = "torch_neuronx_inference"
    assert (then[inference].state, now[inference].state) == ("maintenance", "retired")
    assert now[inference].successor == "jax"
    assert then[inference].environments == (("pytorch_2_9_ubuntu_24_04", "pytorch_2_9"),)
    assert [row.neuron_sdk for row in then[inference].containers] == ["2.31.1"]
    assert (now[inference].environments, now[inference].containers) == ((), ())


def test_what_comes_later_and_what_ended_without_a_word_say_so(catalog: Catalog) -> None:
    found = answers(catalog, "trainium2", "2.32.0")
    assert (found["torch_neuron_native"].state, found["torch_neuron_native"].sdk_range) == ("not yet", "2.33.0 on")
    assert (found["optimum_neuron"].state, found["optimum_neuron"].sdk_range) == ("ended", "up to 2.26.1")


def test_what_was_never_made_for_a_chip_is_left_out(catalog: Catalog) -> None:
    assert "vllm" not in answers(catalog, "inferentia2")
    assert set(answers(catalog, "inferentia")) == {"torch_neuron", "tensorflow_neuron", "mxnet_neuron"}


@pytest.mark.parametrize("chip", ["inferentia", "inferentia2", "trainium", "trainium2", "trainium3"])
def test_every_answer_has_a_line_and_data_with_whole_names_source_and_date(chip: str, catalog: Catalog) -> None:
    found = answers(catalog, chip)
    row = catalog.chips.get(chip)
    assert row is not None
    table = results_table(list(found.values()), row, "2.33.1")
    assert [line[0] for line in table.rows] == list(found)
    for answer in found.values():
        data = json.loads(json.dumps(answer.as_data()))
        assert data["source"]
        assert data["checked_on"]
        assert all(catalog.containers.get(name) for name in data["containers"])
        assert all(catalog.dlamis.get(each["dlami"]) for each in data["virtual_environments"])


def test_the_overview_has_every_framework_on_every_chip(catalog: Catalog) -> None:
    table = overview_table(catalog)
    cells = {line[0]: dict(zip(table.columns, line, strict=True)) for line in table.rows}
    assert set(cells) == {row.name for row in catalog.frameworks}
    assert cells["jax"]["trn2"] == "yes"
    assert cells["vllm"]["trn2"] == "beta"
    assert cells["vllm"]["inf2"] == "-"
    assert cells["vllm_nxd"]["inf2"] == "2.31.1"
    assert cells["mxnet_neuron"]["inf1"] == "retired"
