"""A Helm release with the roles of its pods."""

from __future__ import annotations

import functools

import aws_cdk as cdk
from aws_cdk import aws_eks_v2 as eks
from aws_cdk import aws_s3_assets as s3_assets
from constructs import Construct

from neuron_cluster.plan.addon_plan import ChartPlan
from neuron_cluster.toolkit_files import CHARTS
from stacks.eks.placeholders import Placeholders
from stacks.eks.pod_identity_role import PodIdentityRole
from stacks.eks.service_timeout import bound_service_timeout

COMPILED = ["**/__pycache__"]
"""Compiled modules, which Python writes next to the programs of a chart in one install and not in another."""


def chart_release(
    scope: Construct, plan: ChartPlan, placeholders: Placeholders, *, cluster: eks.ICluster, cluster_name: str
) -> eks.HelmChart:
    """The roles come first: a pod gets its rights when it starts."""
    chart = eks.HelmChart(
        scope,
        f"Chart {plan.release}",
        cluster=cluster,
        release=plan.release,
        namespace=plan.namespace,
        create_namespace=False,
        values=placeholders.in_values(plan.deployed_values),
        wait=plan.waits,
        timeout=_minutes(plan.timeout_minutes),
        chart=plan.chart,
        repository=plan.repository or None,
        version=plan.version or None,
    )
    custom = bound_service_timeout(chart)
    if plan.stays:
        custom.apply_removal_policy(cdk.RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE)
    if plan.folder is not None:
        _take_from_folder(scope, custom, plan)
    for role in plan.pod_roles:
        role_id = f"Role {plan.release} {role.service_account}"
        association = eks.CfnPodIdentityAssociation(
            scope,
            f"Identity {plan.release} {role.service_account}",
            cluster_name=cluster_name,
            namespace=role.namespace,
            service_account=role.service_account,
            role_arn=PodIdentityRole(scope, role_id, role, placeholders).role_arn,
        )
        chart.node.add_dependency(association)
    return chart


@functools.cache
def _minutes(number: int) -> cdk.Duration:
    """Made once: nearly all charts have the same."""
    return cdk.Duration.minutes(number)


def _take_from_folder(scope: Construct, custom: cdk.CfnResource, plan: ChartPlan) -> None:
    """A bundled chart, as an asset in the bootstrap bucket.

    CDK's own way (``chart_asset``) would give the cluster's kubectl role further rights with the first such chart, and
    so change the cluster stack; that role may read charts from the start.
    """
    folder = str(CHARTS / (plan.folder or ""))
    asset = s3_assets.Asset(scope, f"Folder {plan.release}", path=folder, exclude=COMPILED)
    custom.add_property_deletion_override("Chart")
    custom.add_property_override("ChartAssetURL", asset.s3_object_url)
