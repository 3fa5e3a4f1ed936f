"""`neuron-cluster node` on a HyperPod cluster: nodes are listed, replaced and rebooted, and followed until they run."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.session import AwsTarget, LocalTarget, client, close_clients
from neuron_cluster.cli.main import main
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.local_server import make_named_resources
from neuron_cluster.plan.cluster_plan import ClusterPlan
from tests.golden_stacks import deploy_goldens

pytestmark = pytest.mark.slow

NAME, ACCOUNT, REGION = "hyperpod-trn2", "111122223333", "us-east-2"
UNKNOWN = "i-00000000000000000"
CHECKOUT = Path(__file__).parents[2]

Command = Callable[..., Any]
Text = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def sagemaker(local_aws: LocalAws, plan_of: Callable[..., ClusterPlan]) -> Iterator[Any]:
    """SageMaker of the account that has the HyperPod cluster of the environment: four nodes of the group trn2."""
    target, plan = LocalTarget(REGION, ACCOUNT, local_aws.endpoint), plan_of(NAME)
    bootstrap_if_needed(CHECKOUT, local_destination(local_aws.endpoint, ACCOUNT, REGION), lambda _: None)
    make_named_resources(local_aws.endpoint, plan)
    deploy_goldens(target, plan, ("network", "storage", "cluster", "hyperpod"))
    yield client(target, "sagemaker")
    close_clients(target)


@pytest.fixture
def slow_repair(sagemaker: Any, local_aws: LocalAws) -> Iterator[None]:
    """A node is Pending for an hour after its replacement or reboot."""
    local_aws.delays.node_repair = timedelta(hours=1)
    yield
    local_aws.clock.advance(timedelta(hours=2))
    sagemaker.list_cluster_nodes(ClusterName=NAME)
    local_aws.clock.reset()
    local_aws.delays.reset()


@pytest.fixture
def text(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Text:
    """Runs an action of `node` without ``--format json``: exit status, output and errors."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(action: str, *arguments: str) -> tuple[int, str, str]:
        status = main(["node", action, "--local", NAME, *arguments, "--project", str(project)])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def listed(command: Command) -> list[dict[str, Any]]:
    ran = command("node", "list", "--local", NAME)
    assert ran.status == 0, ran.document
    nodes: list[dict[str, Any]] = ran.document["nodes"]
    return nodes


def ids(command: Command) -> list[str]:
    return [node["id"] for node in listed(command)]


def change(command: Command, action: str, *arguments: str) -> Any:
    return command("node", action, "--local", NAME, *arguments)


def test_each_node_is_listed_with_what_sagemaker_returns(sagemaker: Any, command: Command, text: Text) -> None:
    nodes = listed(command)
    rows = sagemaker.list_cluster_nodes(ClusterName=NAME)["ClusterNodeSummaries"]
    assert [node["id"] for node in nodes] == [row["InstanceId"] for row in rows]
    assert len(nodes) == 4
    assert {(node["group"], node["instance_type"], node["status"], node["message"]) for node in nodes} == {
        ("trn2", "ml.trn2.48xlarge", "Running", None)
    }
    assert {node["zone_id"] for node in nodes} == {"use2-az3"}
    assert [node["other_names"] for node in nodes] == [[f"hyperpod-{node['id']}"] for node in nodes]
    status, out, _ = text("list")
    assert status == 0
    assert f"4 nodes of {NAME} on the local AWS" in out
    assert f"{nodes[0]['id']}   trn2    ml.trn2.48xlarge   Running" in out


def test_a_replaced_node_is_followed_until_another_runs(sagemaker: Any, command: Command) -> None:
    first, *others = ids(command)
    ran = change(command, "replace", f"hyperpod-{first}", "--wait")
    assert ran.status == 0, ran.err
    after = ids(command)
    assert (first in after, set(others) < set(after), len(after)) == (False, True, 4)
    (answer,) = ran.document["nodes"]
    assert (answer["id"], answer["status_before"], answer["is_accepted"]) == (first, "Running", True)
    (wait,) = ran.document["wait"]
    (group,) = wait["groups"]
    assert (wait["is_over"], group["group"], group["expected"], group["failed"]) == (True, "trn2", 1, [])
    assert group["back"] == [*(set(after) - set(others))]
    assert "root volumes too, are deleted" in ran.err
    assert "trn2: 1 of 1 back (4 Running)" in ran.err


def test_a_rebooted_node_keeps_its_id(sagemaker: Any, command: Command, text: Text) -> None:
    before = ids(command)
    status, out, _ = text("reboot", *before[:2], "--wait")
    assert status == 0, out
    assert "2 of 2 nodes will be rebooted." in out
    assert "so that no reboot was seen" in out
    assert ids(command) == before


def test_a_node_whose_fault_persists_fails_again_after_a_reboot(
    sagemaker: Any, command: Command, local_aws: LocalAws
) -> None:
    sagemaker.update_cluster(ClusterName=NAME, NodeRecovery="None")
    first = ids(command)[0]
    with local_aws.faults.failing_node(first):
        assert listed(command)[0]["message"] == "The node reports a hardware failure"
        ran = change(command, "reboot", first, "--wait")
    assert ran.status == 1
    (group,) = ran.document["wait"][0]["groups"]
    assert [(node["id"], node["status"]) for node in group["failed"]] == [(first, "Failure")]
    assert change(command, "replace", first, "--wait").status == 0
    sagemaker.update_cluster(ClusterName=NAME, NodeRecovery="Automatic")
    assert {node["status"] for node in listed(command)} == {"Running"}


def test_an_unknown_id_stops_the_command_before_any_request(sagemaker: Any, command: Command) -> None:
    before = ids(command)
    ran = change(command, "replace", before[0], UNKNOWN)
    assert (ran.status, ran.ids, ids(command)) == (1, ["E9608"], before)
    (finding,) = ran.document["findings"]
    assert finding["message"] == f"{UNKNOWN} is not a node of {NAME}; nothing was changed"
    assert finding["hint"].endswith(f"`neuron-cluster node list --local {NAME}` lists 4 nodes of trn2")


@pytest.mark.usefixtures("slow_repair")
def test_a_node_that_is_changing_is_not_changed_again(sagemaker: Any, command: Command, text: Text) -> None:
    first, second, *_ = ids(command)
    assert change(command, "reboot", first).status == 0
    ran = change(command, "replace", first, second)
    assert (ran.status, ran.ids) == (1, ["E9609"])
    assert f"({first}: it is Pending)" in ran.document["findings"][0]["message"]
    assert ran.document["findings"][0]["hint"].endswith(f"or name the others only: {second}")
    answer = sagemaker.batch_replace_cluster_nodes(ClusterName=NAME, NodeIds=[first])
    assert answer["Failed"][0]["ErrorCode"] == "InvalidInstanceStatus", "the API rejects it too"


@pytest.mark.usefixtures("slow_repair")
def test_nodes_that_are_not_back_in_time_are_named_with_where_the_reason_is(
    sagemaker: Any, command: Command, text: Text, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("neuron_cluster.cli.node_change.SECONDS_OF_A_MINUTE", 0.02)
    status, out, _ = text("replace", ids(command)[0], "--wait", "--timeout", "1")
    assert status == 1
    assert "trn2: 0 of 1 back (1 Pending, 3 Running)" in out
    assert "trn2: 1 node not back." in out
    assert "sagemaker list-cluster-events" in out


@pytest.mark.usefixtures("slow_repair")
def test_ctrl_c_ends_the_wait_and_names_the_nodes_that_are_being_changed(
    sagemaker: Any, command: Command, text: Text, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    first = ids(command)[0]
    monkeypatch.setattr("time.sleep", interrupt)
    status, _, err = text("replace", first, "--wait")
    assert status == 130
    assert (
        f"AWS continues: {first} will be replaced.\n`neuron-cluster node list --local {NAME}` shows the nodes." in err
    )
    assert first not in ids(command)


def test_a_dry_run_changes_nothing(sagemaker: Any, command: Command, text: Text) -> None:
    before = ids(command)
    ran = change(command, "replace", *before, "--dry-run")
    assert (ran.status, [node["id"] for node in ran.document["nodes"]], ids(command)) == (0, before, before)
    assert "HyperPod terminates the instances" in ran.document["effects"][0]
    status, out, _ = text("reboot", before[0], "--dry-run")
    assert (status, out.splitlines()[-1]) == (0, "Nothing was requested.")


def test_a_node_without_an_instance_is_listed_and_not_replaced(
    sagemaker: Any, command: Command, local_aws: LocalAws
) -> None:
    group = sagemaker.describe_cluster(ClusterName=NAME)["InstanceGroups"][0]["InstanceGroupName"]
    with local_aws.faults.scarce("trn2.48xlarge"):
        sagemaker.batch_add_cluster_nodes(
            ClusterName=NAME, NodesToAdd=[{"InstanceGroupName": group, "IncrementTargetCountBy": 1}]
        )
        *_, awaited = listed(command)
        assert (awaited["has_instance"], awaited["launched"], awaited["status"]) == (False, None, "Pending")
        ran = change(command, "replace", awaited["id"])
        assert (ran.status, ran.ids) == (1, ["E9609"])
        sagemaker.batch_delete_cluster_nodes(ClusterName=NAME, NodeLogicalIds=[awaited["id"]])
    assert len(ids(command)) == 4


def test_a_denied_request_is_the_answer_for_its_nodes(sagemaker: Any, command: Command, local_aws: LocalAws) -> None:
    before = ids(command)
    with local_aws.faults.access_denied("sagemaker", "BatchReplaceClusterNodes"):
        ran = change(command, "replace", *before[:2])
    assert ran.status == 1
    assert {node["is_accepted"] for node in ran.document["nodes"]} == {False}
    assert {node["code"] for node in ran.document["nodes"]} == {"AccessDeniedException"}
    assert ids(command) == before


@pytest.mark.hints("E9607")
def test_an_environment_without_hyperpod_has_the_way_to_its_nodes(command: Command, local_aws: LocalAws) -> None:
    from hint_commands import command_error, commands_in

    ran = command("node", "replace", "--local", "train-trn1", UNKNOWN)
    assert (ran.status, ran.ids) == (1, ["E9607"])
    (finding,) = ran.document["findings"]
    assert finding["message"] == "`node replace` is for nodes of the section hyperpod, and train-trn1 has eks only"
    assert [command_error(each) for each in commands_in(finding["hint"])] == ["", ""]


def test_without_the_cluster_the_command_names_the_deploy(command: Command, aws: LocalAws, project: Path) -> None:
    file = project / "environments" / f"{NAME}.yaml"
    other = project / "environments" / "elsewhere.yaml"
    other.write_text(file.read_text().replace(f"name: {NAME}", "name: elsewhere"))
    with contextlib.ExitStack() as ended:
        ended.callback(other.unlink)
        ran = command("node", "list", "--local", "elsewhere")
    assert ran.status == 1
    assert ran.document["findings"][0]["hint"] == "`neuron-cluster deploy --local elsewhere` creates it"


@pytest.fixture
def log_in_here(log_in: Callable[[str], None]) -> Iterator[Callable[[str], None]]:
    """As ``log_in``, in the Region of the environment."""
    yield log_in
    close_clients(AwsTarget(REGION))


def test_on_aws_the_command_prompts_before_the_first_request(
    sagemaker: Any, command: Command, log_in_here: Callable[[str], None]
) -> None:
    before = ids(command)
    log_in_here(ACCOUNT)
    ran = command("node", "reboot", NAME, before[0])
    assert (ran.status, ran.ids) == (1, ["E9525"])
    assert ran.document["findings"][0]["message"] == "Reboot 1 node? Standard input is not a terminal"
    assert "pods and jobs on these nodes end" in ran.err
    ran = command("node", "reboot", NAME, before[0], "--yes")
    assert (ran.status, ran.document["wait"]) == (0, None)


def test_credentials_of_another_account_change_nothing(
    sagemaker: Any, command: Command, log_in_here: Callable[[str], None]
) -> None:
    before = ids(command)
    log_in_here("314159265358")
    ran = command("node", "replace", NAME, before[0], "--yes")
    assert (ran.status, ran.ids) == (1, ["E9501"])
