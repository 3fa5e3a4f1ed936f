"""Rows of the change table on keys of ``hyperpod`` agree with what the names of groups do."""

from __future__ import annotations

import pytest

from neuron_cluster.config.change_row import FieldEffect
from neuron_cluster.providers.hyperpod.changes.change_rows import HYPERPOD_ROWS

ROWS = {row.path: row for row in HYPERPOD_ROWS}
GROUPS = "hyperpod.groups[]"


@pytest.mark.parametrize("key", ["name", "instance_type", "availability_zone"])
def test_what_hyperpod_fixes_replaces_the_group(key: str) -> None:
    row = ROWS[f"{GROUPS}.{key}"]
    assert row.effect is FieldEffect.DISPOSABLE
    assert "a group under another name is made, and the old one deleted with its nodes." in row.what


@pytest.mark.parametrize("key", ["count.desired", "count.min", "labels", "taints", "ami_release"])
def test_what_hyperpod_changes_keeps_the_group(key: str) -> None:
    assert ROWS[f"{GROUPS}.{key}"].effect is FieldEffect.IN_PLACE


def test_job_auto_resume_changes_no_node() -> None:
    assert ROWS["hyperpod.job_auto_resume"].effect is FieldEffect.IN_PLACE


def test_the_row_of_the_ami_release_names_the_guard_and_the_pods_that_end() -> None:
    assert "their pods end (W9083)" in ROWS[f"{GROUPS}.ami_release"].what


def test_removing_the_section_takes_two_steps() -> None:
    assert ROWS["hyperpod"].steps.startswith("First `neuron-cluster destroy")
