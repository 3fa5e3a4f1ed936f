"""Claims of EFS access points in the software stack: a volume for each namespace, kept in the cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .manifest_text import REFERENCE, objects_of

OBJECTS = "Custom::AWSCDK-EKS-KubernetesResource"
EDITS = {
    "storage.efs": {"access_points": [{"name": "home", "path": "/home"}, {"name": "cache", "path": "/cache"}]},
    "eks.namespaces": [
        {"name": "default", "claims": ["lustre", "efs-home"]},
        {"name": "research", "claims": ["efs-home", "efs-cache"]},
    ],
}


@pytest.fixture(scope="module")
def software(stack_of: Callable[..., Any]) -> Any:
    return stack_of("train-trn1", "software", EDITS)


@pytest.fixture(scope="module")
def made(software: Any) -> dict[tuple[str, str, str], tuple[dict[str, Any], dict[str, Any]]]:
    """Resource and object of each volume and claim of EFS, by kind, namespace and name."""
    found = {}
    for each in software.find_resources(OBJECTS).values():
        (body,) = objects_of(each)
        if body["kind"].startswith("PersistentVolume") and body["metadata"]["name"].startswith("efs-"):
            metadata = body["metadata"]
            found[body["kind"], metadata.get("namespace", ""), metadata["name"]] = (dict(each), body)
    return found


def test_each_namespace_has_a_volume_and_a_claim_for_each_access_point(made: Any) -> None:
    claims = {(namespace, name) for kind, namespace, name in made if kind == "PersistentVolumeClaim"}
    assert claims == {("default", "efs-home"), ("research", "efs-home"), ("research", "efs-cache")}
    volumes = {name for kind, _, name in made if kind == "PersistentVolume"}
    assert volumes == {"efs-home.default", "efs-home.research", "efs-cache.research"}
    for (kind, namespace, name), (resource, body) in made.items():
        assert resource["DeletionPolicy"] == "Retain"
        if kind == "PersistentVolumeClaim":
            assert body["spec"]["volumeName"] == f"{name}.{namespace}"


def test_a_handle_names_the_access_point_and_differs_by_namespace(made: Any) -> None:
    """Kubernetes treats two volumes of one handle as the same; the driver cleans the path to the root."""
    for (kind, _, name), (resource, body) in made.items():
        if kind == "PersistentVolume":
            access_point, namespace = name.removeprefix("efs-").split(".")
            handle = body["spec"]["csi"]["volumeHandle"]
            assert handle == f"{REFERENCE}:/{namespace}/..:{REFERENCE}"
            written = str(resource["Properties"]["Manifest"])
            assert written.index("EfsFileSystem") < written.index(f"EfsAccessPoint{access_point}")


def test_the_driver_has_no_role_where_the_volumes_are_static(software: Any, stack_of: Callable[..., Any]) -> None:
    addon = {"Properties": {"AddonName": "aws-efs-csi-driver"}}
    (driver,) = software.find_resources("AWS::EKS::Addon", addon).values()
    assert "PodIdentityAssociations" not in driver["Properties"]
    alone = stack_of("train-trn1", "software", {"eks.addons.efs_csi_driver": True})
    (driver,) = alone.find_resources("AWS::EKS::Addon", addon).values()
    (identity,) = driver["Properties"]["PodIdentityAssociations"]
    assert identity["ServiceAccount"] == "efs-csi-controller-sa"


def test_a_cluster_without_efs_has_no_driver(stack_of: Callable[..., Any]) -> None:
    assert "efs" not in str(stack_of("train-trn1", "software").to_json())
