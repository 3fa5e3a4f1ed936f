"""Service-linked roles that launch the instances of a provider's groups."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.plan.cluster_plan import ClusterPlan


class LaunchRole(Struct, frozen=True):
    """A role whose own policy does not allow customer managed keys."""

    title: str
    """Name of the service, for messages."""
    name: str
    service: str
    """Service principal of the service, such as ``autoscaling.amazonaws.com``."""

    def arn(self, plan: ClusterPlan) -> str:
        """Returns the ARN of the role in the account of the environment."""
        return f"arn:{plan.partition}:iam::{plan.account}:role/aws-service-role/{self.service}/{self.name}"
