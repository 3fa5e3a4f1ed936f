"""IAM: the actions of the services in the toolkit's policies, and the service principals of trust policies."""

from __future__ import annotations

import fnmatch
import functools
from collections.abc import Iterator

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.source_data import DATA_DIRECTORY, read_rows
from neuron_cluster.catalog.sourced_row import SourcedRow
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


class ServicePrincipals(SourcedRow, frozen=True, kw_only=True):
    """Service principals of one source, without the Region that some contain: ``ec2.amazonaws.com``."""

    principals: tuple[str, ...]


@functools.cache
def iam_services() -> FrozenMap[str, IamService]:
    """The services whose actions are recorded, by prefix."""
    return read_rows(DATA_DIRECTORY / "iam_actions.yaml", IamService)


@functools.cache
def service_principals() -> frozenset[str]:
    """The service principals of all sources."""
    files = ("service_principals_recorded.yaml", "service_principals_documented.yaml")
    rows = [row for file in files for row in read_rows(DATA_DIRECTORY / file, ServicePrincipals).values()]
    return frozenset(principal for row in rows for principal in row.principals)


def similar_service_principals(name: str) -> list[str]:
    """Known service principals that look like ``name``."""
    return suggestions(name, sorted(service_principals()))
