"""Roles of a namespace for the checkpoint bucket: created, changed in place, and deleted with their entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

TEXT = """
schema: 1
name: teams
account: 111122223333
region: us-west-2
lifecycle: ephemeral
neuron: {sdk: 2.32.0}
network: {cidr: 10.40.0.0/16, availability_zones: [usw2-az4, usw2-az1], nat: single}
storage: {checkpoint_bucket: {}}
eks:
  version: "1.35"
  access: {admins: ["arn:aws:iam::111122223333:role/platform-admin"]}
  namespaces: [{name: default, claims: [datasets]}, {name: research ENTRIES}]
  addons: {mountpoint_s3_csi_driver: true}
  node_groups:
    - name: system
      instance_type: m7i.xlarge
      count: {min: 2, desired: 2, max: 2}
"""
READER = ", bucket_access: [{service_account: trainer, access: read}]"
WRITER = READER.replace("read}", "write, job: llama}")
DRIVER = "s3-csi-driver-sa"
Command = Callable[..., Any]
Roles = dict[str, str]


@pytest.fixture
def deploy(project: Path, command: Command, target: LocalTarget) -> Iterator[Callable[[str], Roles]]:
    """Deploys with these entries; the roles of the associations of the cluster then, by service account."""

    def run(entries: str) -> Roles:
        (project / "environments" / "teams.yaml").write_text(TEXT.replace(" ENTRIES", entries))
        ran = command("deploy", "--local", "teams")
        assert ran.status == 0, ran.document
        return roles(target)

    yield run
    assert command("destroy", "--local", "teams", "--delete-data", "teams").status == 0


def roles(target: LocalTarget) -> Roles:
    eks = client(target, "eks")
    listed = eks.list_pod_identity_associations(clusterName="teams")["associations"]
    found = (
        eks.describe_pod_identity_association(clusterName="teams", associationId=each["associationId"])["association"]
        for each in listed
    )
    wanted = ("trainer", DRIVER)
    return {
        each["serviceAccount"]: each["roleArn"].rpartition("/")[2] for each in found if each["serviceAccount"] in wanted
    }


def written_below(target: LocalTarget, role: str) -> list[str]:
    """Resources of the statements that write objects."""
    policy = client(target, "iam").get_role_policy(RoleName=role, PolicyName="Pods")["PolicyDocument"]
    writing = [each for each in policy["Statement"] if "s3:PutObject" in each["Action"]]
    return [each["Resource"].partition("/")[2] for each in writing]


def test_a_role_is_changed_in_place_and_deleted_with_its_entry(
    deploy: Callable[[str], Roles], target: LocalTarget
) -> None:
    driver = deploy("")
    assert set(driver) == {DRIVER}
    read = deploy(READER)
    assert read == {"trainer": read["trainer"], **driver}
    assert [written_below(target, role) for role in read.values()] == [[], []]

    written = deploy(WRITER)
    assert written == read
    assert written_below(target, written["trainer"]) == ["teams/research/checkpoints/llama/*"]

    assert deploy("") == driver
    kept = {each["RoleName"] for each in client(target, "iam").list_roles()["Roles"]}
    assert written["trainer"] not in kept
