"""Who can do what with the buckets: a table of each role that can do anything, and the roles that cannot."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from neuron_cluster.access.matrix import AccessMatrix, Cell
from neuron_cluster.access.prefixes import OTHERS
from neuron_cluster.access.roles import Role
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.kubernetes_access import KubernetesAccess
from neuron_cluster.table import Table

OTHER_PREFIXES = "(other prefixes)"
EVERY_PREFIX = "(every prefix)"
NOTE = (
    "Decided from the templates: policies of the roles, of the bucket and of its key. An organization's policies and "
    "endpoint policies can only take permissions away. Not listed: principals outside of the templates, such as "
    "administrators of the account."
)
KUBERNETES_NOTE = "--format json lists the verbs and resources of the Role of each team."
EXPRESS_NOTE = (
    "IAM has no prefixes in a directory bucket. A role with s3express:CreateSession can read, write and delete all its "
    "objects, which have no versions."
)


def access_as_data(matrix: AccessMatrix, roles: Sequence[Role]) -> dict[str, Any]:
    """Returns the document of ``--format json``: every cell of these roles."""
    return {
        "buckets": [{"name": bucket.name, "arn": bucket.arn, "key": bucket.key_arn} for bucket in matrix.buckets],
        "roles": [
            {
                "name": role.name,
                "description": role.description,
                "pods": [pods.label for pods in role.pods],
                "boundary_not_known": role.boundary_not_known or None,
            }
            for role in roles
        ],
        "cells": [_cell_as_data(cell) for cell in matrix.cells if cell.role in roles],
    }


def _cell_as_data(cell: Cell) -> dict[str, Any]:
    return {
        "role": cell.role.name,
        "pods": cell.pods.label if cell.pods is not None else None,
        "bucket": cell.bucket,
        "action": cell.action,
        "prefix": cell.prefix,
        "allowed": cell.decision.is_allowed,
        "reason": cell.decision.reason,
        "statements": list(cell.decision.statements),
    }


def kubernetes_access_as_data(found: Iterable[KubernetesAccess]) -> list[dict[str, Any]]:
    """Returns the part of ``--format json`` on the rights of principals in the Kubernetes API."""
    return [
        {
            "team": each.team,
            "principals": list(each.principals),
            "kind": each.kind,
            "granted_by": each.granted_by,
            "namespaces": list(each.namespaces) or None,
            "summary": each.summary,
            "rules": [{"verbs": list(rule.verbs), "resources": list(rule.resources)} for rule in each.rules],
        }
        for each in found
    ]


def kubernetes_access_tables(found: Iterable[KubernetesAccess]) -> list[Table]:
    """One table; none without principals of the file."""
    granted = list(found)
    rows = tuple(
        (
            "\n".join(arn.rpartition(":")[2] for arn in each.principals) or "none",
            "\n".join(each.namespaces) or "all",
            each.kind,
            each.granted_by,
        )
        for each in granted
    )
    meanings = dict.fromkeys(f"{each.kind}: {each.summary}." for each in granted)
    note = " ".join([*meanings, KUBERNETES_NOTE])
    return [Table("Kubernetes API", ("principals", "namespaces", "may", "by"), rows, note)] if rows else []


def access_tables(matrix: AccessMatrix, roles: Sequence[Role], *, complete: bool) -> list[Table]:
    """A table of each role with a permission, and one of those without; with ``complete`` a table of each role."""
    with_access = {cell.role for cell in matrix.cells if cell.decision.is_allowed}
    tables = [
        _table_of_role(role, bucket, cells)
        for (role, bucket), cells in _by_role(matrix.cells)
        if role in roles and (complete or role in with_access)
    ]
    silent = [role for role in roles if role not in with_access]
    if silent and not complete:
        title = f"No access to {', '.join(bucket.name for bucket in matrix.buckets)} or its key"
        tables.append(Table(title, ("role", "used by"), tuple((role.name, user_of(role)) for role in silent)))
    return tables


def undecided_sentence(plan: ClusterPlan, matrix: AccessMatrix) -> str | None:
    """Why there is nothing to show; None where there is."""
    storage = plan.storage
    existing = storage.bucket.existing if storage is not None and storage.bucket is not None else None
    if existing is not None:
        return f"{existing.name} exists: its policy and that of its key are in no template, so nothing is decided."
    if not matrix.buckets:
        return f"{plan.name} has no bucket (`storage.checkpoint_bucket`, `storage.express`)."
    return None


def notes(matrix: AccessMatrix) -> list[str]:
    """Returns notes on what the decisions do not consider."""
    limited = [
        f"{role.name} has the permissions boundary {role.boundary_not_known}, which is not in the templates and can "
        "only take permissions away."
        for role in matrix.roles
        if role.boundary_not_known
    ]
    directories = [bucket.name for bucket in matrix.buckets if bucket.is_express]
    express = [f"{name}: {EXPRESS_NOTE}" for name in directories]
    return [NOTE, *express, *limited]


def _by_role(cells: Iterable[Cell]) -> Iterable[tuple[tuple[Role, str], list[Cell]]]:
    for key, found in itertools.groupby(cells, key=lambda cell: (cell.role, cell.bucket)):
        yield key, list(found)


def _table_of_role(role: Role, bucket: str, cells: list[Cell]) -> Table:
    """One row for prefixes with the same decision by the same statements."""
    columns = ("action", "prefix", "decision", "by")
    rows = (
        (action if pods is None else f"{action} ({pods.label})", _prefix(found, total), *_decision(found[0]))
        for (action, pods), found, total in _grouped(cells, has_several=len(role.pods) > 1)
    )
    return Table(f"{role.name} on {bucket}: {user_of(role)}", columns, tuple(rows))


def _grouped(cells: list[Cell], *, has_several: bool) -> Iterable[tuple[tuple[str, Any], list[Cell], int]]:
    """Action and pods, where a role has several; cells with one decision; and the number of all prefixes."""
    for (action, pods), of_action in itertools.groupby(cells, key=lambda cell: (cell.action, cell.pods)):
        members = list(of_action)
        by_decision: dict[tuple[bool, str, tuple[str, ...]], list[Cell]] = {}
        for cell in members:
            key = (cell.decision.is_allowed, cell.decision.reason, cell.decision.statements)
            by_decision.setdefault(key, []).append(cell)
        for found in by_decision.values():
            yield (action, pods if has_several else None), found, len(members)


def _prefix(cells: list[Cell], total: int) -> str:
    if cells[0].prefix is None:
        return "-"
    if len(cells) == total:
        return EVERY_PREFIX
    return "\n".join(OTHER_PREFIXES if cell.prefix == OTHERS else str(cell.prefix) for cell in cells)


def _decision(cell: Cell) -> tuple[str, str]:
    decision = cell.decision
    by = ", ".join(decision.statements)
    if decision.is_allowed:
        return "allowed", by
    return "denied", f"{decision.reason}: {by}" if by else decision.reason


def user_of(role: Role) -> str:
    """Pods, else the description in the template."""
    pods = ", ".join(pods.label for pods in role.pods)
    return f"pods of {pods}" if pods else role.description or "-"
