"""Requests that the rules of Roles allow: the arithmetic of RBAC, without a cluster.

Source: https://kubernetes.io/docs/reference/access-authn-authz/rbac/; kubernetes/kubernetes:
pkg/apis/rbac/v1/evaluation_helpers.go (VerbMatches, APIGroupMatches, ResourceMatches, ResourceNameMatches).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from local_kubernetes.model.api_resources import resources_of

EVERY = "*"
Rules = Iterable[Mapping[str, Any]]


def allows(rules: Rules, verb: str, group: str, resource: str, name: str = "") -> bool:
    """Whether one of the rules allows the verb on the resource (``pods``, ``pods/log``) of the API group.

    A rule for named objects allows no ``create``, whose name the API server does not compare.
    """
    return any(_allows(rule, verb, group, resource, name) for rule in rules)


def resource_of_kind(group: str, kind: str) -> str:
    """The plural name of a kind, as rules have it; formed by the rule of English where the kind is not known here."""
    known = resources_of(group) or {}
    return next((plural for plural, each in known.items() if each == kind and "/" not in plural), f"{kind.lower()}s")


def _allows(rule: Mapping[str, Any], verb: str, group: str, resource: str, name: str) -> bool:
    _, slash, subresource = resource.partition("/")
    resources = {resource, EVERY, *({f"{EVERY}/{subresource}"} if slash else ())}
    named = rule.get("resourceNames") or ()
    return (
        bool({verb, EVERY} & {*rule.get("verbs", ())})
        and bool({group, EVERY} & {*rule.get("apiGroups", ())})
        and bool(resources & {*rule.get("resources", ())})
        and (not named or name in named)
    )
