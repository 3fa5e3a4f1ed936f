"""Roles of service accounts for the prefix of their namespace: every action and prefix of two namespaces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from neuron_cluster.access.matrix import AccessMatrix
from neuron_cluster.report.access_page import notes

from .templates import matrix_of
from .two_namespaces import EDITS, ENVIRONMENT, JOB, OTHER, OWN, PREFIXES, SHARED

READS, WRITES = ("s3:ListBucket", "s3:GetObject"), ("s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload")
DRIVER = "kube-system/s3-csi-driver-sa"
ON_KEY = ("kms:Decrypt", "kms:GenerateDataKey")
Cells = set[tuple[str, str | None]]


@pytest.fixture(scope="module")
def templates(templates_of: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    return {f"{ENVIRONMENT}-{part}": template for part, template in templates_of(ENVIRONMENT, EDITS).items()}


@pytest.fixture(scope="module")
def matrix(templates: dict[str, Any]) -> AccessMatrix:
    return matrix_of(templates, PREFIXES)


def cells(actions: tuple[str, ...], *prefixes: str | None) -> Cells:
    return {(action, prefix) for action in actions for prefix in prefixes}


def allowed(matrix: AccessMatrix, *, is_express: bool = False) -> dict[str, Cells]:
    (bucket,) = (each.name for each in matrix.buckets if each.is_express is is_express)
    found: dict[str, Cells] = {}
    for cell in matrix.cells:
        if cell.pods is not None and cell.bucket == bucket and cell.decision.is_allowed:
            found.setdefault(cell.pods.label, set()).add((cell.action, cell.prefix))
    return found


def test_a_role_has_the_prefix_of_its_namespace_or_job_and_reads_what_all_share(matrix: AccessMatrix) -> None:
    found = allowed(matrix)
    assert {label: found[label] for label in ("a/trainer", "a/llama", "b/reader")} == {
        "a/trainer": cells(READS, OWN, JOB, *SHARED) | cells(WRITES, OWN, JOB) | cells(ON_KEY, None),
        "a/llama": cells(READS, JOB, *SHARED) | cells(WRITES, JOB) | cells(ON_KEY, None),
        "b/reader": cells(READS, OTHER, *SHARED) | cells(ON_KEY[:1], None),
    }


def test_the_mountpoint_driver_has_access_to_the_express_bucket_alone(matrix: AccessMatrix) -> None:
    """Its role would give access to the prefixes of all namespaces to every pod that mounts the bucket."""
    assert allowed(matrix)[DRIVER] == cells(ON_KEY, None)
    assert allowed(matrix, is_express=True)[DRIVER] == cells(("s3express:CreateSession", *ON_KEY), None)


def test_the_mountpoint_driver_reads_the_datasets_that_namespaces_claim(
    templates_of: Callable[..., dict[str, Any]],
) -> None:
    first, second = EDITS["eks.namespaces"]
    edits = {**EDITS, "eks.namespaces": [{**first, "claims": ["datasets"]}, second]}
    stacks = {f"{ENVIRONMENT}-{part}": template for part, template in templates_of(ENVIRONMENT, edits).items()}
    assert allowed(matrix_of(stacks, PREFIXES))[DRIVER] == cells(READS, "datasets/") | cells(ON_KEY, None)


def test_a_session_of_the_express_bucket_is_a_right_of_the_driver_alone(matrix: AccessMatrix) -> None:
    (bucket,) = (each for each in matrix.buckets if each.is_express)
    assert bucket.name.endswith("--usw2-az4--x-s3")
    roles = {
        cell.role.logical_id
        for cell in matrix.cells
        if cell.bucket == bucket.name and cell.action.startswith("s3express:") and cell.decision.is_allowed
    }
    assert [role[:30] for role in roles] == ["Addonawsmountpoints3csidriverR"]
    assert notes(matrix)[1].startswith(f"{bucket.name}: IAM has no prefixes")


def test_the_key_is_used_through_s3_for_this_bucket_alone(templates: dict[str, Any]) -> None:
    statements = [
        statement
        for role in _of_type(templates, "AWS::IAM::Role")
        if role["Properties"].get("Description") in ("a/trainer", "a/llama", "b/reader")
        for statement in role["Properties"]["Policies"][0]["PolicyDocument"]["Statement"]
        if "kms:" in str(statement["Action"])
    ]
    assert len(statements) == 3
    for each in statements:
        found = each["Condition"]["StringEquals"]
        assert set(found) == {"kms:ViaService", "kms:EncryptionContext:aws:s3:arn"}
        assert found["kms:ViaService"] == ["s3.us-west-2.amazonaws.com"]
        assert "GetAttCheckpoints" in str(found["kms:EncryptionContext:aws:s3:arn"])


def _of_type(templates: dict[str, Any], type_name: str) -> Iterator[dict[str, Any]]:
    for template in templates.values():
        yield from (each for each in template["Resources"].values() if each["Type"] == type_name)
