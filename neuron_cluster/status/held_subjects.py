"""Resources of a stack that the plan has, by their ids in the stack; a line where a stack does not have them."""

from __future__ import annotations

from collections.abc import Sequence

from neuron_cluster.aws.reading import NotRead
from neuron_cluster.protocol.status import StatusLine, StatusQuery, error


def ids_or_line(query: StatusQuery, subject: str, stack_key: str, resource_type: str) -> Sequence[str] | StatusLine:
    """Returns the ids; a line where they are not known, or where the stack has none."""
    held = query.held.ids(stack_key, resource_type)
    if isinstance(held, NotRead):
        return query.not_read(subject, held)
    if not held:
        stack = query.plan.stack_name(stack_key)
        return error(
            subject, f"it does not exist, as the stack {stack} does not have it", query.toolkit_command("deploy")
        )
    return held


def gone(query: StatusQuery, subject: str, stack_key: str) -> StatusLine:
    """The line of a resource that its stack has and its service does not know."""
    stack = query.plan.stack_name(stack_key)
    command = query.access.aws_command("cloudformation describe-stack-resources", stack_name=stack)
    cause = f"it was deleted outside of its stack {stack}, which no deploy notices"
    return error(subject, cause, command)
