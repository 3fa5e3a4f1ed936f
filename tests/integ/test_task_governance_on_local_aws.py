"""Task governance of HyperPod: deployed after the cluster, unchanged, another quota in place, and destroyed first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from local_aws.custom_resources.kubernetes_state import objects_in
from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client

pytestmark = pytest.mark.slow

NAME, REGION, TYPE = "shared", "us-east-1", "ml.trn1.32xlarge"
ADDON = "amazon-sagemaker-hyperpod-taskgovernance"
TEXT = """
schema: 1
name: shared
account: 111122223333
region: us-east-1
lifecycle: durable
neuron: {sdk: 2.32.0}
network: {cidr: 10.40.0.0/16, availability_zones: [use1-az6, use1-az1], nat: single}
storage:
  checkpoint_bucket: {}
  lustre: {availability_zone: use1-az6, capacity_gib: 1200, throughput_mbps_per_tib: 250}
eks:
  version: "1.35"
  access: {admins: ["arn:aws:iam::111122223333:role/platform-admin"]}
  addons: {jobset: true}
  node_groups:
    - name: system
      instance_type: m7i.xlarge
      count: {min: 2, desired: 2, max: 2}
hyperpod:
  task_governance: {}
  groups:
    - name: trn1
      instance_type: ml.trn1.32xlarge
      count: {desired: 4}
teams:
  - name: research
    members: ["arn:aws:iam::111122223333:role/research"]
    namespaces: [{name: hyperpod-ns-research}]
    quota: [{node_group: trn1, devices: 32, borrow: 16}]
    weight: 2
  - name: serving
    members: ["arn:aws:iam::111122223333:role/serving"]
    namespaces: [{name: hyperpod-ns-serving}]
    quota: [{node_group: trn1, devices: 24}]
"""
FEWER = ("devices: 24", "devices: 16")

Command = Callable[..., Any]


class Shared:
    """The environment on the local AWS."""

    def __init__(self, project: Path, command: Command, target: LocalTarget) -> None:
        self._file = project / "environments" / f"{NAME}.yaml"
        self._command, self._target = command, target

    def run(self, verb: str, *edits: tuple[str, str], arguments: tuple[str, ...] = ()) -> Any:
        text = TEXT
        for old, new in edits:
            assert old in text, old
            text = text.replace(old, new)
        self._file.write_text(text)
        return self._command(verb, "--local", NAME, *arguments)

    def succeed(self, verb: str, *edits: tuple[str, str]) -> Any:
        ran = self.run(verb, *edits)
        assert ran.status == 0, ran.document
        return ran

    def client(self, service: str) -> Any:
        return client(self._target, service)

    def quotas(self) -> dict[str, dict[str, Any]]:
        """Compute quotas by team."""
        sagemaker = self.client("sagemaker")
        ids = [each["ComputeQuotaId"] for each in sagemaker.list_compute_quotas()["ComputeQuotaSummaries"]]
        rows = [dict(sagemaker.describe_compute_quota(ComputeQuotaId=each)) for each in ids]
        return {each["ComputeQuotaTarget"]["TeamName"]: each for each in rows}


@pytest.fixture
def shared(project: Path, command: Command, target: LocalTarget) -> Shared:
    return Shared(project, command, replace(target, region=REGION))


def namespaces_of(local_aws: LocalAws) -> dict[str, dict[str, str]]:
    """Labels of the namespaces of teams."""
    objects = objects_in(local_aws.store, "111122223333", REGION, NAME)
    found = (each["metadata"] for each in objects if each["kind"] == "Namespace")
    return {each["name"]: each["labels"] for each in found if each["name"].startswith("hyperpod-ns-")}


@pytest.mark.exhaustive  # tests/round_trip deploys all of it
def test_a_life(shared: Shared, local_aws: LocalAws) -> None:
    """A changed quota is updated in place; policies go before the cluster, which SageMaker keeps while it has any."""
    shared.succeed("deploy")
    quotas = shared.quotas()
    assert quotas["research"]["ComputeQuotaConfig"] == {
        "ComputeQuotaResources": [{"InstanceType": TYPE, "Count": 2}],
        "PreemptTeamTasks": "LowerPriority",
        "ResourceSharingConfig": {
            "Strategy": "LendAndBorrow",
            "AbsoluteBorrowLimits": [{"InstanceType": TYPE, "Count": 1}],
        },
    }
    assert quotas["serving"]["ComputeQuotaConfig"]["ComputeQuotaResources"] == [
        {"InstanceType": TYPE, "Accelerators": 24}
    ]
    addon = shared.client("eks").describe_addon(clusterName=NAME, addonName=ADDON)["addon"]
    assert (addon["status"], addon["addonVersion"]) == ("ACTIVE", "v1.6.0-eksbuild.1")
    labels = namespaces_of(local_aws)
    assert set(labels) == {"hyperpod-ns-research", "hyperpod-ns-serving"}
    for team, found in zip(("research", "serving"), labels.values(), strict=True):
        assert found["neuron-cluster/team"] == team
        assert found["sagemaker.amazonaws.com/sagemaker-managed-queue"] == "true", "what HyperPod set stays"

    again = shared.succeed("deploy")
    assert not any(each["changed"] for each in again.document["stacks"]), again.document["stacks"]

    shared.succeed("deploy", FEWER)
    changed = shared.quotas()["serving"]
    assert changed["ComputeQuotaArn"] == quotas["serving"]["ComputeQuotaArn"]
    assert changed["ComputeQuotaVersion"] == quotas["serving"]["ComputeQuotaVersion"] + 1
    assert changed["ComputeQuotaConfig"]["ComputeQuotaResources"] == [{"InstanceType": TYPE, "Count": 1}]

    shared.succeed("destroy")
    assert shared.quotas() == {}
    assert shared.client("sagemaker").list_clusters()["ClusterSummaries"] == []


@pytest.mark.exhaustive
def test_without_a_node_the_stack_fails_and_the_next_deploy_continues(shared: Shared, local_aws: LocalAws) -> None:
    """With continuous provisioning the cluster is in service before its nodes are there."""
    with local_aws.faults.scarce("trn1.32xlarge", available=0):
        ran = shared.run("deploy")
    assert ran.status == 1, ran.document
    (failed,) = ran.document["findings"]
    assert "the add-on is DEGRADED" in failed["message"]
    assert "in the file: hyperpod.task_governance" in failed["message"]
    assert "needs a HyperPod node: deploy again once `status` shows one" in failed["hint"]
    assert shared.quotas() == {}
    assert len(shared.client("sagemaker").list_clusters()["ClusterSummaries"]) == 1, "the cluster stays"
    shared.succeed("deploy")
    assert set(shared.quotas()) == {"research", "serving"}
    shared.succeed("destroy")


@pytest.mark.exhaustive
def test_the_kueue_of_the_toolkit_stops_the_deploy_before_it_changes_anything(shared: Shared) -> None:
    own = (
        ("  task_governance: {}\n", ""),
        ("count: {desired: 4}\n", "count: {desired: 4}\n      queue: training\n"),
        ("hyperpod-ns-research", "research"),
        ("hyperpod-ns-serving", "serving"),
    )
    shared.succeed("deploy", *own)
    refused = shared.run("deploy")
    assert refused.status == 1
    assert "E9085" in [each["id"] for each in refused.document["findings"]]
    assert shared.quotas() == {}
    shared.succeed("destroy", *own)
