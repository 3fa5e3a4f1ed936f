"""Auto Mode and the DRA driver on a local AWS: turned on and off on a cluster that stands, which stays the same one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client
from tests.small_environment import small_environment

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

SMALL = small_environment(network=("endpoints: [s3, ecr.api]",), eks=("addons: {}", "auto_mode: false"))
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
