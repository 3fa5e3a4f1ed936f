"""Health issues that EKS reports, in words of the catalog, with the command for the first that has one."""

from __future__ import annotations

import json
from collections.abc import Sequence

from neuron_cluster.aws.eks_state import HealthIssue
from neuron_cluster.catalog.eks_health_code import EksHealthCode
from neuron_cluster.findings.text import listed
from neuron_cluster.protocol.status import StatusQuery

CLUSTER, ADDON, NODE_GROUP = "cluster", "addon", "nodegroup"


def issue_words(query: StatusQuery, kind: str, issues: Sequence[HealthIssue]) -> str:
    """The meaning of each code, the text of EKS, and the next step; of a code without a row the text of EKS alone."""
    return listed([_words(_row(query, kind, issue), issue) for issue in issues])


def issue_command(
    query: StatusQuery, kind: str, issues: Sequence[HealthIssue], *, cluster: str, name: str, otherwise: str
) -> str:
    """The command of the first code that has one; ``otherwise`` where none has, or EKS names no resource for it."""
    for issue in issues:
        row = _row(query, kind, issue)
        if row is None or not row.operation:
            continue
        text = " ".join(row.options.values())
        if issue.resources or "{resource" not in text:
            resource = issue.resources[0] if issue.resources else ""
            values = {"cluster": cluster, "name": name, "resource": resource, "resources": json.dumps(issue.resources)}
            return query.access.aws_command(
                row.operation, **{key: _filled(row.options[key], values) for key in row.options}
            )
    return otherwise


def _filled(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _row(query: StatusQuery, kind: str, issue: HealthIssue) -> EksHealthCode | None:
    return query.catalog.eks_health_codes.get(f"{kind} {issue.code}")


def _words(row: EksHealthCode | None, issue: HealthIssue) -> str:
    return issue.text if row is None else f"{row.meaning} ({issue.text}). Do: {row.step}"
