from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import enabled_components
from neuron_cluster.schedulers.kubernetes.node_group import node_groups
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class StartupTaintWithoutDriver(Rule):
    """The driver that removes a startup taint is installed (`taints`).

    CSI drivers remove the taint KEY/agent-not-ready from a node when they have started there, so that no pod mounts a
    volume before. Bundled charts do not tolerate it.

    Without this check AWS reports no error. The taint stays, and every pod without a toleration remains Pending.
    """

    id = "E3086"
    source = "https://github.com/kubernetes-sigs/aws-ebs-csi-driver/blob/master/docs/install.md"
    references = ("kubernetes-sigs/aws-fsx-csi-driver#311",)

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None:
            return
        for group in node_groups(context.environment):
            for position, taint in enumerate(group.taints):
                row = context.catalog.startup_taints.get(taint.key)
                if row is not None and row.component not in enabled_components(context.environment, context.catalog):
                    yield Violation(
                        (*group.path, "taints", position),
                        f"nothing removes the startup taint {taint.key} from nodes of {group.name}: {row.component} is "
                        "not enabled",
                        f"set {cluster.key('addons')}.{row.component} to true, or remove the taint",
                    )
