"""Checkpoints of user manifests on volumes of Mountpoint for S3: what a manifest shows, and what hints change."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.workloads.mountpoint.checkpoints import mountpoint_findings

CATALOG = load_catalog()
Objects = list[dict[str, Any]]
GIVEN = ("allow-delete", "allow-overwrite", "region us-west-2")


def volume(*options: str) -> dict[str, Any]:
    spec = {
        "claimRef": {"namespace": "default", "name": "saves"},
        "mountOptions": list(options),
        "csi": {"driver": "s3.csi.aws.com", "volumeHandle": "saves", "volumeAttributes": {"bucketName": "b"}},
    }
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "saves"}, "spec": spec}


def job(*args: str, path: str = "/saves", image: str = "train:1", claim: str = "saves", **env: str) -> dict[str, Any]:
    main = {
        "name": "main",
        "image": image,
        "args": list(args),
        "env": [{"name": name, "value": value} for name, value in env.items()],
        "volumeMounts": [{"name": "data", "mountPath": path}],
    }
    pod = {"containers": [main], "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": claim}}]}
    spec = {"template": {"spec": pod}}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "train"}, "spec": spec}


@pytest.fixture
def plan(plan_of: Callable[..., Any]) -> ClusterPlan:
    """Its checkpoints are planned for dcp."""
    found: ClusterPlan = plan_of("train-trn1")
    return found


def found(plan: ClusterPlan, *objects: dict[str, Any]) -> list[Finding]:
    manifests = [(f"{number}.yaml", [body]) for number, body in enumerate(objects)]
    return list(mountpoint_findings(manifests, plan, CATALOG))


def ids(findings: list[Finding]) -> list[str]:
    return [each.id for each in findings]


def with_option(objects: Objects, hint: str) -> Objects:
    """Objects in which the mount has the option of the hint."""
    edited = copy.deepcopy(objects)
    option = re.fullmatch(r"add (.+) to spec\.mountOptions", hint)
    assert option is not None
    edited[0]["spec"]["mountOptions"].append(option[1])
    return edited


def on_lustre(objects: Objects) -> Objects:
    edited = copy.deepcopy(objects)
    edited[1]["spec"]["template"]["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"] = "lustre"
    return edited


@pytest.mark.parametrize(
    "writer",
    [
        job("--checkpoint_dir=/saves/run", image="jax-orbax:1"),
        job("python train.py --ckpt_dir /saves --manager orbax"),
        job("--checkpoint-dir", "/saves", REQUIREMENTS="orbax-checkpoint==0.11"),
        job("--output", "x", path="/mnt/checkpoints", image="orbax:1"),
        job("--checkpoint_dir=/saves", PACKAGES="safetensors==0.8.1"),
        job("--checkpoint_dir=/saves", PACKAGES="safetensors>=0.9"),
    ],
)
@pytest.mark.hints("E4110")
def test_a_framework_that_renames_is_an_error_whatever_the_options(plan: ClusterPlan, writer: dict[str, Any]) -> None:
    objects = [volume(*GIVEN), writer]
    (error,) = found(plan, *objects)
    assert (error.id, error.location.file) == ("E4110", "1.yaml")
    assert error.location.path == "Job/train spec.template.spec.containers[0].volumeMounts"
    assert ids(found(plan, volume(), writer)) == ["E4110"]
    assert "storage.lustre" in error.hint
    assert found(plan, *on_lustre(objects)) == []


def test_without_words_the_framework_is_that_of_the_environment(plan_of: Callable[..., Any]) -> None:
    objects = (volume(*GIVEN), job("--checkpoint_dir=/saves"))
    planned = plan_of("train-trn1", {"storage.checkpoints.framework": "orbax"})
    (error,) = found(planned, *objects)
    assert (error.id, "as storage.checkpoints.framework: orbax shows" in error.message) == ("E4110", True)
    assert found(planned, volume(*GIVEN), job("--checkpoint_dir=/saves", image="torchtitan:1")) == []
    assert found(plan_of("train-trn1"), *objects) == []


@pytest.mark.hints("W4111")
def test_safetensors_without_a_version_is_a_warning(plan: ClusterPlan) -> None:
    objects = [volume(*GIVEN), job("--save_format=safetensors", "--checkpoint_dir=/saves")]
    (warning,) = found(plan, *objects)
    assert warning.id == "W4111"
    assert found(plan, *on_lustre(objects)) == []
    version = re.search(r"safetensors==\S+", warning.hint)
    assert version is not None
    assert found(plan, volume(*GIVEN), job("--checkpoint_dir=/saves", PACKAGES=version[0])) == []
    assert found(plan, volume(*GIVEN), job("--checkpoint_dir=/saves", PACKAGES="safetensors<0.8")) == []


@pytest.mark.parametrize("rotation", ["--checkpoint.keep_latest_k=3", "--num-kept-ckpts 2", "--save_total_limit=1"])
@pytest.mark.hints("E4112")
def test_rotation_needs_a_volume_that_deletes(plan: ClusterPlan, rotation: str) -> None:
    objects = [volume("allow-overwrite"), job("--checkpoint_dir=/saves", rotation)]
    (error,) = found(plan, *objects)
    assert (error.id, error.location.path) == ("E4112", "PersistentVolume/saves spec.mountOptions")
    assert error.location.file == "0.yaml"
    assert found(plan, *with_option(objects, error.hint)) == []


@pytest.mark.parametrize("kept", ["--keep_latest_k=0", "--save_total_limit=None", "--keep_everything=3"])
def test_a_program_that_keeps_all_checkpoints_deletes_none(plan: ClusterPlan, kept: str) -> None:
    assert found(plan, volume("allow-overwrite"), job("--checkpoint_dir=/saves", kept)) == []


@pytest.mark.hints("W4113")
def test_a_step_that_is_saved_again_needs_a_volume_that_overwrites(plan: ClusterPlan) -> None:
    objects = [volume("--allow-delete"), job("--checkpoint_dir=/saves")]
    (warning,) = found(plan, *objects)
    assert (warning.id, warning.location.path) == ("W4113", "PersistentVolume/saves spec.mountOptions")
    assert found(plan, *with_option(objects, warning.hint)) == []


@pytest.mark.hints("W4114")
def test_no_source_reports_nxd_there(plan: ClusterPlan) -> None:
    objects = [volume(*GIVEN), job("--checkpoint_dir=/saves", image="neuronx-distributed:1")]
    (warning,) = found(plan, *objects)
    assert warning.id == "W4114"
    assert found(plan, *on_lustre(objects)) == []


@pytest.mark.hints("W4115")
def test_parts_are_large_enough_for_the_largest_file(plan_of: Callable[..., Any]) -> None:
    """405.85 billion parameters are 4,870 GB: 152 GB for each of the 32 ranks of one node."""
    checkpoints = {"framework": "dcp", "parameters": "405.85B", "stall_seconds": 7200, "interval_minutes": 600}
    one = {"eks.node_groups.1.count": {"desired": 1, "max": 1}, "storage.lustre.capacity_gib": 24_000}
    large = plan_of("train-trn1", {"storage.checkpoints": checkpoints, **one})
    objects = [volume(*GIVEN), job("--checkpoint_dir=/saves")]
    (warning,) = found(large, *objects)
    assert (warning.id, "files up to 83.9 GB" in warning.message) == ("W4115", True)
    assert "about 152.2 GB" in warning.message
    assert found(large, *with_option(objects, warning.hint)) == []
    assert ids(found(large, volume(*GIVEN, "write-part-size 15000000"), objects[1])) == ["W4115"]


@pytest.mark.parametrize(
    "other",
    [
        [volume("read-only"), job("--checkpoint_dir=/saves", image="orbax:1")],
        [volume(), job("--data=/saves", image="orbax:1")],
        [volume(), job("--checkpoint_dir=/other", image="orbax:1")],
        [volume(), job("--checkpoint_dir=/saves-2", image="orbax:1")],
        [volume(), job("--checkpoint_dir=/saves", image="orbax:1", claim="elsewhere")],
        [job("--checkpoint_dir=/saves", image="orbax:1")],
    ],
)
def test_nothing_is_found_where_no_checkpoint_is_written_to_a_volume_of_the_manifest(
    plan: ClusterPlan, other: Objects
) -> None:
    assert found(plan, *other) == []


@pytest.mark.parametrize("broken", [{"a": 1}, [1], 7, None])
def test_fields_of_another_type_are_not_set(plan: ClusterPlan, broken: Any) -> None:
    writer, mounted = job("--checkpoint_dir=/saves", image="orbax:1"), volume(*GIVEN)
    pod = writer["spec"]["template"]["spec"]
    pod["volumes"][0]["name"] = pod["containers"][0]["volumeMounts"][0]["mountPath"] = broken
    mounted["spec"]["mountOptions"] = mounted["spec"]["claimRef"] = broken
    assert found(plan, mounted, writer) == []


def test_a_read_only_mount_writes_nothing(plan: ClusterPlan) -> None:
    reader = job("--checkpoint_dir=/saves", image="orbax:1")
    reader["spec"]["template"]["spec"]["containers"][0]["volumeMounts"][0]["readOnly"] = True
    assert found(plan, volume(), reader) == []


def test_a_claim_names_its_volume(plan: ClusterPlan) -> None:
    named = volume()
    del named["spec"]["claimRef"]
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "saves", "namespace": "default"},
        "spec": {"volumeName": "saves"},
    }
    writer = job("--checkpoint_dir=/saves", image="orbax:1")
    assert ids(found(plan, named, claim, writer)) == ["E4110"]
    assert found(plan, named, writer) == []
