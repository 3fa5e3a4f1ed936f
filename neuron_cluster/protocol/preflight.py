"""Checks of an account before a deploy changes anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.protocol.aws_access import AwsAccess


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
    """A check of one provider: its subject, the IAM actions that it needs, and the function."""

    what: str
    permissions: tuple[str, ...]
    check: Callable[[PreflightQuery], Iterator[Finding]]
