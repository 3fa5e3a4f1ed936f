"""Kubernetes goes up with its add-ons: without their versions the edit is refused, and a lock gives them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hint_commands import commands_in

from neuron_cluster.aws.session import LocalTarget, client

pytestmark = [pytest.mark.exhaustive, pytest.mark.usefixtures("local_aws")]

TEXT = """
schema: 1
name: small
account: 111122223333
region: us-west-2
lifecycle: ephemeral
neuron: {sdk: 2.32.0}
network: {cidr: 10.30.0.0/16, availability_zones: [usw2-az1, usw2-az2], nat: single}
eks:
  version: "1.34"
  endpoint: {access: private}
  access: {admins: ["arn:aws:iam::111122223333:role/platform-admin"]}
  node_groups:
    - name: system
      instance_type: m7i.large
      count: {min: 2, desired: 2, max: 3}
      root_volume: {size_gib: 50}
"""


def addons(target: LocalTarget) -> dict[str, str]:
    eks = client(target, "eks")
    names = eks.list_addons(clusterName="small")["addons"]
    return {name: eks.describe_addon(clusterName="small", addonName=name)["addon"]["addonVersion"] for name in names}


@pytest.mark.hints("E9020")
def test_a_lock_moves_the_addons_with_the_cluster(
    run_small: Callable[..., Any], command: Callable[..., Any], project: Path, target: LocalTarget
) -> None:
    run_small(TEXT)
    before = addons(target)
    (project / "environments" / "small.yaml").write_text(TEXT.replace('"1.34"', '"1.35"'))
    ran = command("deploy", "--local", "small")
    (refused,) = [each for each in ran.document["findings"] if each["severity"] == "error"]
    assert (ran.status, refused["id"], refused["path"]) == (1, "E9020", "eks.version")
    assert "changes from Kubernetes 1.34 to 1.35" in refused["message"]
    assert set(re.findall(r"[a-z-]+", refused["message"])) >= {*before}
    assert addons(target) == before

    (hinted,) = commands_in(refused["hint"])
    name, *arguments = hinted.split()
    assert name == "neuron-cluster"
    assert command(*arguments).status == 0
    assert command("deploy", "--local", "small").status == 0
    assert client(target, "eks").describe_cluster(name="small")["cluster"]["version"] == "1.35"
    after = addons(target)
    assert after["kube-proxy"].startswith("v1.35.")
    assert before["kube-proxy"].startswith("v1.34.")
    assert after.keys() == before.keys()
