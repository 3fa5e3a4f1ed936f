"""A job of the bundled charts finds its claim, queue, namespace and service account in the cluster, again and again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.deploy.local_server import recorded

from .objects_named import Objects, named_by, names

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

TEXT = """
schema: 1
name: mounted
account: 111122223333
region: us-west-2
lifecycle: ephemeral
neuron: {sdk: 2.32.0}
network: {cidr: 10.40.0.0/16, availability_zones: [usw2-az4, usw2-az1], nat: single}
storage:
  checkpoint_bucket: {}
  lustre: {availability_zone: usw2-az4, capacity_gib: 2400, sync: {}}
eks:
  version: "1.35"
  access: {admins: ["arn:aws:iam::111122223333:role/platform-admin"]}
  namespaces: [{name: default}, {name: research, service_accounts: [trainer]}]
  addons: {jobset: true}
  node_groups:
    - name: system
      instance_type: m7i.xlarge
      count: {min: 2, desired: 2, max: 2}
    - name: trn1
      instance_type: trn1.32xlarge
      availability_zone: usw2-az4
      count: {min: 0, desired: 1, max: 1}
      queue: training
"""
Command = Callable[..., Any]


@pytest.fixture
def deploy(project: Path, command: Command, target: LocalTarget) -> Iterator[Callable[[str], Objects]]:
    """Deploys this text; the objects that are asked for then. At the end nothing is left."""

    def run(text: str) -> Objects:
        (project / "environments" / "mounted.yaml").write_text(text)
        ran = command("deploy", "--local", "mounted")
        assert ran.status == 0, ran.document
        rows = recorded(target.endpoint, target.account, target.region)
        return [each for row in rows if row["kind"] == "manifest" for each in row["objects"]]

    yield run
    assert command("destroy", "--local", "mounted", "--delete-data", "mounted").status == 0


def test_a_rendered_job_is_placed_and_finds_what_it_names_before_and_after_a_destroy(
    deploy: Callable[[str], Objects], command: Command, project: Path, target: LocalTarget
) -> None:
    file_systems = set()
    for _ in range(2):
        made = deploy(TEXT)
        (row,) = client(target, "fsx").describe_file_systems()["FileSystems"]
        file_systems.add(row["FileSystemId"])
        render = ("workload", "render", "neuron-training", "mounted", "--claim", "lustre", "--namespace", "research")
        ran = command(*render, "--set", "serviceAccount.name=trainer", "--set", "serviceAccount.create=false")
        assert ran.status == 0, ran.document
        assert {"W9231", "E9228", "W9229"} & set(ran.ids) == set()
        objects = ran.document["objects"]
        wanted = set(named_by(objects, "research"))
        assert {("PersistentVolumeClaim", "research", "lustre"), ("LocalQueue", "research", "training")} <= wanted
        assert {(namespace, name) for kind, namespace, name in wanted if kind == "ServiceAccount"} == {
            ("research", "trainer")
        }
        assert ("", "research") in names(made, "Namespace")
        missing = {each for each in wanted if each[1:] not in names(made, each[0])}
        assert missing == set()
        for volume in (each for each in made if each["kind"] == "PersistentVolume"):
            csi = volume["spec"]["csi"]
            assert csi["volumeHandle"].startswith(f"{row['FileSystemId']}-")
            mount = {"dnsname": row["DNSName"], "mountname": row["LustreConfiguration"]["MountName"]}
            assert csi["volumeAttributes"] == mount

        workload = project / "job.json"
        workload.write_text("\n---\n".join(json.dumps(each) for each in objects))
        placed = command("schedule", "mounted", "--workload", str(workload))
        assert placed.status == 0, placed.document
        gone = command("destroy", "--local", "mounted")
        assert gone.status == 0, gone.document
        assert recorded(target.endpoint, target.account, target.region) == []
    assert len(file_systems) == 1


def test_what_leaves_the_file_stays_in_the_cluster_and_the_job_follows_the_file(
    deploy: Callable[[str], Objects], target: LocalTarget
) -> None:
    first = names(deploy(TEXT), "Job")
    smaller = TEXT.replace("[{name: default}, {name: research, service_accounts: [trainer]}]", "[{name: default}]")
    made = deploy(smaller.replace("capacity_gib: 2400", "capacity_gib: 4800"))
    assert ("research", "lustre") in names(made, "PersistentVolumeClaim")
    assert ("research", "trainer") not in names(made, "ServiceAccount")
    assert len(names(made, "Job")) == 1
    assert names(made, "Job") != first
    deleted = [
        command
        for row in recorded(target.endpoint, target.account, target.region)
        for command in row["commands"]
        if "delete" in command
    ]
    assert deleted == []
    default = next(each for each in made if each["metadata"]["name"] == "lustre-default")
    assert default["spec"]["capacity"] == {"storage": "4800Gi"}
