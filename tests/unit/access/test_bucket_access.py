"""Roles of service accounts for the prefix of their namespace: every action and prefix of two namespaces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from neuron_cluster.access.matrix import AccessMatrix

from .templates import matrix_of

EDITS = {
    "eks.namespaces": [
        {"name": "a", "bucket_access": [
            {"service_account": "trainer", "access": "write"},
            {"service_account": "llama", "access": "write", "job": "llama-70b"}]},
        {"name": "b", "bucket_access": [{"service_account": "reader"}]},
    ],
    "eks.addons.mountpoint_s3_csi_driver": True,
}  # fmt: skip
OWN, JOB, OTHER = "teams/a/", "teams/a/checkpoints/llama-70b/", "teams/b/"
SHARED = ("golden/", "datasets/", "compile-cache/")
PREFIXES = ("checkpoints/", *SHARED, OWN, JOB, OTHER, "teams/a", "teams/ab/", "teams/", "")
READS, WRITES = ("s3:ListBucket", "s3:GetObject"), ("s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload")
ON_KEY = ("kms:Decrypt", "kms:GenerateDataKey")
Cells = set[tuple[str, str | None]]


@pytest.fixture(scope="module")
def templates(templates_of: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    return {f"train-trn1-{part}": template for part, template in templates_of("train-trn1", EDITS).items()}


@pytest.fixture(scope="module")
def matrix(templates: dict[str, Any]) -> AccessMatrix:
    return matrix_of(templates, PREFIXES)


def cells(actions: tuple[str, ...], *prefixes: str | None) -> Cells:
    return {(action, prefix) for action in actions for prefix in prefixes}


def allowed(matrix: AccessMatrix) -> dict[str, Cells]:
    found: dict[str, Cells] = {}
    for cell in matrix.cells:
        if cell.pods is not None:
            of_pods = found.setdefault(cell.pods.label, set())
            of_pods |= {(cell.action, cell.prefix)} if cell.decision.is_allowed else set()
    return {label: of_pods for label, of_pods in found.items() if of_pods}


def test_a_role_has_the_prefix_of_its_namespace_or_job_and_reads_what_all_share(matrix: AccessMatrix) -> None:
    assert allowed(matrix) == {
        "a/trainer": cells(READS, OWN, JOB, *SHARED) | cells(WRITES, OWN, JOB) | cells(ON_KEY, None),
        "a/llama": cells(READS, JOB, *SHARED) | cells(WRITES, JOB) | cells(ON_KEY, None),
        "b/reader": cells(READS, OTHER, *SHARED) | cells(ON_KEY[:1], None),
    }


def test_the_mountpoint_driver_has_no_role_beside_those_of_namespaces(templates: dict[str, Any]) -> None:
    """Its role would give access to the whole bucket to every pod that mounts it."""
    addons = [each["Properties"] for each in _of_type(templates, "AWS::EKS::Addon")]
    (driver,) = (each for each in addons if each["AddonName"] == "aws-mountpoint-s3-csi-driver")
    assert "PodIdentityAssociations" not in driver


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
