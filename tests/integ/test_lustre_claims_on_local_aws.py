"""Claims of a file system and the jobs that make them, when namespaces leave the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget
from neuron_cluster.deploy.local_server import recorded

from .objects_named import Objects, names

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
