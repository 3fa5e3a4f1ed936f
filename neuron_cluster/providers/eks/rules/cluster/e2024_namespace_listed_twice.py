"""Duplicate workload namespaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.source_map import format_path
from neuron_cluster.providers.eks.listed_namespaces import listed_namespaces
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class NamespaceListedTwice(ConfigRule):
    """Every workload namespace is listed once (`eks.namespaces`).

    Without this check CDK rejects two constructs with the same id; with two resources the later one would determine
    the Pod Security level.
    """

    id = "E2024"
    source = "https://docs.aws.amazon.com/cdk/v2/guide/identifiers.html (construct ids are unique in their scope)"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        first: dict[str, KeyPath] = {}
        for each in listed_namespaces(environment.config):
            name = each.spec.name
            if name in first:
                other = first[name]
                yield Violation(
                    (*each.path, "name"),
                    f"{name} is already the name of {format_path(other)}",
                    "remove one of the two, or use another name",
                    related=(other,),
                )
            first.setdefault(name, each.path)
