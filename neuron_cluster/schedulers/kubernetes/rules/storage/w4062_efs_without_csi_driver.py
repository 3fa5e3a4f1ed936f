from __future__ import annotations

from neuron_cluster.config.namespace import S3_FILES
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in
from neuron_cluster.schedulers.kubernetes.software.efs_volumes import access_point_of


class EfsWithoutCsiDriver(Rule):
    """A cluster whose namespaces claim EFS or S3 Files has the EFS CSI driver (`eks.addons.efs_csi_driver`).

    Only a warning: you may install your own driver, and create the volumes of the claims.

    Without this check AWS reports no error, the claims are not created, and pods that mount one remain Pending.
    """

    id = "W4062"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/efs-csi.html"

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None or cluster.flag("efs_csi_driver") is not False:
            return
        claimed = [
            (each.spec.name, claim)
            for each in listed_namespaces(context.environment.config)
            for claim in each.spec.claims or ()
            if claim == S3_FILES or access_point_of(claim) is not None
        ]
        for namespace, claim in claimed[:1]:
            yield Violation(
                (*cluster.path, "addons", "efs_csi_driver"),
                f"efs_csi_driver is false, so the claim {claim} of {namespace} is not created",
                "remove efs_csi_driver, unless you install your own driver",
            )
