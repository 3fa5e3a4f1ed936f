from __future__ import annotations

from typing import Any

from local_aws.cloudformation.values import UNKNOWN
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_unknown, items, one_or_more
from neuron_cluster.template_rules.template_resource import TemplateResource

NEEDED = ("s3:GetObjectRetention", "s3:GetObjectLegalHold")
POLICY_TYPES = ("AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy")
WIDER = ("s3:*", "*", "s3:Get*", "s3:GetObject*")


class ReplicationOfLockedObjects(TemplateRule):
    """The replication role of a bucket with Object Lock reads retentions and legal holds (`ReplicationConfiguration`).

    S3 copies the retention of an object with it. A role without s3:GetObjectRetention and s3:GetObjectLegalHold on
    the objects copies none: their ReplicationStatus is FAILED, and AWS reports no error for the deploy.
    """

    id = "E8413"
    operation = "s3:PutBucketReplication"
    error_code = None
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-managing.html"
    types = ("AWS::S3::Bucket",)

    def check(self, context: TemplateContext) -> Violations:
        locked = at(context.resource.properties, "ObjectLockEnabled")
        role = context.look_up.referred(at(context.resource.properties, "ReplicationConfiguration", "Role"))
        if locked is not True or role is None:
            return
        documents = _documents(role, context.look_up)
        lacking = [action for action in NEEDED if not any(_allows(each, action) for each in documents)]
        if lacking:
            yield Violation(
                "ReplicationConfiguration.Role",
                f"the role {role.logical_id} is not allowed {' and '.join(lacking)}; the bucket has Object Lock",
                f"add {' and '.join(lacking)} to an Action on the replicated objects in a policy of {role.logical_id}",
            )


def _documents(role: TemplateResource, look_up: LookUp) -> list[Any]:
    """Policies of the role: in it, attached to it, and those outside of the template by their ARN."""
    policies, managed = (at(role.properties, key) for key in ("Policies", "ManagedPolicyArns"))
    found = [each for each in (policies, managed) if is_unknown(each)]
    found += [at(each, "PolicyDocument") for each in items(policies)] + items(managed)
    attached = (each for each in look_up.resources(*POLICY_TYPES) if _may_be_of(each, role, look_up))
    return [*found, *(at(each.properties, "PolicyDocument") for each in attached)]


def _may_be_of(policy: TemplateResource, role: TemplateResource, look_up: LookUp) -> bool:
    named = [at(policy.properties, "RoleName"), *items(at(policy.properties, "Roles"))]
    is_hidden = is_unknown(at(policy.properties, "Roles"))
    return is_hidden or any(each is UNKNOWN or look_up.referred(each) is role for each in named)


def _allows(document: Any, action: str) -> bool:
    """A policy outside of the template may allow anything."""
    statements = at(document, "Statement")
    if isinstance(document, str) or is_unknown(document) or is_unknown(statements):
        return True
    return any(is_unknown(each) or _statement_allows(each, action) for each in one_or_more(statements))


def _statement_allows(statement: Any, action: str) -> bool:
    effect, actions = at(statement, "Effect"), at(statement, "Action")
    if effect != "Allow" and not is_unknown(effect):
        return False
    return is_unknown(actions) or any(is_unknown(each) or each in (action, *WIDER) for each in one_or_more(actions))
