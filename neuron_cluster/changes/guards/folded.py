"""One edit, one error: what follows from the same edit is folded into the gravest of its errors."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from local_aws.cloudformation.references import references
from local_aws.cloudformation.values import Address
from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.guards.network_edit import SUBNET, VPC, NetworkEdit, network_edit, network_remedy
from neuron_cluster.changes.resource_name import name_in
from neuron_cluster.changes.source import registered_resource_kinds
from neuron_cluster.findings.finding import Finding, Severity

GRAVEST_FIRST = (
    ("E9001",),
    ("E9002",),
    ("E9003",),
    ("E9004",),
    ("E9008", "E9021", "E9022"),
    ("E9007",),
    ("E9006",),
    ("E9005",),
)
"""Ids of one rank stay in their order."""
MAX_NAMED = 3
"""Resources of one id that the gravest error names; the others are counted."""
KEY = "AWS::KMS::Key"
NETWORK = Address("", "")
"""The one cause of all that follows from an edit of the network."""


def folded(comparison: Comparison, findings: Sequence[Finding]) -> list[Finding]:
    """The findings, those of one cause as one. The order stays."""
    edit = network_edit(comparison)
    by_cause: dict[Address | None, list[Finding]] = {}
    for finding in findings:
        if finding.severity is Severity.ERROR:
            by_cause.setdefault(_cause(comparison, finding, edit, findings), []).append(finding)
    primary: dict[int, Finding] = {}
    gone: set[int] = set()
    for cause, found in by_cause.items():
        if cause is None:
            continue
        first, *rest = sorted(found, key=lambda finding: (_gravity(finding), _address(finding) != cause))
        primary[id(first)] = _with_rest(comparison, edit if cause == NETWORK else None, first, rest)
        gone |= {id(finding) for finding in rest}
    return [primary.get(id(finding), finding) for finding in findings if id(finding) not in gone]


def _cause(
    comparison: Comparison, finding: Finding, edit: NetworkEdit | None, findings: Sequence[Finding]
) -> Address | None:
    """The resource whose own edit is behind an error; None: the error is its own cause."""
    address = _address(finding)
    if edit is not None and _is_of_the_network(comparison, address):
        return NETWORK
    if address in comparison.removed:
        return _removed_with(comparison, address, findings)
    return comparison.origin(address) if address in comparison.replaced else None


def _is_of_the_network(comparison: Comparison, address: Address) -> bool:
    """Whether a VPC or subnet that changes is behind it. A node group gets a new name with its subnets."""
    origin = comparison.origin(address) if address in comparison.replaced else address
    known = origin in comparison.before.addresses() | comparison.after.addresses()
    if not known or comparison.type_of(origin) in (VPC, SUBNET):
        return known
    kind = registered_resource_kinds().get(comparison.type_of(origin))
    return kind is not None and _is_in_moved_subnets(comparison, origin, kind.subnets)


def _is_in_moved_subnets(comparison: Comparison, group: Address, subnets: str) -> bool:
    moved = {*comparison.replaced, *comparison.removed, *comparison.added}
    states = [stacks for stacks in (comparison.before, comparison.after) if group in stacks.addresses()]
    found = [reference for stacks in states for reference in references(stacks.properties(group).get(subnets))]
    return any(reference.target in moved for reference in found)


def _removed_with(comparison: Comparison, address: Address, findings: Sequence[Finding]) -> Address:
    """A key leaves the file with the data that it encrypts."""
    if comparison.type_of(address) != KEY:
        return address
    others = (_address(finding) for finding in findings if finding.id == "E9002")
    return next((a for a in others if a.stack == address.stack and comparison.type_of(a) != KEY), address)


def _address(finding: Finding) -> Address:
    return Address(finding.location.file, finding.location.path)


def _gravity(finding: Finding) -> int:
    return next((rank for rank, ids in enumerate(GRAVEST_FIRST) if finding.id in ids), len(GRAVEST_FIRST))


def _with_rest(comparison: Comparison, edit: NetworkEdit | None, first: Finding, rest: Sequence[Finding]) -> Finding:
    message, hint = first.message, first.hint
    if edit is not None:
        message, hint = f"{edit.description}: {message}", network_remedy(comparison, edit.write)
    if rest:
        message += f". From the same edit follow: {_named(comparison, rest)}"
    return msgspec.structs.replace(first, message=message, hint=hint)


def _named(comparison: Comparison, findings: Sequence[Finding]) -> str:
    """``E9005 (the private subnet of usw2-az4, and 7 more)``."""
    names: dict[str, list[str]] = {}
    for finding in sorted(findings, key=_gravity):
        names.setdefault(finding.id, []).append(name_in(comparison, _address(finding)))
    parts = []
    for found, named in names.items():
        more = len(named) - MAX_NAMED
        shown = [*named[:MAX_NAMED], f"and {more} more"] if more > 0 else named
        parts.append(f"{found} ({', '.join(shown)})")
    return ", ".join(parts)
