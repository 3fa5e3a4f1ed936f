"""IAM: the actions of the services in the toolkit's policies, and the service principals of trust policies."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Mapping
from functools import cached_property

from neuron_cluster.catalog.source_data import read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table
from neuron_cluster.findings.suggestions import suggestions


class IamService(SourcedRow, frozen=True, kw_only=True):
    """One service by the prefix of its actions; ``actions`` in lower case: IAM ignores case."""

    actions: tuple[str, ...]
    without_resources: tuple[str, ...] = ()
    """Actions without a resource type in IAM: a statement can only have the resource ``*``."""

    def takes_resources(self, name: str) -> bool:
        """Whether a statement can list resources for this action."""
        return name.lower() not in self.without_resources

    def has_action(self, name: str) -> bool:
        """Whether the name, which may contain ``*`` and ``?``, matches an action of this service."""
        wanted = name.lower()
        if "*" in wanted or "?" in wanted:
            return bool(fnmatch.filter(self.actions, wanted))
        return wanted in self.actions

    def similar_actions(self, name: str) -> list[str]:
        return suggestions(name.lower(), self.actions)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if not self.actions or any(action != action.lower() for action in self.actions):
            yield "actions", "must be there, in lower case"


class PrincipalList(SourcedRow, frozen=True, kw_only=True):
    """Service principals of one source, without the Region that some contain: ``ec2.amazonaws.com``."""

    principals: tuple[str, ...]


class PrincipalTable(Table[PrincipalList]):
    """The rows of a file that is refreshed, and of one that is kept by hand."""

    @cached_property
    def by_name(self) -> Mapping[str, PrincipalList]:
        by_hand = self.place.with_name("service_principals_documented.yaml")
        return {**super().by_name, **read_rows(by_hand, self.row_type)}

    @cached_property
    def principals(self) -> frozenset[str]:
        """The service principals of all sources."""
        return frozenset(principal for row in self for principal in row.principals)

    def similar(self, name: str) -> list[str]:
        """Known service principals that look like ``name``."""
        return suggestions(name, sorted(self.principals))
