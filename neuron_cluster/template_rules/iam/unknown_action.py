from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.suggestions import did_you_mean, suggestions
from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.property_tree import at, items, one_or_more, text
from neuron_cluster.template_rules.template_resource import TemplateResource

DOCUMENTS = ("PolicyDocument", "AssumeRolePolicyDocument", "KeyPolicy", "RepositoryPolicyText", "FileSystemPolicy")
"""Properties that hold a policy."""


class UnknownAction(TemplateRule):
    """The actions in a policy exist (`Action`, `NotAction`).

    IAM accepts any string with a colon; a misspelt action in an Allow or Deny statement has no effect.
    """

    id = "E8604"
    operation = "iam:PutRolePolicy"
    error_code = None
    source = (
        "https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-"
        "resources-contextkeys.html; actions: catalog/data/iam_actions.yaml"
    )
    types = (
        "AWS::IAM::Policy",
        "AWS::IAM::ManagedPolicy",
        "AWS::IAM::Role",
        "AWS::IAM::RolePolicy",
        "AWS::IAM::Group",
        "AWS::IAM::GroupPolicy",
        "AWS::IAM::User",
        "AWS::IAM::UserPolicy",
        "AWS::EC2::VPCEndpoint",
        "AWS::ECR::Repository",
        "AWS::KMS::Key",
        "AWS::S3::BucketPolicy",
        "AWS::S3Express::BucketPolicy",
        "AWS::EFS::FileSystem",
    )

    def check(self, context: TemplateContext) -> Violations:
        for path, document in _documents(context.resource):
            for position, statement in enumerate(one_or_more(at(document, "Statement"))):
                for member in ("Action", "NotAction"):
                    for action in map(text, one_or_more(at(statement, member))):
                        if action is not None and action != "*":
                            yield from _violations(f"{path}.Statement[{position}].{member}", action, context.catalog)


def _documents(resource: TemplateResource) -> Iterator[tuple[str, Any]]:
    """Path and document of every policy of the resource."""
    for name in DOCUMENTS:
        yield name, resource.properties.get(name)
    for position, policy in enumerate(items(resource.properties.get("Policies"))):
        yield f"Policies[{position}].PolicyDocument", at(policy, "PolicyDocument")


def _violations(path: str, action: str, catalog: Catalog) -> Violations:
    prefix, _, name = action.partition(":")
    service = catalog.iam_services.get(prefix.lower())
    if service is None:
        near = [f"{each}:{name}" for each in suggestions(prefix, [row.name for row in catalog.iam_services])]
        hint = f"{did_you_mean(near)}tools/refresh_iam_data.py records the actions of a service"
        yield Violation(path, f"{action} belongs to a service whose actions the catalog does not contain", hint)
    elif not service.has_action(name):
        near = [f"{prefix}:{each}" for each in service.similar_actions(name)]
        hint = did_you_mean(near).rstrip() or f"write an action of {prefix}"
        yield Violation(path, f"{action} is not a valid action of {prefix}", hint)
