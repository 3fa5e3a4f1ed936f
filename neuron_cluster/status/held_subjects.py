"""Resources of a stack that the plan has, by their ids in the stack; a line where a stack does not have them."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.aws.reading import NotRead
from neuron_cluster.protocol.status import StatusLine, StatusQuery, error


def ids_or_line(query: StatusQuery, subject: str, part: str, resource_type: str) -> Sequence[str] | StatusLine:
    """Returns the ids; a line where they are not known, or where the stack has none."""
    held = query.held.ids(part, resource_type)
    if isinstance(held, NotRead):
        return query.not_read(subject, held)
    if not held:
        stack = query.plan.stack_name(part)
        return error(
            subject, f"it does not exist, as the stack {stack} does not have it", query.toolkit_command("deploy")
        )
    return held


def gone(query: StatusQuery, subject: str, part: str) -> StatusLine:
    """The line of a resource that its stack has and its service does not know."""
    stack = query.plan.stack_name(part)
    command = query.access.aws_command("cloudformation describe-stack-resources", stack_name=stack)
    cause = f"it was deleted outside of its stack {stack}, which no deploy notices"
    return error(subject, cause, command)
