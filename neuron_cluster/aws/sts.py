"""The caller identity of STS."""

from __future__ import annotations

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


def caller_account(target: Target) -> str:
    """Account id of the credentials in use."""
    with translated():
        return str(client(target, "sts").get_caller_identity()["Account"])
