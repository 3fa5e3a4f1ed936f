"""Edits that EKS does not take in one update, a lock, and parts that leave the file: a deploy carries all of it out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.lock.paths import local_locks, lock_path
from neuron_cluster.lock.reader import load_lock

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("local_aws")]

OLD = "1.35.6-20260625"
TEXT = f"""
schema: 1
name: edits
account: 111122223333
region: us-west-2
lifecycle: ephemeral
neuron: {{sdk: 2.32.0}}
network: {{cidr: 10.30.0.0/16, availability_zones: [usw2-az1, usw2-az2], nat: single}}
eks:
  version: "1.35"
  endpoint: {{access: private}}
  access: {{admins: ["arn:aws:iam::111122223333:role/platform-admin"]}}
  node_groups:
    - name: system
      instance_type: m7i.large
      count: {{min: 2, desired: 2, max: 3}}
      root_volume: {{size_gib: 50}}
      ami_release: {OLD}
workstations:
  - name: alice
    instance_type: trn1.2xlarge
    dlami: multi_framework_ubuntu_24_04
    root_volume: {{size_gib: 512}}
"""
STATIONS = TEXT[TEXT.index("workstations:") :]


def node_group(target: LocalTarget) -> dict[str, Any]:
    eks = client(target, "eks")
    (name,) = eks.list_nodegroups(clusterName="edits")["nodegroups"]
    return dict(eks.describe_nodegroup(clusterName="edits", nodegroupName=name)["nodegroup"])


@pytest.mark.exhaustive
def test_versions_with_settings_are_two_updates_and_what_leaves_the_file_is_deleted(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    file = project / "environments" / "edits.yaml"
    file.write_text(TEXT)
    assert command("deploy", "--local", "edits").status == 0

    upgraded = TEXT.replace(STATIONS, "").replace('"1.35"', '"1.36"').replace(f"      ami_release: {OLD}\n", "")
    file.write_text(upgraded.replace("max: 3}", "max: 4}\n      labels: {a: b}"))
    assert command("lock", "--local", "edits").status == 0  # add-ons go up with the cluster (E9020)
    lock = load_lock(lock_path(local_locks(project), "edits"), display_name="edits", again="").lock
    assert lock is not None
    edited = command("diff", "--local", "edits").document
    (rolled,) = [change for change in edited["nodes"] if change["kind"] == "rolled"]
    assert "in a second update" in rolled["what"]
    (gone,) = [change for change in edited["nodes"] if change["kind"] == "removed"]
    assert gone["group"] == "workstation alice"
    assert [price["desired_usd"] for price in edited["cost"]["before"]["workstations"]] == [1.3438]
    assert edited["cost"]["after"]["workstations"] == []
    assert "deleted" in {stack["state"] for stack in edited["stacks"]}

    ran = command("deploy", "--local", "edits")
    assert ran.status == 0, ran.document
    assert "deleted: the stack edits-workstations" in ran.err
    group = node_group(target)
    (release,) = lock.ami_releases.values()
    assert group["releaseVersion"] == release.release_version
    assert (group["labels"]["a"], group["scalingConfig"]["maxSize"]) == ("b", 4)
    for name, version in lock.addons.items():
        addon = client(target, "eks").describe_addon(clusterName="edits", addonName=name)["addon"]
        assert addon["addonVersion"] == version
    assert client(target, "eks").describe_cluster(name="edits")["cluster"]["version"] == "1.36"
    instances = client(target, "ec2").describe_instances(
        Filters=[{"Name": "instance-type", "Values": ["trn1.2xlarge"]}]
    )
    states = [each["State"]["Name"] for row in instances["Reservations"] for each in row["Instances"]]
    assert set(states) <= {"terminated", "shutting-down"}
    assert command("diff", "--local", "edits").document["is_different"] is False
