"""ValidatingAdmissionPolicies for the namespaces of a team: expressions in CEL that the API server evaluates.

Sources: kubernetes/website content/en/docs/reference/access-authn-authz/validating-admission-policy.md (stable since
1.30); kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/validator.go.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_kubernetes.model.names import NAMESPACE_LABEL
from neuron_cluster.plan.team import Team

API = "admissionregistration.k8s.io/v1"
POLICY, BINDING = "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"
CREATE, UPDATE = "CREATE", "UPDATE"


class Validation(Struct, frozen=True):
    """A request is rejected with ``message`` where ``expression`` is false."""

    expression: str
    message: str
    message_expression: str | None = None
    """In CEL, for a message that names what was given."""


class MatchedResources(Struct, frozen=True):
    """Resources of one API group, in every version of it."""

    group: str
    resources: tuple[str, ...]
    operations: tuple[str, ...] = (CREATE, UPDATE)
    versions: tuple[str, ...] = ("*",)


def policy_name(what: str, team: Team, *, is_governed: bool) -> str:
    """Returns the name of a policy of a team. With task governance another stack has it, under a name of its own: the
    stack ``teams`` that is deleted then deletes by name."""
    return f"neuron-cluster-{'governed-' if is_governed else ''}{what}-{team.name}"


def policy(
    name: str, matched: Sequence[MatchedResources], variables: Mapping[str, str], validations: Sequence[Validation]
) -> Mapping[str, Any]:
    """A request that cannot be evaluated is rejected (``failurePolicy``)."""
    return {
        "apiVersion": API,
        "kind": POLICY,
        "metadata": {"name": name},
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": {"resourceRules": [_rule(each) for each in matched]},
            "variables": [{"name": each, "expression": expression} for each, expression in variables.items()],
            "validations": [_validation(each) for each in validations],
        },
    }


def binding(name: str, namespaces: Sequence[str]) -> Mapping[str, Any]:
    """Returns the binding to namespaces, by the label that the API server sets on each, and restores."""
    names = {"key": NAMESPACE_LABEL, "operator": "In", "values": list(namespaces)}
    return {
        "apiVersion": API,
        "kind": BINDING,
        "metadata": {"name": name},
        "spec": {
            "policyName": name,
            "validationActions": ["Deny"],
            "matchResources": {"namespaceSelector": {"matchExpressions": [names]}},
        },
    }


def literal(value: Any) -> str:
    """In CEL: strings, lists and maps are written as in JSON. No value here has a character that CEL escapes."""
    return json.dumps(value)


def has_path(root: str, path: str) -> str:
    """In CEL: whether each step of a dotted path below ``root`` is set. ``has`` of the whole path is an error where a
    step before its last is not."""
    steps = path.split(".")
    return " && ".join(f"has({'.'.join((root, *steps[: end + 1]))})" for end in range(len(steps)))


def _rule(matched: MatchedResources) -> Mapping[str, Any]:
    return {
        "apiGroups": [matched.group],
        "apiVersions": list(matched.versions),
        "operations": list(matched.operations),
        "resources": list(matched.resources),
    }


def _validation(validation: Validation) -> Mapping[str, Any]:
    stated = {"messageExpression": validation.message_expression} if validation.message_expression else {}
    return {"expression": validation.expression, "reason": "Forbidden", "message": validation.message, **stated}
