"""A claim of S3 Files: its volume and the role of the driver, and what is left when the namespace gives it up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.deploy.local_server import recorded

from .objects_named import names

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

CLAIMED = "{name: research, claims: [s3-files]}"
TEXT = f"""
schema: 1
name: mounted
account: 111122223333
region: us-west-2
lifecycle: ephemeral
neuron: {{sdk: 2.32.0}}
network: {{cidr: 10.40.0.0/16, availability_zones: [usw2-az4, usw2-az1], nat: single}}
storage:
  checkpoint_bucket: {{}}
  s3_files: {{}}
eks:
  version: "1.35"
  access: {{admins: ["arn:aws:iam::111122223333:role/platform-admin"]}}
  namespaces: [{CLAIMED}]
  node_groups:
    - name: system
      instance_type: m7i.xlarge
      count: {{min: 2, desired: 2, max: 2}}
"""


def test_a_claim_is_bound_to_the_file_system_and_stays_when_it_leaves_the_file(
    project: Path, command: Callable[..., Any], target: LocalTarget
) -> None:
    def deployed(text: str) -> list[dict[str, Any]]:
        (project / "environments" / "mounted.yaml").write_text(text)
        ran = command("deploy", "--local", "mounted")
        assert ran.status == 0, ran.document
        rows = recorded(target.endpoint, target.account, target.region)
        return [each for row in rows if row["kind"] == "manifest" for each in row["objects"]]

    made = deployed(TEXT)
    files, eks = client(target, "s3files"), client(target, "eks")
    (system,) = files.list_file_systems()["fileSystems"]
    (point,) = files.list_access_points(fileSystemId=system["fileSystemId"])["accessPoints"]
    volume = next(each for each in made if each["metadata"]["name"] == "s3-files.research")
    handle = f"s3files:{system['fileSystemId']}:/research/..:{point['accessPointId']}"
    assert volume["spec"]["csi"] == {"driver": "efs.csi.aws.com", "volumeHandle": handle}
    roles = eks.list_pod_identity_associations(clusterName="mounted", namespace="kube-system")["associations"]
    assert "efs-csi-node-sa" in {each["serviceAccount"] for each in roles}

    left = deployed(TEXT.replace(CLAIMED, "{name: research, claims: []}"))
    assert ("research", "s3-files") in names(left, "PersistentVolumeClaim")
    roles = eks.list_pod_identity_associations(clusterName="mounted", namespace="kube-system")["associations"]
    assert "efs-csi-node-sa" not in {each["serviceAccount"] for each in roles}
    assert files.list_access_points(fileSystemId=system["fileSystemId"])["accessPoints"] == [point]
    assert command("destroy", "--local", "mounted", "--delete-data", "mounted").status == 0
    assert files.list_file_systems()["fileSystems"] == []
