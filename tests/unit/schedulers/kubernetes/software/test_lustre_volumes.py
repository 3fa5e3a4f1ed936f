"""Volumes, claims and folders of the Lustre file system: objects that Kubernetes takes, and a script that runs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.needed_software import needed_images
from neuron_cluster.schedulers.kubernetes.manifest_rules.run import check_manifests

sys.path.insert(0, str(Path(__file__).parents[4] / "charts"))
from object_schemas import errors

PlanOf = Callable[..., ClusterPlan]
TWO = {"eks.namespaces": [{"name": "default", "service_accounts": ["trainer"]}, {"name": "research"}]}
HOME = "neuron-cluster-storage"
VERSIONS = ("1.34", "1.35", "1.36")


def _objects(plan: ClusterPlan, kind: str) -> list[Mapping[str, Any]]:
    assert plan.kubernetes is not None
    return [each for manifest in plan.kubernetes.manifests for each in manifest.objects if each["kind"] == kind]


def _job(plan: ClusterPlan) -> Mapping[str, Any]:
    (job,) = _objects(plan, "Job")
    return job


def _script(plan: ClusterPlan) -> str:
    (container,) = _job(plan)["spec"]["template"]["spec"]["containers"]
    return str(container["command"][2])


def test_kubernetes_takes_every_object_and_no_rule_is_broken(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", TWO)
    assert plan.kubernetes is not None
    objects = [each for manifest in plan.kubernetes.manifests for each in manifest.objects]
    kinds = {"PersistentVolume", "PersistentVolumeClaim", "ServiceAccount", "Namespace", "Job"}
    assert {each["kind"] for each in objects} == kinds
    found = [(version, error) for version in VERSIONS for each in objects for error in errors(each, version)]
    assert found == []
    assert (
        check_manifests(
            objects, source="ours", namespace=HOME, namespaces=("default", "research"), pod_security="baseline"
        )
        == []
    )


def test_each_namespace_has_a_volume_of_its_own_for_its_claim(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", TWO)
    volumes = {each["metadata"]["name"]: each["spec"] for each in _objects(plan, "PersistentVolume")}
    claims = {each["metadata"]["namespace"]: each for each in _objects(plan, "PersistentVolumeClaim")}
    assert set(claims) == {"default", "research", HOME}
    assert {each["metadata"]["name"] for each in claims.values()} == {"lustre"}
    for namespace, claim in claims.items():
        volume = volumes[claim["spec"]["volumeName"]]
        assert volume["claimRef"] == {"namespace": namespace, "name": "lustre"}
        assert volume["persistentVolumeReclaimPolicy"] == "Retain"
        assert volume["mountOptions"] == ["flock"]
        assert volume["storageClassName"] == claim["spec"]["storageClassName"] == ""
    assert len({volume["csi"]["volumeHandle"] for volume in volumes.values()}) == len(volumes)


def test_datasets_are_a_read_only_volume_of_the_bucket(plan_of: PlanOf) -> None:
    both = [{"name": "default", "claims": ["lustre", "datasets"]}, {"name": "research", "claims": ["datasets"]}]
    plan = plan_of("train-trn1", {"eks.namespaces": both, "eks.addons": {"mountpoint_s3_csi_driver": True}})
    assert plan.kubernetes is not None
    objects = [each for manifest in plan.kubernetes.manifests for each in manifest.objects]
    found = [(version, error) for version in VERSIONS for each in objects for error in errors(each, version)]
    assert found == []
    volumes = {each["metadata"]["name"]: each["spec"] for each in _objects(plan, "PersistentVolume")}
    claims = [each for each in _objects(plan, "PersistentVolumeClaim") if each["metadata"]["name"] == "datasets"]
    assert [each["metadata"]["namespace"] for each in claims] == ["default", "research"]
    for claim in claims:
        volume = volumes[claim["spec"]["volumeName"]]
        assert volume["claimRef"] == {"namespace": claim["metadata"]["namespace"], "name": "datasets"}
        assert volume["accessModes"] == claim["spec"]["accessModes"] == ["ReadOnlyMany"]
        assert volume["mountOptions"] == ["read-only", "allow-other", "prefix datasets/", "region us-west-2"]
        assert volume["csi"]["volumeAttributes"] == {"bucketName": "<checkpoint-bucket-name>"}
    assert len({volume["csi"]["volumeHandle"] for volume in volumes.values()}) == len(volumes)


def test_a_larger_file_system_changes_volumes_and_no_claim(plan_of: PlanOf) -> None:
    """Kubernetes refuses any other request of a claim that is bound to a static volume."""
    small, large = plan_of("train-trn1"), plan_of("train-trn1", {"storage.lustre.capacity_gib": 9600})
    assert _objects(small, "PersistentVolumeClaim") == _objects(large, "PersistentVolumeClaim")
    assert {each["spec"]["capacity"]["storage"] for each in _objects(large, "PersistentVolume")} == {"9600Gi"}
    assert _job(small) == _job(large)


@pytest.mark.parametrize(
    "edits",
    [
        {"eks.namespaces": [{"name": "default", "claims": []}]},
        {"storage.lustre": None},
        {"eks.addons": {"fsx_csi_driver": False}},
    ],
    ids=["an empty list", "no file system", "no driver"],
)
def test_nothing_is_made_where_nothing_is_claimed(edits: Mapping[str, Any], plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", edits)
    assert plan.kubernetes is not None
    assert [each.name for each in plan.kubernetes.manifests if each.component == "fsx_csi_driver"] == []


def test_another_job_has_another_name(plan_of: PlanOf) -> None:
    """Kubernetes lets no Job change."""
    one, two = (_job(plan_of("train-trn1", edits))["metadata"]["name"] for edits in ({}, TWO))
    assert one.startswith("lustre-folders-")
    assert one != two


def test_its_image_comes_through_the_cache_and_is_listed(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", {"network.nat": "none", "eks.image_cache": True})
    (container,) = _job(plan)["spec"]["template"]["spec"]["containers"]
    (listed,) = [each for each in needed_images(plan, load_catalog()) if each.needed_by == ("fsx_csi_driver",)]
    assert listed.reference == "public.ecr.aws/docker/library/busybox:1.37.0"
    assert container["image"] == listed.mirror
    assert ".dkr.ecr.us-west-2.amazonaws.com/train-trn1/ecr-public/docker/library/busybox:" in container["image"]


def test_without_a_way_to_its_image_there_is_no_job(plan_of: PlanOf) -> None:
    off = {"neuron_device_plugin": False, "efa_device_plugin": False, "jobset": False}
    plan = plan_of("train-trn1", {"network.nat": "none", "eks.addons": off})
    assert _objects(plan, "Job") == []
    assert len(_objects(plan, "PersistentVolumeClaim")) == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives folders away")
def test_the_script_makes_folders_once_and_leaves_what_has_an_owner(plan_of: PlanOf, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    def run() -> str:
        script = _script(plan_of("train-trn1", TWO)).replace("cd /lustre", f"cd {tmp_path}")
        return subprocess.run(["sh", "-c", script], check=True, capture_output=True, text=True).stdout

    def state(folder: str) -> tuple[int, int, str]:
        status = (tmp_path / folder).lstat()
        return status.st_uid, status.st_gid, oct(status.st_mode & 0o7777)

    assert run() == ""
    assert {state(each) for each in (".", "checkpoints")} == {(0, 0, "0o1777")}
    assert {state(f"checkpoints/{each}") for each in ("default", "research")} == {(1000, 1000, "0o755")}
    (tmp_path / "checkpoints" / "default" / "step_1").write_text("kept")
    os.chown(tmp_path / "checkpoints" / "research", 2000, 2000)
    (tmp_path / "checkpoints").chmod(0o700)
    assert run() == ""
    assert state("checkpoints/research") == (2000, 2000, "0o755")
    assert state("checkpoints") == (0, 0, "0o700")
    assert (tmp_path / "checkpoints" / "default" / "step_1").read_text() == "kept"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives folders away")
def test_the_script_gives_nothing_away_through_a_link(plan_of: PlanOf, tmp_path: Path) -> None:
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "others").mkdir()
    (tmp_path / "checkpoints" / "default").symlink_to("../others")
    script = _script(plan_of("train-trn1")).replace("cd /lustre", f"cd {tmp_path}")
    ran = subprocess.run(["sh", "-c", script], check=True, capture_output=True, text=True)
    assert "checkpoints/default is a link and stays as it is" in ran.stdout
    assert (tmp_path / "others").stat().st_uid == 0
