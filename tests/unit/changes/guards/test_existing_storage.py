"""An edit that names another file system, bucket or key in the place of one that exists: a change of data."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.source_key import source_keys
from neuron_cluster.changes.summary.data_change import DataChangeKind
from neuron_cluster.changes.summary.template_diff import diff_templates
from neuron_cluster.findings.finding import Finding
from tests.existing_vpc import ALL_EXISTING, VPC

CATALOG = load_catalog()

Templates = dict[str, dict[str, Any]]
OTHER_ID, OTHER_KEY = (
    "fs-0fffffffffffffff0",
    "arn:aws:kms:us-west-2:111122223333:key/00000000-1111-2222-3333-555555555555",
)
OTHER_NAME = f"{OTHER_ID}.fsx.us-west-2.amazonaws.com"
SAME_ID = "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com.cn"
"""Another name with the id of the file system: one with another id is rule E4143."""
BUCKET, LUSTRE = "storage.checkpoint_bucket", "storage.lustre"
DATASETS = {"eks.namespaces": [{"name": "default", "claims": ["lustre", "datasets"]}]}


@pytest.fixture(scope="module")
def edited(templates_of: Callable[..., Templates]) -> Callable[..., Templates]:
    """The templates of train-trn1 with everything that exists, and ``existing`` values of one section."""

    def after(section: str = LUSTRE, more: dict[str, Any] | None = None, **existing: str) -> Templates:
        tree = copy.deepcopy(ALL_EXISTING) | (more or {})
        if tree["storage.compile_cache"] is None:  # no key of the shipped file, that an edit could remove
            del tree["storage.compile_cache"]
        if existing:
            tree[section]["existing"].update(existing)
        return templates_of("train-trn1", tree)

    return after


def errors(before: Templates, after: Templates) -> list[Finding]:
    return [each for each in change_findings(before, after, CATALOG) if each.id.startswith("E")]


@pytest.mark.hints("E9576")
def test_another_file_system_is_an_error_and_takes_a_deploy_without_one(edited: Callable[..., Templates]) -> None:
    old, new = edited(), edited(file_system_id=OTHER_ID, dns_name=OTHER_NAME)
    (error,) = errors(old, new)
    assert error.id == "E9576"
    assert f"would mount {OTHER_ID} in the place of the file system fs-0123456789abcdef0" in error.message
    assert source_keys(Comparison(old, new, CATALOG), [error]) == {
        ("storage", "LustreFileSystem", "E9576"): ("storage", "lustre", "existing")
    }
    (shown,) = [each for each in diff_templates(old, new, CATALOG).data if each.kind is DataChangeKind.EXCHANGED]
    assert (shown.name, shown.is_refused) == ("the Lustre file system", True)
    assert shown.what == f"{OTHER_ID} in the place of fs-0123456789abcdef0, whose data stays there"
    without = edited(more={LUSTRE: None, "eks.namespaces": [{"name": "default"}], "storage.checkpoints": None})
    for before, after in itertools.pairwise((old, without, new)):
        assert errors(before, after) == []


def test_a_created_file_system_is_empty(edited: Callable[..., Templates]) -> None:
    created = {key: value for key, value in ALL_EXISTING[LUSTRE].items() if key != "existing"}
    (error,) = errors(edited(), edited(more={LUSTRE: created}))
    assert (error.id, "a new, empty one (the Lustre file system)" in error.message) == ("E9576", True)
    assert {each.id for each in errors(edited(more={LUSTRE: created}), edited())} >= {"E9002"}


@pytest.mark.hints("E9577")
def test_another_bucket_is_an_error_and_takes_a_deploy_without_one(edited: Callable[..., Templates]) -> None:
    old, new = edited(), edited(BUCKET, name="other-checkpoints")
    (error,) = errors(old, new)
    assert error.id == "E9577"
    assert "would write to other-checkpoints in the place of the bucket team-checkpoints" in error.message
    (error,) = errors(edited(more=DATASETS), edited(BUCKET, more=DATASETS, name="other-checkpoints"))
    assert error.id == "E9577"
    no_claim = {"eks.namespaces": [{"name": "default", "claims": ["lustre"]}]}
    without = edited(more={BUCKET: None, "storage.compile_cache": None, **no_claim})
    for before, after in itertools.pairwise((old, without, new)):
        assert errors(before, after) == []


@pytest.mark.hints("W9578")
def test_roles_lose_the_key_of_older_objects(edited: Callable[..., Templates]) -> None:
    old, new = edited(), edited(BUCKET, key_arn=OTHER_KEY)
    (warning,) = change_findings(old, new, CATALOG)
    assert (warning.id, "00000000-1111-2222-3333-444444444444" in warning.message) == ("W9578", True)
    assert OTHER_KEY in warning.message
    assert change_findings(old, edited(), CATALOG) == []


def test_a_role_that_loses_all_rights_for_keys_is_no_exchange(edited: Callable[..., Templates]) -> None:
    assert change_findings(edited(), edited(more={"storage.compile_cache": None}), CATALOG) == []


@pytest.mark.hints("E9579")
@pytest.mark.parametrize(
    "edit", [{"dns_name": SAME_ID}, pytest.param({"mount_name": "abcdefgh"}, marks=pytest.mark.exhaustive)]
)
def test_kubernetes_changes_no_source_of_a_volume(edit: dict[str, str], edited: Callable[..., Templates]) -> None:
    old, new = edited(), edited(**edit)
    (error,) = errors(old, new)
    assert error.id == "E9579"
    assert "the volume lustre-default" in error.message
    without = edited(more={LUSTRE: None, "eks.namespaces": [{"name": "default"}], "storage.checkpoints": None})
    for before, after in itertools.pairwise((old, without, new)):
        assert errors(before, after) == []


def test_a_security_group_that_exists_is_exchanged_in_place(edited: Callable[..., Templates]) -> None:
    assert errors(edited(), edited(security_group_id="sg-0fffffffffffffff0")) == []


def test_another_vpc_is_an_error(edited: Callable[..., Templates]) -> None:
    network = copy.deepcopy(ALL_EXISTING["network"])
    network["existing"]["vpc_id"] = VPC[:-1] + "a"
    assert {each.id for each in errors(edited(), edited(more={"network": network}))} == {"E9005"}
