"""Faults of the first day, all at once: the environment is deployed, used and destroyed.

EC2 lacks machines, EKS makes its log group again after the cluster, Lambda keeps interfaces of deleted functions, a job
holds its queue, and kubectl prunes no custom resource.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.deploy.local_server import recorded
from neuron_cluster.local_checks.kueue import admit_workload

from .objects_named import named_by, names

pytestmark = pytest.mark.slow

NAME = "first-day"
TEXT = """
schema: 1
name: first-day
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
      count: {min: 0, desired: 2, max: 2}
      queue: training
"""
JOB = ("neuron-training", NAME, "--claim", "lustre", "--namespace", "research", "--set", "serviceAccount.name=trainer")
Command = Callable[..., Any]


@pytest.fixture
def faults(aws: LocalAws) -> Iterator[None]:
    """Lambda's interfaces outlive their function and the function's role."""
    aws.delays.lambda_interfaces = timedelta(seconds=1)
    yield
    aws.delays.lambda_interfaces = timedelta()


WITH_DATA = ("--delete-data", NAME)


@pytest.mark.parametrize(
    "destroys",
    [pytest.param([WITH_DATA], id="once"), pytest.param([(), WITH_DATA], id="twice", marks=pytest.mark.exhaustive)],
)
@pytest.mark.usefixtures("faults")
def test_the_first_day_ends_as_it_began(
    destroys: list[tuple[str, ...]], command: Command, project: Path, target: LocalTarget, aws: LocalAws
) -> None:
    """The second deploy finds the data of the first; `test_cli_on_local_aws.py` has that without a cluster."""
    (project / "environments" / f"{NAME}.yaml").write_text(TEXT)
    with aws.faults.scarce("trn1.32xlarge", available=1):
        ran = command("deploy", "--local", NAME)
    assert (ran.status, f"{NAME}-nodes" in str(ran.document["findings"])) == (1, True)
    file_systems = set()
    for goes in destroys:
        assert deployed(command).status == 0
        file_systems.add(file_system_of_claims(target))
        if goes:
            place_job(command, project, target)
        admit_workload(aws.store, target.account, target.region, NAME, queue="training", name="job")
        ran = command("destroy", "--local", NAME, *goes)
        assert ran.status == 0, ran.document
        assert recorded(target.endpoint, target.account, target.region) == []
        assert stacks(target) == (set() if goes else {"network", "storage"})
    assert len(file_systems) == 1
    held = client(target, "ec2").describe_network_interfaces()["NetworkInterfaces"]
    assert [each["Description"] for each in held if "Lambda" in each["Description"]] == []


def deployed(command: Command) -> Any:
    ran = command("deploy", "--local", NAME)
    assert ran.status == 0, ran.document
    return ran


def place_job(command: Command, project: Path, target: LocalTarget) -> None:
    """A bundled job finds nodes, and the cluster has each claim, queue and service account that it names."""
    ran = command("workload", "render", *JOB, "--set", "serviceAccount.create=false")
    assert ran.status == 0, ran.document
    assert {"W9231", "E9228", "W9229"} & set(ran.ids) == set()
    made = objects_of_manifests(target)
    wanted = set(named_by(ran.document["objects"], "research"))
    assert wanted == {
        ("PersistentVolumeClaim", "research", "lustre"),
        ("LocalQueue", "research", "training"),
        ("ServiceAccount", "research", "trainer"),
    }
    assert {each for each in wanted if each[1:] not in names(made, each[0])} == set()
    assert ("", "research") in names(made, "Namespace")
    workload = project / "job.json"
    workload.write_text("\n---\n".join(json.dumps(each) for each in ran.document["objects"]))
    placed = command("schedule", NAME, "--workload", str(workload))
    assert placed.status == 0, placed.document


def objects_of_manifests(target: LocalTarget) -> list[dict[str, Any]]:
    rows = recorded(target.endpoint, target.account, target.region)
    return [each for row in rows if row["kind"] == "manifest" for each in row["objects"]]


def file_system_of_claims(target: LocalTarget) -> str:
    """The id of the file system that each volume mounts, by its own DNS and mount name."""
    (row,) = client(target, "fsx").describe_file_systems()["FileSystems"]
    mount = {"dnsname": row["DNSName"], "mountname": row["LustreConfiguration"]["MountName"]}
    volumes = [each["spec"]["csi"] for each in objects_of_manifests(target) if each["kind"] == "PersistentVolume"]
    assert volumes
    for csi in volumes:
        assert csi["volumeHandle"].startswith(f"{row['FileSystemId']}-")
        assert csi["volumeAttributes"] == mount
    return str(row["FileSystemId"])


def stacks(target: LocalTarget) -> set[str]:
    """Parts of the environment that have a stack."""
    found = client(target, "cloudformation").describe_stacks()["Stacks"]
    return {each["StackName"].removeprefix(f"{NAME}-") for each in found if each["StackName"].startswith(f"{NAME}-")}
