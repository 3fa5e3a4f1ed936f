"""Control plane logs without the audit log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.orchestrators.eks.config.cluster import ControlPlaneLog, Eks
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class AuditLogOff(ConfigRule):
    """`eks.control_plane_logs` includes `audit`.

    The audit log alone says who read a Secret, ran a command in a pod or deleted a job.

    Without this check AWS reports no error; what was done in the cluster cannot be found out afterwards.
    """

    id = "E2034"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/control-plane-logs.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        eks = environment.config.section(Eks)
        if eks is not None and ControlPlaneLog.AUDIT not in eks.control_plane_logs:
            given = ", ".join(each.value for each in eks.control_plane_logs) or "empty"
            yield Violation(
                ("eks", "control_plane_logs"),
                f"control_plane_logs is {given}, without audit",
                "add audit; `[audit]` is the shortest list",
            )
