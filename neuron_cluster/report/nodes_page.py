"""Nodes of a deployed environment: a table for people, and data for ``--format json``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from neuron_cluster.findings.text import counted, listed
from neuron_cluster.protocol.nodes import GroupProgress, Node, NodeAnswer, NodeRejection, Waited
from neuron_cluster.table import Table

COLUMNS = ("id", "group", "type", "status", "launched", "zone", "message")


def nodes_table(title: str, nodes: Sequence[Node]) -> Table:
    rows = tuple(
        (
            node.id,
            node.group,
            node.instance_type or "-",
            node.status,
            f"{node.launched:%Y-%m-%d %H:%M}" if node.launched is not None else "-",
            node.zone_id or "-",
            node.message or "-",
        )
        for node in nodes
    )
    return Table(title, COLUMNS, rows, "Times are in UTC; zones are those of the groups in the file." if rows else "")


def node_as_data(node: Node) -> dict[str, Any]:
    return {
        "id": node.id,
        "has_instance": node.has_instance,
        "group": node.group,
        "instance_type": node.instance_type or None,
        "status": node.status,
        "message": node.message or None,
        "launched": _iso(node.launched),
        "zone_id": node.zone_id or None,
        "other_names": list(node.other_names),
    }


def node_lines(nodes: Sequence[Node]) -> Iterator[str]:
    """Yields a line for each node that a command changes: what it is now."""
    for node in nodes:
        status = f"{node.status}: {node.message}" if node.message else node.status
        yield f"  {node.id}  {node.group}  {node.instance_type}  {status}"


def answer_lines(answers: Sequence[NodeAnswer], done: str) -> Iterator[str]:
    """Yields the outcome of requests, with what to do about each node that was rejected."""
    number = sum(answer.is_accepted for answer in answers)
    yield f"{number} of {counted(len(answers), 'node')} will be {done}."
    rejected: dict[NodeRejection, list[str]] = {}
    for answer in answers:
        if answer.rejection is not None:
            rejected.setdefault(answer.rejection, []).append(answer.node.id)
    for rejection, ids in rejected.items():
        yield f"  {listed(ids)} {'is' if len(ids) == 1 else 'are'} not {done}: {rejection.code}: {rejection.message}"
        if rejection.hint:
            yield f"    hint: {rejection.hint}"


def answers_as_data(answers: Sequence[NodeAnswer]) -> list[dict[str, Any]]:
    return [
        {
            "id": answer.node.id,
            "group": answer.node.group,
            "status_before": answer.node.status,
            "is_accepted": answer.is_accepted,
            "code": answer.rejection.code if answer.rejection is not None else None,
            "message": answer.rejection.message if answer.rejection is not None else None,
            "hint": answer.rejection.hint or None if answer.rejection is not None else None,
        }
        for answer in answers
    ]


def progress_line(group: GroupProgress) -> str:
    """``trn2: 1 of 2 back (3 Running, 1 Pending)``."""
    statuses = ", ".join(f"{number} {status}" for status, number in sorted(group.statuses.items()))
    failed = f", {len(group.failed)} failed" if group.failed else ""
    return f"{group.group}: {len(group.back)} of {group.expected} back{failed} ({statuses or 'no nodes'})"


def waited_lines(waited: Waited) -> Iterator[str]:
    """Yields the nodes of each group at the end of a wait."""
    for group in waited.groups:
        if group.back:
            yield f"{group.group}: {listed(group.back)} {'runs' if len(group.back) == 1 else 'run'}."
        for node in group.failed:
            yield f"{group.group}: {node.id} is {node.status}{f': {node.message}' if node.message else ''}."
        if group.note:
            yield f"{group.group}: {group.note}."
        if missing := group.expected - len(group.back) - len(group.failed):
            yield f"{group.group}: {counted(missing, 'node')} not back."


def waited_as_data(waited: Waited) -> dict[str, Any]:
    return {
        "is_over": waited.is_over,
        "seconds": round(waited.seconds, 1),
        "groups": [
            {
                "group": group.group,
                "expected": group.expected,
                "back": list(group.back),
                "failed": [node_as_data(node) for node in group.failed],
                "statuses": dict(group.statuses),
                "note": group.note or None,
            }
            for group in waited.groups
        ],
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="seconds") if moment is not None else None
