"""Claims of S3 Files in the software stack: a volume for each namespace, and what the driver may do on nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .manifest_text import REFERENCE, objects_of

OBJECTS = "Custom::AWSCDK-EKS-KubernetesResource"
ADDON = {"Properties": {"AddonName": "aws-efs-csi-driver"}}
EDITS = {
    "storage.s3_files": {"prefix": "files"},
    "eks.namespaces": [
        {"name": "default", "claims": ["lustre"]},
        {"name": "research", "claims": ["s3-files"]},
        {"name": "web", "claims": ["s3-files"]},
    ],
}


@pytest.fixture(scope="module")
def software(stack_of: Callable[..., Any]) -> Any:
    return stack_of("train-trn1", "software", EDITS)


def made(software: Any) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Resource and object of each volume and claim of S3 Files, by namespace and name."""
    found = {}
    for each in software.find_resources(OBJECTS).values():
        for body in objects_of(each):
            metadata = body["metadata"]
            if body["kind"].startswith("PersistentVolume") and metadata["name"].startswith("s3-files"):
                found[f"{metadata.get('namespace', '')}/{metadata['name']}"] = (dict(each), body)
    return found


def test_each_namespace_that_claims_it_has_a_volume_of_its_own(software: Any) -> None:
    objects = made(software)
    assert set(objects) == {"/s3-files.research", "/s3-files.web", "research/s3-files", "web/s3-files"}
    for resource, body in objects.values():
        assert resource["DeletionPolicy"] == "Retain"
        assert body["spec"]["accessModes"] == ["ReadWriteMany"]
    for namespace in ("research", "web"):
        resource, volume = objects[f"/s3-files.{namespace}"]
        assert volume["spec"]["csi"] == {
            "driver": "efs.csi.aws.com",
            "volumeHandle": f"s3files:{REFERENCE}:/{namespace}/..:{REFERENCE}",
        }
        written = str(resource["Properties"]["Manifest"])
        assert written.index("S3FilesFileSystem") < written.index("S3FilesAccessPoint")


def test_the_driver_mounts_through_the_access_point_alone_and_reads_its_folder(software: Any) -> None:
    (driver,) = software.find_resources("AWS::EKS::Addon", ADDON).values()
    (identity,) = driver["Properties"]["PodIdentityAssociations"]
    assert identity["ServiceAccount"] == "efs-csi-node-sa"
    role = software.to_json()["Resources"][identity["RoleArn"]["Fn::GetAtt"][0]]["Properties"]
    assert "ManagedPolicyArns" not in role
    mount, listing, files, key = role["Policies"][0]["PolicyDocument"]["Statement"]
    assert mount["Action"] == ["s3files:ClientMount", "s3files:ClientWrite"], "without the rights of root"
    assert "AccessPointArn" in str(mount["Condition"]["StringEquals"]["s3files:AccessPointArn"])
    assert listing["Condition"] == {"StringLike": {"s3:prefix": ["files/pods/*"]}}
    assert files["Action"] == ["s3:GetObject", "s3:GetObjectVersion"]
    assert str(files["Resource"]).count("/files/pods/*") == 1
    assert "kms:EncryptionContext:aws:s3:arn" in key["Condition"]["StringEquals"]


def test_without_a_claim_there_is_no_driver(stack_of: Callable[..., Any]) -> None:
    stack = stack_of("train-trn1", "software", {"storage.s3_files": {"prefix": "files"}})
    assert stack.find_resources("AWS::EKS::Addon", ADDON) == {}
    assert "s3files" not in str(stack.to_json())


def test_its_access_point_makes_a_folder_for_the_user_of_the_charts(stack_of: Callable[..., Any]) -> None:
    stack = stack_of("train-trn1", "storage", EDITS)
    (point,) = (each["Properties"] for each in stack.find_resources("AWS::S3Files::AccessPoint").values())
    assert point["PosixUser"] == {"Uid": "1000", "Gid": "1000"}
    created = {"OwnerUid": "1000", "OwnerGid": "1000", "Permissions": "0770"}
    assert point["RootDirectory"] == {"Path": "/pods", "CreationPermissions": created}
