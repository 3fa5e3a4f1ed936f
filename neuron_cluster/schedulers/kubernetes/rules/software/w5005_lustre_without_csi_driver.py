from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class LustreWithoutCsiDriver(Rule):
    """A cluster with an FSx for Lustre file system has the FSx CSI driver (`eks.addons.fsx_csi_driver`).

    Only a warning: you may install your own driver.

    Without this check AWS reports no error. Pods that use the file system remain in ContainerCreating with "driver
    name fsx.csi.aws.com not found in the list of registered CSI drivers".
    """

    id = "W5005"
    source = "https://docs.aws.amazon.com/eks/latest/userguide/fsx-csi.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        cluster = kubernetes_in(config)
        if cluster is None or config.storage is None or config.storage.lustre is None:
            return
        if cluster.flag("fsx_csi_driver") is False:
            yield Violation(
                (*cluster.path, "addons", "fsx_csi_driver"),
                "fsx_csi_driver is false, so pods cannot mount the file system of storage.lustre",
                "remove fsx_csi_driver, unless you install your own driver",
            )
