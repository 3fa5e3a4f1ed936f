"""The statements of a policy, and whether one applies to a request.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.access.conditions import Condition, conditions_of, is_met
from neuron_cluster.access.errors import PolicyError
from neuron_cluster.access.patterns import arn_matches, expanded, matches, variable_keys
from neuron_cluster.access.request import Request

ELEMENTS = frozenset(
    ("Sid", "Effect", "Principal", "Action", "NotAction", "Resource", "NotResource", "Condition"),
)
POLICY_ELEMENTS = frozenset(("Version", "Id", "Statement"))
WITH_VARIABLES = "2012-10-17"
"""Version of policies with variables; in others ``${`` is text."""
ANY_PRINCIPAL = "*"
PRINCIPAL_KINDS = frozenset(("AWS", "Service", "Federated", "CanonicalUser"))


class Grant(enum.Enum):
    """To whom a statement of a resource applies."""

    NONE = enum.auto()
    ACCOUNT = enum.auto()
    """The account of the caller, whose IAM policies then decide."""
    ROLE = enum.auto()
    SESSION = enum.auto()
    """The session of the role, or any principal: boundaries and session policies that are silent do not limit it."""


class Statement(Struct, frozen=True, kw_only=True):
    """``name`` is where it is: the policy, and the Sid or the number of the statement."""

    name: str
    allows: bool
    actions: tuple[str, ...]
    resources: tuple[str, ...]
    principals: tuple[str, ...] = ()
    """Principals of the kind ``AWS``; empty in policies of identities."""
    conditions: tuple[Condition, ...] = ()
    but_actions: bool = False
    """NotAction: ``actions`` are those that it does not apply to."""
    but_resources: bool = False
    """NotResource."""
    has_variables: bool = True

    def names_action(self, action: str) -> bool:
        """Whatever the case of its letters."""
        return any(matches(each.lower(), action.lower()) for each in self.actions) != self.but_actions

    def names_resource(self, request: Request) -> bool:
        """In the same case. A resource with a variable that has no value is named by nothing."""
        patterns = [expanded(each, request) if self.has_variables else each for each in self.resources]
        if None in patterns and self.but_resources:
            return False
        found = any(pattern is not None and arn_matches(pattern, request.resource) for pattern in patterns)
        return found != self.but_resources

    @property
    def variables(self) -> frozenset[str]:
        """The condition keys of its policy variables, in lower case."""
        texts = (*self.resources, *(value for each in self.conditions for value in each.values))
        return frozenset().union(*map(variable_keys, texts)) if self.has_variables else frozenset()

    def applies(self, request: Request) -> bool:
        """Whether action, resource and conditions match; who the principal is, ``grant`` returns."""
        return (
            self.names_action(request.action)
            and self.names_resource(request)
            and all(is_met(each, request, has_variables=self.has_variables) for each in self.conditions)
        )

    def grant(self, request: Request) -> Grant:
        """Returns the kind of principal of the request that the statement names."""
        if ANY_PRINCIPAL in self.principals or (request.session and request.session in self.principals):
            return Grant.SESSION
        if request.principal in self.principals:
            return Grant.ROLE
        is_account = any(each == request.account or _is_root(each, request.account) for each in self.principals)
        return Grant.ACCOUNT if is_account else Grant.NONE


def _is_root(arn: str, account: str) -> bool:
    return arn.startswith("arn:") and arn.endswith(f":iam::{account}:root")


def statements_of(
    document: Any, policy: str, is_wanted: Callable[[Any], bool] = lambda _: True
) -> tuple[Statement, ...]:
    """The wanted statements of a policy document, which is called ``policy``. Raises ``PolicyError``."""
    if not isinstance(document, Mapping) or not document.keys() <= POLICY_ELEMENTS or "Statement" not in document:
        raise PolicyError(f"{policy} is not a policy: it must have Statement, and may have Version and Id")
    has_variables = document.get("Version") == WITH_VARIABLES
    return tuple(
        statement_of(written, f"{policy}[{position}]", has_variables=has_variables)
        for position, written in enumerate(_listed(document["Statement"]))
        if is_wanted(written)
    )


def statement_of(written: Any, name: str, *, has_variables: bool) -> Statement:
    """One statement as it is written, which is called ``name``. Raises ``PolicyError``."""
    if not isinstance(written, Mapping):
        raise PolicyError(f"{name} is not a statement: {written!r}")
    if unknown := sorted(set(written) - ELEMENTS):
        raise PolicyError(f"{name}: {', '.join(unknown)} is not supported")
    if written.get("Effect") not in ("Allow", "Deny"):
        raise PolicyError(f"{name}: Effect is {written.get('Effect')!r}; it must be Allow or Deny")
    actions, but_actions = _one_of(written, "Action", name)
    resources, but_resources = _one_of(written, "Resource", name)
    return Statement(
        name=f"{name} {written['Sid']}" if written.get("Sid") else name,
        allows=written["Effect"] == "Allow",
        actions=actions,
        but_actions=but_actions,
        resources=resources,
        but_resources=but_resources,
        principals=_principals(written.get("Principal"), name),
        conditions=tuple(conditions_of(written.get("Condition", {}))),
        has_variables=has_variables,
    )


def _one_of(written: Mapping[str, Any], element: str, name: str) -> tuple[tuple[str, ...], bool]:
    """The texts of ``Action`` or ``NotAction``, and whether it is the latter."""
    given = [each for each in (element, f"Not{element}") if each in written]
    if len(given) != 1:
        raise PolicyError(f"{name} must have either {element} or Not{element}")
    texts = _listed(written[given[0]])
    if not texts or not all(isinstance(each, str) for each in texts):
        raise PolicyError(f"{name}: {given[0]} has values that are not known: {written[given[0]]!r}")
    return tuple(texts), given[0] != element


def _principals(element: Any, name: str) -> tuple[str, ...]:
    if element is None:
        return ()
    kinds = {"AWS": element} if isinstance(element, str) else element
    if not isinstance(kinds, Mapping) or not kinds.keys() <= PRINCIPAL_KINDS:
        raise PolicyError(f"{name}: Principal is {element!r}; it must be * or one of {', '.join(PRINCIPAL_KINDS)}")
    found = tuple(_listed(kinds.get("AWS", [])))
    if not all(isinstance(each, str) for each in found):
        raise PolicyError(f"{name}: Principal has values that are not known: {element!r}")
    return found


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]
