"""Parameters of Systems Manager."""

from __future__ import annotations

from neuron_cluster.aws.refusals import translated
from neuron_cluster.aws.session import Target, client


def parameter(target: Target, name: str) -> str | None:
    """Value of a parameter; none when there is no such parameter."""
    ssm = client(target, "ssm")
    with translated():
        try:
            return str(ssm.get_parameter(Name=name)["Parameter"]["Value"])
        except ssm.exceptions.ParameterNotFound:
            return None
