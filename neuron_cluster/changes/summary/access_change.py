"""Changes of access: who may use the cluster, where its endpoint answers, which stacks one call deletes.

And which services the VPC reaches without the internet.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterator

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.source import change_sources
from neuron_cluster.changes.stack_set import StackSet

VPC_ENDPOINT, NAT_GATEWAY = "AWS::EC2::VPCEndpoint", "AWS::EC2::NatGateway"


class AccessChangeKind(enum.StrEnum):
    """The kind of change of the access of a principal."""

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
    texts = {True: "blocked (termination protection)", False: "allowed"}
    return [
        AccessChange(f"deletion of {stack}", AccessChangeKind.CHANGED, texts[stack in before], texts[stack in after])
        for stack in sorted(stacks)
        if (stack in before) != (stack in after)
    ]


def access_changes(comparison: Comparison) -> list[AccessChange]:
    """Principals by name, then endpoints of clusters, then services that get or lose a VPC endpoint."""
    states, sources = (comparison.before, comparison.after), change_sources()
    principals = [dict(each for source in sources for each in source.principals(stacks)) for stacks in states]
    endpoints = [dict(each for source in sources for each in source.endpoints(stacks)) for stacks in states]
    return [*_differing(*principals), *_differing(*endpoints), *_vpc_endpoint_changes(comparison)]


def _vpc_endpoint_changes(comparison: Comparison) -> Iterator[AccessChange]:
    """Yields changes of a network that stays: one that is created or deleted as a whole has no calls there."""
    before, after = (_of_type(stacks, VPC_ENDPOINT) for stacks in (comparison.before, comparison.after))
    if not (before and after):
        return
    without = "through NAT" if _of_type(comparison.after, NAT_GATEWAY) else "without a route from private subnets"
    for name in sorted(before ^ after):
        service, reason = _described(name, comparison.catalog)
        through = f"through a VPC endpoint ({reason})"
        if name in before:
            yield AccessChange(f"calls to {service}", AccessChangeKind.CHANGED, through, without)
        else:
            yield AccessChange(f"calls to {service}", AccessChangeKind.ADDED, "", through)


def _of_type(stacks: StackSet, kind: str) -> set[str]:
    """The service names of VPC endpoints, the logical ids of other resources."""
    found = (address for address in stacks.addresses() if stacks.resource(address)["Type"] == kind)
    return {str(stacks.properties(each).get("ServiceName", each.logical_id)) for each in found}


def _described(service_name: str, catalog: Catalog) -> tuple[str, str]:
    """The name of the file and what the endpoint is for; of one that the catalog has not, its full name."""
    for row in catalog.endpoint_services:
        if service_name.endswith(f".{row.name}"):
            return row.name, row.reason
    return service_name, "of another release"


def _differing(before: dict[str, str], after: dict[str, str]) -> Iterator[AccessChange]:
    for who in sorted(before.keys() | after.keys()):
        old, new = before.get(who), after.get(who)
        if old == new:
            continue
        kind = AccessChangeKind.CHANGED
        if old is None or new is None:
            kind = AccessChangeKind.ADDED if old is None else AccessChangeKind.REMOVED
        yield AccessChange(who, kind, old or "", new or "")
