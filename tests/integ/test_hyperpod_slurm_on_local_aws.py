"""A HyperPod cluster with Slurm: deployed, unchanged and destroyed; scaled, with another group and a team."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client

pytestmark = pytest.mark.slow

NAME = "pods"
TEXT = """
schema: 1
name: pods
account: 111122223333
region: us-west-2
lifecycle: durable
neuron: {sdk: 2.32.0}
network: {cidr: 10.45.0.0/16, availability_zones: [usw2-az4], nat: single, endpoints: needed}
storage:
  checkpoint_bucket: {}
  compile_cache: {}
  lustre: {availability_zone: usw2-az4, capacity_gib: 1200, maintenance_window: "7:03:00"}
hyperpod:
  slurm:
    controller: {instance_type: ml.m7i.2xlarge}
    login: {instance_type: ml.m7i.2xlarge}
  groups:
    - name: trn1
      instance_type: ml.trn1.32xlarge
      count: {desired: 2}
      queue: training
"""
MORE = ("count: {desired: 2}", "count: {desired: 3}")
ADDED = """\
    - name: prepare
      instance_type: ml.m7i.4xlarge
      count: {desired: 1}
      queue: prepare
"""
TEAM = """\
teams:
  - name: research
    members: ["arn:aws:iam::111122223333:role/research"]
"""
OTHER_CONTROLLER = ("controller: {instance_type: ml.m7i.2xlarge}", "controller: {instance_type: ml.m7i.4xlarge}")

Command = Callable[..., Any]


class HyperPod:
    """The environment on the local AWS."""

    def __init__(self, project: Path, command: Command, target: LocalTarget) -> None:
        self._file = project / "environments" / f"{NAME}.yaml"
        self._command, self._target = command, target

    def write(self, *edits: tuple[str, str], more: str = "") -> None:
        text = TEXT + more
        for old, new in edits:
            assert old in text, old
            text = text.replace(old, new)
        self._file.write_text(text)

    def run(self, verb: str, *arguments: str) -> Any:
        return self._command(verb, "--local", NAME, *arguments)

    def deploy(self, *edits: tuple[str, str], more: str = "") -> Any:
        self.write(*edits, more=more)
        ran = self.run("deploy")
        assert ran.status == 0, ran.document
        return ran

    def client(self, service: str) -> Any:
        return client(self._target, service)

    def cluster(self) -> dict[str, Any]:
        return dict(self.client("sagemaker").describe_cluster(ClusterName=NAME))

    def names(self) -> list[str]:
        return [each["ClusterName"] for each in self.client("sagemaker").list_clusters()["ClusterSummaries"]]

    def groups(self) -> dict[str, dict[str, Any]]:
        """The groups of the cluster by the user's name."""
        return {each["InstanceGroupName"].rpartition("-")[0]: each for each in self.cluster()["InstanceGroups"]}

    def nodes(self) -> set[str]:
        """Ids of the nodes of all groups."""
        rows = self.client("sagemaker").list_cluster_nodes(ClusterName=NAME)["ClusterNodeSummaries"]
        return {each["InstanceId"] for each in rows}

    def script(self, group: str) -> str:
        """The life cycle script of a group, as its nodes read it."""
        cycle = self.groups()[group]["LifeCycleConfig"]
        bucket, _, folder = cycle["SourceS3Uri"].removeprefix("s3://").partition("/")
        found = self.client("s3").get_object(Bucket=bucket, Key=f"{folder}/{cycle['OnInitComplete']}")
        return str(found["Body"].read().decode())

    def buckets(self) -> set[str]:
        """Names of the buckets of the environment."""
        names = [each["Name"] for each in self.client("s3").list_buckets()["Buckets"]]
        return {name for name in names if name.startswith((f"{NAME}-storage", "sagemaker-"))}

    def line_of(self, subject: str) -> dict[str, Any]:
        """The line of `status` about it."""
        sections = self.run("status").document["sections"]
        (found,) = (line for each in sections for line in each["lines"] if line["subject"] == subject)
        return dict(found)


@pytest.fixture
def hyperpod(project: Path, command: Command, target: LocalTarget) -> HyperPod:
    return HyperPod(project, command, target)


@pytest.mark.exhaustive  # tests/round_trip deploys all of it
def test_it_is_deployed_unchanged_by_the_next_deploy_and_destroyed_without_its_data(hyperpod: HyperPod) -> None:
    ran = hyperpod.deploy()
    assert {stack["name"].rpartition("-")[2] for stack in ran.document["stacks"]} == {"network", "storage", "hyperpod"}
    cluster, groups, nodes = hyperpod.cluster(), hyperpod.groups(), hyperpod.nodes()
    assert (cluster["ClusterStatus"], cluster["NodeProvisioningMode"]) == ("InService", "Continuous")
    assert set(cluster["Orchestrator"]) == {"Slurm"}
    assert {name: (each["SlurmConfig"]["NodeType"], each["CurrentCount"]) for name, each in groups.items()} == {
        "controller": ("Controller", 1),
        "login": ("Login", 1),
        "trn1": ("Compute", 2),
    }
    assert groups["trn1"]["SlurmConfig"]["PartitionNames"] == ["training"]
    assert len(nodes) == 4
    the_script_has_the_bucket_and_runs_a_file_that_is_there(hyperpod)

    again = hyperpod.deploy()
    assert not any(each["changed"] for each in again.document["stacks"]), again.document["stacks"]
    assert "W9089" not in [each["id"] for each in hyperpod.run("diff").document["findings"]]

    destroyed = hyperpod.run("destroy")
    assert destroyed.status == 0, destroyed.document
    assert hyperpod.names() == []
    (kept,) = hyperpod.buckets()
    assert kept.startswith(f"{NAME}-storage")
    hyperpod.run("destroy", "--delete-data", NAME)
    assert hyperpod.buckets() == set()


@pytest.mark.exhaustive
def test_edits_keep_its_nodes(hyperpod: HyperPod) -> None:
    """Scaled in place, with a group and a team that are added."""
    hyperpod.deploy()
    groups, nodes = hyperpod.groups(), hyperpod.nodes()
    hyperpod.write(MORE)
    (line,) = hyperpod.run("diff").document["nodes"]
    assert (line["group"], line["kind"], line["what"]) == ("trn1", "scaled", "desired 2 -> 3")
    hyperpod.deploy(MORE)
    scaled = hyperpod.groups()
    assert {name: each["InstanceGroupName"] for name, each in scaled.items()} == {
        name: each["InstanceGroupName"] for name, each in groups.items()
    }
    assert (scaled["trn1"]["CurrentCount"], len(hyperpod.nodes() - nodes), len(nodes - hyperpod.nodes())) == (3, 1, 0)

    hyperpod.write(MORE, more=ADDED)
    found = [each["id"] for each in hyperpod.run("diff").document["findings"]]
    assert "W9089" not in found, "scripts of the other groups stay"
    hyperpod.deploy(MORE, more=ADDED)
    assert hyperpod.groups()["prepare"]["SlurmConfig"] == {"NodeType": "Compute", "PartitionNames": ["prepare"]}

    before = hyperpod.nodes()
    hyperpod.write(MORE, more=ADDED + TEAM)
    (warning,) = (each for each in hyperpod.run("diff").document["findings"] if each["id"] == "W9089")
    assert warning["message"].startswith("the script of controller, login, trn1 and prepare changes")
    hyperpod.deploy(MORE, more=ADDED + TEAM)
    assert hyperpod.nodes() == before
    assert hyperpod.line_of("trn1")["verdict"] == "healthy"
    drift = hyperpod.run("drift")
    assert (drift.status, drift.document["drifts"]) == (0, [])
    hyperpod.run("destroy", "--delete-data", NAME)


def the_script_has_the_bucket_and_runs_a_file_that_is_there(hyperpod: HyperPod) -> None:
    (checkpoints,) = (name for name in hyperpod.buckets() if name.startswith(f"{NAME}-storage"))
    for group in hyperpod.groups():
        text = hyperpod.script(group)
        assert text.endswith(f'bash "$script" {checkpoints}\n')
        url = next(word for word in text.split() if word.startswith("s3://"))
        bucket, _, key = url.removeprefix("s3://").partition("/")
        digest = key.removesuffix(".sh")
        assert f'echo "{digest}  $script" | sha256sum' in text
        assert hyperpod.client("s3").head_object(Bucket=bucket, Key=key)["ContentLength"] > 1000


@pytest.mark.exhaustive
def test_another_controller_stops_a_deploy_and_the_hint_leads_out(hyperpod: HyperPod) -> None:
    hyperpod.deploy()
    arn = hyperpod.cluster()["ClusterArn"]
    hyperpod.write(OTHER_CONTROLLER)
    refused = hyperpod.run("deploy")
    assert (refused.status, "E9088" in refused.ids) == (1, True)
    assert hyperpod.cluster()["ClusterArn"] == arn
    assert hyperpod.run("destroy").status == 0
    hyperpod.deploy(OTHER_CONTROLLER)
    assert hyperpod.groups()["controller"]["InstanceType"] == "ml.m7i.4xlarge"
    hyperpod.run("destroy", "--delete-data", NAME)


@pytest.mark.exhaustive
def test_nodes_that_come_late_are_a_warning_until_they_are_there(hyperpod: HyperPod, local_aws: LocalAws) -> None:
    hyperpod.write()
    with local_aws.faults.scarce("trn1.32xlarge", available=1):
        ran = hyperpod.run("deploy")
        assert ran.status == 0, ran.document
        (late,) = [each for each in ran.document["findings"] if each["id"] == "W9586"]
        assert late["message"] == "HyperPod has 1 of 2 nodes of trn1"
        assert hyperpod.line_of("trn1")["verdict"] == "warning"
    assert hyperpod.line_of("trn1")["verdict"] == "healthy"
    hyperpod.run("destroy", "--delete-data", NAME)


@pytest.mark.exhaustive
def test_without_continuous_provisioning_lines_of_others_are_merged(hyperpod: HyperPod) -> None:
    hyperpod.deploy(("hyperpod:\n", "hyperpod:\n  continuous: false\n"))
    cluster = hyperpod.cluster()
    assert cluster["Orchestrator"] == {"Slurm": {"SlurmConfigStrategy": "Merge"}}
    assert "NodeProvisioningMode" not in cluster
    hyperpod.run("destroy", "--delete-data", NAME)
