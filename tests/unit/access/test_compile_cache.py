"""Who reaches the compile cache: every role, action and prefix of an environment that has one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.access.matrix import AccessMatrix

from .templates import matrix_of

EDITS = {
    "storage.compile_cache": {"writer_namespace": "research"},
    "eks.namespaces": [{"name": "default"}, {"name": "research"}],
}
CACHE = "compile-cache/"
PREFIXES = ("checkpoints/", CACHE, "compile-cache", "teams/default/", "")
READS = {("s3:ListBucket", CACHE), ("s3:GetObject", CACHE), ("kms:Decrypt", None)}
WRITES = READS | {("s3:PutObject", CACHE), ("s3:AbortMultipartUpload", CACHE), ("kms:GenerateDataKey", None)}


@pytest.fixture(scope="module")
def matrix(templates_of: Callable[..., dict[str, Any]]) -> AccessMatrix:
    found = {f"train-trn1-{part}": template for part, template in templates_of("train-trn1", EDITS).items()}
    return matrix_of(found, PREFIXES)


def test_one_account_writes_and_all_others_read_the_cache_and_nothing_else(matrix: AccessMatrix) -> None:
    allowed: dict[tuple[str, str], set[tuple[str, str | None]]] = {}
    for cell in matrix.cells:
        if cell.pods is not None and cell.pods.service_account.startswith("compile-cache-"):
            cells = allowed.setdefault((cell.pods.namespace, cell.pods.service_account), set())
            cells |= {(cell.action, cell.prefix)} if cell.decision.is_allowed else set()
    assert allowed == {
        ("default", "compile-cache-reader"): READS,
        ("research", "compile-cache-reader"): READS,
        ("research", "compile-cache-writer"): WRITES,
    }


def test_no_other_role_of_the_environment_writes_to_the_cache(matrix: AccessMatrix) -> None:
    """But FSx, whose own role is not limited by a policy of the environment."""
    writers = {
        cell.pods.service_account if cell.pods is not None else cell.role.logical_id
        for cell in matrix.cells
        if cell.decision.is_allowed and cell.prefix == CACHE and cell.action in ("s3:PutObject", "s3:DeleteObject")
    }
    assert writers == {"compile-cache-writer", "AWSServiceRoleForFSxS3Access"}


def test_a_workstation_reads_the_cache_alone(templates_of: Callable[..., dict[str, Any]]) -> None:
    edits = {"storage.checkpoint_bucket": {}, "storage.compile_cache": {}}
    found = {f"workstation-{part}": template for part, template in templates_of("workstation", edits).items()}
    allowed = {
        (cell.action, cell.prefix)
        for cell in matrix_of(found, PREFIXES).cells
        if cell.decision.is_allowed and cell.action.startswith("s3:")
    }
    assert allowed == {("s3:ListBucket", CACHE), ("s3:GetObject", CACHE)}


def test_the_writer_reads_the_models_of_its_namespace_and_of_no_other(
    templates_of: Callable[..., dict[str, Any]],
) -> None:
    access = [{"service_account": "server"}]
    spaces = [
        {"name": "default"},
        {"name": "research", "bucket_access": access},
        {"name": "b", "bucket_access": access},
    ]
    templates = templates_of("train-trn1", EDITS | {"eks.namespaces": spaces}, "software")
    found = {f"train-trn1-{part}": template for part, template in templates.items()}
    allowed = {
        (cell.action, cell.prefix)
        for cell in matrix_of(found, ("teams/research/", "teams/b/", "teams/default/")).cells
        if cell.pods is not None and cell.pods.service_account == "compile-cache-writer" and cell.decision.is_allowed
    }
    reads = {("s3:ListBucket", "teams/research/"), ("s3:GetObject", "teams/research/")}
    assert {each for each in allowed if each[1] is not None} == reads


def test_a_namespace_that_the_file_does_not_list_gets_no_role(plan_of: Callable[..., Any]) -> None:
    roles = plan_of("serve-trn2").kubernetes.workload_roles
    accounts = {"compile-cache-reader", "compile-cache-writer", "store", "server"}
    assert {(each.namespace, each.service_account) for each in roles} == {("serving", name) for name in accounts}
