from __future__ import annotations

from neuron_cluster.providers.eks.config.cluster import ControlPlaneLog, Eks
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class AuditLogDisabled(Rule):
    """The EKS audit log is enabled (`eks.control_plane_logs`).

    Only the audit log records who read a Secret, ran a command in a pod or deleted a job.

    Without this check AWS reports no error; actions in the cluster cannot be investigated afterwards.
    """

    id = "E2034"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/control-plane-logs.html"

    def check(self, context: RuleContext) -> Violations:
        eks = context.environment.config.section(Eks)
        if eks is not None and ControlPlaneLog.AUDIT not in eks.control_plane_logs:
            given = ", ".join(each.value for each in eks.control_plane_logs) or "empty"
            yield Violation(
                ("eks", "control_plane_logs"),
                f"control_plane_logs is {given} and does not include audit",
                "add audit; `[audit]` is the shortest list",
            )
