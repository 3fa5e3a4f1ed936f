"""Policies of identities that IAM rejects: by their grammar, by their size, by how many there are."""

from __future__ import annotations

import json
from typing import Any

from moto.iam.policy_validation import BaseIAMPolicyValidator
from moto.utilities.utils import get_partition

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.knowledge.current import limit
from local_aws.registry import guard
from local_aws.services.iam.policy_documents import in_text, statements
from local_aws.services.iam.policy_grammar import grammar_faults
from local_aws.services.overrides import override


@guard("iam", "PutRolePolicy", "PutUserPolicy", "PutGroupPolicy", "CreatePolicy", "CreatePolicyVersion")
def require_identity_policy(call: Call) -> None:
    """Checks the grammar of a policy; moto rejects a text that is not JSON."""
    try:
        document = json.loads(call.parameters["PolicyDocument"])
    except ValueError:
        return
    for message in grammar_faults(document, get_partition(call.region)):
        raise api_error("iam.malformed_policy", message=message)
    if any({"Principal", "NotPrincipal"} & each.keys() for each in statements(document)):
        raise api_error("iam.policy_with_principal")


@guard("iam", "PutRolePolicy")
def require_inline_size(call: Call) -> None:
    """All inline policies of the role together; white space does not count."""
    given, backend = call.parameters, call.moto_backend("iam")
    role = next((each for each in backend.roles.values() if each.name == given["RoleName"]), None)
    others = role.policies if role is not None else {}
    texts = [*(text for name, text in others.items() if name != given["PolicyName"]), given["PolicyDocument"]]
    maximum = limit("iam_role_inline_policies").require_maximum()
    if sum(_size(text) for text in texts) > maximum:
        raise api_error("iam.inline_policy_size", maximum=maximum, role_name=given["RoleName"])


@guard("iam", "CreatePolicy", "CreatePolicyVersion")
def require_managed_size(call: Call) -> None:
    maximum = limit("iam_managed_policy").require_maximum()
    if _size(call.parameters["PolicyDocument"]) > maximum:
        raise api_error("iam.managed_policy_size", maximum=maximum)


@guard("iam", "AttachRolePolicy")
def require_few_managed_policies(call: Call) -> None:
    given, backend = call.parameters, call.moto_backend("iam")
    role = next((each for each in backend.roles.values() if each.name == given["RoleName"]), None)
    maximum = limit("iam_role_managed_policies").require_maximum()
    if role is not None and len({*role.managed_policies, given["PolicyArn"]}) > maximum:
        raise api_error("iam.policies_per_role", maximum=maximum)


@guard("iam", "AttachRolePolicy", "AttachUserPolicy", "AttachGroupPolicy")
def require_partition(call: Call) -> None:
    arn = call.parameters["PolicyArn"]
    if arn.startswith("arn:") and arn.split(":")[1] != get_partition(call.region):
        raise api_error("iam.arn_partition", arn=arn)


@override(BaseIAMPolicyValidator, "__init__")
def read_numbers(original: Any, _validator: Any, policy_document: str) -> None:
    """Numbers and truths in conditions may stand as they are, which moto does not know."""
    try:
        original(json.dumps(in_text(json.loads(policy_document))))
    except ValueError:
        original(policy_document)


@override(BaseIAMPolicyValidator, "_validate_version")
def take_older_version(_original: Any, _validator: Any) -> None:
    """IAM takes a policy of version 2008-10-17, and one without a version, which has that one."""


def _size(text: str) -> int:
    return len("".join(text.split()))
