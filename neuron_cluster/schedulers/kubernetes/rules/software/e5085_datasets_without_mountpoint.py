from __future__ import annotations

from neuron_cluster.config.namespace import DATASETS
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class DatasetsWithoutMountpoint(Rule):
    """A cluster with claims of datasets has the Mountpoint driver (`eks.addons.mountpoint_s3_csi_driver`).

    The driver mounts `datasets/` of the checkpoint bucket, and its component creates the claims.

    Without this check there are no claims, and pods that mount them remain Pending,
    `persistentvolumeclaim "datasets" not found`.
    """

    id = "E5085"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/s3-csi.html"
    proposes = ("mountpoint_s3_csi_driver", "claims")

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None or cluster.flag("mountpoint_s3_csi_driver"):
            return
        for each in listed_namespaces(context.environment.config):
            namespace = each.spec
            if DATASETS in (namespace.claims or ()):
                yield Violation(
                    (*each.path, "claims"),
                    f"claims of {namespace.name} has datasets, but {cluster.key('addons')}.mountpoint_s3_csi_driver is "
                    "not true",
                    f"set {cluster.key('addons')}.mountpoint_s3_csi_driver: true, or remove claims",
                )
