"""The function that runs kubectl and helm in the cluster, and its right to read the bundled charts."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_eks_v2 as eks
from aws_cdk import aws_iam as iam

from neuron_cluster.plan.cluster_plan import ClusterPlan
from stacks.constructs.acknowledgement import acknowledge, policy_of_one_role, wide_resource_findings
from stacks.constructs.asset_key import decrypts_assets, keys_of_account
from stacks.constructs.single_resource import single_resource
from stacks.environment_stack import EnvironmentStack


def kubectl_provider(stack: EnvironmentStack, cluster: eks.ICluster) -> tuple[eks.IKubectlProvider, iam.IRole]:
    """The function, and its role."""
    provider = eks.KubectlProvider.get_kubectl_provider(stack, cluster)
    role = provider.role if provider is not None else None
    if provider is None or role is None:
        raise RuntimeError("the cluster was made without a kubectl provider")
    # Its rights name the cluster, and CDK lets it wait for them: it is first called when the stack is complete.
    single_resource(provider.node.find_child("Handler")).add_deletion_override("DependsOn")
    return provider, role


def grant_read_of_charts(stack: EnvironmentStack, role: iam.IRole, plan: ClusterPlan) -> None:
    """Now, for all bundled charts to come: a grant at the first chart would change this stack then."""
    qualifier = stack.synthesizer.bootstrap_qualifier or cdk.DefaultStackSynthesizer.DEFAULT_QUALIFIER
    assets = f"cdk-{qualifier}-assets-{plan.account}-{plan.region}"
    bucket = f"arn:{plan.partition}:s3:::{assets}"
    every_archive = f"{bucket}/*.zip"
    policy = iam.Policy(
        stack,
        "ReadCharts",
        roles=[role],
        statements=[
            iam.PolicyStatement(
                actions=["s3:GetObject"],
                resources=[every_archive],
                # A stranger may have taken the bucket's name, and its charts would run as cluster admin.
                conditions={"StringEquals": {"aws:ResourceAccount": plan.account}},
            ),
            iam.PolicyStatement.from_json(decrypts_assets(plan, [bucket, every_archive])),
        ],
    )
    wide = dict.fromkeys(
        wide_resource_findings(stack, [every_archive, keys_of_account(plan)]),
        "Each own chart is an archive of its own in the bootstrap bucket; the function only reads them, and no "
        "template, with the key of the bucket, which the file does not name.",
    )
    acknowledge(policy, wide | policy_of_one_role())
