from __future__ import annotations

from neuron_cluster.config.environment_config import Lifecycle
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ScratchInDurableEnvironment(Rule):
    """A durable environment does not keep its only copy of data on a scratch file system (`deployment_type`).

    Scratch file systems are not replicated. One that is mirrored to the checkpoint bucket has a second copy. The
    mirror is not a backup, because it also copies deletions.

    Without this check AWS reports no error. When a file server fails, FSx does not replace it and its files are lost,
    although `lifecycle: durable` declares that data must be kept.
    """

    id = "W4007"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html"
    proposes = ("deployment_type", "lifecycle", "mode", "sync")

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        lustre = config.storage.lustre if config.storage is not None else None
        row = (
            context.catalog.lustre_deployments.get(lustre.deployment_type.value.upper()) if lustre is not None else None
        )
        if lustre is None or row is None or row.durable or lustre.sync is not None:
            return
        if config.lifecycle is Lifecycle.DURABLE:
            lasting = [other.name.lower() for other in context.catalog.lustre_deployments if other.durable]
            yield Violation(
                ("storage", "lustre", "deployment_type"),
                f"lifecycle is durable, but {lustre.deployment_type.value} is not replicated and loses data when a "
                "server fails",
                f"set deployment_type: {listed(lasting, 'or')}, add sync (mode: archive), or set lifecycle: ephemeral",
            )
