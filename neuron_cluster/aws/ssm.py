"""Parameters of Systems Manager, and instances whose agents are connected."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from neuron_cluster.aws.errors import translated
from neuron_cluster.aws.session import Target, client


def parameter(target: Target, name: str) -> str | None:
    """Value of a parameter; None when there is no such parameter."""
    ssm = client(target, "ssm")
    with translated():
        try:
            return str(ssm.get_parameter(Name=name)["Parameter"]["Value"])
        except ssm.exceptions.ParameterNotFound:
            return None


def parameters_below(target: Target, path: str) -> list[str]:
    """Names of all parameters below a path such as ``/cdk-bootstrap/``."""
    with translated():
        pages = client(target, "ssm").get_paginator("get_parameters_by_path").paginate(Path=path, Recursive=True)
        return [str(row["Name"]) for page in pages for row in page["Parameters"]]


class AgentState(Struct, frozen=True):
    """The connection of an agent that has registered."""

    is_online: bool
    last_ping: datetime | None


def online_instances(target: Target, ids: Sequence[str]) -> set[str]:
    """Returns the ids of those instances whose agent is connected to Systems Manager."""
    return {each for each, agent in agent_states(target, ids).items() if agent.is_online}


def agent_states(target: Target, ids: Sequence[str]) -> dict[str, AgentState]:
    """The agents by the ids of their instances; an instance whose agent never registered has none."""
    if not ids:
        return {}
    filters = [{"Key": "InstanceIds", "Values": list(ids)}]
    with translated():
        pages = client(target, "ssm").get_paginator("describe_instance_information").paginate(Filters=filters)
        return {
            str(row["InstanceId"]): AgentState(row["PingStatus"] == "Online", row.get("LastPingDateTime"))
            for page in pages
            for row in page["InstanceInformationList"]
        }
