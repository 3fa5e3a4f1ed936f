"""`status` of a HyperPod cluster: on the local AWS what it can be in, and from answers of the API what it cannot."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from botocore.stub import Stubber
from hint_commands import command_error

from local_aws.server import LocalAws
from neuron_cluster.aws.cloudformation import create_stack
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.local_server import make_named_resources
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.status import HeldResources, StatusLine, StatusQuery, Verdict
from neuron_cluster.providers.hyperpod.plan.hyperpod_plan import HyperPodPlan
from neuron_cluster.providers.hyperpod.status import CLUSTER, GROUPS, hyperpod_status
from tests.golden_stacks import without_charts

CHECKOUT = Path(__file__).parents[4]
NAME = "hyperpod-trn2"
OTHER_ACCOUNT = "314159265358"
ACCOUNT, REGION = "111122223333", "us-east-2"
AT = datetime(2026, 11, 29, 12, tzinfo=UTC)
ARN = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:cluster/0123456789ab"
ERROR, WARNING, HEALTHY, NOT_READ = Verdict.ERROR, Verdict.WARNING, Verdict.HEALTHY, Verdict.NOT_READ

Lines = dict[str, StatusLine]


@pytest.fixture(scope="module")
def plan(plan_of: Callable[..., ClusterPlan]) -> ClusterPlan:
    return plan_of(NAME)


def physical_name(plan: ClusterPlan) -> str:
    hyperpod = plan.provider(HyperPodPlan)
    assert hyperpod is not None
    return hyperpod.groups[0].physical_name


def lines_of(plan: ClusterPlan, endpoint: str, account: str = ACCOUNT) -> dict[str, Lines]:
    """Lines of each section by subject; each that is not healthy has a command that its program understands."""
    access = local_destination(endpoint, account, REGION)
    sections = hyperpod_status(StatusQuery(plan, access, load_catalog(), AT, HeldResources({}), NAME))
    found = {section.title: {line.subject: line for line in section.lines} for section in sections}
    for line in (line for lines in found.values() for line in lines.values()):
        assert bool(line.command) is (line.verdict is not HEALTHY), line
        assert not line.command or command_error(line.command) == "", line
    return found


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture(scope="module")
def sagemaker(aws: LocalAws, plan: ClusterPlan, templates_of: Callable[..., Any]) -> Iterator[Any]:
    """SageMaker of the account that has the network, the EKS cluster and the HyperPod cluster of the environment."""
    target = LocalTarget(REGION, ACCOUNT, aws.endpoint)
    templates = templates_of(NAME)
    bootstrap_if_needed(CHECKOUT, local_destination(aws.endpoint, ACCOUNT, REGION), lambda _: None)
    make_named_resources(aws.endpoint, plan)
    for part in ("network", "storage", "cluster", "hyperpod"):
        create_stack(target, f"{NAME}-{part}", json.dumps(without_charts(templates[part])), {})
    yield client(target, "sagemaker")
    close_clients(target)


@pytest.mark.slow
def test_a_cluster_as_its_file_is_healthy(sagemaker: Any, plan: ClusterPlan, aws: LocalAws) -> None:
    found = lines_of(plan, aws.endpoint)
    assert [(line.subject, line.verdict, line.cause) for line in found[CLUSTER].values()] == [
        (NAME, HEALTHY, "InService, node recovery automatic")
    ]
    assert [(line.subject, line.verdict, line.cause) for line in found[GROUPS].values()] == [
        ("trn2", HEALTHY, "4 of 4 nodes (4 Running)")
    ]


@pytest.mark.slow
def test_recovery_that_was_turned_off_by_hand_is_a_warning(sagemaker: Any, plan: ClusterPlan, aws: LocalAws) -> None:
    sagemaker.update_cluster(ClusterName=NAME, NodeRecovery="None")
    line = lines_of(plan, aws.endpoint)[CLUSTER]["node recovery"]
    assert (line.verdict, line.cause) == (WARNING, "it is None, the file has Automatic")
    assert "--node-recovery Automatic" in line.command
    sagemaker.update_cluster(ClusterName=NAME, NodeRecovery="Automatic")
    assert "node recovery" not in lines_of(plan, aws.endpoint)[CLUSTER]


def group_of(sagemaker: Any, name: str) -> dict[str, Any]:
    """The group as an update of the cluster takes it."""
    (found,) = (
        each
        for each in sagemaker.describe_cluster(ClusterName=NAME)["InstanceGroups"]
        if each["InstanceGroupName"] == name
    )
    kept = ("InstanceGroupName", "InstanceType", "ExecutionRole", "LifeCycleConfig", "OverrideVpcConfig")
    return {key: found[key] for key in kept}


@pytest.mark.slow
def test_a_group_that_was_scaled_by_hand_is_a_warning(sagemaker: Any, plan: ClusterPlan, aws: LocalAws) -> None:
    group = group_of(sagemaker, physical_name(plan))
    sagemaker.update_cluster(ClusterName=NAME, InstanceGroups=[{**group, "InstanceCount": 2}])
    line = lines_of(plan, aws.endpoint)[GROUPS]["trn2"]
    assert (line.verdict, line.cause) == (WARNING, "its target is 2 nodes, the file has 4")
    sagemaker.update_cluster(ClusterName=NAME, InstanceGroups=[{**group, "InstanceCount": 4}])
    assert lines_of(plan, aws.endpoint)[GROUPS]["trn2"].verdict is HEALTHY


@pytest.mark.slow
def test_nodes_with_another_release_than_the_file_are_a_warning(
    sagemaker: Any, plan_of: Callable[..., ClusterPlan], plan: ClusterPlan, aws: LocalAws
) -> None:
    """CloudFormation does not set a release back: the command updates the nodes."""
    group, released = physical_name(plan), plan_of(NAME, {"hyperpod.groups.0.ami_release": "1.2.3"})
    for release, has in (("", "of no known version"), ("1.2.2", "1.2.2")):
        if release:
            updated = [{"InstanceGroupName": group, "ImageReleaseVersion": release}]
            sagemaker.update_cluster_software(ClusterName=NAME, InstanceGroups=updated)
        line = lines_of(released, aws.endpoint)[GROUPS]["trn2"]
        cause = f"its nodes run AMI release {has}, the file has 1.2.3; the update drains no node"
        assert (line.verdict, line.cause) == (WARNING, cause)
        assert line.command.endswith(f"--instance-groups InstanceGroupName={group},ImageReleaseVersion=1.2.3")
    updated = [{"InstanceGroupName": group, "ImageReleaseVersion": "1.2.3"}]
    sagemaker.update_cluster_software(ClusterName=NAME, InstanceGroups=updated)
    line = lines_of(released, aws.endpoint)[GROUPS]["trn2"]
    assert (line.verdict, line.cause) == (HEALTHY, "4 of 4 nodes (4 Running), AMI release 1.2.3")


@pytest.mark.slow
def test_a_group_that_the_file_does_not_have_is_a_warning(sagemaker: Any, plan: ClusterPlan, aws: LocalAws) -> None:
    foreign = {**group_of(sagemaker, physical_name(plan)), "InstanceGroupName": "foreign", "InstanceCount": 1}
    sagemaker.update_cluster(ClusterName=NAME, InstanceGroups=[foreign])
    line = lines_of(plan, aws.endpoint)[GROUPS]["foreign"]
    assert (line.verdict, line.cause) == (WARNING, "the file has no such instance group; it has 1 node")
    assert line.command.endswith("--instance-groups-to-delete foreign")
    sagemaker.update_cluster(ClusterName=NAME, InstanceGroupsToDelete=["foreign"])
    assert set(lines_of(plan, aws.endpoint)[GROUPS]) == {"trn2"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("operation", "section", "subject"),
    [("DescribeCluster", CLUSTER, NAME), ("DescribeCluster", GROUPS, NAME), ("ListClusterNodes", GROUPS, "trn2")],
)
def test_what_may_not_be_read_is_neither_healthy_nor_an_error(
    sagemaker: Any, plan: ClusterPlan, aws: LocalAws, operation: str, section: str, subject: str
) -> None:
    with aws.faults.access_denied("sagemaker", operation):
        found = lines_of(plan, aws.endpoint)
    line = found[section][subject]
    assert line.verdict is NOT_READ
    assert operation in line.cause
    assert ERROR not in {each.verdict for lines in found.values() for each in lines.values()}


@pytest.mark.slow
def test_a_group_that_is_gone_is_an_error(sagemaker: Any, plan: ClusterPlan, aws: LocalAws) -> None:
    name = physical_name(plan)
    group = {**group_of(sagemaker, name), "InstanceCount": 4}
    sagemaker.update_cluster(ClusterName=NAME, InstanceGroupsToDelete=[name])
    line = lines_of(plan, aws.endpoint)[GROUPS]["trn2"]
    assert (line.verdict, line.cause) == (ERROR, "the instance group does not exist")
    assert line.command == f"neuron-cluster deploy --local {NAME}"
    sagemaker.update_cluster(ClusterName=NAME, InstanceGroups=[group])


@pytest.mark.slow
def test_a_cluster_that_does_not_exist_is_one_line(plan: ClusterPlan, aws: LocalAws) -> None:
    found = lines_of(plan, aws.endpoint, OTHER_ACCOUNT)
    close_clients(LocalTarget(REGION, OTHER_ACCOUNT, aws.endpoint))
    ((title, lines),) = found.items()
    assert (title, [*lines]) == (CLUSTER, [NAME])
    assert (lines[NAME].verdict, lines[NAME].cause) == (
        ERROR,
        "the cluster does not exist, nor do its instance groups",
    )


Answers = Callable[..., dict[str, Lines]]


@pytest.fixture
def answers(plan: ClusterPlan) -> Iterator[Answers]:
    """``answers(cluster={…}, group={…}, nodes=[…], events=[…])``: the lines where SageMaker answers so."""
    name = physical_name(plan)
    target = LocalTarget(REGION, ACCOUNT, "http://127.0.0.1:9")

    def lines(
        *,
        cluster: dict[str, Any] | None = None,
        group: dict[str, Any] | None = None,
        nodes: list[dict[str, Any]] | None = None,
        events: list[dict[str, Any]] | None = None,
        denied: bool = False,
    ) -> dict[str, Lines]:
        own = {
            "InstanceGroupName": name,
            "InstanceType": "ml.trn2.48xlarge",
            "Status": "InService",
            "CurrentCount": 4,
            "TargetCount": 4,
            **(group or {}),
        }
        described = {
            "ClusterArn": ARN,
            "ClusterName": NAME,
            "ClusterStatus": "InService",
            "NodeRecovery": "Automatic",
            "InstanceGroups": [own],
            **(cluster or {}),
        }
        rows = [node(name, number, "Running") for number in range(own["CurrentCount"])] if nodes is None else nodes
        with Stubber(client(target, "sagemaker")) as stub, contextlib.ExitStack() as ended:
            stub.add_response("describe_cluster", described, {"ClusterName": NAME})
            stub.add_response("list_cluster_nodes", {"ClusterNodeSummaries": rows}, {"ClusterName": NAME})
            if denied:
                stub.add_client_error("list_cluster_events", "AccessDeniedException", "not authorized")
            elif events is not None:
                stub.add_response("list_cluster_events", {"Events": events})
            ended.callback(stub.assert_no_pending_responses)
            return lines_of(plan, "http://127.0.0.1:9")

    yield lines
    close_clients(target)


def node(group: str, number: int, status: str, message: str = "") -> dict[str, Any]:
    return {
        "InstanceGroupName": group,
        "InstanceId": f"i-{number:017x}",
        "InstanceType": "ml.trn2.48xlarge",
        "LaunchTime": AT,
        "InstanceStatus": {"Status": status, **({"Message": message} if message else {})},
    }


def event(group: str, level: str, text: str) -> dict[str, Any]:
    return {
        "EventId": "e" * 8,
        "ClusterArn": ARN,
        "ClusterName": NAME,
        "InstanceGroupName": group,
        "ResourceType": "InstanceGroup",
        "EventTime": AT,
        "EventLevel": level,
        "Description": text,
    }


def test_a_cluster_that_failed_has_its_reason(answers: Answers) -> None:
    failure = "EFA health checks did not run successfully"
    line = answers(cluster={"ClusterStatus": "Failed", "FailureMessage": failure})[CLUSTER][NAME]
    assert (line.verdict, line.cause) == (ERROR, f"Failed: {failure}")


@pytest.mark.parametrize("status", ["Creating", "Updating", "SystemUpdating", "RollingBack", "Deleting"])
def test_a_cluster_that_changes_is_a_warning(answers: Answers, status: str) -> None:
    line = answers(cluster={"ClusterStatus": status})[CLUSTER][NAME]
    assert (line.verdict, line.cause) == (WARNING, f"it is {status}")


def test_a_group_below_its_number_has_its_newest_warning(answers: Answers, plan: ClusterPlan) -> None:
    name = physical_name(plan)
    events = [
        event("other", "Error", "of another group"),
        event(name, "Info", "scaling"),
        event(name, "Warn", "Insufficient capacity"),
        event(name, "Error", "an older one"),
    ]
    line = answers(group={"CurrentCount": 1}, events=events)[GROUPS]["trn2"]
    assert line.verdict is WARNING
    assert line.cause == "1 of 4 nodes (1 Running): Insufficient capacity (2026-11-29 12:00 UTC)"
    assert "list-cluster-events" in line.command


def test_a_group_below_its_number_without_an_event_says_so_much(answers: Answers) -> None:
    line = answers(group={"CurrentCount": 0}, nodes=[], events=[])[GROUPS]["trn2"]
    assert (line.verdict, line.cause) == (WARNING, "0 of 4 nodes")


def test_events_that_may_not_be_read_are_said_to_be(answers: Answers) -> None:
    line = answers(group={"CurrentCount": 3}, denied=True)[GROUPS]["trn2"]
    assert line.verdict is WARNING
    assert line.cause.startswith("3 of 4 nodes (3 Running); its events were not read: ")


@pytest.mark.parametrize("status", ["Failed", "Degraded"])
def test_a_group_that_failed_is_an_error_with_its_event(answers: Answers, plan: ClusterPlan, status: str) -> None:
    events = [event(physical_name(plan), "Error", "Lifecycle scripts did not run successfully")]
    line = answers(group={"Status": status, "CurrentCount": 0}, nodes=[], events=events)[GROUPS]["trn2"]
    assert line.verdict is ERROR
    assert line.cause.startswith(f"{status}: 0 of 4 nodes: Lifecycle scripts did not run")


@pytest.mark.parametrize("status", ["Pending", "DeepHealthCheckInProgress", "SystemUpdating", "ShuttingDown"])
def test_a_node_that_starts_or_ends_is_a_warning_of_its_group(answers: Answers, plan: ClusterPlan, status: str) -> None:
    name = physical_name(plan)
    nodes = [node(name, number, "Running") for number in range(3)] + [node(name, 3, status)]
    lines = answers(nodes=nodes)[GROUPS]
    assert [(line.subject, line.verdict) for line in lines.values()] == [("trn2", WARNING)]
    assert f"1 {status}" in lines["trn2"].cause


def test_a_node_that_failed_has_a_line_of_its_own_with_the_command_that_replaces_it(
    answers: Answers, plan: ClusterPlan
) -> None:
    name = physical_name(plan)
    nodes = [node(name, number, "Running") for number in range(3)]
    nodes.append(node(name, 3, "Failure", "NeuronHardwareError"))
    lines = answers(nodes=nodes)[GROUPS]
    line = lines["trn2 i-00000000000000003"]
    assert (line.verdict, line.cause) == (ERROR, "Failure: NeuronHardwareError")
    assert line.command == f"neuron-cluster node replace --local {NAME} i-00000000000000003"
    assert lines["trn2"].verdict is WARNING
