"""Open questions about HyperPod appear where a file depends on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.providers.hyperpod.doubts import REJECTED, SETTLED, doubts_of
from tests.unit.resolved.resolved_file import resolved_of

CATALOG = load_catalog()
CPU = {"hyperpod.groups": [{"name": "cpu", "instance_type": "ml.m7i.2xlarge", "count": {"desired": 1}}]}
ALWAYS = {"chart_subset"}
NEURON = {*ALWAYS, "network_interface", "neuron_driver", "threads_per_core"}
TRN2 = {*NEURON, "trn2_addresses", "logical_nc_config"}


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ({}, TRN2),
        (CPU, ALWAYS),
        ({"hyperpod.groups[0].instance_type": "ml.trn1.32xlarge"}, NEURON),
        ({"hyperpod.groups[0].instance_type": "ml.inf2.48xlarge"}, ALWAYS),
        ({"hyperpod.groups[0].capacity": {"kind": "spot"}}, {*TRN2, "spot_trainium"}),
        ({"hyperpod.continuous": False}, {*TRN2, "continuous_later"}),
        ({"eks.addons.neuron_dra_driver": True}, {*TRN2, "neuron_dra"}),
        ({"eks.version": "1.36"}, TRN2),
    ],
)
def test_a_file_has_the_questions_that_it_depends_on(edits: dict[str, Any], expected: set[str], tmp_path: Path) -> None:
    assert {row.name for row, _ in doubts_of(resolved_of(tmp_path, "hyperpod-trn2", edits), CATALOG)} == expected


def test_a_question_is_at_the_first_group_that_it_is_about(tmp_path: Path) -> None:
    trn2 = {"name": "trn2", "instance_type": "ml.trn2.48xlarge", "count": {"desired": 1}}
    groups = {"hyperpod.groups": [*CPU["hyperpod.groups"], trn2, {**trn2, "name": "more"}]}
    found = {row.name: path for row, path in doubts_of(resolved_of(tmp_path, "hyperpod-trn2", groups), CATALOG)}
    assert found["trn2_addresses"] == ("hyperpod", "groups", 1, "instance_type")
    assert found["chart_subset"] == ("hyperpod",)


def test_the_questions_that_are_left_out_are_in_the_catalog() -> None:
    assert all(CATALOG.hyperpod_doubts.get(name) is not None for name in (*REJECTED, *SETTLED))
