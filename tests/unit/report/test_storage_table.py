"""Retentions in `plan` are those of the lifecycle rules of the template."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from local_aws.cloudformation.values import Address
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.deleting_edits import BUCKET, DIRECTORY_BUCKET, rules_in_force
from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.report.marks import Marks
from neuron_cluster.report.storage_table import storage_table

EXISTING = {"name": "team-checkpoints"}
ARCHIVE = {"file_system_path": "/checkpoints", "prefix": "checkpoints", "mode": "archive", "expire_days": 9}
MIRROR = {"file_system_path": "/checkpoints", "prefix": "checkpoints", "mode": "mirror"}
EXPRESS = {"availability_zone": "usw2-az4", "expiration_days": 7}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "express": ("S3 Express bucket", {"storage.express": EXPRESS}),
    "archive": ("association", {"storage.lustre.sync": ARCHIVE}),
    "mirror": ("association", {"storage.lustre.sync": MIRROR}),
    "compile cache": ("compile cache", {"storage.compile_cache": {"expire_days": 30}}),
    "archive in a bucket that exists": (
        "association",
        {"storage.lustre.sync": ARCHIVE, "storage.checkpoint_bucket": {"existing": EXISTING}},
    ),
    "cache in a bucket that exists": (
        "compile cache",
        {"storage.compile_cache": {"expire_days": 30}, "storage.checkpoint_bucket": {"existing": EXISTING}},
    ),
}
SAID = re.compile(r"(?:deleted after|deletes an object) (\d+) days")
"""The days that a sentence names."""


def said(plan: Any) -> Mapping[str, str]:
    """The table of storage by its first column."""
    rows = storage_table(plan.storage, plan.region, Marks(frozenset()), load_catalog()).rows
    return {row[0]: re.sub(r" \*", "", row[1]) for row in rows}


def days_of_rules(template: Mapping[str, Any]) -> set[int]:
    """When S3 expires current versions, as far as it may run the rules."""
    stacks = StackSet({"storage": template})
    buckets: list[Address] = [
        each for each in stacks.addresses() if stacks.resource(each)["Type"] in (BUCKET, DIRECTORY_BUCKET)
    ]
    return {rule.days for each in buckets for rule in rules_in_force(stacks, each) if rule.days is not None}


@pytest.mark.parametrize("case", CASES)
def test_the_days_of_plan_are_those_of_the_template(
    case: str, plan_of: Callable[..., Any], template_of: Callable[..., Any]
) -> None:
    what, edits = CASES[case]
    rows = said(plan_of("train-trn1", edits))
    days = {int(days) for text in rows.values() for days in SAID.findall(text)}
    assert days == days_of_rules(template_of("train-trn1", "storage", edits))
    assert ("W9573" in rows[what]) == ("exists" in case)


def test_the_version_of_a_locked_object_is_not_said_to_go_before_its_retention(plan_of: Callable[..., Any]) -> None:
    lock = {"storage.checkpoint_bucket.object_lock": {"mode": "governance", "days": 21}}
    rows = said(plan_of("train-trn1", {"storage.lustre.sync": ARCHIVE, **lock}))
    assert rows["association"].endswith("when Object Lock has ended, 21 days after the write")
