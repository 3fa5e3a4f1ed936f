from __future__ import annotations

from local_aws.cloudformation.values import holds_unknown
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.iam.statement import identity_statements
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_unknown, items, one_or_more, text
from neuron_cluster.template_rules.template_resource import TemplateResource

ACTION = "pcs:RegisterComputeNodeGroupInstance"
PATH, PREFIX = "/aws-pcs/", "AWSPCS"
POLICIES = ("AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy")
"""Policies that another resource may attach to the role."""


class NodeRoleWithoutRegistration(TemplateRule):
    """PCS accepts the role of a compute node group, which may register instances (`IamInstanceProfileArn`).

    The name begins with AWSPCS or the path has /aws-pcs/; a statement allows `pcs:RegisterComputeNodeGroupInstance`.
    Roles with managed policies or policies of their own resource are checked for name and path alone.

    Without this check instances start but never register, and PCS terminates them after half an hour.
    """

    id = "E8962"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = None
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/security-instance-profiles_create.html"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        profile = context.look_up.referred(at(context.resource.properties, "IamInstanceProfileArn"))
        roles = items(at(profile.properties, "Roles")) if profile is not None else []
        role = context.look_up.referred(roles[0]) if len(roles) == 1 else None
        if role is None:
            return
        name, path = at(role.properties, "RoleName"), at(role.properties, "Path")
        if not is_unknown(name) and not is_unknown(path) and not _is_accepted(text(name) or "", text(path) or ""):
            yield Violation(
                "IamInstanceProfileArn",
                f"has the role {role.logical_id} with Path {path or '/'}, and no RoleName that begins with {PREFIX}",
                f"write Path: {PATH} in the role and its instance profile, or a RoleName that begins with {PREFIX}",
            )
        if at(role.properties, "ManagedPolicyArns") is None and not _allows_registration(role, context.look_up):
            yield Violation(
                "IamInstanceProfileArn",
                f"has the role {role.logical_id} without a policy that allows {ACTION}",
                f"write a statement with Action: {ACTION} in Policies of the role",
            )


def _is_accepted(name: str, path: str) -> bool:
    return name.startswith(PREFIX) or PATH in path


def _allows_registration(role: TemplateResource, look_up: LookUp) -> bool:
    """True also where a policy is unknown, or one that another resource attaches may allow it."""
    if holds_unknown(role.properties.get("Policies")) or any(look_up.resources(*POLICIES, stack=role.stack)):
        return True
    statements = (statement for _, statement in identity_statements(role))
    actions = [action for statement in statements for action in one_or_more(at(statement, "Action"))]
    return any(action in (ACTION, "pcs:*", "*") for action in actions)
