"""The compile cache of a deployed environment: listed, cleaned, and back while its old versions are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.cloudformation import resources
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.deploy.local_server import recorded

pytestmark = pytest.mark.slow

TEXT = """
schema: 1
name: cached
account: 111122223333
region: us-west-2
neuron: {sdk: 2.32.0}
network: {cidr: 10.40.0.0/16, availability_zones: [usw2-az4, usw2-az1], nat: none, endpoints: [s3]}
storage: {checkpoint_bucket: {}, compile_cache: {expire_days: 30}}
"""
NEW, OLD = "neuronx-cc-2.27.5334.0", "neuronx-cc-2.12.68.0"
GOOD = f"compile-cache/{NEW}/trn1/lnc-default/neuronxcc-2.27.5334.0/MODULE_1/model.neff"
FAILED = f"compile-cache/{NEW}/trn1/lnc-default/neuronxcc-2.27.5334.0/MODULE_2/model.log"
UNUSED = f"compile-cache/{OLD}/trn1/lnc-default/neuronxcc-2.12.68.0/MODULE_1/model.neff"
CHECKPOINT = "checkpoints/step_1/model.log"
Command = Callable[..., Any]


@pytest.fixture(scope="module", autouse=True)
def file(project: Path) -> None:
    (project / "environments" / "cached.yaml").write_text(TEXT)


@pytest.fixture
def bucket(command: Command, target: LocalTarget) -> Iterator[str]:
    """Yields the environment's bucket with two graphs, a failed one and a checkpoint. At the end nothing is left."""
    ran = command("deploy", "--local", "cached")
    assert ran.status == 0, ran.document
    name: str = ran.document["existing"]["buckets"][0]["name"]
    for key in (GOOD, FAILED, UNUSED, CHECKPOINT):
        client(target, "s3").put_object(Bucket=name, Key=key, Body=b"1234567890")
    yield name
    assert command("destroy", "--local", "cached", "--delete-data", "cached").status == 0


def keys(target: LocalTarget, bucket: str) -> set[str]:
    return {each["Key"] for each in client(target, "s3").list_objects_v2(Bucket=bucket).get("Contents", ())}


def test_what_nobody_uses_and_what_failed_goes_when_it_is_asked_for(
    command: Command, target: LocalTarget, bucket: str
) -> None:
    rules = client(target, "s3").get_bucket_lifecycle_configuration(Bucket=bucket)["Rules"]
    assert [rule["Expiration"]["Days"] for rule in rules if rule["ID"] == "expire-compile-cache"] == [30]

    status = command("cache", "status", "--local", "cached").document
    assert (status["bucket"], status["prefix"]) == (bucket, "compile-cache/")
    by_compiler = {each["compiler"]: each for each in status["folders"]}
    assert by_compiler["2.12.68.0"]["used_by"] == []
    assert "cached" in by_compiler["2.27.5334.0"]["used_by"]
    assert (by_compiler["2.27.5334.0"]["entries"], by_compiler["2.27.5334.0"]["bytes"]) == (2, 20)
    assert by_compiler["2.27.5334.0"]["failed"] == [FAILED.rpartition("/")[0]]

    shown = command("cache", "clean", "--local", "cached").document
    assert (shown["folders"], shown["failed"], shown["deleted"]) == ([OLD], [], False)
    assert keys(target, bucket) == {GOOD, FAILED, UNUSED, CHECKPOINT}

    deleted = command("cache", "clean", "--local", "cached", "--delete", "--stale-hours", "0").document
    assert (deleted["folders"], len(deleted["failed"]), deleted["objects"], deleted["deleted"]) == ([OLD], 1, 2, True)
    assert keys(target, bucket) == {GOOD, CHECKPOINT}
    versions = client(target, "s3").list_object_versions(Bucket=bucket)["Versions"]
    assert {UNUSED, FAILED} < {each["Key"] for each in versions}, "they can be restored for a day"

    again = command("cache", "clean", "--local", "cached", "--delete").document
    assert (again["objects"], again["deleted"]) == (0, False)


def test_an_environment_that_is_not_deployed_is_an_error_with_the_command(command: Command) -> None:
    ran = command("cache", "status", "--local", "train-trn1")
    (finding,) = ran.document["findings"]
    assert ran.status == 1
    assert "train-trn1 has no checkpoint bucket" in finding["message"]
    assert "neuron-cluster deploy --local train-trn1" in finding["hint"]


NAMED = TEXT.replace("name: cached", "name: cached-cluster").replace("nat: none, endpoints: [s3]", "nat: single")
WITH_CLUSTER = f"""{NAMED}
eks:
  version: "1.35"
  access: {{admins: ["arn:aws:iam::111122223333:role/platform-admin"]}}
  namespaces: [{{name: default}}, {{name: research}}]
  node_groups:
    - {{name: system, instance_type: m7i.xlarge, count: {{min: 2, desired: 2, max: 2}}}}
workstations:
  - {{name: alice, instance_type: inf2.xlarge, availability_zone: usw2-az1, dlami: multi_framework_ubuntu_24_04}}
"""
ASSOCIATION = "AWS::SSM::Association"
READER, WRITER = "compile-cache-reader", "compile-cache-writer"


@pytest.mark.exhaustive
def test_pods_get_the_address_and_a_role_until_the_key_leaves_the_file(
    command: Command, target: LocalTarget, project: Path
) -> None:
    file = project / "environments" / "cached-cluster.yaml"
    file.write_text(WITH_CLUSTER)
    ran = command("deploy", "--local", "cached-cluster")
    assert ran.status == 0, ran.document
    bucket = ran.document["existing"]["buckets"][0]["name"]
    maps = {body["metadata"]["namespace"]: body["data"] for body in objects(target, "ConfigMap")}
    address = {"url": f"s3://{bucket}/compile-cache", "region": "us-west-2"}
    assert maps == {"default": address, "research": address}
    assert associations(target) == {("default", READER), ("default", WRITER), ("research", READER)}
    status = command("cache", "status", "--local", "cached-cluster").document
    assert status["missing"] == [f"{NEW}/inf2/lnc-default"]
    (settings,) = settings_of_workstations(target)
    assert any(f"COMPILE_CACHE_URL={address['url']}\n" in each for each in settings)

    file.write_text(WITH_CLUSTER.replace(", compile_cache: {expire_days: 30}", ""))
    assert command("deploy", "--local", "cached-cluster").status == 0
    assert (objects(target, "ConfigMap"), associations(target)) == ([], set())
    assert settings_of_workstations(target) == []
    assert command("destroy", "--local", "cached-cluster", "--delete-data", "cached-cluster").status == 0


def objects(target: LocalTarget, kind: str) -> list[Any]:
    """Returns the objects of the cache in the cluster."""
    rows = recorded(target.endpoint, target.account, target.region)
    found = [each for row in rows if row["kind"] == "manifest" for each in row["objects"]]
    return [each for each in found if each["kind"] == kind and each["metadata"]["name"] == "compile-cache"]


def associations(target: LocalTarget) -> set[tuple[str, str]]:
    found = client(target, "eks").list_pod_identity_associations(clusterName="cached-cluster")["associations"]
    named = {(each["namespace"], each["serviceAccount"]) for each in found}
    return {each for each in named if each[1] in (READER, WRITER)}


def settings_of_workstations(target: LocalTarget) -> list[list[str]]:
    """The commands of each association that installs the cache."""
    found = resources(target, "cached-cluster-workstations")
    ids = [each.physical_id for each in found if each.type == ASSOCIATION and "CompileCache" in each.logical_id]
    calls = client(target, "ssm")
    described = [calls.describe_association(AssociationId=each)["AssociationDescription"] for each in ids]
    return [each["Parameters"]["commands"] for each in described]
