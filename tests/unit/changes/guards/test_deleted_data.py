"""Edits in place after which a service deletes data: an error until it is confirmed, with what goes and when."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.run import guard_findings
from neuron_cluster.changes.source_key import source_keys
from neuron_cluster.findings.finding import Finding

CATALOG = load_catalog()

Templates = dict[str, dict[str, Any]]
SYNC, BUCKET = "storage.lustre.sync", "storage.checkpoint_bucket"
EXISTING = {BUCKET: {"existing": {"name": "team-checkpoints"}}}
EXPRESS = {"availability_zone": "usw2-az4"}
MIRROR = {SYNC: {"file_system_path": "/checkpoints", "prefix": "checkpoints", "mode": "mirror"}}


def archive(**keys: Any) -> dict[str, Any]:
    return {SYNC: {**MIRROR[SYNC], "mode": "archive", **keys}}


def below_cache(**keys: Any) -> dict[str, Any]:
    """Checkpoints below the prefix that the compile cache would have."""
    return {SYNC: {**MIRROR[SYNC], "mode": "archive", "prefix": "compile-cache/ckpt", **keys}}


def express(**keys: Any) -> dict[str, Any]:
    return {"storage.express": {**EXPRESS, **keys}}


# ruff: noqa: E501 - a case a line
CASES = {
    "mirror to archive": (MIRROR, archive(expire_days=7), "objects below checkpoints/ 7 days after they are written (now: never)"),
    "mirror to archive, versions": (MIRROR, archive(), "older versions below checkpoints/ 3 days after they are replaced or deleted (now: 30 days)"),
    "a shorter expiry": (archive(expire_days=7), archive(expire_days=1), "objects below checkpoints/ 1 day after they are written (now: 7 days)"),
    "archive to mirror": (archive(), MIRROR, "FSx deletes objects below checkpoints/ whose files are deleted on the file system and deletes files"),
    "no sync to mirror": ({SYNC: None}, MIRROR, "FSx deletes objects below checkpoints/ whose files are deleted on the file system and deletes files"),
    "no sync to mirror, a bucket that exists": ({SYNC: None, **EXISTING}, MIRROR | EXISTING, "FSx deletes objects below checkpoints/"),
    "archive to a mirror elsewhere": (archive(), {SYNC: {**MIRROR[SYNC], "prefix": "runs", "file_system_path": "/runs"}}, "FSx deletes objects below runs/"),
    "fewer versions": ({}, {f"{BUCKET}.noncurrent_version_days": 1}, "older versions of the whole bucket 1 day after"),
    "versions of an ephemeral environment": (archive(), {**archive(), "lifecycle": "ephemeral"}, "older versions below checkpoints/ 1 day after"),
    "another prefix": (express(), express(expiration_days=7), "objects of the whole bucket 7 days after they are written (now: never)"),
    "an earlier expiration of a directory bucket": (express(expiration_days=30), express(expiration_days=7), "(now: 30 days)"),
    "checkpoints below compile-cache/": (below_cache(expire_days=30), below_cache(expire_days=1), "objects below compile-cache/ckpt/ 1 day after they are written (now: 30 days)"),
    "a compile cache over checkpoints": (below_cache(mode="mirror"), {SYNC: None, "storage.compile_cache": {"expire_days": 9}}, "objects below compile-cache/ 9 days after"),
}  # fmt: skip
EVERY_RUN = (
    "mirror to archive",
    "archive to mirror",
    "no sync to mirror",
    "an earlier expiration of a directory bucket",
    "checkpoints below compile-cache/",
)


def found(templates_of: Callable[..., Templates], before: dict[str, Any], after: dict[str, Any]) -> list[Finding]:
    states = (templates_of("train-trn1", edits, "storage") for edits in (before, after))
    return change_findings(*states, catalog=CATALOG)


@pytest.mark.parametrize(
    "case", [name if name in EVERY_RUN else pytest.param(name, marks=pytest.mark.exhaustive) for name in CASES]
)
def test_an_edit_after_which_data_is_deleted_is_an_error(templates_of: Callable[..., Templates], case: str) -> None:
    before, after, text = CASES[case]
    (error,) = (each for each in found(templates_of, before, after) if each.id != "W9017")
    assert error.id == "E9049"
    assert text in error.message
    assert "Not counted: no account was queried" in error.message
    assert "--accept-deletion" in error.hint


def test_a_first_deploy_and_the_same_mirror_begin_nothing(templates_of: Callable[..., Templates]) -> None:
    after = templates_of("train-trn1", MIRROR, "storage")
    assert change_findings({}, after, CATALOG) == []
    assert found(templates_of, MIRROR, MIRROR | {f"{BUCKET}.noncurrent_version_days": 60}) == []


GOLDEN = {"framework": "dcp", "model": "llama-3.1-8b", "mode": "async", "golden_every": 50}
PLACES = {
    "archive": (archive(expire_days=7), archive(expire_days=1), {"E9049": SYNC}),
    "mirror": (archive(), MIRROR, {"E9049": SYNC}),
    "versions": ({}, {f"{BUCKET}.noncurrent_version_days": 1}, {"E9049": BUCKET}),
    "golden": ({"storage.checkpoints": GOLDEN}, {"storage.checkpoints": {**GOLDEN, "golden_days": 9}}, {"E9049": "storage.checkpoints.golden_days"}),
    "cache": ({}, {"storage.compile_cache": {"expire_days": 9}}, {"W9050": "storage.compile_cache"}),
    "archive and versions": (archive(expire_days=7), archive(expire_days=1) | {f"{BUCKET}.noncurrent_version_days": 1}, {"E9049": BUCKET}),
}  # fmt: skip


@pytest.mark.parametrize(
    "case", ["archive", *(pytest.param(each, marks=pytest.mark.exhaustive) for each in list(PLACES)[1:])]
)
def test_the_place_of_the_finding_is_the_key_of_the_rule(templates_of: Callable[..., Templates], case: str) -> None:
    before, after, places = PLACES[case]
    comparison = Comparison(
        *(templates_of("train-trn1", edits, "storage") for edits in (before, after)), catalog=CATALOG
    )
    keys = source_keys(comparison, guard_findings(comparison))
    assert {identity: ".".join(key) for (_, _, identity), key in keys.items()} == places
