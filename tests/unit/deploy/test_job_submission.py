"""A job on its way to a login node: which one takes it, how it is followed, and how it fails."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.stub import Stubber
from hint_commands import command_error, commands_in

from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.run_command import Invocation
from neuron_cluster.aws.session import client, close_clients
from neuron_cluster.deploy.destination import Destination, local_destination
from neuron_cluster.deploy.job_submission import (
    JobRejectedError,
    NoResultError,
    NoSubmitNodeError,
    SentJob,
    await_job,
    send_job,
)
from neuron_cluster.errors import ToolkitError
from neuron_cluster.protocol.submission import NodeCommand
from neuron_cluster.schedulers.slurm.jobs.render import JOB_ID

NODES = ("i-0123456789abcdef0", "i-0123456789abcdef1")
COMMAND_ID = str(uuid.UUID(int=7))
SENT = SentJob(NODES[0], COMMAND_ID)
SUBMISSION = NodeCommand(
    scheduler="Slurm", node="batch/login", command="echo | sbatch", job_id=JOB_ID, list_jobs="squeue"
)


@pytest.fixture
def destination() -> Iterator[Destination]:
    made = local_destination("http://127.0.0.1:9", "111122223333", "us-west-2")
    yield made
    close_clients(made.target)


@pytest.fixture
def ssm(destination: Destination) -> Iterator[Stubber]:
    with Stubber(client(destination.target, "ssm")) as stub:
        yield stub


@pytest.fixture
def ec2(destination: Destination) -> Iterator[Stubber]:
    with Stubber(client(destination.target, "ec2")) as stub:
        yield stub


def describe_instances(ec2: Stubber, *ids: str) -> None:
    filters = [
        {"Name": "tag:Name", "Values": ["batch/login"]},
        {"Name": "instance-state-name", "Values": ["running"]},
    ]
    rows = [{"Instances": [{"InstanceId": each}]} for each in ids]
    ec2.add_response("describe_instances", {"Reservations": rows}, {"Filters": filters})


def get_invocation(ssm: Stubber, status: str, details: str = "", output: str = "", errors: str = "") -> None:
    row = {"Status": status, "StatusDetails": details or status}
    texts = {"StandardOutputContent": output, "StandardErrorContent": errors}
    expected = {"CommandId": COMMAND_ID, "InstanceId": NODES[0]}
    ssm.add_response("get_command_invocation", {**row, **texts}, expected)


def awaited(destination: Destination, **more: Any) -> tuple[str, str, list[str]]:
    """The id of the job, what the scheduler printed, and the states that were reported."""
    states: list[str] = []

    def progress(found: Invocation, _seconds: float) -> None:
        states.append(found.status)

    submitted = await_job(SUBMISSION, SENT, destination, progress, **more)
    return submitted.job_id, submitted.output, states


def assert_commands_are_valid(error: ToolkitError) -> None:
    commands = commands_in(error.hint)
    assert commands
    assert [command_error(each) for each in commands] == [""] * len(commands)


def test_a_node_without_a_registered_agent_is_passed_over(destination: Destination, ec2: Stubber, ssm: Stubber) -> None:
    describe_instances(ec2, *NODES)
    ssm.add_client_error("send_command", "InvalidInstanceId", "Instances not in a valid state for account")
    expected = {
        "InstanceIds": [NODES[1]],
        "DocumentName": "AWS-RunShellScript",
        "Parameters": {"commands": ["echo | sbatch"]},
        "TimeoutSeconds": 60,
    }
    ssm.add_response("send_command", {"Command": {"CommandId": COMMAND_ID}}, expected)
    assert send_job(SUBMISSION, destination) == SentJob(NODES[1], COMMAND_ID)
    ssm.assert_no_pending_responses()


@pytest.mark.hints("E9564")
def test_without_a_node_that_takes_it_nothing_is_submitted(
    destination: Destination, ec2: Stubber, ssm: Stubber
) -> None:
    describe_instances(ec2, NODES[0])
    ssm.add_client_error("send_command", "InvalidInstanceId")
    with pytest.raises(NoSubmitNodeError, match="does not reach the agent of i-0123456789abcdef0") as unregistered:
        send_job(SUBMISSION, destination)
    assert_commands_are_valid(unregistered.value)
    describe_instances(ec2)
    with pytest.raises(NoSubmitNodeError, match="no instance named batch/login runs") as missing:
        send_job(SUBMISSION, destination)
    assert "--dry-run" in missing.value.hint, "the local AWS starts none"
    ssm.assert_no_pending_responses()


def test_a_rejected_call_is_no_missing_agent(destination: Destination, ec2: Stubber, ssm: Stubber) -> None:
    describe_instances(ec2, *NODES)
    ssm.add_client_error("send_command", "AccessDeniedException", "not authorized to perform ssm:SendCommand")
    with pytest.raises(ToolkitError, match="access denied: SendCommand"):
        send_job(SUBMISSION, destination)


def test_a_script_that_is_too_long_is_submitted_on_a_node(destination: Destination, ec2: Stubber, ssm: Stubber) -> None:
    describe_instances(ec2, *NODES)
    ssm.add_client_error("send_command", "MaxDocumentSizeExceeded", "The size limit of a document is 64 KB.")
    with pytest.raises(AwsApiError, match="64 KB") as caught:
        send_job(SUBMISSION, destination)
    assert "`workload render` with --output" in caught.value.hint
    ssm.assert_no_pending_responses()


@pytest.mark.parametrize(
    ("output", "job_id"),
    [
        ("Submitted batch job 42\n", "42"),
        ("Welcome 5\nSubmitted batch job 43 on cluster batch\n", "43"),
        ("44\n", "44"),
        ("45;batch\n", "45"),
    ],
)
def test_each_state_is_reported_until_the_job_has_its_id(
    output: str, job_id: str, destination: Destination, ssm: Stubber
) -> None:
    ssm.add_client_error("get_command_invocation", "InvocationDoesNotExist")
    get_invocation(ssm, "InProgress")
    get_invocation(ssm, "Success", output=output)
    assert awaited(destination) == (job_id, output.strip(), ["Pending", "InProgress"])


@pytest.mark.hints("E9565")
@pytest.mark.parametrize(
    ("status", "details"), [("Failed", "Failed"), ("TimedOut", "ExecutionTimedOut"), ("Cancelled", "Cancelled")]
)
def test_what_the_scheduler_rejects_is_an_error_with_its_output(
    status: str, details: str, destination: Destination, ssm: Stubber
) -> None:
    get_invocation(ssm, status, details, errors="sbatch: error: Invalid account\n\x1b[2J")
    with pytest.raises(JobRejectedError, match=f"{COMMAND_ID}: {details}.*sbatch: error: Invalid account") as caught:
        awaited(destination)
    assert "\x1b" not in caught.value.message
    assert_commands_are_valid(caught.value)


@pytest.mark.parametrize("output", ["", "12 updates available\n", "sbatch: Job 3 to start at noon\n"])
def test_success_without_a_job_id_is_an_error(output: str, destination: Destination, ssm: Stubber) -> None:
    get_invocation(ssm, "Success", output=output)
    with pytest.raises(JobRejectedError, match="Slurm returned no job id; it printed: ") as caught:
        awaited(destination)
    assert (output.strip() or "nothing") in caught.value.message


@pytest.mark.parametrize("details", ["DeliveryTimedOut", "Undeliverable"])
def test_a_command_that_no_agent_took_was_not_submitted(details: str, destination: Destination, ssm: Stubber) -> None:
    get_invocation(ssm, "TimedOut", details)
    with pytest.raises(NoSubmitNodeError, match="nothing was submitted"):
        awaited(destination)


@pytest.mark.hints("E9566")
def test_without_a_result_in_time_the_user_looks_for_the_job(destination: Destination, ssm: Stubber) -> None:
    get_invocation(ssm, "InProgress")
    with pytest.raises(NoResultError, match="still InProgress: the job may be submitted later") as caught:
        awaited(destination, wait_seconds=0)
    assert "`squeue` on the node" in caught.value.hint
    assert_commands_are_valid(caught.value)
