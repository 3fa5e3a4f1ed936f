"""Policies that AWS writes, of the toolkit's roles and of FSx: what they allow in S3 and KMS."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.pod_permission import PolicyStatement
from neuron_cluster.catalog.sourced_row import SourcedRow

DATA_SERVICES = ("s3:", "kms:")
"""Prefixes of the actions that a row has."""


class AwsManagedPolicy(SourcedRow, frozen=True, kw_only=True):
    """One policy by path and name; ``statements`` are those of S3 and KMS, and empty where it has none.

    ``<bucket>`` in a resource stands for the bucket that a file system is linked to.
    """

    version: str
    statements: tuple[PolicyStatement, ...]

    def contradictions(self) -> Iterator[tuple[str, str]]:
        for statement in self.statements:
            if not all(action.startswith(DATA_SERVICES) for action in statement.actions):
                yield "statements", "a row has only actions of S3 and KMS"
