"""Checks of an account before a deploy changes anything."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.aws_access import AwsAccess


class Part(enum.Enum):
    """The parts of a preflight, in the order in which a new account is set up."""

    ACCOUNT = "Account"
    QUOTAS = "Quotas"
    CAPACITY = "Capacity"
    ENCRYPTION = "Encryption and data"
    EXISTING = "Existing resources"
    IMAGES = "Images and lock"
    STACKS = "Stacks"
    PERMISSIONS = "Permissions"


class NotQueriedError(Exception):
    """A check could not look at its subject, and another check has the finding; the message is the reason."""


class PreflightQuery(Protocol):
    """The input of every preflight check."""

    @property
    def plan(self) -> ClusterPlan: ...

    @property
    def destination(self) -> AwsAccess: ...

    @property
    def locate(self) -> Callable[[KeyPath], Location]:
        """The place of a key in the environment file."""

    @property
    def lock_again(self) -> str:
        """The command that writes the lock of the environment again."""


class ProviderCheck(Struct, frozen=True):
    """A check of one provider."""

    part: Part
    what: str
    """The subject of the check, in words."""
    permissions: tuple[str, ...]
    """IAM actions that the check needs."""
    subjects: Callable[[PreflightQuery], Sequence[str]]
    """Returns what the check looks at in this environment; nothing where it is not needed. It makes no call."""
    check: Callable[[PreflightQuery], Iterator[Finding]]
