"""A preflight check, and the moment of a deploy at which it runs."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from neuron_cluster.deploy.preflight.context import PreflightContext
from neuron_cluster.findings.finding import Finding
from neuron_cluster.protocol.preflight import Part


class Stage(enum.Enum):
    """When a check runs: a deploy stops after each stage that has an error."""

    IDENTITY = enum.auto()
    """Before any other call, which could reach another account than that of the file."""
    ACCOUNT = enum.auto()
    PINS = enum.auto()
    """With the lock that the deploy uses."""
    NAME = enum.auto()
    STACKS = enum.auto()
    """After the prompt about the price; a deploy runs it again after the one about its changes."""
    PERMISSIONS = enum.auto()
    """Only in `preflight`: a simulation does not see all policies, and a deploy meets the answer itself."""


class PreflightCheck(Struct, frozen=True):
    """The subject of a check, the IAM actions that it needs, and its functions."""

    part: Part
    what: str
    permissions: tuple[str, ...]
    subjects: Callable[[PreflightContext], Sequence[str]]
    """Returns what the check looks at in this environment; nothing where it is not needed. It makes no call."""
    check: Callable[[PreflightContext], Iterator[Finding]]
    """Yields findings. Raises ``ToolkitError`` for an API error, ``NotQueriedError`` where there is nothing to ask."""
    stage: Stage = Stage.ACCOUNT
    is_of_existing: bool = False
    """Whether it is about what no deploy creates, such as resources that exist and zones of EC2.

    It then runs on a local AWS that the deploy prepares, too.
    """
