from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, is_unknown, one_or_more
from neuron_cluster.template_rules.sagemaker.hyperpod_cluster import CLUSTER, groups_of
from neuron_cluster.template_rules.template_resource import TemplateResource

NODES, AUTO_SCALING = "sagemaker.amazonaws.com", "hyperpod.sagemaker.amazonaws.com"
"""Principals of execution roles and of the role with which HyperPod scales a cluster."""
ACTIONS = ("sts:AssumeRole", "sts:*", "*")


class RoleNotTrusted(TemplateRule):
    """SageMaker may assume the roles of a HyperPod cluster and its groups (`ExecutionRole`, `ClusterRole`).

    Roles outside of the templates are not checked.

    Without this check SageMaker rejects the cluster with a ValidationException.
    """

    id = "E8911"
    operation = "sagemaker:CreateCluster"
    error_code = "ValidationException"
    source = (
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-prerequisites-iam.html; "
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-autoscaling.html"
    )
    types = (CLUSTER,)

    def check(self, context: TemplateContext) -> Violations:
        for path, value, principal in _roles(context.resource):
            role = context.look_up.referred(value)
            if role is None or role.type_name != "AWS::IAM::Role":
                continue
            statements = at(role.properties, "AssumeRolePolicyDocument", "Statement")
            if not is_unknown(statements) and not any(_trusts(each, principal) for each in one_or_more(statements)):
                yield Violation(
                    path,
                    f"no statement of AssumeRolePolicyDocument of {role.logical_id} allows {principal} to assume it",
                    f"write Effect: Allow, Action: sts:AssumeRole, Principal: {{Service: {principal}}} into "
                    f"AssumeRolePolicyDocument of {role.logical_id}",
                )


def _roles(cluster: TemplateResource) -> Iterator[tuple[str, Any, str]]:
    """Path, value and principal of each role."""
    yield "ClusterRole", at(cluster.properties, "ClusterRole"), AUTO_SCALING
    for group in groups_of(cluster):
        yield f"{group.path}.ExecutionRole", group.at("ExecutionRole"), NODES


def _trusts(statement: Any, principal: str) -> bool:
    return (
        _has(at(statement, "Effect"), "Allow")
        and _has(at(statement, "Principal", "Service"), principal)
        and _has(at(statement, "Action"), *ACTIONS)
    )


def _has(value: Any, *wanted: str) -> bool:
    """True also for a value that is unknown."""
    return is_unknown(value) or any(is_unknown(each) or each in wanted for each in one_or_more(value))
