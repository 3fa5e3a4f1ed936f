"""A HyperPod cluster on EKS: deployed, unchanged, scaled, with other groups, and destroyed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Location
from neuron_cluster.pipeline import check_environment
from neuron_cluster.providers.hyperpod import training_plans

pytestmark = pytest.mark.slow

NAME = "pods"
TEXT = """
schema: 1
name: pods
account: 111122223333
region: us-west-2
lifecycle: durable
neuron: {sdk: 2.32.0}
network: {cidr: 10.40.0.0/16, availability_zones: [usw2-az4, usw2-az1], nat: single}
storage: {checkpoint_bucket: {}}
eks:
  version: "1.35"
  access: {admins: ["arn:aws:iam::111122223333:role/platform-admin"]}
  node_groups:
    - name: system
      instance_type: m7i.xlarge
      count: {min: 2, desired: 2, max: 2}
hyperpod:
  groups:
    - name: trn1
      instance_type: ml.trn1.32xlarge
      count: {desired: 2}
    - name: prepare
      instance_type: ml.m7i.2xlarge
      count: {desired: 1}
"""
MORE = ("count: {desired: 2}\n", "count: {desired: 3}\n")
RELEASED = (MORE[0], f"{MORE[1]}      ami_release: 1.2.3\n")
RESUMED = ("hyperpod:\n", "hyperpod:\n  job_auto_resume: true\n")
OTHER_TYPE = ("ml.trn1.32xlarge", "ml.trn1n.32xlarge")
WITHOUT_PREPARE = (
    "    - name: prepare\n      instance_type: ml.m7i.2xlarge\n      count: {desired: 1}\n",
    "",
)
WITH_TAINT = (
    "count: {desired: 1}\n",
    "count: {desired: 1}\n      taints: [{key: team, value: a, effect: no_schedule}]\n",
)

Command = Callable[..., Any]


class HyperPod:
    """The environment on the local AWS."""

    def __init__(self, project: Path, command: Command, target: LocalTarget) -> None:
        self._file = project / "environments" / f"{NAME}.yaml"
        self._command, self._target = command, target

    def write(self, *edits: tuple[str, str]) -> None:
        text = TEXT
        for old, new in edits:
            assert old in text, old
            text = text.replace(old, new)
        self._file.write_text(text)

    def run(self, verb: str, *arguments: str) -> Any:
        return self._command(verb, "--local", NAME, *arguments)

    def deploy(self, *edits: tuple[str, str]) -> Any:
        self.write(*edits)
        ran = self.run("deploy")
        assert ran.status == 0, ran.document
        return ran

    def destroy(self, *arguments: str) -> Any:
        ran = self.run("destroy", *arguments)
        assert ran.status == 0, ran.document
        return ran

    def client(self, service: str) -> Any:
        return client(self._target, service)

    def preflight_context(self) -> PreflightContext:
        """Checks the file as it is: the command leaves out checks of accounts on the local AWS."""
        target, plan = self._target, check_environment(self._file).require_plan()
        there = local_destination(target.endpoint, target.account, target.region)
        return PreflightContext(plan, there, lambda _: Location(self._file.name), load_catalog())

    def clusters(self) -> list[dict[str, Any]]:
        sagemaker = self.client("sagemaker")
        names = [each["ClusterName"] for each in sagemaker.list_clusters()["ClusterSummaries"]]
        return [dict(sagemaker.describe_cluster(ClusterName=name)) for name in names]

    def groups(self) -> dict[str, dict[str, Any]]:
        """The groups of the one cluster by the user's name."""
        (cluster,) = self.clusters()
        return {each["InstanceGroupName"].rpartition("-")[0]: each for each in cluster["InstanceGroups"]}

    def nodes(self) -> set[str]:
        """Ids of the nodes of all groups."""
        rows = self.client("sagemaker").list_cluster_nodes(ClusterName=NAME)["ClusterNodeSummaries"]
        return {each["InstanceId"] for each in rows}

    def logs(self) -> list[str]:
        """Names of the log groups that HyperPod made."""
        rows = self.client("logs").describe_log_groups(logGroupNamePrefix="/aws/sagemaker/")["logGroups"]
        return [each["logGroupName"] for each in rows]

    def line_of(self, subject: str) -> dict[str, Any]:
        """The line of `status` about it."""
        sections = self.run("status").document["sections"]
        (found,) = (line for each in sections for line in each["lines"] if line["subject"] == subject)
        return dict(found)

    def buckets(self) -> set[str]:
        """Names of the buckets of the environment."""
        names = [each["Name"] for each in self.client("s3").list_buckets()["Buckets"]]
        return {name for name in names if name.startswith((f"{NAME}-storage", "sagemaker-"))}


@pytest.fixture
def hyperpod(project: Path, command: Command, target: LocalTarget) -> HyperPod:
    return HyperPod(project, command, target)


def test_a_life(hyperpod: HyperPod) -> None:
    """Scaled in place; another type is a group under another name; destroyed, the data and the logs stay."""
    ran = hyperpod.deploy()
    (cluster,), groups, nodes = hyperpod.clusters(), hyperpod.groups(), hyperpod.nodes()
    assert (cluster["ClusterStatus"], cluster["NodeProvisioningMode"]) == ("InService", "Continuous")
    assert cluster["Orchestrator"]["Eks"]["ClusterArn"].endswith(f":cluster/{NAME}")
    assert {name: (each["InstanceType"], each["CurrentCount"]) for name, each in groups.items()} == {
        "trn1": ("ml.trn1.32xlarge", 2),
        "prepare": ("ml.m7i.2xlarge", 1),
    }
    assert len(nodes) == 3
    assert [each["name"] for each in ran.document["existing"]["hyperpod_clusters"]] == [NAME]
    assert not [each for each in ran.document["findings"] if each["id"] in ("E9589", "W9586", "W9652")]
    the_script_is_where_nodes_look_for_it(hyperpod, groups["trn1"])

    again = hyperpod.deploy()
    assert not any(each["changed"] for each in again.document["stacks"]), again.document["stacks"]

    hyperpod.write(MORE)
    (line,) = hyperpod.run("diff").document["nodes"]
    assert (line["group"], line["kind"], line["what"]) == ("trn1", "scaled", "desired 2 -> 3")
    hyperpod.deploy(MORE)
    scaled = hyperpod.groups()
    assert [scaled[name]["InstanceGroupName"] for name in groups] == [
        each["InstanceGroupName"] for each in groups.values()
    ]
    assert (scaled["trn1"]["CurrentCount"], len(hyperpod.nodes() - nodes), len(nodes - hyperpod.nodes())) == (3, 1, 0)

    hyperpod.write(RELEASED, RESUMED)
    compared = hyperpod.run("diff").document
    (line,) = compared["nodes"]
    assert (line["group"], line["kind"], line["nodes"]) == ("trn1", "rolled", 3)
    assert "W9083" in [each["id"] for each in compared["findings"]]
    ran = hyperpod.deploy(RELEASED, RESUMED)
    assert [each["name"] for each in ran.document["stacks"] if each["changed"]] == ["pods-software", "pods-hyperpod"]
    updated = hyperpod.groups()
    assert [each.get("CurrentImageReleaseVersion") for each in updated.values()] == ["1.2.3", None]
    assert updated["trn1"]["InstanceGroupName"] == groups["trn1"]["InstanceGroupName"]
    line = hyperpod.line_of("trn1")
    assert (line["verdict"], line["cause"]) == ("healthy", "3 of 3 nodes (3 Running), AMI release 1.2.3")

    hyperpod.deploy(MORE, OTHER_TYPE)
    replaced = hyperpod.groups()
    assert set(replaced) == {"trn1", "prepare"}
    assert replaced["trn1"]["InstanceType"] == "ml.trn1n.32xlarge"
    assert replaced["trn1"]["InstanceGroupName"] != groups["trn1"]["InstanceGroupName"]
    assert replaced["prepare"]["InstanceGroupName"] == groups["prepare"]["InstanceGroupName"]
    (same,) = hyperpod.clusters()
    assert same["ClusterArn"] == cluster["ClusterArn"]

    destroyed = hyperpod.destroy()
    assert hyperpod.clusters() == []
    (kept,) = hyperpod.buckets()
    assert kept.startswith(f"{NAME}-storage"), "the checkpoints stay, and the script is gone with its versions"
    (logs,) = hyperpod.logs()
    assert logs in str(destroyed.document), "what is kept is named"

    hyperpod.destroy("--delete-data", NAME)
    assert (hyperpod.buckets(), hyperpod.logs()) == (set(), [])


def the_script_is_where_nodes_look_for_it(hyperpod: HyperPod, group: dict[str, Any]) -> None:
    life_cycle = group["LifeCycleConfig"]
    bucket, _, folder = life_cycle["SourceS3Uri"].removeprefix("s3://").partition("/")
    assert bucket.startswith("sagemaker-")
    script = hyperpod.client("s3").get_object(Bucket=bucket, Key=f"{folder}/{life_cycle['OnCreate']}")
    assert script["Body"].read().startswith(b"#!/bin/bash\n")


def test_preflight_compares_a_training_plan_with_its_group(hyperpod: HyperPod) -> None:
    """A plan for training jobs, in another zone, which has not begun."""
    sagemaker = hyperpod.client("sagemaker")
    wanted = {"InstanceType": "ml.trn1.32xlarge", "InstanceCount": 1, "TargetResources": ["training-job"]}
    offering, *_ = sagemaker.search_training_plan_offerings(**wanted)["TrainingPlanOfferings"]
    bought = {"TrainingPlanName": "week", "TrainingPlanOfferingId": offering["TrainingPlanOfferingId"]}
    arn = sagemaker.create_training_plan(**bought)["TrainingPlanArn"]
    hyperpod.write((MORE[0], f"count: {{desired: 1}}\n      capacity: {{kind: training_plan, plan_arn: {arn}}}\n"))
    (capacity,) = sagemaker.describe_training_plan(TrainingPlanName="week")["ReservedCapacitySummaries"]
    assert capacity["AvailabilityZoneId"] != "usw2-az4"
    target, zone, begins = (each.message for each in training_plans.check(hyperpod.preflight_context()))
    assert target.endswith("in the training plan week: its target is training-job, not hyperpod-cluster")
    assert zone.endswith(f"week of trn1 is in {capacity['AvailabilityZoneId']}, but the group is in usw2-az4")
    start = f"{capacity['StartTime']:%Y-%m-%d %H:%M} UTC"
    assert begins.endswith(f"of trn1 is Scheduled and begins {start}: no node starts before")


@pytest.mark.exhaustive
def test_groups_are_taken_out_and_labelled(hyperpod: HyperPod, local_aws: LocalAws) -> None:
    """Labels and taints change on nodes that run; a group that is no longer in the file goes with its nodes."""
    hyperpod.deploy()
    nodes = hyperpod.nodes()
    hyperpod.deploy(WITH_TAINT)
    assert hyperpod.nodes() == nodes
    (taint,) = hyperpod.groups()["prepare"]["KubernetesConfig"]["DesiredTaints"]
    assert (taint["Key"], taint["Effect"]) == ("team", "NoSchedule")

    hyperpod.deploy(WITHOUT_PREPARE)
    assert set(hyperpod.groups()) == {"trn1"}
    assert len(nodes - hyperpod.nodes()) == 1
    line = hyperpod.line_of("trn1")
    assert (line["verdict"], line["cause"]) == ("healthy", "2 of 2 nodes (2 Running)")

    section = TEXT[TEXT.index("hyperpod:") :]
    hyperpod.write((section, ""))
    refused = hyperpod.run("deploy")
    assert refused.status == 1
    assert "E9082" in [each["id"] for each in refused.document["findings"]]
    assert len(hyperpod.clusters()) == 1

    hyperpod.destroy()
    hyperpod.deploy((section, ""))
    assert hyperpod.clusters() == []
    hyperpod.destroy()


@pytest.mark.exhaustive
def test_nodes_that_come_late_are_a_warning_until_they_are_there(hyperpod: HyperPod, local_aws: LocalAws) -> None:
    """Provisioned continuously, a cluster is in service without them."""
    hyperpod.write()
    with local_aws.faults.scarce("trn1.32xlarge", available=1):
        ran = hyperpod.run("deploy")
        assert ran.status == 0, ran.document
        (late,) = [each for each in ran.document["findings"] if each["id"] == "W9586"]
        assert late["message"] == "HyperPod has 1 of 2 nodes of trn1"
        line = hyperpod.line_of("trn1")
        assert (line["verdict"], line["cause"][:27]) == ("warning", "1 of 2 nodes (1 Running): I")
    assert hyperpod.line_of("trn1")["verdict"] == "healthy"
    hyperpod.destroy()


@pytest.mark.exhaustive
def test_without_continuous_provisioning_a_deploy_gets_all_nodes_or_fails(
    hyperpod: HyperPod, local_aws: LocalAws
) -> None:
    hyperpod.write(("hyperpod:\n", "hyperpod:\n  continuous: false\n"))
    with local_aws.faults.scarce("trn1.32xlarge", available=1):
        ran = hyperpod.run("deploy")
    assert ran.status == 1, ran.document
    assert "ml.trn1.32xlarge" in ran.err
    hyperpod.destroy()
    assert hyperpod.clusters() == []
