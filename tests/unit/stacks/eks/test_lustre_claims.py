"""Claims of the Lustre file system in the software stack: kept in the cluster, made in an order that works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .manifest_text import REFERENCE, objects_of

OBJECTS = "Custom::AWSCDK-EKS-KubernetesResource"
EDITS = {"eks.namespaces": [{"name": "default"}, {"name": "research", "service_accounts": ["trainer"]}]}


@pytest.fixture(scope="module")
def software(stack_of: Callable[..., Any]) -> Any:
    return stack_of("train-trn1", "software", EDITS)


@pytest.fixture(scope="module")
def made(software: Any) -> dict[tuple[str, str, str], tuple[str, dict[str, Any]]]:
    """Logical id and resource by kind, namespace and name."""
    found = {}
    for logical_id, each in software.find_resources(OBJECTS).items():
        (body,) = objects_of(each)
        metadata = body["metadata"]
        name = metadata["name"].rpartition("-")[0] if body["kind"] == "Job" else metadata["name"]
        found[body["kind"], metadata.get("namespace", ""), name] = (logical_id, dict(each))
    return found


def test_volumes_and_claims_stay_in_the_cluster(made: Any) -> None:
    """`kubectl delete` of a claim waits for the pods that mount it."""
    retained = [each for (kind, *_), (_, each) in made.items() if kind.startswith("PersistentVolume")]
    assert len(retained) == 6
    assert {each["DeletionPolicy"] for each in retained} == {"Retain"}
    assert not any("PruneLabel" in each["Properties"] for each in retained)


def test_a_claim_comes_after_its_namespace_and_its_volume_and_that_after_the_driver(made: Any, software: Any) -> None:
    claim = made["PersistentVolumeClaim", "research", "lustre"][1]
    volume_id, volume = made["PersistentVolume", "", "lustre-research"]
    assert {volume_id, made["Namespace", "", "research"][0]} <= set(claim["DependsOn"])
    ((driver, _),) = software.find_resources(
        "AWS::EKS::Addon", {"Properties": {"AddonName": "aws-fsx-csi-driver"}}
    ).items()
    assert driver in volume["DependsOn"]
    assert made["Namespace", "", "research"][0] in made["ServiceAccount", "research", "trainer"][1]["DependsOn"]


def test_a_volume_has_the_names_that_fsx_gave(made: Any) -> None:
    (body,) = objects_of(made["PersistentVolume", "", "lustre-research"][1])
    csi = body["spec"]["csi"]
    assert csi["volumeHandle"] == f"{REFERENCE}-research"
    assert csi["volumeAttributes"] == {"dnsname": REFERENCE, "mountname": REFERENCE}


def test_datasets_have_the_bucket_of_the_storage_stack_and_stay(stack_of: Callable[..., Any]) -> None:
    edits = {
        "eks.namespaces": [{"name": "default", "claims": ["datasets"]}],
        "eks.addons.mountpoint_s3_csi_driver": True,
    }
    objects = stack_of("train-trn1", "software", edits).find_resources(OBJECTS).values()
    of_datasets = [each for each in objects if objects_of(each)[0]["metadata"]["name"].startswith("datasets")]
    assert {each["DeletionPolicy"] for each in of_datasets} == {"Retain"}
    bodies = {body["kind"]: body for each in of_datasets for body in objects_of(each)}
    assert set(bodies) == {"PersistentVolume", "PersistentVolumeClaim"}
    assert bodies["PersistentVolume"]["spec"]["csi"]["volumeAttributes"] == {"bucketName": REFERENCE}


def test_the_job_comes_last_and_a_former_one_is_pruned(made: Any, software: Any) -> None:
    job = made["Job", "neuron-cluster-storage", "lustre-folders"][1]
    charts = set(software.find_resources("Custom::AWSCDK-EKS-HelmChart"))
    assert charts <= set(job["DependsOn"])
    assert made["PersistentVolumeClaim", "neuron-cluster-storage", "lustre"][0] in job["DependsOn"]
    assert "PruneLabel" in job["Properties"]
    assert "DeletionPolicy" not in job or job["DeletionPolicy"] == "Delete"


def test_claims_change_no_other_stack(templates_of: Callable[..., Any]) -> None:
    none = {"eks.namespaces": [{"name": "default", "claims": []}]}
    before, after = templates_of("train-trn1", none), templates_of("train-trn1")
    assert [stack_key for stack_key in before if before[stack_key] != after[stack_key]] == ["software"]
