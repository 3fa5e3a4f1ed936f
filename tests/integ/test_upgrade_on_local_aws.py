"""Environments deployed by earlier commits: the next deploy keeps all that holds data, and the cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.cloudformation import resources, stacks
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.local_server import announced, recorded
from neuron_cluster.deploy.synthesis import private_assembly
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.pipeline import check_environment

from .deployed_before import deploy_assembly, environments_of, unpacked

pytestmark = pytest.mark.slow

Address = tuple[str, str]
"""Part of the environment and logical id."""

FIRST, LATER = "9b36666", "84d60602"
WITH_MOST = (LATER, "train-trn2")
"""Lustre with its mirror, a durable cluster, a queue: the largest that has state."""

WITH_VPC_OF_OTHERS = "existing-vpc"
"""Its VPC is made by nobody here; ``test_existing_resources_on_local_aws`` deploys it."""

MOVED_OR_REPLACED: dict[str, dict[Address, str]] = {
    FIRST: {
        ("nodes", "NodeGroupsystem03EE8DB4"): "made anew in the system stack, under another name, before it goes",
        ("nodes", "NodeGroupsystemLaunchTemplateC10CBB78"): "with its group",
        ("cluster", "ControlPlaneLogs95F30E24"): "the log group stays; a custom resource has adopted it",
    },
    LATER: {},
}
"""All that gets another physical id or leaves its stack, with the reason. Nothing of it is state."""


def physical_ids(target: LocalTarget, environment: str) -> dict[Address, tuple[str, str]]:
    """Type and physical id of every resource of the environment."""
    names = [stack.name for stack in stacks(target) if stack.name.startswith(f"{environment}-")]
    return {
        (name.removeprefix(f"{environment}-"), each.logical_id): (each.type, each.physical_id)
        for name in names
        for each in resources(target, name)
    }


def events(target: LocalTarget, stack: str, logical_id: str, status: str) -> list[datetime]:
    found = client(target, "cloudformation").describe_stack_events(StackName=stack)["StackEvents"]
    return [e["Timestamp"] for e in found if (e["LogicalResourceId"], e["ResourceStatus"]) == (logical_id, status)]


def cases() -> list[Any]:
    """Every environment of every commit; in every run one."""
    return [
        pytest.param(commit, name, marks=() if (commit, name) == WITH_MOST else (pytest.mark.exhaustive,))
        for commit in MOVED_OR_REPLACED
        for name in environments_of(commit)
        if name != WITH_VPC_OF_OTHERS
    ]


class Upgraded:
    """One environment, deployed as the commit did; ``before`` is what it had."""

    def __init__(self, name: str, file: Path, target: LocalTarget) -> None:
        self.name = name
        self.file = file
        self.target = target
        self.has_cluster = ("cluster", "ClusterEB0386A7") in physical_ids(target, name)
        self.before = physical_ids(target, name)
        self.created = self.creations()
        self.charts = self.releases()

    def creations(self) -> dict[str, Any]:
        """When what has a name of our choice was created: another one of that name would have the same physical id."""
        if not self.has_cluster:
            return {}
        cluster = client(self.target, "eks").describe_cluster(name=self.name)["cluster"]
        logs = client(self.target, "logs").describe_log_groups(logGroupNamePrefix=f"/aws/eks/{self.name}/cluster")
        return {"cluster": cluster["createdAt"]} | {g["logGroupName"]: g["creationTime"] for g in logs["logGroups"]}

    def releases(self) -> set[str]:
        rows = recorded(self.target.endpoint, self.target.account, self.target.region)
        return {row["release"] for row in rows if row["kind"] == "chart" and row["cluster"] == self.name}


@pytest.fixture
def local_aws(project: Path) -> Iterator[LocalAws]:
    """One for each case: two commits have environments of one name."""
    with product_local_aws() as running, announced(project, running.endpoint):
        yield running


@pytest.fixture
def deployed_before(project: Path, local_aws: LocalAws, tmp_path: Path, commit: str, environment: str) -> Any:
    """The environment as the commit deployed it; the file of that commit is in the project."""
    old = unpacked(commit, environment, tmp_path)
    file = project / "environments" / f"{environment}.yaml"
    file.write_bytes((old / file.name).read_bytes())
    plan = check_environment(file).require_plan()
    target = LocalTarget(plan.region, plan.account, local_aws.endpoint)
    bootstrap_if_needed(project, local_destination(local_aws.endpoint, plan.account, plan.region), lambda _: None)
    with private_assembly(project, environment) as new:
        deploy_assembly(target, old, new, tmp_path)
    yield Upgraded(environment, file, target)
    close_clients(target)


@pytest.mark.parametrize(("commit", "environment"), cases())
def test_what_holds_data_and_the_cluster_stay_what_they_are(
    deployed_before: Upgraded, command: Callable[..., Any], commit: str, environment: str
) -> None:
    target, before = deployed_before.target, deployed_before.before
    ran = command("deploy", "--local", environment)
    assert ran.status == 0, ran.document

    after = physical_ids(target, environment)
    changed = {address for address, was in before.items() if after.get(address) != was}
    assert {address: before[address] for address in changed - {*MOVED_OR_REPLACED[commit]}} == {}
    assert deployed_before.creations() == deployed_before.created
    assert deployed_before.charts <= deployed_before.releases()
    statuses = {stack.name: stack.status for stack in stacks(target) if stack.name.startswith(f"{environment}-")}
    assert set(statuses.values()) <= {"CREATE_COMPLETE", "UPDATE_COMPLETE"}, statuses
    if commit == FIRST and deployed_before.has_cluster:
        require_system_nodes_throughout(deployed_before)

    assert command("diff", "--local", environment).document["is_different"] is False


def require_system_nodes_throughout(upgraded: Upgraded) -> None:
    """The new system nodes are there, and the software is done, before the old ones are drained."""
    group = "NodeGroupsystem03EE8DB4"
    names = {part: f"{upgraded.name}-{part}" for part in ("system", "software", "nodes")}
    (made,) = events(upgraded.target, names["system"], group, "CREATE_COMPLETE")
    (drained,) = events(upgraded.target, names["nodes"], group, "DELETE_IN_PROGRESS")
    assert made < drained
    software = events(upgraded.target, names["software"], names["software"], "UPDATE_COMPLETE")
    assert all(made < at < drained for at in software)
    groups = client(upgraded.target, "eks").list_nodegroups(clusterName=upgraded.name)["nodegroups"]
    assert len([name for name in groups if name.startswith("system-")]) == 1
