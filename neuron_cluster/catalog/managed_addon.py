"""EKS managed add-ons: where they run, whether they require IAM permissions and nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow

NOT_ASKED: FrozenMap[str, str] = FrozenMap()


class ManagedAddon(SourcedRow, frozen=True, kw_only=True):
    """One add-on by the name that the EKS API uses.

    ``service_accounts`` are all it creates; ``pod_identity_service_accounts`` those that require an IAM role.
    ``managed_policies`` are AWS managed policies by path and name, without the ARN's first part; empty when the role
    requires a customer managed policy. An add-on with ``needs_nodes`` is degraded until a node can run it.
    """

    purpose: str
    namespace: str
    service_accounts: tuple[str, ...]
    pod_identity_service_accounts: tuple[str, ...]
    managed_policies: tuple[str, ...]
    needs_nodes: bool
    required_by: Literal["nodes", "cluster"] | None = None
    """``nodes``: no node becomes Ready without it; ``cluster``: every cluster has it; None: other add-ons."""
    network_policies_from: str | None = None
    """First version that enforces Kubernetes NetworkPolicies; None for an add-on that enforces none."""
    default_versions: FrozenMap[str, str] = NOT_ASKED
    """EKS's default version by Kubernetes version; empty as long as it was not queried."""
    pinned_version: str | None = None
    """The version without a lock; None: the default of EKS."""

    @property
    def needs_pod_identity(self) -> bool:
        """Whether the add-on calls AWS and so requires a role through Pod Identity."""
        return bool(self.pod_identity_service_accounts)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        for account in self.pod_identity_service_accounts:
            if account not in self.service_accounts:
                yield "pod_identity_service_accounts", f"{account} is not one of service_accounts"
        if self.managed_policies and not self.needs_pod_identity:
            yield "managed_policies", "no service account uses them"
