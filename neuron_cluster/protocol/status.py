"""The state of an environment as `status` reports it: lines with a verdict, in sections.

A line is healthy only where the service answered: what was not read has its own verdict.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from msgspec import Struct

from neuron_cluster.aws.reading import NotRead
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.aws_access import AwsAccess

Value = TypeVar("Value")


class Verdict(enum.Enum):
    """The verdicts, the worst first."""

    ERROR = "error"
    """It does not work, or its data is in danger."""
    WARNING = "warning"
    """It works, and needs a look."""
    NOT_READ = "not_read"
    """AWS did not answer: nothing is known of it."""
    HEALTHY = "healthy"
    """It was read, and is as it should be."""


class StatusLine(Struct, frozen=True):
    """The verdict on one resource or group of resources."""

    subject: str
    verdict: Verdict
    cause: str
    """The values that were read; of a line that is not healthy, the fault."""
    command: str = ""
    """The next step as a command; empty for a healthy line."""
    since: datetime | None = None
    """When it began; None where no service reports it."""


class StatusSection(Struct, frozen=True):
    """Lines about one part of an environment."""

    title: str
    lines: Sequence[StatusLine]
    not_looked_at: str = ""
    """Resources of the part that no line is about, with the command that shows them."""


class HeldResources(Struct, frozen=True):
    """Physical ids of resources of stacks, by key of the stack and CloudFormation type."""

    by_stack: Mapping[str, Mapping[str, Sequence[str]] | NotRead]

    def ids(self, stack_key: str, resource_type: str) -> Sequence[str] | NotRead:
        """Returns the ids; none where the stack does not exist."""
        held = self.by_stack.get(stack_key, {})
        return held if isinstance(held, NotRead) else held.get(resource_type, ())


class StatusQuery(Struct, frozen=True):
    """The input of everything that contributes lines."""

    plan: ClusterPlan
    access: AwsAccess
    catalog: Catalog
    at: datetime
    """The moment with which times are compared."""
    held: HeldResources
    argument: str
    """The environment as commands of the toolkit name it: a name, or the path of a file."""
    may_run_commands: bool = False
    """Whether the user lets `status` send a command to an instance, which Systems Manager counts as a write."""

    def toolkit_command(self, verb: str) -> str:
        """A command of the toolkit for the environment: ``neuron-cluster deploy --local dev-inf2``."""
        local = " --local" if self.access.is_local else ""
        return f"neuron-cluster {verb}{local} {self.argument}"

    def not_read(self, subject: str, found: NotRead) -> StatusLine:
        """Returns the line of a subject that AWS did not answer about."""
        command = self.access.aws_command("sts get-caller-identity") if found.is_denied else ""
        cause = f"{found.call}: {found.reason}"
        return StatusLine(subject, Verdict.NOT_READ, cause, command or self.toolkit_command("status"))


def healthy(subject: str, cause: str, *, since: datetime | None = None) -> StatusLine:
    return StatusLine(subject, Verdict.HEALTHY, cause, since=since)


def warning(subject: str, cause: str, command: str, *, since: datetime | None = None) -> StatusLine:
    return StatusLine(subject, Verdict.WARNING, cause, command, since)


def error(subject: str, cause: str, command: str, *, since: datetime | None = None) -> StatusLine:
    return StatusLine(subject, Verdict.ERROR, cause, command, since)
