"""Rights of roles to pull an image that the cache does not have yet."""

from __future__ import annotations

from aws_cdk import aws_iam as iam
from constructs import Construct

from neuron_cluster.plan.cluster_plan import ClusterPlan
from stacks.constructs.acknowledgement import acknowledge, policy_of_one_role, wide_resource_findings

ACTIONS = ["ecr:BatchImportUpstreamImage", "ecr:CreateRepository"]
"""https://docs.aws.amazon.com/AmazonECR/latest/userguide/pull-through-cache-iam.html"""


def grant_pull_through(scope: Construct, plan: ClusterPlan, *roles: iam.IRole) -> None:
    """Lets the roles import images, and make their repositories, below the prefixes of the cache and nowhere else."""
    if plan.image_cache is None:
        return
    repositories = f"arn:{plan.partition}:ecr:{plan.region}:{plan.account}:repository"
    resources = [f"{repositories}/{rule.prefix}/*" for rule in plan.image_cache.rules]
    policy = iam.Policy(
        scope,
        "FillImageCache",
        roles=list(roles),
        statements=[iam.PolicyStatement(actions=ACTIONS, resources=resources)],
    )
    wide = dict.fromkeys(
        wide_resource_findings(scope, resources),
        "One rule of the cache: which repositories of that registry are pulled is up to the charts.",
    )
    acknowledge(policy, wide | policy_of_one_role("One policy for the roles that pull through this cache."))
