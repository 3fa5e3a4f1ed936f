"""What an edit does to access: who may use the cluster, where its endpoint answers, which stacks one call deletes."""

from __future__ import annotations

import enum
import re
from collections.abc import Collection, Iterator
from typing import Any

from msgspec import Struct

from local_aws.cloudformation.property_changes import value_at
from local_aws.cloudformation.values import Reference
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.effects import normal_text
from neuron_cluster.changes.stack_set import StackSet

CLUSTER = "AWS::EKS::Cluster"
ACCESS_ENTRY = "AWS::EKS::AccessEntry"
ENDPOINT = "endpoint"
ANYWHERE = "0.0.0.0/0"
"""The default of EKS when the public endpoint has no list of addresses (EKS API reference, VpcConfigRequest)."""


class AccessChangeKind(enum.StrEnum):
    """What happens to the access of a principal."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class AccessChange(Struct, frozen=True):
    """One principal, the endpoint of one cluster, or the deletion of one stack."""

    who: str
    kind: AccessChangeKind
    before: str
    """Policies, addresses, or whether it is allowed; empty when there was nothing."""
    after: str


def protection_changes(before: Collection[str], after: Collection[str], stacks: Collection[str]) -> list[AccessChange]:
    """Stacks that exist on both sides and gain or lose termination protection; the first two are those that have it."""
    words = {True: "blocked (termination protection)", False: "allowed"}
    return [
        AccessChange(f"deletion of {stack}", AccessChangeKind.CHANGED, words[stack in before], words[stack in after])
        for stack in sorted(stacks)
        if (stack in before) != (stack in after)
    ]


def access_changes(comparison: Comparison) -> list[AccessChange]:
    """Principals by name, then endpoints."""
    before, after = (dict(_principals(stacks)) for stacks in (comparison.before, comparison.after))
    endpoints = [dict(_endpoints(stacks)) for stacks in (comparison.before, comparison.after)]
    return [*_differing(before, after), *_differing(*endpoints)]


def _differing(before: dict[str, str], after: dict[str, str]) -> Iterator[AccessChange]:
    for who in sorted(before.keys() | after.keys()):
        old, new = before.get(who), after.get(who)
        if old == new:
            continue
        kind = AccessChangeKind.CHANGED
        if old is None or new is None:
            kind = AccessChangeKind.ADDED if old is None else AccessChangeKind.REMOVED
        yield AccessChange(who, kind, old or "", new or "")


def _principals(stacks: StackSet) -> Iterator[tuple[str, str]]:
    for address in sorted(stacks.addresses()):
        if stacks.resource(address)["Type"] == ACCESS_ENTRY:
            properties = stacks.properties(address)
            arns = value_at(properties, ("AccessPolicies", "*", "PolicyArn")) or []
            policies = sorted(_last_name(normal_text(arn)) for arn in arns)
            yield _principal(properties.get("PrincipalArn", address)), ", ".join(policies) or "no policy"


def _endpoints(stacks: StackSet) -> Iterator[tuple[str, str]]:
    for address in sorted(stacks.addresses()):
        if stacks.resource(address)["Type"] != CLUSTER:
            continue
        properties = stacks.properties(address)
        network = properties.get("ResourcesVpcConfig", {})
        is_private = network.get("EndpointPrivateAccess", "false") == "true"
        is_public = network.get("EndpointPublicAccess", "true") == "true"
        cidrs = ", ".join(map(normal_text, network.get("PublicAccessCidrs") or [ANYWHERE]))
        parts = [*(["private"] if is_private else []), *([f"public from {cidrs}"] if is_public else [])]
        yield f"{ENDPOINT} of {normal_text(properties.get('Name', address.logical_id))}", " and ".join(parts)


def _principal(value: Any) -> str:
    """An ARN as it is written; a role that the stacks make, by its address."""
    return str(value.target if isinstance(value, Reference) else value)


def _last_name(arn: str) -> str:
    """``AmazonEKSClusterAdminPolicy``, however the ARN around it is put together."""
    found = re.search(r"/(\w+)\W*$", arn)
    return found[1] if found else arn
