"""The caller identity of STS."""

from __future__ import annotations

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


def caller_account(target: Target) -> str:
    """Account id of the credentials in use."""
    with translated():
        return str(client(target, "sts").get_caller_identity()["Account"])


def caller_arn(target: Target) -> str:
    """ARN of the user, of the session of a role, or of the root user, whose credentials are in use."""
    with translated():
        return str(client(target, "sts").get_caller_identity()["Arn"])
