"""No edit outside the refused rows of the change table touches state, the cluster, or what they stand on."""

from __future__ import annotations

import functools
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from drawn import edits
from hypothesis import HealthCheck, event, given, note, settings
from kept_state import what_moved
from slurm_places import slurm_edits
from synthesis import synthesized
from yaml_text import Edit, Tree, yaml_of

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.change_table import change_table
from neuron_cluster.changes.compare import change_findings, effects
from neuron_cluster.changes.effects import EffectKind
from neuron_cluster.config.change_row import ChangeRow, FieldEffect
from neuron_cluster.protocol.registry import registered

CATALOG = load_catalog()

FEW = 4
EXAMPLES = int(os.environ.get("NEURON_CLUSTER_EXAMPLES", FEW))
WITH_SLURM = 100
WITHOUT_FREE_TAGS = ("AWS::EC2::LaunchTemplate", "AWS::EC2::PlacementGroup", "AWS::EKS::Nodegroup")
FINDING = re.compile(r"[EW][0-9]{4}")
"""A row names the findings of its edits: a service deletes data, or HyperPod ends pods."""
LEFT_OVER = "W9504"
OF_A_GROUP = {"E9007", "E9018", "W9019", "E9065", "E9066"}
"""About the nodes of a group: whether they are there, what they run on and how many fit, no row of a field can say."""
UNDER_TRAINING = "W9042"
"""A change in place while nodes run, which no row can know."""
LOCK_DATE = "W9048"
"""A vault lock in compliance mode that may be permanent, which no row can know."""
TABLE = change_table(registered())
OTHER_KIND = "groups with and without Neuron devices are in other stacks"

Templates = dict[str, Any]


@functools.lru_cache(maxsize=64)
def synthesized_text(text: str) -> str:
    """The templates of an environment file by stack name, as one JSON text."""
    with tempfile.TemporaryDirectory() as folder:
        _, templates = synthesized(text, Path(folder))
        return json.dumps(templates)


def templates(tree: Tree) -> Templates:
    made: Templates = json.loads(synthesized_text(yaml_of(tree)))
    return made


def of_types(stacks: Templates, types: tuple[str, ...]) -> list[Any]:
    return [r for stack in stacks.values() for r in stack["Resources"].values() if r["Type"] in types]


def check(row: ChangeRow, before: Templates, after: Templates) -> None:
    """Checks the promise of the row about this edit."""
    found = [
        finding
        for finding in change_findings(before, after, CATALOG)
        if finding.id not in {*OF_A_GROUP, UNDER_TRAINING, LOCK_DATE} and OTHER_KIND not in finding.message
    ]
    note(f"change_findings: {[(finding.id, finding.message) for finding in found]}")
    if {finding.id for finding in found} <= {LEFT_OVER}:
        assert what_moved(before, after) == []
    if row.effect.is_blocked:
        assert found or row.depends or before == after or not row.seen_in_templates
        return
    expected = {LEFT_OVER} if row.effect is FieldEffect.DISPOSABLE else set()
    expected |= set(FINDING.findall(row.what))
    assert {finding.id for finding in found} <= expected
    if row.effect is FieldEffect.NONE:
        assert before == after
    if row.effect is FieldEffect.IN_PLACE:
        kinds = {effect.kind for effect in effects(before, after, CATALOG)}
        assert not kinds & {EffectKind.REPLACED, EffectKind.REMOVED}
    if row.path == "tags":
        assert of_types(before, WITHOUT_FREE_TAGS) == of_types(after, WITHOUT_FREE_TAGS)


@pytest.mark.slow
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES == FEW,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
@given(edit=edits())
def test_an_edit_of_one_field_does_what_its_row_says(edit: Edit, cdk: Any) -> None:
    """Any field, any valid value, in any environment."""
    event(edit.path)
    check(TABLE[edit.path], templates(edit.before), templates(edit.after))


@pytest.mark.slow
@pytest.mark.exhaustive
@settings(max_examples=WITH_SLURM, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(edit=slurm_edits())
def test_an_edit_of_an_environment_with_slurm_does_what_its_row_says(edit: Edit, cdk: Any) -> None:
    """The same ones each time."""
    check(TABLE[edit.path], templates(edit.before), templates(edit.after))


@pytest.mark.slow
@settings(max_examples=2, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(edit=edits("tags"))
def test_an_edit_of_tags_leaves_launch_templates_and_node_groups_byte_equal(edit: Edit, cdk: Any) -> None:
    before, after = templates(edit.before), templates(edit.after)
    assert (before != after) == (edit.before.get("tags", {}) != edit.after.get("tags", {}))
    check(TABLE["tags"], before, after)
