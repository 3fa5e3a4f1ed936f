"""Objects that are no longer copied to a replica: a warning that says which, and what becomes of the copies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.source_key import source_keys

CATALOG = load_catalog()

Templates = dict[str, dict[str, Any]]
REPLICATION = "storage.checkpoint_bucket.replication"
REPLICA = {
    "bucket": "replica-b",
    "region": "us-east-2",
    "key_arn": "arn:aws:kms:us-east-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
    "prefixes": ["checkpoints", "golden"],
}
LOST = {
    "all of it": ({}, "below checkpoints/ and golden/ to replica-b"),
    "a prefix": ({REPLICATION: {**REPLICA, "prefixes": ["golden"]}}, "below checkpoints/ to replica-b"),
    "the bucket": ({REPLICATION: {**REPLICA, "bucket": "replica-c"}}, "copies stay in replica-b"),
}


@pytest.fixture
def of(templates_of: Callable[..., Templates]) -> Callable[[dict[str, Any]], Templates]:
    return lambda edits: templates_of("train-trn1", edits, "storage")


@pytest.mark.hints("W9051")
@pytest.mark.parametrize(
    "case", ["all of it", *(pytest.param(each, marks=pytest.mark.exhaustive) for each in list(LOST)[1:])]
)
def test_what_is_no_longer_copied_is_a_warning(of: Callable[[dict[str, Any]], Templates], case: str) -> None:
    edits, text = LOST[case]
    before, after = of({REPLICATION: REPLICA}), of(edits)
    (warning,) = change_findings(before, after, CATALOG)
    assert (warning.id, text in warning.message) == ("W9051", True)
    (key,) = source_keys(Comparison(before, after, CATALOG), [warning]).values()
    assert ".".join(key) == REPLICATION


def test_more_prefixes_and_other_settings_are_no_warning(of: Callable[[dict[str, Any]], Templates]) -> None:
    narrow = of({REPLICATION: {**REPLICA, "prefixes": ["golden"]}})
    wide = of({REPLICATION: {**REPLICA, "delete_markers": True}})
    assert change_findings(narrow, wide, CATALOG) == []
    assert change_findings(of({}), narrow, CATALOG) == []
