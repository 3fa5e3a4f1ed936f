"""Why a finding of a policy check is accepted, recorded on the construct that it is found in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import aws_cdk as cdk
from constructs import IConstruct

NIST, PCI = "NIST.800.53.R5", "PCI.DSS.321"
"""Packs of cdk-nag, as they begin the names of their rules."""
CHECKOV = "CKV_AWS_"
"""How checkov begins the names of its checks."""
RESERVE = "A reserve is taken from all functions of the account, and fails in a new one."
FAILED_CALLS = "CloudFormation waits for each answer, and reports a failed call as a failed resource."
"""The reason why functions of custom resources have neither reserved concurrency nor a queue of failed calls."""

LEARNT_LATER = "${Token["
"""How a text begins its tokens: what CDK learns only when it writes the template."""


def acknowledge(construct: IConstruct, reasons: Mapping[str, str]) -> None:
    """``reasons`` by finding, as cdk-nag and CDK spell it."""
    rules = [cdk.Acknowledgment(id=finding, reason=reason) for finding, reason in reasons.items()]
    if rules:
        cdk.Validations.of(construct).acknowledge(*rules)


def in_standards(rule: str, reason: str) -> dict[str, str]:
    """The reason for a rule that NIST 800-53 R5 and PCI DSS 3.2.1 share; a test runs both over all environments."""
    return {f"{NIST}-{rule}": reason, f"{PCI}-{rule}": reason}


def in_nist(rule: str, reason: str) -> dict[str, str]:
    """The reason for a rule of NIST 800-53 R5 alone."""
    return {f"{NIST}-{rule}": reason}


def in_checkov(number: int, reason: str) -> dict[str, str]:
    """The reason for a check of checkov for AWS; a test runs it over all environments."""
    return {f"{CHECKOV}{number}": reason}


def of_custom_resource() -> dict[str, str]:
    """Acknowledges that a function of a custom resource has no reserved concurrency and no queue of failed calls."""
    return (
        in_nist("LambdaConcurrency", RESERVE)
        | in_nist("LambdaDLQ", FAILED_CALLS)
        | in_checkov(115, RESERVE)
        | in_checkov(116, FAILED_CALLS)
    )


def policy_of_one_role(reason: str = "The rights of this role alone, which are deleted with it.") -> dict[str, str]:
    """Acknowledges that a role has an inline policy: a managed one could be attached to others, and be changed."""
    return in_standards("IAMNoInlinePolicy", reason)


def managed_policy_finding(name: str) -> str:
    """Returns the finding that a role has an AWS managed policy, given by path and name."""
    return f"AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/{name}]"


def acknowledge_policies(role: IConstruct, policies: Mapping[str, str]) -> None:
    """AWS managed policies of a role, each with the reason for it."""
    acknowledge(role, {managed_policy_finding(name): reason for name, reason in policies.items()})


def wide_resource_findings(scope: IConstruct, resources: Iterable[str]) -> list[str]:
    """Returns the findings that a statement names each of these resources, which have a ``*``."""
    written = sorted(resources)
    has_tokens = any(LEARNT_LATER in resource for resource in written)
    resolved = cdk.Stack.of(scope).resolve(written) if has_tokens else written
    return [f"AwsSolutions-IAM5[Resource::{_as_policy_checks_write(resource)}]" for resource in resolved]


def _as_policy_checks_write(resolved: Any) -> str:
    """The resource with its tokens as cdk-nag writes them: ``<AWS::Partition>``, ``<Bucket.Arn>``, an export's name."""
    if isinstance(resolved, str):
        return resolved
    _, parts = resolved["Fn::Join"]
    return "".join(part if isinstance(part, str) else _token(part) for part in parts)


def _token(part: dict[str, Any]) -> str:
    ((function, argument),) = part.items()
    if function == "Fn::GetAtt":
        return f"<{'.'.join(argument)}>"
    return f"<{argument}>" if function == "Ref" else str(argument)
