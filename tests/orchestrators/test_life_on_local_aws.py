"""A provider that the toolkit does not know, by the command: deployed, changed and destroyed on the local AWS."""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Listener
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.deploy.local_server import announced
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from tests.orchestrators.conftest import ENVIRONMENT, ROOT, Ran

INTEG = ROOT / "tests" / "integ"
sys.path.insert(0, str(INTEG))  # for warm_synthesis

pytestmark = pytest.mark.slow


@pytest.fixture
def project(cdk: Any, warm_modules: Path, tmp_path: Path) -> Iterator[Path]:
    """A project whose ``app.py`` asks this process, in which CDK is loaded and the provider registered."""
    from warm_app import SOCKET
    from warm_synthesis import REAL_APP, serve

    del cdk
    root = tmp_path / "project"
    (root / "environments").mkdir(parents=True)
    shutil.copy(ENVIRONMENT, root / "environments")
    shutil.copy(ROOT / "app.py", root / REAL_APP)
    shutil.copy(INTEG / "warm_app.py", root / "app.py")
    shutil.copy(ROOT / "cdk.json", root)
    for name in ("stacks", "charts", "functions"):
        (root / name).symlink_to(ROOT / name)
    (root / "node_modules").symlink_to(warm_modules)
    with Listener(str(root / SOCKET), "AF_UNIX") as listener:
        threading.Thread(target=serve, args=[listener], daemon=True).start()
        yield root


@pytest.fixture
def target(project: Path) -> Iterator[LocalTarget]:
    with product_local_aws() as aws, announced(project, aws.endpoint):
        found = LocalTarget("us-west-2", "111122223333", aws.endpoint)
        yield found
        close_clients(found)


def instances(target: LocalTarget) -> list[dict[str, Any]]:
    wanted = [{"Name": "instance-state-name", "Values": ["running"]}]
    rows = client(target, "ec2").describe_instances(Filters=wanted)["Reservations"]
    return [each for row in rows for each in row["Instances"]]


def test_its_groups_are_deployed_changed_and_destroyed(
    command: Callable[..., Ran], project: Path, target: LocalTarget
) -> None:
    options = ("--local", "--project", project, "--format", "json")
    assert command("deploy", "scale-trn1", *options).status == 0
    first = instances(target)
    assert [(each["InstanceType"], len(each["NetworkInterfaces"])) for each in first] == [("trn1.32xlarge", 8)] * 2

    file = project / "environments" / ENVIRONMENT.name
    file.write_text(file.read_text(encoding="utf-8").replace("desired: 2", "desired: 3"))
    ran = command("deploy", "scale-trn1", *options)
    assert ran.status == 0, ran.out
    assert {each["InstanceId"] for each in first} < {each["InstanceId"] for each in instances(target)}
    (group,) = client(target, "autoscaling").describe_auto_scaling_groups()["AutoScalingGroups"]
    assert (group["AutoScalingGroupName"], len(group["Instances"])) == ("scale-trn1/trn1", 3)

    ran = command("destroy", "scale-trn1", "--yes", *options)
    assert ran.status == 0, ran.out
    assert instances(target) == []
    assert client(target, "autoscaling").describe_auto_scaling_groups()["AutoScalingGroups"] == []
    rows = client(target, "cloudformation").list_stacks()["StackSummaries"]
    states = {each["StackStatus"] for each in rows if each["StackName"].startswith("scale-trn1")}
    assert states == {"DELETE_COMPLETE"}
