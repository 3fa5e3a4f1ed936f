"""Service-linked roles that launch the instances of a provider's groups."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.plan.cluster_plan import ClusterPlan


class LaunchRole(Struct, frozen=True):
    """A role whose own policy does not allow customer managed keys."""

    title: str
    """Of the service."""
    name: str
    service: str
    """Its service principal."""

    def arn(self, plan: ClusterPlan) -> str:
        """In the account of the environment."""
        return f"arn:{plan.partition}:iam::{plan.account}:role/aws-service-role/{self.service}/{self.name}"
