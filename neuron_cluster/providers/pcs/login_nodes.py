"""How a user finds the login nodes: they have no public address, and another id after each replacement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.providers.pcs.groups import LOGIN

if TYPE_CHECKING:
    pass

FIRST = "Reservations[0].Instances[0].InstanceId"
ALL = "Reservations[].Instances[].InstanceId"


def login_name(environment: str) -> str:
    """The name tag of login nodes."""
    return f"{environment}/{LOGIN}"


def find_login_nodes(environment: str, region: str, query: str) -> str:
    """The command that prints the ids of those that run, all or the first."""
    filters = f"Name=tag:Name,Values={login_name(environment)} Name=instance-state-name,Values=running"
    return f"aws ec2 describe-instances --region {region} --filters {filters} --query '{query}' --output text"
