"""How a user finds the login nodes: they have no public address, and another id after each replacement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_cluster.providers.pcs.groups import LOGIN

if TYPE_CHECKING:
    from neuron_cluster.plan.cluster_plan import ClusterPlan

FIRST = "Reservations[0].Instances[0].InstanceId"
ALL = "Reservations[].Instances[].InstanceId"


def login_name(environment: str) -> str:
    """The name tag of login nodes."""
    return f"{environment}/{LOGIN}"


def find_login_nodes(plan: ClusterPlan, query: str) -> str:
    """The command that prints the ids of those that run, all or the first."""
    filters = f"Name=tag:Name,Values={login_name(plan.name)} Name=instance-state-name,Values=running"
    return f"aws ec2 describe-instances --region {plan.region} --filters {filters} --query '{query}' --output text"
