"""Duplicate workload namespaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.config.source_map import format_path
from neuron_cluster.orchestrators.eks.config.cluster import Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
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
        eks = environment.config.section(Eks)
        if eks is None:
            return
        first: dict[str, int] = {}
        for position, namespace in enumerate(eks.namespaces):
            if namespace.name in first:
                other = ("eks", "namespaces", first[namespace.name])
                yield Violation(
                    ("eks", "namespaces", position, "name"),
                    f"{namespace.name} is already the name of {format_path(other)}",
                    "remove one of the two, or use another name",
                    related=(other,),
                )
            first.setdefault(namespace.name, position)
