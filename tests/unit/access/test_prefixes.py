"""The prefixes that the matrix of an environment lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from neuron_cluster.access.prefixes import OTHERS, prefixes_of


def test_prefixes_of_s3_files_and_of_a_replication_are_listed(plan_of: Callable[..., Any]) -> None:
    """Without them the roles of both have access to no prefix that is shown."""
    key = "arn:aws:kms:us-east-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    replication = {"bucket": "copies", "region": "us-east-2", "key_arn": key, "prefixes": ["golden", "exports/final"]}
    edits = {"storage.s3_files": {"prefix": "files"}, "storage.checkpoint_bucket.replication": replication}
    found = prefixes_of(plan_of("train-trn1", edits))
    assert found == (
        *("checkpoints/", "compile-cache/", "teams/default/", "files/"),
        *("golden/", "exports/final/", OTHERS),
    )
