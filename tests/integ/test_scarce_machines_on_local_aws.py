"""EC2 lacks machines: the stack of that group alone goes back, and the next deploy goes on with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget, client

pytestmark = [pytest.mark.exhaustive, pytest.mark.usefixtures("local_aws")]

TEXT = """
schema: 1
name: scarce
account: 111122223333
region: us-west-2
lifecycle: ephemeral
neuron: {sdk: 2.32.0}
network: {cidr: 10.30.0.0/16, availability_zones: [usw2-az1, usw2-az4], nat: single}
eks:
  version: "1.35"
  endpoint: {access: private}
  access: {admins: ["arn:aws:iam::111122223333:role/platform-admin"]}
  node_groups:
    - name: system
      instance_type: m7i.large
      count: {min: 2, desired: 2, max: 3}
      root_volume: {size_gib: 50}
    - name: trn1
      instance_type: trn1.32xlarge
      availability_zone: usw2-az4
      capacity: {kind: on_demand}
      count: {min: 0, desired: 16, max: 16}
      root_volume: {size_gib: 512}
"""
STAYING = ("network", "cluster", "system", "software")


def states(target: LocalTarget) -> dict[str, str]:
    found = client(target, "cloudformation").describe_stacks()["Stacks"]
    return {
        stack["StackName"].removeprefix("scarce-"): stack["StackStatus"]
        for stack in found
        if stack["StackName"].startswith("scarce-")
    }


def groups(target: LocalTarget) -> set[str]:
    names = client(target, "eks").list_nodegroups(clusterName="scarce")["nodegroups"]
    return {name.rpartition("-")[0] for name in names}


def test_machines_that_ec2_lacks_fail_their_stack_alone_and_go_first_at_the_end(
    project: Path, command: Callable[..., Any], target: LocalTarget, aws: LocalAws
) -> None:
    (project / "environments" / "scarce.yaml").write_text(TEXT)
    with aws.faults.scarce("trn1.32xlarge", available=15) as fault:
        ran = command("deploy", "--local", "scarce")
        assert (ran.status, fault.injected) == (1, 1)
    (finding,) = [each for each in ran.document["findings"] if each["id"] == "E9529"]
    assert "scarce-nodes: NodeGrouptrn1F2E0DEF8 (AWS::EKS::Nodegroup)" in finding["message"]
    assert "AsgInstanceLaunchFailures" in finding["message"]
    assert "We currently do not have sufficient trn1.32xlarge capacity" in finding["message"]
    assert states(target) == {**dict.fromkeys(STAYING, "CREATE_COMPLETE"), "nodes": "ROLLBACK_COMPLETE"}
    assert groups(target) == {"system"}

    ran = command("deploy", "--local", "scarce")
    assert ran.status == 0, ran.document
    assert states(target) == dict.fromkeys((*STAYING, "nodes"), "CREATE_COMPLETE")
    assert groups(target) == {"system", "trn1"}

    ran = command("destroy", "--local", "scarce", "--yes")
    assert ran.status == 0, ran.document
    deleted = client(target, "cloudformation").list_stacks(StackStatusFilter=["DELETE_COMPLETE"])["StackSummaries"]
    ours = [each for each in deleted if each["StackName"].startswith("scarce-")]
    ended = sorted((each["DeletionTime"], each["StackName"].removeprefix("scarce-")) for each in ours)
    last = {part: at for at, part in ended}  # that of the failed deploy was deleted too
    assert sorted(last, key=lambda part: last[part]) == ["nodes", "software", "system", "cluster", "network"]
