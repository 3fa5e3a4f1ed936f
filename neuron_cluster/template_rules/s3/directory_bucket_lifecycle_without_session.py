from __future__ import annotations

from typing import Any

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.look_up import LookUp
from neuron_cluster.template_rules.property_tree import at, is_unknown, items, one_or_more
from neuron_cluster.template_rules.template_resource import TemplateResource

POLICY = "AWS::S3Express::BucketPolicy"
PRINCIPAL = "lifecycle.s3.amazonaws.com"
ACTIONS = ("s3express:CreateSession", "s3express:*", "*")


class DirectoryBucketLifecycleWithoutSession(TemplateRule):
    """The policy of a directory bucket with lifecycle rules lets S3 Lifecycle create sessions (`PolicyDocument`).

    S3 deletes objects of a directory bucket in a session of the principal lifecycle.s3.amazonaws.com, with the mode
    ReadWrite. Without a statement that allows it, AWS reports no error, no rule deletes anything, and the objects are
    billed on.
    """

    id = "E8412"
    operation = "s3:PutBucketLifecycleConfiguration"
    error_code = None
    source = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/directory-buckets-objects-lifecycle.html"
    types = ("AWS::S3Express::DirectoryBucket",)

    def check(self, context: TemplateContext) -> Violations:
        resource = context.resource
        rules = items(at(resource.properties, "LifecycleConfiguration", "Rules"))
        if not any(at(rule, "Status") == "Enabled" for rule in rules):
            return
        if not any(_lets_lifecycle_in(resource, each, context.look_up) for each in context.look_up.resources(POLICY)):
            yield Violation(
                "LifecycleConfiguration",
                f"no statement of a policy of the bucket allows {PRINCIPAL} s3express:CreateSession with ReadWrite",
                f"add to its {POLICY}: Effect: Allow, Principal: {{Service: {PRINCIPAL}}}, "
                "Action: s3express:CreateSession, Resource: the bucket, Condition: {StringEquals: "
                "{s3express:SessionMode: ReadWrite}}",
            )


def _lets_lifecycle_in(bucket: TemplateResource, policy: TemplateResource, look_up: LookUp) -> bool:
    """Whether the policy is of the bucket and allows sessions, as far as the template shows it."""
    named, statements = (
        at(policy.properties, "Bucket"),
        at(policy.properties, "PolicyDocument", "Statement"),
    )
    if look_up.referred(named) not in (bucket, None) or isinstance(named, str):
        return False
    return is_unknown(statements) or any(map(_allows_sessions, one_or_more(statements)))


def _allows_sessions(statement: Any) -> bool:
    """Without a mode S3 tries ReadWrite first; with ReadOnly alone it deletes nothing."""
    modes = at(statement, "Condition", "StringEquals", "s3express:SessionMode")
    return (
        _has(at(statement, "Effect"), "Allow")
        and _has(at(statement, "Principal", "Service"), PRINCIPAL)
        and _has(at(statement, "Action"), *ACTIONS)
        and (modes is None or _has(modes, "ReadWrite"))
    )


def _has(value: Any, *wanted: str) -> bool:
    return is_unknown(value) or any(is_unknown(each) or each in wanted for each in one_or_more(value))
