"""Auto Mode and the DRA driver on a local AWS: turned on and off on a cluster that stands, which stays the same one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

SMALL = """
schema: 1
name: small
account: 111122223333
region: us-west-2
neuron: {sdk: 2.32.0}
network:
  cidr: 10.40.0.0/16
  availability_zones: [usw2-az4, usw2-az1]
  nat: single
  endpoints: [s3, ecr.api]
eks:
  version: "1.35"
  access: {admins: ["arn:aws:iam::111122223333:role/platform-admin"]}
  node_groups:
    - name: system
      instance_type: m7i.xlarge
      count: {min: 2, desired: 2, max: 2}
    - name: trn1
      instance_type: trn1.2xlarge
      count: {min: 0, desired: 0, max: 1}
  addons: {}
  auto_mode: false
"""
WITH_AUTO_MODE = SMALL.replace("auto_mode: false", "auto_mode: true")
WITH_DRA = SMALL.replace("addons: {}", "addons: {neuron_dra_driver: true}")


def cluster(target: LocalTarget) -> dict[str, Any]:
    found: dict[str, Any] = client(target, "eks").describe_cluster(name="small")["cluster"]
    return found


def switches(found: dict[str, Any]) -> list[bool]:
    network = found["kubernetesNetworkConfig"]["elasticLoadBalancing"]
    return [each["enabled"] for each in (found["computeConfig"], found["storageConfig"]["blockStorage"], network)]


def releases(document: dict[str, Any]) -> set[str]:
    return {chart["release"] for chart in document["existing"]["charts"]}


def test_both_come_and_go_on_the_same_cluster(run_small: Callable[..., Any], target: LocalTarget) -> None:
    """One story, for a deploy takes its time: neither of them, Auto Mode, and then the DRA driver instead."""
    assert releases(run_small(SMALL)) == {"neuron"}
    before = cluster(target)
    assert switches(before) == [False, False, False]

    run_small(WITH_AUTO_MODE)
    on = cluster(target)
    assert switches(on) == [True, True, True]
    assert on["computeConfig"]["nodePools"] == ["general-purpose", "system"]
    role = on["computeConfig"]["nodeRoleArn"].rsplit("/", 1)[-1]
    attached = client(target, "iam").list_attached_role_policies(RoleName=role)["AttachedPolicies"]
    assert {policy["PolicyName"] for policy in attached} == {
        "AmazonEKSWorkerNodeMinimalPolicy",
        "AmazonEC2ContainerRegistryPullOnly",
    }

    assert releases(run_small(WITH_DRA)) == {"neuron", "neuron-dra-driver"}
    off = cluster(target)
    assert switches(off) == [False, False, False]
    assert role not in {each["RoleName"] for each in client(target, "iam").list_roles()["Roles"]}
    assert len({(each["createdAt"], each["arn"], each["roleArn"]) for each in (before, on, off)}) == 1
