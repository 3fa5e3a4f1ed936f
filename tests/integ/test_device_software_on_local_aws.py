"""Auto Mode and the DRA driver on a local AWS: turned on and off on a cluster that stands, which stays the same one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.cli.main import main
from neuron_cluster.deploy.local_server import announced
from neuron_cluster.local_aws.server import LocalAws

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
CHECKOUT = Path(__file__).parents[2]
ACCOUNT, REGION = "111122223333", "us-west-2"

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


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of its own with one small environment."""
    root = tmp_path_factory.mktemp("project")
    for name in ("app.py", "cdk.json"):
        shutil.copy(CHECKOUT / name, root / name)
    for name in ("stacks", "node_modules"):
        (root / name).symlink_to(CHECKOUT / name)
    (root / "environments").mkdir()
    return root


@pytest.fixture(scope="module")
def target(project: Path) -> Iterator[LocalTarget]:
    with LocalAws() as local_aws, announced(project, local_aws.endpoint):
        found = LocalTarget(REGION, ACCOUNT, local_aws.endpoint)
        yield found
        close_clients(found)


@pytest.fixture
def deploy(
    project: Path, target: LocalTarget, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Any]:
    """Deploys this text as the environment; the command's document."""
    monkeypatch.setenv("CDK_VALIDATION", "false")

    def run(text: str) -> Any:
        (project / "environments" / "small.yaml").write_text(text)
        status = main(["deploy", "--local", "small", "--format", "json", "--project", str(project)])
        document = json.loads(capsys.readouterr().out)
        assert status == 0, document
        return document

    return run


def cluster(target: LocalTarget) -> dict[str, Any]:
    found: dict[str, Any] = client(target, "eks").describe_cluster(name="small")["cluster"]
    return found


def switches(found: dict[str, Any]) -> list[bool]:
    network = found["kubernetesNetworkConfig"]["elasticLoadBalancing"]
    return [each["enabled"] for each in (found["computeConfig"], found["storageConfig"]["blockStorage"], network)]


def releases(document: dict[str, Any]) -> set[str]:
    return {chart["release"] for chart in document["existing"]["charts"]}


def test_both_come_and_go_on_the_same_cluster(deploy: Callable[[str], Any], target: LocalTarget) -> None:
    """One story, for a deploy takes its time: neither of them, Auto Mode, and then the DRA driver instead."""
    assert releases(deploy(SMALL)) == {"neuron"}
    before = cluster(target)
    assert switches(before) == [False, False, False]

    deploy(WITH_AUTO_MODE)
    on = cluster(target)
    assert switches(on) == [True, True, True]
    assert on["computeConfig"]["nodePools"] == ["general-purpose", "system"]
    role = on["computeConfig"]["nodeRoleArn"].rsplit("/", 1)[-1]
    attached = client(target, "iam").list_attached_role_policies(RoleName=role)["AttachedPolicies"]
    assert {policy["PolicyName"] for policy in attached} == {
        "AmazonEKSWorkerNodeMinimalPolicy",
        "AmazonEC2ContainerRegistryPullOnly",
    }

    assert releases(deploy(WITH_DRA)) == {"neuron", "neuron-dra-driver"}
    off = cluster(target)
    assert switches(off) == [False, False, False]
    assert role not in {each["RoleName"] for each in client(target, "iam").list_roles()["Roles"]}
    assert len({(each["createdAt"], each["arn"], each["roleArn"]) for each in (before, on, off)}) == 1
