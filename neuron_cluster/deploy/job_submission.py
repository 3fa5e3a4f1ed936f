"""Submitting a rendered job: through Systems Manager, on a node of the environment."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from msgspec import Struct

from neuron_cluster.aws.ec2 import running_instances
from neuron_cluster.aws.errors import AwsApiError
from neuron_cluster.aws.run_command import Invocation, invocation, send_shell_command
from neuron_cluster.deploy.destination import Destination
from neuron_cluster.deploy.preflight.checks import account_preflight
from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.protocol.submission import NodeCommand

DELIVERY_SECONDS = 60
"""After which Systems Manager gives up an instance: a job must not be submitted an hour later."""
WAIT_SECONDS = 180.0
POLL_SECONDS, LOCAL_POLL_SECONDS = 2.0, 0.1
UNDELIVERED = frozenset({"DeliveryTimedOut", "Undeliverable"})
TOO_LARGE = "MaxDocumentSizeExceeded"
"""Error of a document of more than 64 KB with its parameters. Source: botocore 1.44.5, ssm CreateDocumentRequest."""
LOCAL_HINT = "the local AWS starts no such nodes and runs no scheduler: `--dry-run` prints the commands for AWS"


class NoSubmitNodeError(ToolkitError):
    """No node takes the job; nothing was submitted."""

    finding_id = "E9564"


class JobRejectedError(ToolkitError):
    """The scheduler returned no job id."""

    finding_id = "E9565"


class NoResultError(ToolkitError):
    """The node has the command, and its result is not known."""

    finding_id = "E9566"


class SentJob(Struct, frozen=True):
    """A command on its way."""

    instance_id: str
    command_id: str

    def result_command(self, destination: Destination) -> str:
        """The command that shows its state and output."""
        return destination.aws_command(
            "ssm get-command-invocation", command_id=self.command_id, instance_id=self.instance_id
        )


class SubmittedJob(Struct, frozen=True):
    sent: SentJob
    output: str
    """The output of the scheduler."""
    job_id: str


def require_own_account(opened: OpenedEnvironment, destination: Destination) -> None:
    """Raises ``InvalidEnvironment`` for credentials of another account than that of the file."""
    if findings := account_preflight(
        opened.plan, destination, opened.catalog.placeholder_accounts.names, opened.locate
    ):
        raise InvalidEnvironment(findings)


def send_job(submission: NodeCommand, destination: Destination) -> SentJob:
    """Sends it to the first running node that takes commands. Raises ``NoSubmitNodeError``, ``AwsApiError``."""
    found = running_instances(destination.target, submission.node)
    for instance_id in found:
        command_id = _send(submission, instance_id, destination)
        if command_id is not None:
            return SentJob(instance_id, command_id)
    if found:
        raise _unregistered(found, destination)
    shown = destination.aws_command("ec2 describe-instances", filters=f"Name=tag:Name,Values={submission.node}")
    hint = f"deploy the environment; a node that ended is replaced within minutes: `{shown}`"
    message = f"no instance named {submission.node} runs on {destination.description}; nothing was submitted"
    raise NoSubmitNodeError(message, hint=LOCAL_HINT if destination.is_local else hint)


def _send(submission: NodeCommand, instance_id: str, destination: Destination) -> str | None:
    try:
        return send_shell_command(
            destination.target, instance_id, submission.command, delivery_seconds=DELIVERY_SECONDS
        )
    except AwsApiError as error:
        if error.code != TOO_LARGE:
            raise
        hint = (
            "the script is too long for Systems Manager: `workload render` with --output writes it to a file for a node"
        )
        raise AwsApiError(error.message, code=error.code, hint=hint) from error


def await_job(
    submission: NodeCommand,
    sent: SentJob,
    destination: Destination,
    progress: Callable[[Invocation, float], None],
    *,
    wait_seconds: float = WAIT_SECONDS,
) -> SubmittedJob:
    """Reports each state. Raises ``JobRejectedError``, ``NoSubmitNodeError`` or, after the wait, ``NoResultError``."""
    began, pause = time.monotonic(), LOCAL_POLL_SECONDS if destination.is_local else POLL_SECONDS
    while (found := invocation(destination.target, sent.command_id, sent.instance_id)).is_running:
        waited = time.monotonic() - began
        progress(found, waited)
        if waited >= wait_seconds:
            raise _no_result(submission, sent, destination, found)
        time.sleep(pause)
    if found.details in UNDELIVERED:
        raise _unregistered([sent.instance_id], destination)
    if not found.has_succeeded:
        raise _rejected(submission, sent, destination, found)
    job_id = re.search(submission.job_id, found.output, re.MULTILINE)
    if job_id is None:
        raise _without_job(submission, sent, destination, found)
    return SubmittedJob(sent, found.output.strip(), job_id[1])


def _unregistered(instance_ids: list[str], destination: Destination) -> NoSubmitNodeError:
    listed = destination.aws_command("ssm describe-instance-information")
    hint = (
        "an instance registers within minutes after its start, if its agent reaches Systems Manager: "
        f"`{listed}` lists those that have"
    )
    message = f"Systems Manager does not reach the agent of {', '.join(instance_ids)}; nothing was submitted"
    return NoSubmitNodeError(message, hint=hint)


def _rejected(submission: NodeCommand, sent: SentJob, destination: Destination, found: Invocation) -> JobRejectedError:
    said = "\n".join(text for text in (found.errors.strip(), found.output.strip()) if text)
    message = f"{submission.scheduler} has not accepted the job (command {sent.command_id}: {found.details})"
    hint = f"correct what it reports, and submit again; `{sent.result_command(destination)}` has the whole output"
    return JobRejectedError(f"{message}: {said}" if said else message, hint=hint)


def _without_job(
    submission: NodeCommand, sent: SentJob, destination: Destination, found: Invocation
) -> JobRejectedError:
    said = "\n".join(text for text in (found.output.strip(), found.errors.strip()) if text) or "nothing"
    message = f"the command ended, but {submission.scheduler} returned no job id; it printed: {said}"
    hint = f"`{submission.list_jobs}` on {sent.instance_id} lists jobs; `{sent.result_command(destination)}`"
    return JobRejectedError(message, hint=LOCAL_HINT if destination.is_local else hint)


def _no_result(submission: NodeCommand, sent: SentJob, destination: Destination, found: Invocation) -> NoResultError:
    message = f"command {sent.command_id} on {sent.instance_id} is still {found.status}: the job may be submitted later"
    hint = (
        f"`{sent.result_command(destination)}` shows its result; before you submit again, look for the job with "
        f"`{submission.list_jobs}` on the node"
    )
    return NoResultError(message, hint=hint)
