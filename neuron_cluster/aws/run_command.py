"""Run Command of Systems Manager: a command of the shell on an instance."""

from __future__ import annotations

import time

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client

SHELL_DOCUMENT = "AWS-RunShellScript"
LEAST_DELIVERY_SECONDS = 30
"""The least that Systems Manager takes. Source: botocore 1.44.5, ssm TimeoutSeconds."""
UNFINISHED = frozenset({"Pending", "InProgress", "Delayed", "Cancelling"})
"""Source: botocore 1.44.5, ssm CommandInvocationStatus; the others are final."""


class Invocation(Struct, frozen=True):
    """A command on one instance."""

    status: str
    details: str
    """More exact than the status: ``DeliveryTimedOut``, ``ExecutionTimedOut``."""
    output: str = ""
    errors: str = ""
    """Standard error."""

    @property
    def is_running(self) -> bool:
        return self.status in UNFINISHED

    @property
    def has_succeeded(self) -> bool:
        return self.status == "Success"


def run_shell_command(
    target: Target, instance_id: str, command: str, *, wait_seconds: float, pause: float
) -> Invocation | None:
    """The result of the command, still unfinished after the wait; None where the agent is not registered."""
    command_id = send_shell_command(target, instance_id, command, delivery_seconds=LEAST_DELIVERY_SECONDS)
    if command_id is None:
        return None
    end = time.monotonic() + wait_seconds
    while (found := invocation(target, command_id, instance_id)).is_running and time.monotonic() < end:
        time.sleep(pause)
    return found


def send_shell_command(target: Target, instance_id: str, command: str, *, delivery_seconds: int) -> str | None:
    """Id of the command, which root runs; None where the agent of the instance is not registered.

    An instance that does not take the command within ``delivery_seconds`` never runs it. Raises ``ToolkitError`` when
    AWS rejects the call.
    """
    ssm = client(target, "ssm")
    with translated():
        try:
            sent = ssm.send_command(
                InstanceIds=[instance_id],
                DocumentName=SHELL_DOCUMENT,
                Parameters={"commands": [command]},
                TimeoutSeconds=delivery_seconds,
            )
        except ssm.exceptions.InvalidInstanceId:
            return None
    return str(sent["Command"]["CommandId"])


def invocation(target: Target, command_id: str, instance_id: str) -> Invocation:
    """Pending for the moment in which Systems Manager does not know it yet. Raises ``ToolkitError``."""
    ssm = client(target, "ssm")
    with translated():
        try:
            row = ssm.get_command_invocation(CommandId=command_id, InstanceId=instance_id)
        except ssm.exceptions.InvocationDoesNotExist:
            return Invocation("Pending", "Pending")
    return Invocation(
        status=row["Status"],
        details=row.get("StatusDetails", row["Status"]),
        output=row.get("StandardOutputContent", ""),
        errors=row.get("StandardErrorContent", ""),
    )
