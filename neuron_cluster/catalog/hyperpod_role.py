"""Roles of SageMaker HyperPod: which service assumes them, and what they allow."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.pod_permission import PolicyStatement
from neuron_cluster.catalog.sourced_row import SourcedRow


class HyperPodRole(SourcedRow, frozen=True, kw_only=True):
    """One role, or what a role needs further in one case (``node_on_eks``)."""

    principal: str | None
    """The service that assumes it; None for a service-linked role, whose service no source names."""
    managed_policies: FrozenMap[str, str]
    """The reason for each policy of AWS, by path and name."""
    statements: tuple[PolicyStatement, ...]
    """Statements of an inline policy."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if not self.managed_policies and not self.statements:
            yield "statements", "a role without permissions allows nothing"
        for statement in self.statements:
            for resource in statement.resources:
                if resource != "*" and not resource.startswith("arn:<partition>:"):
                    yield "statements", f"{resource} names a partition"
