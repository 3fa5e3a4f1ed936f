"""One edit, one error: what follows from the same edit is folded into the gravest of its errors."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from neuron_cluster.changes.comparison import Comparison
from neuron_cluster.changes.normal_form import Address
from neuron_cluster.changes.refusals.network_edit import SUBNET, VPC, undo, way_out
from neuron_cluster.findings import Finding, Severity

GRAVEST_FIRST = ("E9001", "E9002", "E9003", "E9004", "E9008", "E9007", "E9006", "E9005")
OF_THE_NETWORK = ("E9001", "E9003", "E9005", "E9008")
"""Errors that an edit of the network's addresses causes."""


def folded(comparison: Comparison, findings: Sequence[Finding]) -> list[Finding]:
    """The findings, those of one cause as one. The order stays."""
    by_cause: dict[Address | None, list[Finding]] = {}
    for finding in findings:
        if finding.severity is Severity.ERROR:
            by_cause.setdefault(_cause(comparison, finding), []).append(finding)
    primary: dict[int, Finding] = {}
    gone: set[int] = set()
    for cause, found in by_cause.items():
        if cause is None:
            continue
        first, *rest = sorted(found, key=_gravity)
        primary[id(first)] = _with_rest(comparison, cause, first, rest)
        gone |= {id(finding) for finding in rest}
    return [primary.get(id(finding), finding) for finding in findings if id(finding) not in gone]


def _cause(comparison: Comparison, finding: Finding) -> Address | None:
    """The resource whose own edit is behind an error; one address for all edits of the network; None: itself alone."""
    address = Address(finding.location.file, finding.location.path)
    if address not in comparison.replaced and finding.id != "E9008":
        return None
    origin = comparison.origin(address) if address in comparison.replaced else address
    is_network = undo(comparison) is not None and finding.id in OF_THE_NETWORK
    if is_network and comparison.type_of(origin) in (VPC, SUBNET):
        return Address("", "")
    return origin if address in comparison.replaced else None


def _gravity(finding: Finding) -> int:
    return GRAVEST_FIRST.index(finding.id) if finding.id in GRAVEST_FIRST else len(GRAVEST_FIRST)


def _with_rest(comparison: Comparison, cause: Address, first: Finding, rest: Sequence[Finding]) -> Finding:
    message, hint = first.message, first.hint
    if rest:
        ids: dict[str, list[str]] = {}
        for finding in sorted(rest, key=_gravity):
            ids.setdefault(finding.id, []).append(finding.location.path)
        also = ", ".join(f"{found} ({', '.join(paths)})" for found, paths in ids.items())
        message += f". From the same edit follow: {also}"
    edited = undo(comparison) if not cause.logical_id else None
    if edited is not None:
        hint = way_out(comparison, edited[1])
    return msgspec.structs.replace(first, message=message, hint=hint)
