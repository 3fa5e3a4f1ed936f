"""IAM permissions of the pods of third-party charts, where no AWS managed policy has them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table


class PolicyStatement(Struct, frozen=True, kw_only=True):
    """One Allow statement. ``resources`` are ``*`` or ARNs whose partition is written ``<partition>``.

    ``conditions`` are by operator and key, as IAM writes them.
    """

    actions: tuple[str, ...]
    resources: tuple[str, ...]
    conditions: FrozenMap[str, FrozenMap[str, tuple[str, ...]]] = FrozenMap()


class PodPermission(SourcedRow, frozen=True, kw_only=True):
    """The policy of one service account; ``name`` is chart and account: ``keda/keda-operator``.

    Empty ``statements`` mean that the pods require no AWS permissions. ``when`` is the flag in the values that
    requires them.
    """

    namespace: str
    when: str | None
    statements: tuple[PolicyStatement, ...]

    @property
    def chart(self) -> str:
        return self.name.partition("/")[0]

    @property
    def service_account(self) -> str:
        return self.name.partition("/")[2]

    @property
    def actions(self) -> frozenset[str]:
        """All actions, whatever their resources and conditions."""
        return frozenset(action for statement in self.statements for action in statement.actions)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if not self.chart or not self.service_account:
            yield "name", "must be chart/service-account"
        for statement in self.statements:
            if not statement.actions or not statement.resources:
                yield "statements", "a statement needs actions and resources"
            for resource in statement.resources:
                if resource != "*" and not resource.startswith("arn:<partition>:"):
                    yield "statements", f"{resource} names a partition"


class PodPermissionTable(Table[PodPermission]):
    def of_chart(self, name: str) -> tuple[PodPermission, ...]:
        """The permissions of a chart's service accounts; empty where nothing was recorded."""
        return tuple(row for row in self if row.chart == name)
