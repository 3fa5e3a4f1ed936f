"""The stacks that the plan has, next to those that exist, and the resources that they hold."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence

from neuron_cluster.aws import cloudformation
from neuron_cluster.aws.cloudformation import Stack
from neuron_cluster.aws.reading import NotRead, reading, readings
from neuron_cluster.aws.stack_failures import last_failure
from neuron_cluster.plan.stack_description import stack_description
from neuron_cluster.plan.stack_table import stack_keys, stack_keys_of_deploy
from neuron_cluster.protocol.status import (
    HeldResources,
    StatusLine,
    StatusQuery,
    StatusSection,
    error,
    healthy,
    warning,
)

STABLE = ("CREATE_COMPLETE", "UPDATE_COMPLETE", "IMPORT_COMPLETE")
ROLLED_BACK = ("UPDATE_ROLLBACK_COMPLETE", "IMPORT_ROLLBACK_COMPLETE")
"""Statuses of a stack that runs the template before its last update."""
HOLDS_NOTHING = ("REVIEW_IN_PROGRESS", "ROLLBACK_COMPLETE")


def held_resources(query: StatusQuery) -> HeldResources:
    """Reads the resources of every stack of the plan; of one that does not exist there are none."""
    read = functools.partial(cloudformation.resources, query.access.target)
    stacks = {stack_key: functools.partial(read, query.plan.stack_name(stack_key)) for stack_key in query.plan.stacks}
    found = readings("cloudformation", stacks)
    return HeldResources(
        {stack_key: held if isinstance(held, NotRead) else _by_type(held) for stack_key, held in found.items()}
    )


def _by_type(resources: Sequence[cloudformation.StackResource]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for resource in resources:
        if resource.physical_id:
            found.setdefault(resource.type, []).append(resource.physical_id)
    return found


def stack_section(query: StatusQuery) -> StatusSection:
    return StatusSection("Stacks", tuple(_lines(query)))


def _lines(query: StatusQuery) -> Iterator[StatusLine]:
    found = reading("cloudformation", lambda: {each.name: each for each in cloudformation.stacks(query.access.target)})
    if isinstance(found, NotRead):
        yield query.not_read("stacks", found)
        return
    plan = query.plan
    for stack_key in plan.stacks:
        name = plan.stack_name(stack_key)
        stack = found.get(name)
        if stack is None:
            yield error(name, "the stack does not exist", query.toolkit_command("deploy"))
        elif stack.description != stack_description(plan, stack_key):
            cause = "the stack is of something else: its description is not the one of this environment"
            show = query.access.aws_command("cloudformation describe-stacks", stack_name=name)
            yield error(name, cause, show, since=stack.created)
        else:
            yield _line(query, stack)
    yield from _others(query, found)


def _others(query: StatusQuery, found: Mapping[str, Stack]) -> Iterator[StatusLine]:
    """Yields stacks of the environment that no deploy of the file has: of `image build`, or of an earlier file."""
    plan = query.plan
    for stack_key in stack_keys():
        stack = found.get(plan.stack_name(stack_key))
        if stack_key in plan.stacks or stack is None or stack.description != stack_description(plan, stack_key):
            continue
        if stack_key in stack_keys_of_deploy():
            cause = f"{stack.status}: the file does not have this stack any more"
            yield warning(stack.name, cause, query.toolkit_command("diff"), since=stack.updated or stack.created)
        else:
            yield _line(query, stack)


def _line(query: StatusQuery, stack: Stack) -> StatusLine:
    since, name = stack.updated or stack.created, stack.name
    if stack.status in STABLE:
        return healthy(name, stack.status, since=since)
    deploy = query.toolkit_command("deploy")
    if stack.status in HOLDS_NOTHING:
        cause = f"{stack.status}: its first deploy made nothing{_why(query, stack)}"
        return error(name, cause, deploy, since=since)
    if stack.status.endswith("_IN_PROGRESS"):
        events = query.access.aws_command("cloudformation describe-stack-events", stack_name=name)
        return warning(name, f"{stack.status}: a deploy or a destroy changes it", events, since=since)
    if stack.status in ROLLED_BACK:
        cause = f"{stack.status}: its last update failed, and it runs the template before{_why(query, stack)}"
        return warning(name, cause, deploy, since=since)
    verb = "destroy" if stack.status == "DELETE_FAILED" else "deploy"
    return error(name, f"{stack.status}{_why(query, stack)}", query.toolkit_command(verb), since=since)


def _why(query: StatusQuery, stack: Stack) -> str:
    """The first resource that failed, as a further clause, with its known cause and the way out."""
    found = reading("cloudformation", lambda: last_failure(query.access.target, stack.id))
    if isinstance(found, NotRead):
        return f"; the cause was not read ({found.call})"
    if found is None:
        return f"; {stack.reason}" if stack.reason else ""
    clause = f"; {found.logical_id} ({found.type}): {found.reason}"
    known = query.catalog.failure_causes.of(found.type, found.reason)
    return f"{clause}; {known.cause}: {known.way_out}" if known is not None else clause
