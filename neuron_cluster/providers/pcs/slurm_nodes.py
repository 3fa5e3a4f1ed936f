"""Nodes by state as Slurm reports them, read by `sinfo` on a login node: SendCommand, which Systems Manager counts as a
write."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.aws.run_command import SHELL_DOCUMENT, Invocation, run_shell_command
from neuron_cluster.findings.text import counted
from neuron_cluster.protocol.status import StatusLine, StatusQuery, error, healthy, warning
from neuron_cluster.providers.pcs.plan.slurm_plan import SlurmPlan

SUBJECT, CALL = "nodes in Slurm", "ssm:SendCommand"
SINFO = "sinfo --noheader --format='%T|%D|%N|%H|%E'"
"""State, number, names, time and text of the reason; nodes that have all of it in common are one row."""
WORK = ("allocated", "completing", "idle", "mixed", "planned", "reserved")
OUT_OF_SERVICE = ("drained", "draining", "maint", "reboot")
SUFFIXES = "*~#!%$@^-+"
SUSPENDED, NOT_RESPONDING = "~", "*"
"""Marks of sinfo behind a state: PCS starts an instance for it when a job needs one; Slurm does not reach the node."""
NO_REASON, NO_TIME = "none", "Unknown"
WAIT_SECONDS, LOCAL_PAUSE, PAUSE = 60.0, 0.1, 2.0


class NodeRow(Struct, frozen=True):
    """Nodes with the same state and reason."""

    state: str
    """Without marks: ``idle``, ``drained``."""
    marks: str
    count: int
    names: str
    """As Slurm writes them: ``trn1-[1-4]``."""
    reason: str
    since: datetime | None


def sinfo_command(slurm: SlurmPlan) -> str:
    return f"TZ=UTC {slurm.login.start.node.slurm_commands}/{SINFO}"


def node_lines(query: StatusQuery, slurm: SlurmPlan, online: Sequence[str]) -> Iterator[StatusLine]:
    """Yields one line for the nodes in service, and one for each state and reason of the others.

    ``online`` has the ids of the login nodes that Systems Manager reaches.
    """
    if not online:
        yield query.not_read(SUBJECT, NotRead(CALL, "no login node is online in Systems Manager"))
        return
    login, target = online[0], query.access.target
    pause = LOCAL_PAUSE if query.access.is_local else PAUSE
    found = reading(
        "ssm", lambda: run_shell_command(target, login, sinfo_command(slurm), wait_seconds=WAIT_SECONDS, pause=pause)
    )
    rows = found if isinstance(found, NotRead) else _parsed(found)
    if isinstance(rows, NotRead):
        yield query.not_read(SUBJECT, rows)
        return
    in_service = Counter[str]()
    for row in rows:
        if row.state in WORK and NOT_RESPONDING not in row.marks:
            in_service["without an instance" if SUSPENDED in row.marks else row.state] += row.count
        else:
            yield _line(query, slurm, login, row)
    words = ", ".join(f"{count} {state}" for state, count in sorted(in_service.items()))
    if words or not rows:
        yield healthy(SUBJECT, words or "Slurm has no node yet")


def _line(query: StatusQuery, slurm: SlurmPlan, login: str, row: NodeRow) -> StatusLine:
    state = f"{row.state} and not responding" if NOT_RESPONDING in row.marks else row.state
    verb = "is" if row.count == 1 else "are"
    cause = f"{counted(row.count, 'node')} {verb} {state}: {row.reason or 'Slurm has no reason'}"
    is_drained = row.state in OUT_OF_SERVICE and NOT_RESPONDING not in row.marks
    control = f"{slurm.login.start.node.slurm_commands}/scontrol"
    words = f"update nodename={row.names} state=resume" if is_drained else f"show node {row.names}"
    command = query.access.aws_command(
        "ssm send-command",
        document_name=SHELL_DOCUMENT,
        instance_ids=login,
        parameters=json.dumps({"commands": [f"{control} {words}"]}),
    )
    return (warning if is_drained else error)(f"nodes {row.names}", cause, command, since=row.since)


def _parsed(found: Invocation | None) -> list[NodeRow] | NotRead:
    if found is None:
        return NotRead(CALL, "the agent of the login node does not take commands")
    if not found.has_succeeded:
        said = (found.errors or found.output).strip()
        return NotRead(CALL, f"sinfo did not succeed ({found.details}){f': {said}' if said else ''}")
    try:
        return node_rows(found.output)
    except ValueError:
        return NotRead(CALL, f"sinfo printed {found.output[:200]!r}, which is not a list of nodes")


def node_rows(printed: str) -> list[NodeRow]:
    """Raises ``ValueError`` for another text than that of sinfo."""
    return [_row(line) for line in printed.splitlines() if line.strip()]


def _row(line: str) -> NodeRow:
    marked, count, names, at, reason = line.strip().split("|", 4)
    state = marked.rstrip(SUFFIXES)
    since = None
    if at != NO_TIME:
        with contextlib.suppress(ValueError):
            since = datetime.fromisoformat(at).replace(tzinfo=UTC)
    return NodeRow(state, marked[len(state) :], int(count), names, "" if reason == NO_REASON else reason, since)
