"""Effects of a policy that another team has on an endpoint, bucket or key on the calls of an environment.

https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-access.html: at an endpoint a call needs a statement
that allows it and none that denies it, whatever the policies of the caller are. A bucket and a key of the account need
a statement only against it: the IAM policies of the caller allow the call.
"""

from __future__ import annotations

import enum
import json

from neuron_cluster.access.errors import PolicyError
from neuron_cluster.access.request import Request
from neuron_cluster.access.statement import ANY_PRINCIPAL, Grant, Statement, statements_of

ANY_RESOURCE = "*"


class Passage(enum.Enum):
    """The effect of a policy on a call of any principal of the account."""

    OPEN = enum.auto()
    CLOSED = enum.auto()
    UNKNOWN = enum.auto()
    """It depends on conditions, principals or resources, or the policy cannot be read."""


def passage(policy: str, principal: str, action: str, resource: str = "") -> Passage:
    """Returns the effect on a call of ``action`` on ``resource``, an ARN; empty for resources that are not known."""
    try:
        statements = statements_of(json.loads(policy), "policy") if policy else ()
    except (PolicyError, ValueError):
        return Passage.UNKNOWN
    if not policy:  # EC2 gives an endpoint without one the policy that allows everything
        return Passage.OPEN
    request = Request(principal, action, resource)
    concerned = [each for each in statements if each.names_action(action) and _may_name(each, request)]
    denying = [each for each in concerned if not each.allows]
    allowing = [each for each in concerned if each.allows]
    if not allowing or any(_is_certain(each, resource) for each in denying):
        return Passage.CLOSED
    is_open = not denying and any(_is_certain(each, resource) for each in allowing)
    return Passage.OPEN if is_open else Passage.UNKNOWN


def denial(policy: str, request: Request) -> Passage:
    """CLOSED where a statement denies the request, UNKNOWN where one may: by keys that its context does not have."""
    try:
        statements = statements_of(json.loads(policy), "policy") if policy else ()
        denying = [
            each
            for each in statements
            if not each.allows
            and each.grant(request) is not Grant.NONE
            and each.names_action(request.action)
            and each.names_resource(request)
        ]
        keys = {id(each): {condition.key.lower() for condition in each.conditions} for each in denying}
        known = [each for each in denying if keys[id(each)] <= request.context.keys()]
        if any(each.applies(request) for each in known):
            return Passage.CLOSED
    except (PolicyError, ValueError):
        return Passage.UNKNOWN
    return Passage.OPEN if len(known) == len(denying) else Passage.UNKNOWN


def _may_name(statement: Statement, request: Request) -> bool:
    return not request.resource or statement.names_resource(request)


def _is_certain(statement: Statement, resource: str) -> bool:
    """Whether the statement is about the call of every principal, under all conditions."""
    names_it = bool(resource) or (ANY_RESOURCE in statement.resources and not statement.but_resources)
    return names_it and not statement.conditions and ANY_PRINCIPAL in statement.principals
