"""The common base of all stacks of an environment: name, account, Region, termination protection, tags."""

from __future__ import annotations

import aws_cdk as cdk
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.environment_tag import ENVIRONMENT_TAG
from neuron_cluster.plan.stack_table import is_protected

WITHOUT_FREE_TAGS = ["AWS::EC2::LaunchTemplate", "AWS::EC2::PlacementGroup", "AWS::EKS::Nodegroup"]
"""A new tag would replace a placement group and roll the nodes of a template, so these carry identity only."""


class EnvironmentStack(cdk.Stack):
    """One stack of an environment. Its id, and so its name, is ``<environment>-<stack_key>``: a public contract."""

    def __init__(self, scope: Construct, stack_key: str, plan: ClusterPlan) -> None:
        super().__init__(
            scope,
            plan.stack_name(stack_key),
            env=cdk.Environment(account=plan.account, region=plan.region),
            description=f"Neuron cluster {plan.name}: {stack_key}",
            termination_protection=is_protected(plan, stack_key),
        )

    def publish(self, *values: object) -> None:
        """Exports values whether a stack uses them today or not, so that a new user of one changes no producer."""
        for value in values:
            self.export_value(value)


def tag_resources(scope: Construct, plan: ClusterPlan) -> None:
    """Tags everything below the scope; once for all stacks, because each tag of each crosses to Node.js."""
    tags = cdk.Tags.of(scope)
    tags.add(ENVIRONMENT_TAG, plan.name)
    for key, value in plan.tags.items():
        tags.add(key, value, exclude_resource_types=WITHOUT_FREE_TAGS)
