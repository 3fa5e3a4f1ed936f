from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.findings.text import listed
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, items
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import (
    CLUSTER,
    groups_of,
    script_bucket,
    security_groups_of,
)
from neuron_cluster.template_rules.template_resource import TemplateResource

CUSTOM = ("Custom::", "AWS::CloudFormation::CustomResource")
EMPTIES_BUCKET = "Custom::S3AutoDeleteObjects"
"""Works only on delete."""
POLICIES = ("AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy")
RULES = ("AWS::EC2::SecurityGroupIngress", "AWS::EC2::SecurityGroupEgress")


class ClusterBeforePrerequisites(TemplateRule):
    """A HyperPod cluster depends on the policies, the life cycle script and the network rules of nodes (`DependsOn`).

    A reference to the role, the bucket or the security group does not make CloudFormation wait for what other resources
    of the stack add to it. On delete the dependency makes CloudFormation delete the cluster first, whose nodes use all
    of it until they end.

    Without this check nodes may start before the script is uploaded or the rules are there, and the cluster fails; on
    delete it may stay in Deleting.
    """

    id = "E8912"
    operation = "sagemaker:CreateCluster"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-prerequisites.html; "
        "alchemy-run/alchemy#924; CloudFormation: DependsOn attribute"
    )
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        resource, look_up = context.resource, context.look_up
        needed = [*_policies(resource, look_up), *_uploads(resource, look_up), *_rules(resource, look_up)]
        missing = sorted({name for name in needed if not look_up.depends_on(resource, name)})
        if missing:
            yield Violation(
                "",
                f"does not depend on {listed(missing)}, which nodes need from their start to their end",
                f"add to DependsOn of the cluster: {', '.join(missing)}",
            )


def _policies(cluster: TemplateResource, look_up: LookUp) -> Iterator[str]:
    """Policies of the same stack that are attached to an execution role."""
    roles = [role for group in groups_of(cluster) if (role := look_up.referred(group.at("ExecutionRole"))) is not None]
    for policy in look_up.resources(*POLICIES, stack=cluster.stack):
        attached = [at(policy.properties, "RoleName"), *items(at(policy.properties, "Roles"))]
        if any(look_up.referred(each) is role for each in attached for role in roles):
            yield policy.logical_id


def _uploads(cluster: TemplateResource, look_up: LookUp) -> Iterator[str]:
    """Custom resources of the same stack that write into the bucket of the scripts."""
    buckets = [script_bucket(cluster, position, look_up) for position, _ in enumerate(groups_of(cluster))]
    found = [bucket for bucket in buckets if bucket is not None]
    for resource in look_up.resources(stack=cluster.stack):
        if resource.type_name.startswith(CUSTOM) and resource.type_name != EMPTIES_BUCKET:
            referred = [look_up.referred(value) for value in resource.properties.values()]
            if any(each is bucket for each in referred for bucket in found):
                yield resource.logical_id


def _rules(cluster: TemplateResource, look_up: LookUp) -> Iterator[str]:
    """Rules of the same stack whose group is attached to nodes."""
    groups = [group for _, group in security_groups_of(cluster, look_up)]
    for rule in look_up.resources(*RULES, stack=cluster.stack):
        owner = look_up.referred(at(rule.properties, "GroupId"))
        if any(owner is group for group in groups):
            yield rule.logical_id
