"""The namespace `default` in a team."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.kubernetes.names import DEFAULT_NAMESPACE
from neuron_cluster.providers.eks.listed_namespaces import listed_namespaces
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class DefaultNamespaceOfTeam(ConfigRule):
    """The namespace `default` belongs to no team (`teams[].namespaces`).

    `kubectl` and charts of all users use it where no namespace is given.

    Without this check AWS reports no error. Objects of other users are in the namespace of the team, and its
    NetworkPolicies and ResourceQuota apply to them.
    """

    id = "E2053"
    source = "https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/#initial-namespaces"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        for each in listed_namespaces(environment.config):
            if each.team is not None and each.spec.name == DEFAULT_NAMESPACE:
                yield Violation(
                    (*each.path, "name"),
                    f"{DEFAULT_NAMESPACE} is the namespace of all users of the cluster, not of {each.team} alone",
                    f"use another name, such as {each.team}-jobs, or list it in eks.namespaces",
                )
